"""The line protocol with an engine in it, and the commands around it."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest

from engines.__main__ import main
from engines.shell import EngineShell
from games.shell import serve


def answers(*lines: str) -> list[str]:
    shell = EngineShell()
    return [shell.answer(line) for line in lines]


def test_go_answers_a_move_and_leaves_the_game_as_it_is() -> None:
    got = answers("new quax size=3 pie=off", "set 3/xx1/u1u x -", "go level=5 seed=1", "position")
    assert got[2:] == ["= c2", "= 3/xx1/u1u x -"]


def test_the_board_may_be_of_another_size_than_the_game_was_begun_with() -> None:
    assert answers("new quax", "set 3/xx1/u1u x -", "go level=5")[2] == "= c2"
    got = answers("new quux", "set L,2/L,l,l/3 W 234 344 p", "go nodes=500")
    assert got[2] in {"= La1", "= Ma1", "= Sa1"}


def test_analyse_tells_moves_values_and_lines() -> None:
    got = answers("new quax size=3 pie=off", "set 3/xx1/u1u x -", "analyse nodes=50 seed=2")
    assert got[2].startswith("= c2 1.000 win pv c2 | b3 1.000 win pv b3 ")
    best = answers("new ziggurat", "analyse nodes=200")[1].removeprefix("= ").split(" | ")
    assert len(best) == 8
    values = [float(each.split()[1]) for each in best]
    assert values == sorted(values, reverse=True)
    assert all(each.split()[0] == each.split()[3] for each in best)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("go", "? usage go level=N seed=S, or go nodes=N seed=S"),
        ("go level=1 nodes=3", "? usage go level=N seed=S, or go nodes=N seed=S"),
        ("go level=9", "? usage levels go from 1 to 6"),
        ("go nodes=x", "? usage level=N nodes=N seed=N, each once, at most 10000000"),
        ("analyse", "? usage analyse nodes=N seed=S"),
        ("analyse level=3", "? usage nodes=N seed=N, each once, at most 10000000"),
        ("levels", "= 6"),
    ],
)
def test_what_cannot_be_asked_gets_a_clear_answer(line: str, answer: str) -> None:
    assert answers("new quax size=3", line)[1] == answer
    assert answers(line)[0].startswith("? ")


def test_nothing_is_played_after_the_end() -> None:
    got = answers("new quax", "set 3/3/xxx u -", "go level=1", "analyse nodes=5")
    assert got[2:] == ["? game_over there is no move to make"] * 2


def test_served_over_bytes() -> None:
    source, out = BytesIO(b"new quux\nlevels\nquit\n"), BytesIO()
    serve(source, out, EngineShell())
    assert out.getvalue().splitlines()[1:] == [b"= 6", b"="]


def test_a_match_is_the_same_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for name in ("one", "two"):
        command = ["match", "n20", "random", "--game", "quax", "--option", "size=3"]
        assert main([*command, "--games", "6", "--records", str(tmp_path / name)]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert told[0].splitlines()[0] == "n20 v random: 6 won, 0 drawn, 0 lost"
    lines = (tmp_path / "one").read_text().splitlines()
    games = [json.loads(line) for line in lines]
    again = [json.loads(line) for line in (tmp_path / "two").read_text().splitlines()]
    assert [played.pop("seconds") for played in games if played]
    for played in again:
        del played["seconds"]
    assert games == again
    assert [game["players"] for game in games] == [["n20", "random"], ["random", "n20"]] * 3
    # Openings are paired: the same two moves, once for each side.
    assert all(games[n]["moves"][:2] == games[n + 1]["moves"][:2] for n in (0, 2, 4))
    assert len({tuple(game["moves"][:2]) for game in games}) > 1


def test_seats_of_four_are_shared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["match", "random", "random", "--game", "pythagoras", "--games", "4"]
    assert main([*command, "--records", str(tmp_path / "games")]) == 0
    games = [json.loads(line) for line in (tmp_path / "games").read_text().splitlines()]
    assert len(games) == 4
    assert all(0 <= game["score"] <= 1 for game in games)
    assert "random v random" in capsys.readouterr().out


def test_a_player_that_nobody_knows_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "stockfish", "1", "--game", "quax"]) == 1
    assert "stockfish" in capsys.readouterr().err
    assert main(["match", "1", "2", "--game", "quax", "--option", "size"]) == 1


def test_the_ladder_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["ladder", "--game", "quax", "--option", "size=3", "--games", "4", "--from", "6"]
    assert main([*command, "--results", str(tmp_path)]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[2].startswith("| 6 v 5 | ")
    kept = json.loads((tmp_path / "quax_size-3_pie-on.json").read_text())
    assert 2 <= kept["6 v 5"]["games"] <= 4
    assert len((tmp_path / "quax_size-3_pie-on_6_5.jsonl").read_text().splitlines()) >= 2
