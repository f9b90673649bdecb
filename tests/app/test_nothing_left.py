"""Nothing is left lying: requests say how they ended, and what was only for the start goes."""

from __future__ import annotations

import re

import pytest

from bot.domain import stalled
from bot.domain.events import CommandContext
from bot.domain.match import MatchStatus
from bot.store import transactions
from bot.ui.interaction import answer_lifecycle
from playground.forms import all_text
from tests.support.hosted import Game, Hosted, Json, actions, press, press_action, turn


async def _question(game: Game, words: str) -> Json:
    """The message in the thread that asks, or asked, for something."""
    return next(
        each
        for each in await game.black.messages(game.home, limit=100)
        if words in all_text(each) and not each["flags"] & 64
    )


@pytest.mark.parametrize(
    ("how", "ended"),
    [
        ("agree", "Accepted."),
        ("refuse", "Declined."),
        ("retract", "Withdrawn."),
        ("move", "Declined by the next move."),
    ],
)
async def test_a_request_loses_its_buttons_says_how_it_ended_and_goes_with_the_turn(
    game: Game, how: str, ended: str
) -> None:
    anna, ben = game.black, game.white
    await game.say(anna, "a1")
    await game.hosted.settled()
    asked = await anna.ask("match takeback", game.home)
    await game.hosted.settled()
    question = await _question(game, "asks to take back")
    assert actions(question) == {"agree", "refuse"}
    assert "Open until the next move" in all_text(question)
    await game.hosted.restart()
    if how == "move":
        await game.say(ben, "b2")
    elif how == "retract":
        assert not actions(await turn(anna, asked, how))
    else:
        await press(ben, question, how)
    await game.hosted.settled()
    question = await _question(game, "asks to take back")
    assert not actions(question)
    assert all_text(question).endswith(f"**{ended}**")
    assert "Open until" not in all_text(question)
    if how in ("refuse", "move"):
        told = [all_text(each) for each in await anna.messages(game.home)]
        assert any("takeback request in Quax was declined" in each for each in told)
    await game.hosted.restart()
    await game.say(anna if how in ("agree", "move") else ben, "c3")
    await game.hosted.settled()
    found = await anna.messages(game.home, limit=100)
    said = "\n".join(all_text(each) for each in found if not each["flags"] & 64)
    assert not re.search("asks to take back|takeback request", said)


@pytest.mark.long
@pytest.mark.parametrize("how", ["agree", "refuse", "move", "answered first"])
async def test_a_private_page_about_a_request_goes_with_it(game: Game, how: str) -> None:
    anna, ben = game.black, game.white
    await game.say(anna, "a1")
    if how == "answered first":
        await game.say(ben, "b2")
        await ben.ask("match takeback", game.home)
    await game.hosted.settled()
    first = await anna.ask("match takeback", game.home)
    asked = await anna.ask("match takeback", game.home)
    ways = {"agree", "refuse"} if how == "answered first" else {"retract"}
    assert actions(first) == actions(asked) == ways
    await game.hosted.settled()
    after = len(anna.events)
    if how == "answered first":
        await press_action(anna, asked, "refuse")
    elif how == "move":
        await game.say(ben, "b2")
    else:
        question = await _question(game, "asks to take back")
        await press(ben, question, how)
    await anna.wait_event("MESSAGE_DELETE", lambda data: data["id"] == asked["id"], after=after)


@pytest.mark.long
@pytest.mark.parametrize(
    ("how", "does"), [("resign", "resignyes"), ("abort", "abortyes"), ("resign", "nevermind")]
)
async def test_a_question_goes_once_it_is_answered(
    game: Game, monkeypatch: pytest.MonkeyPatch, how: str, does: str
) -> None:
    """And where the answer ends the match, the board says so."""
    monkeypatch.setattr(answer_lifecycle, "_SECOND_CLICK", 0.0)
    anna = game.black
    sure = await anna.ask(f"match {how}", game.home)
    after = len(anna.events)
    await press_action(anna, sure, does)
    await anna.wait_event("MESSAGE_DELETE", lambda data: data["id"] == sure["id"], after=after)
    await game.hosted.settled()
    ((match, _),) = await game.hosted.history()
    assert match.status.is_final is (does != "nevermind")


@pytest.mark.long
async def test_a_question_that_was_taken_back_says_so_and_goes(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_lifecycle, "_SECOND_CLICK", 0.5)
    anna = game.black
    sure = await anna.ask("match resign", game.home)
    after = len(anna.events)
    left = await turn(anna, sure, "nevermind")
    assert all_text(left) == "Nothing has changed."
    await anna.wait_event("MESSAGE_DELETE", lambda data: data["id"] == sure["id"], after=after)
    ((match, _),) = await game.hosted.history()
    assert match.status is MatchStatus.RUNNING


@pytest.mark.long
async def test_a_substitute_is_found_from_the_word_of_who_left(table: Hosted) -> None:
    people = [await table.join(name) for name in ("Anna", "Ben", "Cyd", "Dan", "Eve")]
    anna, *others, eve = people
    general = anna.channel("general")
    await anna.ask("play", general, game="pythagoras", side="1")
    await table.settled()
    for each in others:
        offer = next(m for m in await each.messages(general) if "accept" in actions(m))
        await press(each, offer, "accept")
        await table.settled()
    ((match, _),) = await table.history()
    home, bot = int(match.home_id or 0), table.bot
    await anna.ask("move", home, move="3i1")
    await table.settled()
    match = await bot.store.read(transactions.match, match.id) or match
    change = stalled.depart(match, CommandContext(bot.clock.now()), 2)
    assert change is not None
    await bot.store.commit(change)
    bot.outbox.wake()
    await table.settled()
    word = next(m for m in await anna.messages(home) if "substitute" in actions(m))
    told = await press(anna, word, "substitute")
    assert "Offer sent" in all_text(told)
    await table.settled()
    gone = match.players[2]
    for each in (*(one for one in others if one.id != gone), eve):
        offer = next(m for m in await each.messages(general) if "accept" in actions(m))
        assert "the open one is for a substitute" in all_text(offer)
        await press(each, offer, "accept")
        await table.settled()
    found = {each.status: each for each, _ in await table.history()}
    assert found.keys() == {MatchStatus.ABORTED, MatchStatus.RUNNING}
    goes_on = found[MatchStatus.RUNNING]
    assert goes_on.players[2] == eve.id
    board = all_text((await eve.messages(int(goes_on.home_id or 0)))[0])
    assert "Pythagoras" in board
    assert not [m for m in await anna.messages(home) if "substitute" in actions(m)]
