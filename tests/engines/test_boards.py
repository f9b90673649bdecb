"""The engines' own boards against the rules, move by move over random play of all options."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engines.board import Board
from engines.pux.board import PuxBoard
from engines.pythagoras.board import PythagorasBoard, Table
from engines.pythagoras.grids import legal, totals
from engines.pythagoras.habits import PractisedBoard
from engines.quax.board import QuaxBoard
from engines.quux.board import QuuxBoard
from engines.ziggurat.board import ZigguratBoard
from games import catalog
from games.pux.position import Capture
from games.pythagoras.scoring import scores
from games.quax.board import Link, Swap


def shares(game: Any, position: Any) -> tuple[float, ...] | None:
    outcome = game.outcome(position)
    if outcome is None:
        return None
    winners = outcome.winners or range(len(game.seats))
    return tuple(float(seat in winners) / len(winners) for seat in range(len(game.seats)))


def walk(game: Any, board: Board[Any, Any], rng: Random, *, may_leave_out: bool = False) -> int:
    """Play at random, holding the board against the rules at each position."""
    position = game.initial(rng)
    state = board.start(position)
    plies = 0
    while True:
        outcome = game.outcome(position)
        if outcome is not None and outcome.reason == "repetition":
            return plies  # the search's to see, not the board's
        assert board.rewards(state) == shares(game, position)
        if outcome is not None:
            return plies
        moves = [move for move in game.legal_moves(position) if not isinstance(move, Swap)]
        numbers = [board.number(move) for move in moves]  # type: ignore[attr-defined]
        assert [board.named(state, number) for number in numbers] == moves
        if may_leave_out:
            assert set(board.moves(state)) <= set(numbers)
        else:
            assert sorted(board.moves(state)) == sorted(numbers)
        assert board.mover(state) == game.to_move(position)
        place = int(rng.random() * len(moves))
        position, state = game.play(position, moves[place]), board.play(state, numbers[place])
        plies += 1
        if outcome is None and plies % 7 == 0:
            assert board.key(board.start(position)) == board.key(state) or plies > 80


@pytest.mark.parametrize("size", [3, 4, 7, 9, 11, 13, 15])
def test_quax(size: int) -> None:
    game = catalog.create("quax", {"size": size, "pie": "on"})
    rng = Random(size)
    for _ in range(2):
        assert walk(game, QuaxBoard(size), rng, may_leave_out=True) > 2


@pytest.mark.parametrize("size", [3, 5, 7])
def test_quax_leaves_out_no_link_that_joins_anything(size: int) -> None:
    game = catalog.create("quax", {"size": size, "pie": "off"})
    board, rng = QuaxBoard(size), Random(size)
    seen = 0
    for _ in range(10):
        position = game.initial(rng)
        while moves := list(game.legal_moves(position)):
            kept = board.moves(board.start(position))
            for move in moves:
                if board.number(move) not in kept:
                    assert isinstance(move, Link)
                    third = {move.crossing.start, move.crossing.end}
                    assert position.mover in {position.owner(cell) for cell in third}
                    seen += 1
            position = game.play(position, rng.choice(moves))
    assert seen > 5


@pytest.mark.parametrize("size", [3, 5, 7])
def test_quax_finds_exactly_the_moves_that_win_at_once(size: int) -> None:
    game = catalog.create("quax", {"size": size, "pie": "off"})
    board, rng = QuaxBoard(size), Random(size)
    found = 0
    for _ in range(12):
        position = game.initial(rng)
        while moves := list(game.legal_moves(position)):
            wins = [move for move in moves if game.outcome(game.play(position, move))]
            threats = board.threats(board.start(position), position.mover)
            assert sorted(threats.moves()) == sorted(board.number(move) for move in wins)
            found += len(wins)
            position = game.play(position, rng.choice(moves))
    assert found > 10


@pytest.mark.parametrize("size", [3, 4, 5, 6])
@pytest.mark.parametrize("supply", ["own", "paired", "any"])
@pytest.mark.parametrize("path", ["slide", "jump"])
def test_quux(size: int, supply: str, path: str) -> None:
    options: dict[str, int | str] = {"size": size, "supply": supply, "path": path, "pie": "off"}
    game = catalog.create("quux", options)
    board, rng = QuuxBoard(game, size), Random(f"{options}")  # type: ignore[arg-type]
    assert sum(walk(game, board, rng) for _ in range(2)) > 5


def test_ziggurat() -> None:
    game, rng = catalog.create("ziggurat"), Random(1)
    assert sum(walk(game, ZigguratBoard(), rng) for _ in range(20)) > 1000


@pytest.mark.long
def test_pux() -> None:
    game, rng = catalog.create("pux"), Random(2)
    assert sum(walk(game, PuxBoard(), rng) for _ in range(2)) > 200


def test_pux_looks_at_every_capture_before_it_judges() -> None:
    game, board, rng = catalog.create("pux"), PuxBoard(), Random(4)
    seen = 0
    for _ in range(6):
        position = game.initial(rng)
        while moves := list(game.legal_moves(position)):
            captures = [move for move in moves if isinstance(move, Capture)]
            wanted = {board.number(move) for move in captures}
            state = board.start(position)
            assert wanted <= set(board.loud(state))
            seen += len(wanted)
            position = game.play(position, rng.choice(captures or moves))
    assert seen > 50


@pytest.mark.parametrize("seats", [2, 4])
def test_pythagoras(seats: int) -> None:
    game, rng = catalog.create("pythagoras", {"seats": seats}), Random(seats)
    assert sum(walk(game, PythagorasBoard(seats), rng) for _ in range(8)) > 300


def test_pythagoras_counts_the_points_of_the_rules() -> None:
    game, board, rng = catalog.create("pythagoras"), PythagorasBoard(4), Random(3)
    for _ in range(5):
        position = game.initial(rng)
        while moves := list(game.legal_moves(position)):
            position = game.play(position, rng.choice(moves))
            state = board.start(position)
            wanted = [score.total for score in scores(position)]
            assert totals(state.pyramids, state.pits, state.bonuses) == wanted


@pytest.mark.parametrize("seats", [2, 4])
def test_pythagoras_weighs_each_legal_move_once(seats: int) -> None:
    game, board, rng = (
        catalog.create("pythagoras", {"seats": seats}),
        PractisedBoard(seats),
        Random(5),
    )
    for _ in range(5):
        position = game.initial(rng)
        while moves := list(game.legal_moves(position)):
            state = board.start(position)
            numbers = board.moves(state)
            table, priors = Table(state), board.priors(state, numbers, rng)
            assert sum(priors) == pytest.approx(1)
            assert min(priors) > 0
            if found := legal(table.pyramids, table.hands, table.mover):
                assert board.drawn(table, found, rng) in numbers
            move = rng.choice(moves)
            table.play(board.number(move))
            position = game.play(position, move)
            assert table.shown == Table(board.start(position)).shown
