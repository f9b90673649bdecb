"""A match where nothing is there that Windows lacks, hidden from the bot and from its children."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from playground.forms import all_text
from playground.person import Person

_ROOT = Path(__file__).parents[2]
_HIDDEN = '''
"""Missing here are the features that Windows lacks; the standard library has used them by now."""
import asyncio, asyncio.unix_events, errno, multiprocessing.util, os, signal, subprocess, sys
import tempfile, types
import fcntl

msvcrt = types.ModuleType("msvcrt")
msvcrt.LK_NBLCK = 2


def locking(handle, mode, size):
    assert (mode, size) == (2, 1)
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, size)
    except OSError as error:
        raise PermissionError(errno.EACCES, "Permission denied") from error


msvcrt.locking = locking
sys.modules["msvcrt"] = msvcrt
for name in ("fcntl", "resource", "uvloop", "isal", "pwd", "grp"):
    sys.modules[name] = None
for name in dir(os):
    if name.startswith("SCHED_") or name.startswith("sched_"):
        delattr(os, name)
for name in ("nice", "pwrite", "pread", "getuid", "geteuid", "fchmod"):
    delattr(os, name)
for name in ("SIGPIPE", "SIGHUP"):
    delattr(signal, name)


def no_handler(*_):
    raise NotImplementedError


asyncio.unix_events._UnixSelectorEventLoop.add_signal_handler = no_handler
opened = os.open


def open_files_alone(path, flags, *more, **rest):
    if os.path.isdir(path):
        raise PermissionError(errno.EACCES, "Permission denied", path)
    return opened(path, flags, *more, **rest)


os.open = open_files_alone
'''


def _environment(folder: Path) -> dict[str, str]:
    hidden = folder / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text(_HIDDEN, encoding="utf-8")
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    return kept | {
        "PYTHONPATH": os.pathsep.join(map(str, (hidden, _ROOT))),
        "PARLOUR_DATA": str(folder / "var"),
        "PARLOUR_PLAYGROUND_PORT": "0",
        "PARLOUR_PLAYGROUND_EVENT": "false",
    }


@pytest.mark.long
async def test_a_match_is_played_and_the_database_is_locked(tmp_path: Path) -> None:
    environment, said = _environment(tmp_path), []

    async def begin() -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot"),
            cwd=tmp_path,
            env=environment,
            stdout=PIPE,
            stderr=STDOUT,
        )

    bot, anna = await begin(), None
    try:
        assert bot.stdout is not None
        async with asyncio.timeout(90):
            while line := (await bot.stdout.readline()).decode():
                said.append(line)
                if line.startswith("Open http"):
                    break
        assert line, "".join(said)
        reading = asyncio.create_task(bot.stdout.read())
        anna = await Person.join(line.split()[1], "Anna")
        anna.patience = 60
        where = anna.channel("general")
        asked = await anna.slash(
            "play", where, game="quax", options="size 5, pie off", computer="1", side="1"
        )
        await anna.wait_answer(asked)
        board = await anna.wait_message(lambda m: "Make a move" in str(m["components"]))
        home = int(board["channel_id"])
        moved = await anna.ask("move", home, move="c3")
        assert "You played c3." in all_text(moved)
        answer = "not your turn"
        while "not your turn" in answer:  # until the computer has answered
            await asyncio.sleep(0.5)
            nonce = await anna.slash("move", home, move="a1")
            answer = all_text(await anna.wait_answer(nonce))
        second = await begin()
        out, _ = await second.communicate()
        assert second.returncode == 75
        assert "Another process of Parlour has" in out.decode()
        bot.terminate()
        async with asyncio.timeout(30):
            said.append((await reading).decode())
        assert await bot.wait() == 0, "".join(said)
    finally:
        if anna is not None:
            await anna.close()
        if bot.returncode is None:
            bot.kill()
            await bot.wait()
    text = "".join(said)
    assert text.count("without what this system lacks") == 1
    assert "[error" not in text, text
