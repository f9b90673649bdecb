"""The budget of session starts with Discord, for all processes of a bot together.

Discord counts every IDENTIFY and resets the token of a bot that sends more than 1,000 of them in 24
hours (https://docs.discord.com/developers/events/gateway#session-start-limit-object). Our own count
stays well below that, whatever fails: a bucket that fills evenly, with a reserve for a start by
hand. It is stored as one instant, at which the bucket is full again if nothing more is taken (the
generic cell rate algorithm), so no clean-up is needed and no crash can lose more than its own part.

The first session of a process costs a deposit, most of which is given back once the process is
ready. So a process that dies over and over before it gets that far begins fewer than 100 sessions a
day, while one that is only restarted often, or meets a gateway that refuses it, has some 450 at
once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import floor
from typing import TypeAlias

Moments: TypeAlias = Mapping[str, datetime]
"""The state of session starts: instants by name."""

BUDGET = "budget"
"""When the bucket is full again."""
DEPOSIT = 10
"""The cost of the first session of a process; every other session costs one."""
GIVEN_BACK = DEPOSIT - 1
"""The part that is given back when the process is ready."""

_DAY = timedelta(days=1)
_MOST_QUEUED = 100


def queue_of(shard_id: int, max_concurrency: int) -> str:
    """The queue in which a shard waits for its turn; Discord calls it the rate limit key."""
    return f"queue {shard_id % max_concurrency}"


@dataclass(frozen=True, slots=True)
class SessionBudget:
    """The budget, of the ``total`` session starts that Discord permits in 24 hours."""

    total: int = 1000

    @property
    def size(self) -> int:
        """The capacity of the bucket, the reserve included."""
        return self.total // 2

    @property
    def reserve(self) -> int:
        """The part reserved for a start by hand."""
        return self.total // 20

    @property
    def each(self) -> timedelta:
        """How long the bucket takes to fill by one."""
        return _DAY / (self.size - self.reserve)

    def left(self, full_at: datetime | None, now: datetime, *, by_hand: bool = False) -> int:
        """The number of sessions that may be begun now."""
        return max(0, floor(self._level(full_at, now) - self._kept(by_hand)))

    def free_at(
        self, full_at: datetime | None, now: datetime, cost: int, *, by_hand: bool = False
    ) -> datetime:
        """When ``cost`` may be spent; not before ``now``."""
        missing = cost + self._kept(by_hand) - self._level(full_at, now)
        return now + max(0.0, missing) * self.each

    def spend(self, full_at: datetime | None, now: datetime, cost: int) -> datetime:
        """When the bucket is full again after this; a negative cost gives back."""
        begins = now if full_at is None else max(full_at, now)
        return min(begins + cost * self.each, now + self.size * self.each)

    def _kept(self, by_hand: bool) -> int:
        return 0 if by_hand else self.reserve

    def _level(self, full_at: datetime | None, now: datetime) -> float:
        if full_at is None or full_at <= now:
            return self.size
        level = self.size - (full_at - now) / self.each
        # Below zero only where the machine's clock was put back: then all but the reserve counts as
        # spent, so that waiting does not take as long as the clock went back.
        return level if level >= 0 else self.reserve


@dataclass(frozen=True, slots=True)
class SessionTurn:
    """The time of a session start. Unless it ``is_granted``, ask again then."""

    at: datetime
    is_granted: bool


def ask_turn(
    moments: Moments,
    now: datetime,
    budget: SessionBudget,
    *,
    cost: int,
    queue: str,
    between: timedelta,
    by_hand: bool = False,
) -> tuple[Moments, SessionTurn]:
    """Take the next place in a queue if ``cost`` may be spent now; nothing is spent yet.

    Turns of one queue are ``between`` apart, whichever process they belong to.
    """
    free_at = budget.free_at(moments.get(BUDGET), now, cost, by_hand=by_hand)
    if free_at > now:
        return moments, SessionTurn(free_at, False)
    # A queue that ends in the far future is left from a clock that was put back.
    ends = moments.get(queue, now)
    at = now if ends > now + _MOST_QUEUED * between else max(ends, now)
    return {**moments, queue: at + between}, SessionTurn(at, True)


def latest(one: Moments, other: Moments) -> Moments:
    """Both together, with the later instant of each name."""
    names = one.keys() | other.keys()
    return {name: max(each[name] for each in (one, other) if name in each) for name in names}
