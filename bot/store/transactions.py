"""What happens inside each transaction: plain functions of a connection.

A transaction is one function, run from begin to commit on the connection's own thread (SQLite) or
greenlet (PostgreSQL). Nothing else can be awaited inside it, so there is no place where a cancelled
task could leave it half done, and both databases run the very same code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from bot.domain.change import Change
from bot.domain.events import Event, EventKind, micros
from bot.domain.ids import ChannelId, InteractionId, MatchId, UserId
from bot.domain.match import Match, MatchStatus, Scope
from bot.domain.ratings.rated import counts
from bot.failpoints import hit
from bot.services.deliveries import choose, deliveries_for, is_overtaken, leaves_something
from bot.services.people_store import PairingCheck
from bot.services.ports import AlreadyDone, ChannelBusy, Conflict, Loaded
from bot.services.sending import Batch, Claim, Delivery, DeliveryKind, Done, Outcome, Posted, PutOff
from bot.store import (
    blocked,
    digests,
    lobbies,
    pairing,
    people,
    plans,
    ratings,
    reminders,
    rows,
    vacations,
)
from bot.store import statements as sql


def commit(
    connection: Connection,
    change: Change,
    deliveries: tuple[Delivery, ...],
    lease: Lease | None,
    check: PairingCheck | None = None,
) -> Batch:
    """Write a change, and what the players' plans answer to it.

    :exc:`Conflict` if the match has another version than expected.
    """
    if check is not None:
        _judge(connection, change, check)
    _write(connection, change, deliveries)
    if change.event.kind is EventKind.MOVED and change.event.user_id is not None:
        vacations.moved(connection, change.event.user_id, change.event.at)
    head = change.match
    for answer in plans.answers(connection, change):
        _write(connection, answer, deliveries_for(answer))
        head = answer.match
    batch = take_next(connection, head.id, lease, head) if lease is not None else ()
    hit("c4")
    return batch


def _judge(connection: Connection, change: Change, check: PairingCheck) -> None:
    """Have a check decide here, where no other commit can come between it and what it allows.

    What has been done already is not judged by what it has itself used up.
    """
    starts = change.match.status is MatchStatus.RUNNING
    servers = (check.guild_id,) if starts and check.guild_id is not None else ()
    sql.hold(connection, (*check.people, *servers))
    if change.event.interaction_id is not None:
        event = done(connection, change.event.interaction_id)
        if event is not None:
            raise AlreadyDone(event)
    before = change.before
    head = None if before is None else match(connection, before.id, None)
    if before is not None and (head is None or head.head_hash != before.head_hash):
        raise Conflict
    check.judge(pairing.facts(connection, check))


def _write(connection: Connection, change: Change, deliveries: tuple[Delivery, ...]) -> None:
    match = change.match
    if change.before is None:
        connection.execute(sql.ADD_MATCH, rows.match_row(match))
    else:
        _advance(connection, change.before, match)
    sql.ADD_EVENT.run(connection, rows.event_row(change))
    _seat(connection, change)
    if change.before is None or not change.before.state:
        pairing.tally(connection, change)
        lobbies.mark(connection, change)
    reminders.note(connection, change)
    if match.rated and counts(match):
        ratings.rate(connection, match)
    if deliveries:
        due = micros(match.updated_at)
        sql.ADD_DELIVERY.run_each(
            connection, [rows.delivery_row(match.id, delivery, due) for delivery in deliveries]
        )


def _advance(connection: Connection, before: Match, after: Match) -> None:
    """Put the new head in the place of the one that the change was decided on."""
    statement = sql.MOVE_MATCH
    values = {
        "of_match": after.id,
        "of_version": before.version,
        "of_hash": before.head_hash,
        "of_set_aside_at": None if before.set_aside_at is None else micros(before.set_aside_at),
        **rows.changing_row(after),
    }
    if (
        before.status is not after.status
        or before.players != after.players
        or before.requests != after.requests
    ):
        statement = sql.TURN_MATCH
        values |= rows.enduring_row(after) | rows.clock_row(after)
    elif before.clock is not None:
        statement = sql.MOVE_CLOCKED
        values |= rows.clock_row(after)
    if statement.run(connection, values) != 1:
        raise Conflict
    if before.players != after.players:
        connection.execute(sql.SET_PLAYERS, rows.players_row(after))


def _people(match: Match | None) -> set[UserId]:
    if match is None:
        return set()
    return {user for user in (*match.players, *match.invited) if user is not None}


def _seat(connection: Connection, change: Change) -> None:
    """Keep ``seats`` in step with the head."""
    before, after = change.before, change.match
    if before is None or before.players != after.players:
        for user in sorted(_people(after) - _people(before)):
            _take_seat(connection, after.id, user)
        for user in _people(before) - _people(after):
            connection.execute(sql.LEAVE_SEAT, {"of_match": after.id, "of_user": user})
    if after.status.is_final:
        connection.execute(sql.REST_SEATS, {"of_match": after.id})


def _take_seat(connection: Connection, match_id: MatchId, user_id: UserId) -> None:
    """Note that somebody has to do with a match, perhaps again."""
    again = connection.execute(sql.TAKE_SEAT, {"of_match": match_id, "of_user": user_id})
    if again.rowcount == 0:
        connection.execute(sql.ADD_SEATS, {"match_id": match_id, "user_id": user_id, "active": 1})


def load(connection: Connection, match_id: MatchId, interaction_id: InteractionId | None) -> Loaded:
    """A match, and what an interaction has done."""
    if interaction_id is None:
        return Loaded(match(connection, match_id, None), None)
    row = connection.execute(
        sql.MATCH_AND_DONE, {"of_match": match_id, "of_interaction": interaction_id}
    ).first()
    if row is None:
        return Loaded(None, None)
    return Loaded(rows.match_of(row), None if row.seq is None else rows.event_of(row))


def done(connection: Connection, interaction_id: InteractionId) -> Event | None:
    """What an interaction has done."""
    row = connection.execute(sql.DONE, {"of_interaction": interaction_id}).first()
    return None if row is None else rows.event_of(row)


def match(connection: Connection, match_id: MatchId, scope: Scope | None) -> Match | None:
    """A match; ``scope`` None is the host itself, who may see all."""
    row = connection.execute(sql.MATCH, {"of_match": match_id}).first()
    found = None if row is None else rows.match_of(row)
    if found is None or scope is None or found.is_visible(scope):
        return found
    return None


def running_in(connection: Connection, channel_id: ChannelId, scope: Scope) -> tuple[Match, ...]:
    """Running matches of a channel."""
    found = sql.RUNNING_IN.rows(connection, {"of_channel": channel_id})
    everything = (rows.match_of(row) for row in found)
    return tuple(each for each in everything if each.is_visible(scope))


def active_of(connection: Connection, user_id: UserId) -> tuple[Match, ...]:
    """What a person has running or on offer."""
    found = connection.execute(sql.ACTIVE_OF, {"of_user": user_id})
    return tuple(rows.match_of(row) for row in found.all())


def history(connection: Connection, match_id: MatchId, scope: Scope | None) -> tuple[Event, ...]:
    """The events of a match."""
    if scope is not None and match(connection, match_id, scope) is None:
        return ()
    found = connection.execute(sql.HISTORY, {"of_match": match_id})
    return tuple(rows.event_of(row) for row in found.all())


def lapsed_offers(connection: Connection, now: datetime, limit: int) -> tuple[MatchId, ...]:
    """Offers whose time has come."""
    found = connection.execute(sql.LAPSED, {"now": micros(now), "at_most": limit})
    return tuple(MatchId(row.id) for row in found.all())


def lapsed_requests(connection: Connection, now: datetime, limit: int) -> tuple[MatchId, ...]:
    """Matches with requests whose time has come."""
    found = connection.execute(sql.LAPSING, {"now": micros(now), "at_most": limit})
    return tuple(MatchId(row.id) for row in found.all())


def over_in(
    connection: Connection, channel_id: ChannelId, scope: Scope, limit: int
) -> tuple[Match, ...]:
    """Matches that were played in a channel."""
    found = connection.execute(sql.OVER_IN, {"of_channel": channel_id, "at_most": limit})
    everything = (rows.match_of(row) for row in found.all())
    return tuple(each for each in everything if each.is_visible(scope))


def matches_after(
    connection: Connection, after: str, limit: int
) -> tuple[tuple[Match, tuple[Event, ...]], ...]:
    """The next matches in the order of their ids, with their histories."""
    found = connection.execute(sql.MATCHES_AFTER, {"after": after, "at_most": limit})
    heads = [rows.match_of(row) for row in found.all()]
    return tuple((head, history(connection, head.id, None)) for head in heads)


def newest_matches(
    connection: Connection, limit: int
) -> tuple[tuple[Match, tuple[Event, ...]], ...]:
    """The matches to which the last so many events of a SQLite file belong, with all of theirs."""
    found = connection.execute(sql.NEWEST_EVENTS, {"at_most": limit}).scalars()
    heads = [match(connection, match_id, None) for match_id in dict.fromkeys(found)]
    return tuple((head, history(connection, head.id, None)) for head in heads if head is not None)


# ---- the outbox -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease to be given: its name, when, and until when."""

    name: str
    now: datetime
    until: datetime


