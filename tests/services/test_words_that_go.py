"""News of pauses and answers goes with the turn, and no two such messages stand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.clock import TimeControl
from bot.domain.ids import MatchId
from bot.domain.preferences import NoticeWay
from bot.domain.quiet_hours import QuietHours
from bot.domain.requests import RequestKind
from bot.posts.notices import NOTICES, PLACES, NoticeKind
from tests.support.kit import ANN, BOB, Club

DAYS = TimeControl(timedelta(days=3), per_move=True)
_WORDS = {name for name, kind in NOTICES.items() if PLACES.get(str(kind.post), kind.post) == "word"}


async def _standing(club: Club) -> list[str]:
    """The words that stand, the oldest first."""
    await club.worker.drain()
    return [each.kind for each in club.discord.messages.values() if each.kind in _WORDS]


async def _ask(club: Club, match_id: MatchId, wish: RequestKind, *, accept: bool) -> None:
    """Ann asks, Bob answers."""
    await club.ask(ANN, match_id, wish)
    await club.worker.drain()
    await club.answer(BOB, match_id, wish, accept=accept)


async def test_a_word_goes_with_the_turn_and_the_next_one_takes_its_place(club: Club) -> None:
    match_id = await club.start(BOB, clock=DAYS)
    await club.play(match_id, "a1")
    await _ask(club, match_id, RequestKind.DRAW, accept=False)
    assert await _standing(club) == ["draw_declined"]
    await _ask(club, match_id, RequestKind.PAUSE, accept=True)
    assert await _standing(club) == ["paused"], "Ann has one word at a time"
    await club.resume(ANN, match_id)
    assert await _standing(club) == ["resumed"], "and nobody reads that the clock is stopped"
    club.worker = club.another_worker()
    await club.play(match_id, "b2")
    assert await _standing(club) == []


async def test_word_of_the_start_goes_with_the_first_move(club: Club) -> None:
    def started() -> list[int]:
        found = club.discord.told
        return [each.player for each in found if each.notice is NoticeKind.STARTED]

    match_id = await club.begun(BOB, seat=1)
    assert started() == [1], "Bob begins, and Ann hears it"
    await club.plays(match_id, "a1")
    assert NoticeKind.STARTED.value not in {each.kind for each in club.discord.messages.values()}


@pytest.mark.parametrize("way", [NoticeWay.DIRECT, NoticeWay.MENTION])
async def test_what_is_past_in_the_morning_is_not_told(club: Club, way: NoticeWay) -> None:
    await club.choose(ANN, way=way, quiet=QuietHours(10, 20), zone="UTC")
    match_id = await club.start(BOB, clock=DAYS)
    await club.play(match_id, "a1")
    await _ask(club, match_id, RequestKind.PAUSE, accept=True)
    assert await _standing(club) == []
    await club.resume(BOB, match_id)
    club.clock.forward(hours=9)
    assert await _standing(club) == ["resumed"]


async def test_a_word_that_was_sent_before_a_crash_goes_all_the_same(club: Club) -> None:
    match_id = await club.start(BOB, clock=DAYS)
    await club.play(match_id, "a1")
    await _ask(club, match_id, RequestKind.PAUSE, accept=True)
    await club.dies_after(club.discord, "notify")
    assert await _standing(club) == ["paused"]
    await club.resume(BOB, match_id)
    club.clock.forward(minutes=2)
    assert await _standing(club) == ["resumed"]
    await club.play(match_id, "b2")
    assert await _standing(club) == []


async def _questions(club: Club) -> list[str]:
    """The open requests, the oldest first."""
    await club.worker.drain()
    found = [each.kind for each in club.discord.messages.values()]
    return [each for each in found if each.endswith("_asked")]


async def test_answered_requests_go_with_the_turn_others_with_the_match(club: Club) -> None:
    match_id = await club.start(BOB, clock=DAYS)
    await club.play(match_id, "a1")
    for wish in (RequestKind.DRAW, RequestKind.TAKEBACK):
        await _ask(club, match_id, wish, accept=False)
    assert await _questions(club) == ["draw_asked", "takeback_asked"], "they say how they ended"
    assert len(club.discord.closed_requests) == 2
    await club.play(match_id, "b2")
    await club.dies_after(club.discord, "erase")
    club.clock.forward(minutes=2)
    assert await _questions(club) == []
    await club.ask(ANN, match_id, RequestKind.ABORT)
    assert await _questions(club) == ["abort_asked"]
    await club.resign(BOB, match_id)
    assert await _questions(club) == []
    assert len(club.discord.closed_requests) == 2


async def test_what_is_asked_once_more_replaces_what_was_withdrawn(club: Club) -> None:
    match_id = await club.start(BOB, clock=DAYS)
    await club.play(match_id, "a1")
    for _ in range(3):
        await club.ask(ANN, match_id, RequestKind.PAUSE)
        assert await _questions(club) == ["pause_asked"]
        await club.retract(ANN, match_id, RequestKind.PAUSE)
    assert await _questions(club) == ["pause_asked"], "the last one says that it was withdrawn"


async def test_a_request_that_is_withdrawn_while_it_is_posted_loses_its_buttons(club: Club) -> None:
    match_id = await club.start(BOB, clock=DAYS)
    await club.plays(match_id, "a1")
    notify = club.discord.notify

    async def meanwhile(*args: Any, **more: Any) -> Any:
        club.discord.notify = notify
        posted = await notify(*args, **more)
        await club.retract(ANN, match_id, RequestKind.DRAW)
        return posted

    club.discord.notify = meanwhile
    await club.ask(ANN, match_id, RequestKind.DRAW)
    assert await _questions(club) == ["draw_asked"]
    assert [player for _, player, _ in club.discord.closed_requests] == [1]
