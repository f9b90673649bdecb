"""What a bot keeps as it goes on: its sessions from process to process, and its shards."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.domain.ids import ChannelId, GuildId
from bot.store import presence
from bot.ui.rest import may_post, missing_for_threads
from playground.forms import all_text
from playground.world.model import Overwrite
from tests.support.hosted import Hosted, hosted, start_quax

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


# ---- Discord wants more shards than there are, while the bot runs --------------------------------


@pytest.mark.long
@pytest.mark.postgres
async def test_more_shards_are_taken_where_needed(tmp_path: Path, postgres_url: str) -> None:
    async with hosted(tmp_path, database=SecretStr(postgres_url)) as table:
        game = await start_quax(table)
        bot, gateway = table.bot, table.playground.gateway
        gateway.limits = replace(gateway.limits, shards=3)
        gateway.trouble.refuse_identify = 4011
        gateway.invalidate_all(resumable=False)
        async with asyncio.timeout(30):
            while bot.client.connection.total != 3:
                await asyncio.sleep(0.05)
            gateway.trouble.refuse_identify = None
            while not bot.client.is_connected:
                await asyncio.sleep(0.05)
        assert sorted(bot.client.shards_connected()) == [0, 1, 2]
        assert {each.shards for each in gateway.sessions.values()} == {3}
        assert "You played a1." in str(await game.say(game.black, "a1"))
        await bot.periodic.beat()
        longest = max(
            (
                each.ended_at - each.began_at
                for each in await bot.store.read(presence.newest_outages, 9)
            ),
            default=timedelta(),
        )
        assert longest < timedelta(seconds=40), "no outage is made of it but that which there was"
