"""OpenSkill, for games between more than two.

The Bradley-Terry model with partial pairing of Weng and Lin, *A Bayesian approximation method for
online ranking* (2011), as the library ``openskill`` computes it: https://openskill.me.
"""

from __future__ import annotations

from openskill.models import BradleyTerryPart

from bot.domain.ratings.system import Rating

_MODEL = BradleyTerryPart()
_POINTS = 40
"""Points of the shown number for one of the model's; never to be changed, or all numbers move."""


class Skill:
    """OpenSkill, shown as what a player is very likely to be at least."""

    key = "openskill"
    newcomer = Rating(_MODEL.mu, _MODEL.sigma)
    certain = 6.0
    """Reached after some twenty matches of four."""

    def aged(self, rating: Rating, days: float) -> Rating:  # noqa: ARG002
        """The model knows no time; every match adds a little uncertainty instead."""
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
