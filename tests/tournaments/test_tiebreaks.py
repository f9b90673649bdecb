"""Tie-breaks against gacrux's own, and against examples worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from bot.tournaments.domain.crosstable import (
    DRAW,
    LOSS,
    ROUND_ROBIN,
    SWISS,
    Basis,
    Crosstable,
    Cut,
    Side,
    TieBreak,
    adjusted_score,
    split,
    standings,
    value_of,
)
from bot.tournaments.domain.trf import Report, read_trf
from bot.tournaments.domain.trf_writing import write_trf
from tests.reference import FOLDER
from tests.tournaments.events_made import told_table
from tests.tournaments.gacrux_places import places_of_gacrux

FILES = sorted((FOLDER / "swiss").glob("*.trf"))[::3]
NUMBERS = (
    TieBreak.POINTS,
    TieBreak.BUCHHOLZ,
    TieBreak.BUCHHOLZ_CUT_1,
    TieBreak.MEDIAN_BUCHHOLZ,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.KOYA,
    TieBreak.WINS,
)


@pytest.mark.parametrize("file", FILES, ids=lambda each: each.stem)
def test_all_numbers_and_ranks_are_those_of_gacrux(file: Any) -> None:
    text = file.read_text(encoding="utf-8")
    table = Crosstable.of(read_trf(text).players)
    theirs = places_of_gacrux(text, NUMBERS)
    for place in standings(table, NUMBERS):
        assert [value.total for value in place.values] == theirs[place.number][1], place.number
    for order in (SWISS, (TieBreak.POINTS, TieBreak.DIRECT_ENCOUNTER, TieBreak.WINS)):
        ours = {place.number: place.rank for place in standings(table, order)}
        assert ours == {number: rank for number, (rank, _) in places_of_gacrux(text, order).items()}


def _swiss() -> Crosstable:
    """Four rounds of five players, with all that may go wrong.

    1: beats 2, draws 3, wins by forfeit against 4, beats 5.              3.5 points
    2: loses to 1, beats 4, half-point bye, zero-point bye.               1.5
    3: pairing bye, draws 1, beats 5, beats 4.                            3.5
    4: beats 5, loses to 2, loses to 1 by forfeit, loses to 3.            1
    5: loses to 4, pairing bye, loses to 3, loses to 1.                   1
    """
    return told_table(
        "2w1 3w= 4w+ 5w1", "1b0 4w1 H Z", "U 1b= 5w1 4w1", "5w1 2b0 1b- 3b0", "4b0 U 3b0 1b0"
    )


def test_byes_asked_for_at_the_end_count_as_draws_for_the_opponents() -> None:
    table = _swiss()
    assert adjusted_score(table, table.competitors[2]) == (Fraction(2), (3, 4))
    assert adjusted_score(table, table.competitors[4]) == (Fraction(1), ())
    # One who plays once more after the bye has it counted for what it was worth.
    later = told_table("Z 2w1")
    assert adjusted_score(later, later.competitors[1]) == (Fraction(1), ())
    # Forfeits after the bye change nothing, and count for what they were worth.
    gone = told_table("H 2w-")
    assert adjusted_score(gone, gone.competitors[1]) == (Fraction(1, 2), (1,))


def test_a_buchholz_names_each_opponent_and_what_their_score_counts_as() -> None:
    value = value_of(_swiss(), 1, TieBreak.BUCHHOLZ)
    # 2 (adjusted) + 3.5 + own 3.5 but at most the 1 of number 4 + 1.
    assert value.total == Fraction(15, 2)
    assert [(each.opponent, each.basis, each.score) for each in value.terms] == [
        (2, Basis.ADJUSTED, Fraction(2)),
        (3, Basis.SCORE, Fraction(7, 2)),
        (4, Basis.OWN_AT_MOST_OPPONENT, Fraction(1)),
        (5, Basis.SCORE, Fraction(1)),
    ]


def test_a_bye_counts_as_an_opponent_with_ones_own_score_but_no_more_than_draws() -> None:
    table = _swiss()
    first = value_of(table, 3, TieBreak.BUCHHOLZ).terms[0]
    assert (first.basis, first.value) == (Basis.OWN_AT_MOST_DRAWS, Fraction(2))
    second = value_of(table, 5, TieBreak.BUCHHOLZ).terms[1]
    assert (second.basis, second.value) == (Basis.OWN, Fraction(1))


def test_cutting_takes_a_round_not_played_of_ones_own_will_before_a_lower_score() -> None:
    table = _swiss()
    cut = [(each.round, each.cut) for each in value_of(table, 4, TieBreak.BUCHHOLZ_CUT_1).terms]
    # The scores are 1, 2, own 1 (the forfeit) and 3.5: the forfeit goes, though not alone least.
    assert cut == [(1, None), (2, None), (3, Cut.LEAST_UNPLAYED), (4, None)]
    assert value_of(table, 4, TieBreak.BUCHHOLZ_CUT_1).total == Fraction(13, 2)
    cut = [(each.round, each.cut) for each in value_of(table, 2, TieBreak.MEDIAN_BUCHHOLZ).terms]
    assert cut == [(1, Cut.GREATEST), (2, None), (3, Cut.LEAST_UNPLAYED), (4, None)]
    # 1 + 1.5: number 4, and the bye that was not cut.
    assert value_of(table, 2, TieBreak.MEDIAN_BUCHHOLZ).total == Fraction(5, 2)
    played = value_of(table, 1, TieBreak.BUCHHOLZ_CUT_1)
    assert [each.round for each in played.terms if each.cut is Cut.LEAST] == [3]


def test_sonneborn_berger_multiplies_by_what_was_scored() -> None:
    # 2 x 1 + 3.5 x 1/2 + 1 x 1 + 1 x 1.
    assert value_of(_swiss(), 1, TieBreak.SONNEBORN_BERGER).total == Fraction(23, 4)


def test_wins_without_a_game_are_wins_and_koya_wants_half_the_points() -> None:
    table = _swiss()
    assert value_of(table, 1, TieBreak.WINS).total == 3
    assert value_of(table, 3, TieBreak.WINS).total == 3
    koya = value_of(table, 1, TieBreak.KOYA)
    assert koya.total == DRAW
    assert [each.basis for each in koya.terms].count(Basis.NOTHING) == 3


def test_a_game_that_is_not_over_counts_nowhere() -> None:
    table = told_table("2wX", "1bX")
    for tie_break in NUMBERS:
        assert value_of(table, 1, tie_break).total == 0
        assert not value_of(table, 1, tie_break).terms
    assert split(table, (1, 2)) == [[1, 2]]


def test_direct_encounter_decides_between_two_and_then_among_those_left() -> None:
    # 1, 2 and 3 beat each other in a circle; 4 loses to all.
    circle = told_table("2w1 3w0 4w1", "1b0 3w1 4w1", "1b1 2b0 4w1", "1b0 2b0 3b0", fixed=True)
    places = standings(circle, (TieBreak.POINTS, TieBreak.DIRECT_ENCOUNTER))
    assert [(each.rank, each.number) for each in places] == [(1, 1), (1, 2), (1, 3), (4, 4)]
    # 1 beat 2, both have 2 points.
    two = told_table("2w1 3w1 4w0", "1b0 3w1 4w1", "1b0 2b0 4w1", "1b1 2b0 3b0", fixed=True)
    places = standings(two, ROUND_ROBIN)
    assert [each.number for each in places] == [1, 2, 3, 4]
    value = places[1].value(TieBreak.DIRECT_ENCOUNTER)
    assert value is not None
    assert [(each.opponent, each.points) for each in value.terms] == [(1, LOSS)]
    assert places[0].value(TieBreak.BUCHHOLZ) is None
    with pytest.raises(KeyError):
        value_of(two, 1, TieBreak.DIRECT_ENCOUNTER)


def test_in_a_swiss_only_a_lead_that_nobody_can_reach_decides() -> None:
    # 1 beat 2; 3 has met neither: 3 could have beaten both.
    assert split(told_table("2w1", "1b0", "4w1"), (1, 2, 3)) == [[1, 2, 3]]
    # 1 has beaten both 2 and 3, who have not met: first place is clear, the rest is not.
    assert split(told_table("2w1 3w1", "1b0", ". 1b0"), (1, 2, 3)) == [[1], [2, 3]]


def test_in_a_round_robin_a_forfeit_is_a_game_and_byes_bring_nothing() -> None:
    rows = (
        ("A", " 2.0    1     2 w 1     3 b +  0000 - Z"),
        ("B", " 1.0    2     1 b 0  0000 - Z     3 w 1"),
        ("C", " 0.0    3  0000 - Z     1 w -     2 b 0"),
    )
    players = "".join(
        f"{f'001    {number}      {name}':<80}{rest}\r"
        for number, (name, rest) in enumerate(rows, 1)
    )
    report = read_trf(f"012 One forfeit\r042 2026/04/01\r192 BERGER_ROUNDROBIN\r{players}")
    table = Crosstable.of(report.players, fixed=True)
    order = (TieBreak.POINTS, TieBreak.SONNEBORN_BERGER, TieBreak.KOYA, TieBreak.WINS)
    theirs = places_of_gacrux(write_trf(report), order, fixed=True)
    for place in standings(table, order):
        assert [each.total for each in place.values] == theirs[place.number][1], place.number
    assert value_of(table, 1, TieBreak.SONNEBORN_BERGER).total == 1


def test_the_table_as_it_was_and_one_of_nobody() -> None:
    table = _swiss()
    assert table.until(1).rounds == 1
    assert [each.number for each in standings(table.until(1), (TieBreak.POINTS,))] == [
        1,
        3,
        4,
        2,
        5,
    ]
    assert standings(Crosstable.of(())) == ()
    assert Report(()).paired == 0
    assert table.competitors[1].in_round(9) is None
    assert Side.FIRST.other is Side.SECOND
    assert Side.SECOND.other is Side.FIRST
