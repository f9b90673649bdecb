"""/learn: whole lessons by taps, what is said of wrong and illegal moves, after any restart."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bot.learn.ui.lessons import LessonState, LessonTask
from bot.ui.pages.components import Control
from bot.ui.play.move_picker import MovePick
from games import catalog
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from tests.support.hosted import Hosted, Json, actions, hosted, open_form, press, turn

pytestmark = pytest.mark.slow


async def begin(table: Hosted, key: str, name: str = "Anna", **more: str) -> tuple[Person, Json]:
    person = await table.join(name, **more)
    page = await person.ask("learn", person.channel("general"), game=key)
    assert page["flags"] & 64
    return person, page


def tags(page: Json) -> set[str]:
    """The tags of the buttons to other places of a lesson."""
    return set(re.findall(r":learn:[^':]*[.][pw](\w)", str(page["components"])))


def the_menu(page: Json) -> Json:
    (found,) = [each for each in walk(page["components"]) if each["type"] == 3]
    return found


def spot_of(page: Json) -> LessonState:
    """Where a page is, from the control of its menu."""
    control = Control.read(the_menu(page)["custom_id"])
    assert control is not None
    return LessonState.read(control.arg)


async def pick(person: Person, page: Json, value: str) -> Json:
    menu = the_menu(page)
    return await person.choose(page, menu["custom_id"], [value])


async def goes(person: Person, page: Json, tag: str) -> Json:
    """Press the button to another place of the lesson, by the tag of where it leads."""
    ids = (str(each.get("custom_id")) for each in walk(page["components"]) if each["type"] == 2)
    return await person.turn(
        page, custom_id=next(each for each in ids if re.search(rf"\.[pw]{tag}(/|$)", each))
    )


async def tap(person: Person, page: Json, move: str) -> Json:
    """Pick a move from the menus, however many it takes."""
    for _ in range(6):
        spot = spot_of(page)
        bench = LessonTask.at(spot)
        asked = bench.asked(spot.way)
        way = bench.way_to(move)
        value = next(
            choice.value
            for choice in asked.choices
            if leads_to(bench, spot.way.then(choice.value), way.picks)
        )
        page = await pick(person, page, value)
        if not any(each["type"] == 3 for each in walk(page["components"])):
            return page
        if spot_of(page).way.picks == () and spot_of(page).way.part is None:
            return page
    raise LookupError(move)


def leads_to(bench: LessonTask, way: Any, picks: tuple[str, ...]) -> bool:
    asked = bench.asked(way)
    if asked.move is not None:
        return bool(way.picks == picks)
    return any(leads_to(bench, way.then(choice.value), picks) for choice in asked.choices)


async def test_a_whole_lesson_and_its_puzzles_are_walked_by_taps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hosted(tmp_path, commands_per_second=1000.0) as table:
        anna, page = await begin(table, "rows")
        before = await table.history()
        assert "Rows · Step 1 of 2" in all_text(page)
        assert "You play Blue. What's your move?" in all_text(page)
        assert sum(part["type"] == 12 for part in walk(page["components"])) == 1
        kinds = [part["type"] for part in page["components"][0]["components"]]
        assert kinds == [10, 12, 10, 10], "a heading, the picture, below it what there is to do"
        page = await tap(anna, page, "b2")
        assert "**b2 is right.** There it is." in all_text(page)
        assert "learnhint" not in actions(page)
        page = await goes(anna, page, "n")
        assert "Rows · Step 2 of 2" in all_text(page)
        page = await tap(anna, page, "b3")
        assert "b3 isn't the answer. Gold wins now." in all_text(page)
        page = await turn(anna, page, "learnhint")
        assert "On the first rank." in all_text(page)
        page = await tap(anna, page, "c1")
        assert "**c1 is right.** Three in a row." in all_text(page)
        page = await goes(anna, page, "n")
        assert "That is all." in all_text(page)
        page = await pick(anna, page, "rows.1.0.p")
        assert "Puzzle 1 of 2\n**Stop it**" in all_text(page)
        page = await tap(anna, page, "a3")
        assert "a3 isn't the answer. Your opponent answers c1 and wins." in all_text(page)
        task, answer = [part for part in walk(page["components"]) if part["type"] == 12]
        assert "Last move: stone on b1." in task["items"][0]["description"]
        assert "Last move: stone on c1." in answer["items"][0]["description"]
        page = await goes(anna, page, "w")
        assert "Your opponent answers" not in all_text(page), "the task as it was"
        page = await tap(anna, page, "a3")
        assert "answers c1 and wins" in all_text(page)
        assert all_text(page).count("```") == 4
        page = await goes(anna, page, "w")
        page = await turn(anna, page, "learnshow")
        assert "**The answer is c1.** Stopped." in all_text(page)
        page = await goes(anna, page, "n")
        assert "Two at once" in all_text(page)
        page = await goes(anna, page, "n")
        assert "That is all." in all_text(page)
        offer = await press(anna, page, "setup")
        assert "'placeholder': 'Which game?'" in str(offer["components"])
        rules = await press(anna, page, "rules")
        assert "Put a stone on an empty cell." in all_text(rules)
        again = await turn(anna, rules, "learn")
        assert "Rows · Step 1 of 2" in all_text(again)
        assert await table.history() == before
        monkeypatch.delitem(catalog.LESSONS, "rows")
        told = await anna.ask("learn", anna.channel("general"), game="rows")
        assert "There's no lesson for Rows yet." in all_text(told)


@pytest.mark.long
async def test_a_lesson_goes_on_after_a_restart_wherever_it_was(table: Hosted) -> None:
    anna, page = await begin(table, "quax")
    page = await goes(anna, page, "n")
    await table.restart()
    for typed, said in (
        ("what?", "isn't a Quax move"),
        ("a3", "already a stone on a3"),
        ("C3", "c3 is right."),
    ):
        form = await open_form(anna, page, "learntype")
        page = await anna.shown(page, anna.submit_modal(form, move=typed))
        assert said in all_text(page)
        assert ("Not allowed at: a3" in str(page["components"])) is (typed == "a3")
    await table.restart()
    page = await goes(anna, page, "w")
    assert "c3 is right." in all_text(page)
    assert "```" in all_text(page)
    page = await goes(anna, page, "n")
    assert "Step 3 of" in all_text(page)
    assert "```" in all_text(page), "the next page is in words as well"
    page = await goes(anna, page, "w")
    assert any(part["type"] == 12 for part in walk(page["components"]))
    page = await goes(anna, page, "b")
    assert "Step 2 of" in all_text(page)


@pytest.mark.long
async def test_back_takes_back_a_pick_then_the_move_then_the_task(table: Hosted) -> None:
    anna, first = await begin(table, "pux")
    assert "b" not in tags(first)
    second = await goes(anna, first, "n")
    options = the_menu(second)["options"]
    spot = spot_of(second)
    asked = LessonTask.at(spot).asked
    ways = {each["value"]: asked(spot.way.then(each["value"])) for each in options}
    partly = next(value for value, way in ways.items() if way.move is None)
    picked = await pick(anna, second, partly)
    assert spot_of(picked).way != MovePick()
    await table.restart()
    again = await goes(anna, picked, "b")
    assert all_text(again) == all_text(second)
    assert the_menu(again)["options"] == options
    answer = catalog.LESSONS["pux"].tasks[1].answer
    right = await tap(anna, again, answer)
    assert f"{answer} is right." in all_text(right)
    again = await goes(anna, right, "b")
    assert all_text(again) == all_text(second), "the same task, to be done again"
    again = await goes(anna, again, "b")
    assert all_text(again) == all_text(first)
    assert "b" not in tags(again)
