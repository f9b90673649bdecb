"""The interface of engines, for any game and any search.

Budgets
    A search has a number of *nodes*, and no clock: the same position, budget and seed give the same
    answer on every machine, however busy. A node differs from search to search, so budgets of
    different games cannot be compared.

Values
    A *value* is the expectation of the player on move, from 0 (a loss) through 0.5 (a draw) to 1 (a
    win). With more than two players it is the share of the win.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

PROVED_DEPTH = 64
"""The greatest depth of a proof in any search."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal move with the result of a search.

    ``line`` is the expected continuation, this move first. ``is_proved`` says that the value is no
    estimate: the move wins, draws or loses against best play; ``within`` is the most moves that the
    winner then makes, this one included if it is the winner's, where that is known. ``is_guess``
    says that the search has not looked at the move.
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
    """Things that a beginner overlooks in the opponent's play.

    ``plans`` says how much less it values moves against the opponent's plans than moves for its
    own. The others are kinds of answers, each with the share of turns in which it does not see
    them: ``far`` ones away from the target of its own favourite move, ``quiet`` ones that take
    nothing, and ``second``, all but the first threat that it has seen.
    """

    plans: float
    far: float
    quiet: float
    second: float


@dataclass(frozen=True, slots=True)
class Level:
    """The playing strength of an engine.

    ``nodes`` is the budget for a move. It plays one whose value is at most ``margin`` below the
    best, better ones with a higher chance, or in a share ``slips`` of its turns any move; but it
    always plays proved wins and avoids proved losses.

    A level with ``oversights`` searches like a beginner (:mod:`engines.beginner`) instead of like
    its engine: a node is a move of its own that it looks at closely, and moves within the margin
    look equal to it.
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
