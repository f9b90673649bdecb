"""The results of every player in every round, the base of standings and reports.

Points are exact (:class:`fractions.Fraction`): three players who share first place at a table of
four have 7/3 points each. *First* is the side that makes the first move, White in chess.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction

WIN = Fraction(1)
DRAW = Fraction(1, 2)
LOSS = Fraction(0)


class Side(Enum):
    """The sides of a game of two: the first moves first."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Side:
        """The opponent's side."""
        return Side.SECOND if self is Side.FIRST else Side.FIRST


class Kind(Enum):
    """The kinds of rounds for one player."""

    PLAYED = "played"
    PENDING = "pending"
    """Paired, and not decided yet."""
    FORFEIT = "forfeit"
    """Paired, but won or lost without a game."""
    PAIRING_BYE = "pairing_bye"
    """Left over by the pairing; worth a win."""
    FULL_BYE = "full_bye"
    HALF_BYE = "half_bye"
    ZERO_BYE = "zero_bye"
    """Requested, or absent. Half-point and zero-point byes are *requested* byes."""

    @property
    def is_bye(self) -> bool:
        """Whether there was no opponent."""
        return self in _BYES

    @property
    def is_requested(self) -> bool:
        """Whether it is a requested bye (FIDE C.07 article 16.1.1)."""
        return self in (Kind.HALF_BYE, Kind.ZERO_BYE)


_BYES = frozenset({Kind.PAIRING_BYE, Kind.FULL_BYE, Kind.HALF_BYE, Kind.ZERO_BYE})


@dataclass(frozen=True, slots=True)
class CrosstableLine:
    """One round of one player. ``opponent`` is a competitor's number, None in a bye."""

    round: int
    opponent: int | None
    side: Side | None
    points: Fraction
    kind: Kind

    @property
    def is_voluntary(self) -> bool:
        """Whether it is a voluntary unplayed round: a requested bye or a forfeit loss (16.1.2)."""
        return self.kind.is_requested or (self.kind is Kind.FORFEIT and self.points == LOSS)

    @property
    def is_over(self) -> bool:
        """Whether it counts: decided, or a bye."""
        return self.kind is not Kind.PENDING


@dataclass(frozen=True, slots=True)
class Competitor:
    """One player: a constant number (1 is the highest seed), and the rounds in order."""

    number: int
    name: str = ""
    rating: int | None = None
    lines: tuple[CrosstableLine, ...] = ()

    @property
    def points(self) -> Fraction:
        """All points so far, byes and forfeits too."""
        return sum((line.points for line in self.lines), LOSS)

    def until(self, last: int) -> Competitor:
        """The same player after ``last`` rounds."""
        return replace(self, lines=tuple(line for line in self.lines if line.round <= last))

    def renumbered(self, numbers: Mapping[int, int]) -> Competitor:
        """The same with other numbers for this player and all opponents."""
        lines = tuple(
            line if line.opponent is None else replace(line, opponent=numbers[line.opponent])
            for line in self.lines
        )
        return replace(self, number=numbers[self.number], lines=lines)

    def in_round(self, number: int) -> CrosstableLine | None:
        """The player's line of a round; None if there is none."""
        return next((line for line in self.lines if line.round == number), None)


@dataclass(frozen=True, slots=True)
class Crosstable:
    """All competitors of one tournament or division, by number.

    ``rounds`` is the number of drawn rounds; ``fixed`` says that all pairings were known from the
    start (round robin), so that a forfeited game still counts as one against that opponent (FIDE
    C.07 article 15.2). ``win`` and ``draw`` are their points.
    """

    competitors: Mapping[int, Competitor] = field(hash=False)
    rounds: int
    fixed: bool = False
    win: Fraction = WIN
    draw: Fraction = DRAW

    @classmethod
    def of(
        cls,
        competitors: Iterable[Competitor],
        *,
        fixed: bool = False,
        win: Fraction = WIN,
        draw: Fraction = DRAW,
    ) -> Crosstable:
        """A table of these players."""
        competitors = tuple(competitors)
        by_number = {each.number: each for each in competitors}
        rounds = max((line.round for each in competitors for line in each.lines), default=0)
        return cls(by_number, rounds, fixed, win, draw)

    def until(self, last: int) -> Crosstable:
        """The table after ``last`` rounds."""
        cut = {key: each.until(last) for key, each in self.competitors.items()}
        return replace(self, competitors=cut, rounds=min(last, self.rounds))
