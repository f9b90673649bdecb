"""Quax against reference positions, games and tables."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.errors import MoveError
from games.playout import perft
from games.quax import Quax
from games.quax.position import Position
from tests.games.quax_solver import Winner, value
from tests.reference import reference
from tests.support.not_none import not_none

GAME = Quax({"pie": "off"})


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    return reference("vectors/quax")


def at(text: str) -> Position:
    position = GAME.decode(text)
    assert GAME.position_text(position) == text
    return position


def texts(position: Position) -> list[str]:
    return [GAME.notation(position, move) for move in GAME.legal_moves(position)]


def winner(position: Position) -> str | None:
    outcome = GAME.outcome(position)
    return None if outcome is None else "xu"[outcome.winners[0]]


def play(position: Position, text: str) -> Position:
    move = GAME.parse(position, text)
    assert GAME.notation(position, move) == text
    return GAME.play(position, move)


def test_positions(vectors: dict[str, Any]) -> None:
    assert vectors["positions"]
    for name, known in vectors["positions"].items():
        position = at(known["position"])
        view = GAME.view(position, None)
        owned = [
            sorted(cell.name for cell in view.cells if [p.colour for p in cell.stack] == [colour])
            for colour in (0, 1)
        ]
        assert owned == [sorted(known["black"]), sorted(known["red"])], name
        assert sorted(link.start + link.end for link in view.links) == known["links"], name
        assert position.size == known["size"], name
        assert "xu"[position.mover] == known["to_move"], name
        assert winner(position) == known["winner"], name
        moves = texts(position)
        assert len(moves) == known.get("legal_count", len(moves)), name
        links = sorted(move for move in moves if sum(map(str.isalpha, move)) == 2)
        assert links == known.get("legal_links", links), name
        if "winning_moves_in_one" in known:
            won = [move for move in moves if winner(play(position, move))]
            assert sorted(won) == sorted(known["winning_moves_in_one"]), name
        if "winning_chain" in known:
            path = not_none(GAME.outcome(position)).path
            assert len(path) <= len(known["winning_chain"]), name
            assert set(path) <= set(known["winning_chain"]), name
        counts = [perft(GAME, position, d + 1) for d in range(len(known.get("perft", [])))]
        assert counts == known.get("perft", []), name


def test_legality(vectors: dict[str, Any]) -> None:
    assert vectors["legality_tests"]
    for known in vectors["legality_tests"]:
        position = at(known["position"])
        try:
            GAME.parse(position, known["move"])
        except MoveError:
            legal = False
        else:
            legal = True
        assert legal == known["legal"], known


def test_sample_games_ply_by_ply(vectors: dict[str, Any]) -> None:
    assert len(vectors["sample_games"]) == 3
    for name, known in vectors["sample_games"].items():
        position = Quax({"size": known["size"], "pie": "off"}).initial(Random(0))
        assert [ply["move"] for ply in known["plies"]] == known["moves"]
        for ply in known["plies"]:
            assert GAME.turn(position) == ply["by"], name
            assert len(texts(position)) == ply["legal_before"], name
            position = play(position, ply["move"])
            assert GAME.position_text(position) == ply["position_after"], name
        assert GAME.position_text(position) == known["final_position"], name
        assert len(texts(position)) == known["legal_in_final"], name


def test_random_games(vectors: dict[str, Any]) -> None:
    assert vectors["random_games"]
    for known in vectors["random_games"]:
        position = Quax({"size": known["size"], "pie": "off"}).initial(Random(0))
        for move, count in zip(known["moves"], known["legal_counts"], strict=True):
            assert winner(position) is None
            assert len(texts(position)) == count
            position = play(position, move)
        assert GAME.position_text(position) == known["final_position"]
        assert winner(position) == known["winner"]


@pytest.mark.long
def test_puzzle_values(vectors: dict[str, Any]) -> None:
    seen: dict[Any, Any] = {}
    puzzle = vectors["puzzle_3x3"]
    position = at(puzzle["nodes"][0]["position"])
    assert [node["played"] for node in puzzle["nodes"][: len(puzzle["line"])]] == puzzle["line"]
    for node in puzzle["nodes"]:
        position = at(node["position"])
        found = {}
        for move in texts(position):
            who, plies = value(GAME, play(position, move), seen)
            found[move] = {"winner": "xu"[who], "plies_left_after_it": plies}
        assert found == node["values"]


@pytest.mark.long
def test_solved_openings(vectors: Any) -> None:
    for size, openings in vectors["solved_openings"].items():
        solved = Winner(int(size))
        found = {
            drop.cell.name: "xu"[solved.winner_after(bit)]
            for bit, drop in solved.board.drops.items()
        }
        assert found == {cell: known["winner"] for cell, known in openings.items()}


@pytest.mark.long
def test_winner_and_length_of_best_play(vectors: dict[str, Any]) -> None:
    for size in ("2", "3"):
        seen: dict[Any, Any] = {}
        position = at("/".join([size] * int(size)) + " x -")
        for cell, known in vectors["solved_openings"][size].items():
            who, plies = value(GAME, play(position, cell), seen)
            assert ("xu"[who], plies + 1) == (known["winner"], known["total_plies"])
