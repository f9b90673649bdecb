"""Another program in the place of gacrux: how it is called, and what it may do."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.settings import Settings
from bot.tournaments.domain.swiss_pairing import NoPairing, PairingFailed, request_for
from bot.tournaments.domain.trf import read_trf
from bot.tournaments.swiss.engine import WorkerEngine, pair_now
from tests.reference import FOLDER

ROOT = Path(__file__).parents[3]
ODD = FOLDER / "swiss/007p3r-1003.trf"
REQUEST = request_for(read_trf(ODD.read_text(encoding="utf-8")), 2)
Make = Callable[[str], Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a program, which knows the folder of the test as HERE."""

    def made(lines: str) -> Path:
        path = tmp_path / "program"
        path.write_text(f"#!/bin/sh\nHERE={tmp_path}\n{lines}\n", encoding="utf-8")
        path.chmod(0o700)
        return path

    return made


@pytest.mark.long
def test_it_is_called_as_bbppairings_is_and_told_no_secret(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    stand_in = f'PYTHONPATH={ROOT} exec {sys.executable} -m tests.tournaments.swiss.stand_in "$@"'
    program = make(f"env > $HERE/env\n{stand_in}")
    assert main(["tournament", "check", str(ODD), "--program", str(program)]) == 0
    assert "3 rounds paired again, 0 differ." in capsys.readouterr().out
    assert "secret" not in (tmp_path / "env").read_text(encoding="utf-8")


def test_what_the_rules_do_not_allow_is_told_by_exit_code_1(make: Make) -> None:
    with pytest.raises(NoPairing, match="cannot be paired"):
        pair_now([REQUEST], make("echo 'This cannot be paired.' >&2\nexit 1"))


@pytest.mark.parametrize(
    ("does", "words"),
    [
        ("echo 'It broke.'; exit 3", "ended with 3: It broke."),
        ("exit 0", "No such file"),
        ('echo word > "$4"', "invalid literal"),
        ('echo 2 1 2 3 > "$4"', "3 numbers came"),
        ('echo 1 1 2 > "$4"', "not everyone is paired"),
        ('yes 1 > "$4"', "ended with"),
        (f"{sys.executable} -IS -c 'b\"x\" * (2 << 30)' || exit 4", "ended with 4: MemoryError"),
    ],
)
def test_whatever_else_it_does_is_no_pairing(make: Make, does: str, words: str) -> None:
    with pytest.raises(PairingFailed, match=words):
        pair_now([REQUEST], make(does))


async def test_it_ends_with_whoever_waits_for_it(make: Make, tmp_path: Path) -> None:
    program = make("echo $$ > $HERE/pid.new; mv $HERE/pid.new $HERE/pid; exec sleep 60")
    waiting = asyncio.create_task(WorkerEngine(program).pair([REQUEST]))
    while not (tmp_path / "pid").exists():
        await asyncio.sleep(0.02)
    waiting.cancel()
    await asyncio.wait({waiting})
    about = Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}/stat")
    async with asyncio.timeout(10):
        while about.exists() and ") Z " not in about.read_text():
            await asyncio.sleep(0.02)


def test_a_file_that_is_no_program_is_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "program").write_text("not to be run")
    for name in ("program", "none"):
        with pytest.raises(ValueError, match="no program that this user can run"):
            Settings(pairing_program=tmp_path / name)
