"""What the gateway does to us: it cuts, replays, sends back; and no move suffers."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from playground.forms import all_text
from playground.server import Playground
from tests.hosted import Game, hosted


async def _connected(game: Game) -> None:
    client = game.hosted.bot.client
    for _ in range(1500):
        if client.is_connected:
            return
        await asyncio.sleep(0.01)
    raise TimeoutError("not connected again")


async def _plays_on(game: Game) -> None:
    await asyncio.sleep(0.3)
    await _connected(game)
    assert "You played a1." in all_text(await game.say(game.black, "a1"))
    await game.hosted.settled()
    assert "1 a1" in all_text(await game.board())


@pytest.mark.long
@pytest.mark.logs_errors
async def test_a_new_session_announces_nothing_anew(game: Game) -> None:
    before = len(await game.black.messages(game.home))
    sent = (await game.black.command("play", game.home))["version"]
    game.hosted.playground.gateway.invalidate_all(resumable=False)
    await asyncio.sleep(0.3)
    await _connected(game)
    assert len(await game.black.messages(game.home)) == before
    assert (await game.black.command("play", game.home))["version"] == sent
    await _plays_on(game)


async def test_events_that_are_replayed_have_no_second_effect(game: Game) -> None:
    await game.say(game.black, "a1")
    await game.say(game.white, "b2")
    await game.hosted.settled()
    before = await game.hosted.history()
    boards = len(await game.black.messages(game.home))
    game.hosted.playground.gateway.replay_all()
    await asyncio.sleep(1.0)
    assert await game.hosted.history() == before
    assert len(await game.black.messages(game.home)) == boards


@pytest.mark.long
async def test_a_thread_that_was_archived_is_played_on(game: Game) -> None:
    world = game.hosted.playground.world
    thread = world.state.channel(game.home)
    world.threads.change(thread, world.state.bot_id, {"archived": True})
    channel = game.channel
    nonce = await game.black.slash("move", channel, move="a1")
    assert "You played a1." in all_text(await game.black.wait_answer(nonce))
    await game.hosted.settled()
    assert "1 a1" in all_text(await game.board())
    old = [
        message
        for message in await game.black.messages(game.home)
        if "Make a move" in str(message["components"]) and not message["flags"] & 64
    ]
    assert len(old) == 1


@pytest.mark.long
async def test_a_match_whose_thread_was_deleted_gets_a_new_home(game: Game) -> None:
    world = game.hosted.playground.world
    world.places.remove_channel(world.state.channel(game.home))
    nonce = await game.black.slash("move", game.channel, move="a1")
    assert "You played a1." in all_text(await game.black.wait_answer(nonce))
    await game.hosted.settled()
    (match, _), *_ = await game.hosted.history()
    assert match.home_id not in (None, game.home)
    moved = [
        message
        for message in await game.white.messages(int(match.home_id))
        if "1 a1" in all_text(message)
    ]
    assert moved


@pytest.mark.long
@pytest.mark.logs_errors
async def test_a_bot_that_starts_before_discord_can_be_reached_waits_for_it(
    tmp_path: Path,
) -> None:
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
