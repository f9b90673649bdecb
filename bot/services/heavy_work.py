"""What takes long, done beside the event loop: for one person only so much of it.

Playing a long match through or making a film of it takes the processor for seconds. It is done in
threads, which leave the event loop its turn every few milliseconds. One person has one such work at
a time, and only so many seconds of the processor a minute; whatever they bring, others wait for no
more than that.
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
    """Does work in the threads of ``pool``, and counts the processor time that it takes."""

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
        """What ``work`` returns or raises, done for a person after what they asked for before.

        Raises :exc:`~bot.errors.UserError` (``too_much_work``) where they have used up their time.
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
