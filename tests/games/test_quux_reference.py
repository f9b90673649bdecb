"""Quux against a second implementation, and the plain rules.

Many more games against the second implementation are in ``test_referees.py``.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from games.playout import result_line
from games.quux import Move, Pass, Place, Position, Quux, Shift, Swap
from games.quux.board import SIZES
from tests.referees.quux import Quux as Referee

pytestmark = pytest.mark.long

OPTIONS: list[dict[str, Any]] = [
    {},
    {"supply": "paired", "pie": "on"},
    {"supply": "any", "path": "jump"},
    {"path": "jump"},
    {"size": 3},
    {"size": 3, "supply": "paired", "path": "jump"},
    {"size": 5},
    {"size": 6, "supply": "any", "pie": "on"},
]


# The second implementation


def shuffling(rng: Random, game: Quux, position: Position, moves: list[Move]) -> Move:
    """A move, often one back to a board of the past, as games that end in a draw have them."""
    if position.past and rng.random() < 0.8:
        back = [m for m in moves if game.play(position, m).piles in position.past]
        if back:
            return rng.choice(back)
    return rng.choice(moves)


def test_the_second_implementation_agrees_about_draws() -> None:
    """Games on the smallest board from full piles on, where repetitions are common."""
    game, rng = Quux({"size": 3, "supply": "paired"}), Random(20)
    reasons: Counter[str] = Counter()
    for _ in range(120):
        position, other = game.initial(rng), Referee(size="3", supply="paired")
        while not (outcome := game.outcome(position)):
            moves = game.legal_moves(position)
            # A player who would end the game by a chain looks for another move first.
            quiet = [m for m in moves if not game.outcome(game.play(position, m))] or moves
            move = shuffling(rng, game, position, quiet)
            other.play(game.notation(position, move))
            position = game.play(position, move)
        assert other.result() == result_line(game, position)
        reasons[outcome.reason] += 1
    assert reasons["repetition"]


# Properties


def line(game: Quux, seed: int) -> list[tuple[Position, Move | None]]:
    """The positions of a random game with the move played in each."""
    rng = Random(seed)
    position = game.initial(rng)
    found: list[tuple[Position, Move | None]] = []
    while moves := game.legal_moves(position):
        move = rng.choice(moves)
        found.append((position, move))
        position = game.play(position, move)
    return [*found, (position, None)]


@pytest.mark.parametrize("options", OPTIONS[:4], ids=str)
def test_the_list_of_moves_holds_what_the_plain_rules_let_through(options: dict[str, Any]) -> None:
    """Every placement and movement that can be written at all, against the refusals."""
    game = Quux(options)
    cells = game.initial(Random(0)).board.cells
    everything: list[Move] = [Place(size, cell) for size in SIZES for cell in cells]
    everything += [
        Shift(size, start, target) for size in SIZES for start in cells for target in cells
    ]
    everything += [Pass(), Swap()]
    for seed in range(3):
        for position, _ in line(game, seed):
            allowed = {move for move in everything if game.why_illegal(position, move) is None}
            assert set(game.legal_moves(position)) == allowed


def test_at_most_one_side_ever_has_a_chain() -> None:
    game = Quux({"path": "jump"})
    for seed in range(200):
        position = line(game, seed)[-1][0]
        board = position.board
        assert not (board.chain(0, position.piles) and board.chain(1, position.piles))
