"""Repeated failures are logged when they begin, rarely meanwhile, and when they are over."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from bot.app.health import is_healthy
from bot.logs import logger
from bot.store.postgres import engine_of
from bot.trouble import EVERY, SURE, Trouble, Troubles
from playground.forms import all_text
from tests.support.hosted import hosted
from tests.support.postgres_of_own import Forward, forward_to
from tests.support.until import until

LOG = logger("test")


class Watch:
    """Time that is turned by hand, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


def _event(record: logging.LogRecord) -> str:
    return str(record.msg["event"] if isinstance(record.msg, dict) else record.getMessage())


def _lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    found = [f"{each.levelname} {_event(each)}" for each in caplog.records]
    caplog.clear()
    return found


@pytest.mark.logs_errors
def test_begin_a_line_now_and_then_and_the_end(
    watch: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    trouble = Trouble(LOG, "nothing works", seconds=watch)
    trouble.passed()
    assert not trouble.is_on
    for _ in range(20):
        trouble.met("no reason")
        watch.now += 0.5
    assert _lines(caplog) == ["ERROR nothing works: no reason"]
    assert trouble.is_on
    watch.now += EVERY
    for _ in range(5):
        trouble.met("no reason")
    assert _lines(caplog) == ["ERROR nothing works for 610 s, after 21 attempts: no reason"]
    trouble.met("another")
    trouble.met("another")
    assert _lines(caplog) == ["ERROR nothing works, for another reason now: another"]
    watch.now += SURE
    trouble.passed()
    trouble.passed()
    assert not trouble.is_on
    assert _lines(caplog) == ["WARNING over, after 615 s and 27 failed attempts: nothing works"]
    trouble.met("no reason")
    assert _lines(caplog) == ["ERROR nothing works: no reason"]


@pytest.mark.logs_errors
def test_what_comes_and_goes_is_one_trouble(watch: Watch, caplog: pytest.LogCaptureFixture) -> None:
    trouble = Trouble(LOG, "it falters", seconds=watch)
    for _ in range(10):
        trouble.met("gone")
        assert trouble.is_on
        trouble.passed()
        assert not trouble.is_on
        watch.now += 1
    assert len(_lines(caplog)) == 1
    watch.now += SURE
    trouble.passed()
    assert len(_lines(caplog)) == 1


@pytest.mark.logs_errors
def test_it_is_over_when_every_way_that_failed_works_again(
    watch: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    trouble = Trouble(LOG, "the disk is full", seconds=watch)
    trouble.met("full", way="write")
    watch.now += 2 * SURE
    trouble.passed(way="read")
    assert trouble.is_on
    assert len(_lines(caplog)) == 1
    trouble.passed(way="write")
    assert not trouble.is_on
    assert len(_lines(caplog)) == 1


@pytest.mark.logs_errors
def test_each_of_many_has_its_own(caplog: pytest.LogCaptureFixture) -> None:
    troubles = Troubles(LOG, level=logging.WARNING, most=2)
    for _ in range(3):
        for name in ("one", "two"):
            troubles.of(name).met("why")
    assert _lines(caplog) == ["WARNING one: why", "WARNING two: why"]
    troubles.of("three").met("why")
    troubles.of("one").met("why")
    assert _lines(caplog) == ["WARNING three: why", "WARNING one: why"]


@pytest.mark.logs_errors
async def test_a_bug_inside_is_logged_with_its_traceback_and_what_is_known_is_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    trouble = Trouble(LOG, "it fails")
    for _ in range(3):
        with trouble.guard(KeyError):
            raise KeyError
        with trouble.guard(KeyError):
            raise RuntimeError
    (record,) = caplog.records
    assert "Traceback" in record.getMessage()
    assert "RuntimeError" in record.getMessage()
    assert trouble.is_on
    with trouble.guard():
        pass
    assert not trouble.is_on


# ---- a database that goes away and comes back --------------------------------------------------


class Outage:
    """Takes a database away and gives it back."""

    url: str

    async def begin(self) -> None:
        raise NotImplementedError

    async def end(self) -> None:
        raise NotImplementedError


class Locked(Outage):
    """A SQLite file in which an operator's shell has begun to write."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "parlour.db"
        self.url = f"sqlite:///{self._path}"
        self._shell: sqlite3.Connection | None = None

    async def begin(self) -> None:
        self._shell = sqlite3.connect(self._path, check_same_thread=False)
        # In a thread: the bot may be in the middle of a transaction, which goes on in this loop.
        await asyncio.to_thread(self._shell.execute, "BEGIN IMMEDIATE")

    async def end(self) -> None:
        if self._shell is not None:
            self._shell.close()
            self._shell = None


class Cut(Outage):
    """A PostgreSQL whose connections are closed, or at which nobody answers any more."""

    def __init__(self, forward: Forward, *, silently: bool = False) -> None:
        self.url = f"postgresql://postgres:@127.0.0.1:{forward.port}/parlour"
        self._forward, self._silently, self._server = forward, silently, forward.to

    async def begin(self) -> None:
        if self._silently:
            self._forward.flows.clear()
        else:
            self._forward.to = None
            self._forward.cut()

    async def end(self) -> None:
        self._forward.flows.set()
        self._forward.to = self._server


@pytest.fixture
def socket_of_postgres(postgres_url: str, postgres_server: Path) -> Path:
    """That of an empty database."""
    return postgres_server / ".s.PGSQL.5432"


@pytest.fixture(
    params=[
        "locked",
        pytest.param("cut", marks=pytest.mark.postgres),
        pytest.param("silent", marks=pytest.mark.postgres),
    ]
)
def how(request: pytest.FixtureRequest) -> tuple[str, Path | None]:
    """How the database goes away, and where a PostgreSQL listens."""
    server = None if request.param == "locked" else request.getfixturevalue("socket_of_postgres")
    return request.param, server


@pytest.fixture
async def away(
    how: tuple[str, Path | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Outage]:
    monkeypatch.setattr("bot.trouble.SURE", 0.5)
    monkeypatch.setattr("bot.app.periodic.BEAT", 0.3)
    monkeypatch.setattr("bot.store.sqlite.BUSY_TIMEOUT", 0.1)
    monkeypatch.setattr("bot.store.database.STUCK", 1.0)
    monkeypatch.setattr("bot.store.opening._PATIENCE", 5.0)
    monkeypatch.setattr("bot.store.postgres._CONNECTING", 5.0)
    name, server = how
    if server is None:
        locked = Locked(tmp_path)
        yield locked
        await locked.end()
        return
    async with forward_to(server) as forward:
        yield Cut(forward, silently=name == "silent")


async def _until(port: int, well: bool) -> dict[str, object]:
    """The body of /health once it reports this state."""
    said = ""
    for _ in range(100):
        is_well, said = await asyncio.to_thread(is_healthy, port)
        if is_well is well:
            return dict(json.loads(said))
        await asyncio.sleep(0.1)
    raise AssertionError(said)


@pytest.mark.long
@pytest.mark.logs_errors
async def test_while_the_database_is_away_the_bot_is_not_healthy_and_says_so_once(
    away: Outage, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    async with hosted(tmp_path, database=away.url, health_port=port) as table:
        assert (await _until(port, well=True))["database"] is True
        caplog.clear()
        await away.begin()
        try:
            said = await _until(port, well=False)
            assert said["connected"] is True, "Discord is still there"
            assert said["database"] is False
            await until(lambda: caplog.records)
            for _ in range(8):
                await asyncio.sleep(0.5)
                is_well, _ = await asyncio.to_thread(is_healthy, port)
                assert not is_well
            first, *others = _lines(caplog)
            assert "the database cannot be used: " in first
            reasons = [line for line in others if "for another reason now" not in line]
            assert not reasons, others
            assert len(others) <= 2, others
        finally:
            await away.end()
        await _until(port, well=True)
        await until(lambda: "over, after" in caplog.text)
        anna = await table.join("Anna")
        nonce = await anna.slash("play", anna.channel("general"), game="quax")
        assert "Offer sent" in all_text(await anna.wait_answer(nonce))


@pytest.mark.postgres
async def test_closing_a_connection_that_is_cut_says_nothing(socket_of_postgres: Path) -> None:
    async with forward_to(socket_of_postgres) as forward:
        cut = Cut(forward)
        engine = engine_of(make_url(cut.url), pool_size=1, max_overflow=9)
        held = [await engine.connect() for _ in range(10)]
        for each in held:
            await each.execute(text("SELECT 1"))
            await each.rollback()
        await cut.begin()
        await asyncio.sleep(0)  # The socket closes, and nothing has read that yet.
        for each in held:
            await each.close()
        await engine.dispose()
