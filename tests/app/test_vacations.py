"""Vacations as players see them: begun, seen by the others, ended, begun by themselves."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from bot.store import vacations
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from tests.support.hosted import Ahead, Hosted, Json, begun, time_passes

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
    assert not any("Make a move" in str(each["components"]) for each in older)
    listed = all_text(await ben.ask("matches", home))
    assert "on vacation, back <t:" in listed
    listed = all_text(await anna.ask("matches", home))
    assert listed.startswith("Your matches") or "You're on vacation until <t:" in listed

    await table.restart()
    await time_passes(table, clock, days=6)
    page = await anna.turn(page, label="I'm back")
    assert "You're not on vacation." in all_text(page)
    assert "23 of 30 vacation days left this year." in all_text(page), "the seventh day had begun"
    await table.settled()
    newest = (await _boards(ben, home))[0]
    assert "on vacation" not in all_text(newest)
    left = _stamp(all_text(newest)) - clock.now()
    assert timedelta(days=2, hours=23) < left <= timedelta(days=3)


@pytest.mark.long
async def test_a_page_of_menus_offers_what_vacation_does_where_a_clock_is_long(
    table: Hosted,
) -> None:
    anna = await table.join("Anna")
    page = await anna.ask("play", anna.channel("general"))
    page = await anna.choose(page, _menu(page, "offer:game")["custom_id"], ["quax"])
    page = await anna.turn(page, label="More options")
    assert "offer:vacation" not in str(page["components"])
    clock = _menu(page, "offer:clock")["custom_id"]
    page = await anna.choose(page, clock, ["3d/move"])
    rule = _menu(page, "offer:vacation")["custom_id"]
    page = await anna.choose(page, rule, ["never"])
    page = await anna.choose(page, clock, ["7d/move, no vacation"])
    await anna.turn(page, label="Send offer")
    ((match, _),) = await table.history()
    assert match.clock is not None
    assert match.clock.vacations.value == "never"
    assert match.clock.bank == timedelta(days=7)


async def test_a_vacation_that_cannot_be_is_refused_in_words(
    table: Hosted,
) -> None:
    anna = await table.join("Anna")
    channel = int(anna.guild["channels"][0]["id"])

    async def asked(**options: object) -> str:
        return all_text(await anna.ask("vacation", channel, **options))

    assert "31 days" in await asked(days=31)
    assert "isn't a day" in await asked(until="the day after")
    assert "isn't in the future" in await asked(until="2020-02-29")
    assert "either the number of days or the day" in await asked(days=3, until="2020-02-29")
    suggested = await anna.autocomplete("vacation", channel, "until", until="")
    assert len(suggested) == 25
    assert "vacation days left" in await asked(until=suggested[2]["value"])
    (kept,) = await table.bot.store.read(vacations.vacations_of, anna.id)  # type: ignore[arg-type]
    assert kept.vacation.days <= 3
