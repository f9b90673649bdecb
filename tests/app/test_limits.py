"""Limits hold also for what people do in the same instant, on both databases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from playground.forms import all_text
from playground.person import Person
from tests.databases import both
from tests.hosted import Hosted, hosted

pytestmark = both

MOST = 3


@pytest.fixture
async def few(tmp_path: Path, database_url: str) -> AsyncIterator[Hosted]:
    """A bot that lets everybody have few of everything."""
    limits: dict[str, Any] = {"offers_to_one": MOST, "running_matches": MOST}
    async with hosted(tmp_path, database=database_url, open_offers=50, **limits) as made:
        yield made


async def _answers(person: Person, nonces: list[str]) -> list[str]:
    return [all_text(await person.wait_answer(nonce)) for nonce in nonces]


async def test_a_player_acts_five_times_at_once_and_then_once_a_second(
    tmp_path: Path,
    database_url: str,
) -> None:
    given: dict[str, Any] = {
        "commands_per_second": 1.0,
        "commands_burst": 5,
        "suggestions_per_second": 5,
    }
    async with hosted(tmp_path, database=database_url, **given) as table:
        anna, ben = await table.join("Anna"), await table.join("Ben")
        channel = anna.channel("general")
        nonces = [await anna.slash("help", channel) for _ in range(8)]
        answers = await _answers(anna, nonces)
        refused = [each for each in answers if each.startswith("That was a lot at once")]
        assert 2 <= len(refused) <= 3, answers
        assert "/play" in all_text(await ben.ask("help", channel))
        typed = [
            await ben.autocomplete("settings", channel, "time_zone", time_zone="ber")
            for _ in range(12)
        ]
        assert typed[0]
        assert [] in typed, "who types too fast gets no suggestions, and no error"
