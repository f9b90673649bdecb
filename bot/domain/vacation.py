"""Vacations: how many days a player has, and what they have used of them.

Everybody has so many days in a calendar year, UTC, and nothing of them is carried over. A day of
vacation is 24 hours from the moment at which the vacation began, or from the end of the day before;
it counts once it has begun, for the year in which it begins. Nobody is on vacation twice at a time.

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
"""How long a vacation that began by itself goes on after its person has moved somewhere: time to
move in the other matches as well, one of which has none left."""


@dataclass(frozen=True, slots=True)
class Vacation:
    """From an instant to another; ``by_itself`` if nobody asked for it."""

    began_at: datetime
    ends_at: datetime
    by_itself: bool = False

    def covers(self, at: datetime) -> bool:
        """Whether an instant lies in it."""
        return self.began_at <= at < self.ends_at

    def lasts(self, now: datetime) -> bool:
        """Whether its person is on vacation now.

        None is planned for later: one that begins later was begun before the machine's clock was
        put back.
        """
        return now < self.ends_at

    @property
    def days(self) -> int:
        """How many days of it begin before it ends."""
        return max(0, -((self.began_at - self.ends_at) // DAY))


@dataclass(frozen=True, slots=True)
class UserVacation:
    """A vacation and whose it is."""

    user_id: UserId
    vacation: Vacation

    @property
    def span(self) -> Span:
        """The time in which their clocks stop."""
        return Span(self.vacation.began_at, self.vacation.ends_at)


def _year(at: datetime) -> int:
    return at.astimezone(UTC).year


def used(vacations: Iterable[Vacation]) -> Counter[int]:
    """How many days vacations take of each year."""
    return Counter(
        _year(each.began_at + day * DAY) for each in vacations for day in range(each.days)
    )


def days_left(vacations: Iterable[Vacation], allowance: int, at: datetime) -> int:
    """How many of a year's days are left in the year of an instant."""
    year = _year(at)
    return max(0, allowance - used(vacations)[year])


def longest(vacations: Iterable[Vacation], allowance: int, began_at: datetime) -> int:
    """How many days a vacation may have that begins at an instant, beside the other ones.

    It goes on into the next year if the days of this one last until then.
    """
    taken = used(vacations)
    days = 0
    while taken[year := _year(began_at + days * DAY)] < allowance:
        taken[year] += 1
        days += 1
        if days > 2 * allowance:
            # More than all days of a year, for a player whose year is all vacation.
            break
    return days
