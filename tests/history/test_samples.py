"""Sample games under the rules, and files: stepped through, replayed and analysed like a match."""

from __future__ import annotations

import pytest

from playground.forms import all_text, find_control
from playground.world.model import InteractionType
from tests.history.test_records_in_discord import look, the_match
from tests.support.hosted import Game, Hosted, files, press_action

pytestmark = pytest.mark.slow

RECORD = """[Game "Quax"]
[Size "5"]
[Player1 "Ada *bold*"]
[Player2 "Bo"]

1. a1 b2
2. c3 d4
3. e5
"""


@pytest.mark.long
async def test_a_sample_of_the_rules_is_replayed_from_its_start(table: Hosted) -> None:
    anna = await table.join("Anna")
    rules = await anna.ask("rules", anna.channel("general"), game="quax")
    assert "2 players · 15–40 minutes · depth 3 of 5" in all_text(rules)
    page = await anna.wait_answer(await anna.select(rules, "p1:-:0:sample:", ["s0quax00"]))
    assert "The designer's first game" in all_text(page)
    assert "Start of the match (22 moves)" in all_text(page)
    page = await anna.turn(page, label="Next")
    assert "Move 1 of 22: d3 by Black (Black)" in all_text(page)
    await table.restart()
    page = await anna.turn(page, label="Last")
    assert "Red wins! Black resigned." in all_text(page)
    film = await anna.press(page, label="Replay")
    assert "replay.gif" in str(film["components"])
    tried = await anna.press(page, label="Analyse")
    assert "Analysis of Quax" in all_text(tried)


@pytest.mark.long
async def test_a_file_is_stepped_through_like_a_match_also_after_a_restart(game: Game) -> None:
    anna = game.black
    page = await look(game, RECORD)
    assert "Ada \\*bold\\*" in all_text(page)
    page = await anna.turn(page, label="First")
    assert "Start of the match (5 moves)" in all_text(page)
    await game.hosted.restart()
    page = await anna.turn(page, label="Next")
    assert "Move 1 of 5: a1 by Black (Ada \\*bold\\*)" in all_text(page)
    page = await anna.turn(page, label="Text board")
    assert "```" in all_text(page)
    tried = await anna.press(page, label="Analyse")
    find_control(tried, label="Computer's view")
    back = await anna.turn(tried, label="History")
    assert "Move 1 of 5" in all_text(back)
    film = await anna.press(back, label="Replay")
    film = await anna.turn(film, label="Download")
    film = await anna.turn(film, label="Picture")
    shared = await anna.turn(film, label="Share here")
    assert "Shared: everyone here" in all_text(shared)


@pytest.mark.long
async def test_the_file_of_a_running_match_gets_no_help_from_the_computer(game: Game) -> None:
    for number, move in enumerate(("a1", "b2", "d4", "c3")):
        await game.say(game.white if number % 2 else game.black, move)
    asked = await game.white.slash("match download", game.home)
    (record,) = (await files(game.white, await game.white.wait_answer(asked))).values()
    page = await look(game, record)
    tried = await game.black.press(page, label="Analyse")
    refused = await game.black.shown(tried, press_action(game.black, tried, "anview"))
    assert "You're playing a match without hints from this position." in all_text(refused)
    page = await look(game, RECORD)
    tried = await game.black.press(page, label="Analyse")
    shown = await game.black.shown(tried, press_action(game.black, tried, "anview"))
    assert "The computer's view" in all_text(shown)


@pytest.mark.long
async def test_made_up_clicks_get_no_help_in_a_running_match(game: Game) -> None:
    board = await game.board()
    match = the_match(board)
    cyd = await game.hosted.join("Cyd")
    for person in (game.black, game.white, cyd):
        for action, refused in {
            "analyse:0": "when it is over",
            "anview:0": "when it is over",
            "hint:": "You can't get hints in this match",
            "hintmore:move": "You can't get hints in this match",
            "reviewit:": "when it is over",
            "moment:0": "when it is over",
            "fromhere:0": "when it is over",
            "retry:0": "when it is over",
        }.items():
            data = {"component_type": 2, "custom_id": f"p1:{match}:1:{action}"}
            kind = InteractionType.COMPONENT
            answer = await game.hosted.raw(person, kind, game.home, data, message=board)
            assert refused in all_text(answer), (action, all_text(answer))
