"""Tables of four: every design checked for meetings and seats, and the search beside it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from bot.tournaments.domain.formats.tables import (
    BYE,
    DESIGNS,
    Result,
    Seated,
    design,
    place_points,
    ranked,
    seat,
)


def _rounds(size: int, rounds: int, seed: int = 1) -> list[Seated]:
    found: list[Seated] = []
    for _ in range(rounds):
        found.append(seat(range(1, size + 1), found, seed=seed, rounds=rounds))
    return found


def _meetings(rounds: list[Seated]) -> Counter[tuple[int, int]]:
    met: Counter[tuple[int, int]] = Counter()
    for each in rounds:
        for table in each.tables:
            met.update(combinations(sorted(table), 2))
    return met


def _seats(rounds: list[Seated]) -> dict[int, Counter[int]]:
    found: dict[int, Counter[int]] = {}
    for each in rounds:
        for table in each.tables:
            for at, player in enumerate(table):
                found.setdefault(player, Counter())[at] += 1
    return found


@pytest.mark.parametrize(("size", "rounds"), DESIGNS.items())
def test_in_a_design_all_pairs_meet_equally_often_and_seats_are_even(
    size: int, rounds: int
) -> None:
    assert len(design(size)) == rounds
    drawn = _rounds(size, rounds)
    for each in drawn:
        assert sorted(player for table in each.tables for player in table) == list(
            range(1, size + 1)
        )
    met = _meetings(drawn)
    assert len(met) == size * (size - 1) // 2
    assert set(met.values()) == {3 if size == 8 else 1}
    for counts in _seats(drawn).values():
        assert max(counts.values()) - min(counts[at] for at in range(4)) <= 1


@pytest.mark.long
@pytest.mark.parametrize("size", [4, 5, 6, 7, 12, 13, 18, 20, 64])
def test_other_numbers_meet_rarely_sit_evenly_and_sit_out_in_turn(size: int) -> None:
    rounds = 5
    drawn = _rounds(size, rounds)
    for each in drawn:
        playing = [player for table in each.tables for player in table]
        assert sorted((*playing, *each.byes)) == list(range(1, size + 1))
        assert len(each.byes) == size % 4
        assert all(len(table) == 4 for table in each.tables)
    out = Counter(player for each in drawn for player in each.byes)
    counts = [out[player] for player in range(1, size + 1)]
    assert max(counts) - min(counts) <= 1
    for seats in _seats(drawn).values():
        assert max(seats.values()) - min(seats[at] for at in range(4)) <= 2
    if size >= 20:
        met = _meetings(drawn)
        assert max(met.values()) <= 2
        assert sum(each - 1 for each in met.values()) <= (10 if size == 20 else 0)


def test_the_same_seed_draws_the_same_and_who_leaves_ends_a_design() -> None:
    assert _rounds(16, 5, seed=3) == _rounds(16, 5, seed=3)
    assert _rounds(16, 5, seed=3) != _rounds(16, 5, seed=4)
    begun = _rounds(16, 2)
    left = [each for each in range(1, 17) if each != 5]
    after = seat(left, begun, seed=1, rounds=5)
    assert len(after.byes) == 3
    assert 5 not in {player for table in after.tables for player in table}
    assert len(_rounds(8, 9)) == 9
    with pytest.raises(ValueError, match="four"):
        seat((1, 2, 3), (), seed=1)


@pytest.mark.parametrize(
    ("scores", "absent", "points"),
    [
        ((30, 20, 10, 0), (), ("4", "2", "1", "0")),
        ((10, 20, 20, 5), (), ("1", "3", "3", "0")),
        ((7, 7, 7, 0), (), ("7/3", "7/3", "7/3", "0")),
        ((1, 1, 1, 1), (), ("7/4", "7/4", "7/4", "7/4")),
        ((0, 9, 3, 3), (1,), ("1", "0", "3", "3")),
        ((0, 0, 0, 0), (0, 1, 2, 3), ("0", "0", "0", "0")),
    ],
)
def test_places_are_worth_4_2_1_0_and_ties_share(
    scores: tuple[float, ...], absent: tuple[int, ...], points: tuple[str, ...]
) -> None:
    assert place_points(scores, absent) == tuple(map(Fraction, points))
    assert Fraction(7, 4) == BYE


def _at(*tables: str) -> tuple[Result, ...]:
    """Tables with their players from the first place to the last."""
    points = tuple(map(Fraction, (4, 2, 1, 0)))
    return tuple((tuple(map(int, each.split())), points) for each in tables)


def test_equal_points_are_told_apart_by_common_tables_and_then_by_wins() -> None:
    # 2 has 6; 1 has 5; 5 has 4; 3 has 3; 6 has 2; 8 a bye; 7 has 1; 4 nothing.
    places = ranked(range(1, 9), _at("1 2 3 4", "5 6 7 8", "2 3 1 5"), {8: 1})
    assert [each.number for each in places] == [2, 1, 5, 3, 6, 8, 7, 4]
    assert [each.rank for each in places] == [*range(1, 9)]
    level = _at("2 1 3 4", "1 2 5 6", "7 8 9 10", "8 7 9 10")
    first = ranked(range(1, 11), level)[:4]
    assert [(each.rank, each.number) for each in first] == [(1, 1), (1, 2), (1, 7), (1, 8)]
    assert [each.together for each in first] == [6, 6, 6, 6]
