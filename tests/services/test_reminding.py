"""Reminders: at the chosen hours before a deadline, once each, never in quiet hours, to one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from bot.domain.clock import TimeControl
from bot.domain.quiet_hours import QuietHours
from bot.domain.requests import RequestKind
from bot.posts.notices import NoticeKind
from bot.posts.outgoing import LEASE
from bot.store import Store, outbox, presence
from bot.store.records import Outage
from bot.store.tables import reminders
from tests.support.databases import both
from tests.support.kit import ANN, BOB, Club, HandClock

BERLIN = "Europe/Berlin"
THREE_DAYS = TimeControl(timedelta(days=3), per_move=True)


async def begun(
    store: Store, *, at: str = "2026-01-12 12:00", clock: Any = THREE_DAYS, **choices: Any
) -> Any:
    """Bob is on turn, with three days for his move; he has chosen as said."""
    club = Club(store, HandClock(datetime.fromisoformat(at).replace(tzinfo=UTC)))
    await club.choose(BOB, **choices)
    match_id = await club.start(BOB, clock=clock)
    await club.plays(match_id, "b2")
    return club, match_id


def reminded(club: Club) -> list[tuple[int, int]]:
    return [(ply, player) for _, ply, player, _ in club.discord.reminded]


def lines(club: Club) -> list[str]:
    found = club.discord.messages.values()
    return [each.kind for each in found if each.kind in ("turn", "reminder")]


async def test_a_player_is_reminded_at_each_chosen_hour_once(store: Store) -> None:
    club, _ = await begun(store, reminders=(24, 6))
    await club.waits(hours=47)
    assert reminded(club) == []
    await club.waits(hours=1)
    assert reminded(club) == [(1, 1)]
    await club.waits(hours=17)
    assert reminded(club) == [(1, 1)]
    await club.waits(hours=1)
    assert reminded(club) == [(1, 1), (1, 1)]
    await club.waits(hours=5)
    assert len(reminded(club)) == 2
    turns = [told for told in club.discord.told if told.notice is NoticeKind.TURN]
    assert [told.player for told in turns].count(1) == 1


@pytest.mark.parametrize("dies", [False, True])
async def test_the_reminder_replaces_the_line_and_goes_with_the_turn(
    store: Store, dies: bool
) -> None:
    club, match_id = await begun(store, reminders=(24,))
    await club.waits(hours=47)
    club.clock.forward(hours=1)
    if dies:
        await club.dies_before(outbox.settle)
    await club.waits(minutes=30)
    assert lines(club) == ["reminder"]
    assert len(reminded(club)) == 1
    await club.plays(match_id, "a1")
    assert lines(club) == ["turn"]


@pytest.mark.parametrize("reminders", [(24,), ()])
@pytest.mark.parametrize("what", ["pause", "vacation"])
async def test_a_reminder_goes_when_its_deadline_is_no_more(
    store: Store, what: str, reminders: tuple[int, ...]
) -> None:
    """A call that names no deadline stays."""
    club, match_id = await begun(store, reminders=reminders)
    await club.waits(hours=49)
    assert lines(club) == (["reminder"] if reminders else ["turn"])
    if what == "vacation":
        await club.vacations.begin(
            BOB.user_id, lambda today: today + timedelta(days=5), club.click()
        )
    else:
        await club.ask(ANN, match_id, RequestKind.PAUSE)
        await club.answer(BOB, match_id, RequestKind.PAUSE, accept=True)
    await club.waits(hours=1)
    assert lines(club) == ([] if reminders else ["turn"])
    if what == "pause":
        await club.resume(ANN, match_id)
    await club.waits(hours=10)
    assert lines(club) == ([] if reminders else ["turn"]), "reminded of this turn once"
    await club.plays(match_id, "a1")
    assert lines(club) == ["turn"]


async def test_a_reminder_due_in_a_pause_is_given_after_it(store: Store) -> None:
    club, match_id = await begun(store, reminders=(24,))
    await club.waits(hours=47)
    await club.waits(minutes=30)
    await club.ask(ANN, match_id, RequestKind.PAUSE)
    await club.answer(BOB, match_id, RequestKind.PAUSE, accept=True)
    await club.waits(minutes=45)
    await club.resume(ANN, match_id)
    await club.waits(minutes=15)
    assert reminded(club) == []
    await club.waits(minutes=15)
    assert reminded(club) == [(1, 1)]


async def test_a_reminder_that_would_follow_the_notice_at_once_is_left_out(store: Store) -> None:
    day = TimeControl(timedelta(hours=24), per_move=True)
    club, _ = await begun(store, clock=day, reminders=(24, 12))
    await club.waits(hours=11)
    assert reminded(club) == []
    await club.waits(hours=2)
    assert reminded(club) == [(1, 1)]


async def test_a_reminder_of_the_night_comes_in_the_morning_or_before(store: Store) -> None:
    # The deadline is on the 15th at 13:00 in Berlin; twelve hours before is one at night.
    club, _ = await begun(store, reminders=(12,), quiet=QuietHours(22, 7), zone=BERLIN)
    await club.waits(hours=65)
    await club.waits(minutes=45)
    assert reminded(club) == []
    await club.waits(minutes=15)
    assert reminded(club) == [(1, 1)]
    assert club.clock.at == datetime(2026, 1, 15, 6, 0, tzinfo=UTC)


async def test_a_choice_counts_for_turns_that_have_begun(store: Store) -> None:
    club, _ = await begun(store, reminders=())
    await club.choose(BOB, reminders=(48,))
    await club.reminding.plan_anew(BOB.user_id)
    await club.waits(hours=25)
    assert reminded(club) == [(1, 1)]
    await club.choose(BOB, reminders=(48, 24))
    await club.reminding.plan_anew(BOB.user_id)
    await club.waits(hours=20)
    assert reminded(club) == [(1, 1)]
    await club.waits(hours=5)
    assert reminded(club) == [(1, 1), (1, 1)]


@pytest.mark.parametrize("dies_of", ["the answer", "the process"])
@pytest.mark.parametrize("found", ["at once", "after the next turn was told"])
async def test_one_not_noted_goes_with_its_turn(store: Store, dies_of: Any, found: Any) -> None:
    club, match_id = await begun(store, reminders=(24,))
    await club.waits(hours=47)
    club.clock.forward(hours=1)
    if dies_of == "the process":
        await club.dies_after(club.discord, "remind")
        club.clock.forward(seconds=LEASE.total_seconds())
    else:
        club.discord.loses_answer("remind")
        await club.worker.drain()
    assert len(reminded(club)) == 1
    club.discord.forget_nonces()
    await club.play(match_id, "a1")
    if found == "after the next turn was told":
        await club.worker.drain()
        await club.plays(match_id, "a2")
    await club.waits(minutes=30)
    kinds = [each.kind for each in club.discord.messages.values()]
    assert "reminder" not in kinds
    assert kinds.count("turn") == 1, "the line of the present turn stays"
    assert len(reminded(club)) == 1


async def test_a_reminder_waits_for_the_deadline_that_an_outage_has_put_off(store: Store) -> None:
    club, _ = await begun(store, reminders=(24,))
    start = club.clock.at
    await store.write(
        presence.note_outages,
        (Outage("", start + timedelta(hours=5), start + timedelta(hours=15)),),
    )
    await club.waits(hours=57)
    assert reminded(club) == []
    await club.waits(hours=2)
    assert reminded(club) == [(1, 1)]


@both
async def test_what_was_given_is_known_until_the_turn_is_over(store: Store) -> None:
    club, match_id = await begun(store, reminders=(24,))
    await club.waits(hours=48)
    known = select(reminders.c.match_id, reminders.c.hours)
    await club.untold_turns.tidy()
    assert await store.read(lambda c: c.execute(known).all()) == [(match_id, 24)]
    await club.resign(BOB, match_id)
    await club.untold_turns.tidy()
    assert await store.read(lambda c: c.execute(known).all()) == []
