"""A running bot in a playground for each test."""

from __future__ import annotations

import io
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot import logs
from tests.databases import (  # noqa: F401
    database_url,
    postgres_url,
    sqlite_url,
)
from tests.hosted import Ahead, Game, Hosted, hosted, start_quax


@pytest.fixture
def clock() -> Ahead:
    return Ahead()


@pytest.fixture
async def table(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Hosted]:
    """A bot on Discord's time, or on the ``clock`` of a test that asks for one."""
    time: Ahead | None = (
        request.getfixturevalue("clock") if "clock" in request.fixturenames else None
    )
    async with hosted(tmp_path, time=time) as made:
        yield made


@pytest.fixture
async def game(table: Hosted) -> Game:
    return await start_quax(table)


@pytest.fixture
async def stored_game(tmp_path: Path, database_url: str) -> AsyncIterator[Game]:  # noqa: F811
    """The same on a database of its own; for tests marked with :data:`tests.databases.both`."""
    async with hosted(tmp_path, database=database_url) as made:
        yield await start_quax(made)


@pytest.fixture
def written() -> io.StringIO:
    """All that is logged at DEBUG."""
    root = logging.getLogger()
    kept = root.handlers[:]
    stream = io.StringIO()
    logs.configure(level="DEBUG", style="json", known_secrets=["planted-secret"], stream=stream)
    root.handlers.extend(kept)
    return stream
