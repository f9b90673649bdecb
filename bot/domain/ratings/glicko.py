"""Glicko-2, for games of two players.

Mark Glickman, *Example of the Glicko-2 system*, http://www.glicko.net/glicko/glicko2.pdf; the steps
named below are those of the paper. It rates all games of a period together. Here, as on lichess,
every match is a period of its own, and the time between two matches of a player is a fraction of
the period by which an inactive player's deviation grows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.domain.ratings.system import Rating

_SCALE = 173.7178
_TAU = 0.75
"""How much a volatility may change in a period; the paper advises 0.3 to 1.2."""
_CONVERGED = 0.000001
_LEAST_DEVIATION, _MOST_DEVIATION = 45.0, 350.0
_PERIODS_A_DAY = 0.21436
"""So that at the volatility of a newcomer a deviation of 60 becomes 110 in a year."""
_LARGEST_CHANGE = 700.0


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a period: the opponent, and the score against them, 0 to 1."""

    opponent: Rating
    score: float


def _g(phi: float) -> float:
    return 1.0 / math.sqrt(1.0 + 3.0 * phi * phi / (math.pi * math.pi))


def _expected(mu: float, mu_j: float, phi_j: float) -> float:
    return 1.0 / (1.0 + math.exp(-_g(phi_j) * (mu - mu_j)))


def rate_period(
    rating: Rating, games: Sequence[Game], *, tau: float = _TAU, periods: float = 1.0
) -> Rating:
    """The rating after a period with these games, on the scale of 1500 and 350.

    ``periods`` is how much of a period has passed, for a player who is rated before it is over.
    """
    mu, phi, sigma = (rating.mean - 1500.0) / _SCALE, rating.deviation / _SCALE, rating.volatility
    if not games:
        drift = sigma * _SCALE * math.sqrt(periods)
        return Rating(rating.mean, math.hypot(rating.deviation, drift), sigma)
    # Steps 3 and 4: the variance of the games, and the improvement that they suggest.
    information = gain = 0.0
    for game in games:
        mu_j, phi_j = (game.opponent.mean - 1500.0) / _SCALE, game.opponent.deviation / _SCALE
        weight, expected = _g(phi_j), _expected(mu, mu_j, phi_j)
        information += weight * weight * expected * (1.0 - expected)
        gain += weight * (game.score - expected)
    variance = 1.0 / information
    sigma = _volatility(phi, sigma, variance, variance * gain, tau)
    # Steps 6 and 7.
    before = phi * phi + periods * sigma * sigma
    phi = 1.0 / math.sqrt(1.0 / before + 1.0 / variance)
    return Rating(1500.0 + _SCALE * (mu + phi * phi * gain), phi * _SCALE, sigma)


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the new volatility, by the Illinois algorithm."""
    start = math.log(sigma * sigma)

    def f(x: float) -> float:
        grown = math.exp(x)
        spread = phi * phi + variance + grown
        return grown * (delta * delta - spread) / (2.0 * spread * spread) - (x - start) / (
            tau * tau
        )

    low, high = _bracket(f, start, tau, delta * delta - phi * phi - variance)
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _CONVERGED:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2.0
        high, at_high = middle, at_middle
    return math.exp(low / 2.0)


def _bracket(
    f: Callable[[float], float], start: float, tau: float, surprise: float
) -> tuple[float, float]:
    """Two points with the zero between them."""
    if surprise > 0:
        return start, math.log(surprise)
    steps = 1
    while f(start - steps * tau) < 0:
        steps += 1
    return start, start - steps * tau


class Glicko:
    """Glicko-2 match by match, with the limits that lichess uses."""

    key = "glicko2"
    newcomer = Rating(1500.0, 350.0, 0.06)
    certain = 110.0

    def aged(self, rating: Rating, days: float) -> Rating:
        """The deviation grows with the volatility and the time, to that of a newcomer at most."""
        older = rate_period(rating, (), periods=max(days, 0.0) * _PERIODS_A_DAY)
        return _within(older, rating)

    def after(self, ratings: tuple[Rating, ...], ranks: tuple[int, ...]) -> tuple[Rating, ...]:
        """The ratings of both after a match, each computed with the other's earlier rating."""
        one, other = ratings
        score = 0.5 if ranks[0] == ranks[1] else float(ranks[0] < ranks[1])
        return (
            _within(rate_period(one, (Game(other, score),), periods=0.0), one),
            _within(rate_period(other, (Game(one, 1.0 - score),), periods=0.0), other),
        )

    def shown(self, rating: Rating) -> int:
        """The mean, as a whole number."""
        return round(rating.mean)


def _within(rating: Rating, before: Rating) -> Rating:
    """The rating, limited in its change and its certainty."""
    change = min(max(rating.mean - before.mean, -_LARGEST_CHANGE), _LARGEST_CHANGE)
    deviation = min(max(rating.deviation, _LEAST_DEVIATION), _MOST_DEVIATION)
    return Rating(before.mean + change, deviation, min(rating.volatility, 0.1))


GLICKO = Glicko()
