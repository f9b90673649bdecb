"""Measurements of the levels of each game, as plain data: no engine is loaded for it.

A *step* is a level's score against the one below (``docs/engines.md`` has the commands and the
conditions). Ratings follow from the steps: 400 points are odds of ten to one, as usual, and by
convention level 3 of each game has :data:`ANCHOR`. They compare levels of one game with each other;
no person has been measured against them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import log10
from types import MappingProxyType

ANCHOR = 1500
_ANCHORED = 3


@dataclass(frozen=True, slots=True)
class Step:
    """A level's result against the one below: games won, drawn and lost."""

    won: int
    drawn: int
    lost: int

    @property
    def points(self) -> float:
        """The strength of the upper level over the lower; half a game is added to each side.

        So a step without a loss has a number too.
        """
        scored = self.won + self.drawn / 2 + 0.5
        return 400 * log10(scored / (self.won + self.drawn + self.lost + 1 - scored))


GENERAL: tuple[Step | None, ...] = (None,) * 5
"""The steps of a game without a package of its own."""

STEPS: Mapping[str, tuple[Step | None, ...]] = MappingProxyType(
    {
        "quax": (
            Step(10, 0, 0),
            Step(45, 0, 15),
            Step(10, 0, 0),
            Step(28, 0, 8),
            Step(24, 0, 6),
        ),
        "quux": (
            Step(76, 0, 28),
            Step(11, 0, 1),
            Step(17, 4, 3),
            Step(18, 9, 3),
            Step(9, 3, 0),
        ),
        "ziggurat": (
            Step(34, 0, 10),
            Step(11, 0, 1),
            Step(12, 1, 1),
            Step(18, 0, 4),
            Step(11, 0, 1),
        ),
        "pux": (
            Step(39, 3, 12),
            Step(16, 1, 3),
            Step(48, 4, 16),
            Step(21, 2, 5),
            Step(10, 0, 0),
        ),
        "pythagoras": (
            Step(11, 0, 1),
            Step(28, 2, 8),
            Step(23, 1, 6),
            Step(17, 0, 3),
            Step(43, 1, 14),
        ),
    }
)
"""For each game the steps from level 1 up; None where a step has not been admitted.

So every level with a rating has been tested against the one below, and so have all levels under it.
"""


def steps_of(game: str) -> tuple[Step | None, ...]:
    """The steps of a game, by its key."""
    return STEPS.get(game, GENERAL)


def levels_of(game: str) -> int:
    """The number of levels of a game; they count from 1."""
    return len(steps_of(game)) + 1


def rating_of(game: str, level: int) -> int | None:
    """The rating of a level, None where a step below it has not been admitted."""
    points: list[float] = []
    for step in steps_of(game)[: max(level, _ANCHORED) - 1]:
        if step is None:
            return None
        points.append(step.points)
    heights = list(accumulate(points, initial=0.0))
    return round(ANCHOR + heights[level - 1] - heights[_ANCHORED - 1])
