"""The gateway as Discord's: sessions survive their connections, and nothing is lost on the way."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import aiohttp
import discord
import pytest

from playground.gateway.gateway import Gateway, GatewayLimits
from playground.person import Person
from playground.server import Playground
from playground.wire import Json
from tests.playground.conftest import Bot, Rest, channel_id, until

Running = Callable[[discord.Client], AbstractAsyncContextManager[None]]


def answering_bot() -> Bot:
    bot = Bot()

    @bot.tree.command(description="Ping")
    async def ping(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("pong")

    return bot


BREAKS: dict[str, Callable[[Gateway], Any]] = {
    "abort": lambda gateway: gateway.abort_all(),
    "4000": lambda gateway: gateway.close_all(4000),
    "1000": lambda gateway: gateway.close_all(1000),
    "op 7": lambda gateway: gateway.reconnect_all(),
    "op 9": lambda gateway: gateway.invalidate_all(resumable=True),
}


@pytest.mark.parametrize("interrupt", BREAKS)
async def test_an_interaction_made_during_an_outage_is_delivered_after_the_resume(
    interrupt: str, playground: Playground, running: Running, cleo: Person
) -> None:
    bot = answering_bot()
    async with running(bot):
        games = cleo.channel("games")
        await cleo.ask("ping", games)
        broken = BREAKS[interrupt](playground.gateway)
        if broken is not None:
            await broken
        nonce = await cleo.slash("ping", games)
        assert (await cleo.wait_answer(nonce))["content"] == "pong"
        assert playground.gateway.resumed == 1
        assert len(playground.gateway.identified) == 1
        assert len(bot.handled) == 2


async def test_a_guild_outage_is_told_and_its_end_too(
    playground: Playground, running: Running
) -> None:
    bot = Bot()
    news: list[str] = []

    @bot.event
    async def on_guild_unavailable(guild: discord.Guild) -> None:
        news.append("gone")

    @bot.event
    async def on_guild_available(guild: discord.Guild) -> None:
        news.append("back")

    @bot.event
    async def on_guild_remove(guild: discord.Guild) -> None:
        news.append("removed")

    async with running(bot):
        home = playground.world.home.id
        playground.world.places.set_available(home, available=False)
        playground.world.places.set_available(home, available=True)
        await until(lambda: news[-2:] == ["gone", "back"])
        playground.world.places.leave(home, playground.world.state.bot_id)
        await until(lambda: news[-1] == "removed")


# Without a library: what a client may get wrong, and how it is told.


@asynccontextmanager
async def line(
    playground: Playground, query: str = "v=10&encoding=json"
) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{playground.gateway_url}?{query}") as socket,
    ):
        yield socket


async def hello(socket: aiohttp.ClientWebSocketResponse) -> Json:
    told: Json = await socket.receive_json(timeout=5)
    assert told["op"] == 10
    return told


async def closed_with(socket: aiohttp.ClientWebSocketResponse) -> int | None:
    async for _ in socket:
        pass
    return socket.close_code


def identify(playground: Playground, **more: Any) -> Json:
    data = {"token": playground.token, "intents": 1, "properties": {}, **more}
    return {"op": 2, "d": data}


@asynccontextmanager
async def session(playground: Playground) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """A line of a bot that has been told READY and GUILD_CREATE."""
    async with line(playground) as socket:
        await hello(socket)
        await socket.send_json(identify(playground))
        for _ in range(2):
            await socket.receive_json(timeout=5)
        yield socket


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        pytest.param(["not json"], 4002, id="no JSON"),
        pytest.param(['{"op": 2, "d": {"x": "' + "x" * 4096 + '"}}'], 4002, id="too large"),
        pytest.param(['{"op": 3, "d": {}}'], 4003, id="before IDENTIFY"),
        pytest.param(['{"op": 2, "d": {"token": "no", "intents": 0}}'], 4004, id="token"),
        pytest.param(["identify", "identify"], 4005, id="IDENTIFY twice"),
        pytest.param(["identify", '{"op": 77, "d": {}}'], 4001, id="unknown op"),
        pytest.param(["shard [2, 2]"], 4010, id="shard"),
        pytest.param(["intents 0"], 4013, id="intents"),
        pytest.param(["content"], 4014, id="privileged"),
    ],
)
async def test_gateway_close_codes(frames: list[str], code: int, playground: Playground) -> None:
    special = {
        "identify": json.dumps(identify(playground)),
        "shard [2, 2]": json.dumps(identify(playground, shard=[2, 2])),
        "intents 0": json.dumps(identify(playground, intents=1 << 30)),
        "content": json.dumps(identify(playground, intents=1 << 15)),
    }
    async with line(playground) as socket:
        await hello(socket)
        for frame in frames:
            await socket.send_str(special.get(frame, frame))
        assert await closed_with(socket) == code


async def test_4012_for_another_version(playground: Playground) -> None:
    async with line(playground, "v=3") as socket:
        assert await closed_with(socket) == 4012


async def test_4008_after_120_sends_in_a_minute(playground: Playground) -> None:
    async with line(playground) as socket:
        await hello(socket)
        for _ in range(121):
            await socket.send_json({"op": 1, "d": None})
        assert await closed_with(socket) == 4008


async def test_heartbeats_are_acknowledged_and_missed_ones_end_the_line() -> None:
    limits = GatewayLimits(heartbeat_ms=100)
    async with (
        Playground(gateway_limits=limits) as playground,
        line(playground) as socket,
    ):
        assert (await hello(socket))["d"]["heartbeat_interval"] == 100
        await socket.send_json({"op": 1, "d": None})
        assert (await socket.receive_json(timeout=5))["op"] == 11
        assert await closed_with(socket) == 4000


async def test_a_heartbeat_is_acknowledged_as_late_as_over_a_network(
    playground: Playground,
) -> None:
    async with line(playground) as socket:
        await hello(socket)
        await socket.send_json({"op": 1, "d": None})
        await socket.send_json(identify(playground))
        came = [(await socket.receive_json(timeout=5))["op"]]
        while 11 not in came:
            came.append((await socket.receive_json(timeout=5))["op"])
        assert came[0] == 0


async def test_a_resume_of_nothing_is_op9_and_of_the_future_4007(playground: Playground) -> None:
    resume: Json = {"op": 6, "d": {"token": playground.token, "session_id": "none", "seq": 0}}
    async with line(playground) as socket:
        await hello(socket)
        await socket.send_json(resume)
        assert (await socket.receive_json(timeout=5)) == {"op": 9, "d": False, "s": None, "t": None}
    async with line(playground) as socket:
        await hello(socket)
        await socket.send_json(identify(playground))
        ready = await socket.receive_json(timeout=5)
        resume["d"] |= {"session_id": ready["d"]["session_id"], "seq": 999}
        # Closing with 1000, as leaving the block would, is a goodbye.
        await socket.close(code=4000)
    async with line(playground) as socket:
        await hello(socket)
        await socket.send_json(resume)
        assert await closed_with(socket) == 4007


async def test_goodbye_with_1000_ends_the_session(playground: Playground) -> None:
    async with line(playground) as socket:
        await hello(socket)
        await socket.send_json(identify(playground))
        await socket.receive_json(timeout=5)
        assert len(playground.gateway.sessions) == 1
        await socket.close(code=1000)
    await until(lambda: not playground.gateway.sessions)


async def test_identify_too_soon_is_op9_and_the_daily_number_is_told() -> None:
    limits = GatewayLimits(identify_seconds=5.0)
    async with Playground(gateway_limits=limits) as playground:
        async with line(playground) as one, line(playground) as other:
            await hello(one)
            await hello(other)
            await one.send_json(identify(playground))
            assert (await one.receive_json(timeout=5))["t"] == "READY"
            await other.send_json(identify(playground))
            assert (await other.receive_json(timeout=5))["op"] == 9
        async with aiohttp.ClientSession() as session:
            rest = Rest(playground.rest_url, session, playground.token)
            _, told = await rest("GET", "/gateway/bot")
    assert told["session_start_limit"]["remaining"] == 999
    assert told["session_start_limit"]["max_concurrency"] == 1


@pytest.mark.parametrize("name", [None, "zlib-stream", "zstd-stream"])
async def test_each_compression_is_one_stream(name: str | None, playground: Playground) -> None:
    query = "v=10&encoding=json" + (f"&compress={name}" if name else "")
    async with line(playground, query) as socket:
        unpack = unpacker(name)
        assert unpack((await socket.receive(timeout=5)).data)["op"] == 10
        await socket.send_json(identify(playground))
        names = [unpack((await socket.receive(timeout=5)).data)["t"] for _ in range(2)]
        assert names == ["READY", "GUILD_CREATE"]


def unpacker(name: str | None) -> Callable[[Any], Json]:
    if name is None:
        return json.loads
    if name == "zlib-stream":
        inflate = zlib.decompressobj()
        return lambda data: json.loads(inflate.decompress(data))
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    context = zstd.ZstdDecompressor()
    return lambda data: json.loads(context.decompress(data))


async def test_members_can_be_asked_for_by_id_and_by_name_but_not_all(
    playground: Playground, cleo: Person
) -> None:
    async with session(playground) as socket:
        guild = playground.world.home.id
        everyone = {"op": 8, "d": {"guild_id": guild, "query": "", "limit": 0}}
        by_name = {"op": 8, "d": {"guild_id": guild, "query": "cl", "limit": 5, "nonce": "n"}}
        await socket.send_json(everyone)
        await socket.send_json(by_name)
        chunk = (await socket.receive_json(timeout=5))["d"]
    assert chunk["nonce"] == "n"
    assert [each["user"]["id"] for each in chunk["members"]] == [str(cleo.id)]


async def test_messages_are_told_only_to_those_who_asked_for_them(
    playground: Playground, rest: Rest
) -> None:
    async with session(playground) as socket:
        games = channel_id(playground)
        await rest("POST", f"/channels/{games}/messages", {"content": "unheard"})
        await rest("POST", f"/channels/{games}/threads", {"name": "heard", "type": 11})
        assert (await socket.receive_json(timeout=5))["t"] == "THREAD_CREATE"


async def test_of_members_a_bot_hears_without_an_intent_only_what_it_is_itself(
    playground: Playground, cleo: Person
) -> None:
    world = playground.world
    async with session(playground) as socket:
        world.places.set_member_roles(world.home.id, cleo.id, [])
        own = world.state.member(world.home.id, world.state.bot_id)
        world.places.set_member_roles(world.home.id, own.user_id, own.roles)
        told = await socket.receive_json(timeout=5)
        assert told["t"] == "GUILD_MEMBER_UPDATE"
        assert told["d"]["user"]["id"] == str(own.user_id)
        assert told["d"]["roles"] == [str(each) for each in own.roles]
        with pytest.raises(Exception, match="10011"):
            world.places.set_member_roles(world.home.id, cleo.id, [7])
