"""How many taps a move takes, and that typing moves leaves nothing lying about."""

from __future__ import annotations

import pytest

from bot.ui.interaction import refusal_news
from playground.forms import all_text, find_control
from playground.world.controls import walk
from tests.hosted import Game, Hosted, press_board, start_quax, then


async def test_two_taps_play_a_move_where_one_menu_holds_them_all(game: Game) -> None:
    """With the preview: the board's button, the menu, **Play**; without it the first two."""
    board = await game.board()
    panel = await game.black.wait_answer(await game.black.click(board, label="Make a move"))
    menu = next(each for each in walk(panel["components"]) if each["type"] == 3)
    assert len(menu["options"]) == 25
    panel = await then(
        game.black,
        panel,
        game.black.select(panel, menu["custom_id"], [menu["options"][0]["value"]]),
    )
    panel = await then(game.black, panel, game.black.click(panel, label="Play a1"))
    assert "You played a1." in all_text(panel)
    await game.hosted.settled()
    settings = await game.white.wait_answer(await game.white.slash("settings", game.home))
    preview = find_control(settings, custom_id="p1:-:0:pref:preview")
    await then(game.white, settings, game.white.select(settings, preview["custom_id"], ["off"]))
    board = await game.board()
    panel = await game.white.wait_answer(await game.white.click(board, label="Make a move"))
    menu = next(each for each in walk(panel["components"]) if each["type"] == 3)
    panel = await then(
        game.white,
        panel,
        game.white.select(panel, menu["custom_id"], [menu["options"][3]["value"]]),
    )
    assert "You played e1." in all_text(panel)


async def test_swap_has_a_button_of_its_own(table: Hosted) -> None:
    game = await start_quax(table, options="size 5, pie on")
    await game.say(game.black, "c3")
    await table.settled()
    panel = await game.white.wait_answer(
        await game.white.click(await game.board(), label="Make a move")
    )
    menu = next(each for each in walk(panel["components"]) if each["type"] == 3)
    assert "swap" not in str(menu).lower()
    panel = await then(game.white, panel, game.white.click(panel, label="Swap"))
    assert "Swap? The board will look like this." in all_text(panel)
    assert find_control(panel, label="Back")
    panel = await then(game.white, panel, game.white.click(panel, label="Swap"))
    assert "You swapped." in all_text(panel)


async def test_the_answer_to_a_move_goes_once_the_board_stands(game: Game) -> None:
    for person, move in ((game.black, "a1"), (game.white, "b2")):
        after = len(person.events)
        answer = await game.say(person, move)
        assert f"You played {move}." in all_text(answer)
        await person.wait_event(
            "MESSAGE_DELETE", lambda data, shown=answer["id"]: data["id"] == shown, after=after
        )


async def test_that_the_board_is_on_the_way_is_said_until_it_is_there(
    table: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusal_news, "_SECOND_CLICK", 0.0)
    anna, ben = await table.join("Anna"), await table.join("Ben")
    general = anna.channel("general")
    await anna.wait_answer(await anna.slash("play", general, game="quax", opponent=ben))
    offer = await ben.wait_message(lambda m: "would like to play" in all_text(m))
    after = len(ben.events)
    begun = await ben.wait_answer(await ben.click(offer, label="Accept"))
    assert all_text(begun) == "The match has started. Its board is on the way."
    await ben.wait_message(lambda m: "Make a move" in str(m["components"]))
    await ben.wait_event("MESSAGE_DELETE", lambda data: data["id"] == begun["id"], after=after)


async def test_a_running_board_has_two_rows_with_history_and_plan(game: Game) -> None:
    await game.say(game.black, "a1")
    await game.hosted.settled()
    board = await game.board()
    rows = [each for each in walk(board["components"]) if each["type"] == 1]
    assert len(rows) <= 2
    assert find_control(board, label="Plan")
    history = await press_board(game.white, board, "History")
    assert "Move 1 of 1: a1" in all_text(history)


async def test_what_a_phone_has_no_room_for_is_two_taps_away(game: Game) -> None:
    await game.say(game.black, "a1")
    await game.hosted.settled()
    board = await game.board()
    shown = [each.get("label") for each in walk(board["components"]) if each["type"] == 2]
    assert shown == ["Make a move", "Plan", "History", "Text board", "Rules", "More"]
    more = await game.black.wait_answer(await game.black.click(board, label="More"))
    behind = [each.get("label") for each in walk(more["components"]) if each["type"] == 2]
    assert behind[-1] == "Resign"
    asked = await then(game.black, more, game.black.click(more, label="Resign"))
    assert "You'll lose it" in all_text(asked), "the page itself asks; no other is left lying"
    told = await then(game.black, asked, game.black.click(asked, label="Resign"))
    assert all_text(told) == f"You resigned. <@{game.white.id}> wins!"
    listed = await game.black.wait_answer(await game.black.slash("matches", game.home))
    assert "You have no running matches or offers." in all_text(listed)
