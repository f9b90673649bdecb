"""Logs: no secret in them, whatever goes wrong, and no word of what people write."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from pathlib import Path

import discord
import pytest

from bot import logs
from bot.connection.client import stay_connected
from bot.connection.connection import Unmendable
from games import catalog
from games.installed import LeftOut
from tests.support.hosted import hosted, start_quax

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz0123456789AB"


def _fail() -> None:
    raise RuntimeError(f"planted-secret and {TOKEN}")


@pytest.mark.logs_errors
def test_secrets_are_hidden_in_messages_values_and_tracebacks(written: io.StringIO) -> None:
    log = logs.logger("test")
    log.info("with a token", value=f"Bot {TOKEN}", token="short", nested={"a": TOKEN})
    logging.getLogger("other").warning(
        "POST /interactions/123/aW50ZXJhY3Rpb24tdG9rZW4/callback and %s", TOKEN
    )
    logging.getLogger("other").info("postgresql+asyncpg://parlour:hunter22@db/parlour")
    logging.getLogger("other").info("/webhooks/99/d2ViaG9vaw/messages/@original")
    try:
        _fail()
    except RuntimeError:
        log.exception("a bug")
    said = written.getvalue()
    assert len(said.splitlines()) == 5
    for line in said.splitlines():
        assert json.loads(line)["level"]
    for secret in (
        TOKEN,
        "planted-secret",
        "hunter22",
        "aW50ZXJhY3Rpb24tdG9rZW4",
        "d2ViaG9vaw",
        "short",
    ):
        assert secret not in said
    assert "RuntimeError" in said


async def test_a_whole_game_at_debug_writes_no_token_and_no_move(
    tmp_path: Path, written: io.StringIO
) -> None:
    async with hosted(tmp_path) as table:
        game = await start_quax(table)
        await game.say(game.black, "b4")
        await game.say(game.white, "no such move 🙂")
        tokens = [each.token for each in table.playground.world.state.interactions.values()]
    said = written.getvalue()
    assert tokens
    for token in tokens:
        assert token not in said
    assert "no such move" not in said
    assert table.playground.token not in said


@pytest.mark.parametrize("style", ["console", "json"])
def test_both_styles_write_one_line_an_event(style: str) -> None:
    stream = io.StringIO()
    logs.configure(style=style, stream=stream)
    logs.logger("test").info("something happened", match="abc")
    logging.getLogger("discord").debug("not shown")
    said = stream.getvalue()
    assert len(said.splitlines()) == 1
    assert "something happened" in said
    assert "abc" in said


async def test_a_token_that_is_not_valid_ends_the_process_with_a_reason(
    tmp_path: Path,
) -> None:
    async with hosted(tmp_path):
        client = discord.Client(intents=discord.Intents(guilds=True))
        with pytest.raises(Unmendable, match="does not accept the token"):
            await stay_connected(client, "wrong.token.here", asyncio.Event())
        await client.close()


async def test_a_game_that_is_left_out_is_named_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    gone = LeftOut("walk", "walking", "RuntimeError: torn")
    monkeypatch.setattr(catalog, "LEFT_OUT", (gone,))
    async with hosted(tmp_path):
        (said,) = [each.getMessage() for each in caplog.records if "left out" in each.getMessage()]
    assert all(words in said for words in ("walk", "walking", "RuntimeError: torn"))
