"""Short proofs: the moves of a position that win or lose by force within a few moves.

A search that samples or that stops at its first proof leaves moves without a verdict that a few
moves ahead would settle. This one tries them all: wins in one move of the winner's first, then in
two, and so on until its nodes are spent. Its verdicts are proved; everything else is open.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from engines.api import PROVED_DEPTH
from engines.board import Board

S = TypeVar("S")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class ShortProof:
    """A proof that a player wins by force, with at most ``own`` moves of the winner from here.

    ``line`` is the expected continuation, the loser holding out as long as possible.
    """

    player: int
    own: int
    line: tuple[Any, ...]


class _BudgetSpent(Exception):
    """All nodes are used up."""


class ShortProofs(Generic[S, M]):
    """Proofs about the positions after one position, within ``nodes``, the examined states.

    A recurring position of the ``past`` may be a draw, so it counts as no win.
    """

    def __init__(self, board: Board[S, M], past: Iterable[Hashable], nodes: int) -> None:
        self._board = board
        self._past = frozenset(past)
        self._left = nodes
        self._for_lines = nodes // 4
        self._known: dict[tuple[Hashable, int], tuple[int, int]] = {}
        """For each state and player the own moves without a win, and those with one."""
        self._first: dict[tuple[int, int, bool], M] = {}
        """The move that answered the last question of the same kind: likely to answer the next."""

    def find(self, states: Sequence[S], mover: int) -> list[ShortProof | None]:
        """For each state the proved winner, ``mover`` or, at a table of two, the other player.

        With more players, a loss would need the others to help each other.
        """
        found: list[ShortProof | None] = [None] * len(states)
        players = (mover, 1 - mover) if self._board.players == 2 else (mover,)
        try:
            for own in range(PROVED_DEPTH):
                for place, state in enumerate(states):
                    for player in players:
                        if found[place] is None and self._wins(state, player, own):
                            found[place] = ShortProof(player, own, ())
                if None not in found:
                    break
        except _BudgetSpent:
            pass
        self._left += self._for_lines
        return [
            each and replace(each, line=tuple(self._line(state, each)))
            for state, each in zip(states, found, strict=True)
        ]

    def _wins(self, state: S, player: int, own: int) -> bool:
        """Whether the player can force a win with at most ``own`` moves of their own."""
        board = self._board
        rewards = board.rewards(state)
        if rewards is not None:
            return rewards[player] == 1.0
        is_own = board.mover(state) == player
        if is_own and own == 0:
            return False
        key = board.key(state), player
        none_up_to, from_here_on = self._known.get(key, (-1, PROVED_DEPTH))
        if own <= none_up_to or own >= from_here_on:
            return own >= from_here_on
        if key[0] in self._past:
            return False
        if self._left <= 0:
            raise _BudgetSpent
        self._left -= 1
        if self._forces(state, player, own, is_own=is_own):
            self._known[key] = none_up_to, own
            return True
        self._known[key] = own, from_here_on
        return False

    def _forces(self, state: S, player: int, own: int, *, is_own: bool) -> bool:
        board = self._board
        plain, moves = board.forced(state)
        if plain is not None:
            return own > 0 and plain == is_own
        kind = player, own, is_own
        first = self._first.get(kind)
        if first is not None and first in moves:
            moves = [first, *(move for move in moves if move != first)]
        for move in moves:
            if self._wins(board.play(state, move), player, own - is_own) == is_own:
                self._first[kind] = move
                return is_own
        return not is_own

    def _line(self, state: S, proof: ShortProof) -> list[Any]:
        """The course of the win, as far as there are nodes for it."""
        board, player, own = self._board, proof.player, proof.own
        line: list[Any] = []
        try:
            while board.rewards(state) is None:
                is_own = board.mover(state) == player
                after = [(move, board.play(state, move)) for move in board.forced(state)[1]]
                left = own - is_own
                ways = [(self._least(then, player, left), move, then) for move, then in after]
                # The winner wins as soon, the loser loses as late as possible.
                best = (min if is_own else max)(ways, key=lambda each: each[0])
                if best[0] > left:
                    break
                line.append(board.named(state, best[1]))
                own, _, state = best
        except _BudgetSpent:
            pass
        return line

    def _least(self, state: S, player: int, most: int) -> int:
        """The number of own moves for the player's win; one more than ``most`` without one."""
        return next((own for own in range(most + 1) if self._wins(state, player, own)), most + 1)
