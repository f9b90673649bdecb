"""The program as a host runs it: ``parlour``, its commands, its signals, its end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import sqlite3
import sys
import tomllib
from argparse import Namespace
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import discord
import pytest
from pydantic import SecretStr

import parlour
from bot.app.commands import running
from bot.app.playground.child import point_at
from bot.app.wiring import create_bot
from bot.settings import Settings
from bot.store import open_store
from bot.ui.pages.components import Reply
from playground.forms import all_text
from playground.person import Person
from tests.support.forked import Forked, run_bot
from tests.support.hosted import Hosted, first_board, offered, press, start_quax
from tests.support.until import until

ROOT = Path(__file__).parents[2]


def _environment(data: Path, **more: str) -> dict[str, str]:
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "PARLOUR_DATA": str(data),
        "PARLOUR_PLAYGROUND_PORT": "0",
        "PARLOUR_PLAYGROUND_EVENT": "false",
        **more,
    }


async def _start(data: Path, *arguments: str, **more: str) -> Forked:
    environment = _environment(data, **more)
    return await Forked.start(*arguments, folder=data, environment=environment)


async def _ended(process: Forked | Process) -> tuple[int, str]:
    out, _ = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode is not None
    return process.returncode, out.decode()


async def _run(data: Path, *arguments: str, **more: str) -> tuple[int, str]:
    return await _ended(await _start(data, *arguments, **more))


async def _address(process: Forked) -> str:
    async with asyncio.timeout(40):
        while line := (await process.stdout.readline()).decode():
            assert "[info " not in line, "a newcomer reads where to go, and no log"
            if line.startswith("Open http"):
                return line.split()[1]
    raise AssertionError("it ended without an address")


async def _read_on(process: Forked) -> None:
    while await process.stdout.readline():
        pass


@contextlib.asynccontextmanager
async def _playing(data: Path, **more: str) -> AsyncIterator[tuple[Forked, str]]:
    process = await _start(data, **more)
    try:
        address = await _address(process)
        reading = asyncio.create_task(_read_on(process))
        yield process, address
        await reading
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _is_served(address: str) -> bool:
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((host, int(port))) == 0


@pytest.mark.first
async def test_without_a_token_a_match_survives_kill_9_in_the_playground(tmp_path: Path) -> None:
    async with _playing(tmp_path) as (process, address):
        anna = await Person.join(address, "Anna")
        ben = await Person.join(address, "Ben")
        await anna.ask("play", anna.channel("general"), game="quax", opponent=ben, side="1")
        offer = await offered(ben)
        await press(ben, offer, "accept")
        board = await first_board(anna)
        home = int(board["channel_id"])
        await anna.ask("move", home, move="d3")
        process.send_signal(signal.SIGKILL)
        await process.wait()
        for person in (anna, ben):
            await person.close()
        # The playground ends with its parent, however that ends.
        await until(lambda: not _is_served(address))

    async with _playing(tmp_path) as (process, address):
        again = await Person.come_back(address, ben.id)
        nonce = await again.slash("move", home, move="swap")
        assert "You swapped." in all_text(await again.wait_answer(nonce))
        shown = await again.wait_message(
            lambda m: "1 d3 · 2 Swap" in all_text(m) and not m["flags"] & 64
        )
        assert shown["channel_id"] == str(home)
        await again.close()
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 20) == 0
        await until(lambda: not _is_served(address))

    code, said = await _run(tmp_path, "verify")
    assert code == 0, said
    assert "Replayed 1 match; damaged: 0." in said
    code, said = await _run(tmp_path, "backup", str(tmp_path / "backup.db"))
    assert code == 0, said
    kept = tmp_path / "kept"
    kept.mkdir()
    process = await _start(tmp_path, "backup", str(kept), "--every", "24")
    await until(lambda: [*kept.glob("parlour-*Z.db")])
    process.send_signal(signal.SIGTERM)
    code, said = await _ended(process)
    assert code == 0, said
    assert "To use it: parlour restore" in said
    (tmp_path / "parlour.db").unlink()
    code, said = await _run(tmp_path, "verify")
    assert code == 78
    assert "parlour restore" in said
    code, said = await _run(tmp_path, "restore", str(tmp_path / "backup.db"))
    assert code == 0, said
    code, said = await _run(tmp_path, "verify")
    assert "Replayed 1 match; damaged: 0." in said
    with contextlib.closing(sqlite3.connect(tmp_path / "parlour.db")) as file, file:
        ((match_id,),) = file.execute("UPDATE matches SET ply = 7 RETURNING id").fetchall()
    code, said = await _run(tmp_path, "verify")
    assert code == 1, said
    assert f"WRONG match {match_id}: " in said


@contextlib.contextmanager
def _taken() -> Iterator[int]:
    """A port on which another program listens."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


