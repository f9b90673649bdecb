"""Vacations as players see them: begun, seen by the others, ended, begun by themselves."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from tests.support.hosted import Ahead, Hosted, Json, begun, time_passes, turn

STAMP = re.compile(r"<t:(\d+):R>")


async def _begun(table: Hosted, anna: Person, ben: Person, clock: str) -> int:
    """A match in which it is Anna's turn; its thread."""
    home = await begun(table, anna, ben, options="size 5, pie off", clock=clock)
    await anna.ask("move", home, move="a1")
    await ben.ask("move", home, move="e5")
    await table.settled()
    return home


async def _boards(person: Person, home: int) -> list[Json]:
    found = await person.messages(home)
    return [each for each in found if any(part["type"] == 17 for part in each["components"])]


def _stamp(text: str) -> datetime:
    return datetime.fromtimestamp(int(STAMP.findall(text)[-1]), UTC)


def _menu(page: Json, action: str) -> Json:
    menus = (each for each in walk(page["components"]) if each["type"] == 3)
    return next(each for each in menus if f":{action}" in each["custom_id"])


async def test_a_vacation_from_its_menu_to_its_end(table: Hosted, clock: Ahead) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    home = await _begun(table, anna, ben, "3 days a move")
    page = await anna.ask("vacation", home)
    assert "30 of 30 vacation days left this year." in all_text(page)
    menu = _menu(page, "vacdays")
    assert [each["value"] for each in menu["options"]][-1] == "30"
    page = await anna.choose(page, menu["custom_id"], ["7"])
    assert "You're on vacation until <t:" in all_text(page)
    assert "23 of 30 vacation days left this year." in all_text(page)
    await table.settled()

    # Both see until when, and the deadline that has moved; only the newest board has buttons.
    newest, *older = await _boards(ben, home)
    assert f"<@{anna.id}> is on vacation until <t:" in all_text(newest)
    left = _stamp(all_text(newest)) - clock.now()
    assert timedelta(days=9, hours=23) < left <= timedelta(days=10)
    assert not any(":move:" in str(each["components"]) for each in older)
    listed = all_text(await ben.ask("matches", home))
    assert "on vacation, back <t:" in listed
    listed = all_text(await anna.ask("matches", home))
    assert listed.startswith("Your matches") or "You're on vacation until <t:" in listed

    await table.restart()
    await time_passes(table, clock, days=6)
    page = await turn(anna, page, "vacend")
    assert "You're not on vacation." in all_text(page)
    assert "23 of 30 vacation days left this year." in all_text(page), "the seventh day had begun"
    await table.settled()
    newest = (await _boards(ben, home))[0]
    assert "on vacation" not in all_text(newest)
    left = _stamp(all_text(newest)) - clock.now()
    assert timedelta(days=2, hours=23) < left <= timedelta(days=3)
