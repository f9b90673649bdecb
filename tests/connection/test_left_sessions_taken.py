"""Sessions that were left, on both databases: each is taken once."""

from __future__ import annotations

from bot.connection import store as shards
from bot.connection.store import LeftSession
from bot.store import Store
from tests.support.databases import both
from tests.support.kit import START

pytestmark = both


def left(shard: int, total: int, session: str = "one") -> LeftSession:
    return LeftSession(shard, total, session, 7, "wss://gateway", START, b"\0servers")


async def test_a_session_that_was_left_is_taken_once_and_the_newest_counts(store: Store) -> None:
    await store.write(shards.leave_sessions, [left(0, 2), left(1, 2)])
    await store.write(shards.leave_sessions, [left(1, 2, "another")])
    assert await store.write(shards.take_sessions, (1,), 2) == (left(1, 2, "another"),)
    assert await store.write(shards.take_sessions, (0, 1), 2) == (left(0, 2),)
    assert await store.write(shards.take_sessions, (0, 1), 2) == ()


async def test_sessions_of_another_number_of_shards_are_forgotten(store: Store) -> None:
    await store.write(shards.leave_sessions, [left(0, 2), left(1, 2)])
    assert await store.write(shards.take_sessions, (0,), 3) == ()
    assert await store.write(shards.take_sessions, (0, 1), 2) == ()
