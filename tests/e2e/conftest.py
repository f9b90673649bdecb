"""Fixtures of tests with the whole system: traffic checked by Discord's description, windows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.support.discord_spec import SpecObserver
from tests.support.made_play import MadePlay
from tests.support.page_driver import chromium


@pytest.fixture
def observer() -> Iterator[SpecObserver]:
    """Checks every request, answer and event; the test fails for what does not fit."""
    checking = SpecObserver()
    yield checking
    assert not checking.problems, "\n".join(map(str, checking.problems))


@pytest.fixture
async def play(tmp_path: Path) -> AsyncIterator[MadePlay]:
    """A running ``make play``; no error may be logged."""
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
