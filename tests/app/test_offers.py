"""Offers: made, accepted, declined, withdrawn, expired; and who may not."""

from __future__ import annotations

from typing import Any

import pytest

from playground.person import Person
from tests.support.hosted import Hosted, control, offered, press, turn


async def _offer(table: Hosted, **fields: object) -> tuple[Person, Person, dict[str, Any]]:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    given = {key: ben if value == "ben" else value for key, value in fields.items()}
    await anna.ask("play", anna.channel("general"), game="quax", **given)
    offer = await offered(ben)
    return anna, ben, offer


async def test_a_decline_carries_a_word_to_the_host(table: Hosted) -> None:
    anna, ben, offer = await _offer(table, opponent="ben")
    asked = await press(ben, offer, "decline")
    await table.settled()
    now = await anna.message(int(offer["channel_id"]), offer["id"])
    assert control(now, "accept"), "the question alone declines nothing"
    await turn(ben, asked, "declined:something_else")
    told = await anna.wait_message(lambda m: "was declined" in str(m["content"]))
    assert "rather play something else, or under other terms" in str(told["content"])
    assert [each["id"] for each in told["mentions"]] == [str(anna.id)]
    now = await anna.message(int(offer["channel_id"]), offer["id"])
    with pytest.raises(LookupError):
        control(now, "accept")
