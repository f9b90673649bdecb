"""What a rating is, and what every way of computing one can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a player's strength, on the scale of the system that made it.

    ``deviation`` is the standard error of ``mean``; ``volatility`` how much the strength itself is
    expected to change, 0 where a system does not estimate it.
    """

    mean: float
    deviation: float
    volatility: float = 0.0


class System(Protocol):
    """A way of computing ratings."""

    key: str
    """The name under which the store keeps its ratings."""
    newcomer: Rating
    """The rating of a player who has not played yet."""

    certain: float
    """The largest deviation of a rating that is not shown with a question mark."""

    def aged(self, rating: Rating, days: float) -> Rating:
        """The rating of a player who has not played for so many days: less certain."""
        ...

    def after(self, ratings: tuple[Rating, ...], ranks: tuple[int, ...]) -> tuple[Rating, ...]:
        """The ratings after a match; ``ranks`` are places from 0, equal ones are tied."""
        ...

    def shown(self, rating: Rating) -> int:
        """The number that people see; a newcomer's is 1500 in every system."""
        ...
