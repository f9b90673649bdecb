"""Rows of the outbox, written and read inside transactions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import (
    Connection,
    Row,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    type_coerce,
    update,
)

from bot.domain.events import micros
from bot.domain.ids import MatchId
from bot.posts.notices import NOTICES, RequestNews
from bot.posts.outgoing import LEASE, MATCH, QUIET, Claim, Key, Outgoing, match_key
from bot.posts.sending import Delivery, DeliveryKind, Posted, StandingPost
from bot.store import database, rows
from bot.store import statements as sql
from bot.store.tables import outbox
from bot.store.tables.base import NEVER, Instant, Number

C = TypeVar("C", bound=Claim)
EVERYBODY = -1
"""The column ``audience`` of a post that all players see."""
_c = outbox.c
_ADD = insert(outbox)
_of_slot = (
    _c.key == bindparam("of_key"),
    _c.kind == bindparam("of_kind"),
    _c.slot == bindparam("of_slot"),
    _c.lease_until == NEVER,
)
_WAITS = select(_c.id).where(*_of_slot)
_DROP_UNTRIED = delete(outbox).where(*_of_slot, _c.attempts == 0)
_OF_KEY = (
    select(_c.kind, _c.payload, _c.trouble).where(_c.key == bindparam("of_key")).order_by(_c.id)
)


def claim_of(kind: type[C], row: Row[Any], lease: str, now: datetime, **more: Any) -> C:
    """The claim that a row becomes; a kind of claim has ``more`` fields.

    A message that was never tried may be doubted too (:data:`bot.store.outbox.DOUBT_ALL`), but not
    before it is due.
    """
    tried_at = row.tried_at if row.may_exist else None
    return rows.made(
        kind,
        row,
        blocks_later=row.holds_up,
        claimed_at=now,
        attempts=row.attempts + 1,
        tried_at=None if tried_at is None or tried_at > now else tried_at,
        lease=lease,
        overtaken=False,
        parked=None,
        **more,
    )


def note_keys(connection: Connection, planned: set[Key]) -> None:
    """Note the keys of what this transaction leaves to be sent, unless it takes that itself."""
    planned.clear()
    connection.info["planned"] = planned


def planned_in(connection: Connection) -> set[Key]:
    """The keys noted so far."""
    planned: set[Key] = connection.info.setdefault("planned", set())
    return planned


def add(connection: Connection, messages: Iterable[Outgoing]) -> None:
    """Write messages as they are."""
    added = [rows.values_of(each) for each in messages]
    for each in added:
        each["holds_up"] = each.pop("blocks_later")
    if added:
        connection.execute(_ADD, added)
        planned_in(connection).update(each["key"] for each in added)


def plan(connection: Connection, *messages: Outgoing) -> None:
    """Write messages; one with a slot goes in the place of the one that waits untried."""
    database.hold_keys(connection, (each.key for each in messages if each.slot is not None))
    slots = [_slot_of(each) for each in messages if each.slot is not None]
    if slots:
        connection.execute(_DROP_UNTRIED, slots)
    add(connection, messages)


def add_unless_waiting(connection: Connection, messages: Iterable[Outgoing]) -> None:
    """Write messages of a key that is held, but for those with a slot in which one waits."""
    add(
        connection,
        [
            each
            for each in messages
            if each.slot is None or connection.execute(_WAITS, _slot_of(each)).first() is None
        ],
    )


def _slot_of(message: Outgoing) -> dict[str, Any]:
    return {"of_key": message.key, "of_kind": message.kind, "of_slot": message.slot}


def drop(connection: Connection, key: Key, *, unless_leased: bool = False) -> None:
    """Drop every message of a key; ``unless_leased``, none that is just being sent."""
    database.hold_keys(connection, (key,))
    goes = (_c.key == key, _c.lease_until == NEVER) if unless_leased else (_c.key == key,)
    connection.execute(delete(outbox).where(*goes))


def hurry_waiting(connection: Connection, key: Key, now: datetime) -> None:
    """Have all that waits of a key looked at now, also what rests in quiet hours."""
    database.hold_keys(connection, (key,))
    waits = update(outbox).where(_c.key == key, _c.due_at > now, _c.lease_until == NEVER)
    connection.execute(waits.values(due_at=now))
    planned_in(connection).add(key)


def retry_now(connection: Connection, keys: Iterable[Key], now: datetime) -> None:
    """Have what was put off of these keys tried at once, but for what rests in quiet hours."""
    found = sorted(set(keys))
    if found:
        database.hold_keys(connection, found)
        was_put_off = update(outbox).where(
            _c.key.in_(found),
            _c.due_at > now,
            _c.lease_until <= now,
            _c.attempts > 0,
            func.coalesce(_c.trouble, "") != QUIET,
        )
        connection.execute(was_put_off.values(due_at=now))
        planned_in(connection).update(found)


# ---- deliveries of matches --------------------------------------------------------------------


def delivery_of(kind: str, payload: Any) -> Delivery:
    """The delivery that :meth:`bot.posts.sending.Delivery.payload` was written of."""
    notice = payload["notice"] and NOTICES[payload["notice"]]
    version, audience, hours = (payload[each] for each in ("version", "audience", "hours"))
    return Delivery(DeliveryKind(kind), version, audience, notice, hours)


def add_deliveries(
    connection: Connection, match_id: MatchId, deliveries: Sequence[Delivery], due_at: datetime
) -> None:
    """Write deliveries of a match."""
    add(connection, [each.message(match_id, due_at) for each in deliveries])


def waiting_deliveries(
    connection: Connection, match_id: MatchId
) -> list[tuple[Delivery, str | None]]:
    """Everything of a match that is not made yet, in order; why not, if it was tried."""
    found = connection.execute(_OF_KEY, {"of_key": match_key(match_id)}).all()
    return [(delivery_of(row.kind, row.payload), row.trouble) for row in found]


def posts_of(connection: Connection, match_id: MatchId) -> list[StandingPost]:
    """The messages that stand for a match, the newest last."""
    return posts_in(connection.execute(sql.POSTS_OF, {"of_match": match_id}).all())


def posts_in(found: Sequence[Row[Any]]) -> list[StandingPost]:
    """The messages in what was found with :data:`~bot.store.statements.POSTS_OF`."""
    return [
        StandingPost(
            row.kind,
            None if row.audience == EVERYBODY else row.audience,
            Posted(row.channel_id, row.message_id),
            row.version,
            row.ended if row.ended in (None, "goes", "said") else RequestNews(row.ended),
        )
        for row in found
        if row.kind is not None
    ]


def put_back(connection: Connection, now: datetime, was: datetime) -> None:
    """The clock was put back from ``was``: see :func:`bot.store.presence.beat`.

    A message planned for a time of day waits for it; one that is to be tried again waits as long as
    it was to. Discord's trace of an attempt is older than the clock said when it was made.
    """
    lasts = or_(_c.trouble.is_not(None), _c.key.like(f"{MATCH}:%"))
    waits = and_(lasts, func.coalesce(_c.trouble, "") != QUIET)
    jump, at = literal(micros(was) - micros(now), Number), literal(now, Instant)
    moved = type_coerce(_c.due_at - jump, Instant)
    late = update(outbox).where(_c.due_at > now, or_(_c.due_at <= was, waits))
    connection.execute(late.values(due_at=case((moved < at, at), else_=moved)))
    tried = update(outbox).where(_c.tried_at > now)
    connection.execute(tried.values(tried_at=_c.tried_at - jump))
    too_long = update(outbox).where(_c.lease_until > now + LEASE)
    connection.execute(too_long.values(lease_until=now))
