"""Three processes that divide four shards: one is killed, one is stopped, the last has all."""

from __future__ import annotations

import asyncio
import contextlib
import time
from pathlib import Path

import asyncpg
import pytest

from playground.errors import DiscordError
from playground.forms import all_text
from playground.gateway.gateway import GatewayLimits
from playground.observer import Observer
from playground.person import InteractionFailed, Person
from playground.server import Playground
from tests.e2e.bot_on_postgres import (
    BotOnPostgres,
    begin_match,
    channel_on_each_shard,
    divided,
)

SHARDS = 4


async def _outages(database: str, at_least: int) -> set[str]:
    """The scopes in which nobody could act for longer than two beats, once there are so many."""
    connection = await asyncpg.connect(database)
    query = "SELECT scope FROM outages WHERE ended_at - began_at > 12000000"
    try:
        async with asyncio.timeout(20):
            while len(found := {row["scope"] for row in await connection.fetch(query)}) < at_least:
                await asyncio.sleep(0.2)
            return found
    finally:
        await connection.close()


async def _move(person: Person, home: int, move: str) -> None:
    """Type a move until it is answered, as a player does who sees that it failed."""
    while True:
        with contextlib.suppress(InteractionFailed, TimeoutError, DiscordError):
            nonce = await person.slash("move", home, move=move)
            assert f"You played {move}." in all_text(await person.wait_answer(nonce, patience=5))
            return
        await asyncio.sleep(0.5)


@pytest.mark.postgres
@pytest.mark.first
@pytest.mark.timeout(200)
async def test_when_a_process_is_killed_the_others_serve_its_servers(
    tmp_path: Path,
    observer: Observer,
    postgres_url: str,
) -> None:
    limits = GatewayLimits(shards=SHARDS)
    async with Playground(observer=observer, gateway_limits=limits) as playground:
        anna = await Person.join(playground.address, "Anna")
        ben = await Person.join(playground.address, "Ben")
        channels = await channel_on_each_shard(playground, [(anna, ben)] * SHARDS)
        first = await BotOnPostgres.start(playground, tmp_path / "1", postgres_url)
        processes, logs = [first], list[str]()
        try:
            await divided(processes, SHARDS, patience=40, shares=[SHARDS])
            processes += [
                await BotOnPostgres.start(playground, tmp_path / name, postgres_url)
                for name in "23"
            ]
            found = await divided(processes, SHARDS, patience=60, shares=[1, 1, 2])
            survivors = {each["process"] for each in found[1:]}
            dead = {int(each) for each in found[0]["shards"]}
            gateway = playground.gateway
            assert len(gateway.identified) == SHARDS, "what moves goes on with its session"
            home = await begin_match(anna, ben, channels[max(dead)])
            first.child.kill()
            await first.child.wait()
            since = time.monotonic()
            await _move(anna, home, "a3")
            assert time.monotonic() - since < 30
            left = await divided(processes[1:], SHARDS, patience=30, shares=[2, 2])
            assert set(left[0]["owners"].values()) == survivors
            assert len(gateway.identified) == SHARDS + len(dead), "no other is begun anew"
            assert await _outages(postgres_url, len(dead)) == {
                f"shard:{each}/{SHARDS}" for each in dead
            }, "the clocks of no other server stop"
            resumed = gateway.resumed
            logs = [await processes.pop().stop()]
            await _move(ben, home, "b3")
            await divided(processes[1:], SHARDS, patience=30, shares=[SHARDS])
            assert gateway.resumed == resumed + 2
        finally:
            for person in (anna, ben):
                await person.close()
            logs += [await each.stop() for each in processes if each.child.returncode is None]
        assert not [each for each in logs if "Traceback" in each]
    assert playground.problems == []
