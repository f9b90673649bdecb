"""Cuts, replays and invalid sessions by the gateway: no move suffers."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from playground.forms import all_text
from playground.server import Playground
from tests.support.hosted import Game, hosted

pytestmark = pytest.mark.slow


async def _connected(game: Game) -> None:
    client = game.hosted.bot.client
    for _ in range(1500):
        if client.is_connected:
            return
        await asyncio.sleep(0.01)
    raise TimeoutError("not connected again")


@pytest.mark.logs_errors
async def test_events_that_are_replayed_and_new_sessions_have_no_second_effect(game: Game) -> None:
    await game.say(game.black, "a1")
    await game.say(game.white, "b2")
    await game.hosted.settled()
    gateway, before = game.hosted.playground.gateway, await game.hosted.history()
    boards = len(await game.black.messages(game.home))
    sent = (await game.black.command("play", game.home))["version"]
    gateway.replay_all()
    await asyncio.sleep(1.0)
    gateway.invalidate_all(resumable=False)
    await asyncio.sleep(0.3)
    await _connected(game)
    assert await game.hosted.history() == before
    assert len(await game.black.messages(game.home)) == boards
    assert (await game.black.command("play", game.home))["version"] == sent
    assert "You played a2." in all_text(await game.say(game.black, "a2"))


async def test_a_match_goes_on_in_archived_and_without_deleted_threads(game: Game) -> None:
    world = game.hosted.playground.world
    thread = world.state.channel(game.home)
    world.threads.change(thread, world.state.bot_id, {"archived": True})
    nonce = await game.black.slash("move", game.channel, move="a1")
    assert "You played a1." in all_text(await game.black.wait_answer(nonce))
    await game.hosted.settled()
    assert "1 a1" in all_text(await game.board())
    live = [
        each
        for each in await game.black.messages(game.home)
        if "Make a move" in str(each["components"]) and not each["flags"] & 64
    ]
    assert len(live) == 1
    world.places.remove_channel(thread)
    nonce = await game.white.slash("move", game.channel, move="b2")
    assert "You played b2." in all_text(await game.white.wait_answer(nonce))
    await game.hosted.settled()
    ((match, _),) = await game.hosted.history()
    assert match.home_id not in (None, game.home)
    moved = await game.black.messages(int(match.home_id))
    assert any("2 b2" in all_text(each) for each in moved)


@pytest.mark.logs_errors
async def test_a_bot_that_starts_before_discord_can_be_reached_waits_for_it(tmp_path: Path) -> None:
    async with hosted(tmp_path) as table:
        await table.stop()
        (tmp_path / "commands.json").unlink(missing_ok=True)
        port = table.playground.port
        await table.playground.__aexit__(None, None, None)
        starting = asyncio.create_task(table.start())
        await asyncio.sleep(0.5)
        assert not starting.done()
        token = table.playground.token
        table.playground = Playground(port=port, allow_faults=True, token=token)
        async with table.playground:
            bot = await starting
            anna = await table.join("Anna")
            await anna.command("play", int(anna.guild["channels"][0]["id"]))
            assert bot.client.is_connected
            await table.stop()
