"""Pythagoras against a second implementation, and the plain rule."""

from __future__ import annotations

from random import Random

import pytest

from games.pythagoras import Pin, Pit, Place, Position, Pythagoras, scores
from games.pythagoras.board import SPACES
from games.pythagoras.position import SIZES
from games.pythagoras.rules import generate, refuse
from tests.referees.pythagoras import Pythagoras as Referee

pytestmark = pytest.mark.long

GAME = Pythagoras()


def random_game(seed: int) -> list[Position]:
    rng = Random(seed)
    position = GAME.initial(rng)
    seen = [position]
    while moves := GAME.legal_moves(position):
        position = GAME.play(position, rng.choice(moves))
        seen.append(position)
    return seen


@pytest.mark.parametrize("seed", range(20))
def test_every_move_and_every_score_agree_with_a_second_implementation(seed: int) -> None:
    rng = Random(seed)
    position = GAME.initial(rng)
    table = Referee()
    while True:
        text = GAME.encode(position)
        assert text == table.text()
        assert [score.total for score in scores(position)] == list(table.points().values()), text
        moves = {GAME.notation(position, move): move for move in GAME.legal_moves(position)}
        assert set(moves) == set(table.legal()), text
        if not moves:
            break
        chosen = rng.choice(sorted(moves))
        position = GAME.play(position, moves[chosen])
        table.play(chosen)


@pytest.mark.parametrize("seed", range(8))
def test_the_fast_list_of_moves_holds_what_the_plain_rule_lets_through(seed: int) -> None:
    for position in random_game(seed):
        fast = set(generate(position, position.mover))
        plain = {
            move
            for size in SIZES
            for place in SPACES
            for move in (Place(size, place.name), Pin(size, place.name))
            if refuse(position, move) is None
        }
        assert fast == plain


def test_a_turn_has_few_moves_but_sometimes_more_than_a_menu_holds() -> None:
    lengths = [len(GAME.legal_moves(p)) for seed in range(10) for p in random_game(seed)]
    assert max(lengths) > 25
    assert max(lengths) <= 39


def test_the_pit_is_used_and_extra_moves_are_owed_in_random_games() -> None:
    """The tests above have seen both."""
    positions = [position for seed in range(8) for position in random_game(seed)]
    assert any(position.owes for position in positions)
    assert any(isinstance(move, Pit) for p in positions for move in GAME.legal_moves(p))
