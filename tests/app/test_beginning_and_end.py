"""How a process begins and ends: where it plays, and being stopped early."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.__main__ import _sync
from bot.app.wiring import create_bot
from bot.settings import Settings
from bot.store import open_store
from bot.ui.pages.components import Reply
from playground.forms import all_text
from tests.support.hosted import Hosted, start_quax


@pytest.mark.long
async def test_a_bot_can_be_told_to_stop_before_it_has_logged_in(tmp_path: Path) -> None:
    store = await open_store(f"sqlite+aiosqlite:///{tmp_path / 'parlour.db'}")
    bot = create_bot(Settings(_env_file=None, data=tmp_path), store=store)
    stop = asyncio.Event()
    stop.set()
    async with asyncio.timeout(5):
        await bot.run("a.token.of-no-use", stop)


@pytest.mark.long
async def test_what_is_being_done_when_the_bot_is_stopped_is_done_and_answered(
    table: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await start_quax(table)
    inside, outcome = asyncio.Event(), table.bot.handler.outcome

    async def slowly(*given: Any, **more: Any) -> Reply:
        inside.set()
        await asyncio.sleep(0.5)
        return await outcome(*given, **more)

    monkeypatch.setattr(table.bot.handler, "outcome", slowly)
    nonce = await game.black.slash("move", game.home, move="a1")
    await inside.wait()
    await table.stop()
    assert "You played a1." in all_text(await game.black.wait_answer(nonce))


async def test_sync_tells_discord_the_commands(table: Hosted) -> None:
    commands = table.playground.world.state.commands
    async with asyncio.timeout(20):
        while not commands:
            await asyncio.sleep(0.01)
    names = {each.name for each in commands.values()}
    commands.clear()
    token = SecretStr(table.playground.token)
    assert await _sync(table.settings.model_copy(update={"token": token})) == 0
    assert {each.name for each in commands.values()} == names
    assert "play" in names
