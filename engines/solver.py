"""Proof-number search: whether the side on move wins, on a board that knows forced moves.

Depth-first, after Nagai 2002, with one table; a state is left a quarter later than the next best
one would suggest, so that the search returns to fewer (Pawlewicz and Lew 2007).
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from random import Random
from typing import Any, Protocol

from games.api import Game
from games.certificate import Certificate, certificate
from games.search import TooMuchError

_PROVED = 1 << 60
_DEEPEST = 20_000


class Forcing(Protocol):
    """A board that knows forced moves. None of its lines returns to a state."""

    def start(self, position: Any) -> Any:
        """The state of a position of the game."""
        ...

    def moves(self, state: Any) -> Sequence[Any]:
        """The legal moves."""
        ...

    def play(self, state: Any, move: Any) -> Any:
        """The state after a move."""
        ...

    def named(self, state: Any, move: Any) -> Any:
        """The move in the game's form."""
        ...

    def forced(self, state: Any) -> tuple[bool | None, Sequence[Any]]:
        """Whether the side on move is sure to win or to lose, if that is plain, and its moves.

        Moves that lose for certain may be left out.
        """
        ...


class Solver:
    """Answers about positions of one game, keeping its proofs.

    It raises :exc:`~games.search.TooMuchError` if it needs more than ``most`` states in all.
    """

    def __init__(self, game: Game[Any, Any], board: Forcing, most: int | None = None) -> None:
        self._game = game
        self._board = board
        self._most = most
        self._numbers: dict[Hashable, tuple[int, int]] = {}
        """For each state the distances from a proof that its mover wins, and that it loses."""
        self._moves: dict[Hashable, Sequence[Any]] = {}
        """The moves of states that were examined but not yet searched."""
        self._after: dict[Hashable, list[Any]] = {}
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST))

    def wins(self, position: Any, seat: int) -> bool:
        """Whether the seat wins a position that is not over."""
        return self._wins(self._board.start(position)) == (self._game.to_move(position) == seat)

    def certificate(self, opening: Sequence[str], winner: int) -> Certificate | None:
        """The seat's answers to everything after these moves, None if it does not win."""
        game = self._game
        position = game.initial(Random(0))
        for text in opening:
            position = game.play(position, game.parse(position, text))
        if game.outcome(position) is not None:
            raise ValueError("the game is over")
        if not self.wins(position, winner):
            return None
        return certificate(game, opening, winner, self.answer)

    def answer(self, position: Any) -> Any:
        """A move that wins a won position, None if one wins immediately."""
        game, board = self._game, self._board
        mover = game.to_move(position)
        for move in game.legal_moves(position):
            outcome = game.outcome(game.play(position, move))
            if outcome is not None and outcome.winners == (mover,):
                return None
        state = board.start(position)
        for move in board.moves(state):
            # Callers ask for proved positions first.
            if self._numbers.get(board.play(state, move), (1, 1))[1] == 0:
                return board.named(state, move)
        for move in board.moves(state):
            if not self._wins(board.play(state, move)):
                return board.named(state, move)
        raise ValueError("the position is lost")

    def _wins(self, state: Any) -> bool:
        won, lost = self._look(state)
        if won and lost:
            self._search(state, _PROVED, _PROVED)
            won, lost = self._numbers[state]
        return won == 0

    def _look(self, state: Any) -> tuple[int, int]:
        numbers = self._numbers.get(state)
        if numbers is None:
            if self._most is not None and len(self._numbers) >= self._most:
                raise TooMuchError("too many states to look at")
            value, moves = self._board.forced(state)
            if value is not None:
                numbers = (0, _PROVED) if value else (_PROVED, 0)
            else:
                self._moves[state] = moves
                numbers = 1, len(moves)
            self._numbers[state] = numbers
        return numbers

    def _search(self, state: Any, most_won: int, most_lost: int) -> None:
        """Search below the state until one of its numbers reaches its bound."""
        children = self._after.get(state)
        if children is None:
            moves, play = self._moves.pop(state), self._board.play
            children = self._after[state] = [play(state, move) for move in moves]
        numbers, look = self._numbers, self._look
        while True:
            won = second = _PROVED
            lost = best_won = 0
            best = children[0]
            for child in children:
                child_won, child_lost = numbers.get(child) or look(child)
                lost += child_won
                if child_lost < won:
                    won, second = child_lost, won
                    best, best_won = child, child_won
                elif child_lost < second:
                    second = child_lost
            numbers[state] = won, min(lost, _PROVED)
            if won >= most_won or lost >= most_lost or not won or not lost:
                return
            # A win of one side is a loss of the other.
            most = second + second // 4 + 1
            self._search(best, most_lost - lost + best_won, min(most_won, most))
