"""Discord wants more shards than there are, while the bot runs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.store import presence
from tests.support.hosted import hosted, start_quax

pytestmark = pytest.mark.slow


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
