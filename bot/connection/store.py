"""Shards inside transactions: their processes, session starts, and sessions that were left."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import (
    BigInteger,
    Connection,
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
    found = connection.execute(select(_p.name, (_NOW - _p.seen_at).label("silent")))
    silent = {row.name: row.silent for row in found}
    dead = [each for each, since in silent.items() if since > _LEASE and each != name]
    if name in silent:
        connection.execute(update(processes).where(_p.name == name).values(seen_at=_NOW))
    else:
        connection.execute(insert(processes).values(name=name, seen_at=_NOW))
    lapsed = not is_new and silent.get(name, _LEASE + 1) > _LEASE
    alive = {name, *silent}.difference(dead)
    every = select(shards).order_by(_s.shard)
    rows = connection.execute(every).all()
    held = any(row.owner in alive for row in rows)
    if len(rows) == outgrown or (not held and len(rows) != total):
        connection.execute(delete(shards))
        new = [{"shard": each, "total": total} for each in range(total)]
        connection.execute(insert(shards), new)
        rows = connection.execute(every).all()
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
        _note_open(connection, name, opened)
    if lapsed:
        return _division(leases, name, alive)
    if dead:
        connection.execute(delete(processes).where(_p.name.in_(dead)))
    moves = moves_of(name, tuple(leases.values()), alive)
    if moves.take:
        taken = update(shards).where(_s.shard.in_(moves.take))
        connection.execute(taken.values(owner=name, is_open=False))
        leases |= {each: ShardLease(each, name) for each in moves.take}
    if moves.give:
        _note_open(connection, name, [each for each in opened if each not in moves.give])
    return _division(leases, name, alive, moves.give)


def _note_open(connection: Connection, name: str, opened: Collection[int]) -> None:
    """Note which shards of a process are connected."""
    is_open = case((_s.shard.in_(opened), 1), else_=0)
    connection.execute(update(shards).where(_s.owner == name).values(is_open=is_open))


def _division(
    leases: Mapping[int, ShardLease], name: str, alive: Collection[str], give: tuple[int, ...] = ()
) -> Division:
    owners = {each.shard: each.owner for each in leases.values()}
    mine = tuple(shard for shard, owner in owners.items() if owner == name)
    return Division(owners, mine, give, len(alive))


def give_up(connection: Connection, name: str, these: Collection[int]) -> None:
    """Let others have shards, now that they are not connected here any more."""
    are_given = (_s.owner == name, _s.shard.in_(these))
    connection.execute(update(shards).where(*are_given).values(owner=None, is_open=False))


def leave(connection: Connection, name: str) -> None:
    """Let others have all shards of a process, which ends."""
    mine = update(shards).where(_s.owner == name)
    connection.execute(mine.values(owner=None, is_open=False))
    connection.execute(delete(processes).where(_p.name == name))


# ---- sessions that were left ---------------------------------------------------------------------


def leave_sessions(connection: Connection, left: Sequence[LeftSession]) -> None:
    """Keep sessions for the processes that serve their shards next."""
    _drop_sessions(connection, [each.shard for each in left], left[0].total)
    connection.execute(insert(sessions), [asdict(each) for each in left])


def take_sessions(
    connection: Connection, these: Collection[int], total: int
) -> tuple[LeftSession, ...]:
    """The sessions that were left of some of so many shards; nobody else gets them."""
    rows = connection.execute(select(sessions).where(sessions.c.shard.in_(these))).all()
    _drop_sessions(connection, these, total)
    return tuple(LeftSession(**row._mapping) for row in rows if row.total == total)


def _drop_sessions(connection: Connection, these: Collection[int], total: int) -> None:
    """Forget these, and those of another division, which are of no use any more."""
    is_past = or_(sessions.c.shard.in_(these), sessions.c.total != total)
    connection.execute(delete(sessions).where(is_past))


# ---- session starts ------------------------------------------------------------------------------


def session_starts(connection: Connection) -> Moments:
    """All that is remembered of session starts."""
    return {row.name: row.at for row in connection.execute(select(_starts))}


def change_session_starts(
    connection: Connection, change: Callable[[Moments], tuple[Moments, T]]
) -> T:
    """Replace what is remembered of session starts, one process after another."""
    database.one_after_another(connection)
    before = session_starts(connection)
    after, answer = change(before)
    for name, at in after.items():
        if name not in before:
            connection.execute(insert(_starts), {"name": name, "at": at})
        elif before[name] != at:
            connection.execute(update(_starts).where(_starts.c.name == name).values(at=at))
    return answer
