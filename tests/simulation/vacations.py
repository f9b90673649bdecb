"""Vacations as those count them who take them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

ALLOWANCE = 30
"""Days, all of which lie in one year here."""
DAY = timedelta(days=1)


@dataclass
class UserVacation:
    """One vacation."""

    begin: datetime
    end: datetime
    by_itself: bool = False

    @property
    def days(self) -> int:
        """Each day counts that has begun."""
        whole, rest = divmod(self.end - self.begin, DAY)
        return whole + bool(rest)


@dataclass
class Leaves:
    """All vacations of one person, one after another."""

    taken: list[UserVacation] = field(default_factory=list)

    @property
    def days_left(self) -> int:
        return ALLOWANCE - sum(each.days for each in self.taken)

    def at(self, when: datetime) -> UserVacation | None:
        return next((each for each in self.taken if each.begin <= when < each.end), None)

    def spans(self) -> list[tuple[datetime, datetime]]:
        return [(each.begin, each.end) for each in self.taken]

    def begin(self, at: datetime, days: int) -> bool:
        """Go on vacation; whether one may."""
        if self.at(at) is not None or not 0 < days <= self.days_left:
            return False
        self.taken.append(UserVacation(at, at + days * DAY))
        return True

    def end(self, at: datetime) -> None:
        """Come back."""
        current = self.at(at)
        if current is not None:
            current.end = at

    def begin_by_itself(self, at: datetime) -> bool:
        """The time of a turn has run out, and vacation is to begin; whether there are days left."""
        if self.days_left <= 0 or self.at(at) is not None:
            return False
        later = next((each for each in self.taken if each.begin > at), None)
        if later is not None:
            # Begun by hand in the moment between.
            later.begin = at
        else:
            self.taken.append(UserVacation(at, at + self.days_left * DAY, by_itself=True))
        return True

    def moved(self, at: datetime) -> bool:
        """A move by hand ends one that began by itself, a day later; whether it did."""
        current = self.at(at)
        if current is None or not current.by_itself or current.end <= at + DAY:
            return False
        current.end = at + DAY
        return True
