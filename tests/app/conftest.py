"""A running bot in a playground for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hosted import Game, Hosted, hosted, start_quax


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Hosted]:
    async with hosted(tmp_path) as made:
        yield made


@pytest.fixture
async def game(table: Hosted) -> Game:
    return await start_quax(table)
