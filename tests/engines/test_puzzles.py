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


def test_puzzles_that_win_at_once_are_checked_by_the_rules_alone() -> None:
    found = [each for each in puzzles() if each.within == 1]
    assert found
    for puzzle in found:
        game = catalog.create(puzzle.game, puzzle.options)
        position = game.decode(puzzle.state)
        assert ForcedWin(1).moves(game, position) == {puzzle.move}


@pytest.mark.parametrize("number", range(0, len(puzzles()), 7))
def test_the_engine_of_the_game_proves_the_answer(number: int) -> None:
    puzzle = puzzles()[number]
    game = catalog.create(puzzle.game, puzzle.options)
    position = game.decode(puzzle.state)
    assert game.outcome(position) is None
    found = engine_for(game).analyse(position, 3000).moves
    assert found[0].move == puzzle.move
    assert found[0].proof == "win"
    at_once = {puzzle.move} if puzzle.within == 1 else set()
    assert ForcedWin(1).moves(game, position) == at_once


def test_the_same_seed_makes_the_same_puzzle_with_one_answer() -> None:
    game = catalog.create("quax", {"size": 5, "pie": "off"})
    one, two = (next(make_puzzles(game, seed=1)) for _ in range(2))
    assert write_puzzle(one) == write_puzzle(two)
    assert ForcedWin(one.within).moves(game, game.decode(one.state)) == {one.move}
