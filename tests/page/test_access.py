"""The page on a phone, for the keyboard, for assistive technology and for tired eyes."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.async_api import expect

from tests.page.audits import OUTSIDE, OVERFLOWING, POOR_CONTRAST, SHARED_IDS, UNNAMED
from tests.page.conftest import Scene
from tests.page_driver import PATIENCE, Window

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def furnished(scene: Scene, window: Window) -> None:
    """Put one of everything into the channel."""
    await window.say(
        "# Heading\nText with `code`, a list:\n- one\n- two\n```\n" + "long " * 60 + "\n```"
    )
    await window.say("https://example.org/" + "a" * 300)
    for line in ("/play game:Quax", "/menus", "/secret", "/nasty", "/count"):
        await window.type_slash(line)
    await window.wait_message("Counted 2")
    await window.wait_for_image("A board", newest=True)


async def test_nothing_scrolls_sideways_on_a_phone(scene: Scene) -> None:
    ada = await scene.window("Ada", width=390, height=844)
    await furnished(scene, ada)
    for scheme in SCHEMES:
        await ada.page.emulate_media(color_scheme=scheme)
        assert await ada.page.evaluate(OVERFLOWING) == []
        assert await ada.page.evaluate("document.documentElement.scrollWidth") == 390
        assert await ada.page.evaluate(OUTSIDE) == []
    await ada.go_to("games")
    await expect(ada.page.locator(".sidebar")).to_be_hidden()


async def test_every_control_has_a_name(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await furnished(scene, ada)
    assert await ada.page.evaluate(UNNAMED) == []
    await ada.begin_slash("/play ")
    assert await ada.page.evaluate(UNNAMED) == []
    await ada.page.get_by_role("button", name="Cancel the command").click()
    await ada.page.locator(".select", has_text="Column").click()
    assert await ada.page.evaluate(UNNAMED) == []
    await ada.page.keyboard.press("Escape")
    await ada.type_slash("/form")
    await expect(ada.page.locator("dialog.modal")).to_be_visible(timeout=PATIENCE)
    assert await ada.page.evaluate(UNNAMED) == []
    await ada.page.keyboard.press("Escape")
    assert await ada.page.evaluate(SHARED_IDS) == []


async def test_text_stands_out_from_its_ground(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await furnished(scene, ada)
    for scheme in SCHEMES:
        await ada.page.emulate_media(color_scheme=scheme)
        assert await ada.page.evaluate(POOR_CONTRAST) == []
    await ada.begin_slash("/play ")
    await ada.suggestions(2)
    for scheme in SCHEMES:
        await ada.page.emulate_media(color_scheme=scheme)
        assert await ada.page.evaluate(POOR_CONTRAST) == []
