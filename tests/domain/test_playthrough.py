"""Matches played through for those who look back."""

from __future__ import annotations

import pytest

from bot.domain import offer_answers, play
from bot.domain.game_state import board_view, player_on_turn
from bot.domain.playthrough import moves_of, play_through
from bot.errors import UserError
from tests.domain.people import accepted, at, offered
from tests.domain.test_history import THREE, Line
from tests.support.kit import ANN, BOB, CYD, person


def test_a_playthrough_passes_through_every_state_that_the_match_had() -> None:
    line = Line(offered(BOB, options={"pie": "on"})).then(accepted, BOB)
    states = [line.match.state]
    for number, move in enumerate(("b2", "swap", "a1", "c3"), 1):
        player = person(line.match.players[player_on_turn(line.match)])
        line.then(play.move, at(number), player, text=move)
        states.append(line.match.state)
    found = play_through(line.match, line.events)
    game = found.table.game
    assert [game.encode(position) for position in found.positions] == states
    assert found.notations == ("b2", "swap", "a1", "c3")
    assert [found.at(ply).game.encode(found.at(ply).position) for ply in range(5)] == states
    assert found.view(0) == game.view(found.positions[0], None)
    assert found.view(4).marks == game.marks(found.positions[3], found.moves[3])


def test_the_last_position_shows_how_the_match_ended_and_no_other_does() -> None:
    line = (
        Line(offered(BOB, game="quax")).then(accepted, BOB).then(play.move, at(1), ANN, text="a1")
    )
    line.then(play.resign, at(2), BOB)
    found = play_through(line.match, line.events)
    assert found.view(1) == board_view(line.match)
    assert found.view(1).to_move is None
    assert found.view(0).to_move == 0
    assert found.view(0).result is None


def test_moves_played_for_a_player_who_left_are_part_of_it() -> None:
    line = Line(offered(BOB, CYD, options=THREE)).then(accepted, BOB).then(accepted, CYD)
    second, third = person(line.match.players[1]), person(line.match.players[2])
    line.then(play.move, at(1), ANN, text="c3").then(play.resign, at(2), second)
    line.then(play.move, at(3), third, text="e5").then(play.move, at(4), ANN, text="c2")
    found = play_through(line.match, line.events)
    assert found.plies == line.match.ply
    assert found.table.game.encode(found.positions[-1]) == line.match.state
    assert moves_of(line.events)[-len(line.match.recent) :] == line.match.recent


def test_what_has_not_started_has_no_positions() -> None:
    line = Line(offered(BOB)).then(offer_answers.decline, at(1), BOB)
    with pytest.raises(UserError, match="not_started"):
        play_through(line.match, line.events)
