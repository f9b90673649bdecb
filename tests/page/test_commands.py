"""Slash commands: found, filled in, checked and sent."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.page.conftest import Scene
from tests.page.demo_bot import BOARD_ALT
from tests.support.page_driver import PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_slash_lists_commands_with_their_descriptions(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await ada.page.locator(".message-input").type("/")
    names = await ada.suggestions(5)
    assert any(name.startswith("/play") for name in names)
    await expect(ada.page.locator(".panel")).to_contain_text("Challenge a player")
    await ada.page.keyboard.type("mo")
    assert (await ada.suggestions())[0].startswith("/move")
    await ada.page.keyboard.press("Escape")
    await expect(ada.page.locator(".panel")).to_be_hidden()
    await ada.page.keyboard.press("ArrowDown")
    assert (await ada.suggestions())[0].startswith("/move")


async def test_the_suggestions_of_an_option_open_again_after_escape(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await ada.begin_slash("/move f")
    await ada.suggestions()
    await ada.page.keyboard.press("Escape")
    await expect(ada.page.locator(".panel")).to_be_hidden()
    await ada.page.keyboard.press("ArrowDown")
    found = await ada.suggestions()
    await ada.page.keyboard.press("ArrowDown")
    await ada.page.keyboard.press("Enter")
    await expect(ada.page.locator(".option-input")).to_have_value(found[1])


async def test_commands_are_described_and_found_in_the_language_of_the_person(
    scene: Scene,
) -> None:
    context = await scene.browser.new_context(locale="de-AT")
    try:
        page = await context.new_page()
        await page.goto(scene.playground.address)
        await page.get_by_role("textbox").fill("Jo")
        await page.get_by_role("button", name="Come in").click()
        # The page knows the bot's commands once it offers to begin with one.
        await expect(page.get_by_role("button", name="Begin with /play")).to_be_visible()
        await page.locator(".message-input").type("/zug")
        panel = page.locator(".panel")
        await expect(panel).to_contain_text("Einen Zug machen", timeout=PATIENCE)
        await page.keyboard.press("Enter")
        await expect(panel).to_contain_text("Wohin, etwa f7")
        await page.get_by_role("button", name="Cancel the command").click()
        await page.locator(".message-input").type("/play game:brück")
        await expect(panel).to_contain_text("Quax mit Brücken", timeout=PATIENCE)
    finally:
        await context.close()


async def test_unknown_command_is_told_how_to_see_them_all(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await ada.page.locator(".message-input").type("/blorb")
    await expect(ada.page.locator(".panel")).to_contain_text("Type only / to see them all.")


async def test_command_with_options_reaches_the_bot_and_its_layout_everybody(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.type_slash("/play game:Quax opponent:@Ben size:9")
    for window in (ada, ben):
        found = await window.wait_message("Ada challenges")
        await expect(found.locator("h4")).to_have_text("quax 9")
        await expect(found.locator(".origin")).to_contain_text("Ada used /play")
        await expect(found.locator(".bot-tag")).to_have_text("BOT")
        assert await window.wait_for_image("A board of 11 by 11") == BOARD_ALT
    await expect(ben.page.locator(".mention.me").last).to_have_text("@Ben")
    await expect(ada.page.get_by_role("button", name="Closed")).to_be_disabled()
    rules = ada.page.get_by_role("link", name="Rules")
    assert await rules.get_attribute("href") == "https://example.org/rules"
    assert "noopener" in (await rules.get_attribute("rel") or "")


async def test_faulty_options_are_told_beside_the_field_and_not_sent(scene: Scene) -> None:
    ada = await scene.window("Ada")
    for line, words in (
        ("/play", "This is needed"),
        ("/play game:Chess", "Choose one from the list"),
        ("/play game:Quax size:99", "Not more than 15"),
        ("/play game:Quax size:x", "Write a whole number"),
        ("/play game:Quax opponent:@Nobody", "Choose one from the list"),
    ):
        await ada.begin_slash(line)
        await ada.page.keyboard.press("Escape")
        form = ada.page.locator(".command-form")
        if await form.count():
            await form.get_by_role("button", name="Send the command").click()
        else:  # Escape left the command, as no list was open: type it again.
            await ada.begin_slash(line)
            await form.get_by_role("button", name="Send the command").click()
        await expect(form.locator(".field-error:not(:empty)")).to_contain_text(words)
        await form.get_by_role("button", name="Cancel the command").click()
    await expect(ada.page.locator(".message")).to_have_count(0)


async def test_a_player_who_types_on_after_a_command_that_needs_nothing_chooses_an_option(
    scene: Scene,
) -> None:
    ada = await scene.window("Ada")
    form = ada.page.locator(".command-form")
    await ada.begin_slash("/bring ")
    assert await ada.suggestions() == ["file"]
    await expect(form.get_by_role("combobox", name="Name of an option")).to_be_focused()
    await ada.page.keyboard.type("fi")
    await ada.page.keyboard.press("Enter")
    await expect(form.locator("[data-option=file]")).to_be_focused()
    await form.get_by_role("button", name="Remove file").click()
    await expect(form.get_by_role("combobox", name="Name of an option")).to_be_focused()
    await ada.page.keyboard.press("Enter")
    await expect(ada.page.get_by_role("dialog", name="Bring a game")).to_be_visible()


async def test_autocomplete_follows_what_is_typed(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await ada.begin_slash("/move f")
    assert (await ada.suggestions(11))[:2] == ["f1", "f2"]
    await ada.page.keyboard.type("7")
    await expect(ada.page.locator(".panel .option")).to_have_count(1, timeout=PATIENCE)
    await ada.page.keyboard.press("Enter")
    await ada.wait_message("Played f7")


async def test_a_whole_command_by_keyboard_alone(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    keyboard = ada.page.keyboard
    # The page opens with the focus in the field to write in.
    await expect(ada.page.locator(".message-input")).to_be_focused()
    await keyboard.type("/pl")
    await ada.suggestions()
    await keyboard.press("Enter")
    await ada.suggestions(2)
    await keyboard.press("ArrowDown")
    await keyboard.press("ArrowUp")
    await keyboard.press("Enter")
    await keyboard.press("Tab")
    await expect(ada.page.locator(":focus")).to_have_attribute(
        "aria-label", re.compile("^Add option opponent")
    )
    await keyboard.press("Enter")
    await keyboard.type("be")
    await ada.suggestions()
    await keyboard.press("Enter")
    await keyboard.press("Enter")
    await ben.wait_message("Ada challenges @Ben")
    # Back from the field to the buttons of the message, the newest last.
    accept = ada.page.get_by_role("button", name="Accept")
    for _ in range(30):
        await keyboard.press("Shift+Tab")
        if await accept.evaluate("element => element === document.activeElement"):
            break
    await keyboard.press("Enter")
    await ben.wait_message("Ada accepted")


async def test_unanswered_button_and_command_say_so(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await ada.type_slash("/play game:Quax")
    await ada.wait_message("challenges anybody")
    with pytest.raises(AssertionError, match="This interaction failed"):
        await ada.click_button("Decline")
    await ada.type_slash("/silent")
    await ada.wait_message("did not respond", private=True)
    await ada.dismiss("did not respond")
    await ada.wait_no_message("did not respond")


async def test_private_answer_is_seen_by_its_owner_alone_and_can_be_dismissed(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.type_slash("/secret")
    found = await ada.wait_message("Nobody else sees this", private=True)
    await expect(found).to_contain_text("Only you can see this")
    await ada.say("Done")
    await ben.wait_message("Done")
    await ben.wait_no_message("Nobody else sees this")
    await ada.dismiss("Nobody else sees this")
    await ada.wait_no_message("Nobody else sees this")
    await ada.page.reload()
    await ada.wait_message("Done")
    await ada.wait_no_message("Nobody else sees this")
