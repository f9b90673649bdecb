"""How a process begins and ends: where it plays, and being stopped early."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from bot_process import BotProcess
from pydantic import ValidationError

from bot.app import create_bot
from bot.settings import Settings
from bot.store import open_store
from playground.server import Playground


async def test_a_bot_joins_the_playground_it_is_told_of(tmp_path: Path) -> None:
    async with Playground() as playground:
        bot = BotProcess(playground, tmp_path)
        await bot.start()
        try:
            assert playground.gateway.connections
            assert not (tmp_path / "playground.db").exists()
        finally:
            await bot.kill()


async def test_a_bot_can_be_told_to_stop_before_it_has_logged_in(tmp_path: Path) -> None:
    store = await open_store(f"sqlite+aiosqlite:///{tmp_path / 'parlour.db'}")
    bot = create_bot(Settings(_env_file=None, data=tmp_path), store=store)
    stop = asyncio.Event()
    stop.set()
    async with asyncio.timeout(5):
        await bot.run("a.token.of-no-use", stop)


@pytest.mark.parametrize("address", ["http://discord.example:80", "127.0.0.1:80", "https://x"])
def test_a_playground_is_on_this_machine(address: str) -> None:
    with pytest.raises(ValidationError, match="playground"):
        Settings(_env_file=None, playground=address)
