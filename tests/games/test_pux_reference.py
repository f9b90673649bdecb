"""Pux against a second implementation and against itself."""

from __future__ import annotations

from random import Random

import pytest

from games.api import Seat
from games.pux import Capture, Cell, Pass, Position, Pux, Shift
from games.pux.board import CELLS
from games.pux.position import read_position
from games.pux.rules import generate, refuse
from tests.reference import reference

pytestmark = pytest.mark.long

GAME = Pux()


def random_game(seed: int, *, captures_first: bool = False, limit: int = 300) -> list[Position]:
    """The positions of a random game; with captures first it is short and full of promotions."""
    rng = Random(seed)
    position = GAME.initial(rng)
    seen = [position]
    for _ in range(limit):
        moves = GAME.legal_moves(position)
        if not moves:
            break
        captures = [move for move in moves if isinstance(move, Capture)]
        position = GAME.play(
            position, rng.choice(captures if captures_first and captures else moves)
        )
        seen.append(position)
    return seen


@pytest.mark.parametrize("seed", range(2))
def test_the_fast_list_of_moves_holds_what_the_plain_rule_lets_through(seed: int) -> None:
    """All shifts and captures between any two cells, with any riders, against the plain rule."""
    rng = Random(seed)
    played = random_game(seed, captures_first=True)
    for position in rng.sample(played, min(5, len(played))):
        fast = set(generate(position))
        plain: set[Shift | Capture] = set()
        for mover in CELLS:
            beside = [cell for cell in CELLS if cell.touches(mover)]
            companies = [
                tuple(cell for n, cell in enumerate(beside) if chosen >> n & 1)
                for chosen in range(1 << len(beside))
            ]
            if position.colour_at(mover) != position.mover:
                companies = [()]
            for target in CELLS:
                tried = [Shift(mover, target, riders) for riders in companies]
                plain |= {move for move in tried if refuse(position, move) is None}
                if refuse(position, Capture(mover, target)) is None:
                    plain.add(Capture(mover, target))
        assert fast == plain


def vectors() -> dict[str, object]:
    return reference("vectors/pux")


def test_vectors_positions() -> None:
    positions = vectors()["positions"]
    assert isinstance(positions, dict)
    for name, wanted in positions.items():
        position = GAME.decode(wanted["position"])
        moves = GAME.legal_moves(position)
        texts = [GAME.notation(position, move) for move in moves]
        assert sorted(texts) == sorted(wanted["legal"]), name
        assert sorted(text for text in texts if ":" in text) == sorted(wanted["captures"]), name
        after = {GAME.position_text(GAME.play(position, move)) for move in moves}
        assert len(after) == wanted["distinct_results"], name
        for cell, mp in wanted["mp"].items():
            place = Cell(ord(cell[0]) - 97, int(cell[1]) - 1)
            assert position.move_potential(place) == mp, (name, cell)
        for depth, count in enumerate(wanted["perft"], start=1):
            if count < 10_000:  # the start is counted further in test_perft.py
                assert perft(position, depth) == count, (name, depth)


def test_vectors_moves() -> None:
    tests = vectors()["move_tests"]
    assert isinstance(tests, list)
    for wanted in tests:
        position = GAME.decode(wanted["position"])
        text = wanted["move"]
        texts = {GAME.notation(position, move): move for move in GAME.legal_moves(position)}
        assert (text in texts) == wanted["legal"], wanted
        if wanted["legal"]:
            after = GAME.play(position, GAME.parse(position, text))
            assert GAME.position_text(after) == wanted["position_after"], wanted
            assert won_by(after) == wanted["winner"], wanted


def test_vectors_games() -> None:
    data = vectors()
    games, reached_by = data["games"], data["sample_position_reached_by"]
    assert isinstance(games, list)
    assert isinstance(reached_by, list)
    for wanted in games:
        position = GAME.initial(Random(0))
        for text, count in zip(wanted["moves"], wanted["legal_counts"], strict=True):
            assert len(GAME.legal_moves(position)) == count
            position = GAME.play(position, GAME.parse(position, text))
        assert GAME.position_text(position) == wanted["final_position"]
        assert won_by(position) == wanted["winner"]
        outcome = GAME.outcome(position)
        assert outcome is not None
        if "result_reason" in wanted:
            assert (wanted["result_reason"], outcome.reason) == ("PX-20 (ii)", "no_progress")
    position = GAME.initial(Random(0))
    for text in reached_by:
        position = GAME.play(position, GAME.parse(position, text))
    assert GAME.position_text(position) == SAMPLE


SAMPLE = "1xxxxxx1/1xxxx3/4xx2/1w6/2ww4/8/4www1/1wwwwww1 x -"


def won_by(position: Position) -> str | None:
    outcome = GAME.outcome(position)
    if outcome is None:
        return None
    return {(Seat(0),): "w", (Seat(1),): "x", (): "draw"}[outcome.winners]


def perft(position: Position, depth: int) -> int:
    moves = GAME.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(GAME.play(position, move), depth - 1) for move in moves)


def test_a_position_can_have_370_moves() -> None:
    position = read_position("8/8/8/xwwWWx2/xWWWx3/8/8/8 w -")
    assert len(GAME.legal_moves(position)) == 370
    assert Pass() not in GAME.legal_moves(position)
