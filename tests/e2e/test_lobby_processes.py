"""The lobby with real processes: one that is killed, and two on one PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest

from playground.errors import DiscordError
from playground.forms import all_text
from playground.observer import Observer
from playground.person import InteractionFailed, Person
from playground.server import Playground
from playground.world.controls import walk
from tests.support.bot_process import BotProcess
from tests.support.hosted import Json

_MANAGE = 1 << 5


async def _host(playground: Playground) -> tuple[Person, int]:
    """A person who manages the server, and an empty channel."""
    host = await Person.join(playground.address, "Anna")
    world = playground.world
    guild = int(host.guild["id"])
    role = world.places.add_role(guild, "hosts", _MANAGE)
    world.state.members[guild, host.id].roles.append(role.id)
    return host, world.places.add_channel(guild, "lobby").id


async def _choose(host: Person, channel: int) -> None:
    general = int(host.guild["channels"][0]["id"])
    page = await host.wait_answer(await host.slash("server settings", general), patience=30)
    menu = next(each for each in walk(page["components"]) if "lobby" in each.get("custom_id", ""))
    await host.select(page, menu["custom_id"], [channel])


async def _offer(host: Person, game: str) -> None:
    general = int(host.guild["channels"][0]["id"])
    with contextlib.suppress(InteractionFailed, TimeoutError, DiscordError):
        await host.wait_answer(await host.slash("play", general, game=game), patience=10)


async def _lobby(host: Person, channel: int, *words: str) -> Json:
    """The one message of the lobby, once it says all of these."""
    async with asyncio.timeout(40):
        while True:
            found = [
                each
                for each in await host.messages(channel)
                if "All offers" in str(each["components"])
            ]
            assert len(found) <= 1, "a lobby is one message"
            if found and all(word in all_text(found[0]) for word in words):
                return found[0]
            await asyncio.sleep(0.1)


@pytest.mark.first
@pytest.mark.timeout(200)
async def test_a_kill_leaves_one_lobby_that_is_right(tmp_path: Path, observer: Observer) -> None:
    async with Playground(observer=observer) as playground:
        bot = BotProcess(playground, tmp_path)
        await bot.start(failpoint="c8")
        host, channel = await _host(playground)
        try:
            await _choose(host, channel)
            assert await bot.died(), "posted, and not noted"
            first = await _lobby(host, channel)
            await bot.start(failpoint="c8")
            assert await bot.died(), "found again, and not noted"
            await bot.start()
            await _offer(host, "quax")
            shown = await _lobby(host, channel, "Quax")
            assert shown["id"] == first["id"]
        finally:
            await bot.kill()
            await host.close()
    assert playground.problems == []


@pytest.mark.postgres
@pytest.mark.first
@pytest.mark.timeout(200)
async def test_two_processes_keep_one_lobby_and_one_of_two_takers_gets_the_seat(
    tmp_path: Path,
    observer: Observer,
    postgres_url: str,
) -> None:
    async with Playground(observer=observer) as playground:
        both = {
            "PARLOUR_DATABASE": postgres_url,
            "PARLOUR_SHARD_COUNT": "1",
            "PARLOUR_SHARD_IDS": "0",
        }
        bots = [BotProcess(playground, tmp_path / name, both) for name in ("one", "another")]
        for bot in bots:
            await bot.start()
        host, channel = await _host(playground)
        takers = [await Person.join(playground.address, name) for name in ("Ben", "Cleo")]
        try:
            async with asyncio.timeout(60):
                while sum(c.session is not None for c in playground.gateway.connections) < 2:
                    await asyncio.sleep(0.05)
            await _choose(host, channel)
            await _lobby(host, channel)
            await asyncio.gather(*(_offer(host, game) for game in ("quax", "quux", "pux")))
            shown = await _lobby(host, channel, "Quax", "Quux", "Pux")
            accept = next(
                each["custom_id"]
                for each in walk(shown["components"])
                if ":accept:" in each.get("custom_id", "")
            )
            clicks = [await taker.click(shown, custom_id=accept) for taker in takers]
            answers = await asyncio.gather(
                *(
                    taker.wait_answer(click, patience=30)
                    for taker, click in zip(takers, clicks, strict=True)
                )
            )
            said = sorted(all_text(each) for each in answers)
            assert sum("The match has started" in each for each in said) == 1, said
            assert sum("no longer open: the match has started" in each for each in said) == 1, said
            async with asyncio.timeout(40):
                while accept in str(await _lobby(host, channel)):
                    await asyncio.sleep(0.1)
        finally:
            for person in (host, *takers):
                await person.close()
            for bot in bots:
                assert bot.process is not None
                bot.process.kill()
            for bot in bots:
                await bot.kill()
    assert playground.problems == []
