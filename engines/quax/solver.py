"""Who wins small boards of Quax, and a strategy that shows it.

Depth-first proof-number search (Nagai 2002) with one table: what is forced is found at once by
:meth:`~engines.quax.board.QuaxBoard.forced`, so that the tree ends two plies before the game does.
The strategy is written down as a certificate that :mod:`games.certificate` checks by the rules
alone.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

from engines.quax.board import QuaxBoard, State
from games.api import Game
from games.certificate import Certificate

_PROVED = 1 << 60
_DEEPEST = 20_000


class Solver:
    """Answers about positions of one size; what it proved it keeps."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self._board = QuaxBoard(int(game.options["size"]))
        self._numbers: dict[State, tuple[int, int]] = {}
        """For each state how far it is from proved that its mover wins, and that it loses."""
        self._after: dict[State, list[State]] = {}
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST))

    @property
    def states(self) -> int:
        """How many states it has looked at."""
        return len(self._numbers)

    def wins(self, position: Any) -> bool:
        """Whether the side on move wins a position that is not over."""
        return self._wins(self._board.start(position))

    def certificate(self, opening: tuple[str, ...] = ()) -> Certificate:
        """Who wins after these moves, and what the winner answers to everything."""
        game = self._game
        position = game.initial(Random(0))
        for text in opening:
            position = game.play(position, game.parse(position, text))
        mover = game.to_move(position)
        if mover is None:
            raise ValueError("the game is over")
        winner = mover if self.wins(position) else type(mover)(1 - mover)
        answers: dict[str, str] = {}
        left, seen = [position], {position}
        while left:
            here = left.pop()
            if game.to_move(here) == winner:
                answer = self._answer(here)
                if answer is None:
                    continue  # it wins at once
                answers[game.encode(here)] = game.notation(here, answer)
                moves = [answer]
            else:
                moves = list(game.legal_moves(here))
            for move in moves:
                then = game.play(here, move)
                if game.outcome(then) is None and then not in seen:
                    seen.add(then)
                    left.append(then)
        return Certificate(game.info.key, dict(game.options), opening, int(winner), answers)

    def _answer(self, position: Any) -> Any:
        """A move that wins a won position, None if one wins at once."""
        board = self._board
        state = board.start(position)
        if board.threats(state, state.mover):
            return None
        for move in board.moves(state):
            # What is proved already is asked for first.
            if self._numbers.get(board.play(state, move), (1, 1))[1] == 0:
                return board.named(state, move)
        for move in board.moves(state):
            if not self._wins(board.play(state, move)):
                return board.named(state, move)
        raise ValueError("the position is lost")

    def _wins(self, state: State) -> bool:
        won, lost = self._look(state)
        if won and lost:
            self._search(state, _PROVED, _PROVED)
            won, lost = self._numbers[state]
        return won == 0

    def _look(self, state: State) -> tuple[int, int]:
        numbers = self._numbers.get(state)
        if numbers is None:
            value, moves = self._board.forced(state)
            if value is not None:
                numbers = (0, _PROVED) if value else (_PROVED, 0)
            else:
                self._after[state] = [self._board.play(state, move) for move in moves]
                numbers = 1, len(moves)
            self._numbers[state] = numbers
        return numbers

    def _search(self, state: State, most_won: int, most_lost: int) -> None:
        """Look on below the state until one of its numbers reaches its bound."""
        children = self._after[state]
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
            # What is won for one side is lost for the other.
            self._search(best, most_lost - lost + best_won, min(most_won, second + 1))
