"""The connection under a misbehaving gateway: bounded, logged, survived."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.connection.connection import HOPELESS, Unmendable
from bot.connection.gateway import Timeouts
from playground.faults import Hang, Status
from playground.forms import all_text
from playground.gateway.gateway import GatewayLimits
from tests.support.hosted import Game, Hosted, hosted, start_quax

pytestmark = pytest.mark.slow

FAST = Timeouts(
    hello=5.0,
    ready=5.0,
    resumed=5.0,
    silence=2.0,
    longest=0.4,
    first=0.05,
    refused=(0.0, 0.05),
    lasting=30.0,
    doubt=0.1,
)
"""Rests a hundredth as long, so that nobody waits for minutes. What is to come in time has seconds
for it, except where it is not to come."""
BROKEN_STREAM = b"\x07no stream of zlib\x00\x00\xff\xff"


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Hosted]:
    async with hosted(tmp_path, timeouts=FAST) as made:
        # The first start makes the commands known, which takes the event loop for a while.
        await _until((tmp_path / "commands.json").exists)
        yield made


async def _until(holds: Callable[[], object], *, patience: float = 15.0) -> None:
    async with asyncio.timeout(patience):
        while not holds():
            await asyncio.sleep(0.005)


def _is_connected(table: Hosted) -> bool:
    return table.bot.client.is_connected


@contextlib.asynccontextmanager
async def _reconnecting(table: Hosted) -> AsyncIterator[None]:
    """An action that costs the bot its connection; it is back at the end."""
    before = table.playground.gateway.opened
    yield
    await _until(lambda: table.playground.gateway.opened > before and _is_connected(table))


async def _plays_on(game: Game) -> None:
    assert "You played a1." in all_text(await game.say(game.black, "a1"))
    await game.hosted.settled()
    assert "1 a1" in all_text(await game.board())


# ---- the promise ---------------------------------------------------------------------------------


def test_parlour_is_back_within_a_minute_of_discord() -> None:
    """As the longest rest and the longest try for a connection say; the rest is tested faster."""
    timeouts = Timeouts()
    assert timeouts.longest + timeouts.hello <= 60
    assert timeouts.ready <= 60


async def test_loss_and_return_are_told(table: Hosted, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "bot.connection.connection")
    caplog.clear()
    await table.playground.go_offline()
    await _until(lambda: not _is_connected(table))
    lost = asyncio.get_running_loop().time()
    await asyncio.sleep(1.2)
    await table.playground.come_back()
    await _until(lambda: _is_connected(table))
    away = asyncio.get_running_loop().time() - lost
    said = [
        each.getMessage() for each in caplog.records if each.name == "bot.connection.connection"
    ]
    assert len(said) == 2
    assert "the connection to Discord is lost" in said[0]
    assert "'why': 'it broke'" in said[0]
    assert "connected to Discord again" in said[1]
    after = re.search(r"'after_seconds': (\d+\.\d)", said[1])
    attempts = re.search(r"'attempts': (\d+)", said[1])
    assert after is not None
    assert attempts is not None
    assert away - 0.2 <= float(after[1]) <= away + 0.2
    assert 3 <= int(attempts[1]) <= 12


# ---- sessions that are refused -------------------------------------------------------------------


@pytest.mark.parametrize("code", [1011, 4001, 9])
async def test_a_session_that_may_not_resume_is_replaced(table: Hosted, code: int) -> None:
    gateway = table.playground.gateway
    gateway.trouble.refuse_resume = code
    before = gateway.opened
    async with _reconnecting(table):
        gateway.abort_all()
    assert gateway.asked_to_resume == (1 if code == 9 else 3)
    assert gateway.asked_to_identify == 2
    assert gateway.opened - before == gateway.asked_to_resume + 1


@pytest.mark.parametrize("code", [4000, 9])
async def test_sessions_that_are_refused_are_asked_for_slowly(table: Hosted, code: int) -> None:
    gateway = table.playground.gateway
    gateway.trouble.refuse_identify = code
    before = gateway.opened
    gateway.sessions.clear()
    gateway.abort_all()
    await _until(lambda: not _is_connected(table))
    await asyncio.sleep(2.0)
    # The first wait is half the longest or more from the fifth attempt on.
    assert gateway.opened - before <= 6 + 2.0 / (FAST.longest / 2)
    assert gateway.asked_to_identify > 3
    gateway.trouble.refuse_identify = None
    back = asyncio.get_running_loop().time()
    await _until(lambda: _is_connected(table))
    assert asyncio.get_running_loop().time() - back <= FAST.longest + 1.0


@pytest.mark.long
async def test_connections_that_are_cut_at_once_are_made_slowly(table: Hosted) -> None:
    """As when each is followed by op 7 at once."""
    gateway = table.playground.gateway
    before = gateway.opened
    until = asyncio.get_running_loop().time() + 2.0
    while asyncio.get_running_loop().time() < until:
        gateway.reconnect_all()
        await asyncio.sleep(0.005)
    assert gateway.opened - before <= 6 + 2.0 / (FAST.longest / 2)
    await _until(lambda: _is_connected(table))
    assert gateway.asked_to_identify == 1
    # And nothing of them is left.
    await _until(lambda: len(gateway.connections) == 1)
    threads = [each.name for each in threading.enumerate()]
    assert sum(each.startswith("keep-alive") for each in threads) == 1


async def test_being_asked_to_come_again_early_costs_no_session(table: Hosted) -> None:
    gateway = table.playground.gateway
    sessions, opened = gateway.asked_to_identify, gateway.opened
    gateway.trouble.withhold_resumed = True
    async with asyncio.timeout(20):
        while gateway.opened < opened + 6:
            gateway.reconnect_all()
            await asyncio.sleep(0.02)
    gateway.trouble.withhold_resumed = False
    gateway.reconnect_all()
    await _until(lambda: _is_connected(table))
    assert gateway.asked_to_identify == sessions


@pytest.mark.long
@pytest.mark.parametrize("lack", [None, 7, "https://discord.com/", "ws://127.0.0.1:1/"])
async def test_ready_may_lack_an_address_to_resume_at(tmp_path: Path, lack: object) -> None:
    async with hosted(tmp_path, timeouts=FAST) as table:
        await table.stop_for_long()
        lacking = {"resume_gateway_url": lack}
        table.playground.faults.event(
            "READY",
            change=lambda ready: {k: v for k, v in (ready | lacking).items() if v is not None},
        )
        await table.start()
        async with _reconnecting(table):
            table.playground.gateway.abort_all()
        assert table.playground.gateway.resumed == 1


# ---- what never comes, or cannot be read ---------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("what", ["withhold_hello", "withhold_ready"])
async def test_what_does_not_come_is_not_waited_for_for_ever(
    tmp_path: Path, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with hosted(tmp_path, timeouts=replace(FAST, hello=0.5, ready=0.5)) as table:
        await table.stop_for_long()
        gateway = table.playground.gateway
        setattr(gateway.trouble, what, True)
        before = gateway.opened
        bot = await table.begin()
        await _until(lambda: gateway.opened - before >= 3)
        assert not bot.client.is_connected
        assert "no connection to Discord yet" in caplog.text
        setattr(gateway.trouble, what, False)
        await _until(lambda: bot.client.is_connected)


async def test_resumed_that_does_not_come_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    async with hosted(tmp_path, timeouts=replace(FAST, resumed=0.3)) as table:
        gateway = table.playground.gateway
        gateway.trouble.withhold_resumed = True
        async with _reconnecting(table):
            gateway.abort_all()
        assert gateway.asked_to_resume == 3
        assert gateway.asked_to_identify == 2


async def test_what_cannot_be_read_costs_no_more_than_a_resume(table: Hosted) -> None:
    (shard,) = table.bot.client.connection.shards
    game, gateway = await start_quax(table), table.playground.gateway
    frames: list[str | bytes] = [
        "{no json",
        "[]",
        "null",
        '{"op":0,"t":"READY"}',
        "",
        BROKEN_STREAM,
    ]
    for number, frame in enumerate(frames):
        async with _reconnecting(table):
            gateway.send_raw(frame)
        assert table.bot.client.malformed == number + 1
        assert gateway.resumed == number + 1
    async with _reconnecting(table):
        gateway.invalidate_all(resumable=True)
    assert gateway.resumed == len(frames) + 1, "nor does a session that is invalid but resumable"
    shard._timeouts = replace(FAST, longest=0.1)
    hello: Any
    for hello in (
        {"op": 10},
        {"op": 10, "d": None},
        {"op": 10, "d": {}},
        {"op": 10, "d": {"heartbeat_interval": 0}},
        {"op": 10, "d": {"heartbeat_interval": -5}},
        {"op": 10, "d": {"heartbeat_interval": "soon"}},
        {"op": 10, "d": {"heartbeat_interval": 1e300}},
        [],
        7,
    ):
        gateway.trouble.hello = hello
        before = gateway.opened
        gateway.abort_all()
        await _until(lambda before=before: gateway.opened - before >= 2)
        gateway.trouble.hello = None
        await _until(lambda: _is_connected(table))
    assert gateway.asked_to_identify == 1
    await _plays_on(game)


@pytest.mark.long
async def test_a_ready_that_cannot_be_read_leads_to_another_session(table: Hosted) -> None:
    await table.stop_for_long()
    gateway = table.playground.gateway
    before = gateway.asked_to_identify
    for lack in ("user", "shard", "guilds", "session_id"):
        table.playground.faults.event(
            "READY", change=lambda ready, lack=lack: {k: ready[k] for k in ready if k != lack}
        )
    await table.start()
    assert gateway.asked_to_identify == before + 5
    assert gateway.resumed == 0
    await _plays_on(await start_quax(table))


async def test_a_dead_line_is_noticed_and_what_was_said_meanwhile_arrives(tmp_path: Path) -> None:
    limits = GatewayLimits(heartbeat_ms=400)
    async with hosted(tmp_path, timeouts=replace(FAST, silence=0.6), limits=limits) as table:
        game = await start_quax(table)
        table.playground.gateway.mute_all()
        began = asyncio.get_running_loop().time()
        nonce = await game.black.slash("move", game.home, move="a1")
        assert "You played a1." in all_text(await game.black.wait_answer(nonce))
        assert asyncio.get_running_loop().time() - began < 2.0
        assert table.playground.gateway.resumed == 1


@pytest.mark.long
async def test_a_line_on_which_heartbeats_are_not_answered_is_given_up(tmp_path: Path) -> None:
    """Although events come over it."""
    limits = GatewayLimits(heartbeat_ms=400)
    async with hosted(tmp_path, timeouts=replace(FAST, silence=0.6), limits=limits) as table:
        anna = await table.join("Anna")
        gateway = table.playground.gateway
        gateway.trouble.deaf = True
        until = asyncio.get_running_loop().time() + 5.0
        while not gateway.asked_to_resume:
            assert asyncio.get_running_loop().time() < until
            await anna.slash("help", anna.channel("general"))
            await asyncio.sleep(0.05)
        gateway.trouble.deaf = False
        await _until(lambda: _is_connected(table))
        assert gateway.asked_to_identify == 1


# ---- several shards ------------------------------------------------------------------------------


async def test_one_shard_in_trouble_leaves_the_other_alone(tmp_path: Path) -> None:
    async with hosted(tmp_path, shards=2, shard_count=2, timeouts=FAST) as table:
        gateway = table.playground.gateway
        other, lost = sorted(gateway.connections, key=lambda each: each.session.shard)  # type: ignore[union-attr]
        gateway.trouble.refuse_resume = 4000
        async with _reconnecting(table):
            await lost.socket.close(code=4000)
        assert other in gateway.connections
        assert gateway.asked_to_identify == 3
        assert sorted(each.shard for each in gateway.sessions.values() if each.connection) == [0, 1]


# ---- what no patience mends ----------------------------------------------------------------------


@pytest.mark.parametrize("code", sorted(HOPELESS))
async def test_what_no_patience_mends_ends_the_bot_with_a_reason(tmp_path: Path, code: int) -> None:
    async with hosted(tmp_path, timeouts=FAST, shutdown_seconds=0.5) as table:
        before = table.playground.gateway.opened
        await table.playground.gateway.close_all(code)
        with pytest.raises(Unmendable) as ended:
            await table.ended()
        assert str(ended.value) == HOPELESS[code]
        assert table.playground.gateway.opened == before
        table.playground.gateway.trouble.refuse_identify = code
        await table.begin()
        with pytest.raises(Unmendable, match=re.escape(HOPELESS[code])):
            await table.ended()
        assert table.playground.gateway.opened == before + 1


async def test_a_revoked_token_ends_the_bot_and_one_odd_401_does_not(table: Hosted) -> None:
    game, faults = await start_quax(table), table.playground.faults
    odd = faults.rest("POST", r".*/channels/\d+/messages", Status(401))
    await game.say(game.black, "a1")
    await _until(lambda: odd.hits)
    await game.hosted.settled()
    await _until(lambda: not table.bot.client.connection.token_doubted.is_set())
    assert _is_connected(table)
    faults.rest(None, r".*/channels/.*|/users/@me", Status(401), times=None)
    await game.white.slash("move", game.home, move="b2")
    with pytest.raises(Unmendable, match="does not accept the token"):
        await table.ended()


# ---- the way down --------------------------------------------------------------------------------


async def test_a_stop_does_not_wait_for_a_gateway_that_is_silent(tmp_path: Path) -> None:
    timeouts = replace(FAST, goodbye=0.2)
    async with hosted(tmp_path, timeouts=timeouts) as table:
        table.playground.gateway.mute_all()
        began = asyncio.get_running_loop().time()
        await table.stop_for_long()
        assert asyncio.get_running_loop().time() - began < 3.0


@pytest.mark.long
async def test_a_stop_before_discord_has_said_ready_waits_for_nothing(table: Hosted) -> None:
    await table.stop_for_long()
    gateway = table.playground.gateway
    gateway.trouble.withhold_ready = True
    before = gateway.asked_to_identify
    await table.begin()
    await _until(lambda: gateway.asked_to_identify > before)
    began = asyncio.get_running_loop().time()
    await table.stop()
    assert asyncio.get_running_loop().time() - began < 3.0


async def test_a_stop_cuts_off_a_check_of_the_token_and_a_welcome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = property(lambda guild: guild.text_channels[0])
    monkeypatch.setattr(discord.Guild, "system_channel", first)
    async with hosted(tmp_path, shutdown_seconds=0) as table:
        client, tasks = table.bot.client, table.bot.services.background._tasks
        rests = table.playground.faults
        held = [
            rests.rest(None, path, Hang(), times=None)
            for path in (r".*/users/@me", r".*/channels/\d+/messages")
        ]
        client.connection.token_doubted.set()
        await client.on_guild_join(client.guilds[0])
        await _until(lambda: all(each.hits for each in held))
        await table.stop()
        assert not client.connection._asking
        assert not tasks


async def test_a_stop_closes_the_connection_so_that_discord_shows_it(table: Hosted) -> None:
    await table.stop()
    await _until(lambda: not table.playground.gateway.connections)
    assert not table.playground.world.state.bot_online
