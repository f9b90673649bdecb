"""Shards on PostgreSQL: who holds them by its clock, however many processes ask at once."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

import pytest
from sqlalchemy import Connection, update

from bot.connection import store as shards
from bot.connection.store import Division
from bot.store import Store, open_store
from bot.store.tables import processes

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.parametrize("database_url", ["postgres_url"], indirect=True),
]


class Process:
    """One process, whose shards are connected as soon as it has them if it ``connects``."""

    connects = True

    def __init__(self, store: Store, name: str) -> None:
        self.store, self.name = store, name
        self.opened: Collection[int] = ()
        self.is_new = True

    async def look(self, total: int = 4, **more: Any) -> Division:
        found = await self.store.write(
            shards.divide, self.name, total, self.opened, is_new=self.is_new, **more
        )
        self.is_new = False
        if found.give:
            await self.store.write(shards.give_up, self.name, found.give)
        self.opened = sorted(set(found.mine).difference(found.give)) if self.connects else ()
        return found


def _be_silent(connection: Connection, seconds: int, *names: str) -> None:
    """As if these had said nothing for so long."""
    connection.execute(
        update(processes)
        .where(processes.c.name.in_(names))
        .values(seen_at=processes.c.seen_at - seconds * 1_000_000)
    )


async def test_a_second_process_gets_its_share_one_shard_after_another(store: Store) -> None:
    a, b = Process(store, "a"), Process(store, "b")
    assert (await a.look()).mine == (0, 1, 2, 3)
    assert (await b.look()).mine == ()
    assert (await a.look()).give == (3,)
    assert (await a.look()).give == (), "the first is not connected yet"
    assert (await b.look()).mine == (3,)
    await b.look()
    assert (await a.look()).give == (2,)
    await b.look()
    await b.look()
    last = await a.look()
    assert (last.owners, last.give) == ({0: "a", 1: "a", 2: "b", 3: "b"}, ())
    assert last.processes == 2


async def test_shards_of_a_dead_process_go_to_the_others(store: Store, database_url: str) -> None:
    other = await open_store(database_url)
    names = "abcde"
    fleet = [Process((store, other)[number % 2], name) for number, name in enumerate(names)]
    for connects in (False, False, False, True, True):
        for each in fleet:
            each.connects = connects
        found = await asyncio.gather(*(each.look(16) for each in fleet))
    held = [shard for each in found for shard in each.mine]
    assert sorted(held) == list(range(16))
    await store.write(_be_silent, 13, "a", "c")
    left = [each for each in fleet if each.name not in "ac"]
    for _ in range(2):
        found = await asyncio.gather(*(each.look(16) for each in left))
    assert sorted(shard for each in found for shard in each.mine) == list(range(16))
    assert {len(each.mine) for each in found} == {5, 6}
    assert (await fleet[0].look(16)).mine == (), "it has lost its shards, and judges nobody"
    await other.close()


async def test_when_the_database_was_away_everybody_keeps_their_shards(store: Store) -> None:
    fleet = [Process(store, name) for name in "ab"]
    for _ in range(8):
        for each in fleet:
            before = await each.look()
    await store.write(_be_silent, 60, "a", "b")
    for each in fleet:
        assert (await each.look()).owners[min(each.opened)] == each.name
    assert (await fleet[0].look()).owners == before.owners


async def test_a_process_that_ends_in_order_leaves_its_shards_at_once(store: Store) -> None:
    a, b = Process(store, "a"), Process(store, "b")
    await a.look()
    await b.look()
    await store.write(shards.leave, "a")
    assert (await b.look()).mine == (0, 1, 2, 3)


async def test_the_number_of_shards_changes_when_none_is_held(store: Store) -> None:
    a, b = Process(store, "a"), Process(store, "b")
    await a.look(4)
    assert (await b.look(8)).total == 4, "they are held"
    for _ in range(5):
        await b.look(8)
        await a.look(4)
    assert (await b.look(8, outgrown=4)).total == 8
    assert (await a.look(4, outgrown=4)).total == 8, "another was first"
    for _ in range(3):
        await a.look(4)
        last = await b.look(8)
    assert sorted(last.owners.values()) == ["a"] * 4 + ["b"] * 4  # type: ignore[type-var]
    for each in (a, b):
        await store.write(shards.leave, each.name)
    assert (await Process(store, "c").look(5)).mine == (0, 1, 2, 3, 4)
