"""Planning ahead as a player does it, and that nobody else ever sees it."""

from __future__ import annotations

import json

import pytest

from bot.plans.ui import PlanPick
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from playground.world.model import InteractionType
from tests.support.hosted import Game, Hosted, Json, moves_named, open_form, press, turn

pytestmark = pytest.mark.slow


def menu_of(page: Json, action: str) -> Json:
    return next(
        part
        for part in walk(page["components"])
        if f":{action}:" in str(part.get("custom_id")) and part["type"] == 3
    )


async def pick(person: Person, page: Json, value: str) -> Json:
    custom_id = menu_of(page, "planpick")["custom_id"]
    return await person.choose(page, custom_id, [value])


async def typed(person: Person, game: Game, line: str) -> Json:
    """Type a line and save it from its preview; the page of the plan."""
    page = await person.ask("plan", game.home, line=line)
    assert "Save this plan?" in all_text(page)
    return await turn(person, page, "plansave")


async def test_a_typed_plan_is_played_and_seen_by_nobody_before(game: Game) -> None:
    ben, anna = game.white, game.black
    before = len(anna.events)
    page = await typed(ben, game, "a1 e4 c3 e5")
    assert "a1 → **e4** → c3 → **e5**" in all_text(page)
    assert page["flags"] & 64
    await game.hosted.settled()
    seen = json.dumps([event.data for event in anna.events[before:]])
    assert "e4" not in moves_named(seen)
    await game.say(anna, "a1")
    await game.hosted.settled()
    board = await game.board()
    assert "1 a1 · 2 e4" in all_text(board)
    assert f"<@{anna.id}> is to move" in all_text(board)
    told = [
        message
        for message in await anna.messages(game.home)
        if str(anna.id) in [each["id"] for each in message["mentions"]]
    ]
    assert "e4" in told[0]["content"]
    await game.say(anna, "c3")
    await game.hosted.settled()
    assert "4 e5" in all_text(await game.board())


@pytest.mark.long
async def test_a_line_is_picked_from_menus_and_kept(game: Game) -> None:
    ben = game.white
    page = await ben.ask("plan", game.home)
    assert "Nothing planned yet." in all_text(page)
    page = await turn(ben, page, "planpick")
    assert "What does Black play?" in all_text(page)
    anything, column, *_ = menu_of(page, "planpick")["options"]
    assert anything["label"] == "Whatever they play"
    page = await pick(ben, page, column["value"])
    first = menu_of(page, "planpick")["options"][0]
    page = await pick(ben, page, first["value"])
    assert f"After {first['label']}:" in all_text(page)
    assert "What's your answer?" in all_text(page)
    await game.hosted.restart()
    answer = menu_of(page, "planpick")["options"][1]
    page = await pick(ben, page, answer["value"])
    assert f"{first['label']} → {answer['label']}" in all_text(page)
    assert "What does Black play?" in all_text(page)
    custom_id = menu_of(page, "planpick")["custom_id"]
    form = await ben.wait_modal(await ben.select(page, custom_id, [anything["value"]]))
    assert form["title"] == "Whatever they play"
    page = await turn(ben, page, "plankeep")
    assert f"{first['label']} → **{answer['label']}**" in all_text(page)
    page = await ben.shown(page, ben.submit_modal(form, move="a4"))
    assert f"→ **{answer['label']}** → any move → **a4**" in all_text(page)
    page = await turn(ben, page, "plan")
    page = await turn(ben, page, "planclear")
    assert "Nothing planned yet." in all_text(page)


@pytest.mark.long
async def test_a_line_is_changed_in_its_place_or_dropped(game: Game) -> None:
    ben = game.white
    await typed(ben, game, "a1 b2")
    page = await typed(ben, game, "* c3")
    lines = menu_of(page, "planline")["custom_id"]
    form = await open_form(ben, await ben.choose(page, lines, ["0"]), "planedit")
    assert "a1 b2" in json.dumps(form)
    page = await ben.shown(page, ben.submit_modal(form, move="a1 b3 a2 b4"))
    page = await turn(ben, page, "plansave")
    assert "1. a1 → **b3** → a2 → **b4**\n2. any move → **c3**" in all_text(page)
    page = await turn(ben, await ben.choose(page, lines, ["0"]), "plandrop")
    assert "1. any move → **c3**" in all_text(page)
    assert "zz9: " in all_text(await ben.ask("plan", game.home, line="a1 zz9"))


@pytest.mark.long
async def test_a_plan_is_laid_while_it_is_ones_own_turn(game: Game) -> None:
    anna, ben = game.black, game.white
    found = await anna.autocomplete("plan", game.home, "line", line="a1 e")
    assert [each["value"] for each in found[:2]] == ["a1 e1", "a1 e2"]
    page = await press(anna, await game.board(), "plan")
    page = await turn(anna, page, "planpick")
    assert "What will you play?" in all_text(page)
    assert "*" not in [each["value"] for each in menu_of(page, "planpick")["options"]]
    await typed(anna, game, "a1 e4 c3")
    assert not (await game.hosted.history())[0][0].ply
    await game.say(anna, "a1")
    await game.say(ben, "e4")
    await game.hosted.settled()
    assert "3 c3" in all_text(await game.board())


@pytest.mark.long
async def test_another_persons_page_and_old_controls_give_nothing_away(
    game: Game, table: Hosted
) -> None:
    ben, anna = game.white, game.black
    page = await typed(ben, game, "a1 e4")
    for action in ("plan", "planpick", "plankeep", "planclear"):
        control = next(
            part["custom_id"]
            for part in walk(page["components"])
            if str(part.get("custom_id", "")).startswith("p1:")
            and ":planpick:" in part["custom_id"]
        ).replace("planpick", action)
        said = await table.raw(
            anna,
            InteractionType.COMPONENT,
            game.home,
            {"component_type": 2, "custom_id": control},
            message=await game.board(),
        )
        # She may plan for herself, and all her moves are there to be picked.
        assert "**e4**" not in json.dumps(said, ensure_ascii=False)
        assert "1. " not in all_text(said)
    assert "a1 → **e4**" in all_text(await ben.ask("plan", game.home))


def test_a_route_is_read_back_as_it_was_written() -> None:
    for text in ("", "a1~", "a1~b2~e2/f3", "a1~=4"):
        assert str(PlanPick.read(text)) == text
