"""An offer from its menus to the card of its match."""

from __future__ import annotations

import pytest

from playground.forms import all_text
from playground.world.controls import walk
from tests.support.hosted import (
    Ahead,
    Hosted,
    actions,
    choose,
    control,
    menus,
    offered,
    press,
    start_quax,
    time_passes,
    turn,
)


async def test_a_newcomer_offers_a_match_from_menus_alone_which_survive_a_restart(
    table: Hosted,
) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    page = await anna.ask("play", anna.channel("general"))
    assert page["flags"] & 64
    assert control(page, "soffer")["disabled"]
    page = await choose(anna, page, "offer:game", "quax")
    kinds = [each["type"] for each in walk(page["components"])]
    assert kinds.index(12) < kinds.index(3) < kinds.index(5), "the board pushes no menu away"
    page = await turn(anna, page, "smore")
    page = await choose(anna, page, "offer:option/size", "9")
    for guest, words in (
        (int(anna.ready["application"]["id"]), "Bots can't take seats"),
        (anna, "can't play against yourself"),
    ):
        page = await choose(anna, page, "offer:guests", guest)
        assert words in all_text(page)
        assert "offer:option/size" in menus(page), "the rest is kept"
    await table.restart()
    page = await choose(anna, page, "offer:option/pie", "off")
    page = await choose(anna, page, "offer:seat", "1")
    page = await choose(anna, page, "offer:guests", ben)
    assert "Offer sent." in all_text(await turn(anna, page, "soffer"))
    offer = await offered(ben)
    assert [each["id"] for each in offer["mentions"]] == [str(ben.id)]
    ((match, _),) = await table.history()
    assert dict(match.options) == {"size": 9, "pie": "off"}
    assert match.offered_by == 1
    assert match.invited == (ben.id, None)
    asked = await press(ben, offer, "decline")
    await table.settled()
    now = await anna.message(int(offer["channel_id"]), offer["id"])
    assert "accept" in actions(now), "the question alone declines nothing"
    await turn(ben, asked, "declined:something_else")
    told = await anna.wait_message(lambda m: "was declined" in str(m["content"]))
    assert "rather play something else" in str(told["content"])
    assert [each["id"] for each in told["mentions"]] == [str(anna.id)]
    now = await anna.message(int(offer["channel_id"]), offer["id"])
    assert "accept" not in actions(now)


async def test_what_is_named_without_a_game_is_not_dropped_in_silence(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    for fields in ({"opponent": ben}, {"rated": True}, {"clock": "3d/move", "options": "size 7"}):
        answer = await anna.ask("play", anna.channel("general"), **fields)
        assert all_text(answer).startswith("Choose a game too."), fields
    assert await table.history() == ()


@pytest.mark.long
async def test_the_offer_follows_its_match_and_ends_as_its_result(
    table: Hosted, clock: Ahead
) -> None:
    game = await start_quax(table)
    (offer,) = [
        each
        for each in await game.black.messages(game.channel)
        if f"<@{game.black.id}> is to move (Black)" in all_text(each)
    ]
    await game.moves("a1 b2")
    await time_passes(table, clock, seconds=61)
    table.bot.outbox.wake()
    await table.settled()
    card = await game.black.message(game.channel, offer["id"])
    assert f"<@{game.black.id}> is to move (Black) · <#{game.home}>" in all_text(card)
    assert "2 moves" in all_text(card)
    assert ".png" not in str(card["components"])
    await game.resign(game.white)
    card = await game.black.message(game.channel, offer["id"])
    assert f"<@{game.black.id}> wins!" in all_text(card)
    assert "result.png" in str(card["components"])
    assert actions(card) == {"replay", "history", "rematch", "reviewit"}
