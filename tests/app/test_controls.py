"""Questions before what cannot be undone, and answers whose page has gone."""

from __future__ import annotations

import pytest

from playground.faults import Status
from playground.forms import all_text
from tests.support.hosted import Game, open_form, press_board, turn


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
