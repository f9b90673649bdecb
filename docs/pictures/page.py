"""Photograph a match in the page of the playground; needs Chromium."""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path

from playwright.async_api import Locator, async_playwright

from tests.support.made_play import MadePlay
from tests.support.page_driver import ARGUMENTS, CHROMIUM, Window, open_page

_MOVES = ("d4", "c3", "e4", "d3", "c5", "e3", "c5d4", "f4", "b5")
_WIDTH, _HEIGHT = 1280, 860
_TALL, _MESSAGE = 1200, 620


def photograph(folder: Path) -> bool:
    """Play the beginning of a match and store what its pages look like; False without Chromium."""
    if not CHROMIUM.exists():
        return False
    asyncio.run(_photograph(folder))
    return True


async def _photograph(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as data:
        made = MadePlay(Path(data))
        await made.start()
        try:
            await _play(made.address, folder)
        finally:
            await made.kill()


async def _play(address: str, folder: Path) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=list(ARGUMENTS)
        )
        anna, ben = [
            await open_page(browser, address, name, width=_WIDTH, height=_HEIGHT, scheme="dark")
            for name in ("Anna", "Ben")
        ]
        await anna.type_slash("/play game:Quax opponent:@Ben options:size 7, pie off side:Black")
        offer = await ben.wait_message("would like to play")
        await ben.wait_for_image("The board is empty")
        await _store(ben, offer, folder / "offer.png")
        await ben.click_button("Accept", message="would like to play")
        for window in (anna, ben):
            await window.go_to("Quax")
            await window.wait_for_image("The board is empty")
        for number, move in enumerate(_MOVES):
            window = (anna, ben)[number % 2]
            await window.type_slash(f"/move {move}")
            # The answer goes by itself once the board stands.
            for other in (anna, ben):
                await other.wait_for_image(re.compile(rf"Last move: [^.]*{move[-2:]}"))
        await ben.wait_message("Ben is to move")
        await ben.wait_for_image("Ben (Red) to move")
        await ben.page.evaluate("document.activeElement.blur()")
        await ben.page.wait_for_timeout(500)
        await ben.page.screenshot(path=folder / "match.png")
        await ben.click_button("Make a move")
        await ben.click_button("e")
        await ben.click_button("e5")
        panel = await ben.wait_message("Play e5?", private=True)
        await _store(ben, panel, folder / "panel.png")
        await browser.close()


async def _store(window: Window, message: Locator, file: Path) -> None:
    """A message alone, as wide as what stands on it."""
    await window.page.set_viewport_size({"width": _WIDTH, "height": _TALL})
    await message.scroll_into_view_if_needed()
    await window.page.wait_for_timeout(500)
    box = await message.bounding_box()
    assert box is not None  # noqa: S101 - it is in view
    clip = {"x": box["x"], "y": box["y"], "width": _MESSAGE, "height": box["height"]}
    await window.page.screenshot(path=file, clip=clip)  # type: ignore[arg-type]
    await window.page.set_viewport_size({"width": _WIDTH, "height": _HEIGHT})
