"""Answers that Discord did not take reach the player at their next contact."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.store import notices
from bot.ui.interaction import handler, responses
from playground.faults import Delay, Drop, Hang, Status
from playground.forms import all_text
from tests.support.databases import both_in_soak
from tests.support.hosted import Game, press_action, press_board
from tests.support.until import until

ORIGINAL = r".*/webhooks/\d+/[^/]+/messages/@original"
FOLLOW_UP = r".*/webhooks/\d+/[^/]+"
EARLIER = "An earlier answer didn't get through."


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(responses, "_RETRY_AFTER", (0.01, 0.01))


async def _owed(game: Game) -> None:
    """Wait until it is written down that Black has not been answered."""

    async def is_owed() -> bool:
        return UserId(game.black.id) in dict(await game.hosted.bot.store.read(notices.all_owed))

    await until(is_owed)


async def _move_without_answer(game: Game, move: str, fault: Any) -> None:
    """Black moves, and Discord takes no answer to that."""
    game.hosted.playground.faults.rest("PATCH", ORIGINAL, fault, times=None)
    await game.black.slash("move", game.home, move=move)
    await _owed(game)
    await game.hosted.settled()
    assert "1 a1" in all_text(await game.board())


async def _private(game: Game) -> list[str]:
    found = await game.black.messages(game.home)
    return [all_text(each) for each in found if each["flags"] & 64]


async def _rules(game: Game) -> None:
    """Something that has nothing to do with the match."""
    await game.black.ask("help", game.home)


async def _told(game: Game) -> list[str]:
    return [said for said in await _private(game) if EARLIER in said]


async def _hears(game: Game) -> str:
    """The news for Black about an earlier answer at their next contact."""
    after = len(game.black.events)
    await _rules(game)
    return all_text(await game.black.wait_message(lambda m: EARLIER in all_text(m), after=after))


@both_in_soak
async def test_what_was_played_is_told_once_at_the_next_contact_and_to_nobody_else(
    stored_game: Game,
) -> None:
    game = stored_game
    faults = game.hosted.playground.faults
    await _move_without_answer(game, "a1", Drop())
    await game.hosted.restart()
    faults.clear()
    await game.white.ask("help", game.home)
    await asyncio.sleep(0.3)
    assert not any(EARLIER in all_text(m) for m in await game.white.messages(game.home))
    lost = faults.rest("POST", FOLLOW_UP, Drop())
    await _rules(game)
    await until(lambda: lost.hits)
    told = await _hears(game)
    assert "You played a1." in told
    assert f"Quax <#{game.home}>" in told
    await _rules(game)
    await asyncio.sleep(0.3)
    assert len(await _told(game)) == 1, "it is told once"
    # Of a click the page stays as it was, for nobody could edit it.
    page = await press_board(game.black, await game.board(), "resign")
    faults.rest("PATCH", ORIGINAL, Drop(), times=None)
    await press_action(game.black, page, "resignyes")
    await _owed(game)
    faults.clear()
    assert "You resigned." in await _hears(game)


@pytest.mark.parametrize("fault", [Drop(), Status(503, 0)])
async def test_an_answer_is_given_as_soon_as_discord_takes_it(
    game: Game, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responses, "_LATER", (0.5, 0.5, 0.5, 0.5, 20.0))
    await _move_without_answer(game, "a1", fault)
    after = len(game.black.events)
    game.hosted.playground.faults.clear()
    told = await game.black.wait_message(lambda m: bool(m["flags"] & 64), after=after)
    assert all_text(told) == "You played a1."
    await _rules(game)
    await asyncio.sleep(0.3)
    assert await _told(game) == [], "they know it by now"


async def test_an_answer_that_has_arrived_is_not_told_again(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responses, "_LATER", (0.1,))
    faults = game.hosted.playground.faults
    faults.rest("PATCH", ORIGINAL, Drop(), when="after", times=None)
    assert "You played a1." in all_text(await game.say(game.black, "a1"))
    await _owed(game)
    faults.clear()
    await asyncio.sleep(0.6)
    await _rules(game)
    await asyncio.sleep(0.3)
    assert await _told(game) == []


@pytest.mark.long
async def test_an_answer_that_is_slow_is_not_told_as_lost(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another press meanwhile gets its own answer."""
    monkeypatch.setattr(handler, "_SLOW", 0.05)
    game.hosted.playground.faults.rest("PATCH", ORIGINAL, Delay(3.0))
    after = len(game.black.events)
    await game.black.slash("move", game.home, move="a1")
    await _owed(game)
    await game.hosted.settled()
    again = await game.black.wait_answer(
        await game.black.slash("move", game.home, move="a1"), patience=2.0
    )
    assert all_text(again) == "You've already played a1."
    told = await game.black.wait_message(
        lambda m: bool(m["flags"] & 64) and "You played" in all_text(m), after=after
    )
    assert all_text(told) == "You played a1."
    assert not [
        each
        for each in game.black.events[after:]
        if each.name == "MESSAGE_CREATE" and EARLIER in all_text(each.data)
    ]


@pytest.mark.long
async def test_an_answer_that_hangs_is_told_at_the_next_contact(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handler, "_LOST_AFTER", 0.1)
    faults = game.hosted.playground.faults
    faults.rest("PATCH", ORIGINAL, Hang())
    await game.black.slash("move", game.home, move="a1")
    await _owed(game)
    await _hears(game)
    for connection in list(game.hosted.bot.services.background._tasks):
        connection.cancel()
