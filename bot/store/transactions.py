"""What happens inside each transaction: plain functions of a connection.

A transaction is one function, run from begin to commit on the connection's own thread (SQLite) or
greenlet (PostgreSQL). Nothing else can be awaited inside it, so there is no place where a cancelled
task could leave it half done, and both databases run the very same code.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection

from bot.domain.change import Change
from bot.domain.events import Event, micros
from bot.domain.ids import ChannelId, InteractionId, MatchId, UserId
from bot.domain.match import Match, Scope
from bot.failpoints import hit
from bot.services.deliveries import is_overtaken
from bot.services.ports import Claim, Conflict, Delivery, DeliveryKind, Loaded, Posted
from bot.store import rows
from bot.store import statements as sql


def commit(connection: Connection, change: Change, deliveries: tuple[Delivery, ...]) -> None:
    """Write a change; :exc:`Conflict` if the match has another version than expected."""
    match = change.match
    if change.before is None:
        connection.execute(sql.ADD_MATCH, rows.match_row(match))
    else:
        changed = connection.execute(
            sql.ADVANCE_MATCH,
            {
                "of_match": match.id,
                "of_version": change.before.version,
                **rows.changing_row(match),
            },
        )
        if changed.rowcount != 1:
            raise Conflict
    connection.execute(sql.ADD_EVENT, rows.event_row(change))
    _seat(connection, change)
    if deliveries:
        due = micros(match.updated_at)
        connection.execute(
            sql.ADD_DELIVERIES,
            [rows.delivery_row(match.id, delivery, due) for delivery in deliveries],
        )
    hit("c4")


def _people(match: Match | None) -> set[UserId]:
    if match is None:
        return set()
    return {user for user in (*match.players, *match.invited) if user is not None}


def _seat(connection: Connection, change: Change) -> None:
    """Keep ``seats`` in step with the head."""
    before, after = change.before, change.match
    if before is None or before.players != after.players:
        added = _people(after) - _people(before)
        if added:
            connection.execute(
                sql.ADD_SEATS,
                [{"match_id": after.id, "user_id": user, "active": 1} for user in sorted(added)],
            )
        for user in _people(before) - _people(after):
            connection.execute(sql.REMOVE_SEATS, {"of_match": after.id, "of_user": user})
    if after.status.is_final:
        connection.execute(sql.REST_SEATS, {"of_match": after.id})


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
    found = connection.execute(sql.RUNNING_IN, {"of_channel": channel_id})
    everything = (rows.match_of(row) for row in found.all())
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


def matches_after(
    connection: Connection, after: str
) -> tuple[tuple[Match, tuple[Event, ...]], ...]:
    """The next hundred matches in the order of their ids, with their histories."""
    found = connection.execute(sql.MATCHES_AFTER, {"after": after})
    heads = [rows.match_of(row) for row in found.all()]
    return tuple((head, history(connection, head.id, None)) for head in heads)


def newest_matches(
    connection: Connection, limit: int
) -> tuple[tuple[Match, tuple[Event, ...]], ...]:
    """The matches that changed last, with their histories."""
    found = connection.execute(sql.NEWEST_MATCHES, {"at_most": limit})
    heads = [rows.match_of(row) for row in found.all()]
    return tuple((head, history(connection, head.id, None)) for head in heads)


# ---- the outbox -----------------------------------------------------------------------------


def claim(
    connection: Connection, worker: str, now: datetime, lease_until: datetime, limit: int
) -> tuple[Claim, ...]:
    """Take the oldest delivery of each match that has one due."""
    due = connection.execute(sql.DUE, {"now": micros(now), "at_most": limit}).all()
    taken = (_take_next(connection, MatchId(row.match_id), worker, lease_until) for row in due)
    return tuple(each for each in taken if each is not None)


def _take_next(
    connection: Connection, match_id: MatchId, worker: str, lease_until: datetime
) -> Claim | None:
    """Drop what has been overtaken, and lease the oldest delivery that is left."""
    pending = connection.execute(sql.PENDING_OF, {"of_match": match_id}).all()
    claims = [rows.claim_of(row) for row in pending]
    chosen: int | None = None
    overtaken: list[int] = []
    for number, each in enumerate(claims):
        if not is_overtaken(each, claims[number + 1 :]):
            chosen = number
            break
        overtaken.append(each.id)
    if overtaken:
        connection.execute(sql.DROP, {"of_ids": overtaken})
    if chosen is None:
        return None
    connection.execute(
        sql.TAKE,
        {"of_id": claims[chosen].id, "lease_by": worker, "lease_until": micros(lease_until)},
    )
    return claims[chosen]


def delivered(
    connection: Connection,
    made: Claim,
    now: datetime,
    *,
    posted: Posted | None,
    home_id: ChannelId | None,
    worker: str,
    lease_until: datetime | None,
) -> Claim | None:
    """Mark a claim as made; take the next of its match if that is asked for."""
    mine = connection.execute(sql.FINISH, {"of_id": made.id, "of_attempts": made.attempts}).rowcount
    if not mine:
        return None
    if home_id is not None:
        connection.execute(sql.SET_HOME, {"of_match": made.match.id, "home_id": home_id})
    if posted is not None:
        _show(connection, made, posted, now)
    if lease_until is None:
        return None
    return _take_next(connection, made.match.id, worker, lease_until)


def _show(connection: Connection, made: Claim, posted: Posted, now: datetime) -> None:
    """Let a message stand for its audience, and retire the board that stood there before."""
    kind = "board" if made.delivery.kind is DeliveryKind.BOARD else "offer"
    delivery = made.delivery
    audience = rows.EVERYBODY if delivery.audience is None else delivery.audience
    values = {
        "channel_id": posted.channel_id,
        "message_id": posted.message_id,
        "version": delivery.version if made.may_exist else made.match.version,
    }
    if made.shown is None:
        key = {"match_id": made.match.id, "kind": kind, "audience": audience}
        connection.execute(sql.ADD_POST, {**key, **values})
        return
    connection.execute(
        sql.MOVE_POST,
        {"of_match": made.match.id, "of_kind": kind, "of_audience": audience, **values},
    )
    if kind == "board" and made.shown != posted:
        retire = Delivery(
            DeliveryKind.RETIRE,
            delivery.version,
            delivery.ply,
            delivery.audience,
            target=made.shown,
        )
        connection.execute(
            sql.ADD_DELIVERIES, [rows.delivery_row(made.match.id, retire, micros(now))]
        )


def postpone(
    connection: Connection, made: Claim, due_at: datetime, trouble: str, *, certain: bool
) -> None:
    """Give a claim back."""
    connection.execute(
        sql.POSTPONE,
        {
            "of_id": made.id,
            "of_attempts": made.attempts,
            "due_at": micros(due_at),
            "trouble": trouble,
            "may_exist": int(made.may_exist or not certain),
        },
    )


def next_due(connection: Connection) -> int | None:
    """When the next delivery is due, in microseconds."""
    found: int | None = connection.execute(sql.NEXT_DUE).scalar()
    return found


def show_again(connection: Connection, match_id: MatchId, now: datetime) -> None:
    """Ask for the present board anew wherever one stands, and hurry what is waiting."""
    connection.execute(sql.HURRY, {"of_match": match_id, "due_at": micros(now)})
    head = match(connection, match_id, None)
    boards = connection.execute(sql.BOARDS_OF, {"of_match": match_id}).all()
    if head is None or not boards:
        return
    again: Iterable[Delivery] = (
        Delivery(
            DeliveryKind.BOARD,
            head.version,
            head.ply,
            None if row.audience == rows.EVERYBODY else row.audience,
        )
        for row in boards
    )
    connection.execute(
        sql.ADD_DELIVERIES,
        [rows.delivery_row(match_id, delivery, micros(now)) for delivery in again],
    )


def release_all(connection: Connection) -> None:
    """Take back every lease; for the only process there is, when it starts."""
    connection.execute(sql.RELEASE_ALL)
