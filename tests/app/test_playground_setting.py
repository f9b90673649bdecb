"""A bot can be told of a playground that runs already."""

from __future__ import annotations

from pathlib import Path

import pytest
from bot_process import BotProcess
from pydantic import ValidationError

from bot.settings import Settings
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


@pytest.mark.parametrize("address", ["http://discord.example:80", "127.0.0.1:80", "https://x"])
def test_a_playground_is_on_this_machine(address: str) -> None:
    with pytest.raises(ValidationError, match="playground"):
        Settings(_env_file=None, playground=address)
