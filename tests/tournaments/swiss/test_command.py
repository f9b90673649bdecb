"""``parlour tournament``: what it prints, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.__main__ import main
from tests.reference import FOLDER

SMALL = FOLDER / "swiss/004p2r-1000.trf"
REPORTS = Path(__file__).parent / "reports"
ODD = FOLDER / "swiss/007p3r-1003.trf"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the command on a file, or on one with these changes; how it ends and what it prints."""

    def ran(action: str, file: Path | str, *changes: tuple[str, str]) -> tuple[int, str, str]:
        text = file if isinstance(file, str) else file.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        changed = tmp_path / "event.trf"
        changed.write_text(text, encoding="utf-8")
        said, told = StringIO(), StringIO()
        with redirect_stdout(said), redirect_stderr(told):
            code = main(["tournament", action, str(changed)])
        return code, said.getvalue(), told.getvalue()

    return ran


@pytest.mark.long
def test_all_rounds_are_paired_again_and_compared(run: Run) -> None:
    # Its own points are those of the second report.
    for report, rounds in ((ODD, 3), (REPORTS / "t_162_310.trf", 2)):
        code, said, _ = run("check", report)
        assert code == 0
        assert f"{rounds} rounds paired again, 0 differ." in said
    # The same pairs, but the sides of one board of round 1 the wrong way round.
    turned = ("4 b 1     1 w 0", "4 w 1     1 w 0"), ("2 w 0     3 b =", "2 b 0     3 b =")
    code, said, _ = run("check", SMALL, *turned)
    assert code == 1
    assert "file:    2-4" in said
    assert "program: 4-2" in said


def test_the_next_round_is_paired(run: Run) -> None:
    # Of two who have the same wish it is granted to the higher seed: 1 moves first, 2 second.
    assert run("pair", SMALL) == (0, "Round 3\n  1.    1 -    4\n  2.    3 -    2\n", "")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        ("t_162_310", "5-4 1-2 3-6 8-7"),
        ("t_xxs310", "5-4 1-2 3-6 8-7"),
        ("t_xxp_r1", "1-6 5-2 3-7 8-4"),
        ("t_xxc_black", "5-1 2-6 7-3 4-8"),
        ("t_xxz_r1", "2-6 7-3 4-8"),
        ("date_dmy", "2-1 4-3 6-5"),
    ],
)
def test_reports_of_other_programs_are_paired_as_they_say(name: str, pairs: str, run: Run) -> None:
    code, said, told = run("pair", REPORTS / f"{name}.trf")
    boards = [line.split() for line in said.splitlines()[1:]]
    assert " ".join(f"{first}-{second}" for _, first, _, second in boards) == pairs
    assert (code, told) == (0, "")


@pytest.mark.long
def test_accelerated_rounds_are_paired_alike_in_both_ways_to_say_it(run: Run) -> None:
    text = (REPORTS / "t_xxc_black.trf").read_text(encoding="utf-8")
    plain, record, added, other = (
        run("pair", text + records)[1]
        for records in (
            "",
            "250       1.0   1   2    1    4\n",
            "".join(f"XXA {number:4}  1.0  1.0\n" for number in range(1, 5)),
            "".join(f"XXA {number:4}  0.0  1.0\n" for number in range(1, 5)),
        )
    )
    assert record == added != plain == other


@pytest.mark.parametrize(
    "record", ["192 FIDE_DUBOV", "192 FIDE_DUTCH_2026_BAKU", "192 ROUND_ROBIN", "XXC rank"]
)
def test_a_record_that_asks_for_other_pairs_is_refused_by_its_line(record: str, run: Run) -> None:
    text = f"{record}\n{SMALL.read_text(encoding='utf-8')}"
    for action in ("pair", "check"):
        code, said, told = run(action, text)
        assert (code, said) == (2, "")
        assert "line 1: " in told
    assert run("standings", text)[0] == 0


def test_points_that_contradict_the_results_pair_nothing_and_are_told_with_the_table(
    run: Run,
) -> None:
    without = REPORTS / "t_xxs310.trf", ("XXS", "###")
    for action in ("pair", "check"):
        code, said, told = run(action, *without)
        assert (code, said) == (2, "")
        assert "line 6: player 1 has 3.0 points here, but the results are worth 1" in told
    code, said, told = run("standings", *without)
    assert (code, said.count("\n")) == (0, 9)
    assert "player 1 has 3.0 points" in told
    assert "6 more" in told


def test_standings_have_all_tie_breaks(run: Run) -> None:
    lines = run("standings", SMALL)[1].splitlines()
    assert lines[0].split("\t")[:6] == ["Rank", "No", "Name", "PTS", "BH/C1", "BH"]
    assert lines[3].split("\t")[:6] == ["3", "3", "Test0003 Player0003", "0.5", "2", "2.5"]
    # A pairing bye is worth what the report says.
    _, said, told = run("standings", REPORTS / "pab_half_bbu.trf")
    assert (said.splitlines()[4].split("\t")[:4], told) == (["4", "7", "Gale", "0.5"], "")


def test_in_a_round_robin_a_forfeited_game_is_one_against_that_opponent(run: Run) -> None:
    for code, buchholz in (("092 ROUND_ROBIN", "2.5"), ("092 FIDE_DUTCH_2026", "1")):
        changes = ("3 w 1", "3 w +"), ("1 b 0", "1 b -"), ("092 FIDE_DUTCH_2025", code)
        rows = [line.split("\t") for line in run("standings", SMALL, *changes)[1].splitlines()]
        assert next(row[5] for row in rows if row[1] == "3") == buchholz


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Dear Sir,\nhere are the results.\n", "this is no TRF"),
        ("012 Empty\r", "this is no TRF"),
        ("\0\1\2", "not text"),
        ("001 two\n", "line 1: 'two' is not a player's number"),
    ],
)
def test_what_is_no_report_is_refused_in_one_line(text: str, reason: str, run: Run) -> None:
    for action in ("pair", "check", "standings"):
        code, said, told = run(action, text)
        assert (code, said, told.count("\n")) == (2, "", 1)
        assert reason in told


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ([("092 ", "142 2\n092 ")], "all 2 rounds have been paired"),
        ([("3 b =", "3 b X"), ("4 w =", "4 w X")], "the game of player 3 is not over yet"),
    ],
)
def test_a_round_that_cannot_be_next_is_not_paired(
    changes: list[tuple[str, str]], reason: str, run: Run
) -> None:
    code, said, told = run("pair", SMALL, *changes)
    assert (code, said) == (2, "")
    assert reason in told


def test_a_round_without_anyone_is_no_round_and_a_file_has_to_be_there(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said, told = run("pair", REPORTS / "w_blank.trf")
    assert (code, said) == (2, "")
    assert "nobody is present in round 2" in told
    assert main(["tournament", "pair", "none.trf"]) == 2
    assert "No such file" in capsys.readouterr().err


@given(st.one_of(st.binary(max_size=400), st.text(max_size=400).map(str.encode)))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_file_whatever_is_in_it_is_more_than_unreadable(tmp_path: Path, content: bytes) -> None:
    file, told = tmp_path / "any.trf", StringIO()
    file.write_bytes(content)
    with redirect_stdout(StringIO()), redirect_stderr(told):
        assert main(["tournament", "check", str(file)]) == 2
    assert told.getvalue().count("\n") == 1
    assert file.read_bytes() == content
