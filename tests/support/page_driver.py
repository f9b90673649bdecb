"""Drive the playground's page in headless Chromium, as a person with a keyboard and a mouse would.

    async with chromium() as browser:
        ada = await open_page(browser, playground.address, "Ada")
        ben = await open_page(browser, playground.address, "Ben")
        await ada.type_slash("/play game:Quax opponent:@Ben")
        await ben.click_button("Accept")
        await ada.pick_option("Column", "f")
        alt = await ada.wait_for_image("Quax")

Who one is stands in the address, so that several people can be open at once in one browser. Nothing
here sleeps: each step waits for what it needs to see, and fails with what is on the screen.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakKeyDictionary

import pytest
from playwright.async_api import (
    Browser,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    async_playwright,
    expect,
)

_BROWSERS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
#: The same engine without a desktop's user interface opens a window in a third of the time.
CHROMIUM = next((each for each in _BROWSERS if each.exists()), _BROWSERS[-1])
_IS_HERE = CHROMIUM.exists()
#: No sandbox (it needs rights that containers lack) and no talk with the outside.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
#: Milliseconds that a step may take; more than the three seconds in which a bot must answer.
PATIENCE = 10_000
expect.set_options(timeout=PATIENCE)


def as_written(text: str) -> str:
    """The text as messages have it, in which a word joiner holds each move together."""
    return re.sub(r"([a-z]\d\d?-)(?=[a-z]\d)", "\\1\N{WORD JOINER}", text)


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A headless Chromium; skips the test where none is installed."""
    if not _IS_HERE:
        pytest.skip(f"{CHROMIUM} is not here")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=list(ARGUMENTS)
        )
        try:
            yield browser
        finally:
            await browser.close()


