"""Tournaments as people meet them: from the set-up to the champion."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot import app
from playground.forms import all_text, find_control
from playground.person import Person
from playground.world.controls import walk
from tests.hosted import Ahead, Hosted, Json, hosted, then, time_passes


def _home(message: Json, name: str) -> bool:
    return not message["flags"] & 64 and f"## {name}" in all_text(message)


class Club:
    """A channel where events are held, and who holds and plays them."""

    def __init__(self, table: Hosted, clock: Ahead) -> None:
        self.table = table
        self.clock = clock
        self.organiser: Person
        self.players: list[Person] = []

    async def fill(self, count: int) -> None:
        self.organiser = await self.table.join("Olga")
        for number in range(count):
            self.players.append(await self.table.join(f"Player{number + 1}"))

    @property
    def channel(self) -> int:
        return int(self.organiser.guild["channels"][0]["id"])

    async def create(self, kind: str, name: str, **choices: str) -> Json:
        """An event by its preset; other choices are made on their tabs."""
        told = await self.organiser.slash(
            "tournament create", self.channel, kind=kind, name=name
        )
        page = await self.organiser.wait_answer(told)
        for tab, field, value in ((key.split("_", 1) + [value]) for key, value in choices.items()):
            page = await self.press(self.organiser, page, label=tab.capitalize())
            page = await self.choose(self.organiser, page, field, value)
        page = await self.press(self.organiser, page, label="Create")
        assert "You created" in all_text(page), all_text(page)
        return await self.home(name)

    async def home(self, name: str, *words: str) -> Json:
        """The home message, once it says all of these."""
        async with asyncio.timeout(20):
            while True:
                found = [
                    each for each in await self.organiser.messages(self.channel) if _home(each, name)
                ]
                assert len(found) <= 1, "one home message"
                if found and all(word in all_text(found[0]) for word in words):
                    return found[0]
                await asyncio.sleep(0.05)

    async def press(self, person: Person, page: Json, **which: str) -> Json:
        """Press a button of a private page; what it shows then."""
        return await then(person, page, person.click(page, **which))

    async def choose(self, person: Person, page: Json, field: str, *values: str) -> Json:
        """Choose in a menu of a private page, by the end of its custom id."""
        menu = next(
            each["custom_id"]
            for each in walk(page["components"])
            if each.get("custom_id", "").endswith(f":{field}") and each["type"] >= 3
        )
        return await then(person, page, person.select(page, menu, list(values)))

    async def join(self, home: Json) -> None:
        for person in self.players:
            answer = await person.wait_answer(await person.click(home, label="Join"))
            assert "You're in" in all_text(answer)

    async def until(self, **by: float) -> None:
        await time_passes(self.table, self.clock, **by)

    async def resign_all(self, name: str) -> None:
        """In each match that runs, who has the higher number gives up."""
        bot = self.table.bot
        assert bot is not None
        ids = [person.id for person in self.players]
        async with asyncio.timeout(60):
            while True:
                await self.table.settled()
                running = [
                    match
                    for match, _ in await self.table.history()
                    if match.status.value == "running" and match.home_id is not None
                ]
                if not running:
                    home = await self.home(name)
                    if "This tournament is over." in all_text(home):
                        return
                    await asyncio.sleep(0.1)
                for match in running:
                    seats = [user for user in match.players if user in ids]
                    loser = max(seats, key=ids.index)
                    person = self.players[ids.index(loser)]
                    answer = await person.wait_answer(
                        await person.slash("match resign", match.home_id)
                    )
                    del answer


@pytest.fixture
async def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Club]:
    monkeypatch.setattr(app, "_TOURNAMENTS", 0.05)
    clock = Ahead()
    async with hosted(tmp_path) as table:
        yield Club(table, clock)


async def test_a_smoke(club: Club) -> None:
    await club.fill(4)
    home = await club.create("cup", "Winter Cup")
    print(all_text(home))
    await club.join(home)
    print(all_text(await club.home("Winter Cup", "**4 of 32**")))
