"""How much one person may ask for: a bucket of tokens each, forgotten when full again."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

_SWEEP = 4096


class Cooldowns:
    """``burst`` acts at once, then ``rate`` a second, for each key on its own."""

    def __init__(
        self, rate: float, burst: int, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._clock = clock
        self._levels: dict[Hashable, tuple[float, float]] = {}

    def take(self, key: Hashable) -> bool:
        """Whether this act is within the limit; if so it counts."""
        now = self._clock()
        level, then = self._levels.get(key, (self._burst, now))
        level = min(self._burst, level + (now - then) * self._rate)
        allowed = level >= 1
        self._levels[key] = (level - 1 if allowed else level, now)
        if len(self._levels) > _SWEEP:
            self._sweep(now)
        return allowed

    def wait(self, key: Hashable) -> float:
        """Seconds until the next act is within the limit; 0.0 if it is now. It does not count."""
        now = self._clock()
        level, then = self._levels.get(key, (self._burst, now))
        return max(1 - level - (now - then) * self._rate, 0.0) / self._rate

    def _sweep(self, now: float) -> None:
        full = self._burst / self._rate
        self._levels = {key: level for key, level in self._levels.items() if now - level[1] < full}