@dataclass
class Window:
    """One person's window on the page."""

    page: Page
    person: str
    #: Errors that the browser's console showed; a test that expects none asserts on this.
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._said)
        self.page.on("pageerror", self._failed)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"{message.text} {message.location['url']}")

    def _failed(self, error: Error) -> None:
        self.complaints.append(str(error))

    async def close(self) -> None:
        """Leave the page as it was found, for the next person who opens one."""
        self.page.remove_listener("console", self._said)
        self.page.remove_listener("pageerror", self._failed)
        await self.page.unroute_all()
        await leave(self.page)

    # Places.

    async def go_to(self, place: str) -> None:
        """Open a channel, thread or direct message by its name in the list of places."""
        if await self.page.get_by_role("button", name="Channels and people").is_visible():
            await self.page.get_by_role("button", name="Channels and people").click()
        # A thread's row may also say that it is closed or has news: the name is what begins it.
        begins = re.compile(rf"^{re.escape(place)}")
        await self.page.locator(".places .place", has_text=begins).first.click()
        # The title of a thread names its channel as well.
        name = self.page.locator(".channel-title > span")
        await expect(name).to_have_text(begins, timeout=PATIENCE)

    async def place(self) -> str:
        """The name of the place that is open."""
        return await self.page.locator(".channel-title > span").inner_text()

    # Writing.

    async def say(self, text: str) -> None:
        """Write a plain message and send it with Enter."""
        await self.page.locator(".message-input").fill(text)
        await self.page.keyboard.press("Enter")
        await expect(self.page.locator(".message-input")).to_have_value("", timeout=PATIENCE)

    async def type_slash(self, line: str) -> None:
        """Type a command such as ``/move f7`` or ``/play game:Quax opponent:@Ben`` and send it.

        The values are typed as they stand, without taking a suggestion, so that a test can send
        what no suggestion offers. Raises AssertionError with the page's words when the page refuses
        the line: an option is missing, a value is not allowed, no command has the name.
        """
        await self.begin_slash(line)
        form = self.page.locator(".command-form")
        await form.get_by_role("button", name="Send the command").click()
        with contextlib.suppress(AssertionError):
            await expect(form).to_have_count(0, timeout=PATIENCE)
            return
        wrong = await form.locator(".field-error:not(:empty), .problem:visible").all_inner_texts()
        raise AssertionError(f"{line!r} was not sent: {wrong}")

    async def begin_slash(self, line: str) -> None:
        """Type a command and leave it unsent, to look at suggestions and faults."""
        entry = self.page.locator(".message-input")
        await expect(entry).to_be_visible(timeout=PATIENCE)
        await entry.fill("")
        await entry.focus()
        # The blank tells the page that the name is complete.
        await self.page.keyboard.type(line if " " in line else f"{line} ")
        with contextlib.suppress(AssertionError):
            await expect(self.page.locator(".command-form")).to_have_count(1, timeout=PATIENCE)
            return
        panel = await self.page.locator(".panel").inner_text()
        raise AssertionError(f"the page knows no command for {line!r}; it says {panel!r}")

    async def suggestions(self, at_least: int = 1) -> list[str]:
        """The suggestions that are shown for the option being filled in."""
        options = self.page.locator(".panel:not([aria-busy]) .option")
        await expect(options.nth(at_least - 1)).to_be_visible(timeout=PATIENCE)
        return await options.locator(".name").all_inner_texts()

    # Messages and their controls.

    async def wait_message(self, text: str | re.Pattern[str], *, private: bool = False) -> Locator:
        """The newest message that holds ``text``, once it is there.

        ``private``: only among those that this person alone sees.
        """
        found = self._message(".message.ephemeral" if private else ".message", text)
        await expect(found).to_be_visible(timeout=PATIENCE)
        return found

    async def wait_no_message(self, text: str | re.Pattern[str]) -> None:
        """Wait until no message holds ``text``."""
        await expect(self.page.locator(".message", has_text=text)).to_have_count(
            0, timeout=PATIENCE
        )

    async def click_button(
        self, label: str | re.Pattern[str], *, message: str | re.Pattern[str] | None = None
    ) -> None:
        """Press the newest enabled button of that label and wait until its answer has come.

        ``message`` narrows it down to messages that hold that text. A string must be the whole
        label. Raises AssertionError if the page then shows that the interaction failed.
        """
        where = self._messages(message)
        button = where.get_by_role(
            "button", name=label, exact=isinstance(label, str), disabled=False
        ).last
        message_id = await _message_id(button)
        await button.click(timeout=PATIENCE)
        await self._answered(message_id)

    async def pick_option(
        self,
        menu: str | re.Pattern[str],
        option: str | Sequence[str],
        *,
        message: str | re.Pattern[str] | None = None,
    ) -> None:
        """Choose from the newest menu whose text (placeholder or choice) is or fits ``menu``.

        ``option`` is the label, or several for a menu of several choices, which is then closed with
        "Done". Waits until the answer has come. In a form, nothing is sent yet.
        """
        form = self.page.locator("dialog.modal")
        where: Locator = form if await form.count() else self._messages(message)
        trigger = where.locator(".select:enabled").filter(has_text=menu).last
        message_id = await _message_id(trigger)
        wanted = [option] if isinstance(option, str) else list(option)
        popup = self.page.locator(".popup")
        options = [
            popup.get_by_role("option", name=re.compile(rf"^@?{re.escape(label)}(\s|$)")).first
            for label in wanted
        ]
        await self._open_menu(trigger, popup, options[0])
        for each in options:
            await each.click(timeout=PATIENCE)
        if not isinstance(option, str):
            await popup.get_by_role("button", name="Done").click()
        await expect(popup).to_have_count(0, timeout=PATIENCE)
        await self._answered(message_id)

    @staticmethod
    async def _open_menu(trigger: Locator, popup: Locator, wanted: Locator) -> None:
        """Open a menu in which an option is: one whose answer is still to come may be its past."""
        async with asyncio.timeout(PATIENCE / 1000):
            while True:
                if not await popup.count():
                    await trigger.click(timeout=PATIENCE)
                with contextlib.suppress(AssertionError):
                    await expect(wanted).to_be_visible(timeout=1000)
                    return
                if await popup.count():
                    await popup.press("Escape")

    async def submit_form(self, values: Mapping[str, str]) -> None:
        """Fill in the form that the bot has opened, by label, and submit it."""
        form = self.page.locator("dialog.modal")
        await expect(form).to_be_visible(timeout=PATIENCE)
        for label, value in values.items():
            entry = form.get_by_role("textbox", name=re.compile(rf"^{re.escape(label)}"))
            await entry.fill(value, timeout=PATIENCE)
        await form.get_by_role("button", name="Submit").click()
        await expect(form).to_have_count(0, timeout=PATIENCE)

    async def wait_for_image(self, alt: str | re.Pattern[str], *, newest: bool = True) -> str:
        """Wait for a loaded picture whose description holds ``alt``; answers the whole description.

        ``newest``: it must be the last picture of the channel, not an older one.
        """
        pictures = self.page.locator(".message img.picture")
        if newest:
            wanted = re.compile(re.escape(alt)) if isinstance(alt, str) else alt
            await expect(pictures.last).to_have_attribute("alt", wanted, timeout=PATIENCE)
            picture = pictures.last
        else:
            picture = self.page.get_by_alt_text(alt).last
            await expect(picture).to_be_visible(timeout=PATIENCE)
        await picture.evaluate("image => image.decode()", timeout=PATIENCE)
        return await picture.get_attribute("alt") or ""

    async def dismiss(self, text: str | re.Pattern[str]) -> None:
        """Put away the newest private answer that holds ``text``."""
        found = self._message(".message.ephemeral", text)
        await found.get_by_role("button", name="Dismiss message").click(timeout=PATIENCE)

    async def wait_connection(self, state: str) -> None:
        """Wait until the page's connection is "open" or "lost"."""
        body = self.page.locator("body")
        await expect(body).to_have_attribute("data-connection", state, timeout=30_000)

    def _messages(self, text: str | re.Pattern[str] | None) -> Locator:
        everywhere = self.page.locator(".message-list .message")
        return everywhere if text is None else everywhere.filter(has_text=text)

    def _message(self, selector: str, text: str | re.Pattern[str]) -> Locator:
        wanted = as_written(text) if isinstance(text, str) else text
        return self.page.locator(selector, has_text=wanted).last

    async def _answered(self, message_id: str) -> None:
        await expect(self.page.locator(".message .busy")).to_have_count(0, timeout=PATIENCE)
        if not message_id:
            return
        failed = self.page.locator(f"#{message_id} .control-problem:visible")
        if await failed.count():
            raise AssertionError(await failed.inner_text())


