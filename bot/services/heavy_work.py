"""Long computations, in threads; each player has a share of the processor.

Playing a long match through, or rendering its film, takes seconds. One player has one such work at
a time, and only so many seconds of the processor a minute.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import ParamSpec, TypeVar
from weakref import WeakValueDictionary

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.services.rate_limits import Cooldowns

P = ParamSpec("P")
T = TypeVar("T")

A_MINUTE = 10
"""Seconds of processor time that one person may use at once, and again in every minute."""


class HeavyWork:
    """Runs work in the threads of ``pool``, and counts its processor time."""

    def __init__(
        self,
        pool: Executor,
        *,
        a_minute: float = A_MINUTE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pool = pool
        self._seconds = Cooldowns(a_minute / 60, math.ceil(a_minute), clock=clock)
        self._turns: WeakValueDictionary[UserId, asyncio.Lock] = WeakValueDictionary()

    async def run(
        self, user_id: UserId, work: Callable[P, T], /, *args: P.args, **more: P.kwargs
    ) -> T:
        """The result of ``work``, run for a player after their earlier work.

        Raises ``too_much_work`` where they have used up their time.
        """

        def timed() -> T:
            begun = time.thread_time()
            try:
                return work(*args, **more)
            finally:
                spent.append(time.thread_time() - begun)

        spent: list[float] = []
        turn = self._turns.setdefault(user_id, asyncio.Lock())
        async with turn:
            wait = self._seconds.wait(user_id)
            if wait > 0:
                raise UserError("too_much_work", seconds=math.ceil(wait))
            try:
                return await asyncio.get_running_loop().run_in_executor(self._pool, timed)
            finally:
                self._seconds.spend(user_id, sum(spent))

    def close(self) -> None:
        """Refuse new work."""
        self._pool.shutdown(wait=False, cancel_futures=True)
