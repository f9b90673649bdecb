"""Vacations as players see them: begun, seen by the others, ended, begun by themselves."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from playground.forms import all_text
from playground.person import Person
from tests.support.hosted import Ahead, Game, Hosted, Json, begun, choose, time_passes, turn

STAMP = re.compile(r"<t:(\d+):R>")


async def _boards(person: Person, home: int) -> list[Json]:
    found = await person.messages(home)
    return [each for each in found if any(part["type"] == 17 for part in each["components"])]


def _stamp(text: str) -> datetime:
    return datetime.fromtimestamp(int(STAMP.findall(text)[-1]), UTC)


async def test_a_vacation_from_its_menu_to_its_end(table: Hosted, clock: Ahead) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    home = await begun(table, anna, ben, options="size 5, pie off", clock="3 days a move")
    await Game(anna, ben, home, home, table).moves("a1 e5")
    page = await anna.ask("vacation", home)
    assert "30 of 30 vacation days left this year." in all_text(page)
    page = await choose(anna, page, "vacdays:", "7")
    assert "You're on vacation until <t:" in all_text(page)
    assert "23 of 30 vacation days left this year." in all_text(page)
    await table.settled()

    # Both see until when, and the deadline that has moved; only the newest board has buttons.
    newest, *older = await _boards(ben, home)
    assert f"<@{anna.id}> is on vacation until <t:" in all_text(newest)
    left = _stamp(all_text(newest)) - clock.now()
    assert timedelta(days=9, hours=23) < left <= timedelta(days=10)
    assert not any(":move:" in str(each["components"]) for each in older)
    assert "on vacation, back <t:" in all_text(await ben.ask("matches", home))

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
