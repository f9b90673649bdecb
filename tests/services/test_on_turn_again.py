"""Players who are on turn and have not just seen so: each is called, and reminded in time.

In Pythagoras a finished line moves again. Here the third move finishes one, whichever people play
which colours.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.domain.clock import TimeControl
from bot.domain.game_state import player_on_turn
from bot.domain.ids import MatchId
from bot.domain.match import Actor
from bot.domain.quiet_hours import QuietHours
from bot.domain.requests import RequestKind
from bot.plans.services import PlanService
from bot.posts.notices import NoticeKind
from bot.store import Store
from tests.support.databases import both
from tests.support.kit import ANN, BOB, CYD, DAN, GUILD, Club, HandClock
from tests.support.not_none import not_none

TURN = NoticeKind.TURN
THREE_DAYS = TimeControl(timedelta(days=3), per_move=True)
FIRST, SECOND, FINISHING = "2k1", "1k2", "3k3"


@pytest.fixture
def club(store: Store) -> Club:
    return Club(store, HandClock(datetime(2026, 1, 12, 12, tzinfo=UTC)))


async def begin(club: Club, *others: Any, **more: Any) -> MatchId:
    """A match of Pythagoras in which Ann has made the first move, with three days for each."""
    others = others or (BOB,)
    options = {"seats": "2" if len(others) == 1 else "4"}
    more.setdefault("clock", THREE_DAYS)
    match_id = await club.start(*others, game="pythagoras", options=options, **more)
    await club.move(ANN, match_id, FIRST)
    await club.worker.drain()
    return match_id


async def plan(club: Club, actor: Actor, match_id: MatchId, line: str) -> None:
    await PlanService(club.store, club.service).add(actor, match_id, line)


async def sitting(club: Club, match_id: MatchId, index: int) -> Actor:
    """The person with this player index, by lot among the invited."""
    match = await club.service.match(ANN, match_id)
    return Actor(not_none(match.players[index]), GUILD)


async def on_turn(club: Club, match_id: MatchId) -> int | None:
    return player_on_turn(await club.service.match(ANN, match_id))


def called(club: Club) -> list[tuple[int, int]]:
    """Ply and player index of each call."""
    return [(told.ply, told.player) for told in club.discord.told if told.notice is TURN]


def reminded(club: Club) -> list[tuple[int, int]]:
    return [(ply, player) for _, ply, player, _ in club.discord.reminded]


def lines(club: Club) -> list[str]:
    """The lines that stand."""
    found = club.discord.messages.values()
    return [each.kind for each in found if each.kind in ("turn", "reminder", "takeback_agreed")]


# ---- who is called -------------------------------------------------------------------------------


async def test_a_planned_move_that_earns_another_calls_its_player(club: Club) -> None:
    match_id = await begin(club)
    await plan(club, ANN, match_id, f"{SECOND} {FINISHING}")
    await club.move(BOB, match_id, SECOND)
    await club.worker.drain()
    assert await on_turn(club, match_id) == 0
    assert called(club)[-1] == (3, 0)
    assert lines(club) == ["turn"]
    await club.waits(hours=61)
    assert reminded(club) == [(3, 0)]


async def test_a_move_by_hand_that_earns_another_is_followed_by_a_reminder(club: Club) -> None:
    match_id = await begin(club)
    await club.move(BOB, match_id, SECOND)
    await club.worker.drain()
    assert called(club)[-1] == (2, 0)
    await club.waits(hours=20)
    await club.move(ANN, match_id, FINISHING)
    await club.worker.drain()
    assert await on_turn(club, match_id) == 0
    assert called(club)[-1] == (2, 0), "she has just moved and sees the board"
    assert lines(club) == [], "what called her before went with the board before"
    # The turn goes on, and so does its clock: the reminder keeps to the deadline.
    match = await club.service.match(ANN, match_id)
    assert match.deadline == datetime(2026, 1, 15, 12, tzinfo=UTC)
    await club.waits(hours=39)
    assert reminded(club) == []
    await club.waits(hours=1)
    assert reminded(club) == [(3, 0)]
    assert lines(club) == ["reminder"]
    await club.plays(match_id, "1a1")
    assert lines(club) == ["turn"], "and it goes with the turn"


async def test_a_reminder_already_given_for_the_turn_does_not_come_again(club: Club) -> None:
    match_id = await begin(club)
    await club.move(BOB, match_id, SECOND)
    await club.choose(ANN, reminders=(24, 12))
    await club.waits(hours=50)
    assert reminded(club) == [(2, 0)]
    await club.move(ANN, match_id, FINISHING)
    await club.waits(hours=9)
    assert reminded(club) == [(2, 0)]
    await club.waits(hours=2)
    assert reminded(club) == [(2, 0), (3, 0)]


async def test_where_others_follow_the_reminders_are_theirs(club: Club) -> None:
    match_id = await begin(club)
    await plan(club, ANN, match_id, f"{SECOND} {FINISHING} 1a1")
    await club.move(BOB, match_id, SECOND)
    await club.worker.drain()
    assert await on_turn(club, match_id) == 1
    assert called(club)[-1] == (4, 1)
    await club.waits(hours=72)
    assert reminded(club) == [(4, 1)]


async def test_a_planned_move_that_ends_the_match_tells_its_player_as_well(club: Club) -> None:
    match_id = await club.start(BOB)
    await club.play(match_id, "b2 a1 a2 c2 c1 a3 b3")
    await plan(club, ANN, match_id, "b1 c3")
    await club.plays(match_id, "b1")
    over = [told.player for told in club.discord.told if told.notice is NoticeKind.OVER]
    assert sorted(over) == [0, 1]


# ---- the deadline that is in force ---------------------------------------------------------------


async def paused(club: Club, match_id: MatchId) -> None:
    await club.ask(ANN, match_id, RequestKind.PAUSE)
    await club.answer(BOB, match_id, RequestKind.PAUSE, accept=True)


@pytest.mark.parametrize("resumes", [ANN, BOB])
async def test_after_a_takeback_in_a_pause_reminders_come(club: Club, resumes: Any) -> None:
    match_id = await begin(club)
    await paused(club, match_id)
    await club.ask(ANN, match_id, RequestKind.TAKEBACK)
    await club.answer(BOB, match_id, RequestKind.TAKEBACK, accept=True)
    await club.waits(hours=100)
    assert reminded(club) == []
    await club.resume(resumes, match_id)
    match = await club.service.match(ANN, match_id)
    assert (match.ply, await on_turn(club, match_id)) == (0, 0)
    await club.waits(hours=59)
    assert reminded(club) == []
    await club.waits(hours=2)
    assert reminded(club) == [(0, 0)]


async def test_a_call_that_came_in_a_pause_is_followed_by_reminders(club: Club) -> None:
    await club.choose(BOB, quiet=QuietHours(10, 20))
    match_id = await begin(club)
    await paused(club, match_id)
    await club.waits(hours=24)
    assert called(club)[-1] == (1, 1)
    await club.resume(ANN, match_id)
    await club.waits(hours=72)
    assert reminded(club) == [(1, 1)]


async def test_on_vacation_a_player_may_move_and_is_reminded_when_it_is_over(club: Club) -> None:
    match_id = await begin(club)
    await club.move(BOB, match_id, SECOND)
    await club.vacations.begin(ANN.user_id, lambda today: today + timedelta(days=5), club.click())
    await club.move(ANN, match_id, FINISHING)
    match = await club.service.match(ANN, match_id)
    assert match.deadline == datetime(2026, 1, 20, 12, tzinfo=UTC)
    await club.waits(hours=5 * 24 + 59)
    assert reminded(club) == []
    await club.waits(hours=2)
    assert reminded(club) == [(3, 0)]


@both
async def test_the_next_process_plans_what_is_to_be_planned(store: Store, club: Club) -> None:
    """Nothing that a process remembers is needed, and it does not matter when it is back."""
    match_id = await begin(club)
    await club.move(BOB, match_id, SECOND)
    await club.move(ANN, match_id, FINISHING)
    await club.worker.drain()
    club.clock.forward(hours=61)
    again = Club(store, club.clock)
    await again.worker.drain()
    assert reminded(again) == [(3, 0)]
    await again.worker.drain()
    assert reminded(again) == [(3, 0)]
    assert match_id


async def test_at_a_table_of_four_the_one_on_turn_is_called_and_nobody_else(club: Club) -> None:
    match_id = await begin(club, BOB, CYD, DAN)
    second, third = [await sitting(club, match_id, index) for index in (1, 2)]
    await plan(club, third, match_id, f"{SECOND} {FINISHING}")
    await club.move(second, match_id, SECOND)
    await club.worker.drain()
    assert called(club)[-2:] == [(1, 1), (3, 2)]
    await club.resign(third, match_id)
    await club.worker.drain()
    assert called(club)[-1] == (4, 3), "after the move for an absent player"
    await club.waits(hours=61)
    assert reminded(club) == [(4, 3)]
