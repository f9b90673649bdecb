"""Processes that divide shards among themselves, whatever happens to them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.connection.domain.shard_leases import Moves, ShardLease, moves_of

_EVENTS = st.lists(st.tuples(st.sampled_from(["join", "die", "step", "open"]), st.integers(0, 9)))


class Fleet:
    """Processes, and what each holds; ``open`` connects the first shard that is not."""

    def __init__(self, shards: int) -> None:
        self.leases = {shard: ShardLease(shard) for shard in range(shards)}
        self.processes: list[str] = []
        self.joined = 0

    def join(self) -> None:
        self.joined += 1
        self.processes.append(f"p{self.joined}")

    def die(self, which: int) -> None:
        name = self.processes.pop(which % len(self.processes))
        for each in self.held_by(name):
            self.leases[each] = ShardLease(each)

    def held_by(self, name: str) -> list[int]:
        return [each.shard for each in self.leases.values() if each.owner == name]

    def open(self, shard: int) -> None:
        if self.leases[shard].owner is not None:
            self.leases[shard] = replace(self.leases[shard], is_open=True)

    def step(self, which: int) -> Moves:
        name = self.processes[which % len(self.processes)]
        before = dict(self.leases)
        found = moves_of(name, tuple(before.values()), self.processes)
        for each in found.take:
            assert before[each].owner is None, "it belongs to another"
            self.leases[each] = ShardLease(each, name)
        for each in found.give:
            assert before[each].owner == name
            self.leases[each] = ShardLease(each)
        missed = [each for each in found.give if before[each].is_open]
        assert len(missed) <= 1
        assert not missed or all(each.is_open for each in before.values()), "another is on its way"
        return found

    def settle(self) -> int:
        """Let every process step until all is connected and nothing moves.

        Returns how many shards that were connected moved.
        """
        moved = 0
        for _ in range(4 * len(self.leases) + 4):
            quiet = all(each.is_open for each in self.leases.values())
            for which in range(len(self.processes)):
                were = {each.shard for each in self.leases.values() if each.is_open}
                found = self.step(which)
                moved += len(were & set(found.give))
                quiet = quiet and found == Moves()
            for shard in self.leases:
                self.open(shard)
            if quiet:
                return moved
        raise AssertionError("it never comes to rest")


# A process with one shard too many waits for another one, which is connected last.
@example(
    shards=3, events=[("join", 0), ("step", 0), ("join", 0), ("step", 1), ("open", 0), ("open", 1)]
)
@given(shards=st.integers(1, 17), events=_EVENTS)
def test_every_shard_has_one_owner_in_the_end(shards: int, events: list[tuple[str, int]]) -> None:
    fleet = Fleet(shards)
    fleet.join()
    for what, which in events:
        if what == "join":
            fleet.join()
        elif what == "die" and len(fleet.processes) > 1:
            fleet.die(which)
        elif what == "step":
            fleet.step(which)
        elif what == "open":
            fleet.open(which % shards)
    fleet.settle()
    held = Counter(each.owner for each in fleet.leases.values())
    assert None not in held
    shares = [held[each] for each in fleet.processes]
    assert max(shares) - min(shares) <= 1
    assert fleet.settle() == 0


@pytest.mark.parametrize(("shards", "moved"), [(1, 0), (2, 1), (4, 2), (7, 3)])
def test_no_more_shards_move_to_a_second_process_than_its_share(shards: int, moved: int) -> None:
    fleet = Fleet(shards)
    fleet.join()
    assert fleet.settle() == 0
    fleet.join()
    assert fleet.settle() == moved


def test_a_death_moves_only_what_the_dead_process_held() -> None:
    fleet = Fleet(7)
    for _ in range(3):
        fleet.join()
    fleet.settle()
    before = {name: set(fleet.held_by(name)) for name in fleet.processes}
    fleet.die(1)
    assert fleet.settle() == 0
    for name in fleet.processes:
        assert set(fleet.held_by(name)) >= before[name]


def test_what_is_not_connected_yet_is_given_away_at_once() -> None:
    fleet = Fleet(8)
    fleet.join()
    assert len(fleet.step(0).take) == 8
    fleet.open(0)
    fleet.join()
    assert fleet.step(0) == Moves(give=(4, 5, 6, 7))
    assert len(fleet.step(1).take) == 4
