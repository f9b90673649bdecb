"""Moves by every way in: typed, suggested, tapped; and everything that is no move."""

from __future__ import annotations

import pytest

from playground.forms import all_text
from playground.world.controls import walk
from tests.support.hosted import Game, Hosted, begun, start_quax


async def test_the_first_suggestion_opens_the_panel(game: Game) -> None:
    first = await game.black.autocomplete("move", game.home, "move", move="")
    assert [each["value"] for each in first[1:4]] == ["a1", "b1", "c1"]
    opened = await game.say(game.black, first[0]["value"])
    assert "What's your move?" in all_text(opened), "Enter, Enter plays nothing"
    assert await game.white.autocomplete("move", game.home, "move", move="") == []


@pytest.mark.long
async def test_a_suggestion_says_that_its_move_wins(game: Game) -> None:
    for number in range(1, 5):
        await game.say(game.black, f"{'abcd'[number - 1]}1")
        await game.say(game.white, f"a{number + 1}")
        await game.hosted.settled()
    shown = await game.black.autocomplete("move", game.home, "move", move="E")
    assert [each["name"] for each in shown][:2] == ["e1 · wins", "e2"]
    assert shown[0]["value"] == "e1"


@pytest.mark.long
async def test_with_several_matches_the_player_is_asked_which_one(table: Hosted) -> None:
    first = await start_quax(table)
    anna, ben = first.black, first.white
    await begun(table, anna, ben, first.channel, options="size 5, pie off")
    asked = await anna.ask("move", first.channel, move="b2")
    assert "Which one" in all_text(asked)
    assert asked["flags"] & 64
    odd = await anna.ask("move", first.channel, move="b2 (或 c2)")
    select = next(each for each in walk(odd["components"]) if each["type"] == 3)
    told = await anna.choose(odd, select["custom_id"], [select["options"][1]["value"]])
    assert "What's your move?" in all_text(told), "there is no room for every word in a control"
    select = next(each for each in walk(asked["components"]) if each["type"] == 3)
    assert len(select["options"]) == 2
    told = await anna.choose(asked, select["custom_id"], [select["options"][1]["value"]])
    assert "You played b2." in all_text(told)
    rest = await anna.ask("move", first.channel, move="c2")
    assert "You played c2." in all_text(rest), "the other match alone waits for her now"
