"""Limits hold also for what people do in the same instant, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.domain.match import MatchStatus
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


async def test_thirty_offers_to_one_person_in_a_burst(few: Hosted) -> None:
    anna, ben = await few.join("Anna"), await few.join("Ben")
    channel = anna.channel("general")
    nonces = await asyncio.gather(
        *(anna.slash("play", channel, game="quax", opponent=ben) for _ in range(30))
    )
    answers = await _answers(anna, nonces)
    assert sum("Offer sent" in each for each in answers) == MOST, answers
    await few.settled()
    told = [each for each in ben.events if each.name == "MESSAGE_CREATE"]
    assert sum("would like to play" in all_text(each.data) for each in told) == MOST


async def test_eight_people_who_accept_offers_of_one_person_in_a_burst(few: Hosted) -> None:
    anna = await few.join("Anna")
    guests = [await few.join(f"Guest {number}") for number in range(8)]
    channel = anna.channel("general")
    for _ in guests:
        nonce = await anna.slash("play", channel, game="quax", options="size 5")
        assert "Offer sent" in all_text(await anna.wait_answer(nonce))
    await few.settled()
    offers = [each for each in await anna.messages(channel) if "Accept" in str(each["components"])]
    assert len(offers) == len(guests)
    nonces = await asyncio.gather(
        *(guest.click(offer, label="Accept") for guest, offer in zip(guests, offers, strict=True))
    )
    answers = [
        all_text(await guest.wait_answer(nonce))
        for guest, nonce in zip(guests, nonces, strict=True)
    ]
    assert (
        sum("maximum number of running matches" in each for each in answers) == len(guests) - MOST
    ), answers
    found = await few.bot.service.matches_of(UserId(anna.id))
    assert sum(match.status is MatchStatus.RUNNING for match in found) == MOST


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
