"""Hints: who gets them, where they point, and what they say for a move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.computers.domain.hints import (
    Found,
    FoundMove,
    Why,
    may_have_hint,
    reasons,
    touched,
    where_to_look,
)
from bot.domain.computers import computer
from bot.domain.game_state import game_state_of
from bot.domain.ids import TournamentId
from bot.domain.match import Match, MatchStatus, TournamentGame
from bot.errors import UserError
from tests.domain.people import offered, started
from tests.support.kit import ANN, BOB, CYD


@pytest.fixture
def match() -> Match:
    return started()


@pytest.fixture
def whys(match: Match) -> Callable[..., Any]:
    def said(*moves: Any) -> Any:
        return [each.why for each in reasons(game_state_of(match), Found(moves))]

    return said


def test_only_who_plays_computers_alone_gets_hints(match: Match) -> None:
    assert not match.has_hints
    alone = replace(match, players=(ANN.user_id, computer(3)))
    assert alone.has_hints
    assert may_have_hint(alone, ANN.user_id)
    assert not may_have_hint(alone, BOB.user_id)
    assert not replace(alone, rated=True).has_hints
    assert not replace(
        alone, tournament=TournamentGame(TournamentId("t"), "g", True, timedelta())
    ).has_hints
    assert not replace(alone, players=(computer(1), computer(2))).has_hints


def test_players_can_agree_to_hints_in_a_casual_match() -> None:
    agreed = started(hints=True)
    assert agreed.has_hints
    assert may_have_hint(agreed, ANN.user_id)
    assert may_have_hint(agreed, BOB.user_id)
    assert not may_have_hint(agreed, CYD.user_id)
    assert not replace(agreed, status=MatchStatus.FINISHED).has_hints
    with pytest.raises(UserError) as caught:
        offered(BOB, seat=None, rated=True, hints=True)
    assert caught.value.code == "rated_hints"


def test_a_few_good_moves_are_pointed_out_before_the_best(match: Match) -> None:
    table = game_state_of(match)
    found = Found(tuple(FoundMove(move, 0.5) for move in ("c1", "a1", "b2", "a3")))
    assert where_to_look(table, found) == ("a1", "b2", "c1")
    assert touched(table, "c1") == ("c1",)


def test_a_win_is_said_with_its_length_where_that_is_proved(
    match: Match, whys: Callable[..., Any]
) -> None:
    best = FoundMove("a1", 1.0, ("a1", "a2"), "win", 3)
    assert whys(best) == [Why.WINS_IN]
    (reason,) = reasons(game_state_of(match), Found((best,)))
    assert reason.params == {"n": 3}
    # A line to the end of the game proves nothing: the opponent may hold out longer.
    line = ("a1", "a2", "b1", "b2", "c1")
    assert whys(FoundMove("a1", 1.0, line, "win")) == [Why.WINS]


@pytest.mark.parametrize(
    ("value", "standing"), [(0.9, Why.AHEAD), (0.5, Why.EVEN), (0.1, Why.BEHIND)]
)
def test_what_is_said_of_a_move_that_proves_nothing(
    whys: Callable[..., Any], value: float, standing: Why
) -> None:
    best = FoundMove("a1", value, ("a1", "b2"))
    assert whys(best) == [Why.REPLY, standing]
    weaker = FoundMove("c3", value - 0.2, ("c3", "b2"))
    assert whys(best, weaker) == [Why.OTHERS_WEAKER, Why.REPLY, standing]
    lost = FoundMove("c3", 0.0, ("c3",), "loss")
    assert whys(best, lost)[0] is Why.ONLY
    assert whys(replace(best, proof="draw"), weaker)[0] is Why.DRAWS


def test_no_reply_is_told_to_a_move_that_ends_the_game_or_whose_line_is_not_known(
    whys: Callable[..., Any],
) -> None:
    best, weaker = FoundMove("a1", 0.5, ("a1",)), FoundMove("c3", 0.2, ("c3",))
    assert whys(best, weaker) == [Why.EVEN]
    assert whys(replace(best, proof="draw")) == [Why.DRAWS, Why.EVEN]
