"""Time and ids. All code asks a :class:`Clock` for the time, so that tests may turn it."""

from __future__ import annotations

import time
from typing import Protocol

#: Discord counts milliseconds from the first second of 2015.
DISCORD_EPOCH_MS = 1_420_070_400_000


class Clock(Protocol):
    """The source of the world's time."""

    def now(self) -> float:
        """Seconds since 1970."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()


class ManualClock:
    """The machine's clock plus the time that a test has added."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time() + self._ahead

    def advance(self, seconds: float) -> None:
        """Let ``seconds`` pass immediately."""
        self._ahead += seconds


class Snowflakes:
    """Ids that grow with time: 42 bits of milliseconds, then a counter.

    https://docs.discord.com/developers/reference#snowflakes
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self, *, age: float = 0.0) -> int:
        """A fresh id; with ``age``, one made that many seconds ago."""
        made = int((self._clock.now() - age) * 1000) - DISCORD_EPOCH_MS
        if age:
            return (made << 22) | ((self._last + 1) & 0xFFF)
        self._last = max(self._last + 1, made << 22)
        return self._last


def snowflake_time(snowflake: int) -> float:
    """When an id was made, in seconds since 1970."""
    return ((snowflake >> 22) + DISCORD_EPOCH_MS) / 1000
