"""An arena: free players near in points are paired at once; streaks; it ends on the minute."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from bot.domain.tournaments.crosstable import DRAW, WIN

SHORTEST = timedelta(minutes=30)
LONGEST = timedelta(hours=4)
REMATCH = timedelta(minutes=1)
"""How long two players who just met wait for other opponents while others play."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A player who is free: points so far, since when they wait, and their last opponent.

    ``firsts`` is in how many more games they have moved first than second.
    """

    number: int
    points: int
    since: datetime
    last: int | None = None
    firsts: int = 0


def arena_points(results: Iterable[Fraction]) -> tuple[int, ...]:
    """Points for results in order: a win 2, a draw 1; after two wins running they count double.

    The streak ends with the first game that is not won; that game still counts double.
    """
    points: list[int] = []
    streak = 0
    for result in results:
        worth = 2 if result == WIN else 1 if result == DRAW else 0
        points.append(worth * 2 if streak >= 2 else worth)
        streak = streak + 1 if result == WIN else 0
    return tuple(points)


def pair_free(waiting: Sequence[Waiting], *, rematch: bool = True) -> tuple[tuple[int, int], ...]:
    """Pairs of free players, who moves first named first.

    The player with the most points is paired first, with the nearest in points they have not just
    met; of equals, the one who has waited longest. Two players who just met are paired only if no
    other is free, and not without ``rematch``. Sides alternate; if that decides nothing, fewer
    points move first.
    """
    rest = sorted(waiting, key=lambda each: (-each.points, each.since, each.number))
    pairs = []
    may_meet_again = rematch and len(rest) == 2
    while len(rest) > 1:
        one = rest.pop(0)
        fit = [
            each
            for each in rest
            if may_meet_again or (each.number != one.last and one.number != each.last)
        ]
        if not fit:
            continue
        two = min(fit, key=lambda each: (one.points - each.points, each.since, each.number))
        rest.remove(two)
        first, second = (one, two) if one.firsts < two.firsts else (two, one)
        pairs.append((first.number, second.number))
    return tuple(pairs)


def is_in_time(ended: datetime, ends: datetime) -> bool:
    """Whether a game that ended then counts: an arena ends on the minute."""
    return ended <= ends


def arena_places(scores: Mapping[int, tuple[int, ...]]) -> tuple[tuple[int, int], ...]:
    """Rank and number, best first, from each one's points in order.

    More points are better; of equal points, those from fewer games.
    """
    keys = {number: (-sum(each), len(each)) for number, each in scores.items()}
    order = sorted(keys, key=lambda number: (keys[number], number))
    return tuple(
        (1 + sum(other < keys[number] for other in keys.values()), number) for number in order
    )