def claim(connection: Connection, lease: Lease, limit: int) -> tuple[Batch, ...]:
    """Take what is due, a batch a match."""
    due = connection.execute(sql.DUE, {"now": micros(lease.now), "at_most": limit}).all()
    taken = (take_next(connection, MatchId(row.id), lease) for row in due)
    return tuple(batch for batch in taken if batch)


def take_next(
    connection: Connection, match_id: MatchId, lease: Lease, head: Match | None = None
) -> Batch:
    """Drop what has been overtaken, and lease the next batch of a match.

    Empty if there is nothing due, or somebody else is at it. The caller holds the match's row, and
    may have its ``head`` at hand, up to the home.
    """
    now = micros(lease.now)
    found = sql.PENDING_OF.rows(connection, {"of_match": match_id})
    resting = [row for row in found if row.delivery in sql.MAY_REST and row.due_at > now]
    pending = found if not resting else [row for row in found if row not in resting]
    if not pending or _is_to_wait(pending, now) or any(row.lease_until > now for row in pending):
        return ()
    if head is None:
        head = match(connection, match_id, None)
        assert head is not None  # noqa: S101 - the outbox refers to it
        head = blocked.credited(connection, head, lease.now)
    elif head.home_id != pending[0].home_id:
        head = replace(head, home_id=ChannelId(pending[0].home_id))
    batch, dropped = choose([rows.claim_of(row, head, lease.name) for row in pending])
    if resting:
        asleep = (rows.claim_of(row, head, lease.name) for row in resting)
        over = (each for each in asleep if is_overtaken(each, ()))
        dropped += tuple(each.id for each in over if not leaves_something(each))
    if dropped:
        connection.execute(sql.DROP, {"of_ids": dropped})
    lent = {"lease_by": lease.name, "lease_until": micros(lease.until), "now": now}
    sql.TAKE.run_each(connection, [{"of_id": each.id, **lent} for each in batch])
    return batch


