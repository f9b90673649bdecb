"""Turns to begin a session while the store, or Discord, does not answer."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Any, cast

import pytest

from bot.connection import services as session_starts
from bot.connection.domain.session_budget import BUDGET, SessionBudget
from bot.connection.services import SessionLimits, SessionStarts
from bot.store import Store
from bot.store.errors import StoreUnavailable
from tests.support.kit import START, HandClock

FULL = SessionBudget().left(None, START)


class Memory:
    """A store that can be away, or take its time."""

    def __init__(self) -> None:
        self.moments: dict[str, datetime] = {}
        self.is_away = False
        self.answers = asyncio.Event()
        self.answers.set()

    async def read(self, _transaction: Any) -> dict[Any, Any]:
        return self.moments

    async def write(self, _transaction: Any, change: Any) -> Any:
        await self.answers.wait()
        if self.is_away:
            raise StoreUnavailable("unreachable")
        self.moments, answer = change(self.moments)
        return answer

    @property
    def left(self) -> int:
        return SessionBudget().left(self.moments.get(BUDGET), START)


@pytest.fixture
def memory() -> Memory:
    return Memory()


def made(memory: Memory, **more: Any) -> SessionStarts:
    return SessionStarts(cast("Store", memory), HandClock(), between=timedelta(), **more)


async def begin(starts: Any) -> None:
    await starts.turn(0)
    await starts.spend(0)


async def test_the_first_session_of_a_process_is_a_deposit(memory: Memory) -> None:
    starts = made(memory)
    await begin(starts)
    assert memory.left == FULL - 10
    await begin(starts)
    assert memory.left == FULL - 11
    await starts.ready()
    await starts.ready()
    assert memory.left == FULL - 2 == starts.left


async def test_what_was_begun_while_the_store_was_away_is_written_later(memory: Memory) -> None:
    starts = made(memory)
    await begin(starts)
    memory.is_away = True
    await begin(starts)
    await begin(starts)
    assert memory.left == FULL - 10
    assert starts.left == FULL - 12
    memory.is_away = False
    await begin(starts)
    assert memory.left == FULL - 13 == starts.left


@pytest.mark.logs_errors
async def test_the_budget_holds_while_the_store_is_away(memory: Memory) -> None:
    memory.is_away = True
    starts = made(memory)
    for _ in range(FULL - 9):
        await begin(starts)
    waiting = asyncio.create_task(starts.turn(0))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    assert starts.waits_until is not None
    waiting.cancel()


async def test_a_silent_store_is_no_matter(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_starts, "_PATIENCE", 0.05)
    starts = made(memory)
    memory.answers.clear()
    async with asyncio.timeout(2):
        await begin(starts)
    assert starts.left == FULL - 10
    memory.answers.set()
    await asyncio.sleep(0)
    await begin(starts)
    assert memory.left <= FULL - 11


async def test_deposits_are_given_back(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_starts, "_PATIENCE", 0.2)
    starts = made(memory)
    await begin(starts)
    await starts.close(is_ready=False)
    assert memory.left == FULL - 10
    memory.answers.clear()
    ready = asyncio.create_task(starts.ready())
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_later(0.05, memory.answers.set)
    await starts.close(is_ready=True)
    assert memory.left == FULL - 1, "what was being written is waited for"
    await ready


async def test_a_deposit_stays_given_back_while_a_turn_is_asked_for(memory: Memory) -> None:
    memory.is_away = True
    starts = made(memory)
    await begin(starts)
    memory.is_away = False
    await asyncio.gather(starts.ready(), starts.turn(0))
    assert memory.left == FULL - 1 == starts.left


async def test_discord_is_asked_once_a_minute_at_most(memory: Memory) -> None:
    clock, asked = HandClock(), []
    starts = SessionStarts(cast("Store", memory), clock, between=timedelta())

    async def ask() -> SessionLimits:
        asked.append(clock.now())
        told = clock.now()
        return SessionLimits(1000, 900, told + timedelta(hours=5), 1, told)

    starts.ask_discord = ask
    for _ in range(5):
        await begin(starts)
    assert len(asked) == 1
    clock.forward(minutes=2)
    await begin(starts)
    assert len(asked) == 2


async def test_what_discord_said_holds_while_it_says_no_more(memory: Memory) -> None:
    clock = HandClock()
    starts = SessionStarts(cast("Store", memory), clock, between=timedelta())
    starts.limits = SessionLimits(1000, 60, clock.now() + timedelta(hours=5), 1, clock.now())

    async def ask() -> None:
        return None

    starts.ask_discord = ask
    assert starts.left == 10, "fifty are kept"
    clock.forward(minutes=2)
    await begin(starts)
    assert starts.limits.remaining == 60
    clock.forward(hours=5)
    assert starts.left > 400, "its count has begun again"


async def test_a_turn_that_is_not_used_in_time_is_followed_by_another(memory: Memory) -> None:
    """Or two processes of which one was slow to connect would begin sessions at once."""
    clock = HandClock()
    one, other = (
        SessionStarts(cast("Store", memory), clock, between=timedelta(seconds=0.6))
        for _ in range(2)
    )
    await one.turn(0)
    clock.forward(seconds=0.5)
    # It waits for a place behind its own, and the other behind that.
    await one.spend(0)
    assert memory.moments["queue 0"] == START + timedelta(seconds=1.2)
    clock.forward(seconds=0.1)
    await other.turn(0)
    assert memory.moments["queue 0"] == START + timedelta(seconds=1.8)
    await other.spend(0)
    assert memory.moments["queue 0"] == START + timedelta(seconds=1.8), "this one was in time"
