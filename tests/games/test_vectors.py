"""Quux, Ziggurat and Pythagoras against reference positions, games and counts of moves."""

from __future__ import annotations

from typing import Any

import pytest

from games import catalog
from games.api import Game
from games.playout import perft
from tests.reference import reference

KEYS = ("quux", "ziggurat", "pythagoras")
pytestmark = [pytest.mark.slow, pytest.mark.parametrize("key", KEYS)]


def check_result(game: Game[Any, Any], position: Any, known: dict[str, Any]) -> None:
    """The outcome is the one known: its reason in words, its scores and, if told, who won."""
    outcome = game.outcome(position)
    if known["result"] is None:
        assert outcome is None, known
        return
    assert outcome is not None, known
    reason, scores = known["result"]
    assert outcome.reason.replace("_", " ") == reason.replace("_", " ")
    assert list(outcome.scores) == scores
    assert list(outcome.winners) == known.get("winners", list(outcome.winners))


def test_positions(key: str) -> None:
    known = reference(f"vectors/{key}")["positions"]
    assert known
    for each in known:
        game = catalog.create(key, each["options"])
        position = game.decode(each["text"])
        assert game.position_text(position) == each["text"]
        assert game.encode(position).startswith(each["text"])
        legal = [game.notation(position, move) for move in game.legal_moves(position)]
        assert sorted(legal) == sorted(each["legal"]), each["text"]
        check_result(game, position, each)


def test_games(key: str) -> None:
    known = reference(f"vectors/{key}")["games"]
    assert known
    for each in known:
        game = catalog.create(key, each["options"])
        position = game.decode(each["start"])
        for move, text in each["moves"]:
            assert game.outcome(position) is None
            position = game.play(position, game.parse(position, move))
            assert game.position_text(position) == text
        check_result(game, position, each)


def test_counts(key: str) -> None:
    known = reference(f"vectors/{key}")["perft"]
    assert known
    for each in known:
        game = catalog.create(key, each["options"])
        position = game.decode(each["text"])
        for depth, count in enumerate(each["counts"], 1):
            if count < 100_000:
                assert perft(game, position, depth) == count, (each["text"], depth)
