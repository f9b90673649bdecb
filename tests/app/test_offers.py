"""Offers: made, accepted, declined, withdrawn, expired; and who may not."""

from __future__ import annotations

from typing import Any

import pytest

from playground.forms import all_text, find_control
from playground.person import Person
from tests.support.hosted import Hosted, press_action


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
        board = await person.wait_message(lambda m: "Make a move" in str(m["components"]))
        assert all_text(board).startswith("### Quax"), "nothing stands above it"
    assert "played a2" in all_text(await anna.ask("move", direct, move="a2"))
    home = await ben.open_direct()
    assert "played c3" in all_text(await ben.ask("move", home, move="c3"))


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
