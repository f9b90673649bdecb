"""Ziggurat against a second implementation, and the plain rules.

Games against the second implementation are in ``test_referees.py``.
"""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from games.playout import result_line
from games.ziggurat import Exit, Move, Pass, Position, Reinforce, Travel, Ziggurat
from games.ziggurat.board import CELLS, FILES, KEEPS, KINDS, LETTERS, PILES, TOWERS
from tests.referees.ziggurat import TABLE
from tests.referees.ziggurat import Ziggurat as Referee

pytestmark = pytest.mark.long

GAME = Ziggurat()


# The second implementation


def test_a_second_implementation_agrees_on_crowded_boards() -> None:
    """Positions that no game need reach: piles of all kinds strewn over the board."""
    rng = Random(23)
    piles = sorted(PILES)
    checked = 0
    while checked < 1500:
        board = [""] * FILES * FILES
        for place in rng.sample(range(FILES * FILES), rng.randint(4, 14)):
            pile = rng.choice(piles)
            whole = "".join(board) + pile
            if all(whole.count(letter) <= 2 for letters in LETTERS for letter in letters):
                board[place] = pile
        position = Position(tuple(board), rng.randrange(2), (KINDS, KINDS), ("", ""))
        text = GAME.position_text(position)
        other = Referee()
        other.set(text)
        legal = {GAME.notation(position, move) for move in GAME.legal_moves(position)}
        assert legal == set(other.legal()), text
        assert result_line(GAME, position) == other.result(), text
        checked += 1


# Properties


def line(seed: int) -> list[tuple[Position, Move | None]]:
    """The positions of a random game with the move played in each."""
    rng = Random(seed)
    position = GAME.initial(rng)
    found: list[tuple[Position, Move | None]] = []
    while moves := GAME.legal_moves(position):
        move = rng.choice(moves)
        found.append((position, move))
        position = GAME.play(position, move)
    return [*found, (position, None)]


def test_the_list_of_moves_holds_what_the_plain_rules_let_through() -> None:
    """Every turn that can be written at all, against the refusals."""
    everything: list[Move] = [Travel(*cells) for cells in product(CELLS, repeat=2)]
    everything += map(Exit, CELLS)
    everything += [Reinforce(kind, cell) for kind in KINDS for cell in CELLS]
    everything.append(Pass())
    for seed in range(4):
        for position, _ in line(seed):
            allowed = {move for move in everything if GAME.why_illegal(position, move) is None}
            assert set(GAME.legal_moves(position)) == allowed


def test_the_table_of_captures_is_the_rule_that_a_proper_pile_results() -> None:
    piles = {*KINDS, *TOWERS, *KEEPS}
    derived = {
        (unit, under) for unit, under in product(piles, repeat=2) if under + unit in TOWERS | KEEPS
    }
    assert derived == {(unit, under) for unit in TABLE for under in TABLE[unit]}
