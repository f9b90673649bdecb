"""Vacations: the days that a player has, and the days used.

Every player has a number of days in a calendar year, UTC, and none are carried over. A day of
vacation is 24 hours from the begin of the vacation, or from the end of the day before; it counts
once it has begun, for the year in which it begins. A player has one vacation at a time.

Everything is a function of aware instants; nothing here looks at the time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.domain.clock import Span
from bot.domain.ids import UserId

DAY = timedelta(days=1)
AFTER_A_MOVE = DAY
"""How long an automatic vacation goes on after its player's first move: time for moves in other
matches, one of which has no time left.
"""


@dataclass(frozen=True, slots=True)
class Vacation:
    """From an instant to another; ``by_itself`` if it began automatically."""

    began_at: datetime
    ends_at: datetime
    by_itself: bool = False

    def covers(self, at: datetime) -> bool:
        """Whether an instant lies in it."""
        return self.began_at <= at < self.ends_at

    def lasts(self, now: datetime) -> bool:
        """Whether the vacation lasts at present.

        None is planned ahead: one that begins later was begun before the machine's clock was put
        back.
        """
        return now < self.ends_at

    @property
    def days(self) -> int:
        """How many of its days begin before its end."""
        return max(0, -((self.began_at - self.ends_at) // DAY))


@dataclass(frozen=True, slots=True)
class UserVacation:
    """A vacation and its player."""

    user_id: UserId
    vacation: Vacation

    @property
    def span(self) -> Span:
        """The time in which the player's clocks stop."""
        return Span(self.vacation.began_at, self.vacation.ends_at)


def _year(at: datetime) -> int:
    return at.astimezone(UTC).year


def used(vacations: Iterable[Vacation]) -> Counter[int]:
    """The days that vacations use of each year."""
    return Counter(
        _year(each.began_at + day * DAY) for each in vacations for day in range(each.days)
    )


def days_left(vacations: Iterable[Vacation], allowance: int, at: datetime) -> int:
    """The remaining days of the year of an instant."""
    year = _year(at)
    return max(0, allowance - used(vacations)[year])


def longest(vacations: Iterable[Vacation], allowance: int, began_at: datetime) -> int:
    """The most days of a vacation that begins at an instant, beside the other ones.

    It goes on into the next year if the days of this one last until then.
    """
    taken = used(vacations)
    days = 0
    while taken[year := _year(began_at + days * DAY)] < allowance:
        taken[year] += 1
        days += 1
        if days > 2 * allowance:
            # More than the days of any year, for a player who is on vacation all year.
            break
    return days
