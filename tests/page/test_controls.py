"""Buttons, menus, forms and pictures of messages."""

from __future__ import annotations

import pytest
from playwright.async_api import FilePayload, expect

from tests.page.conftest import Scene
from tests.page.demo_bot import BOARD_ALT
from tests.support.page_driver import PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_button_edits_the_message_in_both_windows(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.type_slash("/play game:Quax opponent:@Ben")
    await ben.click_button("Accept")
    await ada.wait_message("Ben accepted")
    await ben.wait_message("Ben accepted")
    await expect(ada.page.get_by_role("button", name="Accept")).to_have_count(0)


async def test_menus_of_one_of_several_and_of_people(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.type_slash("/menus")
    await ada.wait_message("Choose")
    await ada.pick_option("Column", "c")
    await ben.wait_message("Chosen: col-c")
    await ada.pick_option("Up to three", ["a", "f"])
    await ben.wait_message("Chosen: col-a, col-f")
    await ben.pick_option("A player", "Ada")
    await ada.wait_message("Chosen: Ada")


async def test_menu_by_keyboard_closes_with_escape_and_gives_the_focus_back(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await ada.type_slash("/menus")
    await ada.wait_message("Choose")
    trigger = ada.page.locator(".select", has_text="Column")
    await trigger.focus()
    await ada.page.keyboard.press("ArrowDown")
    await expect(ada.page.get_by_role("listbox", name="Column")).to_be_focused()
    await ada.page.keyboard.press("Escape")
    await expect(trigger).to_be_focused()
    await ada.page.keyboard.press("Enter")
    await ada.page.keyboard.press("d")
    await ada.page.keyboard.press("Enter")
    await ada.wait_message("Chosen: col-d")


async def test_form_is_checked_filled_and_sent(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.type_slash("/form")
    form = ada.page.get_by_role("dialog", name="Make a move")
    await expect(form.get_by_role("textbox", name="Your move")).to_be_focused(timeout=PATIENCE)
    await ada.page.keyboard.press("Enter")
    await expect(form).to_contain_text("Please fill this in.")
    await ada.page.keyboard.type("f")
    await ada.page.keyboard.press("Enter")
    await expect(form).to_contain_text("at least 2 characters")
    await ada.pick_option("Make a selection", "White")
    await ada.submit_form({"Your move": "f7"})
    await ben.wait_message("f7 as white")


async def test_files_go_to_the_bot_by_form_and_by_option(scene: Scene) -> None:
    ada = await scene.window("Ada")
    record: FilePayload = {"name": "game.txt", "mimeType": "text/plain", "buffer": b"1. f7"}
    await ada.type_slash("/bring")
    form = ada.page.get_by_role("dialog", name="Bring a game")
    await form.get_by_role("button", name="Submit").click(timeout=PATIENCE)
    await expect(form).to_contain_text("Please choose a file.")
    await form.get_by_label("The record").set_input_files(record)
    await ada.submit_form({})
    await ada.wait_message("Read: 1. f7")
    await ada.begin_slash("/bring")
    await ada.page.get_by_role("button", name="Add option file").click()
    await ada.page.locator(".option-input[type=file]").set_input_files(record)
    await ada.page.get_by_role("button", name="Send the command").click()
    await ada.wait_message("Got game.txt of 5 bytes")


async def test_picture_is_enlarged_and_its_description_shown_on_demand(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await ada.type_slash("/play game:Quax")
    await ada.wait_for_image("A board of 11 by 11")
    words = ada.page.locator(".alt-text")
    await expect(words).to_be_hidden()
    await ada.page.get_by_role("button", name="Picture description").click()
    await expect(words).to_have_text(BOARD_ALT)
    await ada.page.get_by_role("button", name="Enlarge picture").click()
    large = ada.page.locator("dialog.lightbox")
    await expect(large.get_by_role("img", name=BOARD_ALT)).to_be_visible()
    await ada.page.keyboard.press("Escape")
    await expect(large).to_have_count(0)


async def test_edit_keeps_the_focus_and_the_picture(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.type_slash("/menus")
    await ada.wait_message("Choose")
    await ada.page.locator(".select", has_text="Column").focus()
    await ben.say("Something else happens")
    await ada.wait_message("Something else happens")
    await expect(ada.page.locator(".select", has_text="Column")).to_be_focused()
