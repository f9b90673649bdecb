"""The card of a match in the channel: one message, from the offer to the result."""

from __future__ import annotations

import pytest

from playground.forms import all_text
from tests.support.hosted import Ahead, Hosted, actions, start_quax, time_passes


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
    await game.say(game.black, "a1")
    await game.say(game.white, "b2")
    await time_passes(table, clock, seconds=61)
    table.bot.outbox.wake()
    await table.settled()
    card = await game.black.message(game.channel, offer["id"])
    said = all_text(card)
    assert f"<@{game.black.id}> is to move (Black) · <#{game.home}>" in said
    assert "2 moves" in said
    assert ".png" not in str(card["components"])
    await game.resign(game.white)
    card = await game.black.message(game.channel, offer["id"])
    assert f"<@{game.black.id}> wins!" in all_text(card)
    assert "result.png" in str(card["components"])
    assert actions(card) == {"replay", "history", "rematch", "reviewit"}