def _is_to_wait(pending: Sequence[Row[Any]], now: int) -> bool:
    """Whether the first is not due yet; a board that was refused is due again with the next one."""
    first = pending[0]
    is_refused = first.delivery == "board" and first.trouble != "retry" and not first.may_exist
    newer = ((row.delivery, row.audience) == ("board", first.audience) for row in pending[1:])
    return first.due_at > now and not (is_refused and any(newer))


def settle(
    connection: Connection,
    batch: Batch,
    outcomes: tuple[Outcome, ...],
    now: datetime,
    lease: Lease | None,
) -> Batch:
    """Record what came of a batch; take the next of its match."""
    match_id = batch[0].match.id
    sql.hold_match(connection, match_id)
    made: list[tuple[Claim, Done]] = []
    for each, came in zip(batch, outcomes, strict=False):
        if isinstance(came, PutOff):
            _put_off(connection, each, came)
            lease = None
        else:
            made.append((each, came))
    for each in batch[len(outcomes) :]:
        connection.execute(
            sql.RELEASE,
            {"of_id": each.id, "of_lease": each.lease, "of_doubt": int(each.may_exist)},
        )
    if made:
        gone = {"of_match": match_id, "of_lease": batch[0].lease}
        if sql.FINISH.run(connection, gone) != len(made):
            return ()
    for each, came in made:
        if came.for_digest:
            digests.add_news(connection, each, now)
        _record(connection, each, came)
    blocked.review(connection, batch, outcomes, now)
    return () if lease is None else take_next(connection, match_id, lease)


def _put_off(connection: Connection, each: Claim, came: PutOff) -> None:
    """Try again later; at once if the match has been given another home, now or meanwhile.

    What a player has chosen meanwhile stays.
    """
    home = connection.execute(sql.HOME, {"of_match": each.match.id}).scalar()
    if home == each.match.home_id and came.home_id is not None:
        home = came.home_id
        connection.execute(sql.SET_HOME, {"of_match": each.match.id, "home_id": home})
    if came.line_gone:
        audience = rows.EVERYBODY if each.delivery.audience is None else each.delivery.audience
        sql.DROP_LINE.run(connection, {"of_match": each.match.id, "of_audience": audience})
    due = micros(came.due_at) if home == each.match.home_id else 0
    connection.execute(
        sql.PUT_OFF,
        {
            "of_id": each.id,
            "of_lease": each.lease,
            "due_at": due,
            "trouble": came.trouble,
            "of_doubt": int(each.may_exist or not came.certain),
        },
    )


