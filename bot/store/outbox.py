"""The outbox inside transactions: messages that wait, their leases, and their outcomes.

A transaction that claims, changes or drops messages of a key holds the key first, and a match's row
before that; SQLite has one writer, which holds everything.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Any

from sqlalchemy import Connection, Row, bindparam, case, delete, exists, func, select, update

from bot.domain.ids import GuildId, MatchId
from bot.domain.match import Match
from bot.logs import logger
from bot.posts.outgoing import (
    CALL,
    FOLLOW,
    LOBBY,
    MATCH,
    PUZZLE,
    TOURNAMENT,
    WEBHOOK,
    Batch,
    Claim,
    Done,
    Key,
    Outcomes,
    PutOff,
    choose,
    id_in,
    subject_of,
)
from bot.store import database, match_feed, outgoing
from bot.store.tables import matches, outbox, tournaments
from bot.store.tables.base import NEVER
from bot.trouble import Troubles

_troubles = Troubles(logger(__name__))
_c = outbox.c
_earlier = outbox.alias("earlier")
_is_first = ~exists(
    select(_earlier.c.id).where(
        _earlier.c.key == _c.key, _earlier.c.id < _c.id, _earlier.c.holds_up == 1
    )
)
_DUE = (
    select(_c.key)
    .where(_c.due_at <= bindparam("now"), _c.lease_until <= bindparam("now"), _is_first)
    .group_by(_c.key)
    .order_by(func.min(_c.due_at), _c.key)
    .limit(bindparam("at_most"))
    .offset(bindparam("skipped"))
)
_NEXT_DUE = select(_c.due_at).where(_c.lease_until == NEVER, _is_first).order_by(_c.due_at).limit(1)
_NEXT_LEASE = select(func.min(_c.lease_until)).where(_c.lease_until > NEVER)
_NEXT = select(_NEXT_DUE.scalar_subquery(), _NEXT_LEASE.scalar_subquery())
_PENDING_OF = select(outbox).where(_c.key == bindparam("of_key")).order_by(_c.id)
_TAKE = (
    update(outbox)
    .where(_c.id == bindparam("of_id"))
    .values(
        attempts=_c.attempts + 1,
        may_exist=True,
        tried_at=func.coalesce(_c.tried_at, bindparam("now", type_=_c.tried_at.type)),
        lease_by=bindparam("lease_by"),
        lease_until=bindparam("lease_until"),
    )
)
_OF_SERVERS = frozenset({LOBBY, CALL, PUZZLE, WEBHOOK})
"""Subjects that are about a server, whose id comes next in the key."""
_DROP = delete(outbox).where(_c.id.in_(bindparam("of_ids", expanding=True)))
_FINISH = delete(outbox).where(_c.key == bindparam("of_key"), _c.lease_by == bindparam("of_lease"))
"""Messages not done have been put off or released before, and are not under this lease now."""
_doubt = bindparam("of_doubt", type_=_c.may_exist.type)
_DOUBT = {"may_exist": _doubt, "tried_at": case((_doubt == 1, _c.tried_at), else_=None)}
"""Whether an attempt may have succeeded: from the first of which this can be said."""
_mine = (_c.id == bindparam("of_id"), _c.lease_by == bindparam("of_lease"))
_PUT_OFF = (
    update(outbox)
    .where(*_mine)
    .values(
        due_at=bindparam("due_at"),
        **_DOUBT,
        trouble=bindparam("trouble"),
        lease_by=None,
        lease_until=NEVER,
    )
)
_RELEASE = (
    update(outbox)
    .where(*_mine)
    .values(attempts=_c.attempts - 1, **_DOUBT, lease_by=None, lease_until=NEVER)
)
DOUBT_ALL = (
    update(outbox)
    .where(_c.trouble.is_(None))
    .values(may_exist=True, tried_at=func.coalesce(_c.tried_at, _c.due_at))
)
"""An earlier copy of the database may have been put back, so what was never put off may be sent."""


def claim(
    connection: Connection,
    now: datetime,
    lease_until: datetime,
    limit: int,
    serves: Callable[[Key], bool] = lambda _: True,
    *,
    reaches: Callable[[GuildId | None], bool] | None = None,
) -> tuple[Batch, ...]:
    """Take a batch of each of up to ``limit`` keys that have a message due.

    Overtaken messages are dropped on the way; keys that are not served here, and servers that this
    process does not reach, are left to others.
    """
    batches: list[Batch] = []
    skipped = 0
    while len(batches) < limit:
        page = {"now": now, "at_most": limit, "skipped": skipped}
        found = [row.key for row in connection.execute(_DUE, page).all()]
        for key in found:
            batch: Batch = ()
            if (
                len(batches) < limit
                and serves(key)
                and (reaches is None or reaches(server_of(connection, key)))
                and database.try_key(connection, key)
            ):
                batch = _taken(connection, key, now, lease_until)
            if batch:
                batches.append(batch)
            else:
                skipped += 1
        if len(found) < limit:
            break
    return tuple(batches)


def _taken(connection: Connection, key: Key, now: datetime, until: datetime) -> Batch:
    """The next batch of a key; what cannot be made out there, or a bug, holds up no other key."""
    try:
        return take_next(connection, key, now, until)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        _troubles.of(f"messages about {key} can't be taken").met(type(error).__name__, error=error)
        return ()


def server_of(connection: Connection, key: Key) -> GuildId | None:
    """The server that the next message of a key is about; None if it is about none."""
    subject, _, named = key.partition(":")
    number, _, _ = named.partition(".")
    if subject in _OF_SERVERS:
        return GuildId(int(number))
    if subject not in (FOLLOW, MATCH, TOURNAMENT):
        return None
    if subject == FOLLOW:
        first = connection.execute(_PENDING_OF, {"of_key": key}).first()
        number = "" if first is None else first.payload.get("match")
    table = tournaments if subject == TOURNAMENT else matches
    found = connection.execute(select(table.c.guild_id).where(table.c.id == number)).scalar()
    return None if found is None else GuildId(found)


def take_next(
    connection: Connection, key: Key, now: datetime, until: datetime, head: Match | None = None
) -> Batch:
    """Drop what has been overtaken, and lease the next batch of a key ``until`` an instant.

    Empty if there is nothing due, or another process is at it. The caller holds the key, and of a
    match may have its ``head`` at hand, up to the home.
    """
    outgoing.planned_in(connection).discard(key)
    lease = secrets.token_hex(8)
    found: Sequence[Row[Any]] = connection.execute(_PENDING_OF, {"of_key": key}).all()
    pending = [row for row in found if row.holds_up or row.due_at <= now]
    is_match = subject_of(key) == MATCH
    if not pending or any(row.lease_until > now for row in pending):
        return ()
    if pending[0].due_at > now and not (is_match and match_feed.need_not_wait(pending)):
        return ()
    if is_match:
        batch, dropped = match_feed.chosen(connection, found, lease, now, head)
    else:
        due = takewhile(lambda row: row.due_at <= now, pending)
        batch, dropped = choose([outgoing.claim_of(Claim, row, lease, now) for row in due])
    if dropped:
        connection.execute(_DROP, {"of_ids": dropped})
    lent = {"lease_by": lease, "lease_until": until, "now": now}
    if batch:
        connection.execute(_TAKE, [{"of_id": each.id, **lent} for each in batch])
    return batch


def settle(
    connection: Connection,
    batch: Batch,
    outcomes: Outcomes,
    now: datetime,
    lease_until: datetime | None,
) -> Batch:
    """Record what came of a batch, and take the next of the same key.

    ``outcomes`` has one entry for each claim from the first; what it does not cover goes back.
    The next batch is empty if there is none, if one was put off that holds up what follows, or
    without ``lease_until``.
    """
    key, name = batch[0].key, batch[0].lease
    is_match = subject_of(key) == MATCH
    if is_match:
        database.hold_match(connection, MatchId(id_in(key)))
    database.hold_keys(connection, (key,))
    made: list[tuple[Claim, Done]] = []
    for each, came in zip(batch, outcomes, strict=False):
        if isinstance(came, PutOff):
            due = match_feed.put_off(connection, each, came, now) if is_match else came.due_at
            connection.execute(
                _PUT_OFF,
                {
                    "of_id": each.id,
                    "of_lease": name,
                    "due_at": due or NEVER,
                    "trouble": came.trouble,
                    "of_doubt": each.may_exist or not came.certain,
                },
            )
        else:
            made.append((each, came))
    for each in batch[len(outcomes) :]:
        mine = {"of_id": each.id, "of_lease": name, "of_doubt": each.may_exist}
        connection.execute(_RELEASE, mine)
    if made:
        gone = {"of_key": key, "of_lease": name}
        if connection.execute(_FINISH, gone).rowcount != len(made):
            return ()
    if is_match:
        match_feed.record(connection, made, now)
    for _, came in made:
        outgoing.add_unless_waiting(connection, came.then)
        if came.rest_until is not None:
            waits = (_c.key == key, _c.due_at < came.rest_until, _c.lease_until == NEVER)
            connection.execute(update(outbox).where(*waits).values(due_at=came.rest_until))
    if is_match:
        match_feed.review(connection, batch, outcomes, now)
    return () if lease_until is None else take_next(connection, key, now, lease_until)


def next_due(connection: Connection) -> datetime | None:
    """When the next message is due, leases included; None if there is none."""
    found = connection.execute(_NEXT).one()
    return min((each for each in found if each is not None), default=None)


def release_all(connection: Connection) -> None:
    """Take back every lease; for the only process there is, when it starts.

    Their messages may have been sent, and are to be looked for.
    """
    leased = update(outbox).where(_c.lease_until > NEVER)
    connection.execute(leased.values(lease_by=None, lease_until=NEVER))
    connection.execute(DOUBT_ALL)