async def test_where_its_port_is_taken_the_playground_takes_another(tmp_path: Path) -> None:
    with _taken() as port:
        async with _playing(tmp_path, PARLOUR_PLAYGROUND_PORT=str(port)) as (process, address):
            assert not address.endswith(f":{port}")
            anna = await Person.join(address, "Anna")
            await anna.close()
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), 20) == 0


@pytest.mark.parametrize("how", ["no database", "a folder"])
async def test_where_the_playground_cannot_start_it_is_said_why(tmp_path: Path, how: str) -> None:
    file = tmp_path / "playground.db"
    if how == "a folder":
        file.mkdir()
    else:
        file.write_bytes(b"no database " * 100)
    code, said = await _run(tmp_path)
    assert code == 78
    assert "The playground" in said
    assert str(file) in said
    assert "Traceback" not in said


def _of_the_container() -> list[str]:
    """The command that asks in the container whether the bot is well."""
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    line = next(each for each in image.splitlines() if each.startswith("HEALTHCHECK "))
    python, *rest = json.loads(line.partition(" CMD ")[2])
    assert python == "python"
    return [sys.executable, *rest]


@pytest.mark.parametrize("address", ["", "127.0.0.2"])
async def test_health_is_told_at_its_address_and_asked_by_a_command(
    tmp_path: Path, address: str
) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    at = {"PARLOUR_HEALTH_PORT": port} | ({"PARLOUR_HEALTH_ADDRESS": address} if address else {})
    code, said = await _run(tmp_path, "health", **at)
    assert code == 1
    assert "no answer" in said
    async with _playing(tmp_path, **at) as (process, _):
        for _ in range(50):
            code, said = await _run(tmp_path, "health", **at)
            if code == 0:
                break
        assert code == 0, said
        assert '"connected": true' in said
        asked = await asyncio.create_subprocess_exec(*_of_the_container(), env=at)
        assert await asked.wait() == 0
        for each in ("127.0.0.1", "127.0.0.2"):
            reached = _is_served(f"http://{each}:{port}")
            assert reached is (each == (address or "127.0.0.1"))
        with urlopen(f"http://{address or '127.0.0.1'}:{port}/metrics") as metrics:
            told = metrics.read().decode()
        assert "parlour_connected 1.0" in told
        assert "process_resident_memory_bytes" in told
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 20) == 0
    asked = await asyncio.create_subprocess_exec(*_of_the_container(), env=at, stderr=PIPE)
    await asked.communicate()
    assert asked.returncode == 1


async def test_the_doctor_says_what_is_well_and_what_is_not(tmp_path: Path) -> None:
    code, said = await _run(tmp_path, "doctor")
    assert code == 0, said
    for about in ("versions", "data folder", "database", "pictures", "token"):
        assert f"ok    {about}:" in said
    (tmp_path / "parlour.db").write_bytes(b"")
    code, said = await _run(tmp_path, "doctor")
    assert code == 1
    assert "WRONG database:" in said
    assert "parlour restore" in said


def _at_the_closed_door(arguments: tuple[str, ...]) -> None:
    """``parlour`` where nothing listens in Discord's place."""
    point_at("http://127.0.0.1:1")
    run_bot(arguments)


async def test_an_outage_at_the_start_is_told_in_few_lines_of_words(tmp_path: Path) -> None:
    environment = _environment(tmp_path, DISCORD_TOKEN="a.b.c")
    process = await Forked.start(
        folder=tmp_path, environment=environment, program=_at_the_closed_door
    )
    lines: list[str] = []
    async with asyncio.timeout(60):
        while not (lines and "attempts=4" in lines[-1]):
            lines.append((await process.stdout.readline()).decode())
            assert lines[-1], lines
    process.send_signal(signal.SIGTERM)
    await _ended(process)
    assert len(lines) == 3, "after one attempt, two and four, and of nothing else"
    for line in lines:
        assert "no login to Discord" in line
        assert "Cannot connect to host 127.0.0.1:1" in line
        assert "Error" not in line


async def _in_a_shell(data: Path, words: str, **more: str) -> Process:
    """Run ``parlour`` with words and redirections as a shell takes them."""
    return await asyncio.create_subprocess_exec(
        *("sh", "-c", f'exec "$0" -m bot {words}', sys.executable),
        cwd=data,
        env=_environment(data, **more),
        stdout=PIPE,
        stderr=PIPE,
    )


