"""What plays with everything in place want: traffic held against Discord's description, windows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from discord_spec import DiscordSpec, SpecObserver
from made_play import MadePlay
from page_driver import chromium
from playwright.async_api import Browser
from shared_files import shared_or_none

from playground.observer import Indifferent, Observer


@pytest.fixture
def observer() -> Iterator[Observer]:
    """Checks every request, answer and event; finds nothing to check them by on some machines."""
    path = shared_or_none("discord-openapi.json")
    if path is None:
        yield Indifferent()
        return
    checking = SpecObserver(DiscordSpec.read(path))
    yield checking
    assert not checking.problems, "\n".join(map(str, checking.problems))


@pytest.fixture
async def play(tmp_path: Path) -> AsyncIterator[MadePlay]:
    """What ``make play`` runs; nothing may be logged as an error."""
    made = MadePlay(tmp_path)
    await made.start()
    try:
        yield made
    finally:
        await made.kill()
    assert not made.errors(), "\n".join(made.said)


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as made:
        yield made
