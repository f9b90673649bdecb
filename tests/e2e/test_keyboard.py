"""A match by keyboard alone, on the page: offered, accepted, played, typed and given up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.hosted import Hosted, hosted
from tests.support.page_driver import PATIENCE, Window, open_page

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

_FOCUSED = """() => {
    const here = document.activeElement;
    return `${here.getAttribute("aria-label") ?? ""} ${here.textContent}`.trim();
}"""


async def _to(window: Window, label: str, *, key: str = "Shift+Tab") -> None:
    """Move the focus with a key until it is on a control whose words begin so."""
    for _ in range(150):
        if re.match(label, await window.page.evaluate(_FOCUSED)):
            return
        await window.page.keyboard.press(key)
    raise AssertionError(f"no way to {label!r} with {key}")


async def _press(window: Window, label: str) -> None:
    """Go back to the newest control of that name, once it is there, and press it."""
    named = re.compile(rf"^\s*{label}")
    control = window.page.locator("button:visible, a:visible", has_text=named)
    await expect(control.last).to_be_visible(timeout=PATIENCE)
    await window.page.locator(".message-input").press("Shift+Tab")
    await _to(window, label)
    await window.page.keyboard.press("Enter")


async def _write(window: Window, line: str) -> None:
    """Write a command in the field that has the focus, and send it."""
    keyboard = window.page.keyboard
    await _to(window, "Message", key="Tab")
    await keyboard.type(line)
    await expect(window.page.locator(".command-form")).to_have_count(1, timeout=PATIENCE)
    for _ in range(3):
        await keyboard.press("Enter")
        if not await window.page.locator(".command-form").count():
            return
    await expect(window.page.locator(".command-form")).to_have_count(0, timeout=PATIENCE)


@pytest.mark.long
async def test_a_match_from_offer_to_end_by_keys(tmp_path: Path, browser: Browser) -> None:
    async with hosted(tmp_path) as table:
        await _by_keyboard(table, browser)


async def _by_keyboard(table: Hosted, browser: Browser) -> None:
    anna = await open_page(browser, table.playground.address, "Anna")
    ben = await open_page(browser, table.playground.address, "Ben", width=400, height=850)
    await _write(anna, "/play game:Quax opponent:@Ben side:1 ")
    await ben.wait_message("would like to play Quax")
    await _press(ben, "Accept")
    for window in (anna, ben):
        await window.wait_message("is to move (Black)")
        await _press(window, "Quax · ")
        await window.wait_message("is to move")

    await _press(anna, "Make a move")
    await anna.wait_message("You play ", private=True)
    panel = anna.page.locator(".message.ephemeral").last
    for _ in range(3):
        first = panel.locator("[data-custom-id]").first
        question = await first.get_attribute("data-custom-id")
        await _press(anna, (await first.inner_text()).strip())
        asked = panel.locator(f'[data-custom-id="{question}"]')
        await expect(asked).to_have_count(0, timeout=PATIENCE)
        if await panel.filter(has_text="will look like this").count():
            break
    await _press(anna, "Play ")
    await anna.wait_message("You played", private=True)

    await ben.wait_message("your move in Quax")
    await _press(ben, "Make a move")
    await ben.wait_message("You play ", private=True)
    await _press(ben, "Type a move")
    await expect(ben.page.locator("dialog.modal input")).to_be_focused(timeout=PATIENCE)
    await ben.page.keyboard.type("c3")
    await ben.page.keyboard.press("Enter")
    await anna.wait_message("played c3")
    await _write(ben, "/match resign ")
    await ben.wait_message("You'll lose it", private=True)
    await _press(ben, "Resign")
    await anna.wait_message("@Anna wins!")
    assert anna.complaints == ben.complaints == []
