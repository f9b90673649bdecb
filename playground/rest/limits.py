"""Rate limits: buckets with Discord's headers, and the global limit.

https://docs.discord.com/developers/topics/rate-limits
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from playground.clock import Clock
from playground.errors import DiscordError
from playground.rest.call import Route

_MAJOR = ("channel_id", "guild_id", "webhook_id", "webhook_token", "interaction_id")


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of requests in a number of seconds."""

    requests: int
    seconds: float


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The rates in force. Discord publishes none; these are of the usual order."""

    default: Rate = Rate(50, 1.0)
    routes: Mapping[tuple[str, str], Rate] = field(
        default_factory=lambda: {
            ("POST", "/channels/{channel_id}/messages"): Rate(5, 5.0),
            ("PATCH", "/channels/{channel_id}/messages/{message_id}"): Rate(5, 5.0),
            ("DELETE", "/channels/{channel_id}/messages/{message_id}"): Rate(5, 1.0),
            ("POST", "/webhooks/{webhook_id}/{webhook_token}"): Rate(5, 2.0),
            ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original"): Rate(5, 2.0),
        }
    )
    overall: Rate | None = Rate(50, 1.0)


@dataclass(slots=True)
class RateLimiter:
    """Counts requests; raises 429 with everything that a client needs to wait."""

    clock: Clock
    limits: RateLimits
    _overall: deque[float] = field(default_factory=deque)
    _buckets: dict[tuple[str, ...], deque[float]] = field(default_factory=dict)

    def count(self, route: Route, path: Mapping[str, str]) -> dict[str, str]:
        """Count one request; returns the answer's headers."""
        now = self.clock.now()
        if self.limits.overall is not None and not route.open:
            _forget(self._overall, now - self.limits.overall.seconds)
            if len(self._overall) >= self.limits.overall.requests:
                wait = self._overall[0] + self.limits.overall.seconds - now
                raise too_many(wait, scope="global")
            self._overall.append(now)
        rate = self.limits.routes.get((route.method, route.path), self.limits.default)
        name = hashlib.sha256(f"{route.method} {route.path}".encode()).hexdigest()[:16]
        key = (name, *(path[each] for each in _MAJOR if each in path))
        bucket = self._buckets.setdefault(key, deque())
        _forget(bucket, now - rate.seconds)
        headers = {
            "X-RateLimit-Limit": str(rate.requests),
            "X-RateLimit-Bucket": name,
        }
        if len(bucket) >= rate.requests:
            wait = bucket[0] + rate.seconds - now
            headers |= {"X-RateLimit-Remaining": "0", **_reset(now, wait)}
            raise too_many(wait, scope="user", headers=headers)
        bucket.append(now)
        wait = bucket[0] + rate.seconds - now
        headers |= {"X-RateLimit-Remaining": str(rate.requests - len(bucket)), **_reset(now, wait)}
        if len(self._buckets) > 10_000:
            for idle in [each for each, times in self._buckets.items() if not times]:
                del self._buckets[idle]
        return headers


def too_many(wait: float, *, scope: str, headers: Mapping[str, str] | None = None) -> DiscordError:
    """A 429 that asks to wait ``wait`` seconds; ``scope`` is user, shared or global."""
    wait = max(round(wait, 3), 0.001)
    is_global = scope == "global"
    told = {"Retry-After": str(int(wait) + 1), "X-RateLimit-Scope": scope, **(headers or {})}
    if is_global:
        told["X-RateLimit-Global"] = "true"
    return DiscordError(
        429,
        0,
        "You are being rate limited.",
        extra={"retry_after": wait, "global": is_global},
        headers=told,
    )


def _reset(now: float, wait: float) -> dict[str, str]:
    return {
        "X-RateLimit-Reset": f"{now + wait:.3f}",
        "X-RateLimit-Reset-After": f"{wait:.3f}",
    }


def _forget(times: deque[float], oldest: float) -> None:
    while times and times[0] <= oldest:
        times.popleft()
