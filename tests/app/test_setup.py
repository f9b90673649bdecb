"""``/play`` alone: an offer chosen from menus, which survive a restart."""

from __future__ import annotations

from playground.forms import all_text
from playground.world.controls import walk
from tests.support.hosted import Hosted, choose, control, menus, offered, turn


async def test_a_newcomer_offers_a_match_from_menus_alone(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    page = await anna.ask("play", anna.channel("general"))
    assert page["flags"] & 64
    assert control(page, "soffer")["disabled"]
    page = await choose(anna, page, "offer:game", "quax")
    kinds = [each["type"] for each in walk(page["components"])]
    assert kinds.index(12) < kinds.index(3) < kinds.index(5), "the board pushes no menu away"
    page = await turn(anna, page, "smore")
    page = await choose(anna, page, "offer:option/size", "9")
    await table.restart()
    page = await choose(anna, page, "offer:option/pie", "off")
    page = await choose(anna, page, "offer:seat", "1")
    page = await choose(anna, page, "offer:guests", ben)
    told = await turn(anna, page, "soffer")
    assert "Offer sent." in all_text(told)
    offer = await offered(ben)
    assert [each["id"] for each in offer["mentions"]] == [str(ben.id)]
    ((match, _),) = await table.history()
    assert dict(match.options) == {"size": 9, "pie": "off"}
    assert match.offered_by == 1
    assert match.invited == (ben.id, None)


async def test_the_menus_refuse_bots_and_oneself_and_keep_the_rest(table: Hosted) -> None:
    anna = await table.join("Anna")
    page = await anna.ask("play", anna.channel("general"))
    page = await choose(anna, page, "offer:game", "quax")
    page = await turn(anna, page, "smore")
    page = await choose(anna, page, "offer:guests", int(anna.ready["application"]["id"]))
    assert "Bots can't take seats" in all_text(page)
    page = await choose(anna, page, "offer:guests", anna)
    assert "can't play against yourself" in all_text(page)
    assert "offer:option/size" in menus(page)


async def test_what_is_named_without_a_game_is_not_dropped_in_silence(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    for fields in ({"opponent": ben}, {"rated": True}, {"clock": "3d/move", "options": "size 7"}):
        answer = await anna.ask("play", anna.channel("general"), **fields)
        assert all_text(answer).startswith("Choose a game too."), fields
    assert await table.history() == ()
