"""Random games, and recorded playthroughs.

The files in ``playthroughs`` are remade by
``python -m games replay --remake tests/games/playthroughs/*.txt`` and read as diffs.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games import catalog
from games.api import Game
from games.errors import GameError, OptionError
from games.playout import random_game, record, record_again, replay, result_line
from tests.support.not_none import not_none
from tests.support.own_games import OWN_GAMES

FILES = sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recorded_playthrough_goes_as_recorded(path: Path) -> None:
    difference = replay(path.read_text(encoding="utf-8"))
    assert not difference, "\n".join(difference)


@pytest.mark.parametrize("key", OWN_GAMES)
def test_every_game_of_parlours_own_has_a_recorded_playthrough(key: str) -> None:
    assert any(f"\ngame {key} " in path.read_text(encoding="utf-8") for path in FILES)


def test_a_playthrough_shows_what_changed() -> None:
    text = record("quax", {"size": 3}, seed=2)
    changed = text.replace("b2", "c3", 1)
    assert replay(text) == []
    difference = replay(changed)
    assert any(line.startswith("-") and "c3" in line for line in difference)
    assert any(line.startswith("+") and "b2" in line for line in difference)


def test_a_playthrough_may_stop_early() -> None:
    text = record("quax", {"size": 5}, seed=1, plies=3)
    assert "\nplies 3\n" in text
    assert "\n  3 x" in text
    assert "\n  4 u" not in text
    assert "\nresult none\n" in text
    assert replay(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Playthrough 2\n",
        "\0",
        "Playthrough 1\ngame quax rules 1\noptions size\nseed 1\nplies all\n",
    ],
)
def test_what_is_no_playthrough_is_refused(text: str) -> None:
    with pytest.raises(GameError, match="record_form"):
        record_again(text)


def test_playthrough_of_an_unknown_game_is_refused() -> None:
    text = record("quax", {"size": 3}, seed=2).replace("game quax", "game quix")
    with pytest.raises(OptionError, match="game_unknown"):
        record_again(text)


@pytest.mark.parametrize("key", list(catalog.GAMES))
def test_random_game_is_a_game_by_the_rules(key: str) -> None:
    game = catalog.create(key)
    for rules in (random_game, Game.random_game):
        playout = rules(game, Random(7))
        position = game.initial(Random(7))
        for move in playout.moves:
            assert game.outcome(position) is None
            position = game.play(position, move)
        assert not_none(game.outcome(position)).scores == playout.scores


def test_random_game_is_fixed_by_its_seed() -> None:
    game = catalog.create("quax")
    assert random_game(game, Random(5)) == random_game(game, Random(5))
    assert random_game(game, Random(5)) != random_game(game, Random(6))


def test_result_is_a_reason_and_a_score_a_seat() -> None:
    game = catalog.create("quax")
    assert result_line(game, game.decode("3/3/xxx u -")) == "connection 1 0"
    assert result_line(game, game.decode("3/3/xx1 u -")) == "none"
