"""A form that is refused opens again with what was typed into it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.ui.interaction.registry import FORMS
from playground.faults import Status
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from playground.world.model import InteractionType
from tests.support.hosted import Game, Json, control, open_form, press_board, turn

_BUTTON, _INPUT = 2, 4


def _values(form: Json) -> list[Any]:
    return [each.get("value") for each in walk(form["components"]) if each["type"] == _INPUT]


async def _raw(game: Game, person: Person, custom_id: str) -> Json:
    """The form that a button opens which no message shows."""
    after, board = len(person.events), await game.board()
    game.hosted.playground.deliver_raw(
        InteractionType.COMPONENT,
        channel_id=game.home,
        user_id=person.id,
        data={"component_type": _BUTTON, "custom_id": custom_id},
        message_id=int(board["id"]),
    )
    event = await person.wait_event("INTERACTION_MODAL_CREATE", lambda _: True, after=after)
    return event.data


async def test_a_refused_move_is_there_to_be_mended(game: Game) -> None:
    anna = game.black
    panel = await game.panel(anna)
    for opens, typed in (("type", "d44"), ("typed", "z9z9")):
        form = await open_form(anna, panel, opens)
        panel = await anna.shown(panel, anna.submit_modal(form, move=typed))
        assert "You played" not in all_text(panel)
        form = await open_form(anna, panel, "typed")
        assert _values(form) == [typed]
        theirs = await _raw(game, game.white, form["custom_id"])
        assert _values(theirs) == [None], "another player does not see it"
    panel = await anna.shown(panel, anna.submit_modal(form, move="d4"))
    assert "You played d4." in all_text(panel)
    again = await _raw(game, anna, form["custom_id"])
    assert _values(again) == [None], "what was taken is not typed again"


@pytest.mark.long
async def test_of_several_fields_none_is_lost(game: Game) -> None:
    anna = game.black
    page = await anna.ask("tournament create", game.channel, kind="cup", game="quax", name="Cup")
    form = await open_form(anna, page, "tsetname")
    typed = {"name": "Long Cup", "closes": "in 2 days", "begins": "soonish", "finish": "in 30 days"}
    page = await anna.shown(page, anna.submit_modal(form, **typed))
    assert "soonish" in all_text(page)
    form = await open_form(anna, page, "tsetname")
    assert _values(form) == list(typed.values())
    page = await anna.shown(page, anna.submit_modal(form, begins="in 3 days"))
    form = await open_form(anna, page, "tsetname")
    assert "in 3 days" not in _values(form), "as the page writes it"
    await anna.shown(page, anna.submit_modal(form, begins="soonish"))
    page = await anna.ask("tournament create", game.channel, kind="cup", game="quax", name="Cup")
    form = await open_form(anna, page, "tsetname")
    assert _values(form)[0] == "Cup", (
        "another tournament begins without what was refused of the last"
    )


@pytest.mark.long
async def test_every_form_opens_again_under_its_own_name(game: Game) -> None:
    anna, board = game.black, await game.board()
    match = control(board, "move")["custom_id"].split(":")[1]
    for action in FORMS:
        custom_id = f"p1:{match}:4:{action}:"
        form = await _raw(game, anna, custom_id)
        named = form["custom_id"].split(":")
        assert named[3] == action
        again = await _raw(game, anna, form["custom_id"])
        assert again["custom_id"] == form["custom_id"]


@pytest.mark.long
async def test_an_answer_whose_panel_goes_meanwhile_is_a_message_of_its_own(game: Game) -> None:
    panel = await game.panel(game.black)
    form = await open_form(game.black, panel, "type")
    faults = game.hosted.playground.faults
    faults.rest("PATCH", r".*/messages/@original", Status(404, 10008))
    after = len(game.black.events)
    await game.black.submit_modal(form, move="d4")
    told = await game.black.wait_message(lambda m: bool(m["flags"] & 64), after=after)
    assert told["id"] != panel["id"]
    assert all_text(told) == "You played d4."


async def test_resigning_and_aborting_ask_first(game: Game) -> None:
    board = await game.board()
    for does, question in (("abort", "no result"), ("resign", "You'll lose it")):
        asked = await press_board(game.black, board, does)
        assert question in all_text(asked)
        assert asked["flags"] & 64
        left = await turn(game.black, asked, "nevermind")
        assert all_text(left) == "Nothing has changed."
    (match, _), *_ = await game.hosted.history()
    assert match.status.value == "running"
