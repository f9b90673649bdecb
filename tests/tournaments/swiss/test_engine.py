"""The process that pairs: what it is asked, what it may answer, and what happens when it fails."""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import replace
from fractions import Fraction

import pytest

from bot.tournaments.domain.crosstable import DRAW, WIN, Competitor, CrosstableLine, Kind, Side
from bot.tournaments.domain.swiss_pairing import (
    NoPairing,
    PairingEngine,
    PairingFailed,
    first_side_of,
    request_for,
)
from bot.tournaments.domain.trf import Report
from bot.tournaments.services.runner import pair_round
from bot.tournaments.swiss import engine
from bot.tournaments.swiss.engine import WorkerEngine, pair_now
from bot.tournaments.swiss.worker import pair

NONE = Fraction(0)


def _field(size: int, **about: object) -> Report:
    players = tuple(Competitor(number, f"Player {number}") for number in range(1, size + 1))
    return replace(Report(players, planned=5), **about)  # type: ignore[arg-type]


def _all_had_a_point_without_a_game(**about: object) -> Report:
    """Five players after two rounds: nobody may have the bye of the third."""
    won = {1: (1, 2), 2: (2, 3), 3: (1, 4), 4: (2, 1)}
    lines: dict[int, list[CrosstableLine]] = {number: [] for number in range(1, 6)}
    for winner, (number, loser) in won.items():
        lines[winner].append(CrosstableLine(number, loser, Side.FIRST, WIN, Kind.FORFEIT))
        lines[loser].append(CrosstableLine(number, winner, Side.SECOND, NONE, Kind.FORFEIT))
    lines[5] = [
        CrosstableLine(1, None, None, WIN, Kind.PAIRING_BYE),
        CrosstableLine(2, None, None, NONE, Kind.ZERO_BYE),
    ]
    players = tuple(
        replace(each, lines=tuple(sorted(lines[each.number], key=lambda line: line.round)))
        for each in _field(5).players
    )
    return _field(5, players=players, **about)


@pytest.mark.long
async def test_where_nobody_may_have_the_bye_one_player_sits_out_for_half_a_point() -> None:
    request = request_for(_all_had_a_point_without_a_game(), 3)
    with pytest.raises(NoPairing):
        await WorkerEngine().pair([request])
    paired = await pair_round(WorkerEngine(), request)
    assert (paired.out, paired.bye) == (5, None)
    assert sorted(number for each in paired.pairs for number in each) == [1, 2, 3, 4]

    # Without the fifth there would be no opponent for the first.
    forbidden = ((1, 9, (1, 2)), (1, 9, (1, 3)), (1, 9, (1, 4)))
    request = request_for(_all_had_a_point_without_a_game(forbidden=forbidden), 3)
    paired = await pair_round(WorkerEngine(), request)
    assert paired.out == 4
    assert {frozenset(each) for each in paired.pairs} == {frozenset({1, 5}), frozenset({2, 3})}


@pytest.mark.long
async def test_an_even_number_that_cannot_be_paired_is_told_so() -> None:
    met = {
        1: CrosstableLine(1, 2, Side.FIRST, WIN, Kind.PLAYED),
        2: CrosstableLine(1, 1, Side.SECOND, NONE, Kind.PLAYED),
    }
    players = tuple(replace(each, lines=(met[each.number],)) for each in _field(2).players)
    request = request_for(_field(2, players=players, forbidden=((1, 9, (1, 2)),)), 2)
    with pytest.raises(NoPairing):
        await pair_round(WorkerEngine(), request)


@pytest.mark.long
async def test_where_not_all_wishes_can_hold_the_newest_give_way() -> None:
    # The second leaves the first no opponent but the fourth, and the third takes that one.
    wishes = ((1, 9, (1, 3)), (1, 9, (1, 2)), (1, 9, (1, 4)), (1, 9, (2, 3)))
    paired = await pair_round(WorkerEngine(), request_for(_field(4, forbidden=wishes), 1))
    assert {frozenset(each) for each in paired.pairs} == {frozenset({1, 4}), frozenset({2, 3})}


