"""The public view of a match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot.domain import play, request_rules, stalled
from bot.domain.clock import TimeControl
from bot.domain.events import CommandContext
from bot.domain.game_state import board_view, game_state_of
from bot.domain.match import Actor, MatchStatus
from bot.domain.requests import RequestKind
from bot.errors import UserError
from games import catalog
from games.view import Marks
from tests.domain.people import at, offered, played, started
from tests.support.kit import ANN, BOB, CYD, DAN
from tests.support.not_none import not_none


@pytest.mark.parametrize("key", ["quax", "quux", "ziggurat", "pux"])
def test_it_is_the_position_with_the_last_move_marked(key: str) -> None:
    match, rng = started(BOB, game=key), Random(7)
    assert board_view(match).marks == Marks()
    for _ in range(12):
        game, position = game_state_of(match).game, game_state_of(match).position
        move = rng.choice(list(game.legal_moves(position)))
        after = game.play(position, move)
        match = played(match, game.notation(position, move))
        wanted = game.view(after, None).with_marks(game.marks(position, move))
        assert board_view(match) == wanted
        assert board_view(replace(match, ply=match.ply, recent=())) == wanted


MINUTE = TimeControl(timedelta(minutes=1), per_move=True)


def _drawn(match: Any) -> Any:
    asked = request_rules.ask(match, at(10), ANN, RequestKind.DRAW).match
    return request_rules.answer(asked, at(11), BOB, RequestKind.DRAW, accept=True)


@pytest.mark.parametrize(
    ("game", "moves", "end", "said", "won_by"),
    [
        # Bob has swapped, and owns the stone.
        ("quax", "a1 swap", lambda match: play.resign(match, at(9), ANN), "resignation", BOB),
        ("quax", "a1", lambda match: play.resign(match, at(9), ANN), "resignation", BOB),
        (
            "quax",
            "a1 b2 c3",
            lambda match: play.flag(match, CommandContext(match.deadline)),
            "time",
            ANN,
        ),
        ("pux", "", _drawn, "Draw by agreement", None),
        ("quax", "a1", lambda match: stalled.abort(match, at(9), BOB), "Aborted", None),
    ],
)
def test_it_shows_an_end_that_the_rules_know_nothing_of(
    game: str, moves: str, end: Callable[..., Any], said: str, won_by: Actor | None
) -> None:
    match = played(started(BOB, game=game, clock=MINUTE), moves)
    before = board_view(match)
    assert before.to_move is not None
    after = board_view(end(match).match)
    assert said in not_none(after.result).message
    assert (after.to_move, after.captions) == (None, ())
    winners = {
        after.seats[index].player
        for index in range(2)
        if set(after.seats[index].colours) & set(after.winners)
    }
    assert winners == (set() if won_by is None else {match.index_of(won_by.user_id)})
    assert before == replace(
        after, result=None, winners=(), to_move=before.to_move, captions=before.captions
    )


def test_it_shows_who_has_left_a_table_where_the_others_play_on() -> None:
    match = started(BOB, CYD, DAN, game="pythagoras")
    before = board_view(match)
    match = play.resign(match, at(9), BOB).match
    assert match.status is MatchStatus.RUNNING
    gone = set(next(seat for seat in before.seats if seat.player == 1).colours)
    after = board_view(match)
    for number, colour in enumerate(after.colours):
        left = [note for note in colour.notes if note.message == "has left"]
        assert len(left) == (number in gone)


def test_an_end_by_the_rules_is_shown_as_the_game_tells_it() -> None:
    match = played(started(BOB, game="quax", options={"size": 3, "pie": "off"}), "a1 a3 b1 b3 c1")
    assert match.status is MatchStatus.FINISHED
    table = game_state_of(match)
    shown = board_view(match)
    wanted = table.game.view(table.position, None)
    assert (shown.result, shown.winners) == (wanted.result, wanted.winners)
    assert shown.winners


def test_matches_of_other_options_and_games_are_not_confused() -> None:
    small, large = started(BOB, game="quax", options={"size": 4}), started(BOB, game="quax")
    other = started(BOB, game="ziggurat")
    for _ in range(2):
        assert len(board_view(small).cells) == 16
        assert len(board_view(large).cells) == 121
        assert board_view(other).game == "ziggurat"


def test_a_position_that_is_written_alike_is_played_by_the_options_of_its_match() -> None:
    for_pie = played(started(BOB, game="quax", options={"pie": "on"}), "a1")
    without = replace(for_pie, options={**for_pie.options, "pie": "off"})
    for match in (for_pie, without, for_pie):
        assert dict(game_state_of(match).game.options) == dict(match.options)


def test_nothing_is_seen_of_a_game_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    match = played(started(), "a1")
    board_view(match)
    with pytest.raises(UserError, match="rules_changed"):
        board_view(replace(match, rules_version=2))
    with pytest.raises(UserError, match="not_started"):
        board_view(offered(BOB).match)
    monkeypatch.delitem(catalog.GAMES, match.game)
    with pytest.raises(UserError, match="game_gone"):
        board_view(match)
