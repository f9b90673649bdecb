"""One Chromium for all tests of the page; a fresh playground with the demo bot for each."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from playground.server import Playground
from tests.page.demo_bot import DemoBot, running
from tests.support.page_driver import Window, chromium, open_page


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Chromium, or a skip."""
    async with chromium() as made:
        yield made


@dataclass(slots=True)
class Scene:
    """A playground, the demo bot in it, and the windows that a test opens."""

    playground: Playground
    bot: DemoBot
    browser: Browser
    windows: list[Window] = field(default_factory=list)

    async def window(self, person: str, **options: Any) -> Window:
        """A window of one person; closed at the end, when its console must be clean."""
        made = await open_page(self.browser, self.playground.address, person, **options)
        self.windows.append(made)
        return made


@pytest_asyncio.fixture(loop_scope="session")
async def scene(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    """Everything that most tests need."""
    async with (
        Playground(first_command="play") as playground,
        running(monkeypatch, playground.rest_url, playground.gateway_url, playground.token) as bot,
    ):
        made = Scene(playground, bot, browser)
        yield made
        complaints = [each for window in made.windows for each in window.complaints]
        for window in made.windows:
            await window.close()
        assert complaints == []
