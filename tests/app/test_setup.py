"""``/play`` alone: an offer chosen from menus, which survive a restart."""

from __future__ import annotations

import pytest

from playground.forms import all_text, find_control
from playground.world.controls import walk
from tests.support.hosted import Hosted, choose, menus


async def test_a_newcomer_offers_a_match_from_menus_alone(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    page = await anna.ask("play", anna.channel("general"))
    assert page["flags"] & 64
    assert find_control(page, label="Send offer")["disabled"]
    page = await choose(anna, page, "offer:game", "quax")
    kinds = [each["type"] for each in walk(page["components"])]
    assert kinds.index(12) < kinds.index(3) < kinds.index(5), "the board pushes no menu away"
    page = await anna.turn(page, label="More options")
    page = await choose(anna, page, "offer:option/size", "9")
    await table.restart()
    page = await choose(anna, page, "offer:option/pie", "off")
    page = await choose(anna, page, "offer:seat", "1")
    page = await choose(anna, page, "offer:guests", ben)
    told = await anna.turn(page, label="Send offer")
    assert "Offer sent." in all_text(told)
    offer = await ben.wait_message(lambda m: "would like to play" in all_text(m))
    assert [each["id"] for each in offer["mentions"]] == [str(ben.id)]
    ((match, _),) = await table.history()
    assert dict(match.options) == {"size": 9, "pie": "off"}
    assert match.offered_by == 1
    assert match.invited == (ben.id, None)


@pytest.mark.long
async def test_more_options_keep_what_was_chosen_and_standard_options_undo_them(
    table: Hosted,
) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    page = await anna.ask("play", anna.channel("general"))
    page = await choose(anna, page, "offer:game", "quax")
    page = await choose(anna, page, "offer:guests", ben)
    page = await anna.turn(page, label="More options")
    assert str(ben.id) in str(menus(page)["offer:guests"])
    page = await choose(anna, page, "offer:option/size", "9")
    page = await choose(anna, page, "offer:stakes", "rated")
    assert "**Board size: 9 · standard rules · No clock · rated**" in all_text(page)
    page = await anna.turn(page, label="Standard options")
    assert list(menus(page)) == ["offer:game", "offer:guests"]
    assert "**Board size: 11 · standard rules · No clock · casual**" in all_text(page)
    assert str(ben.id) in str(menus(page)["offer:guests"])


@pytest.mark.long
async def test_a_preset_sets_all_options_and_the_first_choice_of_people_can_be_undone(
    table: Hosted,
) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    page = await anna.ask("play", anna.channel("general"))
    page = await choose(anna, page, "offer:guests", ben)
    page = await choose(anna, page, "offer:game", "quax")
    assert str(ben.id) in str(menus(page)["offer:guests"])
    page = await anna.turn(page, label="More options")
    page = await choose(anna, page, "offer:preset", "quick")
    page = await choose(anna, page, "offer:guests", ben)
    page = await choose(anna, page, "offer:guests")
    await anna.turn(page, label="Send offer")
    ((match, _),) = await table.history()
    assert match.options["size"] == 7
    assert match.invited == (None, None)


async def test_the_menus_refuse_bots_and_oneself_and_keep_the_rest(table: Hosted) -> None:
    anna = await table.join("Anna")
    page = await anna.ask("play", anna.channel("general"))
    page = await choose(anna, page, "offer:game", "quax")
    page = await anna.turn(page, label="More options")
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


@pytest.mark.long
async def test_an_offer_without_takebacks_says_so_and_they_are_refused(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    page = await anna.ask("play", anna.channel("general"))
    page = await choose(anna, page, "offer:game", "quax")
    page = await anna.turn(page, label="More options")
    page = await choose(anna, page, "offer:takebacks", "off")
    page = await choose(anna, page, "offer:seat", "0")
    page = await choose(anna, page, "offer:guests", ben)
    assert "no takebacks" in all_text(page)
    await anna.turn(page, label="Send offer")
    offer = await ben.wait_message(lambda m: "would like to play" in all_text(m))
    assert "no takebacks" in all_text(offer)
    await ben.press(offer, label="Accept")
    board = await anna.wait_message(lambda m: "Make a move" in str(m["components"]))
    home = int(board["channel_id"])
    await anna.ask("move", home, move="a1")
    await table.settled()
    said = await anna.ask("match takeback", home)
    assert "This match was offered without takebacks." in all_text(said)
    shown = await ben.wait_message(lambda m: "Make a move" in str(m["components"]))
    assert "Take back" not in str(shown["components"])
