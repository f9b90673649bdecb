"""Accelerated rounds of a Swiss: the Baku method (FIDE Handbook C.04.5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bot.domain.tournaments.crosstable import LOSS, Kind
from bot.domain.tournaments.tournament import Tournament


@dataclass(frozen=True, slots=True)
class Acceleration:
    """Points that count in the pairing alone.

    ``upper`` are the entrants who have them, by seed from the first; ``spans`` are how many points
    these are, and in which rounds (first, last).
    """

    upper: tuple[int, ...] = ()
    spans: tuple[tuple[Fraction, int, int], ...] = ()

    def bonus(self, number: int) -> Fraction:
        """What it is in a round; 0 in one that is not accelerated."""
        return next((points for points, first, last in self.spans if first <= number <= last), LOSS)

    def points(self, number: int, entrant: int) -> Fraction:
        """What an entrant has of it in a round."""
        return self.bonus(number) if entrant in self.upper else LOSS


def acceleration_of(t: Tournament, rounds: int) -> Acceleration:
    """The acceleration of a tournament of so many rounds; an empty one if it has none.

    The upper half of those who are in the first round, rounded up to an even number, and those who
    enter later above the last of them.
    """
    if not t.setup.accelerated:
        return Acceleration()
    order = t.seeding
    starters = _starters(t)
    first = [each for each in order if each in starters]
    half = 2 * -(-len(first) // 4)
    upper = order[: order.index(first[half - 1]) + 1] if len(first) > half else order
    accelerated = -(-rounds // 2)
    whole = -(-accelerated // 2)
    spans = [(Fraction(1), 1, whole), (Fraction(1, 2), whole + 1, accelerated)]
    return Acceleration(upper, tuple(each for each in spans if each[1] <= each[2]))


def _starters(t: Tournament) -> frozenset[int]:
    """Who is in the first round or has asked for a bye in it."""
    if not t.rounds:
        return frozenset(each.number for each in t.entrants if each.is_active or 1 in each.byes)
    there = {number for each in t.in_round(1) for number in each.game.players}
    there |= {
        number
        for number, kind in t.rounds[0].byes.items()
        if kind is not Kind.ZERO_BYE or 1 in t.entrants[number - 1].byes
    }
    return frozenset(number for number in there if t.entrants[number - 1].since == 1)
