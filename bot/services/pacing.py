"""Doing something soon after it was asked for, but not too often; no request is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from bot.logs import logger
from bot.services.ports import StoreUnavailable

_log = logger(__name__)

K = TypeVar("K", bound=Hashable)

_STORE_AGAIN = 5.0
"""Seconds until it is tried again where the store is not to be had."""


class Paced(Generic[K]):
    """Does ``work`` for a key ``first`` seconds after it was asked for.

    What is asked for meanwhile is the same request. Between two times for the same key there are
    at least ``gap`` seconds.
    """

    def __init__(
        self, work: Callable[[K], Awaitable[None]], *, first: float = 0.0, gap: float
    ) -> None:
        self._work = work
        self._first = first
        self._gap = gap
        self._done: dict[K, float] = {}
        self._tasks: dict[K, asyncio.Task[None]] = {}

    def soon(self, key: K) -> None:
        """Have it done for this key."""
        if key not in self._tasks:
            loop = asyncio.get_running_loop()
            self._done = {each: at for each, at in self._done.items() if at > loop.time()}
            self._tasks[key] = loop.create_task(self._later(key))

    async def _later(self, key: K) -> None:
        loop = asyncio.get_running_loop()
        try:
            await asyncio.sleep(max(self._first, self._done.get(key, 0.0) - loop.time()))
        finally:
            del self._tasks[key]
        self._done[key] = loop.time() + self._gap
        while True:
            try:
                await self._work(key)
            except StoreUnavailable:
                await asyncio.sleep(_STORE_AGAIN)
            except Exception:
                _log.exception("a bug in what was to be done soon")
                return
            else:
                return

    async def close(self) -> None:
        """Do nothing any more."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
