"""Leaving alone for as long as Discord says what it cannot take now.

What is due stays due in the store, at the time from which a message of it is looked for, and this
process remembers how long it is not to ask again. One that starts anew asks once more.
"""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime, timedelta
from typing import TypeVar

from bot.services.sending import Retry

T = TypeVar("T", bound=Hashable)

_REMEMBERED = timedelta(minutes=10)
"""For so long after it may be asked for again, it comes after what has not failed yet."""


class Backoff:
    """Remembers what Discord could not take, and until when that is to wait."""

    def __init__(self) -> None:
        self._until: dict[Hashable, datetime] = {}

    def __len__(self) -> int:
        return len(self._until)

    def put_off(self, due: Hashable, now: datetime, error: Retry) -> None:
        """Leave something alone for as long as was said, else until it is looked at next."""
        self._until[due] = now + timedelta(seconds=error.after or 0.0)

    def ready(self, found: tuple[T, ...], now: datetime, limit: int) -> tuple[T, ...]:
        """At most ``limit`` of what is due and need not wait, what has not failed yet first.

        So those that fail again and again keep nobody waiting who is behind them, if as many more
        are found as are remembered here.
        """
        long_ago = now - _REMEMBERED
        self._until = {due: until for due, until in self._until.items() if until > long_ago}
        fresh = [due for due in found if due not in self._until]
        again = [due for due in found if due in self._until and self._until[due] <= now]
        return (*fresh, *sorted(again, key=self._until.__getitem__))[:limit]
