"""Playgrounds whose traffic is held against Discord's own description, where that is at hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from discord_spec import DiscordSpec, SpecObserver
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
