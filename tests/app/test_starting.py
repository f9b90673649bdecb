"""Failures to start: one line with the fix, and the right exit code.

78 where only a person can mend it, 75 where it may pass by itself; never a traceback.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import pytest

from bot.__main__ import main
from bot.app.starting import FOR_A_PERSON, TRY_AGAIN, failure_of
from bot.settings import Settings, SettingsWrong, read_settings, unknown_names
from bot.store import StoreRefused, open_store
from bot.store.files import lock
from bot.store.opening import read_address
from tests.app.test_process import _run, _start

SECRET = "hush-hush"


@dataclass
class Case:
    """An environment, what is said about it, and the exit code."""

    words: tuple[str, ...]
    code: int = FOR_A_PERSON
    more: dict[str, str] = field(default_factory=dict)
    before: Callable[[Path], None] = lambda _: None


def _of(code: int, *words: str, **more: str) -> Case:
    return Case(words, code, more)


def _no_folder(data: Path) -> None:
    (data / "file").write_text("no folder")


def _token_of(content: str) -> Callable[[Path], None]:
    def write(data: Path) -> None:
        (data / "token").write_text(content)

    return write


def _foreign(data: Path) -> None:
    with contextlib.closing(sqlite3.connect(data / "parlour.db")) as file, file:
        file.execute("CREATE TABLE theirs (a)")


def _garbled(data: Path) -> None:
    (data / ".env").write_bytes(b"PARLOUR_THEME=\xff\n")


CASES = {
    "a number out of range": _of(78, "PARLOUR_OFFER_HOURS: ", PARLOUR_OFFER_HOURS="0"),
    "a level that is none": _of(78, "PARLOUR_LOG_LEVEL: ", PARLOUR_LOG_LEVEL="LOUD"),
    "two at once": _of(
        78, "PARLOUR_CLOCK: ", "PARLOUR_THEME: ", PARLOUR_CLOCK="soon", PARLOUR_THEME="pink"
    ),
    "shards that are none": _of(78, "PARLOUR_SHARD_IDS: ", PARLOUR_SHARD_IDS="a,b"),
    "shards without their number": _of(78, "PARLOUR_SHARD_COUNT", PARLOUR_SHARD_IDS="0,1"),
    "a language that is none": _of(
        78, "PARLOUR_LANGUAGE: ", "de, en", "pt-BR", PARLOUR_LANGUAGE="tlh"
    ),
    "a playground far away": _of(
        78, "PARLOUR_PLAYGROUND: ", PARLOUR_PLAYGROUND="https://discord.com"
    ),
    "a playground without its token": _of(
        78, "PARLOUR_PLAYGROUND_TOKEN", PARLOUR_PLAYGROUND="http://127.0.0.1:8310"
    ),
    "a slip of the pen": _of(
        78,
        "PARLOUR_DATABSE is no setting. Do you mean PARLOUR_DATABASE?",
        PARLOUR_DATABSE=f"postgresql://a:{SECRET}@b/c",
    ),
    "no UTF-8": Case((".env cannot be read",), before=_garbled),
    "a token file that is missing": _of(
        78, "PARLOUR_TOKEN_FILE: ", "nowhere", "No such file", PARLOUR_TOKEN_FILE="nowhere"
    ),
    "a token file that is empty": Case(
        ("PARLOUR_TOKEN_FILE: ", "is empty"),
        more={"PARLOUR_TOKEN_FILE": "token"},
        before=_token_of("\n"),
    ),
    "a token with a line break": _of(
        78, "DISCORD_TOKEN: ", "line break", "developer portal", DISCORD_TOKEN=f"{SECRET}.a\n.b"
    ),
    "a token that stands for one": _of(
        78, "DISCORD_TOKEN: ", "letters, digits", DISCORD_TOKEN=f"<{SECRET}>"
    ),
    "a token file with two lines": Case(
        ("PARLOUR_TOKEN_FILE: ", "line break"),
        more={"PARLOUR_TOKEN_FILE": "token"},
        before=_token_of(f"{SECRET}.b.c\n{SECRET}.b.c\n"),
    ),
    "a token file that is written as .env": Case(
        ("PARLOUR_TOKEN_FILE: ", "begins with DISCORD_TOKEN"),
        more={"PARLOUR_TOKEN_FILE": "token"},
        before=_token_of(f"DISCORD_TOKEN={SECRET}.b.c\n"),
    ),
    "no address": _of(78, "PARLOUR_DATABASE ", "sqlite:///PATH", PARLOUR_DATABASE="parlour.db"),
    "two slashes": _of(78, "PARLOUR_DATABASE ", PARLOUR_DATABASE="sqlite://parlour.db"),
    "another database": _of(
        78, "PARLOUR_DATABASE ", "mysql", PARLOUR_DATABASE=f"mysql://a:{SECRET}@b/c"
    ),
    "a port that is none": _of(
        78, "PARLOUR_DATABASE ", PARLOUR_DATABASE=f"postgresql://a:{SECRET}@b:port/c"
    ),
    "a data folder that is a file": Case(
        ("file", "PARLOUR_DATA"), more={"PARLOUR_DATA": "file"}, before=_no_folder
    ),
    "a database that is no file": _of(78, "PARLOUR_DATABASE", PARLOUR_DATABASE="sqlite:///."),
    "a database that is a folder": Case(
        ("games: unable to open", "PARLOUR_DATABASE"),
        more={"PARLOUR_DATABASE": "sqlite:///games"},
        before=lambda data: (data / "games").mkdir(),
    ),
    "a foreign database": Case(("not Parlour's",), before=_foreign),
    "nobody at the port": _of(
        75,
        "PostgreSQL cannot be reached",
        "PARLOUR_DATABASE",
        PARLOUR_DATABASE=f"postgres://a:{SECRET}@127.0.0.1:1/c",
    ),
    "no such host": _of(
        75,
        "PostgreSQL cannot be reached",
        PARLOUR_DATABASE=f"postgresql://a:{SECRET}@nowhere.invalid/c",
    ),
    "an sslmode that is none": _of(
        78,
        "PARLOUR_DATABASE",
        "sslmode",
        PARLOUR_DATABASE=f"postgresql://a:{SECRET}@127.0.0.1:1/c?sslmode=perhaps",
    ),
}


class Host:
    """Calls the command line in this process, in a folder and an environment of its own."""

    def __init__(
        self, folder: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self._patch, self._capsys = patch, capsys
        for name in os.environ:
            if name.startswith(("PARLOUR_", "DISCORD_")):
                patch.delenv(name)
        patch.chdir(folder)
        patch.setenv("PARLOUR_DATA", str(folder))
        patch.setenv("PARLOUR_PLAYGROUND_PORT", "0")
        patch.setenv("PARLOUR_PLAYGROUND_EVENT", "false")

    def run(self, *arguments: str, **more: str) -> tuple[int, str]:
        """The exit code, and all that was said."""
        with self._patch.context() as patch:
            for name, value in more.items():
                patch.setenv(name, value)
            code = main(list(arguments))
        out, err = self._capsys.readouterr()
        return code, out + err


@pytest.fixture
def host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Host:
    return Host(tmp_path, monkeypatch, capsys)


def _told(said: str, code: int, case: Case) -> None:
    assert "Traceback" not in said, said
    assert SECRET not in said
    for words in case.words:
        assert words in said, said
    assert len(said.splitlines()) <= 3, said
    assert code == case.code, said


@pytest.mark.parametrize("name", sorted(CASES))
def test_what_keeps_it_from_starting_is_said_in_one_line(
    host: Host, tmp_path: Path, name: str
) -> None:
    case = CASES[name]
    case.before(tmp_path)
    code, said = host.run(**case.more)
    _told(said, code, case)


def test_a_database_that_another_process_has_open_may_be_free_soon(
    host: Host, tmp_path: Path
) -> None:
    unlock = lock(tmp_path / "parlour.db")
    try:
        code, said = host.run()
    finally:
        unlock()
    _told(said, code, _of(75, "Another process of Parlour"))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two MiB of its own."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", "size=2m", "none", str(disk))
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"only root may mount a disk: {error}")
    try:
        yield disk
    finally:
        subprocess.run(("umount", str(disk)), check=True)


@pytest.mark.parametrize("left", [0, 20_000])
@pytest.mark.parametrize("way", ["new", "there", "looked at"])
def test_a_disk_that_is_full_is_said_to_be(
    host: Host, small_disk: Path, way: str, left: int
) -> None:
    data = str(small_disk)
    if way != "new":
        assert host.run("db", "upgrade", PARLOUR_DATA=data)[0] == 0
    free = shutil.disk_usage(small_disk).free
    (small_disk / "filled").write_bytes(b"x" * (free - left))
    command = ("verify",) if way == "looked at" else ("ratings", "rebuild")
    code, said = host.run(*command, PARLOUR_DATA=data)
    _told(said, code, _of(75, f"The disk of {data} is full. Make some room"))


def _modes(folder: Path) -> dict[str, int]:
    return {each.name: each.stat().st_mode & 0o777 for each in (folder, *folder.iterdir())}


def test_only_their_owner_can_read_what_it_writes(host: Host, tmp_path: Path) -> None:
    data = tmp_path / "var" / "data"
    assert host.run("db", "upgrade", PARLOUR_DATA=str(data))[0] == 0
    copy = data / "copy.db"
    assert host.run("backup", str(copy), PARLOUR_DATA=str(data))[0] == 0
    assert host.run("restore", str(copy), PARLOUR_DATA=str(data))[0] == 0
    assert (tmp_path / "var").stat().st_mode & 0o777 == 0o700
    modes = _modes(data)
    assert {"data", "parlour.db", "copy.db", "parlour.db.installation"} <= set(modes)
    assert any(".replaced-" in each for each in modes)
    assert {each: oct(mode) for each, mode in modes.items() if mode & 0o077} == {}


def test_files_that_others_could_read_are_closed_to_them_at_the_start(
    host: Host, tmp_path: Path
) -> None:
    """But a folder that was there is left as its owner wants it."""
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    assert host.run("db", "upgrade", PARLOUR_DATA=str(data))[0] == 0
    (data / "parlour.db.rescued-1").touch()
    (data / "parlour.db-wal").touch()
    (data / "another").touch()
    for each in data.iterdir():
        each.chmod(0o644)
    assert host.run("ratings", "rebuild", PARLOUR_DATA=str(data))[0] == 0
    modes = _modes(data)
    assert {each for each, mode in modes.items() if mode & 0o077} == {"data", "another"}


async def test_a_health_port_that_is_taken_may_be_free_soon(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        code, said = await _run(
            tmp_path,
            PARLOUR_HEALTH_PORT=port,
            PARLOUR_PLAYGROUND="http://127.0.0.1:1",
            PARLOUR_PLAYGROUND_TOKEN="x",
        )
    _told(said, code, _of(75, f"Port {port}", "PARLOUR_HEALTH_PORT"))


async def test_where_docker_would_start_it_again_for_ever_it_waits_for_a_person(
    tmp_path: Path,
) -> None:
    process = await _start(tmp_path, PARLOUR_THEME="pink", PARLOUR_HOLD="true")
    assert process.stdout is not None
    async with asyncio.timeout(40):
        said = [(await process.stdout.readline()).decode() for _ in range(2)]
    assert "PARLOUR_THEME" in said[0]
    assert "waits here" in said[1]
    assert process.returncode is None
    process.send_signal(signal.SIGTERM)
    assert await asyncio.wait_for(process.wait(), 20) == 78


@pytest.mark.long
def test_a_name_that_is_near_none_is_told_and_stops_nothing(host: Host) -> None:
    code, said = host.run("db", "upgrade", PARLOUR_WEATHER="rain")
    assert code == 0, said
    assert "PARLOUR_WEATHER" in said
    code, said = host.run("doctor", PARLOUR_WEATHER="rain")
    assert code == 1
    assert "WRONG settings: " in said
    assert "PARLOUR_WEATHER" in said


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.chdir(tmp_path)
    for name in unknown_names():
        monkeypatch.delenv(name)
    return monkeypatch


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("PARLOUR_DATABASE_URL", "PARLOUR_DATABASE"),
        ("PARLOUR_TOKENFILE", "PARLOUR_TOKEN_FILE"),
        ("PARLOUR_LANGUAGES", "PARLOUR_LANGUAGE"),
        ("PARLOUR_SHARDS_IDS", "PARLOUR_SHARD_IDS"),
        ("PARLOUR_HEALTHPORT", "PARLOUR_HEALTH_PORT"),
        ("DISCORD_BOT_TOKEN", "DISCORD_TOKEN"),
        ("PARLOUR_GAMES", None),
        ("PARLOUR_CRASHES", None),
    ],
)
def test_a_slip_in_the_environment_or_the_file_is_seen(
    environment: pytest.MonkeyPatch, tmp_path: Path, name: str, near: str | None
) -> None:
    environment.setenv(name, "1")
    assert unknown_names() == {name: near}
    environment.delenv(name)
    (tmp_path / ".env").write_text(f"{name.lower()}=1\n", encoding="utf-8")
    assert unknown_names() == {name: near}
    if near is not None:
        with pytest.raises(SettingsWrong, match=near):
            read_settings()


@pytest.mark.parametrize(
    ("written", "meant"),
    [("de", "de"), ("de_DE.UTF-8", "de"), ("en-GB", "en"), ("pt", "pt-BR"), ("pt-BR", "pt-BR")],
)
def test_a_language_is_known_by_its_nearest_name(written: str, meant: str) -> None:
    assert Settings(_env_file=None, language=written).language == meant


def test_shards_are_listed_with_brackets_or_without(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("PARLOUR_SHARD_COUNT", "4")
    for written in ("0,2", "[0,2]", " [0, 2] "):
        environment.setenv("PARLOUR_SHARD_IDS", written)
        assert read_settings().shard_ids == (0, 2)


@pytest.mark.parametrize("value", ["?", "-1", "0", "1e99", "9" * 30])
def test_a_wrong_value_is_refused_in_words_of_our_own(
    environment: pytest.MonkeyPatch, value: str
) -> None:
    for name in Settings.model_fields:
        variable = f"PARLOUR_{name.upper()}"
        environment.setenv(variable, value)
        try:
            read_settings()
        except SettingsWrong as wrong:
            words = str(wrong)
            assert not re.search(r"Input should|valid (integer|number|boolean)|String ", words), (
                words
            )
        environment.delenv(variable)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_mark_at_the_beginning_of_a_file_belongs_to_no_token(
    environment: pytest.MonkeyPatch, tmp_path: Path, encoding: str
) -> None:
    (tmp_path / "token").write_text("a.b.c\n", encoding=encoding)
    assert Settings(_env_file=None, token_file=tmp_path / "token").discord_token() == "a.b.c"
    environment.delenv("DISCORD_TOKEN", raising=False)
    (tmp_path / ".env").write_text("DISCORD_TOKEN=d.e.f\n", encoding=encoding)
    assert read_settings().discord_token() == "d.e.f"
    (tmp_path / ".env").write_text("DISCORD_TOKN=d.e.f\n", encoding=encoding)
    assert unknown_names() == {"DISCORD_TOKN": "DISCORD_TOKEN"}


PASSWORDS = ["plain", "p@ss", "sla/sh", "qu?stion", "ha#sh", "co:lon", "100%", "a b", "@/:#?%", "é"]


@pytest.mark.parametrize("password", PASSWORDS)
@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg", "POSTGRESQL"])
def test_a_password_need_not_be_escaped(scheme: str, password: str) -> None:
    found = read_address(f"{scheme}://parlour:{password}@db.example:5433/games?sslmode=require")
    assert (found.username, found.password) == ("parlour", password)
    assert (found.host, found.port, found.database) == ("db.example", 5433, "games")
    assert found.query == {"sslmode": "require"}
    assert read_address(found.render_as_string(hide_password=False)) == found


def test_what_is_not_in_an_address_is_not_invented() -> None:
    found = read_address("postgres://db/games?ssl=require")
    assert (found.username, found.password, found.host) == (None, None, "db")
    assert found.query == {"sslmode": "require"}
    found = read_address("postgresql:///games?host=/run/postgresql&user=me@home")
    assert (found.host, found.database) == (None, "games")
    assert found.query == {"host": "/run/postgresql", "user": "me@home"}


def test_a_bug_is_not_explained_away() -> None:
    assert failure_of(RuntimeError("a bug")) is None
    read_only = OSError(30, "Read-only file system", "/data/x")
    assert failure_of(read_only) is not None
    assert failure_of(read_only).code == FOR_A_PERSON  # type: ignore[union-attr]
    assert failure_of(OSError(113, "No route to host")).code == TRY_AGAIN  # type: ignore[union-attr]


# ---- PostgreSQL itself -------------------------------------------------------------------------

ROLE, PASSWORD = "guarded", f"{SECRET}/@#?:100%"


@pytest.fixture
async def guarded(postgres_server: Path) -> AsyncIterator[str]:
    """Where a role with a password may come in: ``{}`` stands for user and password."""
    owner = await asyncpg.connect(user="postgres", host=str(postgres_server), database="parlour")
    rules = Path(await owner.fetchval("SHOW hba_file"))
    before = rules.read_text()
    await owner.execute(f"CREATE ROLE {ROLE} LOGIN PASSWORD '{PASSWORD}'")
    rules.write_text(f"local all {ROLE} scram-sha-256\n{before}")
    await owner.execute("SELECT pg_reload_conf()")
    await owner.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {ROLE}")
    try:
        yield f"postgres://{{}}@/parlour?host={postgres_server}"
    finally:
        rules.write_text(before)
        await owner.execute("SELECT pg_reload_conf()")
        await owner.execute(f"DROP OWNED BY {ROLE}")
        await owner.execute(f"DROP ROLE {ROLE}")
        await owner.close()


@contextlib.contextmanager
def _refused(code: str, *, may_pass: bool) -> Iterator[None]:
    with pytest.raises(StoreRefused) as caught:
        yield
    assert (caught.value.code, caught.value.may_pass) == (code, may_pass)
    said = str(caught.value)
    assert SECRET not in said
    assert "PARLOUR_DATABASE" in said or may_pass, said


@pytest.mark.postgres
async def test_an_unescaped_password_lets_parlour_in_and_a_wrong_one_does_not(
    guarded: str,
) -> None:
    await (await open_store(guarded.format(f"{ROLE}:{PASSWORD}"))).close()
    with _refused("login", may_pass=False):
        await open_store(guarded.format(f"{ROLE}:{SECRET}"))
    with _refused("login", may_pass=False):
        await open_store(guarded.format(f"nobody-there:{SECRET}"))


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"/parlour?": "/nothing?"}, "missing"),
        ({"?host": "?sslmode=perhaps&host"}, "url"),
        ({"?host": "?channel_bindings=1&host"}, "refused"),
    ],
)
async def test_what_postgres_says_names_the_setting(
    postgres_url: str,
    wrong: dict[str, str],
    code: str,
) -> None:
    for part, instead in wrong.items():
        with _refused(code, may_pass=False):
            await open_store(postgres_url.replace(part, instead))


@pytest.mark.postgres
async def test_a_server_without_a_place_left_may_have_one_soon(
    guarded: str,
    postgres_server: Path,
) -> None:
    url = guarded.format(f"{ROLE}:{PASSWORD}")
    owner = await asyncpg.connect(user="postgres", host=str(postgres_server), database="parlour")
    await owner.execute(f"ALTER ROLE {ROLE} CONNECTION LIMIT 0")
    try:
        with _refused("unreachable", may_pass=True):
            await open_store(url)
    finally:
        await owner.close()


@pytest.mark.postgres
async def test_a_server_without_encryption_is_told_apart(
    tmp_path: Path,
) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(8)
        writer.write(b"N")  # no encryption here
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with _refused("tls", may_pass=False):
        await open_store(f"postgresql://a:{SECRET}@127.0.0.1:{port}/b?sslmode=require")
    server.close()
    await server.wait_closed()
