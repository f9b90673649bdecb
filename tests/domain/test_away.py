"""Vacations: clocks that allow them, and their effect on a clock."""

from __future__ import annotations

import dataclasses
from datetime import datetime, timedelta
from typing import Any

from bot.domain import match_clock, play, request_rules
from bot.domain.clock import Span, TimeControl
from bot.domain.events import CommandContext, EventKind, OnVacation
from bot.domain.match import Actor
from bot.domain.requests import RequestKind
from tests.domain.people import accepted, at, offered
from tests.domain.test_history import Line
from tests.support.kit import ANN, BOB, CYD, START

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
EACH = TimeControl(3 * DAY, per_move=True)


def away(act: CommandContext, actor: Actor, until: datetime) -> CommandContext:
    return dataclasses.replace(act, away=(OnVacation(actor.user_id, until),))


def begun(clock: Any = EACH) -> Line:
    """A match in which Bob is on turn."""
    line = Line(offered(BOB, clock=clock)).then(accepted, BOB)
    return (
        line.then(play.move, at(10), ANN, text="a1")
        .then(play.move, at(20), BOB, text="b2")
        .then(play.move, at(30), ANN, text="c3")
    )


BACK = START + 10 * DAY


def test_a_clock_that_comes_to_a_player_on_vacation_stands_until_its_end() -> None:
    line = begun().then(play.move, away(at(3600), ANN, BACK), BOB, text="a2")
    assert line.match.times.since == BACK
    assert line.match.deadline == BACK + EACH.bank
    assert line.holds()
    other = begun().then(play.move, away(at(3600), BOB, BACK), BOB, text="a2")
    assert other.match.times.since == at(3600).at, "who has moved does not keep the clock"
    assert other.holds()


def test_a_vacation_that_is_over_already_stops_nothing() -> None:
    act = away(at(3600), ANN, START + timedelta(seconds=3600))
    line = begun().then(play.move, act, BOB, text="a2")
    assert line.match.times.since == act.at
    assert line.holds()


def test_a_vacation_that_ends_sooner_lets_the_clock_run_from_then_on() -> None:
    line = begun().then(play.move, away(at(3600), ANN, BACK), BOB, text="a2")
    sooner = START + 4 * DAY
    line.then(match_clock.credit, away(at(7200), ANN, sooner))
    assert line.events[-1].kind is EventKind.CREDITED
    assert line.match.deadline == sooner + EACH.bank
    assert match_clock.credit(line.match, away(at(7300), ANN, sooner)) is None, "nothing new"
    line.then(match_clock.credit, at(8000))
    assert line.match.deadline == at(8000).at + EACH.bank, "it is over at once"
    assert match_clock.credit(line.match, at(9000)) is None
    assert line.holds()


def test_a_vacation_that_begins_while_the_clock_runs_is_given_back_at_once() -> None:
    line = begun()
    before = line.match.deadline
    vacation = Span(at(3600).at, at(3600).at + 7 * DAY)
    line.then(match_clock.credit, dataclasses.replace(at(3600), stopped_spans=(vacation,)))
    assert line.match.deadline == before + 7 * DAY
    assert line.holds()


def test_a_vacation_that_begins_after_the_time_had_run_out_saves_nothing() -> None:
    match = begun().match
    late = match.deadline + HOUR
    act = at((late + HOUR - START).total_seconds())
    assert (
        match_clock.credit(
            match, dataclasses.replace(act, stopped_spans=(Span(late, late + 9 * DAY),))
        )
        is None
    )


def test_when_a_pause_ends_the_clock_of_a_player_on_vacation_stands() -> None:
    line = begun()
    line.then(request_rules.ask, at(100), ANN, RequestKind.PAUSE)
    line.then(request_rules.answer, at(200), BOB, RequestKind.PAUSE, accept=True)
    line.then(request_rules.resume, away(at(300), BOB, BACK), ANN)
    assert line.match.times.since == BACK
    assert line.holds()


def test_who_stands_beside_a_match_stops_no_clock_of_it_by_a_vacation() -> None:
    line = begun().then(play.move, away(at(3600), CYD, BACK), BOB, text="a2")
    assert line.match.times.since == at(3600).at
    assert line.holds()
