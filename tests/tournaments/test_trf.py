"""Report files: what is read, what is refused, and what is written."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from bot.tournaments.domain.crosstable import DRAW, WIN, Competitor, Kind, Side
from bot.tournaments.domain.swiss_pairing import (
    Paired,
    PairingFailed,
    PairingRequest,
    check_paired,
    first_side_of,
    paired_in,
    request_for,
)
from bot.tournaments.domain.trf import LARGEST, SCORING, Report, TrfError, decode, read_trf
from bot.tournaments.domain.trf_writing import Edition, decimal, write_csv, write_trf
from tests.tournaments.events_made import told_table


def _row(number: int, *cells: str, name: str = "A", rating: str = "") -> str:
    rest = "  ".join(cells)
    return f"001 {number:4}      {name:<33} {rating:>4}".ljust(80) + f" 0.0    1  {rest}"


TWO = "\n".join((_row(1, "   2 w 1"), _row(2, "   1 b 0")))


def test_all_records_that_concern_us_survive_being_written_and_read() -> None:
    head = """012 Spring  open
022 Graz
032 AUT
042 2026/03/14
052 2026-03-15 and later
062 2
142 5
152 B
162  W 3.0     D 1.0     L 0.0
192 FIDE_DUTCH_2026
222 5400+30
"""
    rows = _row(1, "   2 w 1", "0000 - H", rating="1800"), _row(2, "   1 b 0")
    byes = "240 F 003    1", "240 Z 003    2", "260 001 004    1    2", ""
    report = read_trf((head + "\n".join((*rows, *byes))).replace("\n", "\r"))
    assert (report.name, report.city, report.federation) == ("Spring  open", "Graz", "AUT")
    assert (report.starts, report.ends) == (date(2026, 3, 14), date(2026, 3, 15))
    assert (report.planned, report.first_side) == (5, Side.SECOND)
    assert (report.scoring["W"], report.scoring["P"], report.scoring["X"]) == (3, 3, 1)
    assert report.byes == {2: {1: Kind.HALF_BYE}, 3: {1: Kind.FULL_BYE, 2: Kind.ZERO_BYE}}
    assert (report.forbidden, report.other) == (((1, 4, (1, 2)),), ("222 5400+30",))
    assert (report.players[0].points, report.paired) == (4, 1)
    again = read_trf(write_trf(report).replace("\n", "\r"))
    assert again == replace(report, name="Spring open")
    old = write_trf(report, Edition.OF_2016)
    assert "XXR 5\n" in old
    assert "\n240" not in old
    assert "0000 - F" in old
    assert read_trf(old).planned == 5


def test_a_game_that_runs_is_written_so_and_read_so() -> None:
    report = read_trf(f"{_row(1, '   2 w')}\n{_row(2, '   1 b X')}")
    assert {line.kind for each in report.players for line in each.lines} == {Kind.PENDING}
    assert "   2 w X" in write_trf(report)
    assert read_trf(write_trf(report)).players == report.players


def test_forfeits_byes_and_unrated_results_are_told_apart() -> None:
    rows = (
        _row(1, "   2 w +", "   2 b W", "0000 - U", "0000 - +"),
        _row(2, "   1 b -", "   1 w L", "0000    ", "0000 - -"),
    )
    report = read_trf("\n".join(rows))
    kinds = [[line.kind for line in each.lines] for each in report.players]
    assert kinds == [
        [Kind.FORFEIT, Kind.PLAYED, Kind.PAIRING_BYE, Kind.FULL_BYE],
        [Kind.FORFEIT, Kind.PLAYED, Kind.ZERO_BYE, Kind.ZERO_BYE],
    ]
    assert write_trf(report).count("2 w +") == 1
    assert report.paired == 3
    assert paired_in(report, 3) == Paired((), 1)
    assert paired_in(report, 2) == Paired(((2, 1),))


WRONG = {
    "142 many": "rounds",
    "152 R": "W or B",
    "152 W\nXXC black1": "differ about the colour",
    "XXC green1": "white1 or black1",
    "162 nothing": "points",
    "162  W 3.0    Q 1.0": "points by result",
    "162  W 0.25": "0.25",
    "162  W 1.0    D 1.0": "more than a draw",
    "162  A 0.5": "forfeited",
    "BBW 3.0\nBBF -1": "points",
    "XXS WW=3": "different points for WW, BW",
    "XXS QQ=3": "XXS",
    "XXS W=": "points",
    "XXP 1 9": "player 9",
    "XXZ 9": "player 9",
    "XXA": "player's number",
    "XXA    1  much": "points",
    "250       1.0   1   2": "player's number",
    "250       1.0   1   2    1    9": "player 9",
    "XXQ 1": "XXQ is not supported",
    "BBX 1": "BBX is not supported",
    "300   1": "300 is not supported",
    "240 Q 002    1": "F, H or Z",
    "240 H 001    1": "something else in round 1",
    "310   1 Team": "team",
    "299 W": "299",
    "240 H 002    9": "player 9",
}
"""Records after two players, and the reason that is given at the last of them."""


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        *((f"{TWO}\n{text}", 3 + text.count("\n"), reason) for text, reason in WRONG.items()),
        ("", 0, "no TRF"),
        ("001 x", 1, "number"),
        (f"{_row(1)}\n{_row(1)}", 2, "twice"),
        (f"{_row(1, *['0000 - F'] * 2)}\nXXS W=60", 1, "more than 99.9 points"),
        (_row(1, "   2 w 1"), 1, "did not meet"),
        (_row(1, "   1 w 1"), 1, "did not meet"),
        (f"{_row(1, '   2 w 1')}\n{_row(2, '   1 w 0')}", 1, "differ"),
        (f"{_row(1, '   2 w 1')}\n{_row(2, '   1 b -')}", 1, "differ"),
        *((_row(1, each), 1, "does not go") for each in ("   2 w H", "0000 - 1")),
        (_row(1, "   2 - 1"), 1, "moved first"),
        (_row(1, "   2 w %"), 1, "no result"),
        (_row(1, "  2x w 1"), 1, "columns"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(TrfError, match=reason) as error:
        read_trf(text)
    assert error.value.line == line


@pytest.mark.parametrize("words", ["soon", "2026/02/30", "24/09/2010", ""])
def test_a_day_that_cannot_be_read_is_unknown(words: str) -> None:
    assert read_trf(f"{TWO}\n042 {words}").starts is None


@pytest.mark.parametrize(
    ("records", "points"),
    [
        ("XXS W=3\nXXS D=1", {"W": 3, "D": 1, "L": 0, "A": 0, "P": 3, "X": 1}),
        ("XXS W=3 D = 1 PAB=1.5", {"W": 3, "D": 1, "L": 0, "A": 0, "P": Fraction(3, 2), "X": 1}),
        ("BBW  3.0\nBBD  2.0\nBBL  1.0", {"W": 3, "D": 2, "L": 1, "A": 0, "P": 3, "X": 2}),
        ("BBU  0.5\nBBZ  0.0", {**SCORING, "P": DRAW}),
        ("162  W 3.0    D 1.0    P 1.0", {"W": 3, "D": 1, "L": 0, "A": 0, "P": 1, "X": 1}),
        ("162  W 3.0    D 1.0    X 0.0", {"W": 3, "D": 1, "L": 0, "A": 0, "P": 3, "X": 0}),
    ],
)
def test_points_by_result_are_read_from_every_record_and_written_in_nine_columns(
    records: str, points: dict[str, Fraction]
) -> None:
    report = read_trf(f"{TWO}\n{records}")
    assert report.scoring == points
    written = write_trf(report)
    line = next(line for line in written.splitlines() if line.startswith("162"))
    fields = {line[at]: Fraction(line[at + 1 : at + 5]) for at in range(5, len(line), 9)}
    assert ("X" in fields) == (points["X"] != points["D"])  # bbpPairings refuses a report with it.
    assert {"X": points["D"], **fields} == points
    assert read_trf(written).scoring == points


def test_records_of_other_programs_say_who_may_not_meet_who_is_away_and_what_is_added() -> None:
    report = read_trf(f"{TWO}\nXXP 1 2\nXXZ 2\nXXA    1  1.0  0.0  0.5\nXXC black1 rank\n092 Swiss")
    assert report.forbidden == ((1, 999, (1, 2)),)
    assert report.byes == {2: {2: Kind.ZERO_BYE}}
    assert report.accelerated == ((WIN, 1, 1, 1, 1), (DRAW, 3, 3, 1, 1))
    assert report.first_side is Side.SECOND
    assert [each.line for each in report.unpairable] == [6]
    again = read_trf(write_trf(report))
    assert (again.forbidden, again.byes, again.accelerated) == (
        report.forbidden,
        report.byes,
        report.accelerated,
    )


def test_a_bye_that_only_record_240_tells_of_has_its_points() -> None:
    report = read_trf(f"{_row(1, '   2 w 1')}\n{_row(2, '   1 b 0')}\n{_row(3)}\n240 H 001    3")
    assert [each.points for each in report.players] == [1, 0, DRAW]


def test_stated_points_that_are_not_what_the_results_are_worth_are_told() -> None:
    def stated(points: str, *more: str) -> list[int]:
        first = _row(1, "   2 w 1", *more).replace(" 0.0    1  ", f"{points:>4}    1  ")
        text = f"{first}\n{_row(2, '   1 b 0')}\nXXA    1  1.0  0.5"
        return [each.line for each in read_trf(text).contradictions]

    assert stated("3.0") == [1]
    assert stated("x") == [1]
    for right in ("1.0", "1", "", "2.0", "1.5"):  # with what is added in round 1, or in round 2
        assert stated(right) == []
    # Programs differ in whether a bye of the next round is counted.
    assert stated("1.5", "0000 - H") == stated("1.0", "0000 - H") == []


def test_files_are_text_of_a_size_that_is_no_trap() -> None:
    assert decode("012 Österreich".encode()) == "012 Österreich"
    assert decode("\ufeff012 x".encode()) == "012 x"
    assert decode("012 Österreich".encode("latin-1")) == "012 Österreich"
    for wrong in (b"a\0b", b"x" * (LARGEST + 1)):
        with pytest.raises(TrfError):
            decode(wrong)


def test_points_have_one_digit_and_csv_is_never_a_formula() -> None:
    assert decimal(Fraction(21, 2)) == "10.5"
    with pytest.raises(ValueError, match="7/3"):
        decimal(Fraction(7, 3))
    written = write_csv(
        ("Rank", "Name", "Points"),
        [(1, '=SUM("A")', Fraction(7, 2)), (2, "Ann, the first", Fraction(7, 3)), (3, "", None)],
    )
    assert written == (
        'Rank,Name,Points\r\n1,"\'=SUM(""A"")",3.5\r\n2,"Ann, the first",2.3333\r\n3,,\r\n'
    )


def test_what_is_asked_of_an_engine_holds_the_rounds_before_and_its_byes() -> None:
    half = {2: {2: Kind.HALF_BYE}, 3: {1: Kind.ZERO_BYE}}
    report = replace(read_trf(TWO), byes=half)
    asked = request_for(report, 2)
    assert (asked.report.planned, asked.report.first_side) == (2, Side.FIRST)
    assert asked.report.byes == {2: {2: Kind.HALF_BYE}}
    assert [each.number for each in asked.present] == [1]
    assert all(not each.lines for each in request_for(report, 1).report.players)
    assert first_side_of(()) is Side.FIRST


@pytest.mark.parametrize(
    ("first", "pairs", "bye", "is_right"),
    [
        ("2w1", ((1, 3),), 2, True),
        ("2w1", ((1, 2),), 3, False),  # have met
        ("2w1", ((2, 3),), 1, False),  # are kept apart
        ("2w1", ((1, 3), (3, 2)), None, False),
        ("2w1", ((1, 3),), None, False),
        ("2w+", ((1, 2),), 3, False),  # had a bye before
    ],
)
def test_an_answer_that_is_no_pairing_is_refused(
    first: str, pairs: tuple[tuple[int, int], ...], bye: int | None, is_right: bool
) -> None:
    table = told_table(first, first.translate(str.maketrans("2w1+", "1b0-")), "U")
    players = tuple(table.competitors.values())
    request = PairingRequest(Report(players, forbidden=((2, 2, (2, 3)),)), 2)
    with nullcontext() if is_right else pytest.raises(PairingFailed):
        check_paired(request, Paired(pairs, bye))


def test_reports_without_ranks_rounds_or_a_player_in_a_round() -> None:
    rows = ("001    1", "001    2".ljust(91) + "   3 w 1", "001    3".ljust(91) + "   2 b 0")
    report = read_trf("\n".join(rows))
    assert not report.ranks
    assert first_side_of(report.players) is Side.FIRST
    assert paired_in(report, 1) == Paired(((2, 3),))
    assert "XXR" not in write_trf(report, Edition.OF_2016)
    assert Competitor(1).points == 0
