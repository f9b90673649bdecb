"""Offers: made, accepted, declined, withdrawn, expired; and who may not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.domain.preferences import NoticeWay
from playground.forms import all_text, find_control
from playground.person import Person
from playground.world.controls import walk
from tests.hosted import Hosted, hosted, press_action


async def _offer(table: Hosted, **fields: object) -> tuple[Person, Person, dict[str, Any]]:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    given = {key: ben if value == "ben" else value for key, value in fields.items()}
    await anna.ask("play", anna.channel("general"), game="quax", **given)
    offer = await ben.wait_message(lambda m: "would like to play" in all_text(m))
    return anna, ben, offer


async def test_a_decline_carries_a_word_to_the_host(table: Hosted) -> None:
    anna, ben, offer = await _offer(table, opponent="ben")
    asked = await ben.wait_answer(await press_action(ben, offer, "decline"))
    await table.settled()
    now = await anna.message(int(offer["channel_id"]), offer["id"])
    assert find_control(now, label="Accept"), "the question alone declines nothing"
    await ben.turn(asked, label="Something else")
    told = await anna.wait_message(lambda m: "was declined" in str(m["content"]))
    assert "rather play something else, or under other terms" in str(told["content"])
    assert [each["id"] for each in told["mentions"]] == [str(anna.id)]
    now = await anna.message(int(offer["channel_id"]), offer["id"])
    with pytest.raises(LookupError):
        find_control(now, label="Accept")


async def test_in_direct_messages_two_people_can_play(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    direct, _ = await table.open_directs(anna, ben)
    answer = await anna.ask(
        "play", direct, game="quax", opponent=ben, options="size 3, pie off", side="1"
    )
    assert "Offer sent" in all_text(answer)
    offer = await ben.wait_message(lambda m: "would like to play" in all_text(m))
    begun = await ben.wait_answer(await press_action(ben, offer, "accept"))
    assert all_text(begun) == "The match has started. Its board is on the way."
    await table.settled()
    for person in (anna, ben):
        listed = all_text(await person.ask("matches", ben.channel("general")))
        assert "in direct messages" in listed
        assert "<#" not in listed, "each has their own, which the other cannot open"
        await person.wait_message(lambda m: "Make a move" in str(m["components"]))
    assert "played a2" in all_text(await anna.ask("move", direct, move="a2"))
    home = await ben.open_direct()
    assert "played c3" in all_text(await ben.ask("move", home, move="c3"))


@pytest.mark.long
async def test_nobody_is_challenged_in_direct_messages_who_did_not_ask_for_any(
    table: Hosted,
) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    direct, his = await anna.open_direct(), await ben.open_direct()

    async def is_challenged() -> bool:
        told = await anna.ask("play", direct, game="quax", opponent=ben)
        assert told["flags"] & 64
        await table.settled()
        return f"<@{ben.id}> hasn't asked Parlour for direct messages" not in all_text(told)

    async def settings(place: int) -> str:
        return all_text(await ben.ask("settings", place))

    assert not await is_challenged(), "has never chosen or used anything"
    assert "Players can't challenge you" in await settings(ben.channel("general"))
    assert not await is_challenged(), "has used it in a server alone"
    assert await ben.messages(his) == []
    assert await table.history() == ()
    assert "Players can challenge you" in await settings(his)
    assert await is_challenged()
    await table.bot.services.preferences.change(
        UserId(ben.id), lambda own: replace(own, way=NoticeWay.NOTHING)
    )
    assert "Players can't challenge you" in await settings(his)
    assert not await is_challenged()


@pytest.mark.long
async def test_without_threads_a_match_lives_in_its_channel(tmp_path: Path) -> None:
    async with hosted(tmp_path, threads=False) as table:
        anna, ben, offer = await _offer(table, opponent="ben", side="1")
        await ben.wait_answer(await press_action(ben, offer, "accept"))
        board = await anna.wait_message(lambda m: "Make a move" in str(m["components"]))
        assert board["channel_id"] == offer["channel_id"]
        assert any(each["type"] == 12 for each in walk(board["components"]))
        second = await anna.ask("play", int(board["channel_id"]), game="quax", opponent=ben)
        assert "Another match is running in this channel" in all_text(second)


async def _at_a_table_of_four(table: Hosted) -> tuple[Person, Person, Person, dict[str, Any]]:
    """Anna's offer, in which Ben has taken a free seat, and Cyd may take the one kept for her."""
    anna, ben, cyd = [await table.join(name) for name in ("Anna", "Ben", "Cyd")]
    await anna.ask("play", anna.channel("general"), game="pythagoras", opponent=cyd)
    offer = await cyd.wait_message(lambda m: "would like to play" in all_text(m))
    await ben.wait_answer(await press_action(ben, offer, "accept"))
    return anna, ben, cyd, offer


@pytest.mark.long
async def test_the_list_says_how_an_offer_stands_with_each_who_is_in_it(table: Hosted) -> None:
    anna, ben, cyd, offer = await _at_a_table_of_four(table)
    channel = int(offer["channel_id"])

    async def listed(person: Person) -> str:
        return all_text(await person.ask("matches", channel))

    assert "your offer is open" in await listed(anna)
    assert "you have a seat, others are free" in await listed(ben)
    assert "offered to you" in await listed(cyd)
    await cyd.wait_answer(await press_action(cyd, offer, "accept"))
    assert "you have a seat, others are free" in await listed(cyd)
