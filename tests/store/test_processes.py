"""Real processes: several on one PostgreSQL, and one after another, killed, on SQLite."""

from __future__ import annotations

import asyncio
import collections
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from bot.domain.history import verify
from bot.domain.ids import InteractionId
from bot.domain.match import Scope
from bot.store import open_store, transactions
from tests.store import one_process
from tests.support.databases import both
from tests.support.forked import Forked
from tests.support.kit import BOB, GUILD, Club, head
from tests.support.not_none import not_none

PROJECT = Path(__file__).parents[2]
CELLS = [f"{file}{rank}" for file in "abcde" for rank in "12345"]
KILLS = int(os.environ.get("PARLOUR_KILLS", "6"))


class Process:
    """One other process on the same database."""

    child: Forked
    answers: list[Any]
    reading: asyncio.Task[None]

    @classmethod
    async def start(cls, url: str, failpoint: str = "") -> Process:
        self = cls()
        self.child = await Forked.start(
            url,
            folder=PROJECT,
            environment={**os.environ, "PARLOUR_FAILPOINT": failpoint},
            program=one_process.run,
        )
        assert json.loads(await not_none(self.child.stdout).readline()) == {"ready": True}
        self.answers = []
        self.reading = asyncio.create_task(self._read())
        return self

    async def _read(self) -> None:
        async for line in not_none(self.child.stdout):
            self.answers.append(json.loads(line))

    def send(self, click: Any) -> None:
        if self.child.returncode is None:
            not_none(self.child.stdin).write((json.dumps(click) + "\n").encode())

    async def end(self) -> Any:
        not_none(self.child.stdin).close()
        await self.reading
        return await self.child.wait()


@pytest.mark.postgres
async def test_a_click_thrice_to_two_processes_counts_once(postgres_url: str) -> None:
    store = await open_store(postgres_url)
    club = Club(store)
    matches = [await club.start(BOB, options={"size": 5}) for _ in range(8)]
    await club.worker.drain()
    rng = random.Random(3)
    clicks = [
        {
            "id": 10**9 + number,
            "match": rng.choice(matches),
            "user": rng.choice((1, 2)),
            "move": rng.choice(CELLS),
        }
        for number in range(160)
    ]
    processes = [await Process.start(postgres_url) for _ in range(2)]
    for part in range(0, len(clicks), 40):
        deliveries = [
            (each, process)
            for each in clicks[part : part + 40]
            for process in (*processes, rng.choice(processes))
        ]
        rng.shuffle(deliveries)
        for each, process in deliveries:
            process.send(each)
        for process in processes:
            await not_none(process.child.stdin).drain()
    assert [await process.end() for process in processes] == [0, 0]
    answers = [answer for process in processes for answer in process.answers]
    assert len(answers) == 480
    applied = collections.Counter(
        answer["id"] for answer in answers if "moved" in answer and not answer["repeated"]
    )
    assert set(applied.values()) == {1}
    stored = []
    for match_id in matches:
        match = await head(store, match_id)
        events = await store.read(transactions.history, match_id, Scope(GUILD))
        verify(match, events)
        stored += [
            not_none(event.interaction_id) for event in events if event.kind.value == "moved"
        ]
    assert sorted(stored) == sorted(applied)
    assert len(stored) >= 20
    await store.close()


@both
@pytest.mark.parametrize(("point", "is_kept"), [("c3:4", False), ("c4:4", False), ("c5:4", True)])
async def test_a_kill_undoes_or_keeps_a_move(database_url: str, point: str, is_kept: Any) -> None:
    store = await open_store(database_url)
    match_id = await Club(store).start(BOB, options={"size": 5})
    await asyncio.sleep(0)
    await store.close()
    process = await Process.start(database_url, point)
    for number, cell in enumerate(("a1", "b1", "c3", "d4")):
        click = {"id": 500 + number, "match": match_id, "user": 1 + number % 2, "move": cell}
        process.send(click)
        while len(process.answers) <= number and process.child.returncode is None:
            await asyncio.sleep(0.005)
    assert await process.end() == -9
    assert [answer["moved"] for answer in process.answers] == ["a1", "b1", "c3"]
    store = await open_store(database_url)
    match = await head(store, match_id)
    assert match.recent == ("a1", "b1", "c3", "d4")[: 4 if is_kept else 3]
    verify(match, await store.read(transactions.history, match_id, Scope(GUILD)))
    club = Club(store, seed=99)
    again = await club.service.move(BOB, match_id, text="d4", interaction_id=InteractionId(503))
    assert again.repeated is is_kept
    assert again.match.ply == 4
    await club.worker.drain()
    await store.close()


async def test_no_acknowledged_move_is_lost_by_a_kill_at_any_moment(sqlite_url: str) -> None:
    """PARLOUR_KILLS=N sets how often."""
    rng = random.Random(17)
    store = await open_store(sqlite_url)
    club = Club(store)
    matches = [await club.start(BOB, options={"size": 5}) for _ in range(30)]
    await club.worker.drain()
    await store.close()
    acknowledged: dict[str, list[str]] = {match_id: [] for match_id in matches}
    click_id = 10**6
    for _ in range(KILLS):
        process = await Process.start(sqlite_url)
        sent = {}
        for match_id in rng.sample(matches, 12):
            for user in (1, 2):
                click_id += 1
                sent[click_id] = match_id
                process.send(
                    {"id": click_id, "match": match_id, "user": user, "move": rng.choice(CELLS)}
                )
        enough = rng.randrange(1, 12)
        async with asyncio.timeout(30):
            while len(process.answers) < enough:
                await asyncio.sleep(0)
        await asyncio.sleep(rng.random() * 0.01)
        process.child.kill()
        await process.end()
        for answer in process.answers:
            if "moved" in answer:
                acknowledged[sent[answer["id"]]].append(answer["id"])
    store = await open_store(sqlite_url)
    for match_id in matches:
        events = await store.read(transactions.history, match_id, Scope(GUILD))
        kept = [event.interaction_id for event in events]
        assert set(acknowledged[match_id]) <= set(kept)
        assert len(kept) == len(set(kept))
        verify((await head(store, match_id)), events)
    assert sum(map(len, acknowledged.values())) > 0
    await store.close()
