"""A wrapper for any search, against surprises by the next move.

Searches that only sample moves can miss what any beginner sees. This one examines the next two
plies first, if they are few enough, and leaves the rest to the wrapped search.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Generic, TypeVar

from engines.api import Candidate, Search
from engines.board import Board

S = TypeVar("S")
M = TypeVar("M")

_MOST_REPLIES = 3_000


class Watchful(Generic[S, M]):
    """The same candidates, with immediate wins first and immediate losses last."""

    def __init__(self, board: Board[S, M], search: Search) -> None:
        self._board = board
        self._search = search

    def candidates(
        self, position: Any, nodes: int, rng: Random, *, compare: bool = False
    ) -> list[Candidate]:
        """All moves of the search; a proved win, if one move makes it, comes first."""
        board = self._board
        state = board.start(position)
        mover = board.mover(state)
        left = _MOST_REPLIES
        lost: list[Any] = []
        for move in board.moves(state):
            after = board.play(state, move)
            name = board.named(state, move)
            rewards = board.rewards(after)
            if rewards is not None:
                if rewards[mover] == 1.0:
                    return [Candidate(name, 1.0, (name,), is_proved=True)]
                if rewards[mover] == 0.0:
                    lost.append(name)
                continue
            opponent = board.mover(after)
            if opponent == mover or left <= 0:
                continue
            replies = board.moves(after)
            left -= len(replies)
            for reply in replies:
                final = board.rewards(board.play(after, reply))
                if final is not None and final[mover] == 0.0 and final[opponent] > 0.0:
                    lost.append(name)
                    break
        found = self._search.candidates(position, nodes, rng, compare=compare)
        sound = [each for each in found if each.move not in lost]
        # With more than two at the table another player may have to help, so nothing is proved.
        sure = board.players == 2
        rest = [replace(each, value=0.0, is_proved=sure) for each in found if each.move in lost]
        return sound + rest