async def _message_id(control: Locator) -> str:
    """The id of the message that a control belongs to; empty for one of a form."""
    found: str = await control.evaluate(
        "element => element.closest('.message')?.id ?? ''", timeout=PATIENCE
    )
    return found


#: Pages that were left, by the browser that they are in.
_LEFT: WeakKeyDictionary[Browser, list[Page]] = WeakKeyDictionary()


async def new_page(browser: Browser) -> Page:
    """An empty page beside the others: one that was left, if there is one.

    A new one would need a process and a window of its own, for twice as long as all that happens in
    it.
    """
    left = _LEFT.setdefault(browser, [])
    if left:
        return left.pop()
    context = browser.contexts[0] if browser.contexts else await browser.new_context()
    return await context.new_page()


async def leave(page: Page) -> None:
    """Empty a page and keep it for the next."""
    await page.goto("about:blank")
    await page.mouse.move(0, 0)
    browser = page.context.browser
    assert browser is not None
    _LEFT[browser].append(page)


async def open_page(
    browser: Browser,
    address: str,
    person: str,
    *,
    width: int = 1280,
    height: int = 900,
    scheme: str = "light",
) -> Window:
    """Open the page as ``person``, choosing them on the first screen or adding them there."""
    page = await new_page(browser)
    await page.set_viewport_size({"width": width, "height": height})
    await page.emulate_media(
        color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce"
    )
    window = Window(page, person)
    await page.goto(address)
    choice = page.locator("a.person", has=page.get_by_text(person, exact=True))
    await expect(page.locator(".add-person")).to_be_visible(timeout=PATIENCE)
    # Both the list and an empty list put the focus somewhere when they are complete.
    await expect(page.locator(":focus")).to_have_count(1, timeout=PATIENCE)
    if await choice.count():
        await choice.first.click()
    else:
        await page.get_by_role("textbox").fill(person)
        await page.get_by_role("button", name="Come in").click()
    await window.wait_connection("open")
    await expect(page.locator(".message-input")).to_be_visible(timeout=PATIENCE)
    return window
