"""The view of people with ``make play``: windows, a game, a kill, a victory."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from playwright.async_api import Browser, expect

from tests.support.made_play import MadePlay
from tests.support.page_driver import PATIENCE, Window, open_page

pytestmark = [pytest.mark.browser, pytest.mark.first, pytest.mark.timeout(300)]

#: Chromium says this of its own accord while nothing listens.
_NOBODY_THERE = ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")


async def _windows(browser: Browser, play: MadePlay, *names: str) -> list[Window]:
    windows = [await open_page(browser, play.address, name) for name in names]
    for window in windows:
        await expect(window.page.get_by_text("Parlour is online")).to_be_visible(timeout=PATIENCE)
    return windows


async def _enter(place: str, *windows: Window) -> None:
    """Go to the match's thread and see its board there."""
    for window in windows:
        await window.go_to(place)
        await window.wait_for_image("The board is empty")


async def _type(window: Window, move: str) -> None:
    """Type a move; its answer goes as soon as the board stands, so nobody waits for that."""
    await window.type_slash(f"/move {move}")


async def _swap(window: Window) -> None:
    await window.click_button("Make a move")
    await window.click_button("Swap")
    await window.wait_message("Swap?", private=True)
    await window.click_button("Swap")
    await window.wait_message("You swapped.", private=True)


async def _tap(window: Window, move: str, *, first: str = "") -> None:
    """Pick a move in the panel, see its picture, confirm it."""
    confirm = f"Play {move}"
    await window.click_button("Make a move")
    if first:
        await window.click_button(first)
        panel = window.page.locator(".message.ephemeral").last
        await expect(panel.get_by_role("button", name="Back")).to_be_visible(timeout=PATIENCE)
    await window.click_button(move)
    preview = await window.wait_message(f"{confirm}?", private=True)
    await expect(preview.locator("img.picture")).to_have_count(1)
    await window.click_button(confirm)
    await window.wait_message(f"You played {move}.", private=True)


async def _see(move: str, *windows: Window) -> None:
    """Wait until a board shows a move as the last one."""
    for window in windows:
        await window.wait_for_image(re.compile(rf"Last move: [^.]*\b{re.escape(move)}\."))


def _assert_clean(*windows: Window, allowed: Sequence[str] = ()) -> None:
    for window in windows:
        odd = [each for each in window.complaints if not any(word in each for word in allowed)]
        assert odd == [], window.person


@pytest.mark.long
async def test_a_game_of_quax_with_a_kill_in_its_middle(play: MadePlay, browser: Browser) -> None:
    anna, ben = await _windows(browser, play, "Anna", "Ben")
    await anna.type_slash("/play game:Quax opponent:@Ben options:size 6 side:Black")
    await ben.click_button("Accept", message="would like to play")
    await ben.wait_message("The match has started", private=True)
    await _enter("Quax", anna, ben)

    await _type(anna, "c3")
    await _see("c3", anna, ben)
    await _swap(ben)
    for window in (anna, ben):
        await window.wait_message("Anna is to move (Red)")

    # Refused in her window alone, with the rule and a picture of the place.
    await anna.type_slash("/move c3")
    refused = await anna.wait_message("There's already a stone on c3.", private=True)
    await expect(refused.get_by_alt_text("Not allowed at: c3")).to_have_count(1)
    await expect(ben.page.get_by_text("There's already a stone on c3.")).to_have_count(0)

    await _tap(anna, "c5", first="c")
    await _see("c5", anna, ben)
    await ben.click_button("Text board")
    await expect((await ben.wait_message("Moves:", private=True)).locator("pre")).to_be_visible()
    await _type(ben, "a3")
    await _see("a3", anna, ben)

    await play.kill()
    for window in (anna, ben):
        await window.wait_connection("lost")
    address = play.address
    await play.start()
    assert play.address == address
    for window in (anna, ben):
        await window.wait_connection("open")
        await _see("a3", window)
        await expect(window.page.get_by_text("Parlour is online")).to_be_visible(timeout=PATIENCE)

    await _tap(anna, "c1", first="c")
    await _see("c1", ben)
    for ours, theirs in (("b3", "a1"), ("d3", "a2"), ("e3", "f1")):
        await _type(ben, ours)
        await _see(ours, anna)
        await _type(anna, theirs)
        await _see(theirs, ben)
    await _tap(ben, "f3", first="f")
    await ben.wait_message("You played f3. @Ben wins!", private=True)
    for window in (anna, ben):
        await window.wait_message("Ben wins! ")
        await window.wait_for_image("Winning chain: a3, b3, c3, d3, e3, f3.")
    public = anna.page.locator(".message:not(.ephemeral)")
    await expect(public.get_by_role("button", name="Make a move")).to_have_count(0)
    _assert_clean(anna, ben, allowed=_NOBODY_THERE)


@pytest.mark.long
async def test_a_direct_game_is_offered_to_a_friend(play: MadePlay, browser: Browser) -> None:
    anna, ben = await _windows(browser, play, "Anna", "Ben")
    for window in (anna, ben):
        await window.page.locator(".places .place", has_text="Parlour").click()
        title = window.page.locator(".channel-title")
        await expect(title).to_contain_text("Parlour", timeout=PATIENCE)
    offer = "/play game:Quax opponent:@Ben options:size 3 side:Black"
    await anna.type_slash(offer)
    await anna.wait_message("hasn't asked Parlour for direct messages", private=True)
    await ben.type_slash("/help")
    await ben.wait_message("How Parlour works", private=True)
    await anna.type_slash(offer)
    await ben.click_button("Accept", message="would like to play")
    await _type(anna, "b2")
    await _see("b2", anna, ben)
    _assert_clean(anna, ben)


@pytest.mark.long
async def test_four_people_sit_down_to_pythagoras(play: MadePlay, browser: Browser) -> None:
    people = await _windows(browser, play, "Anna", "Ben", "Cleo", "Dan")
    await people[0].type_slash("/play game:Pythagoras side:Red")
    for window in people[1:]:
        await window.click_button("Accept", message="would like to play")
        told = "The match has started" if window is people[-1] else "You have a seat."
        await window.wait_message(told, private=True)
    await _enter("Pythagoras", *people)
    await people[0].wait_message("Anna is to move")
    await _tap(people[0], "3a1", first="Large (5 in hand)")
    for window, move in zip(people[1:], ("3c1", "3f1", "3h1"), strict=True):
        await window.wait_message(f"{window.person} is to move")
        await _type(window, move)
    for window, move in zip(people, ("3e1", "2j1", "1l1", "3b1"), strict=True):
        await window.wait_message(f"{window.person} is to move")
        await _tap(window, move)
    await people[0].wait_message("Anna is to move (Red)")
    await _see("b1", *people)
    _assert_clean(*people)
