"""Two other client libraries live in the playground, so that it is not made for one alone.

Not part of the ordinary tests: ``make conformance`` installs hikari and discord.js and runs this.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from playground.person import Person
from playground.server import Playground
from tests.support.discord_spec import SpecObserver

HERE = Path(__file__).parent


def hikari_command() -> list[str]:
    """How to start the hikari client, which wants other versions of what the bot runs on."""
    python = os.environ.get("PARLOUR_HIKARI_PYTHON")
    if python is None:
        pytest.skip("PARLOUR_HIKARI_PYTHON names no Python that has hikari")
    return [python, str(HERE / "hikari_bot.py")]


def discord_js_command() -> list[str]:
    """How to start the discord.js client."""
    node = shutil.which("node")
    if node is None or not (HERE / "discord_js/node_modules/discord.js").exists():
        pytest.skip("node or discord.js is not installed")
    return [node, str(HERE / "discord_js/bot.js")]


@pytest.mark.parametrize("client", [hikari_command, discord_js_command])
async def test_a_client_logs_in_and_answers(client: object) -> None:
    assert callable(client)
    command = client()
    # Not strict: other libraries send keys of their own that Discord overlooks.
    observer = SpecObserver(strict=False)
    async with Playground(observer=observer, allow_faults=True) as playground:
        process = await asyncio.create_subprocess_exec(
            *command, playground.address, playground.token
        )
        try:
            async with await Person.join(playground.address, "Cleo") as cleo:
                games = cleo.channel("games")
                await cleo.command("ping", games)
                async with asyncio.timeout(20):
                    while not playground.gateway.sessions:
                        await asyncio.sleep(0.05)
                choices = await cleo.autocomplete("ping", games, "text", text="s")
                assert choices == [{"name": "suggested", "value": "suggested"}]
                answer = await cleo.ask("ping", games, text="a1")
                assert answer["content"] == "pong a1"
                assert answer["attachments"][0]["filename"] == "game.txt"
                more = await cleo.press(answer, label="More")
                assert (more["content"], more["flags"]) == ("more", 64)
                await playground.gateway.close_all(4000)
                again = await cleo.slash("ping", games, text="b2")
                assert (await cleo.wait_answer(again))["content"] == "pong b2"
                assert playground.gateway.resumed == 1
        finally:
            process.kill()
            await process.wait()
        assert playground.problems == []
    assert observer.problems == []
    assert sum(observer.checked.values()) > 20
