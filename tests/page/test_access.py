"""The page on a phone, for the keyboard, for assistive technology and for tired eyes."""

from __future__ import annotations

from typing import Literal

import discord
import pytest
from playwright.async_api import expect

from tests.page.audits import OUTSIDE, OVERFLOWING, POOR_CONTRAST, SHARED_IDS, UNNAMED
from tests.page.conftest import Scene
from tests.support.page_driver import PATIENCE, Window

POLICY = "content-security-policy"
SHOWN = (
    """(found) => [...document.querySelectorAll(found)].filter((each) => each.checkVisibility())"""
)
EDGELESS = f"""(wanted) => ({SHOWN})(wanted)
  .filter((each) => getComputedStyle(each).borderTopStyle === 'none')
  .map((each) => each.outerHTML)"""
OUTLINELESS = f"""(wanted) => {{
  const found = ({SHOWN})(wanted);
  const bare = found.filter((each) => getComputedStyle(each).outlineStyle === 'none');
  return found.length ? bare.map((each) => each.outerHTML) : [wanted];
}}"""
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


async def test_forced_colours_leave_focus_buttons_and_choices_visible(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await furnished(scene, ada)
    await ada.page.emulate_media(forced_colors="active")
    assert await ada.page.evaluate(EDGELESS, ".button, .icon-button, .select") == []
    await ada.page.locator(".message-input").focus()
    assert await ada.page.evaluate(OUTLINELESS, ".composer-box, .place.current") == []
    await ada.page.locator(".select", has_text="Column").click()
    await ada.page.keyboard.press("ArrowDown")
    assert await ada.page.evaluate(OUTLINELESS, ".option.active") == []


async def test_one_policy_lets_the_page_load_and_reach_its_own_address_alone(
    scene: Scene,
) -> None:
    ada = await scene.window("Ada")
    loaded = await ada.page.reload()
    assert loaded is not None
    stated = [
        each["value"] for each in await loaded.headers_array() if each["name"].lower() == POLICY
    ]
    assert len(stated) == 1
    assert await ada.page.locator("meta[http-equiv]").count() == 0
    rules = dict(each.split(maxsplit=1) for each in stated[0].split("; "))
    own = scene.playground.address.removeprefix("http://")
    assert rules["default-src"] == "'none'"
    assert rules["connect-src"] == f"'self' ws://{own} wss://{own}"
    assert "unsafe" not in stated[0]


async def test_the_keyboard_goes_on_in_the_list_when_its_message_is_deleted(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await ada.type_slash("/play game:Quax")
    await ada.wait_message("challenges anybody")
    await ada.page.get_by_role("button", name="Accept").focus()
    channel = next(each for each in scene.bot.get_all_channels() if each.name == "general")
    assert isinstance(channel, discord.TextChannel)
    async for message in channel.history():
        await message.delete()
    await ada.wait_no_message("challenges anybody")
    await expect(ada.page.locator(".scroller")).to_be_focused()


async def test_the_keyboard_stays_on_a_control_when_a_message_above_is_deleted(
    scene: Scene,
) -> None:
    ada = await scene.window("Ada")
    channel = next(each for each in scene.bot.get_all_channels() if each.name == "general")
    assert isinstance(channel, discord.TextChannel)
    above = await channel.send("Soon gone")
    await ada.type_slash("/play game:Quax")
    accept = ada.page.get_by_role("button", name="Accept")
    await accept.focus()
    await above.delete()
    await ada.wait_no_message("Soon gone")
    await expect(accept).to_be_focused()


async def test_the_keyboard_goes_on_in_the_private_answer_to_a_button(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await ada.type_slash("/play game:Quax")
    await ada.wait_message("challenges anybody")
    await ada.page.get_by_role("button", name="Private").focus()
    await ada.page.keyboard.press("Enter")
    answer = await ada.wait_message("For your eyes", private=True)
    await expect(answer).to_be_focused()
    await ada.page.keyboard.press("Tab")
    await expect(answer.locator(":focus")).to_have_count(1)
    await ada.dismiss("For your eyes")
    await ada.click_button("Private")
    await expect(await ada.wait_message("For your eyes", private=True)).not_to_be_focused()
