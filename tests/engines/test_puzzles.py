"""Puzzles of the package: as many as there are, each with one proved answer."""

from __future__ import annotations

import pytest

from engines.catalog import engine_for
from engines.puzzle_book import puzzles, write_puzzle
from engines.puzzles import make_puzzles
from games import catalog
from games.search import ForcedWin


def test_no_puzzle_is_there_twice() -> None:
    found = puzzles()
    assert len(found) >= 12
    assert len({(each.game, each.state) for each in found}) == len(found)


@pytest.mark.parametrize("number", range(0, len(puzzles()), 7))
def test_the_engine_of_the_game_proves_the_answer(number: int) -> None:
    puzzle = puzzles()[number]
    game = catalog.create(puzzle.game, puzzle.options)
    position = game.decode(puzzle.state)
    assert game.outcome(position) is None
    found = engine_for(game).analyse(position, 3000).moves
    assert found[0].move == puzzle.move
    assert found[0].proof == "win"
    move = game.parse(position, puzzle.move)
    assert game.outcome(game.play(position, move)) is None
    assert not ForcedWin(1).moves(game, position)


def test_the_same_seed_makes_the_same_puzzle_with_one_answer() -> None:
    game = catalog.create("quax", {"size": 5, "pie": "off"})
    one, two = (next(make_puzzles(game, seed=1)) for _ in range(2))
    assert write_puzzle(one) == write_puzzle(two)
    assert ForcedWin(one.within).moves(game, game.decode(one.state)) == {one.move}
