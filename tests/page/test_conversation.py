"""People, messages, threads and connections, as two people in two windows see them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, FilePayload, Route, expect

from playground.person import Person
from playground.server import Playground
from tests.page.conftest import Scene
from tests.page.demo_bot import NASTY, png, running
from tests.support.page_driver import PATIENCE, leave, new_page, open_page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_first_screen_offers_the_people_and_takes_a_new_one(scene: Scene) -> None:
    ada = await scene.window("Ada")
    grace = await scene.window("Grace")
    assert "as=" in ada.page.url
    await expect(grace.page.locator(".me-name")).to_have_text("Grace")
    await expect(ada.page.locator(".banner")).to_contain_text("not Discord")
    await ada.page.locator(".me-menu summary").click()
    await expect(ada.page.locator(".me-list").get_by_role("link", name="Grace")).to_be_visible()


async def test_first_screen_offers_nobody_whom_a_script_plays(scene: Scene) -> None:
    async with await Person.join(scene.playground.address, "Robin", scripted=True):
        ada = await scene.window("Ada")
        await expect(ada.page.locator(".hello")).to_contain_text("Open as Ben")
        await expect(ada.page.locator(".hello")).not_to_contain_text("Robin")
        await expect(ada.page.locator(".me-list")).to_contain_text("Ben")
        await expect(ada.page.locator(".me-list")).not_to_contain_text("Robin")
        await ada.page.goto(f"{scene.playground.address}/#")
        await expect(ada.page.locator(".people")).to_contain_text("Ben")
        await expect(ada.page.locator(".people")).not_to_contain_text("Robin")


async def test_first_screen_asks_for_a_language_and_begins_with_the_browsers(scene: Scene) -> None:
    context = await scene.browser.new_context(locale="de-AT")
    try:
        page = await context.new_page()
        await page.goto(scene.playground.address)
        language = page.get_by_role("combobox", name="Language")
        await expect(language).to_have_value("de")
        assert len(await language.get_by_role("option").all()) == 7
        await language.select_option("Polski")
        await page.get_by_role("textbox").fill("Ola")
        await page.get_by_role("button", name="Come in").click()
        await expect(page.locator(".me-name")).to_have_text("Ola", timeout=PATIENCE)
    finally:
        await context.close()
    users = scene.playground.world.state.users.values()
    assert next(each.locale for each in users if each.name == "Ola") == "pl"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("/play", "That’s a command. Type a name here"),
        ("   ", "at least one letter or digit"),
    ],
)
async def test_first_screen_says_what_is_wrong_with_a_name(
    scene: Scene, name: str, words: str
) -> None:
    before = len(scene.playground.world.state.users)
    page = await new_page(scene.browser)
    await page.goto(scene.playground.address)
    await page.get_by_role("textbox").fill(name)
    await page.get_by_role("button", name="Come in").click()
    await expect(page.get_by_role("alert")).to_contain_text(words)
    await expect(page.get_by_role("textbox")).to_be_focused()
    assert len(scene.playground.world.state.users) == before
    await page.get_by_role("textbox").fill("Ünal 2")
    await page.get_by_role("button", name="Come in").click()
    await expect(page.locator(".me-name")).to_have_text("Ünal 2", timeout=PATIENCE)
    await leave(page)


async def test_empty_place_says_what_to_do_first(scene: Scene) -> None:
    ada = await scene.window("Ada")
    hello = ada.page.locator(".hello")
    async with ada.page.expect_popup() as opened:
        await hello.get_by_role("link", name="Open as Ben").click()
    second = await opened.value
    await expect(second.locator(".me-name")).to_have_text("Ben", timeout=PATIENCE)
    await second.close()
    await expect(hello.get_by_role("button").first).to_have_text("Begin with /play")
    await hello.get_by_role("button", name="Show the commands").click()
    assert len(await ada.suggestions(5)) >= 5
    await ada.go_to("games")
    await expect(hello).to_contain_text("Nothing in #games yet")
    await ada.say("Something")
    await expect(hello).to_be_hidden()


async def test_two_people_in_two_windows_read_each_other(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.say("Hello **Ben**")
    found = await ben.wait_message("Hello Ben")
    await expect(found.locator("strong")).to_have_text("Ben")
    await expect(found.locator(".author")).to_have_text("Ada")
    await ben.say("Hello yourself")
    await ada.wait_message("Hello yourself")


async def test_typing_is_shown_to_the_other_person(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.page.locator(".message-input").type("Hm")
    await expect(ben.page.locator(".typing")).to_have_text("Ada is typing…", timeout=PATIENCE)
    await ada.page.keyboard.press("Enter")
    await expect(ben.page.locator(".typing")).to_have_text("", timeout=PATIENCE)


async def test_reply_names_what_it_answers_and_own_messages_can_be_deleted(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.say("Shall we **begin** half\\-time?")
    asked = await ben.wait_message("Shall we begin half-time?")
    await asked.hover()
    await asked.get_by_role("button", name="Reply to Ada").click()
    await expect(ben.page.locator(".reply-to")).to_contain_text(
        "Replying to Ada Shall we begin half-time?"
    )
    await ben.say("Yes")
    answer = await ada.wait_message("Yes")
    await expect(answer.locator(".origin-link")).to_have_text("Ada Shall we begin half-time?")
    mine = await ben.wait_message("Yes")
    await mine.hover()
    await mine.get_by_role("button", name="Delete this message").click()
    await ben.page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    await ada.wait_no_message("Yes")


async def test_own_messages_are_edited_in_place_with_the_arrow_or_the_pen(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.say("Shall we begn?")
    await ada.wait_message("Shall we begn?")
    await ada.page.keyboard.press("ArrowUp")
    entry = ada.page.locator(".message-input")
    await expect(entry).to_have_value("Shall we begn?")
    await ada.page.keyboard.press("Escape")
    await expect(entry).to_have_value("")
    mine = await ada.wait_message("Shall we begn?")
    await mine.hover()
    await mine.get_by_role("button", name="Edit this message").click()
    await expect(ada.page.locator(".reply-to")).to_contain_text("Editing your message")
    await ada.say("Shall we begin?")
    found = await ben.wait_message("Shall we begin?")
    await expect(found.locator(".edited")).to_be_visible()
    await ben.wait_no_message("Shall we begn?")
    await found.hover()
    await expect(found.get_by_role("button", name="Edit this message")).to_have_count(0)


async def test_messages_are_pinned_listed_and_unpinned_by_those_who_may(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.say("Rule one")
    owner = scene.playground.world.home.owner_id
    first, other = (ada, ben) if f"as={owner}" in ada.page.url else (ben, ada)
    found = await first.wait_message("Rule one")
    await found.hover()
    await found.get_by_role("button", name="Pin this message").click()
    theirs = await other.wait_message("Rule one")
    await expect(theirs.locator(".message-head")).to_contain_text("pinned")
    await expect(theirs.get_by_role("button", name="pin this message")).to_have_count(0)
    await other.page.get_by_role("button", name="Pinned messages").click()
    pins = other.page.get_by_role("dialog", name="Pinned messages")
    await expect(pins.get_by_role("link")).to_have_text("Ada Rule one")
    await pins.get_by_role("link").click()
    await expect(pins).to_have_count(0)
    await found.hover()
    await found.get_by_role("button", name="Unpin this message").click()
    await expect(theirs.locator(".message-head")).not_to_contain_text("pinned")
    await other.page.get_by_role("button", name="Pinned messages").click()
    await expect(pins).to_contain_text("Nothing is pinned here.")


async def test_mention_is_chosen_from_a_list_and_marks_the_message(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.page.locator(".message-input").type("Over to you, @be")
    assert await ada.suggestions() == ["Ben"]
    await ada.page.keyboard.press("Enter")
    await ada.page.keyboard.type("now")
    await ada.page.keyboard.press("Enter")
    found = await ben.wait_message("Over to you, @Ben now")
    await expect(found.locator(".mention.me")).to_have_text("@Ben")
    assert "mentions-me" in (await found.get_attribute("class") or "")


async def test_files_are_sent_and_shown_by_their_kind(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    files: list[FilePayload] = [
        {"name": "board.png", "mimeType": "image/png", "buffer": png()},
        {"name": "game.txt", "mimeType": "text/plain", "buffer": b"1. f7"},
    ]
    await ada.page.locator("input[type=file]").set_input_files(files)
    await expect(ada.page.locator(".file-chip")).to_have_count(2)
    await ada.say("Two files")
    found = await ben.wait_message("Two files")
    await expect(found.get_by_role("link", name="game.txt")).to_have_attribute(
        "href", re.compile(r"^/cdn/attachments/\d+/\d+/game\.txt")
    )
    await ben.wait_for_image("Picture without a description")
    picture = found.locator("img.picture")
    assert await picture.evaluate("image => [image.width > 0, image.naturalWidth]") == [True, 200]


async def test_edits_and_thinking_are_live(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.type_slash("/count")
    found = await ben.wait_message("Counted 2")
    await expect(found.locator(".edited")).to_be_visible()
    await ben.wait_no_message("Counted 1")
    await ada.type_slash("/think")
    await ben.wait_message("Bot is thinking")
    scene.bot.thought.set()
    await ben.wait_message("Thought about it")
    await ben.wait_no_message("Bot is thinking")


async def test_thread_appears_for_everybody_and_can_be_opened(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ada.type_slash("/thread name:Quax, Ada against Ben")
    await ben.go_to("Quax, Ada against Ben")
    await ben.wait_message("Welcome to the thread")
    await ada.page.locator(".message.ephemeral a.mention").click()
    await ada.wait_message("Welcome to the thread")
    await ada.say("Here I am")
    await ben.wait_message("Here I am")


async def test_closed_thread_can_still_be_found(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await ada.type_slash("/thread name:Old game")
    await ada.wait_message("See")
    (thread,) = [c for c in scene.playground.world.state.channels.values() if c.is_thread]
    person = scene.playground.world.home.owner_id
    scene.playground.world.places.change_channel(thread, person, {"archived": True})
    await ada.page.get_by_text("1 closed thread").click()
    await ada.go_to("Old game")
    await ada.wait_message("Welcome to the thread")


async def test_news_elsewhere_is_marked(scene: Scene) -> None:
    ada, ben = await scene.window("Ada"), await scene.window("Ben")
    await ben.go_to("games")
    await ada.type_slash("/play game:Quax opponent:@Ben")
    await expect(ben.page.locator(".place.unread .badge")).to_have_text("1", timeout=PATIENCE)
    await expect(ben.page).to_have_title(re.compile(r"^\(1\) "))
    await ben.page.set_viewport_size({"width": 390, "height": 844})
    places = ben.page.get_by_role("button", name="Channels and people, 1 for you")
    await expect(places.locator(".badge")).to_be_visible()
    await ben.go_to("general")
    await expect(ben.page.locator(".place.unread, .drawer-button .badge:visible")).to_have_count(0)


@pytest.mark.parametrize("pressed", ["games", "general"])
async def test_press_is_not_lost_while_the_list_of_places_changes(
    scene: Scene, pressed: str
) -> None:
    world, person = scene.playground.world, scene.playground.world.home.owner_id
    (games,) = [each for each in world.state.channels.values() if each.name == "games"]
    ada = await scene.window("Ada")
    await ada.go_to("general" if pressed == "games" else "games")
    place = ada.page.locator(".place", has_text=pressed)
    await place.hover()
    await ada.page.mouse.down()
    world.places.add_channel(world.home.id, "another")
    await expect(ada.page.locator(".place", has_text="another")).to_be_visible()
    if pressed == "games":
        world.messages.send(games.id, world.state.bot_id, {"content": f"<@{person}>"}, [])
        await expect(place).to_have_class(re.compile("unread"))
    await ada.page.mouse.up()
    await expect(ada.page.locator(".channel-title")).to_contain_text(pressed)


async def test_press_is_not_lost_when_the_messages_come_again(scene: Scene) -> None:
    ada = await scene.window("Ada")
    await ada.type_slash("/play game:Quax opponent:@Ben")
    await ada.wait_message("challenges")
    await ada.go_to("games")
    asked, pressed = asyncio.Event(), asyncio.Event()

    async def answer_late(route: Route) -> None:
        answer = await route.fetch()
        messages = await answer.json()
        asked.set()
        await pressed.wait()
        # Not known from an event, so it is seen when the answer has been read.
        unknown = {**messages[0], "id": "1", "content": "From long ago", "components": []}
        await route.fulfill(response=answer, json=[*messages, {**unknown, "flags": 0}])

    await ada.page.route("**/channels/*/messages?*", answer_late)
    await ada.go_to("general")
    await asked.wait()
    await ada.page.get_by_role("button", name="Accept").hover()
    await ada.page.mouse.down()
    pressed.set()
    await ada.wait_message("From long ago")
    await ada.page.mouse.up()
    await ada.wait_message("accepted")


async def test_old_messages_are_loaded_on_demand(scene: Scene) -> None:
    world = scene.playground.world
    ada = await scene.window("Ada")
    person, channel = map(int, re.findall(r"\d+", ada.page.url.partition("#")[2]))
    for number in range(1, 81):
        world.messages.send(channel, person, {"content": f"Message number {number}."}, [])
    await ada.wait_message("Message number 80.")
    await ada.page.reload()
    await ada.wait_message("Message number 80.")
    await ada.wait_no_message("Message number 1.")
    await ada.page.locator(".scroller").evaluate("element => { element.scrollTop = 0; }")
    await ada.wait_message("Message number 1.")
    await expect(ada.page.locator(".message")).to_have_count(80)


async def test_what_is_said_while_the_messages_are_asked_for_is_not_lost(scene: Scene) -> None:
    world = scene.playground.world
    ada = await scene.window("Ada")
    (games,) = [each for each in world.state.channels.values() if each.name == "games"]
    person = scene.playground.world.home.owner_id
    overtaken = asyncio.Event()

    async def answer_late(route: Route) -> None:
        answer = await route.fetch()
        if not overtaken.is_set():
            world.messages.send(games.id, person, {"content": "Said meanwhile."}, [])
            await expect(ada.page.locator(".message")).to_have_count(1, timeout=PATIENCE)
        await route.fulfill(response=answer)
        overtaken.set()

    await ada.page.route(f"**/channels/{games.id}/messages?*", answer_late)
    await ada.go_to("games")
    await overtaken.wait()
    await ada.say("And this after it.")
    await ada.wait_message("And this after it.")
    await ada.wait_message("Said meanwhile.")


async def test_names_and_texts_that_look_like_markup_stay_text(scene: Scene) -> None:
    ada = await scene.window("Ada")
    mallory = await scene.window("<b onclick=hurt()>Mal</b>")
    await mallory.say(NASTY)
    await mallory.say(
        "[x](javascript:window.hurt=1) <javascript:window.hurt=1> ||<svg onload=hurt>||"
    )
    await ada.type_slash("/nasty")
    found = await ada.wait_message("bold")
    await expect(found.locator(".embed-title")).to_have_text(NASTY)
    await expect(ada.page.locator(".message", has_text=NASTY).first).to_be_visible()
    await expect(ada.page.locator(".author", has_text="<b onclick").first).to_be_visible()
    await ada.page.locator(".spoiler").click()
    strange = (
        ".message :is(script, svg[onload], b, img:not(.picture, .emoji)), a[href^='javascript']"
    )
    await expect(ada.page.locator(strange)).to_have_count(0)
    assert await ada.page.evaluate("window.hurt") is None


async def test_bot_offline_and_online_again_is_shown(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await scene.window("Ada")
    state = ada.page.locator(".bot-state")
    await expect(state).to_have_text("Bot is online")
    await scene.bot.close()
    await expect(state).to_have_text("Bot is offline", timeout=PATIENCE)
    playground = scene.playground
    async with running(monkeypatch, playground.rest_url, playground.gateway_url, playground.token):
        await expect(state).to_have_text("Bot is online", timeout=PATIENCE)


async def test_page_connects_again_when_the_playground_was_restarted(
    browser: Browser, tmp_path: Path
) -> None:
    state = tmp_path / "world.db"
    async with Playground(state=state) as playground:
        port = playground.port
        window = await open_page(browser, playground.address, "Ada")
        await window.say("Before")
        await window.wait_message("Before")
    await window.wait_connection("lost")
    line = window.page.locator(".connection")
    await expect(line).to_contain_text("connection to the playground is lost")
    async with Playground(state=state, port=port):
        await window.wait_connection("open")
        await expect(line).to_have_text("Connected again.")
        await window.wait_message("Before")
        await expect(line).to_be_hidden(timeout=PATIENCE)
        await window.say("After")
        await window.wait_message("After")
        await window.close()


async def test_person_of_a_world_that_is_gone_is_asked_again(browser: Browser) -> None:
    async with Playground() as playground:
        page = await new_page(browser)
        await page.goto(f"{playground.address}/#as=123456789012345678")
        await expect(page.get_by_role("alert").first).to_contain_text("does not know this person")
        await expect(page.locator("a.person").first).to_be_visible()
        await leave(page)


@pytest.mark.parametrize(
    ("locale", "soon", "day"),
    [
        ("de", r"vor \d+ Sekunden", "13. Februar 2009"),
        ("none-such", r"\d+ seconds ago", "13 February 2009"),
    ],
)
async def test_moments_are_told_in_the_readers_language(
    scene: Scene, locale: str, soon: str, day: str
) -> None:
    world = scene.playground.world
    world.state.users[world.home.owner_id].locale = locale
    ada = await scene.window("Ada")
    now = int(await ada.page.evaluate("Date.now() / 1000"))
    await ada.say(f"<t:{now - 15}:R> <t:1234526400:D>")
    past, then = await ada.page.locator("time.timestamp").all()
    await expect(past).to_have_text(re.compile(rf"^{soon}$"))
    await expect(then).to_have_text(day)
    first = await past.inner_text()
    await expect(past).not_to_have_text(first)
    await expect(past).to_have_text(re.compile(rf"^{soon}$"))
