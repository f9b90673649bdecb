"""The parts of discord.py that Parlour relies on without a promise."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
from pathlib import Path
from types import SimpleNamespace

import discord
from discord.gateway import DiscordWebSocket, KeepAliveHandler

from bot.connection import gateway
from bot.connection.gateway import Socket
from bot.ui import private_parts

ROOT = Path(gateway.__file__).parents[1]
THE_MODULE = Path(private_parts.__file__)
OURS = {"self", "cls", "super()"}


def private_names(path: Path) -> set[tuple[str, str]]:
    """Private attributes that a module touches, with what they are of, and private imports."""
    found: set[tuple[str, str]] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and re.match("_[^_]", node.attr):
            found.add((ast.unparse(node.value), node.attr))
        elif isinstance(node, ast.ImportFrom):
            private = [each.name for each in node.names if re.match("_[^_]", each.name)]
            found |= {(str(node.module), each) for each in private}
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in {"getattr", "setattr"}:
            what, name = node.args[0], node.args[1]
            if isinstance(name, ast.Constant) and re.match("_[^_]", str(name.value)):
                found.add((ast.unparse(what), str(name.value)))
    return found


async def websocket() -> DiscordWebSocket:
    loop = asyncio.get_running_loop()
    made = DiscordWebSocket(SimpleNamespace(), loop=loop)  # type: ignore[arg-type]
    made._max_heartbeat_timeout = 1.0
    return made


async def test_every_private_name_that_is_relied_on_is_there() -> None:
    socket = await websocket()
    client = discord.AutoShardedClient(intents=discord.Intents.none())
    client.http._global_over = asyncio.Event()
    of = {
        "self": socket,
        "client": client,
        "client._connection": client._connection,
        "client.http": client.http,
        "keep_alive": KeepAliveHandler(ws=socket, interval=1.0),
        "discord.client": discord.client,
        "discord.utils": discord.utils,
    }
    slots = {
        "interaction": discord.Interaction.__slots__,
        "interaction.response": discord.InteractionResponse.__slots__,
        "person": discord.Member.__slots__,
    }
    used = private_names(THE_MODULE)
    assert len(used) == 14
    for what, name in used - {("__future__", "annotations")}:
        there = name in slots[what] if what in slots else hasattr(of[what], name)
        assert there, f"{what}.{name}"
    assert "self._global_over" in inspect.getsource(discord.http.HTTPClient)
    private_parts.tell_shards(client, 3)
    assert (client.shard_count, client._connection.shard_count) == (3, 3)
    private_parts.add_guild(client, {"id": "1", "unavailable": True})
    assert [each.id for each in client.guilds] == [1]
    private_parts.drop_guilds(client, client.guilds)
    assert not client.guilds


def test_no_other_module_touches_what_is_private_in_the_library() -> None:
    for path in ROOT.rglob("*.py"):
        of_discord = re.search("^(import|from) discord", path.read_text("utf-8"), re.MULTILINE)
        if path != THE_MODULE and of_discord is not None:
            used = {each for each in private_names(path) if each[0] not in OURS}
            assert not used, path


def test_what_is_used_of_the_websocket_is_used_in_the_module_alone() -> None:
    names = {name for what, name in private_names(THE_MODULE) if what == "self"}
    assert names == {"_keep_alive", "_decompressor", "_close_code"}
    used = {name for what, name in private_names(Path(gateway.__file__)) if what == "self"}
    assert used <= set(vars(Socket)), "all others are our own"
