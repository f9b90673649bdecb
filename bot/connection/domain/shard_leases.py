"""The division of shards among several processes.

Every few seconds each process looks at all shards and their owners and decides for itself alone,
one process after another. It takes free shards up to its share. If it holds more than that, because
another process has joined, it gives one away, and the next only once every shard is connected
again: so at most one is on its way. A shard that it has not connected yet it gives away
immediately, as no player notices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

LEASE = timedelta(seconds=12)
"""How long a process holds its shards after its last sign of life."""


@dataclass(frozen=True, slots=True)
class ShardLease:
    """A shard, its ``owner`` if a live process holds it, and whether that is connected."""

    shard: int
    owner: str | None = None
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Moves:
    """The shards that a process should take, and those it should give away."""

    take: tuple[int, ...] = ()
    give: tuple[int, ...] = ()


def share_of(name: str, leases: Collection[ShardLease], processes: Collection[str]) -> int:
    """The most shards of a process: as many as every other, or one more.

    Where the division is uneven, the additional shards go to processes that hold one already.
    """
    least, more = divmod(len(leases), len(processes))
    held = Counter(each.owner for each in leases)
    have_more = sum(held[each] > least for each in processes if each != name)
    return least + (have_more < more)


def moves_of(name: str, leases: Collection[ShardLease], processes: Collection[str]) -> Moves:
    """The next moves of a process; it is one of the ``processes``, which are all alive."""
    mine = [each for each in leases if each.owner == name]
    share = share_of(name, leases, processes)
    if len(mine) <= share:
        free = sorted(each.shard for each in leases if each.owner is None)
        return Moves(take=tuple(free[: share - len(mine)]))
    unopened = sorted(each.shard for each in mine if not each.is_open)
    if unopened:
        return Moves(give=tuple(unopened[share - len(mine) :]))
    if all(each.is_open for each in leases):
        return Moves(give=(max(each.shard for each in mine),))
    return Moves()
