"""Turns that could not be told: what stops, for how long, and how it ends."""

from __future__ import annotations

import dataclasses
from datetime import datetime, timedelta

import pytest

from bot.domain import match_clock, play, request_rules, stalled
from bot.domain.clock import Span, TimeControl
from bot.domain.events import CommandContext, EventKind
from bot.domain.history import HistoryError, replay
from bot.domain.ids import MatchId
from bot.domain.match import MatchStatus
from bot.domain.requests import RequestKind
from bot.domain.untold_turns import AT_MOST, UntoldTurn
from tests.domain.people import accepted, at, offered, played, started
from tests.domain.test_history import Line, sealed
from tests.support.kit import ANN, BOB, START
from tests.support.not_none import not_none

EACH = TimeControl(timedelta(hours=1), per_move=True)


def later(**by: int) -> datetime:
    return START + timedelta(**by)


def test_a_turn_is_unreached_until_it_is_over_or_told() -> None:
    match = played(started(BOB), "b2")
    turn = UntoldTurn(MatchId("abcdefghij"), match.position_since, 1, BOB.user_id, START)
    assert turn.is_of(match)
    assert turn.span(later(hours=2)) == Span(START, later(hours=2))
    told = dataclasses.replace(turn, ended_at=later(hours=1))
    assert told.span(later(hours=2)) == Span(START, later(hours=1))
    assert not turn.is_of(played(match, "a1"))
    assert not turn.is_of(play.resign(match, at(3), BOB).match)


@pytest.mark.parametrize("moves", ["", "b2 a1 c1"])
def test_a_match_that_is_put_aside_has_no_result_and_no_clock(moves: str) -> None:
    match = played(started(BOB, clock=EACH), moves)
    end = later(seconds=2) + AT_MOST
    act = CommandContext(end, stopped_spans=(Span(later(seconds=2), end),))
    change = not_none(stalled.abort_untold(match, act))
    assert (
        change.event.kind,
        change.event.player,
        change.event.user_id,
    ) == (EventKind.ABORTED, None, None)
    after = change.match
    assert (after.status, after.result, after.retired) == (MatchStatus.ABORTED, None, ())
    assert after.was_put_aside
    assert after.too_late is None
    assert after.deadline is None
    assert not_none(after.times).left[not_none(not_none(match.times).running)] > timedelta(
        minutes=59
    )


def test_what_was_asked_in_a_match_is_over_when_it_is_put_aside() -> None:
    asked = request_rules.ask(
        played(started(BOB, clock=EACH), "b2 a1 c1"), at(5), ANN, RequestKind.PAUSE
    ).match
    assert asked.requests
    assert not_none(stalled.abort_untold(asked, at(9))).match.requests == ()


def test_only_a_match_with_a_running_clock_is_put_aside() -> None:
    assert stalled.abort_untold(played(started(BOB), "b2"), at(9)) is None
    match = started(BOB, clock=EACH)
    aborted = stalled.abort(match, at(5), ANN).match
    assert not aborted.was_put_aside
    assert stalled.abort_untold(aborted, at(9)) is None
    flagged = not_none(play.flag(match, at(5000))).match
    assert not flagged.was_put_aside
    assert not played(started(BOB), "b2").was_put_aside


def test_a_history_that_ends_so_is_played_again_and_nobody_may_write_one() -> None:
    line = Line(offered(BOB, clock=EACH))
    line.events.append(accepted(line.match, BOB).event)
    line.match = accepted(line.match, BOB).match
    line.then(play.move, at(2), ANN, text="b2")
    span = Span(later(seconds=2), later(days=3))
    line.then(match_clock.credit, CommandContext(later(days=3), stopped_spans=(span,)))
    line.then(stalled.abort_untold, CommandContext(later(days=15)))
    assert line.holds()
    assert line.match.was_put_aside
    for payload in ({}, {"unreached": 0}):
        events = sealed(line.events, len(line.events) - 1, payload=payload)
        with pytest.raises(HistoryError, match="cannot have happened"):
            replay(events, line.match.invited)
