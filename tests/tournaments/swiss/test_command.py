"""``parlour tournament``: what it prints, and how it ends."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.__main__ import main
from tests.reference import FOLDER

SMALL = FOLDER / "swiss/004p2r-1000.trf"
REPORTS = Path(__file__).parent / "reports"
ODD = FOLDER / "swiss/007p3r-1003.trf"


def _changed(tmp_path: Path, old: str, new: str) -> Path:
    file = tmp_path / "changed.trf"
    text = SMALL.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file


@pytest.mark.long
def test_all_rounds_are_paired_again_and_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tournament", "check", str(ODD)]) == 0
    assert "3 rounds paired again, 0 differ." in capsys.readouterr().out
    # The same pairs, but the sides of one board of round 1 the wrong way round.
    text = SMALL.read_text(encoding="utf-8").replace("4 b 1     1 w 0", "4 w 1     1 w 0")
    file = tmp_path / "sides.trf"
    file.write_text(text.replace("2 w 0     3 b =", "2 b 0     3 b ="), encoding="utf-8")
    assert main(["tournament", "check", str(file)]) == 1
    said = capsys.readouterr().out
    assert "file:    2-4" in said
    assert "program: 4-2" in said


def test_the_next_round_is_paired(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "pair", str(SMALL)]) == 0
    # Of two who have the same wish it is granted to the higher seed: 1 moves first, 2 second.
    assert capsys.readouterr().out == "Round 3\n  1.    1 -    4\n  2.    3 -    2\n"


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
def test_reports_of_other_programs_are_paired_as_they_say(
    name: str, pairs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tournament", "pair", str(REPORTS / f"{name}.trf")]) == 0
    said = capsys.readouterr()
    boards = [line.split() for line in said.out.splitlines()[1:]]
    assert " ".join(f"{first}-{second}" for _, first, _, second in boards) == pairs
    assert not said.err


def test_rounds_of_a_report_with_points_of_its_own_are_paired_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["tournament", "check", str(REPORTS / "t_162_310.trf")]) == 0
    assert "2 rounds paired again, 0 differ." in capsys.readouterr().out


def test_a_pairing_bye_is_worth_what_the_report_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "standings", str(REPORTS / "pab_half_bbu.trf")]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[4].split("\t")[:4] == ["4", "7", "Gale", "0.5"]
    assert not said.err


@pytest.mark.long
def test_accelerated_rounds_are_paired_alike_in_both_ways_to_say_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (REPORTS / "t_xxc_black.trf").read_text(encoding="utf-8")
    said = {}
    for name, records in {
        "plain": "",
        "250": "250       1.0   1   2    1    4\n",
        "XXA": "".join(f"XXA {number:4}  1.0  1.0\n" for number in range(1, 5)),
        "other": "".join(f"XXA {number:4}  0.0  1.0\n" for number in range(1, 5)),
    }.items():
        file = tmp_path / f"{name}.trf"
        file.write_text(text + records, encoding="utf-8")
        assert main(["tournament", "pair", str(file)]) == 0
        said[name] = capsys.readouterr().out
    assert said["250"] == said["XXA"] != said["plain"]
    assert said["other"] == said["plain"]


def test_a_round_without_anyone_is_no_round(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "pair", str(REPORTS / "w_blank.trf")]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert "nobody is present in round 2" in said.err


@pytest.mark.parametrize(
    "record", ["192 FIDE_DUBOV", "192 FIDE_DUTCH_2026_BAKU", "192 ROUND_ROBIN", "XXC rank"]
)
def test_a_record_that_asks_for_other_pairs_is_refused_by_its_line(
    record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other.trf"
    file.write_text(f"{record}\n{SMALL.read_text(encoding='utf-8')}", encoding="utf-8")
    for action in ("pair", "check"):
        assert main(["tournament", action, str(file)]) == 2
        said = capsys.readouterr()
        assert not said.out
        assert "line 1: " in said.err
    assert main(["tournament", "standings", str(file)]) == 0


def test_points_that_contradict_the_results_pair_nothing_and_are_told_with_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (REPORTS / "t_xxs310.trf").read_text(encoding="utf-8")
    file = tmp_path / "without.trf"
    file.write_text(text.replace("XXS", "###"), encoding="utf-8")
    for action in ("pair", "check"):
        assert main(["tournament", action, str(file)]) == 2
        said = capsys.readouterr()
        assert not said.out
        assert "line 6: player 1 has 3.0 points here, but the results are worth 1" in said.err
    assert main(["tournament", "standings", str(file)]) == 0
    said = capsys.readouterr()
    assert said.out.count("\n") == 9
    assert "player 1 has 3.0 points" in said.err
    assert "6 more" in said.err


def test_in_a_round_robin_a_forfeited_game_is_one_against_that_opponent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SMALL.read_text(encoding="utf-8").replace("3 w 1", "3 w +").replace("1 b 0", "1 b -")
    sums = {}
    for code in ("092 ROUND_ROBIN", "092 FIDE_DUTCH_2026"):
        file = tmp_path / "event.trf"
        file.write_text(text.replace("092 FIDE_DUTCH_2025", code), encoding="utf-8")
        assert main(["tournament", "standings", str(file)]) == 0
        rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
        sums[code] = next(row[5] for row in rows if row[1] == "3")
    assert sums == {"092 ROUND_ROBIN": "2.5", "092 FIDE_DUTCH_2026": "1"}


def test_standings_have_all_tie_breaks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "standings", str(SMALL)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split("\t")[:6] == ["Rank", "No", "Name", "PTS", "BH/C1", "BH"]
    assert lines[3].split("\t")[:6] == ["3", "3", "Test0003 Player0003", "0.5", "2", "2.5"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Dear Sir,\nhere are the results.\n", "this is no TRF"),
        ("012 Empty\r", "this is no TRF"),
        ("\0\1\2", "not text"),
        ("001 two\n", "line 1: 'two' is not a player's number"),
    ],
)
def test_what_is_no_report_is_refused_in_one_line(
    text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "no.trf"
    file.write_text(text, encoding="utf-8")
    for action in ("pair", "check", "standings"):
        assert main(["tournament", action, str(file)]) == 2
        told = capsys.readouterr()
        assert not told.out
        assert told.err.count("\n") == 1
        assert reason in told.err


def test_a_file_that_is_not_there_and_a_tournament_that_is_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tournament", "pair", str(tmp_path / "none.trf")]) == 2
    assert "No such file" in capsys.readouterr().err
    over = _changed(tmp_path, "092 ", "142 2\n092 ")
    assert main(["tournament", "pair", str(over)]) == 2
    assert "all 2 rounds have been paired" in capsys.readouterr().err
    file = tmp_path / "running.trf"
    lines = SMALL.read_text(encoding="utf-8").replace("3 b =", "3 b X").replace("4 w =", "4 w X")
    file.write_text(lines, encoding="utf-8")
    assert main(["tournament", "pair", str(file)]) == 2
    assert "the game of player 3 is not over yet" in capsys.readouterr().err


@given(st.one_of(st.binary(max_size=400), st.text(max_size=400).map(str.encode)))
@settings(max_examples=60, deadline=None)
def test_no_file_whatever_is_in_it_is_more_than_unreadable(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "any.trf"
        file.write_bytes(content)
        told = StringIO()
        with redirect_stdout(StringIO()), redirect_stderr(told):
            assert main(["tournament", "check", str(file)]) == 2
        assert told.getvalue().count("\n") == 1
        assert file.read_bytes() == content
