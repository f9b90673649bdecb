"""A restart between any two steps leaves no trace in what people see."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from playground.faults import Hang
from playground.forms import all_text
from playground.world.controls import walk
from tests.support.hosted import (
    Hosted,
    Json,
    first_board,
    hosted,
    offered,
    picks,
    press,
    press_board,
    shown_board,
    start_quax,
    turn,
)

NUMBERS = re.compile(r"\d{15,}|[a-z2-7]{10} · \d+ · [0-9a-f]{8}|<t:\d+:R>")


def _plain(message: Json) -> str:
    """The content of a message, without ids and times."""
    controls = [each.get("label") for each in walk(message["components"]) if each["type"] == 2]
    alt = [
        item.get("description")
        for each in walk(message["components"])
        if each["type"] == 12
        for item in each["items"]
    ]
    return NUMBERS.sub("#", f"{message['flags']} {all_text(message)} {controls} {alt}")


async def _transcript(table: Hosted, *, restart: bool) -> list[str]:
    async def pause() -> None:
        await table.settled()
        if restart:
            await table.restart()

    anna, ben = await table.join("Anna"), await table.join("Ben")
    channel = int(anna.guild["channels"][0]["id"])
    fields = {"game": "quax", "options": "size 3, pie on", "side": "1"}
    await anna.ask("play", channel, opponent=ben, **fields)
    offer = await offered(ben)
    await pause()
    await press(ben, offer, "accept")
    home = int((await first_board(anna))["channel_id"])
    await pause()
    moves = ("a1", "swap", "c3", "a2", "c3", "c1", "b2", "c2")
    for person, move in zip((anna, ben, anna, ben, anna, anna, ben, anna), moves, strict=True):
        await person.ask("move", home, move=move)
        await pause()
    seen = [*reversed(await anna.messages(channel)), *reversed(await anna.messages(home))]
    return [_plain(message) for message in seen]


async def test_p7_restarts_between_all_steps_leave_the_same_transcript(tmp_path: Path) -> None:
    async with hosted(tmp_path / "once") as table:
        undisturbed = await _transcript(table, restart=False)
    async with hosted(tmp_path / "often") as table:
        restarted = await _transcript(table, restart=True)
    assert restarted == undisturbed
    assert any("wins!" in line for line in undisturbed)


async def _told(note: Path) -> str:
    """The bot's note of its registered commands."""
    for _ in range(500):
        if note.exists():
            return note.read_text()
        await asyncio.sleep(0.01)
    raise TimeoutError("the commands were not told")


@pytest.mark.long
async def test_commands_are_told_to_discord_only_when_they_have_changed(tmp_path: Path) -> None:
    note = tmp_path / "commands.json"
    async with hosted(tmp_path, new=True) as table:
        anna = await table.join("Anna")
        channel = int(anna.guild["channels"][0]["id"])
        told = await _told(note)
        first = await anna.command("play", channel)
        await table.restart()
        assert await table.bot.sync() is False
        assert (await anna.command("play", channel))["version"] == first["version"]
        # Commands are there to be pressed, although nobody was told them anew.
        told_me = all_text(await anna.ask("help", channel))
        assert f"</play:{first['id']}>" in told_me
        assert "</settings:" in told_me
        assert "**/" not in told_me
        note.write_text(told.replace("commands", "other"))
        assert await table.bot.sync() is True
        assert await table.bot.sync() is False


@pytest.mark.long
@pytest.mark.parametrize("ends", [False, True], ids=["goes on", "is over"])
async def test_private_pages_from_before_a_restart_work_or_say_what_to_do(
    table: Hosted, *, ends: bool
) -> None:
    game = await start_quax(table, options="size 7, pie off")
    anna, ben = game.black, game.white
    board = await game.board()
    panel = await press(anna, board, "move")
    sure = await press_board(anna, board, "resign")
    history = await ben.ask("match history", game.home)
    await table.restart()
    if ends:
        # Of pages that it has not opened itself a process knows nothing, so they stay.
        asked = await press_board(ben, board, "resign")
        await turn(ben, asked, "resignyes")
        await table.settled()
    panel = await anna.turn(panel, custom_id=picks(panel)["a"])
    if ends:
        over = "This match is over. Start a new one with </play:"
        assert all_text(panel).startswith(over)
        left = {each["type"] for each in walk(panel["components"])}
        assert left == {10}, "words alone, and nothing is left to press"
        told = await turn(anna, sure, "resignyes")
        assert all_text(told).startswith(over)
    else:
        panel = await anna.turn(panel, custom_id=picks(panel)["a1"])
        await table.restart()
        panel = await turn(anna, panel, "play")
        assert "You played a1." in all_text(panel)
    page = await turn(ben, history, "past:ww")
    assert "```" in all_text(page)


@pytest.mark.parametrize("held", ["answer", "board", "picture"])
async def test_a_stop_cuts_off_what_does_not_end_and_the_next_start_makes_up_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: str
) -> None:
    """Where it went on it would meet closed connections and pools, and log that as bugs."""
    async with hosted(tmp_path, shutdown_seconds=0) as table:
        game, bot = await start_quax(table), table.bot
        await table.settled()
        begun, may_end = threading.Event(), threading.Event()
        pictures = bot.services.reader.pictures
        render = pictures._render

        def draw(*asked: Any) -> Any:
            begun.set()
            may_end.wait()
            return render(*asked)

        is_held: Callable[[], object] = begun.is_set
        if held == "picture":
            monkeypatch.setattr(pictures, "_render", draw)
        else:
            path = r".*/messages/@original" if held == "answer" else r".*/channels/\d+/messages"
            rule = table.playground.faults.rest(None, path, Hang(), times=None)
            is_held = partial(getattr, rule, "hits")
        await game.black.slash("move", game.home, move="a1")
        async with asyncio.timeout(20):
            while not is_held():
                await asyncio.sleep(0.01)
        await table.stop()
        may_end.set()
        at_work = (bot.handler.inside, bot.services.background._tasks, bot.outbox._serving)
        assert not any(at_work)
        table.playground.faults.clear()
        await table.start()
        await table.settled()
        assert "You played c3." in all_text(await game.say(game.white, "c3"))
        await table.settled()
        after = len(game.black.events)
        assert "You played e5." in all_text(await game.say(game.black, "e5"))
        if held == "answer":
            lost = "An earlier answer didn't get through."
            await game.black.wait_message(lambda told: lost in all_text(told), after=after)
        await table.settled()
        seen = [shown_board(each) for each in await game.black.messages(game.home)]
        assert [each[1] for each in seen if each is not None] == [5, 4, 3, 2], "each board once"
