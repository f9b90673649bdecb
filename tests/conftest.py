"""Conditions of every test.

An ERROR in the log fails it, the longest begin first, and none is against the clock. The loop and
the collector of garbage are those of a bot that runs. Any test may ask for a database, for services
on one, or for a bot that runs in a playground.
"""

from __future__ import annotations

import gc
import io
import logging
import os
from asyncio import AbstractEventLoop
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import bot.features  # noqa: F401 - the match has its features in every test
from bot import logs
from bot.logs import CHATTY
from bot.store import Store
from tests.support.databases import (
    POSTGRES,
    database_url,
    pooler_running,
    postgres_running,
    postgres_url,
    sqlite_url,
    store,
)
from tests.support.hosted import Ahead, Game, Hosted, hosted, start_quax
from tests.support.kit import Club
from tests.support.loop import new_event_loop
from tests.tournaments.kit import Hall

__all__ = ["database_url", "postgres_url", "sqlite_url", "store"]

# Random examples may take as long as a busy machine makes them take.
settings.register_profile(
    "patient",
    deadline=None,
    max_examples=int(os.environ.get("PARLOUR_EXAMPLES", "30")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("patient")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let one process run all tests that need PostgreSQL, and one those that need a browser.

    To start one takes seconds.
    """
    for marker in ("postgres", "browser"):
        if _is_of(item, marker) and not _is_of(item, "xdist_group"):
            item.add_marker(pytest.mark.xdist_group(marker))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """In ``make soak`` have PostgreSQL too in each test that says nothing else of its database.

    These services make no statement there which others do not make: the tests of the store hold
    both databases to the same answers, and those that are about processes, deaths and repeated
    clicks say themselves that they run on both.
    """
    says = (mark.args[0] for mark in metafunc.definition.iter_markers("parametrize"))
    if (
        "PARLOUR_SOAK" in os.environ
        and "database_url" in metafunc.fixturenames
        and "sqlite_url" not in metafunc.fixturenames
        and not any("database_url" in each for each in says)
    ):
        metafunc.parametrize("database_url", ["sqlite_url", POSTGRES], indirect=True)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long: those tests, and those marked ``first``.

    One that begins last would have the other processors wait for it at the end. All others stay in
    the order they came in.
    """
    early = ("postgres", "first", "browser")
    items.sort(key=lambda item: [not _is_of(item, marker) for marker in early])


def _is_of(item: pytest.Item, marker: str) -> bool:
    return item.get_closest_marker(marker) is not None


# While tests are collected hardly anything becomes garbage; to look for it takes a fifth of that.
gc.set_threshold(200_000)


def pytest_collection_finish() -> None:
    """Collect garbage as seldom as the bot does; what has been imported never becomes any.

    It would be looked through every few tests, for a sixth of the time that they take.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], AbstractEventLoop]]:
    """Run every test on the loop that the bot runs on."""
    return {"loop": new_event_loop}


@pytest.fixture(autouse=True)
def _logs_go_where_they_went() -> Iterator[None]:
    """Take back where a test has had all logs of the process sent, and which it has silenced."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in CHATTY}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


@pytest.fixture(autouse=True)
def _no_error_is_logged(
    caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> Iterator[None]:
    """Fail a test in which anything logged an error, unless it is marked ``logs_errors``.

    A test so marked provokes a bug on purpose and asserts on the log itself.
    """
    yield
    if request.node.get_closest_marker("logs_errors") is not None:
        return
    bad = [
        record
        for record in (*caplog.get_records("setup"), *caplog.get_records("call"))
        if record.levelno >= logging.ERROR
    ]
    assert not bad, "logged errors:\n" + "\n".join(record.getMessage() for record in bad)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Path]:
    """The socket folder of a PostgreSQL that runs for this session."""
    with postgres_running() as host:
        yield host


@pytest.fixture(scope="session")
def pooler(postgres_server: Path) -> Iterator[str]:
    """The address of a PgBouncer before that PostgreSQL."""
    with pooler_running(postgres_server) as url:
        yield url


@pytest.fixture
def pooled_url(postgres_url: str, pooler: str) -> str:
    """The database of ``postgres_url``, which has emptied it, behind a pooler."""
    return pooler


@pytest.fixture
def club(store: Store) -> Club:
    return Club(store)


@pytest.fixture
def hall(store: Store) -> Hall:
    return Hall(store)


@pytest.fixture
def clock() -> Ahead:
    return Ahead()


@pytest.fixture
async def table(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Hosted]:
    """A bot on Discord's time, or on the ``clock`` of a test that asks for one."""
    time: Ahead | None = (
        request.getfixturevalue("clock") if "clock" in request.fixturenames else None
    )
    async with hosted(tmp_path, time=time) as made:
        yield made


@pytest.fixture
async def game(table: Hosted) -> Game:
    return await start_quax(table)


@pytest.fixture
async def stored_game(tmp_path: Path, database_url: str) -> AsyncIterator[Game]:
    """The same on a database of its own; for tests marked with ``tests.support.databases.both``."""
    async with hosted(tmp_path, database=database_url) as made:
        yield await start_quax(made)


@pytest.fixture
def written() -> io.StringIO:
    """All that is logged at DEBUG."""
    root = logging.getLogger()
    kept = root.handlers[:]
    stream = io.StringIO()
    logs.configure(level="DEBUG", style="json", known_secrets=["planted-secret"], stream=stream)
    root.handlers.extend(kept)
    return stream