def _record(connection: Connection, made: Claim, came: Done) -> None:
    """Keep the home and the message that came of a delivery, and what is left to do about it."""
    if came.home_id is not None:
        connection.execute(sql.SET_HOME, {"of_match": made.match.id, "home_id": came.home_id})
    if came.posted is None:
        return
    delivery = made.delivery
    if delivery.kind is DeliveryKind.NOTICE:
        _record_line(connection, made, came.posted)
        return
    kind = "board" if delivery.kind is DeliveryKind.BOARD else "offer"
    audience = rows.EVERYBODY if delivery.audience is None else delivery.audience
    if kind == "board" and made.line is not None:
        gone = {"of_match": made.match.id, "of_audience": audience}
        sql.DROP_LINE.run(connection, gone)
        _tidy_later(connection, made, DeliveryKind.ERASE, made.line, came.erase_at)
    values = {
        "channel_id": came.posted.channel_id,
        "message_id": came.posted.message_id,
        "version": delivery.version if made.may_exist else made.match.version,
    }
    if made.shown is None:
        key = {"match_id": made.match.id, "kind": kind, "audience": audience}
        sql.ADD_POST.run(connection, {**key, **values})
        return
    sql.MOVE_POST.run(
        connection,
        {"of_match": made.match.id, "of_kind": kind, "of_audience": audience, **values},
    )
    _tidy_later(connection, made, DeliveryKind.RETIRE, made.shown, came.retire_at)


def _record_line(connection: Connection, made: Claim, posted: Posted) -> None:
    """Keep the line that calls a player, to be deleted when the turn is over.

    One that stands there already goes: a call that waited for the morning may find word of a
    vacation.
    """
    player = made.delivery.audience
    assert player is not None  # noqa: S101 - a notice is for one player
    version = made.delivery.version
    people.replace_line(connection, made.match, player, posted, version=version)


def _tidy_later(
    connection: Connection,
    made: Claim,
    kind: DeliveryKind,
    target: Posted | None,
    at: datetime | None,
) -> None:
    """Add what is still to be put away."""
    if at is not None:
        tidy = replace(made.delivery, kind=kind, target=target, notice=None)
        sql.ADD_DELIVERY.run(connection, rows.delivery_row(made.match.id, tidy, micros(at)))


def spare(connection: Connection, match_id: MatchId, now: datetime) -> bool:
    """Whether the player on turn of a match was not told of it, which is written down then."""
    sql.hold_match(connection, match_id)
    head = match(connection, match_id, None)
    return head is not None and blocked.note(connection, head, now)


def next_due(connection: Connection) -> int | None:
    """When the next delivery is due, in microseconds."""
    found: int | None = sql.NEXT_DUE.rows(connection, {})[0].due_at
    return found


def show_again(
    connection: Connection,
    match_id: MatchId,
    now: datetime,
    home: ChannelId | None,
    calls: tuple[Delivery, ...],
) -> None:
    """Ask for the present board again wherever one stands, and hurry what is waiting.

    With a ``home`` the match goes on there, and the board is asked for even if there was none;
    :exc:`ChannelBusy` if another match does. The ``calls`` follow it, unless one for the present
    turn waits already.
    """
    if home is not None:
        sql.hold(connection, (home,))
        for row in sql.RUNNING_IN.rows(connection, {"of_channel": home}):
            if row.id != match_id and home == (row.home_id or row.channel_id):
                raise ChannelBusy(MatchId(row.id))
    sql.hold_match(connection, match_id)
    if home is not None:
        connection.execute(sql.SET_HOME, {"of_match": match_id, "home_id": home})
    connection.execute(sql.HURRY, {"of_match": match_id, "due_at": micros(now)})
    head = match(connection, match_id, None)
    boards = connection.execute(sql.BOARDS_OF, {"of_match": match_id}).scalars().all()
    if home is not None and not boards:
        boards = [rows.EVERYBODY]
    if head is None or not boards:
        return
    again: Iterable[Delivery] = (
        Delivery(
            DeliveryKind.BOARD,
            head.version,
            head.ply,
            None if audience == rows.EVERYBODY else audience,
        )
        for audience in boards
    )
    told = {"of_match": match_id, "since": head.position_since}
    if connection.execute(sql.CALLS_WAITING, told).first() is not None:
        calls = ()
    sql.ADD_DELIVERY.run_each(
        connection,
        [rows.delivery_row(match_id, delivery, micros(now)) for delivery in (*again, *calls)],
    )


def release_all(connection: Connection) -> None:
    """Take back every lease; for the only process there is, when it starts.

    What was to be sent may have been sent, and is to be looked for.
    """
    connection.execute(sql.RELEASE_ALL)
    connection.execute(sql.DOUBT_ALL)
    lobbies.release_all(connection)
