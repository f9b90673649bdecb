"""Requests that go on although nobody waits for them.

Calls of the library are never cancelled: a cancelled waiter of a global rate limit would stop
every later request.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

import aiohttp
import discord

from bot.logs import logger

T = TypeVar("T")
_log = logger(__name__)
FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
"""What a call of the library may raise when the way to Discord is troubled."""


class Background:
    """Tasks that run to their end although nobody waits for them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ending = asyncio.Event()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run it, keep it alive, and log how it failed if it does."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, FAILURES):
            _log.info("a request to Discord failed", error=type(error).__name__)
        elif error is not None:
            _log.error("a background task failed", exc_info=error)

    async def pause(self, seconds: float) -> bool:
        """Wait so long; False, and sooner, if the process is about to stop."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ending.wait()
        return not self._ending.is_set()

    async def drain(self, seconds: float) -> int:
        """Wait so long for what is running; how many did not finish. Nothing pauses any more."""
        self._ending.set()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=seconds)
        return len(self._tasks)
