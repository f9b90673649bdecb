"""Begun and left sessions in every store, on both databases."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.connection import store as shards
from bot.connection.domain.session_budget import BUDGET, SessionBudget
from bot.connection.store import LeftSession, change_session_starts
from bot.store import Store, open_store
from tests.support.databases import both

START = datetime(2026, 3, 1, tzinfo=UTC)
BUDGET_OF_A_DAY = SessionBudget()


def spend(moments: Any) -> Any:
    full_at = BUDGET_OF_A_DAY.spend(moments.get(BUDGET), START, 1)
    return {**moments, BUDGET: full_at}, full_at


@both
async def test_what_is_changed_is_remembered(store: Store, database_url: str) -> None:
    assert await store.read(shards.session_starts) == {}
    queue = {"queue 0": START + timedelta(microseconds=1)}
    assert await store.write(change_session_starts, lambda moments: (queue, "answer")) == "answer"
    assert await store.read(shards.session_starts) == queue
    later = {**queue, "queue 0": START + timedelta(seconds=5), BUDGET: START}
    await store.write(change_session_starts, lambda moments: (later, None))
    assert await store.read(shards.session_starts) == later


@both
async def test_changes_at_once_all_count(store: Store) -> None:
    found = await asyncio.gather(*(store.write(change_session_starts, spend) for _ in range(20)))
    each = BUDGET_OF_A_DAY.each
    assert sorted(found) == [START + (number + 1) * each for number in range(20)]


@pytest.mark.postgres
async def test_changes_of_two_processes_at_once_all_count(postgres_url: str) -> None:
    one, other = await open_store(postgres_url), await open_store(postgres_url)
    try:
        for _ in range(5):
            changes = [each.write(change_session_starts, spend) for each in (one, other) * 4]
            await asyncio.gather(*changes)
        moments = await one.read(shards.session_starts)
    finally:
        await one.close()
        await other.close()
    assert moments[BUDGET] == START + 40 * BUDGET_OF_A_DAY.each


@both
async def test_a_change_that_fails_changes_nothing(store: Store) -> None:
    def fail(moments: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.write(change_session_starts, fail)
    assert await store.read(shards.session_starts) == {}


# ---- sessions that were left, on both databases: each is taken once ------------------------------


def left(shard: int, total: int, session: str = "one") -> LeftSession:
    return LeftSession(shard, total, session, 7, "wss://gateway", START, b"\0servers")


@both
async def test_a_session_that_was_left_is_taken_once_and_the_newest_counts(store: Store) -> None:
    await store.write(shards.leave_sessions, [left(0, 2), left(1, 2)])
    await store.write(shards.leave_sessions, [left(1, 2, "another")])
    assert await store.write(shards.take_sessions, (1,), 2) == (left(1, 2, "another"),)
    assert await store.write(shards.take_sessions, (0, 1), 2) == (left(0, 2),)
    assert await store.write(shards.take_sessions, (0, 1), 2) == ()


@both
async def test_sessions_of_another_number_of_shards_are_forgotten(store: Store) -> None:
    await store.write(shards.leave_sessions, [left(0, 2), left(1, 2)])
    assert await store.write(shards.take_sessions, (0,), 3) == ()
    assert await store.write(shards.take_sessions, (0, 1), 2) == ()
