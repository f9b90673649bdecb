"""Matches that the host sets up: they start at once, and a tournament may decide them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest

from bot.domain import hosted, managed, match_clock, offers, play, request_rules, stalled
from bot.domain.clock import Span, TimeControl
from bot.domain.history import HistoryError, replay, verify
from bot.domain.match import Ending, MatchStatus, Venue
from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.posts.deliveries import deliveries_for
from bot.posts.notices import NoticeKind
from bot.posts.sending import DeliveryKind
from tests.domain.people import DAY, at, played, set_up
from tests.support.kit import ANN, BOB, CYD, PLACE

LONG = TimeControl(timedelta(days=3), per_move=True)


def test_nobody_has_to_accept_and_the_first_is_called() -> None:
    change = set_up(clock=LONG)
    match = change.match
    assert (match.status, match.version, match.players) == (MatchStatus.RUNNING, 1, (1, 2))
    verify(match, [change.event])
    told = deliveries_for(change)
    assert [each.kind for each in told] == [DeliveryKind.BOARD, DeliveryKind.NOTICE]
    assert (told[-1].audience, told[-1].notice) == (0, NoticeKind.TURN)


def test_a_first_move_has_to_come_within_the_no_show_limit_and_later_ones_have_the_clock() -> None:
    match = set_up(clock=LONG, no_show=timedelta(hours=2)).match
    assert match.deadline == at(2 * 3600).at
    match = play.move(match, at(3600), ANN, text="b2").match
    assert match.deadline == at(3 * 3600).at
    assert play.flag(match, at(3 * 3600 - 1)) is None
    late = play.flag(match, at(3 * 3600))
    assert late is not None
    assert (late.match.status, late.match.too_late) == (MatchStatus.ABORTED, 1)
    assert late.match.winners == (0,)
    match = play.move(match, at(3700), BOB, text="a1").match
    assert match.deadline == at(3700).at + timedelta(days=3)


def test_a_standstill_gives_back_of_the_no_show_limit_what_it_took_and_nothing_else() -> None:
    match = set_up(clock=LONG, no_show=timedelta(hours=12)).match
    outage = Span(at(3 * 3600).at, at(9 * 3600).at)
    act = replace(at(10 * 3600), stopped_spans=(outage,))
    over = at(18 * 3600).at
    assert match_clock.runs_out(match, act.stopped_spans) == over
    given = match_clock.credit(match, act)
    assert given is not None
    assert given.match.deadline == over
    assert given.match.times is not None
    assert given.match.times.left[0] == timedelta(days=3) - timedelta(hours=3)


def test_the_clock_counts_where_it_gives_less_than_the_no_show_limit() -> None:
    quick = TimeControl(timedelta(minutes=5), timedelta(seconds=3))
    assert set_up(clock=quick).match.deadline == at(300).at


@pytest.mark.parametrize(
    ("code", "act"),
    [
        ("tournament_no_abort", lambda match: stalled.abort(match, at(5), ANN)),
        (
            "tournament_no_takebacks",
            lambda match: request_rules.ask(match, at(5), ANN, RequestKind.TAKEBACK),
        ),
        (
            "tournament_no_pause",
            lambda match: request_rules.ask(match, at(5), ANN, RequestKind.PAUSE),
        ),
        (
            "tournament_no_abort",
            lambda match: request_rules.ask(match, at(5), ANN, RequestKind.ABORT),
        ),
        (
            "tournament_decides",
            lambda match: managed.decide(match, at(5), (1, 2), "unfair", counts=True),
        ),
    ],
)
def test_what_a_tournament_does_not_let_players_do(code: str, act: object) -> None:
    match = played(set_up(clock=LONG).match, "b2")
    with pytest.raises(UserError) as error:
        act(match)  # type: ignore[operator]
    assert error.value.code == code


def test_takebacks_are_possible_where_the_event_says_so_and_draws_always() -> None:
    change = set_up(clock=LONG, takebacks=True)
    moved = play.move(change.match, at(2), ANN, text="b2")
    past = (change.event, moved.event)
    asked = request_rules.ask(moved.match, at(3), ANN, RequestKind.TAKEBACK, past=past)
    assert asked.match.requests
    assert request_rules.ask(set_up().match, at(3), ANN, RequestKind.DRAW).match.requests


@pytest.mark.parametrize(
    ("points", "winners", "scores"),
    [
        ((1, 0), (0,), (1.0, 0.0)),
        ((0, 1), (1,), (0.0, 1.0)),
        ((Fraction(1, 2), Fraction(1, 2)), (), (0.5, 0.5)),
        ((0, 0), (), (0.0, 0.0)),
    ],
)
def test_a_director_ends_a_match_and_may_change_its_result(
    points: tuple[Fraction, ...], winners: tuple[int, ...], scores: tuple[float, ...]
) -> None:
    match = played(set_up(clock=LONG).match, "b2 a1 c2")
    change = hosted.adjudicate(match, at(9), [Fraction(each) for each in points], "director")
    assert change is not None
    result = change.match.result
    assert result is not None
    assert (result.ending, result.winners, result.scores) == (Ending.ADJUDICATION, winners, scores)
    assert (change.match.status, change.match.deadline) == (MatchStatus.FINISHED, None)
    assert [each.kind for each in deliveries_for(change)] == [DeliveryKind.BOARD]
    given = [Fraction(each) for each in points]
    assert hosted.adjudicate(change.match, at(10), given, "director") is None
    other = [Fraction(1), Fraction(0)] if winners != (0,) else [Fraction(0), Fraction(1)]
    corrected = hosted.adjudicate(change.match, at(11), other, "corrected")
    assert corrected is not None
    assert corrected.match.result != result


def test_what_never_was_played_stays_aborted() -> None:
    match = set_up(clock=LONG).match
    late = play.flag(match, at(DAY.total_seconds()))
    assert late is not None
    assert hosted.adjudicate(late.match, at(1), (Fraction(1), Fraction(0)), "director") is None


def test_what_was_asked_in_a_match_is_over_when_its_round_is_paired_again() -> None:
    match = set_up(clock=LONG).match
    asked = request_rules.ask(match, at(5), ANN, RequestKind.DRAW).match
    assert asked.requests
    ended = hosted.call_off(asked, at(9), "Wrong seeds").match
    assert (ended.status, ended.requests) == (MatchStatus.ABORTED, ())


def test_a_player_is_put_out_once_and_only_of_a_match_that_runs() -> None:
    for match in (set_up().match, set_up(ANN, BOB, CYD, options={"players": 3}).match):
        out = hosted.put_out(match, at(2), 1)
        assert out is not None
        assert hosted.put_out(out.match, at(3), 1) is None


def test_there_is_no_rematch_of_a_tournament_game() -> None:
    match = play.resign(set_up().match, at(2), ANN).match
    with pytest.raises(UserError, match="tournament_no_rematch"):
        offers.rematch(
            match.id, at(3), BOB, of=match, place=PLACE, venue=Venue.THREAD, expires_at=at(9).at
        )


def test_without_a_clock_a_substitute_takes_the_seat_and_nothing_else_changes() -> None:
    match = set_up().match
    after = hosted.substitute(match, at(9), 1, CYD.user_id, past=()).match
    assert after.players == (ANN.user_id, CYD.user_id)
    assert (after.times, after.deadline, after.state) == (None, None, match.state)


def test_a_clock_in_other_words_than_the_host_writes_is_no_set_up() -> None:
    change = set_up(clock=LONG)
    event, players = change.event, change.match.players
    assert replay((event,), players) == change.match
    with pytest.raises(HistoryError, match="canonical"):
        replay((replace(event, payload={**event.payload, "clock": "72h/move"}),), players)
