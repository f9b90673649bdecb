"""A machine whose clock jumps while people play."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.app.health import LoopWatch
from bot.clock import DiscordClock, SystemClock
from bot.store import presence
from playground.forms import all_text
from tests.hosted import hosted, start_quax


class _Machine(SystemClock):
    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self) -> datetime:
        return super().now() + self.ahead


@pytest.mark.long
@pytest.mark.parametrize("step", [-3600, 4, 86_400])
async def test_moves_are_taken_and_boards_are_posted(tmp_path: Path, step: int) -> None:
    machine = _Machine()
    async with hosted(tmp_path, time=DiscordClock(machine)) as table:
        bot = table.bot
        game = await start_quax(table)
        machine.ahead = timedelta(seconds=step)
        for player, move in ((game.black, "a1"), (game.white, "b2"), (game.black, "c3")):
            after = len(game.black.events)
            assert f"You played {move}." in all_text(await game.say(player, move))
            await game.black.wait_message(lambda m, move=move: move in all_text(m), after=after)
            await bot.periodic.presence.beat()
        machine.ahead = timedelta()
        await bot.periodic.presence.beat()
        now = SystemClock().now()
        outages = await bot.store.read(presence.newest_outages, 9)
        assert all(each.ended_at - each.began_at < timedelta(seconds=9) for each in outages)
        assert all(each.ended_at <= now + timedelta(seconds=2) for each in outages)
        machine.ahead = timedelta(seconds=step)
        said = bot._vitals(LoopWatch())["clock_offset_seconds"]
        assert said == pytest.approx(step, abs=1.1)
