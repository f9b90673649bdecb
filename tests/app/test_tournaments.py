"""Tournaments as people meet them: from the set-up to the champion."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot import app
from playground.forms import all_text
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
            "tournament create", self.channel, kind=kind, name=name, game="quax"
        )
        page = await self.organiser.wait_answer(told)
        for key, value in choices.items():
            tab, _, field = key.partition("_")
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
                    each
                    for each in await self.organiser.messages(self.channel)
                    if _home(each, name)
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

    async def play_out(self, name: str) -> Json:
        """In each match that runs, the player who joined later resigns; the home message then."""
        ids = [person.id for person in self.players]
        done: set[str] = set()
        async with asyncio.timeout(60):
            while True:
                home = await self.home(name)
                if "This tournament is over." in all_text(home):
                    return home
                for match, _ in await self.table.history():
                    is_on = match.status.value == "running" and match.home_id is not None
                    if not is_on or match.id in done or not match.state:
                        continue
                    loser = max(ids.index(user) for user in match.players)
                    person = self.players[loser]
                    asked = await person.wait_answer(await person.slash("resign", match.home_id))
                    answer = await self.press(person, asked, label="Resign")
                    assert "You resigned" in all_text(answer), all_text(answer)
                    done.add(match.id)
                await asyncio.sleep(0.05)

    async def said(self, channel: int, *words: str) -> Json:
        """A message of a channel or thread that everybody sees, once it says all of these."""
        async with asyncio.timeout(20):
            while True:
                for each in await self.organiser.messages(channel):
                    if not each["flags"] & 64 and all(word in all_text(each) for word in words):
                        return each
                await asyncio.sleep(0.05)


@pytest.fixture
async def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Club]:
    monkeypatch.setattr(app, "_CARRY_ON", 0.05)
    clock = Ahead()
    async with hosted(tmp_path) as table:
        await table.stop()
        table.clock = clock
        await table.start()
        yield Club(table, clock)


async def test_a_cup_from_the_set_up_to_the_champion(club: Club) -> None:
    await club.fill(4)
    home = await club.create("cup", "Winter Cup")
    first = club.players[0]
    assert "**0 of 32** players have joined." in all_text(home)
    await club.join(home)
    await club.home("Winter Cup", "**4 of 32**", f"<@{first.id}>")
    again = await first.wait_answer(await first.click(home, label="Join"))
    assert "You're in Winter Cup" in all_text(again), "twice is once"
    await club.until(days=6)
    home = await club.home("Winter Cup", "Round 1 of 2", "Still being played:")
    thread = int(home["id"])
    notice = await club.said(thread, f"<@{first.id}>, round 1 of", "is paired. You play:")
    assert [each["id"] for each in notice["mentions"]] == [str(first.id)], "and nobody else"
    mine = await first.wait_answer(await first.click(home, label="My games"))
    assert "Your games:" in all_text(mine)
    pairings = await first.wait_answer(await first.click(home, label="Pairings"))
    menu = next(e for e in walk(pairings["components"]) if ":twhygame:" in e.get("custom_id", ""))
    value = menu["options"][0]["value"]
    why = await then(first, pairings, first.select(pairings, menu["custom_id"], [value]))
    assert "Seeds 1 and 4" in all_text(why)
    home = await club.play_out("Winter Cup")
    assert f"🥇 <@{first.id}>" in all_text(home)
    champion = await club.said(club.channel, f"🏆 <@{first.id}> wins Winter Cup!")
    assert not champion["mentions"]
    table = await first.wait_answer(await first.click(champion, label="Standings"))
    assert any(each["type"] == 12 for each in walk(table["components"])), "a picture"
    letters = await club.press(first, table, label="Text version")
    assert "Player1" in all_text(letters)
    files = await first.wait_answer(await first.click(home, label="Files"))
    for label, name in (("CSV", ".csv"), ("TRF 2026", ".trf"), ("Records", "")):
        file = await first.wait_answer(await first.click(files, label=label))
        assert "Here's the file." in all_text(file), label
        assert name in str(file)
