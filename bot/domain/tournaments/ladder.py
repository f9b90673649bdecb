"""A ladder: rungs, challenges a bounded number of places up, and results that move them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from bot.errors import UserError

ANSWER = timedelta(days=3)
"""How long a challenge waits for an answer; then it counts as declined."""
INACTIVE = timedelta(days=30)
"""A player who has finished no game of the ladder for so long sinks by one rung, and so on."""


DECLINES = 1
"""How often a player may decline between two games; the next time counts as a lost game."""


@dataclass(frozen=True, slots=True)
class Climb:
    """A player came to a higher rung, counted from the top: from one to another."""

    entrant: int
    before: int
    after: int
    at: datetime


CLIMBS = 5
"""How many of the last climbs are kept to be shown."""


def climbs_after(
    climbs: tuple[Climb, ...], before: tuple[int, ...], after: tuple[int, ...], at: datetime
) -> tuple[Climb, ...]:
    """The last climbs, the newest first, once the same players stand on other rungs.

    Entering or leaving the ladder is no climb.
    """
    if before == after or set(before) != set(after):
        return climbs
    new = tuple(
        Climb(number, before.index(number) + 1, rung, at)
        for rung, number in enumerate(after, 1)
        if before.index(number) + 1 > rung
    )
    return (*new, *climbs)[:CLIMBS]


def check_challenge(
    rungs: Sequence[int], challenger: int, challenged: int, *, reach: int, busy: Collection[int]
) -> None:
    """Raise :exc:`~bot.errors.UserError` unless a player may challenge another.

    The other must be above, not further than ``reach`` rungs, and neither may be in a challenge or
    a game of the ladder already (``busy``).
    """
    if challenger not in rungs or challenged not in rungs:
        raise UserError("not_entered")
    up = rungs.index(challenger) - rungs.index(challenged)
    if up <= 0:
        raise UserError("challenge_up")
    if up > reach:
        raise UserError("challenge_far", most=reach)
    if challenger in busy or challenged in busy:
        raise UserError("challenge_busy")


def after_result(
    rungs: tuple[int, ...], players: Sequence[int], points: Sequence[Fraction]
) -> tuple[int, ...]:
    """The rungs after a game: a player who beats one above takes that rung, others move down.

    A draw changes nothing, nor does a win over a player below, nor a game of one who has left.
    """
    if len(players) != 2 or points[0] == points[1] or not set(players) <= set(rungs):
        return rungs
    winner, loser = players if points[0] > points[1] else reversed(players)
    if rungs.index(winner) < rungs.index(loser):
        return rungs
    rest = [each for each in rungs if each != winner]
    rest.insert(rest.index(loser), winner)
    return tuple(rest)


def after_decline(
    rungs: tuple[int, ...], challenger: int, challenged: int, declined: int
) -> tuple[int, ...]:
    """The rungs after a player declined, for the ``declined``-th time since their last game."""
    if declined <= DECLINES:
        return rungs
    return after_result(rungs, (challenger, challenged), (Fraction(1), Fraction(0)))


def after_inactivity(
    rungs: tuple[int, ...], last_game: dict[int, datetime], now: datetime
) -> tuple[int, ...]:
    """The rungs once each player who has not played for :data:`INACTIVE` has sunk by one.

    From the bottom up, so that of two inactive neighbours neither passes the other. The last rung
    cannot sink.
    """
    found = list(rungs)
    for at in range(len(found) - 2, -1, -1):
        idle = now - last_game.get(found[at], now) >= INACTIVE
        below_idle = now - last_game.get(found[at + 1], now) >= INACTIVE
        if idle and not below_idle:
            found[at], found[at + 1] = found[at + 1], found[at]
    return tuple(found)
