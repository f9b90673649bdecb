"""The process that pairs: what it is asked, what it may answer, and what happens when it fails."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

import pytest

from bot.tournaments.domain.crosstable import Kind, Side
from bot.tournaments.domain.swiss_pairing import (
    NoPairing,
    PairingFailed,
    PairingRequest,
    first_side_of,
    request_for,
)
from bot.tournaments.domain.trf import Report
from bot.tournaments.services.runner import pair_round
from bot.tournaments.swiss import engine
from bot.tournaments.swiss.engine import WorkerEngine, pair_now
from bot.tournaments.swiss.worker import pair
from tests.tournaments.events_made import told_table


def _asked(number: int, *rows: str, **about: Any) -> PairingRequest:
    """The request for a round of players who have played so."""
    players = tuple(told_table(*rows).competitors.values())
    return request_for(Report(players, planned=5, **about), number)


def _pairs(text: str) -> set[frozenset[int]]:
    return {frozenset(map(int, each.split("-"))) for each in text.split()}


ALL_HAD_A_POINT_WITHOUT_A_GAME = ("2w+ 4b-", "1b- 3w+", "4w+ 2b-", "3b- 1w+", "U Z")


@pytest.mark.long
@pytest.mark.parametrize(
    ("rows", "forbidden", "out", "pairs"),
    [
        (ALL_HAD_A_POINT_WITHOUT_A_GAME, "", 5, None),
        # Without the fifth there would be no opponent for the first.
        (ALL_HAD_A_POINT_WITHOUT_A_GAME, "1-2 1-3 1-4", 4, "1-5 2-3"),
        # The second leaves the first no opponent but the fourth, and the third takes that one.
        (("",) * 4, "1-3 1-2 1-4 2-3", None, "1-4 2-3"),
        # All games of a round were forfeited.
        (("3w-", "4b-", "1b-", "2w-"), "", None, None),
        (("2w1", "1b0"), "1-2", None, "no"),
    ],
)
async def test_where_not_all_can_have_what_they_wish_one_sits_out_or_the_newest_give_way(
    rows: tuple[str, ...], forbidden: str, out: int | None, pairs: str | None
) -> None:
    apart = tuple((1, 9, tuple(map(int, each.split("-")))) for each in forbidden.split())
    number = 1 + max(len(each.split()) for each in rows)
    request = _asked(number, *rows, forbidden=apart)
    if pairs == "no":
        with pytest.raises(NoPairing):
            await pair_round(WorkerEngine().pair, request)
        return
    if out is not None:
        with pytest.raises(NoPairing):
            await WorkerEngine().pair([request])
    paired = await pair_round(WorkerEngine().pair, request)
    assert (paired.out, paired.bye) == (out, None)
    there = sorted(number for each in paired.pairs for number in each)
    assert there == [each for each in range(1, len(rows) + 1) if each != out]
    assert pairs is None or {frozenset(each) for each in paired.pairs} == _pairs(pairs)


async def test_rounds_are_paired_in_a_process_beside_the_event_loop() -> None:
    pairing = WorkerEngine()
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.01)
            beats += 1

    heart = asyncio.create_task(beat())
    requests = [_asked(1, *[""] * 6), _asked(1, *[""] * 7, first_side=Side.SECOND)]
    even, odd = await pairing.pair(requests)
    heart.cancel()
    assert (even.pairs, even.bye) == (((1, 4), (5, 2), (3, 6)), None)
    assert (odd.pairs, odd.bye) == (((4, 1), (2, 5), (6, 3)), 7)
    assert beats > 5
    assert await pairing.pair([]) == ()


@pytest.mark.long
def test_who_has_asked_for_a_bye_is_not_paired_and_brings_its_points_along() -> None:
    half = {1: {2: Kind.HALF_BYE, 5: Kind.ZERO_BYE}}
    first, second = (
        pair_now([_asked(number, *rows, byes=half)])[0]
        # 1 and 6 have a point, 2 a half, the others nothing.
        for number, rows in ((1, [""] * 6), (2, ["4w1", "H", "6b0", "1b0", "Z", "3w1"]))
    )
    assert (first.pairs, first.bye) == (((1, 4), (6, 3)), None)
    assert {frozenset(each) for each in second.pairs} == _pairs("1-6 2-3 4-5")


def test_a_report_that_cannot_be_paired_is_a_failure_with_a_reason() -> None:
    with pytest.raises(ValueError, match="001"):
        pair("012 Nothing\n", 1)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("/nowhere/python",), "no process can be started"),
        ((sys.executable, "-c", "import sys; sys.exit(3)"), "."),
        ((sys.executable, "-c", "import time; time.sleep(60)"), "."),
    ],
)
async def test_a_process_that_fails_or_hangs_is_given_up_with_a_reason(
    command: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_COMMAND", command)
    began = time.monotonic()
    with pytest.raises(PairingFailed, match=words):
        await WorkerEngine(longest=0.3).pair([_asked(1, *[""] * 4)])
    assert time.monotonic() - began < 5


def test_the_side_of_the_first_seed_is_taken_from_the_first_round() -> None:
    assert first_side_of(()) is Side.FIRST
    absent, second, _ = told_table("H", "3b1", "2w0").competitors.values()
    assert first_side_of((absent, second)) is Side.SECOND
