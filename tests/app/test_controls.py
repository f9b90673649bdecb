"""Buttons, menus and forms that are stale, foreign, repeated, forged or from another release."""

from __future__ import annotations

import pytest

from playground.faults import Status
from playground.forms import all_text, find_control
from playground.world.controls import walk
from playground.world.model import InteractionType
from tests.support.hosted import Game, Hosted, Json, picks, press_action, press_board

BUTTON = 2


def _button(custom_id: str) -> Json:
    return {"component_type": BUTTON, "custom_id": custom_id}


async def _panel(game: Game) -> Json:
    board = await game.board()
    return await game.black.wait_answer(await press_action(game.black, board, "move"))


async def test_a_panel_goes_on_after_a_restart(game: Game) -> None:
    panel = await _panel(game)
    await game.hosted.restart()
    panel = await game.black.turn(panel, label="c3")
    await game.hosted.restart()
    told = await game.black.turn(panel, label="Play c3")
    assert "You played c3." in all_text(told)


@pytest.mark.long
async def test_back_leads_to_the_question_before(game: Game) -> None:
    panel = await _panel(game)
    asked = picks(panel)
    panel = await game.black.turn(panel, label="c3")
    panel = await game.black.turn(panel, label="Back")
    assert picks(panel) == asked


@pytest.mark.long
async def test_a_form_that_was_open_during_a_restart_still_counts(game: Game) -> None:
    panel = await _panel(game)
    form = await game.black.form(panel, label="Type a move")
    (field,) = (each for each in walk(form["components"]) if each["type"] == 4)
    assert field["placeholder"] == "d3, e2f3", "how a move is written"
    await game.hosted.restart()
    told = await game.black.shown(panel, game.black.submit_modal(form, move="d4"))
    assert "You played d4." in all_text(told)


@pytest.mark.long
async def test_an_answer_whose_panel_goes_meanwhile_is_a_message_of_its_own(game: Game) -> None:
    panel = await _panel(game)
    form = await game.black.form(panel, label="Type a move")
    faults = game.hosted.playground.faults
    faults.rest("PATCH", r".*/messages/@original", Status(404, 10008))
    after = len(game.black.events)
    await game.black.submit_modal(form, move="d4")
    told = await game.black.wait_message(lambda m: bool(m["flags"] & 64), after=after)
    assert told["id"] != panel["id"]
    assert all_text(told) == "You played d4."


async def test_resigning_and_aborting_ask_first(game: Game) -> None:
    board = await game.board()
    for label, question in (("Abort", "no result"), ("Resign", "You'll lose it")):
        asked = await press_board(game.black, board, label)
        assert question in all_text(asked)
        assert asked["flags"] & 64
        left = await game.black.shown(asked, press_action(game.black, asked, "nevermind"))
        assert all_text(left) == "Nothing has changed."
    (match, _), *_ = await game.hosted.history()
    assert match.status.value == "running"
    more = await game.black.wait_answer(await press_action(game.black, board, "more"))
    abort = find_control(more, label="Abort")["custom_id"]
    await game.say(game.black, "a1")
    await game.say(game.white, "a2")
    late = await game.hosted.raw(
        game.black, InteractionType.COMPONENT, game.home, _button(abort), message=board
    )
    assert "only before its second move" in all_text(late)


@pytest.mark.long
async def test_who_has_left_a_table_is_told_so_wherever_they_try_to_go_on(table: Hosted) -> None:
    people = [await table.join(name) for name in ("Anna", "Ben", "Cyd", "Dan")]
    anna, *others = people
    await anna.ask("play", anna.channel("general"), game="pythagoras")
    offer = await others[0].wait_message(lambda m: "would like to play" in all_text(m))
    for each in others:
        await each.wait_answer(await press_action(each, offer, "accept"))
    board = await anna.wait_message(lambda m: "Make a move" in str(m["components"]))
    home = int(board["channel_id"])
    asked = await anna.ask("match resign", home)
    await anna.wait_success(await anna.click(asked, label="Resign"))
    await table.settled()
    left = "You've left this match, and the others play on."
    for command, fields in (("move", {"move": "1a1"}), ("plan", {}), ("match resign", {})):
        answer = await anna.ask(command, home, **fields)
        assert left in all_text(answer), command
    seen = await anna.messages(home)
    board = next(each for each in seen if "Make a move" in str(each["components"]))
    assert left in all_text(await anna.wait_answer(await press_action(anna, board, "move")))
    assert "you've left" in all_text(await anna.ask("matches", home))
    more = await anna.wait_answer(await press_action(anna, board, "more"))
    shown = {each["label"] for each in walk(more["components"]) if each.get("label")}
    assert shown == {"Text board", "Rules"}, "nothing that only players can do"
