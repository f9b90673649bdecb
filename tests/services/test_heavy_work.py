"""Slow work: in threads, in turn, and limited for each person."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.services.heavy_work import HeavyWork

ANN, BOB = UserId(1), UserId(2)


class Hand:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def made() -> AsyncIterator[tuple[HeavyWork, Hand]]:
    clock = Hand()
    heavy = HeavyWork(ThreadPoolExecutor(4), a_minute=1.0, clock=clock)
    yield heavy, clock
    heavy.close()


def busy(seconds: float) -> str:
    """Use the processor for so long."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass
    return "done"


def refused(seconds: float) -> None:
    busy(seconds)
    raise UserError("record_empty")


async def test_who_has_used_up_their_time_waits_alone(made: tuple[HeavyWork, Hand]) -> None:
    heavy, clock = made
    assert await heavy.run(ANN, busy, 0.2) == "done"
    with pytest.raises(UserError) as error:
        await heavy.run(ANN, busy, 0.0)
    assert error.value.code == "too_much_work"
    assert int(str(error.value.params["seconds"])) >= 12, "a sixtieth of a second in every second"
    assert await heavy.run(BOB, busy, 0.0) == "done"
    clock.now = 60.0
    assert await heavy.run(ANN, busy, 0.0) == "done"


async def test_work_that_is_refused_counts_as_well(made: tuple[HeavyWork, Hand]) -> None:
    heavy, _ = made
    with pytest.raises(UserError, match="record_empty"):
        await heavy.run(ANN, refused, 0.1)
    with pytest.raises(UserError, match="too_much_work"):
        await heavy.run(ANN, busy, 0.0)


async def test_one_person_has_one_work_at_a_time() -> None:
    heavy = HeavyWork(ThreadPoolExecutor(4))
    at_once, most = 0, 0
    lock = threading.Lock()

    def work() -> None:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.01)
        with lock:
            at_once -= 1

    async with asyncio.TaskGroup() as group:
        for _ in range(5):
            group.create_task(heavy.run(ANN, work))
    assert most == 1
    heavy.close()
