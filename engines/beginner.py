"""A new player as a search, with a new player's taste and eye for answers.

It looks at all its moves, and at a glance each is worth what the board shows after it
(:meth:`~engines.board.Board.standings`). It looks at a few of its favourites more closely: what
might the opponent answer? There it overlooks *kinds* of answers (:class:`~engines.api.Oversights`),
the same ones for all its moves of a turn.

Moves within a ``margin`` look equal to it. Among those it likes to play where something is going
on (:meth:`~engines.board.Board.sights`), to move few pieces, and not to put them back to where they
came from.
Chance decides which answers it overlooks, and among equal moves by how well it likes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any, Generic, TypeVar

from engines.api import Candidate, Oversights
from engines.board import Board

S = TypeVar("S")
M = TypeVar("M")

_THIRD = 3
"""A distance of more than a third of the board is out of sight."""
_THREAT = 0.1
"""An answer counts as a threat if it is worse than the usual one by this much."""
_CELL = 2.0
"""A move appeals to it so many times as much if it comes one cell nearer to what it looks at,
or moves one piece less,"""
_BACK = 0.1
"""and so much if it puts its pieces back."""


@dataclass(slots=True)
class _Plan(Generic[S, M]):
    """A move, the state after it, and its value by the looks so far.

    Among moves that look equal the one with the greatest ``urge`` is played, from 0 to 1.
    """

    move: M
    after: S
    worth: float
    is_over: bool
    urge: float
    is_looked_at: bool = False


class Beginner(Generic[S, M]):
    """Looks at positions of one board; no data is kept from one to the next."""

    def __init__(self, board: Board[S, M], oversights: Oversights, margin: float = 0.0) -> None:
        self._board = board
        self._oversights = oversights
        self._margin = margin

    def candidates(
        self,
        position: Any,
        nodes: int,
        rng: Random,
        *,
        compare: bool = False,  # noqa: ARG002
    ) -> list[Candidate]:
        """All legal moves, the favourite first; the first few were looked at closely.

        A player who sees that all of those lose looks on, for a move that stops the threat.
        """
        board = self._board
        state = board.start(position)
        look = _Look(board, self._oversights, state, rng)
        taste = _Taste(board, state, position)
        plans: list[_Plan[S, M]] = []
        for move in board.moves(state):
            after = board.play(state, move)
            worth, is_over = look.worth(after)
            if board.key(after) in taste.past:
                worth, is_over = 0.5, True
            appeal = taste.appeal(move, after)
            urge = appeal and rng.random() ** (1 / appeal)
            plans.append(_Plan(move, after, worth, is_over, urge))
        plans.sort(key=self._rank)
        best = 0.0
        for number, plan in enumerate(plans):
            if number >= nodes and best > 0.0:
                break
            look.at(plan, only_first=number >= nodes)
            best = max(best, plan.worth)
        plans.sort(key=lambda each: (not each.is_looked_at, self._rank(each)))
        return [
            Candidate(
                name := board.named(state, each.move),
                each.worth if each.is_looked_at else min(each.worth, best),
                (name,),
                is_proved=each.is_over,
                is_guess=not each.is_looked_at,
            )
            for each in plans
        ]

    def _rank(self, plan: _Plan[S, M]) -> tuple[float, ...]:
        """The place of a move in its order: a win first, then by worth, give or take the margin.

        It tells moves apart as well when it is ahead or behind, where their values are closer.
        """
        margin = self._margin * (1 - abs(2 * plan.worth - 1)) ** 2
        worth = plan.worth + margin * plan.urge
        return (plan.worth != 1.0, plan.urge == 0.0, -worth, -plan.urge)


class _Taste(Generic[S, M]):
    """A player's liking for moves in one turn, apart from their worth."""

    def __init__(self, board: Board[S, M], state: S, position: Any) -> None:
        self._board = board
        self._mover = board.mover(state)
        self._sights = board.sights(state)
        self.past = frozenset(board.past(position))
        self._before = {board.side(key, self._mover) for key in self.past}

    def appeal(self, move: M, after: S) -> float:
        """The chance of a move among moves that look equal, in proportion.

        It does not think of moving what it looks at.
        """
        found, where = 1.0, self._board.where(move)
        if any(cell in self._sights for cell in where[1:-1]):
            return 0.0
        if where and self._sights:
            found *= _CELL ** -self._distance(where[-1])
            if len(where) > 1:
                found *= _CELL ** (self._distance(where[0]) - len(where[2:]))
        if self._before and self._board.side(self._board.key(after), self._mover) in self._before:
            found *= _BACK
        return found

    def _distance(self, cell: tuple[int, int]) -> int:
        x, y = cell
        return max(1, min(max(abs(x - file), abs(y - rank)) for file, rank in self._sights))


