"""A meeting of two players in a knockout: one to three games, sides exchanged, and a decider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from bot.domain.tournaments.crosstable import LOSS, WIN


class Decider(Enum):
    """What decides when all games are played and the score is level. Stated before the event."""

    EXTRA_GAME = "extra_game"
    """One more game, sides exchanged; if that is drawn too the higher seed goes on."""
    SECOND_WINS_DRAW = "second_wins_draw"
    """One more game, which the higher seed begins, and a draw in which wins for the other."""
    HIGHER_SEED = "higher_seed"
    """The higher seed goes on."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One game of a meeting: who moved first, and their points; the other has the rest.

    ``is_void`` is a game in which neither player came: nobody has points.
    """

    first: int
    points: Fraction
    is_void: bool = False

    def of(self, player: int) -> Fraction:
        """The points of one of the two."""
        if self.is_void:
            return LOSS
        return self.points if player == self.first else WIN - self.points


@dataclass(frozen=True, slots=True)
class Meeting:
    """How a meeting stands. ``next_first`` begins the next game, None if there is none.

    ``winner`` is None while it is not over, and for good if neither player came to any game.
    """

    is_over: bool
    winner: int | None
    next_first: int | None


def meeting(
    high: int, low: int, legs: Sequence[Leg], *, best_of: int, decider: Decider, begins: int
) -> Meeting:
    """How the meeting of a higher and a lower seed stands.

    ``begins`` moves first in the first game, then sides are exchanged. Games that could change
    nothing are not played. Raises :exc:`ValueError` for more than three games or fewer than one.
    """
    if not 1 <= best_of <= 3:
        raise ValueError("a meeting has one to three games")
    score = {each: sum((leg.of(each) for leg in legs[:best_of]), LOSS) for each in (high, low)}
    left = max(best_of - len(legs), 0)
    for each, other in ((high, low), (low, high)):
        if score[each] > score[other] + left:
            return Meeting(True, each, None)
    if left:
        other = low if begins == high else high
        return Meeting(False, None, begins if len(legs) % 2 == 0 else other)
    if all(leg.is_void for leg in legs):
        return Meeting(True, None, None)
    if decider is Decider.HIGHER_SEED:
        return Meeting(True, high, None)
    if len(legs) == best_of:
        last = legs[-1].first
        exchanged = low if last == high else high
        first = high if decider is Decider.SECOND_WINS_DRAW else exchanged
        return Meeting(False, None, first)
    extra = legs[best_of]
    if extra.of(high) == extra.of(low):
        drawn_for = low if decider is Decider.SECOND_WINS_DRAW and not extra.is_void else high
        return Meeting(True, drawn_for, None)
    winner = high if extra.of(high) > extra.of(low) else low
    return Meeting(True, winner, None)
