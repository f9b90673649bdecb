"""Moves typed and suggested: which match is meant, and where one is led after a move."""

from __future__ import annotations

import pytest

from playground.forms import all_text
from tests.support.hosted import (
    Game,
    Hosted,
    actions,
    begun,
    choose,
    menus,
    press,
    start_quax,
    turn,
)


async def test_the_first_suggestion_opens_the_panel(game: Game) -> None:
    first = await game.black.autocomplete("move", game.home, "move", move="")
    assert [each["value"] for each in first[1:4]] == ["a1", "b1", "c1"]
    opened = await game.say(game.black, first[0]["value"])
    assert "What's your move?" in all_text(opened), "Enter, Enter plays nothing"
    assert await game.white.autocomplete("move", game.home, "move", move="") == []


@pytest.mark.long
async def test_a_suggestion_says_that_its_move_wins(game: Game) -> None:
    await game.moves("a1 a2 b1 a3 c1 a4 d1 a5")
    shown = await game.black.autocomplete("move", game.home, "move", move="E")
    assert [each["name"] for each in shown][:2] == ["e1 · wins", "e2"]
    assert shown[0]["value"] == "e1"


@pytest.mark.long
async def test_with_several_matches_the_player_is_asked_which_one(table: Hosted) -> None:
    first = await start_quax(table)
    anna, ben = first.black, first.white
    await begun(table, anna, ben, first.channel, options="size 5, pie off")
    pages = [await anna.ask("move", first.channel, move=each) for each in ("b2 (或 c2)", "b2")]
    # There is no room for every word in a control.
    for asked, words in zip(pages, ("What's your move?", "You played b2."), strict=True):
        assert asked["flags"] & 64
        ((menu, found),) = menus(asked).items()
        assert len(found["options"]) == 2
        assert words in all_text(await choose(anna, asked, menu, found["options"][1]["value"]))
    rest = await anna.ask("move", first.channel, move="c2")
    assert "You played c2." in all_text(rest), "the other match alone waits for her now"


@pytest.mark.long
async def test_after_a_move_the_next_game_is_offered_if_there_is_one(table: Hosted) -> None:
    game = await start_quax(table)
    anna, ben = game.black, game.white
    assert "next" not in actions(await game.say(anna, "a2")), "there is no other match"
    await begun(table, anna, ben, options="size 5, pie off")
    assert "next" not in actions(await game.say(ben, "b4")), "the other match waits for Anna"
    answer = await game.say(anna, "c3")
    assert all_text(answer).startswith("You played c3. 1 more match waits for you: **Quax** with")
    assert "<#" in all_text(answer), "and where it is"
    page = await turn(anna, answer, "next")
    assert "next" not in actions(page), "this is the only one"
    await begun(table, anna, ben, game="quux")
    await game.say(ben, "c4")
    answer = await game.say(anna, "d3")
    assert "2 more matches wait for you. Next: **Quax** with" in all_text(answer)
    page = await turn(anna, answer, "next")
    assert "1 more match waits for you: **Quux** with" in all_text(page)


async def test_a_player_who_moves_again_is_told_so_and_led_on(table: Hosted) -> None:
    """In Pythagoras the third move here finishes a line."""
    anna, ben = await table.join("Anna"), await table.join("Ben")
    home = await begun(
        table, anna, ben, game="pythagoras", options="seats 2", clock="3 days a move"
    )
    await anna.ask("move", home, move="2k1")
    assert "turn again" not in all_text(await ben.ask("move", home, move="1k2"))
    answer = await anna.ask("move", anna.channel("games"), move="3k3")
    assert "You played 3k3. It's your turn again." in all_text(answer)
    assert "type" in actions(await press(anna, answer, "move"))
    # Pressed later, when the turn is over, it plays nothing.
    await anna.ask("move", home, move="1a1")
    late = await press(anna, answer, "move")
    assert "It's not your turn" in all_text(late) or f"<@{ben.id}>" in all_text(late)
    ((found, _),) = await table.history()
    assert found.ply == 4
