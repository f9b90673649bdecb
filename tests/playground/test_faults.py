"""Faults that can be ordered strike as ordered: where, how often, before or after the action."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import aiohttp
import discord
import pytest

from playground.clock import ManualClock
from playground.faults import Delay, Drop, Hang, Junk, Status, TooMany
from playground.person import Person
from playground.rest.limits import Rate, RateLimits
from playground.server import FaultsNotAllowed, Playground
from playground.world.model import InteractionType
from tests.playground.conftest import Bot, Rest, channel_id, run, until

Running = Callable[[discord.Client], AbstractAsyncContextManager[None]]
MESSAGES = r"/channels/\d+/messages"
CALLBACK = r"/interactions/.*"


def count(playground: Playground) -> int:
    return len(playground.world.state.messages.get(channel_id(playground), {}))


async def test_a_playground_for_people_takes_no_faults() -> None:
    async with Playground() as playground:
        with pytest.raises(FaultsNotAllowed):
            _ = playground.faults
        with pytest.raises(FaultsNotAllowed):
            playground.deliver_raw(InteractionType.COMMAND, channel_id=1, user_id=1, data={})


@pytest.mark.parametrize(("when", "made"), [("before", 0), ("after", 1)])
@pytest.mark.parametrize("fault", [Status(502), Drop(), Drop(reset=True)])
async def test_a_fault_strikes_before_or_after_the_deed(
    fault: Any, when: Any, made: int, playground: Playground, rest: Rest
) -> None:
    rule = playground.faults.rest("POST", MESSAGES, fault, when=when)
    path = f"/channels/{channel_id(playground)}/messages"
    if isinstance(fault, Status):
        assert (await rest("POST", path, {"content": "x"}))[0] == 502
    else:
        with pytest.raises(aiohttp.ClientError):
            await rest("POST", path, {"content": "x"})
    assert (count(playground), rule.hits) == (made, 1)
    assert (await rest("POST", path, {"content": "x"}))[0] == 200
    assert count(playground) == made + 1


async def test_a_fault_can_wait_its_turn_and_last_for_ever(
    playground: Playground, rest: Rest
) -> None:
    playground.faults.rest(None, "/users/@me", Status(500), times=None, skip=2)
    statuses = [(await rest("GET", "/users/@me"))[0] for _ in range(5)]
    assert statuses == [200, 200, 500, 500, 500]
    playground.faults.clear()
    assert (await rest("GET", "/users/@me"))[0] == 200


@pytest.mark.parametrize(("when", "made"), [("before", 0), ("after", 1)])
@pytest.mark.parametrize("junk", [Junk(), Junk("[]", "application/json")])
async def test_an_answer_can_be_none(
    junk: Junk, when: Any, made: int, playground: Playground
) -> None:
    playground.faults.rest("POST", MESSAGES, junk, when=when)
    url = f"{playground.rest_url}/channels/{channel_id(playground)}/messages"
    headers = {"Authorization": f"Bot {playground.token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.post(url, json={"content": "x"}) as answer,
    ):
        assert (answer.status, await answer.text()) == (200, junk.body)
        assert answer.headers["Content-Type"] == junk.content_type
    assert count(playground) == made


async def test_a_delay_and_a_hang(playground: Playground, rest: Rest) -> None:
    playground.faults.rest("GET", "/users/@me", Delay(0.2))
    began = time.monotonic()
    assert (await rest("GET", "/users/@me"))[0] == 200
    assert time.monotonic() - began >= 0.2
    playground.faults.rest("GET", "/users/@me", Hang())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(rest("GET", "/users/@me"), 0.2)


async def test_a_reply_that_was_lost_comes_back_as_40060(
    playground: Playground, running: Running, cleo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = Bot()
    codes: list[int] = []
    slept = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", lambda seconds: slept(min(seconds, 0.01)))

    @bot.tree.command(description="Ping")
    async def ping(interaction: discord.Interaction) -> None:
        try:
            await interaction.response.send_message("pong")
        except discord.HTTPException as error:
            codes.append(error.code)

    async with running(bot):
        playground.faults.rest("POST", CALLBACK, Status(502), when="after")
        nonce = await cleo.slash("ping", cleo.channel("games"))
        assert (await cleo.wait_answer(nonce))["content"] == "pong"
        await until(lambda: codes == [40060])


async def test_a_send_that_was_lost_is_not_doubled_with_a_nonce(
    playground: Playground, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = Bot()
    slept = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", lambda seconds: slept(min(seconds, 0.01)))
    async with running(bot):
        channel = bot.get_channel(channel_id(playground))
        assert isinstance(channel, discord.TextChannel)
        playground.faults.rest("POST", MESSAGES, Status(502), when="after")
        await channel.send("board", nonce="g1p1r0")
        assert count(playground) == 1


async def test_429_with_via_is_waited_for_and_without_it_raised(
    playground: Playground, running: Running
) -> None:
    bot = Bot()
    async with running(bot):
        channel = bot.get_channel(channel_id(playground))
        assert isinstance(channel, discord.TextChannel)
        playground.faults.rest("POST", MESSAGES, TooMany(0.05))
        await channel.send("waited")
        playground.faults.rest("POST", MESSAGES, TooMany(0.05, is_global=True))
        await channel.send("all waited")
        assert count(playground) == 2
        for fault in (TooMany(via=False), TooMany(html=True)):
            playground.faults.rest("POST", MESSAGES, fault)
            with pytest.raises(discord.HTTPException) as refused:
                await channel.send("banned")
            assert refused.value.status == 429
        playground.faults.rest("POST", MESSAGES, TooMany(bare=True))
        with pytest.raises(KeyError):
            await channel.send("nothing said")


async def test_events_can_be_doubled_dropped_delayed_held_and_changed(
    playground: Playground, running: Running, cleo: Person
) -> None:
    bot = Bot(intents=discord.Intents(guilds=True, dm_messages=True))
    heard: list[str] = []

    @bot.event
    async def on_message(message: discord.Message) -> None:
        heard.append(message.content)

    async with running(bot):
        direct = await cleo.open_direct()
        faults = playground.faults
        faults.event("MESSAGE_CREATE", copies=2)
        await cleo.say(direct, "twice")
        await until(lambda: heard == ["twice", "twice"])
        faults.event("MESSAGE_CREATE", copies=0)
        await cleo.say(direct, "never")
        faults.event("MESSAGE_CREATE", hold=True)
        await cleo.say(direct, "second")
        await cleo.say(direct, "first")
        await until(lambda: heard[2:] == ["first", "second"])
        faults.event("MESSAGE_CREATE", delay=0.1)
        await cleo.say(direct, "late")
        await cleo.say(direct, "early")
        await until(lambda: heard[4:] == ["early", "late"])
        faults.event("MESSAGE_CREATE", change=lambda data: data | {"content": "changed"})
        await cleo.say(direct, "as said")
        await until(lambda: heard[6:] == ["changed"])


@pytest.mark.logs_errors
async def test_the_handshake_can_be_refused_and_ready_withheld(
    playground: Playground,
    point_discord_at: Callable[[Playground], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    point_discord_at(playground)
    playground.gateway.trouble.refuse_status = 503
    async with Bot() as bot:
        await bot.login(playground.token)
        # The stock client falls over its own handling of a refusal at the very first connect.
        with pytest.raises((aiohttp.WSServerHandshakeError, AttributeError)):
            await asyncio.wait_for(bot.connect(), 5)
    assert [each.name for each in caplog.records if each.levelname == "ERROR"] in (
        [],
        ["discord.client"],
    )
    playground.gateway.trouble.refuse_status = None
    playground.gateway.trouble.withhold_ready = True
    async with Bot() as bot:
        task = asyncio.create_task(bot.start(playground.token))
        await until(lambda: playground.gateway.identified)
        await asyncio.sleep(0.1)
        assert not bot.is_ready()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_buckets_run_empty_with_discords_headers_and_fill_again(clock: ManualClock) -> None:
    limits = RateLimits(
        routes={("POST", "/channels/{channel_id}/messages"): Rate(2, 60.0)}, overall=None
    )
    async with (
        Playground(rate_limits=limits, clock=clock) as playground,
        aiohttp.ClientSession() as session,
    ):
        rest = Rest(playground.rest_url, session, playground.token)
        path = f"/channels/{channel_id(playground)}/messages"
        other = f"/channels/{channel_id(playground, 'general')}/messages"
        for _ in range(2):
            assert (await rest("POST", path, {"content": "x"}))[0] == 200
        status, answer = await rest("POST", path, {"content": "x"})
        assert status == 429
        assert 0 < answer["retry_after"] <= 60.0
        assert answer["global"] is False
        assert (await rest("POST", other, {"content": "x"}))[0] == 200
        clock.advance(answer["retry_after"])
        async with session.post(
            rest.base + path,
            json={"content": "x"},
            headers={"Authorization": f"Bot {playground.token}"},
        ) as full:
            assert full.headers["X-RateLimit-Remaining"] in {"0", "1"}
            assert full.headers["X-RateLimit-Limit"] == "2"
            assert full.headers["Via"]
            assert full.headers["Content-Type"] == "application/json"


async def test_the_global_limit_spares_interactions() -> None:
    limits = RateLimits(overall=Rate(2, 60.0))
    async with (
        Playground(rate_limits=limits) as playground,
        aiohttp.ClientSession() as session,
    ):
        rest = Rest(playground.rest_url, session, playground.token)
        answers = [await rest("GET", "/users/@me") for _ in range(3)]
        assert [status for status, _ in answers] == [200, 200, 429]
        assert answers[2][1]["global"] is True
        assert await rest.refusal("POST", "/interactions/1/x/callback", {"type": 5}) == (404, 10062)


async def test_discord_py_keeps_to_the_buckets_by_itself(
    point_discord_at: Callable[[Playground], None],
) -> None:
    limits = RateLimits(routes={("POST", "/channels/{channel_id}/messages"): Rate(3, 0.2)})
    async with Playground(rate_limits=limits) as playground:
        point_discord_at(playground)
        bot = Bot()
        async with run(bot, playground.token):
            channel = bot.get_channel(channel_id(playground))
            assert isinstance(channel, discord.TextChannel)
            for number in range(8):
                await channel.send(str(number))
        assert count(playground) == 8
        assert playground.front.refused == {}
