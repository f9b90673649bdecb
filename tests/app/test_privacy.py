"""``/privacy`` as people use it."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from bot.domain.ids import UserId
from playground.forms import all_text
from playground.world.controls import walk
from tests.hosted import Game, Hosted, press_board, then


async def test_everything_about_me_comes_as_a_file_for_me_alone(game: Game) -> None:
    await game.say(game.black, "c3")
    anna = game.black
    said = await anna.wait_answer(await anna.slash("privacy export", game.home))
    assert said["flags"] & 64
    file = next(part["file"] for part in walk(said["components"]) if part["type"] == 13)
    async with anna.session.get(file["url"]) as answer:
        held = json.loads(await answer.read())
    assert held["user_id"] == str(anna.id)
    assert any("c3" in row["payload"] for row in held["events"])
    assert {row["user_id"] for row in held["events"]} == {anna.id}


async def test_erasing_asks_first_resigns_and_leaves_the_opponent_a_whole_match(
    game: Game, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben = game.black, game.white
    await game.say(anna, "c3")
    asked = await anna.wait_answer(await anna.slash("privacy delete", game.home))
    assert "You'll resign 1 running match." in all_text(asked)
    left = await then(anna, asked, anna.click(asked, label="Never mind"))
    assert all_text(left) == "Nothing has changed."
    asked = await anna.wait_answer(await anna.slash("privacy delete", game.home))
    done = await then(anna, asked, anna.click(asked, label="Erase everything"))
    assert "has been erased. 1 match resigned." in all_text(done)
    await game.hosted.settled()
    board = await game.board()
    assert f"<@{ben.id}> wins!" in all_text(board)
    ((match, events),) = await game.hosted.history()
    assert anna.id not in match.players
    assert all(event.user_id != anna.id for event in events)
    shown = await press_board(ben, board, "History")
    assert str(anna.id) not in json.dumps(shown["components"])
    again = await anna.wait_answer(await anna.slash("privacy delete", game.home))
    assert "are running" not in all_text(again)
    assert str(anna.id) not in caplog.text


async def test_nothing_happens_to_a_person_who_only_looks(table: Hosted) -> None:
    anna = await table.join("Anna")
    channel = int(anna.guild["channels"][0]["id"])
    asked = await anna.wait_answer(await anna.slash("privacy delete", channel))
    assert "can't be undone" in all_text(asked)
    assert await table.history() == ()


async def test_who_is_erased_is_called_something_in_the_language_of_who_looks(game: Game) -> None:
    anna, ben = game.black, game.white
    await game.say(anna, "c3")
    asked = await anna.wait_answer(await anna.slash("privacy delete", game.home))
    await then(anna, asked, anna.click(asked, label="Erase everything"))
    await game.hosted.settled()
    bot = game.hosted.bot
    assert bot is not None
    await bot.services.preferences.change(
        UserId(ben.id), lambda chosen: replace(chosen, language="de")
    )
    board = await game.board()
    shown = await press_board(ben, board, "History")
    assert re.search(r"Schwarz Spieler \d{4}\b", all_text(shown))
