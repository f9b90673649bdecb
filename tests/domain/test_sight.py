"""What everybody may see of a match."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.domain.sight import board_view
from bot.domain.table import table_of
from bot.errors import UserError
from games import catalog
from games.view import Marks
from tests.domain.people import offered, played, started
from tests.kit import BOB


@pytest.mark.parametrize("key", ["quax", "quux", "ziggurat", "pux"])
def test_it_is_the_position_with_the_last_move_marked(key):
    match, rng = started(BOB, game=key), Random(7)
    assert board_view(match).marks == Marks()
    for _ in range(12):
        game, position = table_of(match).game, table_of(match).position
        move = rng.choice(list(game.legal_moves(position)))
        after = game.play(position, move)
        match = played(match, game.notation(position, move))
        wanted = game.view(after, None).with_marks(game.marks(position, move))
        assert board_view(match) == wanted
        assert board_view(replace(match, ply=match.ply, recent=())) == wanted


def test_matches_of_other_options_and_games_are_not_confused():
    small, large = started(BOB, game="quax", options={"size": 4}), started(BOB, game="quax")
    other = started(BOB, game="ziggurat")
    for _ in range(2):
        assert len(board_view(small).cells) == 16
        assert len(board_view(large).cells) == 121
        assert board_view(other).game == "ziggurat"


def test_a_position_that_is_written_alike_is_played_by_the_options_of_its_match():
    for_pie = played(started(BOB, game="quax", options={"pie": "on"}), "a1")
    without = replace(for_pie, options={**for_pie.options, "pie": "off"})
    for match in (for_pie, without, for_pie):
        assert dict(table_of(match).game.options) == dict(match.options)


def test_nothing_is_to_be_seen_of_a_game_that_is_gone_or_of_other_rules(monkeypatch):
    match = played(started(), "a1")
    board_view(match)
    with pytest.raises(UserError, match="rules_changed"):
        board_view(replace(match, rules_version=2))
    with pytest.raises(UserError, match="not_started"):
        board_view(offered(BOB).match)
    monkeypatch.delitem(catalog.GAMES, match.game)
    with pytest.raises(UserError, match="game_gone"):
        board_view(match)
