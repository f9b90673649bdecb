"""Processes are killed at random instants while pairs play, and nothing is lost or doubled.

One process on SQLite; one, two and four on the same PostgreSQL, which divide the shards. After each
accepted move and a moment more, one of the processes is killed and another one started. With
``PARLOUR_KILLS``, so many kills for each number of processes.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import re
import signal
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from bot.domain.history import verify
from bot.store import open_reader
from games import catalog
from playground.errors import DiscordError
from playground.forms import all_text
from playground.gateway.gateway import GatewayLimits
from playground.observer import Observer
from playground.person import InteractionFailed, Person
from playground.server import Playground
from tests.e2e.bot_on_postgres import BotOnPostgres, begin_match, channel_on_each_shard
from tests.support.hosted import shown_board

KILLS = int(os.environ.get("PARLOUR_KILLS", "6"))
SEED = int(os.environ.get("PARLOUR_SEED", "1"))
SHARDS = 4
LONGEST = 60
"""Moves after which a pair begins another match: a thread is read with its last 100 messages."""


@dataclass
class Pair:
    """Two people who play match after match in one server, whatever becomes of the bot."""

    people: tuple[Person, Person]
    channel: int
    rng: Random
    played: dict[int, list[str]] = field(default_factory=dict)
    """The moves of each thread, in the order in which they were accepted."""

    async def play(self, moved: asyncio.Event) -> None:
        """Begin matches and play in them, for ever."""
        while True:
            home = await self._begin()
            moves = self.played[home] = []
            game = catalog.create("quax", {"size": 15, "pie": "off"})
            position = game.initial(Random(0))
            while len(moves) < LONGEST:
                person = self.people[game.to_move(position) or 0]
                legal = [game.notation(position, each) for each in game.legal_moves(position)]
                # Drops alone, so that the game is long.
                move = self.rng.choice([text for text in legal if len(text) < 4])
                await self._type(person, home, move)
                moves.append(move)
                moved.set()
                position = game.play(position, game.parse(position, move))

    async def _begin(self) -> int:
        """The thread of a new match, offered again and again until one begins."""
        while True:
            with contextlib.suppress(InteractionFailed, TimeoutError, DiscordError, LookupError):
                return await begin_match(
                    *self.people, self.channel, size=15, patience=6, known=self.played
                )
            await asyncio.sleep(0.5)

    async def _type(self, person: Person, home: int, move: str) -> None:
        """Type a move until its player knows that it was accepted."""
        for tried in itertools.count():
            with contextlib.suppress(InteractionFailed, TimeoutError, DiscordError, LookupError):
                nonce = await person.slash("move", home, move=move)
                answer = all_text(await person.wait_answer(nonce, patience=6))
                if f"You played {move}." in answer:
                    return
                if tried and f"already played {move}." in answer:
                    return  # an earlier try was accepted, and its answer was lost
            await asyncio.sleep(0.3)


@pytest.mark.long
@pytest.mark.timeout(300 + 30 * KILLS)
@pytest.mark.parametrize(
    ("database_url", "count"),
    [
        ("sqlite_url", 1),
        *(pytest.param("postgres_url", n, marks=pytest.mark.postgres) for n in (1, 2, 4)),
    ],
    indirect=["database_url"],
)
async def test_p1_p2_p5_kills_at_random_instants_lose_and_double_nothing(
    tmp_path: Path,
    observer: Observer,
    database_url: str,
    count: int,
) -> None:
    rng = Random(f"{SEED} {count}")
    limits = GatewayLimits(shards=SHARDS, identifies_a_day=1_000_000)
    async with Playground(observer=observer, gateway_limits=limits) as playground:
        couples = [
            (
                await Person.join(playground.address, "Anna"),
                await Person.join(playground.address, "Ben"),
            )
            for _ in range(SHARDS)
        ]
        channels = await channel_on_each_shard(playground, couples)
        pairs = [
            Pair(people, channel, Random(rng.random()))
            for people, channel in zip(couples, channels, strict=True)
        ]
        started = 0

        async def start() -> BotOnPostgres:
            nonlocal started
            started += 1
            return await BotOnPostgres.start(playground, tmp_path / str(started), database_url)

        processes = [await start() for _ in range(count)]
        moved = asyncio.Event()
        playing = [asyncio.create_task(pair.play(moved)) for pair in pairs]
        try:
            for _ in range(KILLS):
                async with asyncio.timeout(120):
                    await moved.wait()
                await asyncio.sleep(rng.random())
                moved.clear()
                dead = processes.pop(rng.randrange(count))
                dead.child.kill()
                assert await dead.child.wait() == -signal.SIGKILL
                processes.append(await start())
            for pair, task in zip(pairs, playing, strict=True):
                await _is_right(pair, task)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            logged = [await each.stop() for each in processes]
            for person in itertools.chain.from_iterable(couples):
                await person.close()
    assert not [each for each in logged if "Traceback" in each]
    assert playground.problems == []
    await _is_stored(database_url, [moves for pair in pairs for moves in pair.played.values()])


async def _is_right(pair: Pair, playing: asyncio.Task[None]) -> None:
    """A pair plays on for a move, then all its threads show each position once at most."""
    before = sum(map(len, pair.played.values()))
    async with asyncio.timeout(120):
        while sum(map(len, pair.played.values())) == before:
            assert not playing.done(), playing.exception()
            await asyncio.sleep(0.1)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    person = pair.people[0]
    for home, moves in pair.played.items():
        async with asyncio.timeout(90):
            while True:
                seen = await person.messages(home, limit=100)
                boards = [(found[1], each) for each in seen if (found := shown_board(each))]
                live = [version for version, each in boards if "Make a move" in str(each)]
                versions = [version for version, _ in boards]
                # A match begins with version 2; a move may have been on its way at the end. What a
                # dead process was about to send, another one sends once its lease is over.
                if live == versions[:1] and live[0] - 2 in (len(moves), len(moves) + 1):
                    break
                await asyncio.sleep(0.2)
        assert versions == sorted(set(versions), reverse=True), "a board stands there twice"
        told = Counter(
            line
            for event in person.events
            if event.name == "MESSAGE_CREATE" and int(event.data["channel_id"]) == home
            for line in re.findall(r"> played (\w+)", all_text(event.data))
        )
        assert not [move for move, times in told.items() if times > 1], "a player was called twice"


async def _is_stored(database_url: str, played: list[list[str]]) -> None:
    """Each match is stored whole, with the accepted moves in their order and none beside them."""
    store = await open_reader(database_url)
    stored = []
    try:
        async for match, events in store.all_matches():
            verify(match, events)
            stored.append([each.payload["move"] for each in events if each.kind.value == "moved"])
    finally:
        await store.close()
    for moves in played:
        # A move whose player was still waiting when all was over may have been accepted.
        found = [each for each in stored if each[: len(moves)] == moves]
        assert found, moves
        assert min(map(len, found)) <= len(moves) + 1
