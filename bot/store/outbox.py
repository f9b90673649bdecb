"""The outbox inside transactions: what is to be sent, who is sending it, and what came of it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from bot.domain.events import micros, moment
from bot.domain.ids import ChannelId, MatchId, MessageId
from bot.domain.match import Match, MatchStatus
from bot.services.deliveries import Closing, choose, is_overtaken, leaves_something
from bot.services.ports import ChannelBusy
from bot.services.sending import (
    Batch,
    Claim,
    Delivery,
    DeliveryKind,
    Done,
    NoticeKind,
    Outcome,
    Posted,
    PutOff,
)
from bot.store import blocked, digests, lobbies, locks, people, rows
from bot.store import statements as sql


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease to be given: its name, when, and until when."""

    name: str
    now: datetime
    until: datetime


def new_lease(now: datetime, until: datetime) -> Lease:
    """A lease with a name that no other has."""
    return Lease(secrets.token_hex(8), now, until)


def claim(
    connection: Connection, now: datetime, lease_until: datetime, limit: int
) -> tuple[Batch, ...]:
    """Take what is due, a batch a match."""
    lease = new_lease(now, lease_until)
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
    found: Sequence[Any] = connection.execute(sql.PENDING_OF, {"of_match": match_id}).all()
    resting = [row for row in found if row.delivery in sql.MAY_REST and row.due_at > now]
    pending = found if not resting else [row for row in found if row not in resting]
    if not pending or _is_to_wait(pending, now) or any(row.lease_until > now for row in pending):
        return ()
    if head is None:
        head = _head(connection, match_id)
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
    if batch:
        connection.execute(sql.TAKE, [{"of_id": each.id, **lent} for each in batch])
    return batch


def _is_to_wait(pending: Sequence[Any], now: int) -> bool:
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
    lease_until: datetime | None,
) -> Batch:
    """Record what came of a batch; take the next of its match."""
    match_id = batch[0].match.id
    lease = None if lease_until is None else new_lease(now, lease_until)
    locks.hold_match(connection, match_id)
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
        if connection.execute(sql.FINISH, gone).rowcount != len(made):
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
        connection.execute(sql.DROP_LINE, {"of_match": each.match.id, "of_audience": audience})
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
        if delivery.notice is not None and delivery.notice.is_call:
            _record_line(connection, made, came.posted)
        else:
            _record_asked(connection, made, came.posted)
        return
    kind = "board" if delivery.kind is DeliveryKind.BOARD else "offer"
    audience = rows.EVERYBODY if delivery.audience is None else delivery.audience
    if kind == "board" and made.line is not None:
        gone = {"of_match": made.match.id, "of_audience": audience}
        connection.execute(sql.DROP_LINE, gone)
        _tidy_later(connection, made, DeliveryKind.ERASE, made.line, came.erase_at)
    values = {
        "channel_id": came.posted.channel_id,
        "message_id": came.posted.message_id,
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


def _record_asked(connection: Connection, made: Claim, posted: Posted) -> None:
    """Keep a message that is to be closed or to go when what it says is overtaken.

    If that has come about meanwhile, it is overtaken at once.
    """
    delivery, match_id = made.delivery, made.match.id
    assert delivery.notice is not None  # noqa: S101 - it is a notice
    kind, audience = delivery.notice.post, delivery.audience
    key = {"of_match": match_id, "of_kind": kind, "of_audience": audience}
    connection.execute(sql.DROP_POST, key)
    values = {"channel_id": posted.channel_id, "message_id": posted.message_id}
    post = {"match_id": match_id, "kind": kind, "audience": audience, **values}
    connection.execute(sql.ADD_POST, {**post, "version": delivery.version})
    head = _head(connection, match_id)
    if head is None or kind is None:
        return
    if not delivery.notice.is_question:
        if head.ply or head.status is not MatchStatus.RUNNING:
            close(connection, head, Closing(kind, DeliveryKind.ERASE))
    elif all(each.version != delivery.version for each in head.requests):
        close(connection, head, Closing(kind, DeliveryKind.CLOSE, NoticeKind.CLOSED_OVER))


def close(connection: Connection, match: Match, closing: Closing) -> None:
    """Have a post closed or deleted, wherever there is one, and forget it."""
    key = {"of_match": match.id, "of_kind": closing.post}
    for row in connection.execute(sql.POSTS_OF, key).all():
        if closing.audience not in (None, row.audience):
            continue
        target = Posted(ChannelId(row.channel_id), MessageId(row.message_id))
        delivery = Delivery(
            closing.kind, match.version, match.ply, row.audience, closing.notice, target
        )
        due = micros(match.updated_at)
        connection.execute(sql.ADD_DELIVERY, rows.delivery_row(match.id, delivery, due))
        connection.execute(sql.DROP_POST, {**key, "of_audience": row.audience})


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
        connection.execute(sql.ADD_DELIVERY, rows.delivery_row(made.match.id, tidy, micros(at)))


def spare(connection: Connection, match_id: MatchId, now: datetime) -> bool:
    """Whether the player on turn of a match was not told of it, which is written down then."""
    locks.hold_match(connection, match_id)
    head = _head(connection, match_id)
    return head is not None and blocked.note(connection, head, now)


def next_due(connection: Connection) -> datetime | None:
    """When the next delivery is due."""
    found = connection.execute(sql.NEXT_DUE).scalar()
    return None if found is None else moment(found)


def show_again(
    connection: Connection,
    match_id: MatchId,
    now: datetime,
    home: ChannelId | None = None,
    calls: tuple[Delivery, ...] = (),
) -> None:
    """Ask for the present board again wherever one stands, and hurry what is waiting.

    With a ``home`` the match goes on there, and the board is asked for even if there was none;
    :exc:`ChannelBusy` if another match does. The ``calls`` follow it, unless one for the present
    turn waits already.
    """
    if home is not None:
        locks.hold(connection, (home,))
        for row in connection.execute(sql.RUNNING_IN, {"of_channel": home}).all():
            if row.id != match_id and home == (row.home_id or row.channel_id):
                raise ChannelBusy(MatchId(row.id))
    locks.hold_match(connection, match_id)
    if home is not None:
        connection.execute(sql.SET_HOME, {"of_match": match_id, "home_id": home})
    connection.execute(sql.HURRY, {"of_match": match_id, "due_at": micros(now)})
    head = _head(connection, match_id)
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
    connection.execute(
        sql.ADD_DELIVERY,
        [rows.delivery_row(match_id, delivery, micros(now)) for delivery in (*again, *calls)],
    )


def release_all(connection: Connection) -> None:
    """Take back every lease; for the only process there is, when it starts.

    What was to be sent may have been sent, and is to be looked for.
    """
    connection.execute(sql.RELEASE_ALL)
    connection.execute(sql.DOUBT_ALL)
    lobbies.release_all(connection)


def _head(connection: Connection, match_id: MatchId) -> Match | None:
    row = connection.execute(sql.MATCH, {"of_match": match_id}).first()
    return None if row is None else rows.match_of(row)
