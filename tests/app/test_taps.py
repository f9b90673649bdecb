"""How many taps a move takes, and that typing moves leaves nothing lying about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.domain.preferences import PREVIEWS
from games import catalog
from playground.forms import all_text, find_control
from playground.person import Person
from playground.world.controls import walk
from tests.support.hosted import Game, Hosted, Json, picks, press_action, start_quax


async def test_playing_without_the_preview_is_offered_once_where_it_is_missed(game: Game) -> None:
    anna, ben = game.black, game.white
    for person, played in ((anna, PREVIEWS - 1), (ben, PREVIEWS)):
        await _chooses(game, person, previews=played)
    await game.tap(anna, "a1")
    await game.hosted.settled()

    async def previewed(person: Person, cell: str) -> Json:
        panel = await person.wait_answer(await press_action(person, await game.board(), "move"))
        return await person.turn(panel, label=cell)

    panel = await previewed(ben, "b2")
    told = await ben.turn(panel, label="Play without preview")
    assert "You played b2." in all_text(told)
    await game.hosted.settled()
    panel = await previewed(anna, "c3")
    assert find_control(panel, label="Play without preview")
    await anna.turn(panel, label="Play c3")
    await game.hosted.settled()
    assert "You played d4." in all_text(await previewed(ben, "d4"))
    await game.hosted.settled()
    panel = await previewed(anna, "e5")
    assert "without preview" not in str(panel["components"]).lower()


@pytest.mark.parametrize("key", [k for k, kind in catalog.GAMES.items() if kind.info.primers])
async def test_what_is_peculiar_to_a_choice_is_explained_once_to_each_player(
    table: Hosted, key: str
) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    await anna.ask("play", anna.channel("general"), game=key, opponent=ben, side="1")
    offer = await ben.wait_message(lambda m: "would like to play" in all_text(m))
    await ben.wait_answer(await press_action(ben, offer, "accept"))
    board = await anna.wait_message(lambda m: "Make a move" in str(m["components"]))
    told: set[str] = set()
    info = catalog.GAMES[key].info
    assert info.example is None or info.example.english() in all_text(board)
    for _ in range(2):
        seen = []
        panel = await anna.wait_answer(await press_action(anna, board, "move"))
        while offered := picks(panel):
            seen += [k for k, text in info.primers.items() if text.english() in all_text(panel)]
            first = next(iter(offered.values()))
            panel = await anna.turn(panel, custom_id=first)
        assert not told.intersection(seen)
        told.update(seen)
    assert told


async def _chooses(game: Game, person: Person, **choices: Any) -> None:
    await game.hosted.bot.services.preferences.change(
        UserId(person.id), lambda own: replace(own, **choices)
    )


@pytest.mark.long
async def test_swap_has_a_button_of_its_own(table: Hosted) -> None:
    game = await start_quax(table, options="size 5, pie on")
    await game.say(game.black, "c3")
    await table.settled()
    panel = await game.white.press(await game.board(), label="Make a move")
    assert "swap" not in str(picks(panel)).lower()
    panel = await game.white.turn(panel, label="Swap")
    assert "Swap? The board will look like this." in all_text(panel)
    assert find_control(panel, label="Back")
    panel = await game.white.turn(panel, label="Swap")
    assert "You swapped." in all_text(panel)


@pytest.mark.long
async def test_taking_back_is_offered_to_a_player_who_has_moved(game: Game) -> None:
    await game.say(game.black, "a1")
    await game.hosted.settled()
    board = await game.board()
    for person, is_offered in ((game.black, True), (game.white, False)):
        more = await person.wait_answer(await press_action(person, board, "more"))
        labels = {each.get("label") for each in walk(more["components"]) if each["type"] == 2}
        assert {"Abort", "Resign"} < labels
        assert ("Take back" in labels) is is_offered
