"""The playground's own event: a newcomer presses Join, and a script plays against them."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.app import periodic
from bot.app.playground import event as playground_event
from bot.app.playground.event import EVENT, MEMBERS, hold_event
from bot.tournaments import posts as tournament_messages
from playground.forms import all_text
from playground.person import Person
from playground.wire import Json
from tests.support.hosted import Ahead, Hosted, hosted, press_action, time_passes


async def _home(person: Person, *words: str) -> Json:
    channel = person.channel(playground_event.CHANNEL)
    async with asyncio.timeout(30):
        while True:
            for each in await person.messages(channel):
                said = all_text(each)
                if f"## {EVENT}" in said and all(word in said for word in words):
                    return each
            await asyncio.sleep(0.05)


async def _plies(table: Hosted, person: Person) -> int:
    """How many moves a person's match has, 0 before there is one."""
    return max((m.ply for m, _ in await table.history() if person.id in m.players), default=0)


@pytest.mark.long
async def test_a_newcomer_joins_the_arena_and_is_played_against(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(periodic, "_CARRY_ON", 0.05)
    monkeypatch.setattr(tournament_messages, "_TOGETHER", timedelta(seconds=0.2))
    monkeypatch.setattr(playground_event, "_LOOK", 0.05)
    monkeypatch.setattr(playground_event, "_ANSWER", 0.05)
    # Five times as fast as outside of tests: the organiser is not to be told to wait.
    monkeypatch.setattr(playground_event, "_BETWEEN", 0.22)
    clock = Ahead()
    async with hosted(tmp_path, commands_per_second=5.0, commands_burst=5) as table:
        await table.stop()
        table.clock = clock
        await table.start()
        holding = asyncio.create_task(hold_event(table.playground.address))
        anna = await table.join("Anna")
        home = await _home(anna, f"{len(MEMBERS)} of")
        owner = table.playground.world.state.users[int(anna.guild["owner_id"])]
        assert owner.name not in MEMBERS, "the first person owns the server"
        users = table.playground.world.state.users.values()
        assert {each.name for each in users if each.scripted} == set(MEMBERS)
        await anna.wait_success(await press_action(anna, home, "tjoin"))
        await _home(anna, f"{len(MEMBERS) + 1} of")
        await time_passes(table, clock, seconds=65)
        await _home(anna, "Still being played:", "[Board]")
        async with asyncio.timeout(30):
            while True:
                for match, _ in await table.history():
                    if anna.id not in match.players or match.home_id is None:
                        continue
                    # The first suggestion opens the panel.
                    moves = (await anna.autocomplete("move", match.home_id, "move"))[1:]
                    if moves:
                        move = moves[0]["value"]
                        await anna.wait_success(await anna.slash("move", match.home_id, move=move))
                if await _plies(table, anna) >= 3:
                    break
                await asyncio.sleep(0.1)
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)
