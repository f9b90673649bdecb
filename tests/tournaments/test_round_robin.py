"""Berger tables, divisions, and what a league makes of them from season to season."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from gacrux.berger import bergertables

from bot.domain.ids import UserId, season_id
from bot.tournaments.domain import directing, registration
from bot.tournaments.domain.formats.round_robin import berger, divide, movers, next_divisions
from bot.tournaments.domain.seasons import is_league, next_season
from tests.tournaments.events_made import ID
from tests.tournaments.scenario import Scenario

PRINTED = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: (
        "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3"
        " | 3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1"
    ),
    10: (
        "1-10 2-9 3-8 4-7 5-6 | 10-6 7-5 8-4 9-3 1-2 | 2-10 3-1 4-9 5-8 6-7"
        " | 10-7 8-6 9-5 1-4 2-3 | 3-10 4-2 5-1 6-9 7-8 | 10-8 9-7 1-6 2-5 3-4"
        " | 4-10 5-3 6-2 7-1 8-9 | 10-9 1-8 2-7 3-6 4-5 | 5-10 6-4 7-3 8-2 9-1"
    ),
}


@pytest.mark.parametrize("size", PRINTED)
def test_tables_are_those_that_fide_prints(size: int) -> None:
    rounds = [
        tuple(tuple(map(int, pair.split("-"))) for pair in each.split())
        for each in PRINTED[size].split(" | ")
    ]
    assert list(berger(size)) == rounds
    without_last = [tuple(pair for pair in each if size not in pair) for each in rounds]
    assert list(berger(size - 1)) == without_last


@pytest.mark.parametrize("size", range(2, 25))
def test_everybody_meets_everybody_and_sides_are_as_even_as_can_be(size: int) -> None:
    rounds = berger(size)
    pairs = [pair for each in rounds for pair in each]
    assert sorted(tuple(sorted(pair)) for pair in pairs) == list(
        combinations(range(1, size + 1), 2)
    )
    for each in rounds:
        assert len({number for pair in each for number in pair}) == 2 * len(each)
    firsts = Counter(first for first, _ in pairs)
    games = size - 1
    assert {abs(2 * firsts[number] - games) for number in range(1, size + 1)} <= {0, 1}
    if size % 2 == 0:
        theirs = bergertables(size)["pairing"]
        assert [
            [(each["white"], each["black"]) for each in boards.values()]
            for boards in theirs.values()
        ] == [list(each) for each in rounds]


@pytest.mark.parametrize("size", range(2, 11))
def test_a_double_round_exchanges_sides_and_nobody_has_one_side_three_times(size: int) -> None:
    rounds = berger(size, double=True)
    pairs = Counter(pair for each in rounds for pair in each)
    assert set(pairs.values()) == {1}
    assert len(pairs) == size * (size - 1)
    for number in range(1, size + 1):
        sides = "".join(
            "f" if pair[0] == number else "s" for each in rounds for pair in each if number in pair
        )
        assert "fff" not in sides
        assert "sss" not in sides


def test_divisions_are_as_equal_as_can_be_and_never_above_ten() -> None:
    assert divide(()) == ()
    assert divide(range(1, 11)) == (tuple(range(1, 11)),)
    assert [len(each) for each in divide(range(1, 12))] == [6, 5]
    assert [len(each) for each in divide(range(1, 257))] == [10] * 22 + [9] * 4
    with pytest.raises(ValueError, match="two"):
        berger(1)


def test_the_first_rise_and_the_last_fall() -> None:
    tables = ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12))
    everyone = frozenset(range(1, 13))
    assert next_divisions(tables, promoted=1, staying=everyone, largest=4) == (
        (1, 2, 3, 5),
        (4, 6, 7, 9),
        (8, 10, 11, 12),
    )
    # 2 and 6 leave: gaps are filled from below.
    assert next_divisions(tables, promoted=1, staying=everyone - {2, 6}, largest=4) == (
        (1, 3, 5, 4),
        (7, 9, 8),
        (10, 11, 12),
    )
    assert next_divisions(((1, 2),), promoted=2, staying=everyone) == ((1, 2),)
    assert next_divisions(((1, 2), (3, 4)), promoted=2, staying=everyone, largest=2) == (
        (3, 4),
        (1, 2),
    )


def test_who_rises_does_not_fall_as_well() -> None:
    assert movers(((1, 2), (3,), (4, 5)), 1) == ({3, 4}, {2})


def _league() -> Scenario:
    return Scenario("round_robin 6 division=3 promoted=1")


def test_directors_stay_who_left_does_not_and_the_best_come_first() -> None:
    event = _league()
    for director in (901, -(2**52)):  # one who had themselves erased since
        event.do(directing.appoint, UserId(director), by=900)
    event.do(registration.withdraw, 6, by=106)
    assert not is_league(event.t)
    event.play_out()
    assert is_league(event.t)
    new = next_season(event.t, event.act(), season_id(ID))[-1].tournament
    assert (new.setup.season, new.directors) == (event.t.setup.season + 1, (901,))
    # The last of the first division and the first of the second have changed places.
    assert [each.user_id for each in new.entrants] == [101, 102, 104, 103, 105]


def test_there_is_no_season_for_nobody() -> None:
    event = _league()
    for number in range(1, 7):
        event.do(registration.withdraw, number, by=100 + number)
    event.draw()
    assert event.t.status.is_final
    assert next_season(event.t, event.act(), season_id(ID)) == ()
