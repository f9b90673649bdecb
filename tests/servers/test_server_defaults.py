"""The choices of ``/server defaults``, with which ``/play`` begins, typed or from menus."""

from __future__ import annotations

import pytest

from playground.forms import all_text
from playground.person import Person
from tests.support.hosted import (
    MANAGE,
    Hosted,
    actions,
    choose,
    give_role,
    press,
    turn,
    values_chosen,
)

pytestmark = pytest.mark.slow


async def _line(person: Person, **fields: object) -> str:
    page = await person.ask("play", person.channel("general"), **fields)
    return all_text(page)


@pytest.mark.long
async def test_every_field_of_play_begins_as_the_server_has_it(table: Hosted) -> None:
    dora, ben = await table.join("Dora"), await table.join("Ben")
    give_role(table, dora, MANAGE)
    general = dora.channel("general")
    settings = await dora.ask("server settings", general)
    settings = await choose(dora, settings, "serv:game", "quax")
    page = await press(dora, settings, "sdefaults")
    assert "What offers begin with in this server" in all_text(page)
    for menu, value in (
        ("offer:option/size", "9"),
        ("offer:clock", "7d+1d max 14d"),
        ("offer:takebacks", "off"),
        ("offer:lasts", "6h"),
        ("offer:band", "±200"),
        ("offer:seat", "1"),
        ("offer:stakes", "hints"),
    ):
        page = await choose(dora, page, menu, value)
    line = next(each for each in all_text(page).splitlines() if "Board size: 9" in each)
    for part in ("hints allowed", "no takebacks", "±200", "expires after 6 hours", "7 days"):
        assert part in line, (part, line)
    shown = await ben.ask("play", ben.channel("general"))
    assert line.strip("*") in all_text(shown)
    more = await turn(ben, shown, "smore")
    assert values_chosen(more, "offer:option/size") == ["9"]
    assert values_chosen(more, "offer:takebacks") == ["off"]
    assert values_chosen(more, "offer:seat") == ["1"]
    other = await choose(ben, more, "offer:option/size", "7")
    assert "Board size: 7" in all_text(other)
    fewer = await turn(ben, other, "sfewer")
    assert line.strip("*") in all_text(fewer)
    await turn(ben, fewer, "soffer")
    await table.settled()
    offer = all_text(next(m for m in await ben.messages(general) if "accept" in actions(m)))
    for part in ("Board size: 9", "no takebacks", "hints allowed", "1300–1700"):
        assert part in offer, part
    await table.restart()
    await _line(ben, game="quax", options="pie off", side="1", clock="none")
    await table.settled()
    typed = all_text((await ben.messages(general, limit=1))[0])
    assert "Board size: 9" in typed
    assert "no takebacks" in typed
    log = await dora.ask("server log", general)
    assert "Size and rules: — → Quax, Board size: 9" in all_text(log)
    page = await dora.ask("server defaults", general)
    cleared = await turn(dora, page, "susual")
    assert "Board size: 11" in all_text(cleared)
    assert "casual" in all_text(cleared)


@pytest.mark.long
async def test_rated_by_default_gives_way_to_what_cannot_be_rated(table: Hosted) -> None:
    dora = await table.join("Dora")
    give_role(table, dora, MANAGE)
    general = dora.channel("general")
    await choose(dora, await dora.ask("server defaults", general), "offer:stakes", "rated")
    for fields in ({}, {"side": "1"}, {"options": "size 3"}, {"hints": True}):
        await _line(dora, game="quax", **fields)
        await table.settled()
        ((match, _),) = [each for each in await table.history() if not each[0].status.is_final]
        assert match.rated is not bool(fields), fields
        await dora.ask("server clear-offers", general)
        await press(dora, (await dora.messages(general, limit=2))[-1], "withdraw")
