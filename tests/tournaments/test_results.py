"""The points in a tournament for the end of a match."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

import pytest

from bot.domain import hosted, play
from bot.domain.clock import TimeControl
from bot.domain.game_state import game_state_of
from bot.domain.match import Match
from bot.tournaments.domain.crosstable import DRAW, LOSS, WIN
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.results import UNDECIDED, GameResult, result_of, scores_on_board
from games import catalog
from tests.domain.people import at, played, set_up
from tests.support.kit import ANN, BOB, CYD, DAN
from tests.support.not_none import not_none

TABLE = (ANN, BOB, CYD, DAN)


def _adjudicated(match: Match, *points: float) -> Match:
    given = [Fraction(each) for each in points]
    return not_none(hosted.adjudicate(match, at(9), given, "director")).match


def test_of_two_the_winner_has_the_point_and_a_draw_is_half_a_point_each() -> None:
    match = played(set_up().match, "b2 a1")
    assert result_of(_adjudicated(match, 0, 1)) == GameResult((LOSS, WIN), How.PLAYED)
    assert result_of(_adjudicated(match, 0.5, 0.5)) == GameResult((DRAW, DRAW), How.PLAYED)


def test_a_lost_clock_is_told_from_a_player_who_never_came() -> None:
    match = set_up(clock=TimeControl(timedelta(minutes=1)), no_show=timedelta(minutes=1)).match
    never = not_none(play.flag(match, at(60)))
    assert result_of(never.match, [never.event]) == GameResult((LOSS, WIN), How.NO_SHOW)
    late = not_none(play.flag(played(match, "b2 a1"), at(600)))
    assert result_of(late.match) == GameResult((LOSS, WIN), How.TIME)


def test_who_resigned_from_a_table_that_time_ends_has_resigned_and_not_lost_on_time() -> None:
    """Ann resigns, then time runs out for Bob and for Cyd: Dan alone is left."""
    control = TimeControl(timedelta(minutes=1))
    first = set_up(*TABLE, game="pythagoras", clock=control)
    match = first.match
    table = game_state_of(match)
    for _ in range(4):
        table = game_state_of(match)
        move = next(iter(table.game.legal_moves(table.position)))
        match = played(match, table.game.notation(table.position, move))
    events = [(change := play.resign(match, at(3), ANN)).event]
    for seconds in (500, 1000):
        change = not_none(play.flag(change.match, at(seconds)))
        events.append(change.event)
    assert change.match.retired == (0, 1, 2)
    assert result_of(change.match, events) == GameResult(
        (LOSS, LOSS, LOSS, Fraction(4)), How.TIME, late=(1, 2)
    )


def test_who_leaves_a_match_whose_rules_are_gone_has_nothing_and_the_others_the_places() -> None:
    two = play.without_rules(set_up().match, at(9), 1, BOB.user_id)
    assert result_of(two.match, [two.event]) == GameResult((WIN, LOSS), How.PLAYED)
    four = play.without_rules(set_up(*TABLE, game="pythagoras").match, at(9), 0, ANN.user_id)
    share = Fraction(7, 3)
    assert result_of(four.match, [four.event]).points == (0, share, share, share)


def test_a_match_that_was_called_off_is_undecided() -> None:
    over = hosted.call_off(set_up().match, at(9), "Wrong seeds")
    assert result_of(over.match, [over.event]) == UNDECIDED


def test_a_table_of_four_has_its_places_and_scores_as_long_as_its_rules_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = set_up(*TABLE, game="pythagoras").match
    over = _adjudicated(match, 0, 3, 1, 2)
    assert result_of(over).points == (0, 4, 1, 2)
    assert scores_on_board(match) == (0, 0, 0, 0)
    monkeypatch.delitem(catalog.GAMES, "pythagoras")
    assert result_of(over) == GameResult(None, How.PLAYED)
    assert scores_on_board(match) is None


def test_a_game_without_scores_has_none_on_its_board() -> None:
    assert scores_on_board(set_up().match) is None
