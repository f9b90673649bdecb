"""What the connection relies on in discord.py, which does not promise to keep it."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
from pathlib import Path
from types import SimpleNamespace

import aiohttp
import discord
from discord.gateway import DiscordWebSocket, KeepAliveHandler, ReconnectWebSocket

from bot.ui import gateway
from bot.ui.gateway import Socket

ROOT = Path(gateway.__file__).parents[1]
OVERRIDDEN = {"close", "identify", "poll_event", "received_message", "resume"}


def private_names(path: Path) -> dict[str, set[str]]:
    """Private attributes that a module reads or sets, by what they are of."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and re.match("_[^_]", node.attr):
            found.setdefault(ast.unparse(node.value), set()).add(node.attr)
    return found


async def websocket() -> DiscordWebSocket:
    loop = asyncio.get_running_loop()
    made = DiscordWebSocket(SimpleNamespace(), loop=loop)  # type: ignore[arg-type]
    made._max_heartbeat_timeout = 1.0
    return made


async def test_every_private_name_that_is_relied_on_is_there() -> None:
    socket = await websocket()
    client = discord.AutoShardedClient(intents=discord.Intents.none())
    of = {
        "client": client,
        "keep_alive": KeepAliveHandler(ws=socket, interval=1.0),
        "discord.client": discord.client,
        "DiscordWebSocket": DiscordWebSocket,
    }
    used = private_names(Path(gateway.__file__))
    ours = set(vars(Socket))
    for name in used.pop("self") | used.pop("cls") | used.pop("socket"):
        assert name in ours or hasattr(socket, name), name
    for what, names in used.items():
        for name in names:
            assert hasattr(of[what], name), f"{what}.{name}"


async def test_nothing_of_ours_gets_in_the_way_of_what_the_library_has() -> None:
    socket = await websocket()
    theirs = set(dir(socket)) | set(vars(DiscordWebSocket)["__annotations__"] or ())
    plain = {name for name in vars(Socket) if not name.startswith("__")}
    assert plain & theirs == OVERRIDDEN


async def test_what_is_overridden_and_called_has_the_form_that_is_relied_on() -> None:
    for name in OVERRIDDEN:
        ours, theirs = getattr(Socket, name), getattr(DiscordWebSocket, name)
        assert inspect.iscoroutinefunction(theirs)
        assert list(inspect.signature(ours).parameters) == list(
            inspect.signature(theirs).parameters
        )
    made = inspect.signature(DiscordWebSocket.from_client).parameters
    assert {"client", "gateway", "shard_id", "session", "sequence", "resume"} <= set(made)
    source = inspect.getsource(DiscordWebSocket.from_client)
    for step in ("cls(socket", "ws.poll_event()", "ws.identify()", "ws.resume()"):
        assert step in source, "it is made step by step, each of which is overridden"
    assert ReconnectWebSocket(None, resume=False).resume is False
    keep_alive = KeepAliveHandler(ws=await websocket(), interval=2.5)
    assert keep_alive.interval == 2.5
    keep_alive.stop()
    assert "'before_identify', self.shard_id" in inspect.getsource(DiscordWebSocket.identify)


async def test_what_the_library_is_told_of_the_shards_is_where_it_looks() -> None:
    client = discord.AutoShardedClient(intents=discord.Intents.none())
    gateway.tell_shards(client, 3, [1, 2])
    assert (client.shard_count, client._connection.shard_count) == (3, 3)
    assert list(client._connection.shard_ids) == [1, 2]
    source = inspect.getsource(type(client._connection).parse_ready)
    assert "len(self._ready_tasks) == len(self.shard_ids)" in source
    assert "READY" in client._connection.parsers
    assert "INTERACTION_CREATE" in client._connection.parsers
    assert inspect.signature(client._connection.parse_guild_delete).parameters.keys() == {"data"}
    assert inspect.iscoroutinefunction(client.http.get_bot_gateway)
    assert not gateway.has_logged_in(client)


def test_no_other_module_leans_on_the_insides_of_the_gateway() -> None:
    names = {"_connection", "_keep_alive", "_decompressor", "_close_code", "_last_ack"}
    names |= {"_get_websocket", "_discord_parsers"}
    for path in ROOT.rglob("*.py"):
        if path != Path(gateway.__file__):
            used = set().union(*private_names(path).values())
            assert not used & names, path


def test_the_websocket_of_aiohttp_waits_for_an_answer_to_its_close() -> None:
    """Which is why Parlour does not wait for that."""
    assert "ws_close=30.0" in inspect.getsource(discord.http.HTTPClient.ws_connect)
    assert hasattr(aiohttp.ClientWebSocketResponse, "close_code")
