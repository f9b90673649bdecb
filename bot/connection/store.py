"""Shards inside transactions: their processes, session starts, and sessions that were left."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import (
    BigInteger,
    Connection,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    type_coerce,
    update,
)

from bot.connection.domain.session_budget import Moments
from bot.connection.domain.shard_leases import LEASE, ShardLease, moves_of
from bot.store import database
from bot.store.tables import processes, sessions, shards
from bot.store.tables import session_starts as _starts

T = TypeVar("T")

_p, _s = processes.c, shards.c
_LEASE = LEASE // timedelta(microseconds=1)
_NOW = type_coerce(func.extract("epoch", func.clock_timestamp()) * 1_000_000, BigInteger)
"""PostgreSQL's time, by which leases run out: no process's own clock counts."""
_PROCESSES = select(_p.name, (_NOW - _p.seen_at).label("silent"))
_SEEN = update(processes).where(_p.name == bindparam("of_name")).values(seen_at=_NOW)
_JOIN = insert(processes).values(name=bindparam("name"), seen_at=_NOW)
_GONE = delete(processes).where(_p.name.in_(bindparam("names", expanding=True)))
_SHARDS = select(shards).order_by(_s.shard)
_NO_SHARDS = delete(shards)
_ADD_SHARD = insert(shards)
_in_these = _s.shard.in_(bindparam("these", expanding=True))
_is_mine = _s.owner == bindparam("of_owner")
_OPENED = update(shards).where(_is_mine).values(is_open=case((_in_these, 1), else_=0))
_TAKE = update(shards).where(_in_these).values(owner=bindparam("of_owner"), is_open=0)
_GIVE = update(shards).where(_in_these, _is_mine).values(owner=None, is_open=0)
_LEAVE = update(shards).where(_is_mine).values(owner=None, is_open=0)
_those_of = sessions.c.shard.in_(bindparam("these", expanding=True))
_SESSIONS = select(sessions).where(_those_of)
_DROP_SESSIONS = delete(sessions).where(or_(_those_of, sessions.c.total != bindparam("of_total")))
"""Those of another division are of no use any more."""
_ADD_SESSION = insert(sessions)


@dataclass(frozen=True, slots=True)
class LeftSession:
    """A session with Discord of a shard that nobody is connected with, since ``left_at``.

    ``known`` is what was known of its servers, which Discord does not tell again.
    """

    shard: int
    total: int
    session: str
    sequence: int
    address: str
    left_at: datetime
    known: bytes


@dataclass(frozen=True, slots=True)
class Division:
    """How the shards are divided: ``owners`` has each of them, None where no live process has it.

    ``mine`` are those that this process holds, and of these it is to give up ``give``.
    ``processes`` is how many live.
    """

    owners: Mapping[int, str | None] = field(default_factory=dict)
    mine: tuple[int, ...] = ()
    give: tuple[int, ...] = ()
    processes: int = 1

    @property
    def total(self) -> int:
        """How many shards there are."""
        return len(self.owners)


def divide(
    connection: Connection,
    name: str,
    total: int,
    opened: Collection[int] = (),
    *,
    is_new: bool = False,
    outgrown: int | None = None,
) -> Division:
    """Say that a process lives, and which of its shards are connected; take what it is to have.

    ``total`` is how many shards there are to be if that is to be decided: when none is held, or
    there are still ``outgrown``, with which Discord begins no session any more. A process that was
    silent for too long itself, perhaps as all were because the database was away, takes nothing
    this time.
    """
    database.one_after_another(connection)
    silent = {row.name: row.silent for row in connection.execute(_PROCESSES)}
    dead = [each for each, since in silent.items() if since > _LEASE and each != name]
    if name in silent:
        connection.execute(_SEEN, {"of_name": name})
    else:
        connection.execute(_JOIN, {"name": name})
    lapsed = not is_new and silent.get(name, _LEASE + 1) > _LEASE
    alive = {name, *silent}.difference(dead)
    rows = connection.execute(_SHARDS).all()
    held = any(row.owner in alive for row in rows)
    if len(rows) == outgrown or (not held and len(rows) != total):
        connection.execute(_NO_SHARDS)
        connection.execute(_ADD_SHARD, [{"shard": each, "total": total} for each in range(total)])
        rows = connection.execute(_SHARDS).all()
    stored = {
        row.shard: ShardLease(row.shard, row.owner, row.is_open)
        for row in rows
        if row.owner in alive
    }
    leases = {row.shard: stored.get(row.shard, ShardLease(row.shard)) for row in rows}
    for shard, lease in stored.items():
        if lease.owner == name:
            leases[shard] = replace(lease, is_open=shard in opened)
    if leases != {**leases, **stored}:
        connection.execute(_OPENED, {"of_owner": name, "these": list(opened)})
    if lapsed:
        return _division(leases, name, alive)
    if dead:
        connection.execute(_GONE, {"names": dead})
    moves = moves_of(name, tuple(leases.values()), alive)
    if moves.take:
        connection.execute(_TAKE, {"of_owner": name, "these": list(moves.take)})
        leases |= {each: ShardLease(each, name) for each in moves.take}
    if moves.give:
        still = [each for each in opened if each not in moves.give]
        connection.execute(_OPENED, {"of_owner": name, "these": still})
    return _division(leases, name, alive, moves.give)


def _division(
    leases: Mapping[int, ShardLease],
    name: str,
    alive: Collection[str],
    give: tuple[int, ...] = (),
) -> Division:
    owners = {each.shard: each.owner for each in leases.values()}
    mine = tuple(shard for shard, owner in owners.items() if owner == name)
    return Division(owners, mine, give, len(alive))


def give_up(connection: Connection, name: str, these: Collection[int]) -> None:
    """Let others have shards, now that they are not connected here any more."""
    connection.execute(_GIVE, {"of_owner": name, "these": list(these)})


def leave(connection: Connection, name: str) -> None:
    """Let others have all shards of a process, which ends."""
    connection.execute(_LEAVE, {"of_owner": name})
    connection.execute(_GONE, {"names": [name]})


# ---- sessions that were left ---------------------------------------------------------------------


def leave_sessions(connection: Connection, left: Sequence[LeftSession]) -> None:
    """Keep sessions for the processes that serve their shards next."""
    these = [each.shard for each in left]
    connection.execute(_DROP_SESSIONS, {"these": these, "of_total": left[0].total})
    connection.execute(_ADD_SESSION, [asdict(each) for each in left])


def take_sessions(
    connection: Connection, these: Collection[int], total: int
) -> tuple[LeftSession, ...]:
    """The sessions that were left of some of so many shards; nobody else gets them."""
    rows = connection.execute(_SESSIONS, {"these": list(these)}).all()
    connection.execute(_DROP_SESSIONS, {"these": list(these), "of_total": total})
    return tuple(LeftSession(**row._mapping) for row in rows if row.total == total)


# ---- session starts ------------------------------------------------------------------------------

_SESSION_STARTS = select(_starts)
_ADD_SESSION_STARTS = insert(_starts)
_MOVE_SESSION_STARTS = update(_starts).where(_starts.c.name == bindparam("of_name"))


def session_starts(connection: Connection) -> Moments:
    """All that is remembered of session starts."""
    return {row.name: row.at for row in connection.execute(_SESSION_STARTS)}


def change_session_starts(
    connection: Connection, change: Callable[[Moments], tuple[Moments, T]]
) -> T:
    """Replace what is remembered of session starts, one process after another."""
    database.one_after_another(connection)
    before = session_starts(connection)
    after, answer = change(before)
    for name, at in after.items():
        if name not in before:
            connection.execute(_ADD_SESSION_STARTS, {"name": name, "at": at})
        elif before[name] != at:
            connection.execute(_MOVE_SESSION_STARTS, {"of_name": name, "at": at})
    return answer
