"""Rate limits of players, of servers, and of the bot.

Discord limits how many requests a bot makes. A server that has had its share of a minute waits for
its next messages, in the order in which it asked. That waiting costs no player time
(:mod:`bot.domain.untold_turns`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from bot.clock import Clock, seconds_passed
from bot.domain.ids import GuildId
from bot.logs import logger
from bot.store.errors import StoreUnavailable
from bot.tasks import cancel

_SWEEP = 4096


class Cooldowns:
    """A bucket of tokens for each key, forgotten when full again.

    ``burst`` acts at once, then ``rate`` a second.
    """

    def __init__(
        self, rate: float, burst: int, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._clock = clock
        self._levels: dict[Hashable, tuple[float, float]] = {}
        self._most = _SWEEP

    def take(self, key: Hashable) -> bool:
        """Whether an act is within the limit; if so it counts."""
        allowed = self._level(key) >= 1
        self.spend(key, int(allowed))
        return allowed

    def spend(self, key: Hashable, cost: float) -> None:
        """Count an act once its cost is known; below zero, the next one waits longer."""
        self._levels[key] = (self._level(key) - cost, self._clock())
        if len(self._levels) > self._most:
            self._sweep(self._clock())

    def wait(self, key: Hashable) -> float:
        """Seconds until the next act is within the limit; it does not count."""
        return max(1 - self._level(key), 0.0) / self._rate

    def _level(self, key: Hashable) -> float:
        level, then = self._levels.get(key, (self._burst, self._clock()))
        return min(self._burst, level + (self._clock() - then) * self._rate)

    def _sweep(self, now: float) -> None:
        self._levels = {
            key: (level, then)
            for key, (level, then) in self._levels.items()
            if level + (now - then) * self._rate < self._burst
        }
        # Else each act of so many who are all at their limit would look through them all.
        self._most = max(_SWEEP, 2 * len(self._levels))


# ---- what one server may have --------------------------------------------------------------------

CROWDED = "crowded"
"""The trouble of a message that waits for its server's share."""
_MINUTE = timedelta(minutes=1)


class ServerShares:
    """At most ``a_minute`` messages in any minute for each server, all at once or spread.

    Each message has a ``ticket``, the same however often it is tried. One that has to wait gets a
    time, and later ones come after it. ``seconds`` is a monotonic clock; ``clock`` says when it
    will be.
    """

    def __init__(
        self,
        clock: Clock,
        a_minute: int = 60,
        *,
        seconds: Callable[[], float] = seconds_passed,
    ) -> None:
        self._clock = clock
        self._seconds = seconds
        self._gap = _MINUTE / a_minute
        self._paid_until: dict[GuildId, timedelta] = {}
        self._line: dict[GuildId, timedelta] = {}
        self._promised: dict[tuple[GuildId, str], timedelta] = {}

    def take(self, guild_id: GuildId | None, ticket: str) -> datetime | None:
        """Count a message; when to try again if it may not be sent now.

        Direct messages always may.
        """
        if guild_id is None:
            return None
        now, key = self._passed(), (guild_id, ticket)
        promised = self._promised.get(key)
        if promised is not None and promised > now:
            return self._clock.now() + (promised - now)
        free = self._free_at(guild_id, now)
        end = now if promised is not None else self._line.get(guild_id, now)
        if free <= now and end <= now:
            self._promised.pop(key, None)
            paid = max(self._paid_until.get(guild_id, now), now)
            self._paid_until[guild_id] = paid + self._gap
            if len(self._paid_until) > _SWEEP or len(self._promised) > _SWEEP:
                self._sweep(now)
            return None
        due = max(free, self._line.get(guild_id, now) + self._gap)
        self._line[guild_id] = self._promised[key] = due
        return self._clock.now() + (due - now)

    def is_used_up(self, guild_id: GuildId | None) -> bool:
        """Whether the next message of a server would have to wait."""
        if guild_id is None:
            return False
        now = self._passed()
        return max(self._free_at(guild_id, now), self._line.get(guild_id, now)) > now

    def _passed(self) -> timedelta:
        return timedelta(seconds=self._seconds())

    def _free_at(self, guild_id: GuildId, now: timedelta) -> timedelta:
        return self._paid_until.get(guild_id, now) + self._gap - _MINUTE

    def _sweep(self, now: timedelta) -> None:
        self._paid_until = {each: at for each, at in self._paid_until.items() if at > now}
        self._line = {each: at for each, at in self._line.items() if at > now}
        late = now - _MINUTE
        self._promised = {each: at for each, at in self._promised.items() if at > late}


# ---- what all processes may ask of Discord -------------------------------------------------------

_GLOBAL = 50.0
"""Requests a second that Discord takes from a bot, in all processes together.
https://docs.discord.com/developers/topics/rate-limits#global-rate-limit"""
_AT_ONCE = 0.25
"""Seconds whose requests may be made at once."""


class DiscordShare:
    """One process's equal share of the requests that Discord takes."""

    def __init__(self, *, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._paid_until = 0.0
        self._gap = 0.0
        self.among(1)

    def among(self, processes: int) -> None:
        """Share with so many processes, this one included."""
        # Its part in any second at most, counting those made at once.
        self._gap = (1 + _AT_ONCE) * processes / _GLOBAL

    def wait(self) -> float:
        """Count a request; in how many seconds it may be made."""
        now = self._seconds()
        begins = max(self._paid_until, now)
        self._paid_until = begins + self._gap
        return max(0.0, begins - _AT_ONCE - now)


# ---- what is done soon, but not too often --------------------------------------------------------

_log = logger(__name__)

K = TypeVar("K", bound=Hashable)

_STORE_AGAIN = 5.0
"""Seconds before a retry if the store is unavailable."""


class Paced(Generic[K]):
    """Runs ``work`` for a key ``first`` seconds after it was requested.

    Requests meanwhile are the same one. For each key at least ``gap`` seconds pass between two
    runs.
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
        """Have it run for this key."""
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
        """Stop."""
        await cancel(self._tasks.values())
