"""Waiting for what other tasks or processes bring about."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any


async def until(holds: Callable[[], Any], *, patience: float = 30.0) -> None:
    """Wait until this holds, or what it answers when that is awaited."""
    async with asyncio.timeout(patience):
        while True:
            found = holds()
            if inspect.isawaitable(found):
                found = await found
            if found:
                return
            await asyncio.sleep(0.01)
