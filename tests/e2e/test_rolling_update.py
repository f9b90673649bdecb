"""Three processes are updated one after another, and back, while people in three servers play."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from bot.domain.history import verify
from bot.store import open_reader
from bot.store.schema import known_revisions
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
from tests.store.releases import ADDED, HARMLESS, follow, run_next_release
from tests.support.forked import run_bot

SIZE = 13
_LATE = "That took too long to arrive, so nothing was changed."


@pytest.fixture
async def own_url(postgres_url: str) -> AsyncIterator[str]:
    """A copy of the database, whose tables the test may change."""
    server = await asyncpg.connect(postgres_url)
    await server.execute("DROP DATABASE IF EXISTS updated (FORCE)")
    await server.close()
    server = await asyncpg.connect(postgres_url.replace("/parlour?", "/postgres?"))
    await server.execute("CREATE DATABASE updated TEMPLATE parlour")
    yield postgres_url.replace("/parlour?", "/updated?")
    await server.execute("DROP DATABASE updated (FORCE)")
    await server.close()


class _Table:
    """Two people who move in turn, without pause, until they are told that it is done."""

    def __init__(self, people: tuple[Person, Person], home: int) -> None:
        self.people, self.home = people, home
        self.played: list[str] = []
        self.failed: list[str] = []
        """Moves that failed, as was said, because they met with a reconnect."""

    async def play(self, done: asyncio.Event) -> None:
        moves = [f"{column}{row}" for column in "abcdefghijklm" for row in range(1, SIZE + 1)]
        random.Random(self.home).shuffle(moves)
        while not done.is_set():
            move, person = moves[len(self.played)], self.people[len(self.played) % 2]
            try:
                nonce = await person.slash("move", self.home, move=move)
                said = all_text(await person.wait_answer(nonce, patience=10))
            except InteractionFailed:
                said = _LATE
            if _LATE in said:
                self.failed.append(move)
            else:
                assert f"You played {move}." in said
                self.played.append(move)
            await asyncio.sleep(0.6)


async def _revision(database: str) -> str:
    connection = await asyncpg.connect(database)
    found: str = await connection.fetchval("SELECT version_num FROM alembic_version")
    await connection.close()
    return found


@pytest.mark.postgres
@pytest.mark.long
@pytest.mark.timeout(300)
async def test_players_notice_nothing_of_an_update_and_of_the_way_back(
    tmp_path: Path, observer: Observer, own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (newest,) = follow(HARMLESS, folder=tmp_path / "next", unused=ADDED)
    monkeypatch.setenv("NEXT_RELEASE", str(tmp_path / "next"))
    done, logs = asyncio.Event(), list[str]()
    limits = GatewayLimits(shards=3)
    async with Playground(observer=observer, gateway_limits=limits) as playground:
        people = (
            await Person.join(playground.address, "Anna"),
            await Person.join(playground.address, "Ben"),
        )
        channels = await channel_on_each_shard(playground, [people] * 3)
        processes = [
            await BotOnPostgres.start(playground, tmp_path / name, own_url) for name in "123"
        ]
        tables: list[_Table] = []
        playing: list[asyncio.Task[None]] = []
        try:
            await divided(processes, 3, patience=60, shares=[1, 1, 1])
            tables = [
                _Table(people, await begin_match(*people, channel, size=SIZE))
                for channel in channels
            ]
            playing += [asyncio.create_task(each.play(done)) for each in tables]
            for program, revision in (run_next_release, newest), (run_bot, newest):
                for _ in range(3):
                    at = tmp_path / f"{program.__name__}{len(logs)}"
                    new = await BotOnPostgres.start(playground, at, own_url, program)
                    processes.append(new)
                    logs.append(await processes.pop(0).stop())
                    await divided(processes, 3, patience=60, shares=[1, 1, 1])
                    assert await _revision(own_url) == revision
                    assert not [each for each in playing if each.done()]
            done.set()
            await asyncio.gather(*playing)
        finally:
            done.set()
            await asyncio.gather(*playing, return_exceptions=True)
            logs += [await each.stop() for each in processes]
            for person in people:
                await person.close()
    assert playground.problems == []
    assert newest not in known_revisions()
    assert not [each for each in logs if "Traceback" in each or "rror" in each]
    played = [each.played for each in tables]
    assert min(map(len, played)) > 10
    assert sum(len(each.failed) for each in tables) <= 2 * 6, "two for each that was replaced"
    store = await open_reader(own_url)
    stored = []
    async for match, events in store.all_matches():
        verify(match, events)
        stored.append([each.payload["move"] for each in events if "move" in each.payload])
    await store.close()
    assert sorted(stored) == sorted(played), "what was answered is stored, each move once"
