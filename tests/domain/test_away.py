"""Who is away: how a clock is for a vacation, and what a vacation does to one."""

from __future__ import annotations

import dataclasses
from datetime import datetime, timedelta
from typing import Any

from bot.domain import play, request_rules
from bot.domain.clock import TimeControl
from bot.domain.events import CommandContext, OnVacation
from bot.domain.match import Actor
from bot.domain.requests import RequestKind
from tests.domain.people import accepted, at, offered
from tests.domain.test_history import Line
from tests.kit import ANN, BOB, CYD, START

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
