"""Clocks as players see them: offered, running, given back, run out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain import match_clock
from bot.services.timeouts import sweep_flags
from playground.forms import all_text
from tests.support.hosted import Ahead, Game, Hosted, begun, time_passes

STAMP = re.compile(r"<t:(\d+):R>")


def _stamp(text: str) -> int:
    found = STAMP.findall(text)
    assert found, text
    return int(found[-1])


async def test_a_match_on_time_from_the_offer_to_the_flag(table: Hosted, clock: Ahead) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    home = await begun(table, anna, ben, options="size 5, pie off", clock="10 min + 5 sec")
    game = Game(anna, ben, home, home, table)
    shown = await game.board()
    assert 595 <= _stamp(all_text(shown)) - datetime.now(UTC).timestamp() <= 600

    await anna.ask("move", home, move="a1")
    await time_passes(table, clock, minutes=2)
    await ben.ask("move", home, move="e5")
    await table.settled()
    board = all_text(await game.board())
    assert f"<@{ben.id}> 8 minutes" in board, "what is left of it, and the increment"
    called = await anna.wait_message(lambda m: "your move" in all_text(m))
    assert "<t:" not in all_text(called), "the board above tells the deadline"
    assert "Time runs out <t:" in board

    # Nine minutes are used, then the bot is away for six hours: they cost nobody anything.
    await time_passes(table, clock, minutes=9)
    await table.stop()
    clock.by += timedelta(hours=6)
    await table.start()
    await table.bot.periodic.beat()
    assert await sweep_flags(table.bot.store, clock) == 0
    listed = await anna.ask("matches", home)
    left = _stamp(all_text(listed)) - clock.now().timestamp()
    assert 50 <= left <= 65 + 5

    await time_passes(table, clock, seconds=80)
    late = await anna.ask("move", home, move="b2")
    assert "Your time has run out" in all_text(late) or "over" in all_text(late)
    await table.settled()
    end = all_text(await game.board())
    assert f"<@{ben.id}> wins! <@{anna.id}> ran out of time." in end
    ((_, events),) = await table.history()
    assert [event.kind.value for event in events].count("flagged") == 1


async def test_a_server_that_discord_has_lost_stands_still_until_it_is_back(
    table: Hosted, clock: Ahead
) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    await begun(table, anna, ben, options="size 5, pie off", clock="10m")
    guild, bot = int(anna.guild["id"]), table.bot
    places, presence = table.playground.world.places, bot.periodic.presence
    places.set_available(guild, available=False)
    await _until(lambda: guild in presence.away)
    assert bot.client.get_guild(guild) is not None
    await bot.periodic.beat()
    await time_passes(table, clock, hours=3)
    await bot.periodic.beat()
    assert await sweep_flags(bot.store, clock) == 0
    places.set_available(guild, available=True)
    await _until(lambda: guild not in presence.away)
    await bot.periodic.beat()
    ((match, _),) = await table.history()
    over = match_clock.runs_out(match, presence.standstills(match.origin.guild_id))
    assert over is not None
    assert timedelta(minutes=9) < over - clock.now() <= timedelta(minutes=10)


@pytest.mark.logs_errors
async def test_a_server_that_sent_the_bot_away_while_it_was_out_of_touch_is_forgotten(
    table: Hosted,
) -> None:
    bot = table.bot
    anna = await table.join("Anna")
    guild = int(anna.guild["id"])
    state, places = table.playground.world.state, table.playground.world.places
    assert bot.client.get_guild(guild) is not None
    table.playground.gateway.invalidate_all(resumable=False)
    places.leave(guild, state.bot_id)
    await _until(lambda: guild in bot.periodic.presence.away)
    assert bot.client.get_guild(guild) is None
    places.join(guild, state.bot_id)
    await _until(lambda: guild not in bot.periodic.presence.away)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.01)
