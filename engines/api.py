"""What an engine is asked and what it answers, whatever game it plays and however it searches.

Budgets
    A search may look at so many *nodes*, and knows no clock: the same position, budget and seed
    give the same answer on every machine, however busy. A node differs from search to
    search, so budgets of different games cannot be compared.

Values
    A *value* is what the player on move can expect, from 0 (a loss) by way of 0.5 (a draw) to 1
    (a win). Where more than two play, it is the share of the win.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

PROVED_DEPTH = 64
"""No search of moves one after another goes deeper than this."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal move as a search sees it.

    ``line`` is how the game may go on, this move first. ``is_proved`` says that the value is no
    estimate: the move wins, draws or loses against best play; ``within`` are the moves that the
    winner then makes at most, this one included if it is the winner's, where that is known.
    ``is_guess`` says that the search has not looked at the move.
    """

    move: Any
    value: float
    line: tuple[Any, ...]
    is_proved: bool = False
    is_guess: bool = False
    within: int | None = None

    @property
    def is_won(self) -> bool:
        """Whether the move is known to win."""
        return self.is_proved and self.value == 1.0

    @property
    def is_lost(self) -> bool:
        """Whether the move is known to lose."""
        return self.is_proved and self.value == 0.0


class Search(Protocol):
    """A way to look ahead in one game under one set of options."""

    def candidates(
        self, position: Any, nodes: int, rng: Random, *, compare: bool = False
    ) -> list[Candidate]:
        """All legal moves of a position that is not over, the best one first.

        ``compare`` asks for values that can be compared with each other. Without it only the first
        one has to be right, which lets a search leave out what cannot be the best.
        """
        ...


@dataclass(frozen=True, slots=True)
class Oversights:
    """What a beginner overlooks of what the opponent is about.

    ``plans`` is how much less it minds how far its moves set back the opponent's plans than how
    they further its own. The others are kinds of answers, each with the share of turns in which it
    does not see them: ``far`` ones away from where its own favourite move goes, ``quiet`` ones that
    take nothing, and ``second``, all but the first threat that it has seen.
    """

    plans: float
    far: float
    quiet: float
    second: float


@dataclass(frozen=True, slots=True)
class Level:
    """How strong an engine plays.

    ``nodes`` is the budget for a move. It plays one whose value is at most ``margin`` below the
    best, the better the more likely, or in a share ``slips`` of its turns any move; but it plays
    proved wins and avoids proved losses all the same.

    A level with ``oversights`` searches as a beginner does (:mod:`engines.beginner`) instead of as
    its engine: a node is a move of its own that it looks at closely.
    """

    number: int
    nodes: int
    slips: float = 0.0
    margin: float = 0.0
    oversights: Oversights | None = None


@dataclass(frozen=True, slots=True)
class AnalysedMove:
    """A move in canonical notation, its value for the player who makes it, and the line it starts.

    ``proof`` is ``win``, ``draw`` or ``loss`` where that is certain, else None; ``within`` is as in
    :class:`Candidate`.
    """

    move: str
    value: float
    line: tuple[str, ...]
    proof: str | None = None
    within: int | None = None