async def test_rounds_are_paired_in_a_process_beside_the_event_loop() -> None:
    pairing: PairingEngine = WorkerEngine()
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.01)
            beats += 1

    heart = asyncio.create_task(beat())
    requests = [request_for(_field(6), 1), request_for(_field(7, first_side=Side.SECOND), 1)]
    answers = await pairing.pair(requests)
    heart.cancel()

    assert answers[0].pairs == ((1, 4), (5, 2), (3, 6))
    assert answers[1].pairs == ((4, 1), (2, 5), (6, 3))
    assert answers[1].bye == 7
    assert beats > 5
    assert await pairing.pair([]) == ()


@pytest.mark.long
def test_who_has_asked_for_a_bye_is_not_paired_and_brings_its_points_along() -> None:
    half = {1: {2: Kind.HALF_BYE, 5: Kind.ZERO_BYE}}
    first = pair_now([request_for(_field(6, byes=half), 1)])[0]
    assert first.pairs == ((1, 4), (6, 3))
    assert first.bye is None

    won = {1: 4, 6: 3}
    lines = {
        2: CrosstableLine(1, None, None, DRAW, Kind.HALF_BYE),
        5: CrosstableLine(1, None, None, Fraction(0), Kind.ZERO_BYE),
    }
    for winner, loser in won.items():
        lines[winner] = CrosstableLine(1, loser, Side.FIRST, WIN, Kind.PLAYED)
        lines[loser] = CrosstableLine(1, winner, Side.SECOND, Fraction(0), Kind.PLAYED)
    players = tuple(replace(each, lines=(lines[each.number],)) for each in _field(6).players)
    second = pair_now([request_for(_field(6, players=players, byes=half), 2)])[0]
    # 1 and 6 have a point, 2 a half, the others nothing.
    assert {frozenset(each) for each in second.pairs} == {
        frozenset({1, 6}),
        frozenset({2, 3}),
        frozenset({4, 5}),
    }


def test_a_round_of_which_every_game_was_forfeited_is_followed_by_another() -> None:
    lines = {
        number: CrosstableLine(
            1,
            number + 2 if number < 3 else number - 2,
            Side.FIRST if number in (1, 4) else Side.SECOND,
            Fraction(0),
            Kind.FORFEIT,
        )
        for number in (1, 2, 3, 4)
    }
    players = tuple(replace(each, lines=(lines[each.number],)) for each in _field(4).players)
    paired = pair_now([request_for(_field(4, players=players), 2)])[0]
    assert sorted(number for each in paired.pairs for number in each) == [1, 2, 3, 4]


def test_players_who_must_not_meet_do_not() -> None:
    paired = pair_now([request_for(_field(4, forbidden=((1, 5, (1, 3)),)), 1)])[0]
    assert {frozenset(each) for each in paired.pairs} == {frozenset({1, 4}), frozenset({2, 3})}


def test_a_round_that_the_rules_do_not_allow_is_said_so() -> None:
    forbidden = ((1, 9, (1, 2)),)
    with pytest.raises(NoPairing):
        pair_now([request_for(_field(2, forbidden=forbidden), 1)])


def test_a_report_that_cannot_be_paired_is_a_failure_with_a_reason() -> None:
    with pytest.raises(ValueError, match="001"):
        pair("012 Nothing\n", 1)


async def test_a_process_that_cannot_be_started_is_a_failure_with_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "_COMMAND", ("/nowhere/python",))
    with pytest.raises(PairingFailed, match="no process can be started"):
        await WorkerEngine().pair([request_for(_field(4), 1)])


@pytest.mark.parametrize("code", ["import sys; sys.exit(3)", "import time; time.sleep(60)"])
async def test_a_process_that_fails_or_hangs_is_given_up(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_COMMAND", (sys.executable, "-c", code))
    request = request_for(_field(4), 1)
    began = time.monotonic()
    with pytest.raises(PairingFailed):
        await WorkerEngine(longest=0.3).pair([request])
    assert time.monotonic() - began < 5


def test_the_side_of_the_first_seed_is_taken_from_the_first_round() -> None:
    assert first_side_of(()) is Side.FIRST
    absent = Competitor(1, lines=(CrosstableLine(1, None, None, DRAW, Kind.HALF_BYE),))
    second = Competitor(2, lines=(CrosstableLine(1, 3, Side.SECOND, WIN, Kind.PLAYED),))
    assert first_side_of((absent, second)) is Side.SECOND
