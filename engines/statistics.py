"""Statistics of a match: Wilson's interval, Elo, a sequential test.

A draw counts as half a win and half a loss, and a shared win at a larger table by its share.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log10, sqrt
from typing import ClassVar

Z95 = 1.959964
"""Of a two-sided interval with 95 % confidence."""
Z90_LOWER = 1.281552
"""Of a lower bound with 90 % confidence."""
ADMITTED = 0.6
"""A level has to score at least this against the one below, with 90 % confidence."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The lower and the upper bound of a share."""

    low: float
    high: float


def wilson(score: float, games: int, z: float = Z95) -> Interval:
    """Wilson's score interval of the share ``score / games`` (Wilson 1927); ``games`` > 0."""
    share = score / games
    centre = share + z * z / (2 * games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return Interval(max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale))


def is_admitted(score: float, games: int) -> bool:
    """Whether the score is at least 60 %, with 90 % confidence."""
    return games > 0 and wilson(score, games, Z90_LOWER).low >= ADMITTED


def elo(share: float) -> float | None:
    """The difference in Elo points that leads to the share, None for all or nothing."""
    if not 0 < share < 1:
        return None
    return -400 * log10(1 / share - 1)


def expected(difference: float) -> float:
    """The share that a difference in Elo points leads to."""
    return float(1 / (1 + 10 ** (-difference / 400)))


@dataclass(slots=True)
class SequentialTest:
    """A test, game by game, of whether a player scores more than ``share``: it may end at any time.

    It bets a unit of money at odds that are fair for a player who scores just that, ``stake`` of it
    for each point above. With a player no better than that the chance of ever owning ``ENOUGH`` is
    at most one in ten (Ville 1939; for scores between 0 and 1, Waudby-Smith and Ramdas 2024).
    Without draws this is Wald's sequential test of 60 % against 80 %, or with ``BETTER`` of 50 %
    against 75 %.
    """

    share: float = ADMITTED
    stake: float = 5 / 6
    money: float = 1.0

    BETTER: ClassVar[tuple[float, float]] = (0.5, 1.0)
    """Share and stake of the test for the better of two players."""
    ENOUGH: ClassVar[float] = 10.0

    def add(self, score: float) -> None:
        """Add a game, by the player's share of the win."""
        self.money *= 1 + self.stake * (score - self.share)

    @property
    def is_won(self) -> bool:
        """Whether the score is above the share, with 90 % confidence."""
        return self.money >= self.ENOUGH

    @property
    def is_lost(self) -> bool:
        """Whether too little is left to go on."""
        return self.money <= 1 / self.ENOUGH


@dataclass(frozen=True, slots=True)
class Sprt:
    """Wald's sequential probability ratio test of ``elo0`` against ``elo1`` (Wald 1945).

    Both kinds of error have the chance ``error``.
    """

    elo0: float = 0.0
    elo1: float = 30.0
    error: float = 0.05

    @property
    def bound(self) -> float:
        """The ratio's logarithm at which the test is decided, one way or the other."""
        return log((1 - self.error) / self.error)

    def ratio(self, score: float, games: int) -> float:
        """The logarithm of the likelihood ratio of ``elo1`` to ``elo0``."""
        share0, share1 = expected(self.elo0), expected(self.elo1)
        return score * log(share1 / share0) + (games - score) * log((1 - share1) / (1 - share0))

    def verdict(self, score: float, games: int) -> str:
        """``stronger``, ``not stronger`` or ``undecided``."""
        ratio = self.ratio(score, games)
        if ratio >= self.bound:
            return "stronger"
        return "not stronger" if ratio <= -self.bound else "undecided"
