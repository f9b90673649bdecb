"""Quux while pyramids are placed: the choice of a search, corrected by proofs.

A proof search (:mod:`engines.solver`) asks whether the side on move can force its chain before
anything moves, and if not, after which moves the opponent could.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

from engines.api import Candidate, Search
from engines.quux.attack import Attack
from engines.solver import Solver
from games.quux import Quux
from games.search import TooMuchError

_LEFT = 18
"""The number of pyramids in both hands below which it is worthwhile, on 4x4 after 12 placements."""
_LEAST = 10_000
"""Below this number of nodes there are no proofs."""


_CELLS = 16
"""Above this number of cells a proof has fewer states, since each takes longer."""


class Placing:
    """A search, with proofs where it has nodes: 18 times as many states to win, twice to lose."""

    def __init__(self, game: Quux, search: Search) -> None:
        self._game = game
        self._search = search

    def candidates(
        self, position: Any, nodes: int, rng: Random, *, compare: bool = False
    ) -> list[Candidate]:
        """All legal moves, a proved win first, proved losses last.

        For a comparison of all there are no proofs: of two winning moves only one might be proved.
        Nor is there one where all moves lose: the opponent may not see it.
        """
        found = self._search.candidates(position, nodes, rng, compare=compare)
        left = sum(map(sum, position.hands))
        if compare or nodes < _LEAST or not 0 < left <= _LEFT or found[0].is_proved:
            return found
        game, mover = self._game, position.mover
        states = nodes * _CELLS // max(_CELLS, len(position.piles))
        with suppress(TooMuchError):
            solver = Solver(game, Attack(game, mover, position.size), 18 * states)
            if solver.wins(position, mover) and (move := solver.answer(position)) is not None:
                rest = [each for each in found if each.move != move]
                return [Candidate(move, 1.0, (move,), is_proved=True), *rest]
        lost: list[Candidate] = []
        with suppress(TooMuchError):
            solver = Solver(game, Attack(game, 1 - mover, position.size), 2 * states)
            for each in found:
                if not solver.wins(game.play(position, each.move), 1 - mover):
                    break
                lost.append(replace(each, value=0.0, is_proved=True))
        return found if len(lost) == len(found) else [*found[len(lost) :], *lost]
