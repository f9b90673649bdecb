"""Ratings, the interface of rating systems, and OpenSkill.

OpenSkill is for games of more than two: the Bradley-Terry model with partial pairing of Weng and
Lin, *A Bayesian approximation method for online ranking* (2011), computed by the library
``openskill``: https://openskill.me.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from openskill.models import BradleyTerryPart


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
    """The largest deviation of a rating that is not shown as provisional."""

    def aged(self, rating: Rating, days: float) -> Rating:
        """The rating of a player who has not played for this many days: less certain."""
        ...

    def after(self, ratings: tuple[Rating, ...], ranks: tuple[int, ...]) -> tuple[Rating, ...]:
        """The ratings after a match; ``ranks`` are places from 0, equal ones are tied."""
        ...

    def shown(self, rating: Rating) -> int:
        """The number that players see; a newcomer's is 1500 in every system."""
        ...


# ---- OpenSkill -----------------------------------------------------------------------------------

_MODEL = BradleyTerryPart()
_POINTS = 40
"""Points of the shown number for one of the model's; a change would move all numbers."""


class Skill:
    """OpenSkill, shown as a rating that the player very likely reaches at least."""

    key = "openskill"
    newcomer = Rating(_MODEL.mu, _MODEL.sigma)
    certain = 6.0
    """Reached after some twenty matches of four."""

    def aged(self, rating: Rating, days: float) -> Rating:  # noqa: ARG002
        """The model has no time; every match adds a little uncertainty instead."""
        return rating

    def after(self, ratings: tuple[Rating, ...], ranks: tuple[int, ...]) -> tuple[Rating, ...]:
        """The ratings of all after a match."""
        teams = [[_MODEL.rating(mu=one.mean, sigma=one.deviation)] for one in ratings]
        rated = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
        return tuple(Rating(team[0].mu, team[0].sigma) for team in rated)

    def shown(self, rating: Rating) -> int:
        """Three deviations below the mean, on a scale where a newcomer has 1500."""
        return round(1500 + _POINTS * (rating.mean - 3 * rating.deviation))


SKILL = Skill()
