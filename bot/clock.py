"""The source of the time."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Protocol

from bot.logs import logger
from bot.trouble import Trouble

_log = logger(__name__)


class Clock(Protocol):
    """The source of the time."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The present instant in UTC."""
        return datetime.now(UTC)


_DRIFT = 200e-6
"""The most drift of a clock that cannot jump, as a part of the time that passes."""


_WORTH_TELLING = 2.0
"""The error of the machine's clock, in seconds, that the host is told about."""


def seconds_passed() -> float:
    """Seconds since some instant, by a clock that cannot jump and runs while the machine sleeps."""
    boottime: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boottime is None else time.clock_gettime(boottime)


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Bounds of the time less ``seconds``, in seconds since 1970, known since ``at``."""

    least: float = -math.inf
    most: float = math.inf
    at: float = 0.0

    def aged(self, now: float) -> _Bounds:
        """The same, widened by the drift since then."""
        drift = abs(now - self.at) * _DRIFT
        return _Bounds(self.least - drift, self.most + drift, now)

    def narrowed(self, other: _Bounds) -> _Bounds | None:
        """The intersection of both; None if they contradict each other."""
        least, most = max(self.least, other.least), min(self.most, other.most)
        return _Bounds(least, most, self.at) if least <= most else None

    def place(self, offset: float) -> float:
        """An offset, or if it is out of bounds, the middle between them."""
        return offset if self.least <= offset <= self.most else (self.least + self.most) / 2


class DiscordClock:
    """The time by Discord's responses, independent of the machine's clock.

    Each response of Discord says when it was made (``Date``), in whole seconds. That instant lies
    between the request and its arrival, measured by ``seconds``, which cannot jump. So each
    response bounds the time from both sides, and many of them bound it to a fraction of a second.
    The machine's clock counts as long as it lies between the bounds; one that was put back or
    ahead, or was never right, does not. Until the first response, the time is the machine's.
    """

    def __init__(
        self, machine: Clock | None = None, seconds: Callable[[], float] = seconds_passed
    ) -> None:
        self._machine = machine or SystemClock()
        self.seconds = seconds
        self._bounds = _Bounds()
        self._doubt: _Bounds | None = None
        self._wrong = Trouble(
            _log, "this machine's clock is wrong; Discord's time is used", level=logging.WARNING
        )

    def now(self) -> datetime:
        """The present instant in UTC."""
        machine = self._machine.now()
        return machine - timedelta(seconds=self._offset_of(machine))

    @property
    def offset(self) -> float:
        """Seconds by which the machine's clock is ahead; 0.0 unless Discord contradicts it."""
        return self._offset_of(self._machine.now())

    def _offset_of(self, machine: datetime) -> float:
        seconds = self.seconds()
        offset = machine.timestamp() - seconds
        return offset - self._bounds.aged(seconds).place(offset)

    def hear(self, said: str | None, asked: float) -> None:
        """Discord has reported the time, in response to a request made at ``asked`` (``seconds``).

        A response that contradicts earlier ones counts once another confirms it.
        """
        now = self.seconds()
        try:
            stamp = parsedate_to_datetime(said or "").replace(tzinfo=UTC).timestamp()
        except ValueError:
            return
        heard = _Bounds(stamp - now, stamp + 1 - asked, now)
        narrowed = self._bounds.aged(now).narrowed(heard)
        if narrowed is None:
            doubt = self._doubt and self._doubt.aged(now).narrowed(heard)
            self._doubt = heard
            if doubt is None:
                return
            narrowed = doubt
        self._bounds, self._doubt = narrowed, None
        offset = self.offset
        if abs(offset) >= _WORTH_TELLING:
            self._wrong.met(f"{offset:+.0f} s")
        else:
            self._wrong.passed()
