"""``python -m games`` for people."""

from __future__ import annotations

import io
import runpy
import sys
from pathlib import Path

import pytest

from games import catalog
from games.__main__ import main
from games.playout import record


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def test_list_names_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "list")
    assert [line.split()[0] for line in lines] == list(catalog.GAMES)


@pytest.mark.parametrize("key", list(catalog.GAMES))
def test_show_tells_options_and_rules(capsys: pytest.CaptureFixture[str], key: str) -> None:
    info = catalog.GAMES[key].info
    text = "\n".join(said(capsys, "show", key))
    assert info.designer in text
    for option in info.options:
        assert f"  {option.key}: " in text
    for page in info.pages:
        assert page.body.message in text
    assert ": . " not in text, "a preset may leave all options as they are"


def test_show_quax_tells_the_values_of_options(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "show", "quax")
    assert "  size: 11, 7, 9, 13, 15 (any from 3 to 15)" in lines
    assert "  pie: on, off" in lines


def test_perft_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "perft", "quax", "3", "size=3", "pie=off") == ["504"]
    assert said(capsys, "perft", "quax", "0", "--divide") == ["1"]


def test_perft_divides(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "perft", "quax", "2", "--divide", "size=3", "pie=off")
    assert lines[0] == "a1 8"
    assert lines[-1] == "total 72"
    assert len(lines) == 10


def test_selfplay_tells_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "selfplay", "quax", "--games", "20", "--seed", "3", "size=5")
    assert lines[0] == "20 random games, seed 3, scores of Black, Red:"
    assert sum(int(line.split(": ")[1]) for line in lines[1:3]) == 20
    assert lines[3].startswith("moves: ")
    assert said(capsys, "selfplay", "quax", "--games", "0")[1:] == []


def test_record_and_replay(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["record", "quax", "--seed", "4", "--plies", "9", "size=5"]) == 0
    text = capsys.readouterr().out
    assert text == record("quax", {"size": 5}, seed=4, plies=9)
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out == ""


def test_replay_shows_differences(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = record("quax", {"size": 3}, seed=4)
    path = tmp_path / "game.txt"
    path.write_text(text.replace(" x ", " u ", 1), encoding="utf-8")
    assert main(["replay", str(path)]) == 1
    assert f"{path}: -" in capsys.readouterr().out
    assert main(["replay", "--remake", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "chess"], "game_unknown"),
        (["perft", "quax", "2", "size=99"], "option_value"),
        (["selfplay", "quax", "colour=blue"], "option_unknown"),
    ],
)
def test_what_cannot_be_done_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert main(arguments) == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["perft", "quax"],
        ["perft", "quax", "two"],
        ["perft", "quax", "2", "size"],
        ["perft", "quax", "2", "--divide", "size"],
        ["list", "size=3"],
        ["list", "--all"],
    ],
)
def test_misuse_shows_the_usage(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err


class Pipe(io.TextIOWrapper):
    """A standard stream over bytes."""


def test_shell_serves_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", Pipe(io.BytesIO(b"games\n")))
    monkeypatch.setattr(sys, "stdout", Pipe(out))
    assert main(["shell"]) == 0
    assert out.getvalue().decode().split()[1:] == list(catalog.GAMES)


def test_runs_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["games", "list"])
    monkeypatch.delitem(sys.modules, "games.__main__")
    with pytest.raises(SystemExit) as caught:
        runpy.run_module("games", run_name="__main__")
    assert caught.value.code == 0
    assert "quax" in capsys.readouterr().out
