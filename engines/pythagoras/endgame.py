"""The end of a game of Pythagoras for two, solved exactly: the winner with best play of both.

Few moves are left to each player there, but extra moves (P18) make long lines of them, which a tree
search with few nodes overlooks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.pythagoras.board import PLACE, PythagorasBoard, State


class _OutOfNodesError(Exception):
    """The budget is used up."""


class Endgame:
    """Solves states of one game; its results are kept for the next state."""

    def __init__(self, board: PythagorasBoard) -> None:
        self._board = board
        self._known: dict[State, tuple[float, ...]] = {}
        self._left = 0

    def results(
        self, state: State, moves: Sequence[int], nodes: int
    ) -> Mapping[int, tuple[float, ...]]:
        """The rewards after those moves that can be solved with this many nodes in all."""
        found: dict[int, tuple[float, ...]] = {}
        mover = self._board.mover(state)
        self._left = 0
        for move in moves:
            self._left += nodes // len(moves)
            try:
                found[move] = self._result(self._board.play(state, move))
            except _OutOfNodesError:
                continue
            if found[move][mover] == 1.0:
                break
        return found

    def _result(self, state: State) -> tuple[float, ...]:
        board = self._board
        result = board.rewards(state)
        if result is not None:
            return result
        result = self._known.get(state)
        if result is not None:
            return result
        if self._left <= 0:
            raise _OutOfNodesError
        self._left -= 1
        mover = board.mover(state)
        for move in sorted(board.moves(state), key=_rank):
            found = self._result(board.play(state, move))
            if result is None or found[mover] > result[mover]:
                result = found
                if result[mover] == 1.0:
                    break
        if result is None:
            raise ValueError("a game that is not over has a move")
        self._known[state] = result
        return result


def _rank(move: int) -> tuple[bool, int]:
    """Pins come first, small before large: this order needs the fewest states."""
    return move >> 9 == PLACE, move >> 7 & 3
