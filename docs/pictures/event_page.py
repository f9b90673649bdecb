"""Photograph a tournament in the page of the playground; needs Chromium."""

from __future__ import annotations

import asyncio
import contextlib
import re
import tempfile
from pathlib import Path
from typing import Any

from playwright.async_api import async_playwright

from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from tests.support.made_play import MadePlay
from tests.support.page_driver import ARGUMENTS, CHROMIUM, Window, open_page

_NAME = "Winter Open"
_NAMES = ("Anna", "Ben", "Chiara", "Дмитрий", "Ewa", "Farid")
_WIDTH, _HEIGHT = 900, 1500
_BOARD = re.compile(r"\[Board\]\(https://discord\.com/channels/\d+/(\d+)\)")
_PATIENCE = 180


def photograph_event(folder: Path) -> bool:
    """Hold the beginning of a Swiss and store what its pages look like; False without Chromium."""
    if not CHROMIUM.exists():
        return False
    asyncio.run(_photograph(folder))
    return True


async def _photograph(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as data:
        made = MadePlay(Path(data))
        await made.start()
        try:
            await _hold(made.address, folder)
        finally:
            await made.kill()


async def _hold(address: str, folder: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(await Person.join(address, name)) for name in _NAMES
        ]
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=list(ARGUMENTS)
        )
        olga = await open_page(
            browser, address, "Olga", width=_WIDTH, height=_HEIGHT, scheme="dark"
        )
        await _set_up(olga, folder / "setup.png")
        home = await _home(players[0])
        for player in players:
            await player.wait_answer(await player.click(home, label="Join"))
        home = await _home(players[0], "Round 1 of 3", *("[Board]",) * 3)
        await _lose(players, home)
        home = await _home(players[0], "Round 2 of 3", *("[Board]",) * 3)
        await olga.page.reload()
        await olga.wait_message("Still being played")
        await _shoot(olga, "Still being played", folder / "home.png")
        await olga.click_button("Standings", message="Still being played")
        await olga.wait_message("Why is a player in this place?", private=True)
        await olga.page.locator(".select", has_text="Why is a player in this place?").last.click()
        await olga.page.locator(".popup").get_by_role("option").nth(3).click()
        await olga.wait_message("Why place", private=True)
        await _shoot(olga, "Why place", folder / "why.png")
        await browser.close()


async def _set_up(olga: Window, file: Path) -> None:
    await olga.type_slash("/tournament create ")
    await olga.wait_message("Create a tournament", private=True)
    await olga.pick_option("Kind of event", "Weekend Swiss")
    await olga.pick_option("Game", "Quax")
    await olga.click_button("Name & dates")
    await olga.submit_form(
        {"Name": _NAME, "Registration closes": "in 1 minute", "Play begins": "in 1 minute"}
    )
    await olga.wait_message(_NAME, private=True)
    await olga.pick_option("5 rounds", "3 rounds")
    await _shoot(olga, _NAME, file)
    await olga.click_button("Create")
    await olga.wait_message("You created", private=True)


async def _home(player: Person, *words: str) -> dict[str, Any]:
    """The home message, once it says all of these, each as often as it is named."""
    channel = int(player.guild["channels"][0]["id"])
    async with asyncio.timeout(_PATIENCE):
        while True:
            for message in await player.messages(channel):
                said = all_text(message)
                is_home = not message["flags"] & 64 and f"## {_NAME}" in said
                if is_home and all(said.count(each) >= words.count(each) for each in words):
                    return message
            await asyncio.sleep(0.5)


async def _lose(players: list[Person], home: dict[str, Any]) -> None:
    """In each match the player who joined later resigns."""
    said = all_text(home)
    for line in said.splitlines():
        board = _BOARD.search(line)
        if board is None:
            continue
        loser = max((each for each in players if f"<@{each.id}>" in line), key=players.index)
        asked = await loser.wait_answer(await loser.slash("match resign", int(board[1])))
        button = next(each for each in walk(asked["components"]) if each.get("label") == "Resign")
        await loser.wait_success(await loser.click(asked, custom_id=button["custom_id"]))


async def _shoot(window: Window, text: str, file: Path) -> None:
    """A picture of the newest message with a text."""
    message = window.page.locator(".message-list .message", has_text=text).last
    await message.scroll_into_view_if_needed()
    await window.page.evaluate("document.activeElement.blur()")
    await window.page.wait_for_timeout(500)
    await message.screenshot(path=file)