@pytest.mark.long
async def test_with_a_closed_output_it_runs_and_stops_as_ever(tmp_path: Path) -> None:
    process = await _in_a_shell(tmp_path, ">&- <&-")
    there = tmp_path / "playground.db"
    await until(lambda: there.exists() or process.returncode is not None, patience=60)
    assert process.returncode is None, await process.communicate()
    process.send_signal(signal.SIGTERM)
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, errors
    assert b"Traceback" not in errors


@pytest.mark.long
@pytest.mark.parametrize("words", ["db upgrade", "--help", "tournament standings -- t"])
async def test_where_nobody_reads_on_it_ends_and_an_output_that_is_full_is_said_so(
    tmp_path: Path, words: str
) -> None:
    (tmp_path / "t").write_text("012 Nobody's\n001    1      Ann\n", encoding="ascii")
    reading, writing = os.pipe()
    os.close(reading)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *words.split()),
        cwd=tmp_path,
        env=_environment(tmp_path),
        stdout=writing,
        stderr=PIPE,
    )
    os.close(writing)
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert (process.returncode, errors) == (128 + signal.SIGPIPE, b"")
    process = await _in_a_shell(tmp_path, f"{words} >/dev/full")
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert errors == b"The output cannot be written: No space left on device.\n"
    assert process.returncode == 75


async def test_another_package_of_the_same_name_is_named(tmp_path: Path) -> None:
    """The program that is installed, where another ``bot`` comes first."""
    (tmp_path / "theirs" / "bot").mkdir(parents=True)
    (tmp_path / "theirs" / "bot" / "__init__.py").touch()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, function = project["scripts"]["parlour"].partition(":")
    process = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-c",
            f"from {module} import {function} as main; raise SystemExit(main())",
        ),
        cwd=tmp_path,
        env=_environment(tmp_path, PYTHONPATH=f"{tmp_path / 'theirs'}:{ROOT}"),
        stdout=PIPE,
        stderr=STDOUT,
    )
    code, said = await _ended(process)
    assert code == 78, said
    assert said.count("\n") == 1
    assert f"{tmp_path / 'theirs' / 'bot'} is another package named bot" in said


def test_an_interrupt_while_it_is_loaded_is_no_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("bot.__main__.main", interrupted)
    assert parlour.main() == 130


def test_a_playground_that_is_named_goes_before_a_token_that_lies_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or tests and benchmarks would play with a host's real bot."""
    (tmp_path / ".env").write_text("DISCORD_TOKEN=not.a.token\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "")
    assert Settings().discord_token() == "not.a.token"
    monkeypatch.setenv("PARLOUR_PLAYGROUND", "http://127.0.0.1:8310")
    monkeypatch.setenv("PARLOUR_PLAYGROUND_TOKEN", "its.own.token")
    assert Settings().discord_token() is None


async def test_a_token_that_discord_does_not_take_ends_sync_with_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def refuse(_client: discord.Client, _token: str) -> None:
        raise discord.LoginFailure("Improper token has been passed.")

    monkeypatch.setattr(discord.Client, "login", refuse)
    settings = Settings(_env_file=None, data=tmp_path, token="a.b.c")
    assert await running.sync(Namespace(), settings) == 1
    assert "parlour doctor" in capsys.readouterr().out


@pytest.mark.long
async def test_a_bot_can_be_told_to_stop_before_it_has_logged_in(tmp_path: Path) -> None:
    store = await open_store(f"sqlite+aiosqlite:///{tmp_path / 'parlour.db'}")
    bot = create_bot(Settings(_env_file=None, data=tmp_path), store=store)
    stop = asyncio.Event()
    stop.set()
    async with asyncio.timeout(5):
        await bot.run("a.token.of-no-use", stop)


@pytest.mark.long
async def test_what_is_being_done_when_the_bot_is_stopped_is_done_and_answered(
    table: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await start_quax(table)
    inside, outcome = asyncio.Event(), table.bot.handler.outcome

    async def slowly(*given: Any, **more: Any) -> Reply:
        inside.set()
        await asyncio.sleep(0.5)
        return await outcome(*given, **more)

    monkeypatch.setattr(table.bot.handler, "outcome", slowly)
    nonce = await game.black.slash("move", game.home, move="a1")
    await inside.wait()
    await table.stop()
    assert "You played a1." in all_text(await game.black.wait_answer(nonce))


async def test_sync_tells_discord_the_commands(table: Hosted) -> None:
    commands = table.playground.world.state.commands
    await until(lambda: commands)
    names = {each.name for each in commands.values()}
    commands.clear()
    token = SecretStr(table.playground.token)
    settings = table.settings.model_copy(update={"token": token})
    assert await running.sync(Namespace(), settings) == 0
    assert {each.name for each in commands.values()} == names
    assert "play" in names
