"""Decisions of features on a change, without any storage."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import chain
from typing import Any

import pytest

from bot.domain import match_clock, play, request_rules
from bot.domain.clock import Span, TimeControl, Vacations
from bot.domain.clock_text import read_clock
from bot.domain.events import Change, CommandContext, OnVacation
from bot.domain.hosted import substitute
from bot.domain.match import Actor, Match, Place
from bot.domain.requests import RequestKind
from bot.domain.vacation import Vacation
from bot.lobby.store import lobby_of
from bot.plans.domain import Plan, Planned, ends_plans, play_plans, read_line
from bot.posts.deliveries import JUST_TOLD, deliveries_for, reminders_after
from bot.posts.notices import NoticeKind
from bot.posts.sending import Delivery, DeliveryKind
from bot.store.records import VacationNotice, VacationRow
from bot.store.vacations import shortened
from tests.domain.people import DAY, accepted, at, offered, started
from tests.support.kit import ANN, BOB, CYD, GUILD, START
from tests.support.not_none import not_none

HOUR = timedelta(hours=1)


def move(
    match: Match, actor: Actor, text: str, seconds: float = 3, click: int | None = 1
) -> Change:
    return play.move(match, at(seconds, click), actor, text=text)


def planned(match: Match, player: int, *lines: str) -> Plan:
    plan = Plan(match.id, player, match.ply)
    for line in lines:
        plan = plan.with_line(read_line(match, player, line))
    return plan


def sent(*changes: Change) -> list[tuple[Any, Any, Any, Any]]:
    found = chain.from_iterable(map(deliveries_for, changes))
    return [(each.kind, each.audience, each.notice, each.version) for each in found]


# ---- what is sent ------------------------------------------------------------------------------


def test_a_move_without_anything_else_is_a_board_and_a_call() -> None:
    change = move(started(), ANN, "b2")
    version = change.match.version
    assert sent(change) == [
        (DeliveryKind.BOARD, None, None, version),
        (DeliveryKind.NOTICE, 1, NoticeKind.TURN, version),
        (DeliveryKind.OFFER, None, None, version),
    ]
    assert list(reminders_after(change)) == []
    assert lobby_of(change) is None


def test_a_substitute_who_waits_for_the_other_is_seen_on_a_new_board() -> None:
    board, told, *_ = sent(substitute(started(), at(3), 1, CYD.user_id, past=()))
    assert (board[0], told[1:3]) == (DeliveryKind.BOARD, (1, NoticeKind.STARTED))


# ---- planned moves -----------------------------------------------------------------------------


def test_a_planned_move_is_played_and_its_player_is_told_of_nothing_twice() -> None:
    match = started(options={"size": 4})
    change = move(match, ANN, "a1")
    (answer,), left = play_plans(change, (planned(match, 1, "a1 b2"),))
    assert answer.before == change.match
    assert answer.event.user_id == BOB.user_id
    assert answer.event.interaction_id is None
    assert answer.match.recent == ("a1", "b2")
    assert left == (Plan(match.id, 1, 2),), "nothing is left of it"
    boards = [each for each in sent(change, answer) if each[0] is DeliveryKind.BOARD]
    assert [each[3] for each in boards] == [change.match.version, answer.match.version]
    told = [each[1:3] for each in sent(change, answer) if each[0] is DeliveryKind.NOTICE]
    assert told[-1] == (0, NoticeKind.TURN)


@pytest.mark.parametrize("line", ["a1 a1", "a1 nonsense", "b1 c1"])
def test_a_plan_that_the_game_has_left_is_gone(line: str) -> None:
    match = started(options={"size": 4})
    own = Plan(match.id, 1, match.ply)
    own = replace(
        own, lines=(tuple(_step(text, n % 2 == 1) for n, text in enumerate(line.split())),)
    )
    assert play_plans(move(match, ANN, "a1"), (own,)) == ((), (Plan(match.id, 1, 1),))


def _step(text: str, own: bool) -> Planned:
    return Planned(text, own)


def test_a_change_that_leaves_the_position_leaves_the_plans() -> None:
    match = started(options={"size": 4})
    asked = play.move(match, at(3), ANN, text="a1").match

    change = request_rules.ask(
        asked, at(4, 9), ANN, RequestKind.DRAW, expires_at=START + DAY, past=()
    )
    assert not ends_plans(change)
    assert ends_plans(play.move(match, at(3), ANN, text="a1"))


def test_a_plan_that_stumbles_over_a_bug_does_not_harm_the_move(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = started(options={"size": 4})
    change = move(match, ANN, "a1")
    plan = planned(match, 1, "a1 b2")

    def bug(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(play, "move", bug)
    caplog.set_level("CRITICAL")
    assert play_plans(change, (plan,)) == ((), (Plan(match.id, 1, 1),))


def test_a_planned_move_runs_no_clock_of_a_player_on_vacation() -> None:
    clock = replace(not_none(read_clock("3d/move")), vacations=Vacations.ALLOWED)
    match = started(clock=clock, options={"size": 4})
    away = (OnVacation(ANN.user_id, START + 5 * DAY),)
    plan = planned(match, 1, "a1 b2")
    (answer,), _ = play_plans(move(match, ANN, "a1"), (plan,), away)
    assert not_none(answer.match.times).running == 0
    assert not_none(answer.match.times).since == START + 5 * DAY


# ---- deadlines ---------------------------------------------------------------------------------


def test_every_turn_with_a_deadline_is_to_be_planned_those_of_planned_moves_too() -> None:
    match = started(clock=TimeControl(3 * DAY, per_move=True), options={"size": 4})
    change = move(match, ANN, "a1")
    answers, _ = play_plans(change, (planned(match, 1, "a1 b2"),))
    first, then = change.match.version, change.event.at + JUST_TOLD
    assert list(chain.from_iterable(map(reminders_after, (change, *answers)))) == [
        Delivery(DeliveryKind.REMINDER, first, audience=1).message(match.id, then),
        Delivery(DeliveryKind.REMINDER, first + 1, audience=0).message(match.id, then),
    ]


def test_another_deadline_of_the_same_turn_is_planned_again() -> None:
    match = move(started(clock=TimeControl(3 * DAY, per_move=True)), ANN, "b2").match
    act = CommandContext(START + DAY, stopped_spans=(Span(START + HOUR, START + 3 * HOUR),))
    change = match_clock.credit(match, act)
    assert change is not None
    turn = Delivery(DeliveryKind.REMINDER, match.version, audience=1)
    assert list(reminders_after(change)) == [turn.message(match.id, act.at)]


# ---- offers ------------------------------------------------------------------------------------


def test_an_open_offer_is_shown_in_the_lobby() -> None:
    assert lobby_of(offered(BOB)) is None
    assert lobby_of(offered()) == lobby_of(accepted(offered().match, CYD)) == GUILD
    assert lobby_of(offered(place=Place(None, offered().match.origin.channel_id))) is None


# ---- vacations ---------------------------------------------------------------------------------


def row(began: Any, ends: Any, *, automatic: bool = True) -> VacationRow:
    return VacationRow(ANN.user_id, 1, 4, Vacation(began, ends, automatic), START - DAY)


def test_a_move_shortens_a_vacation_that_began_by_itself() -> None:
    change = move(started(), ANN, "b2")
    now = change.event.at
    kept = row(START - DAY, START + 20 * DAY)
    (found,) = shortened((kept,), now)
    assert found.vacation == Vacation(START - DAY, now + DAY, by_itself=True)
    assert (found.changed_at, found.line_at, found.telling) == (now, now, VacationNotice(now + DAY))
    assert (found.number, found.version) == (1, 4), "it takes the place of that one"


@pytest.mark.parametrize(
    "kept",
    [
        row(START - DAY, START + 20 * DAY, automatic=False),
        row(START - DAY, START + HOUR),
        row(START + DAY, START + 9 * DAY),
    ],
)
def test_other_vacations_end_as_they_were_to(kept: Any) -> None:
    assert shortened((kept,), START + timedelta(seconds=3)) == ()
