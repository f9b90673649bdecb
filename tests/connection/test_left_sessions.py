"""A stop and a start in between which Discord keeps the session."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.ids import ChannelId, GuildId
from bot.ui.rest import may_post, missing_for_threads
from playground.forms import all_text
from playground.world.model import Overwrite
from tests.support.hosted import Hosted, start_quax

pytestmark = pytest.mark.slow


async def test_a_restart_goes_on_with_the_session(table: Hosted) -> None:
    game = await start_quax(table)
    gateway, world = table.playground.gateway, table.playground.world
    begun = len(gateway.identified)
    guild, closed = world.home.id, game.black.channel("games")
    # Nothing may be posted here, as the next process must know without being told.
    world.places.set_overwrite(world.state.channels[closed], Overwrite(guild, 0, 0, 1 << 11))
    client = table.bot.client
    async with asyncio.timeout(10):
        while may_post(client, GuildId(guild), ChannelId(closed)):
            await asyncio.sleep(0.01)
    known = [missing_for_threads(client, GuildId(guild), ChannelId(game.channel))]
    await table.stop()
    nonce = await game.black.slash("move", game.home, move="a1")
    await table.start()
    told = await game.black.wait_answer(nonce)
    assert "You played a1." in all_text(told)
    assert (gateway.resumed, len(gateway.identified)) == (1, begun)
    again = table.bot.client
    assert not may_post(again, GuildId(guild), ChannelId(closed))
    assert missing_for_threads(again, GuildId(guild), ChannelId(game.channel)) == known[0]
    before, after = client.get_guild(guild), again.get_guild(guild)
    assert before is not None
    assert after is not None
    assert {each.id for each in after.threads} == {each.id for each in before.threads}
