"""Puzzles of the package: as many as there are, each with one proved answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engines.__main__ import main
from engines.levels import levels_of
from engines.puzzle_book import Puzzle, mixed, puzzles, write_puzzle
from engines.puzzles import FEWEST, make_puzzles, puzzles_from
from games import catalog
from games.api import Game
from games.search import ForcedWin


def test_no_puzzle_is_there_twice() -> None:
    found = puzzles()
    assert len(found) >= 400
    assert len({(each.game, each.state) for each in found}) == len(found)


def test_every_puzzle_leaves_a_choice() -> None:
    for puzzle in puzzles():
        game = catalog.create(puzzle.game, puzzle.options)
        moves = list(game.legal_moves(game.decode(puzzle.state)))
        assert len(moves) >= FEWEST, puzzle


@pytest.mark.long
def test_puzzles_that_win_at_once_are_checked_by_the_rules_alone() -> None:
    found = [each for each in puzzles() if each.within == 1]
    assert found
    for puzzle in found:
        game = catalog.create(puzzle.game, puzzle.options)
        position = game.decode(puzzle.state)
        assert ForcedWin(1).moves(game, position) == {puzzle.move}


@pytest.mark.parametrize("number", range(0, len(puzzles()), 20))
def test_an_exhaustive_search_by_the_rules_finds_one_answer(number: int) -> None:
    puzzle = puzzles()[number]
    game = catalog.create(puzzle.game, puzzle.options)
    position = game.decode(puzzle.state)
    assert game.outcome(position) is None
    assert ForcedWin(puzzle.within).moves(game, position) == {puzzle.move}
    if puzzle.within > 1:
        ends = [game.outcome(game.play(position, move)) for move in game.legal_moves(position)]
        assert not any(end and game.to_move(position) in end.winners for end in ends)


def forced(game: Game[Any, Any], position: Any, seat: int, own: int) -> bool:
    """Whether the seat wins whatever the other does, moving so many times at most."""
    outcome = game.outcome(position)
    if outcome is not None:
        return seat in outcome.winners
    after = [game.play(position, move) for move in game.legal_moves(position)]
    if game.to_move(position) != seat:
        return all(forced(game, then, seat, own) for then in after)
    return own > 0 and any(forced(game, then, seat, own - 1) for then in after)


@pytest.mark.parametrize(
    "puzzle", [each for each in puzzles() if each.game == "pythagoras" and each.within < 4]
)
def test_where_players_move_again_only_ones_own_moves_count(puzzle: Puzzle) -> None:
    game = catalog.create(puzzle.game, puzzle.options)
    position = game.decode(puzzle.state)
    seat = game.to_move(position)
    assert seat is not None
    winning = {
        game.notation(position, move)
        for move in game.legal_moves(position)
        if forced(game, game.play(position, move), seat, puzzle.within - 1)
    }
    assert winning == {puzzle.move}


FOUR_WAYS = Puzzle(
    "pythagoras",
    {"seats": "2"},
    (
        "B1,1,B1,G1,1/"
        "G2,1,G2,Y2,2,B3,2/"
        "R3,Y3,B3,G3,Y3,B2,G3,R2R3,Y1,B1,B2,R3/"
        "G2,B2,Y2,B2,R2,R2R3,Y1,G2,B3,B1G2,G3,R1/"
        "B3,Y3,B3,Y3,G3,B1Y2,R1R2R3,B2,G3,Y3,R1,R2 Y 002 023 004 000 - - - - --R"
    ),
    "2h4",
    3,
    6,
)
"""1h4, 2xg2 and 2xi3 win within three own moves too: Blue may move twice in a row."""


def test_the_command_proves_puzzles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = next(each for each in puzzles() if each.game == "pythagoras")
    file = tmp_path / "volume.jsonl"
    file.write_text(f"{write_puzzle(good)}\n{write_puzzle(FOUR_WAYS)}\n", encoding="utf-8")
    assert main(["check", str(file)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said == [f"puzzle 2 is wrong: {write_puzzle(FOUR_WAYS)}", "2 puzzles checked"]
    file.write_text(f"{write_puzzle(good)}\n", encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert main(["check", str(file), "--most", "3"]) == 1
    assert "more than 3 positions" in capsys.readouterr().out


def test_grades_are_levels_of_the_game() -> None:
    for puzzle in puzzles():
        assert 1 <= puzzle.grade <= levels_of(puzzle.game)


def test_a_recorded_game_makes_a_puzzle_where_its_winner_found_the_only_way() -> None:
    game = catalog.create("quax", {"size": 4, "pie": "off"})
    rng = Random(1)
    games: list[list[str]] = []
    for _ in range(40):
        position, line = game.initial(rng), []
        while game.outcome(position) is None:
            move = rng.choice(list(game.legal_moves(position)))
            line.append(game.notation(position, move))
            position = game.play(position, move)
        games.append(line)
    found = list(puzzles_from(game, games))
    assert found
    for puzzle in found:
        position = game.decode(puzzle.state)
        assert ForcedWin(puzzle.within).moves(game, position) == {puzzle.move}
    assert list(puzzles_from(game, games)) == found


def test_a_volume_has_each_new_puzzle_once_and_spreads_the_games() -> None:
    some = [each for each in puzzles() if each.game == "quax"][:4]
    others = [each for each in puzzles() if each.game == "pux"][:2]
    volume = mixed([*some, *some, *others], some[:1])
    assert sorted(map(write_puzzle, volume)) == sorted(map(write_puzzle, some[1:] + others))
    assert [each.game for each in volume] == ["quax", "pux", "quax", "pux", "quax"]


def test_the_command_mixes_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = puzzles()[0]
    new = replace(known, state=f"{known.state} ")
    file = tmp_path / "new.jsonl"
    file.write_text(f"{write_puzzle(known)}\n{write_puzzle(new)}\n")
    assert main(["volume", str(file)]) == 0
    assert capsys.readouterr().out == f"{write_puzzle(new)}\n"


@pytest.mark.long
def test_the_same_seed_makes_the_same_puzzle_with_one_answer() -> None:
    game = catalog.create("quax", {"size": 5, "pie": "off"})
    one, two = (next(make_puzzles(game, seed=1)) for _ in range(2))
    assert write_puzzle(one) == write_puzzle(two)
    assert ForcedWin(one.within).moves(game, game.decode(one.state)) == {one.move}


def test_the_command_grades_puzzles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = next(each for each in puzzles() if each.game == "ziggurat")
    other = next(each for each in puzzles() if each.game == "quux")
    file = tmp_path / "volume.jsonl"
    stale = [replace(known, grade=known.grade % 5 + 1), replace(other, grade=other.grade % 5 + 1)]
    file.write_text("".join(write_puzzle(each) + "\n" for each in stale), encoding="utf-8")
    assert main(["grades", str(file), "--game", "ziggurat"]) == 0
    assert capsys.readouterr().out.splitlines() == [write_puzzle(known), write_puzzle(stale[1])]
