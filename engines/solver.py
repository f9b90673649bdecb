"""Proof-number search: whether the side on move wins, on a board that knows forced moves.

Depth-first, after Nagai 2002, with one table; a state is left a quarter later than the next best
one would suggest, so that the search returns to fewer (Pawlewicz and Lew 2007). A loss is as far
as the hardest of the moves to refute, and one more for each other (Ueda and others 2008): in a sum
what two moves transpose to would count twice.
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

    def efforts(self, state: Any, moves: Sequence[Any]) -> tuple[int, int]:
        """A guess at the work of a proof that the side on move wins, and that it loses."""
        ...


class _Node:
    """A state with the distances from a proof that its mover wins, and that it loses."""

    __slots__ = ("after", "lost", "moves", "state", "won")

    def __init__(self, state: Any, won: int, lost: int, moves: Sequence[Any]) -> None:
        self.state = state
        self.won = won
        self.lost = lost
        self.moves = moves
        self.after: list[_Node] = []


class Solver:
    """Answers about positions of one game, keeping its proofs.

    It raises :exc:`~games.search.TooMuchError` if it needs more than ``most`` states in all.
    """

    def __init__(self, game: Game[Any, Any], board: Forcing, most: int | None = None) -> None:
        self._game = game
        self._board = board
        self._most = most
        self._nodes: dict[Hashable, _Node] = {}
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
            after = self._nodes.get(board.play(state, move))
            if after is not None and after.lost == 0:
                return board.named(state, move)
        for move in board.moves(state):
            if not self._wins(board.play(state, move)):
                return board.named(state, move)
        raise ValueError("the position is lost")

    def _wins(self, state: Any) -> bool:
        node = self._look(state)
        if node.won and node.lost:
            self._search(node, _PROVED, _PROVED)
        return node.won == 0

    def _look(self, state: Any) -> _Node:
        node = self._nodes.get(state)
        if node is None:
            if self._most is not None and len(self._nodes) >= self._most:
                raise TooMuchError("too many states to look at")
            value, moves = self._board.forced(state)
            if value is None:
                won, lost = self._board.efforts(state, moves)
            else:
                won, lost = (0, _PROVED) if value else (_PROVED, 0)
            node = self._nodes[state] = _Node(state, won, lost, moves)
        return node

    def _search(self, node: _Node, most_won: int, most_lost: int) -> None:
        """Search below the state until one of its numbers reaches its bound."""
        children = node.after
        if not children:
            for move in node.moves:
                child = self._look(self._board.play(node.state, move))
                if not child.lost:
                    node.won, node.lost = 0, _PROVED
                    return
                children.append(child)
        while True:
            won = second = _PROVED
            hardest, left, best = 0, -1, children[0]
            for child in children:
                if child.won:
                    left += 1
                    hardest = max(hardest, child.won)
                    if child.lost < won:
                        won, second, best = child.lost, won, child
                    elif child.lost < second:
                        second = child.lost
            lost = min(hardest + left, _PROVED) if hardest else 0
            if not won:
                lost = _PROVED
            node.won, node.lost = won, lost
            if won >= most_won or lost >= most_lost or not won or not lost:
                return
            # A win of one side is a loss of the other.
            self._search(best, most_lost - left, min(most_won, second + second // 4 + 1))
