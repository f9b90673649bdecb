"""The line protocol: one answer a line, ``=`` or ``?``, and nothing changed by a refusal."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.quax import Quax
from games.shell import LONGEST_LINE, Shell, serve

ROOT = Path(__file__).parents[2]


def answers(*lines: str) -> list[str]:
    shell = Shell()
    return [shell.answer(line) for line in lines]


def last(*lines: str) -> str:
    return answers(*lines)[-1]


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ("new quax", "quax size=11 pie=on"),
        ("new quax pie=off size=5", "quax size=5 pie=off"),
        ("new quax size=5 seed=17", "quax size=5 pie=on"),
        ("new quax size=5 | play C3 swap ｂ２ d4", "c3 swap b2 d4"),
        ("new quax size=5 pie=off | play b2 e5 a1 e4 B2-A1", "b2 e5 a1 e4 a1b2"),
        ("set 3/xux/1xu x b2c1", "3/xux/1xu x b2c1"),
        ("set 3/xux/1xu x b2c1 | turn", "x"),
        ("set 3/xux/1xu x b2c1 | legal", "a1 a2b1 a3 b3 c3"),
        ("new quax size=3 | play b2 | state", "3/1x1/3 u - swap"),
        ("set 3/1x1/3 u - swap | play swap", "swap"),
        ("new quax size=3 | state", "3/3/3 x - pie"),
        ("new quax size=3 | position", "3/3/3 x -"),
        ("new quax size=3 pie=off | turn", "x"),
        ("new quax size=3 pie=off | result", "none"),
        ("set 3/3/xxx u - | turn", "-"),
        ("set 3/3/xxx u - | result", "connection 1 0"),
        ("set 1u1/1u1/1u1 x - | result", "connection 0 1"),
        ("set 3/3/xxx u - | legal", ""),
        ("set 3/3/xxx u - | perft 1", "0"),
        ("set 3/3/xxx u - | perft 0", "1"),
        ("new quax size=3 pie=off | perft 6", "65056"),
        ("set 2/2 x - | perft 3", "24"),
        ("new quax size=3 | play b2 swap | undo", "swap"),
        ("new quax size=3 | play b2 swap | undo | undo", "b2"),
        ("new quax size=3 | play b2 swap | undo | undo | state", "3/3/3 x - pie"),
    ],
)
def test_a_command_has_its_answer(lines: str, wanted: str) -> None:
    begun = [] if lines.startswith("new") else ["new quax size=3 pie=off"]
    assert last(*begun, *lines.split(" | ")) == f"= {wanted}".rstrip()


def test_play_is_all_or_nothing() -> None:
    got = answers("new quax size=5 pie=off", "play c3", "play b2 c3 d4", "position")
    assert got[2].startswith("? occupied There's already a stone on c3.")
    assert "move 2 of 3, none played" in got[2]
    assert got[3] == "= 5/5/2x2/5/5 u -"


def test_legal_is_sorted_as_strings() -> None:
    moves = last("new quax pie=off", "legal").removeprefix("= ").split()
    assert moves[:4] == ["a1", "a10", "a11", "a2"]
    assert (moves, len(moves)) == (sorted(moves), 121)


def test_games_help_and_quit() -> None:
    assert "quax" in last("games").split()
    assert last("help").startswith("= new set play undo legal position state turn result perft")
    shell = Shell()
    assert shell.answer("quit") == "="
    assert shell.closed


@pytest.mark.parametrize(
    "line", ["play a1", "legal", "position", "state", "turn", "result", "perft 1", "undo", "set x"]
)
def test_without_a_game_there_is_nothing_to_do(line: str) -> None:
    assert last(line).startswith("? no_game ")


def test_without_a_move_there_is_nothing_to_undo() -> None:
    wanted = "? nothing_to_undo no move has been played"
    assert last("new quax size=3", "play b2", "undo", "undo") == wanted


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "unknown_command"),
        ("   ", "unknown_command"),
        ("NEW quax", "unknown_command"),
        ("# comment", "unknown_command"),
        ("new", "game_unknown"),
        ("new chess", "game_unknown"),
        ("new quax size", "usage"),
        ("new quax size=5 size=7", "usage"),
        ("new quax size=2", "option_value"),
        ("new quax colour=blue", "option_unknown"),
        ("new quax seed=x", "usage"),
        ("play", "usage"),
        ("play z9", "off_board"),
        ("play nonsense", "move_form"),
        ("set nonsense", "position_form That isn't a Quax position."),
        ("perft", "usage"),
        ("perft -1", "usage"),
        ("perft ٣", "usage"),
        ("perft 100", "usage"),
        ("legal now", "usage"),
        ("undo 2", "usage"),
        ("x" * (LONGEST_LINE + 1), "line_too_long"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(line: str, code: str) -> None:
    got = answers("new quax size=5", "play c3", line, "state")
    assert f"{got[2]} ".startswith(f"? {code} ")
    assert got[3] == "= 5/5/2x2/5/5 u - swap"


@given(st.text(st.characters(codec=None, categories=None)))
def test_any_line_gets_one_line_of_ascii(text: Any) -> None:
    for line in (text, f"play {text}", f"set {text}", f"new {text}", f"perft {text[:1]} {text}"):
        answer = last("new quax size=3", line)
        assert answer[:1] in ("=", "?")
        assert answer.isascii()
        assert answer.isprintable()
        assert not answer.startswith("? internal_error")


def test_what_was_typed_is_quoted_without_control_characters() -> None:
    assert last("new a\x01b").startswith("? game_unknown game=a b allowed=quax")


def test_a_bug_is_said_and_leaves_the_game_as_it_was(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Shell()
    shell.answer("new quax size=3")
    shell.answer("play b2")

    def broken(self: Any, position: Any) -> None:
        raise RuntimeError("boom")

    with monkeypatch.context() as patch:
        patch.setattr(Quax, "legal_moves", broken)
        assert shell.answer("legal") == "? internal_error RuntimeError"
    assert "boom" in capsys.readouterr().err
    assert shell.answer("position") == "= 3/1x1/3 u -"


def served(data: bytes) -> bytes:
    out = io.BytesIO()
    serve(io.BytesIO(data), out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (b"new quax size=3\r\nturn\nresult", b"= quax size=3 pie=on\n= x\n= none\n"),
        (b"", b""),
        (b"quit\ngames\n", b"=\n"),
    ],
)
def test_lines_end_in_any_way_and_the_input_may_just_stop(data: bytes, wanted: bytes) -> None:
    assert served(data) == wanted


def test_bytes_that_are_no_text_are_refused() -> None:
    assert served(b"\xff\xfe\x00\nquit\n").splitlines()[0].startswith(b"? unknown_command")


def test_an_endless_line_gets_one_answer() -> None:
    got = served(b"play " + b"a1 " * 100_000 + b"\nquit\n").splitlines()
    assert [line.split()[0] for line in got] == [b"?", b"="]
    assert got[0].startswith(b"? line_too_long")


def test_the_shell_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "games", "shell"],
        input="new quax size=3 pie=off\nplay b2\nturn\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONWARNINGS": "error"},
        timeout=60,
        check=True,
    )
    assert done.stdout == "= quax size=3 pie=off\n= b2\n= u\n"
    assert done.stderr == ""
