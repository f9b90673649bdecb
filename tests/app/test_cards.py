"""The card of a match in the channel: one message, from the offer to the result."""

from __future__ import annotations

import pytest

from playground.forms import all_text
from playground.world.controls import walk
from tests.support.hosted import Ahead, Hosted, start_quax, time_passes


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
    asked = await game.white.ask("match resign", game.home)
    await game.white.turn(asked, label="Resign")
    await table.settled()
    card = await game.black.message(game.channel, offer["id"])
    assert f"<@{game.black.id}> wins!" in all_text(card)
    assert "result.png" in str(card["components"])
    labels = [each["label"] for each in walk(card["components"]) if each.get("label")]
    assert labels == ["Replay", "History", "Rematch", "Review"]