class _Look(Generic[S, M]):
    """A player's view in one turn, with the eye on the ``favourite`` move."""

    def __init__(self, board: Board[S, M], oversights: Oversights, state: S, rng: Random) -> None:
        self._board = board
        self._mover = board.mover(state)
        self._plans = oversights.plans
        self._before = self._best_of_others(board.standings(state))
        self._sees_far = rng.random() >= oversights.far
        self._sees_quiet = rng.random() >= oversights.quiet
        self._sees_second = rng.random() >= oversights.second
        self._favourite: Sequence[tuple[int, int]] | None = None
        self._threat: Sequence[tuple[int, int]] | None = None
        self._price = 0.0
        """The cost of an ordinary answer."""
        self._usual = 0.0

    def worth(self, state: S) -> tuple[float, bool]:
        """The value of a state at a glance, and whether the game is over there."""
        board, mover = self._board, self._mover
        rewards = board.rewards(state)
        if rewards is not None:
            return rewards[mover], True
        found = board.standings(state)
        others = self._best_of_others(found)
        ahead = found[mover] - others + self._plans * (others - self._before)
        return 0.5 + 0.499 * ahead / (abs(ahead) + board.unit), False

    def _best_of_others(self, standings: Sequence[float]) -> float:
        return max(each for player, each in enumerate(standings) if player != self._mover)

    def at(self, plan: _Plan[S, M], *, only_first: bool) -> None:
        """Take the answers to the move into account, except the overlooked ones."""
        board = self._board
        plan.is_looked_at = True
        if self._favourite is None:
            self._favourite = board.where(plan.move)[-1:]
        if plan.is_over:
            return
        after = plan.after
        while board.mover(after) == self._mover:  # It goes again, and plays on in its mind.
            ways = [board.play(after, each) for each in board.moves(after)]
            (plan.worth, is_over), after = max(
                ((self.worth(each), each) for each in ways), key=lambda each: each[0][0]
            )
            if is_over:
                return
        only_first = only_first or not self._sees_second
        worst, where = plan.worth - self._price, None
        found: list[float] = []
        for answer in board.moves(after):
            if self._sees(after, answer, only_first=only_first):
                then = board.play(after, answer)
                worth, is_over = self.worth(then)
                if not is_over and board.mover(then) != self._mover:
                    worth = max(0.0, worth - self._usual)
                found.append(worth)
                if worth < worst:
                    worst, where = worth, board.where(answer)
        if found and not only_first:
            self._usual = max(0.0, plan.worth - median(found))
        if self._threat is None and found and (usual := median(found)) - worst >= _THREAT:
            self._threat, self._price = where, max(0.0, plan.worth - usual)
        plan.worth = max(0.0, worst)

    def _sees(self, after: S, answer: M, *, only_first: bool) -> bool:
        board = self._board
        if only_first and self._threat is not None:
            return board.where(answer)[-1:] == self._threat[-1:]
        if not (self._sees_quiet or board.takes(after, answer)):
            return False
        return self._sees_far or not self._favourite or self._is_near(board.where(answer))

    def _is_near(self, where: Sequence[tuple[int, int]]) -> bool:
        ((file, rank),) = self._favourite or ()
        sight = self._board.width // _THIRD
        return all(abs(x - file) <= sight and abs(y - rank) <= sight for x, y in where)
