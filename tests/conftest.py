"""What holds for every test.

An ERROR in the log fails it, the longest begin first, and none is against the clock. The loop and
the collector of garbage are those of a bot that runs.
"""

from __future__ import annotations

import gc
import logging
import os
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import bot.features  # noqa: F401 - the match has its features in every test
from bot.logs import CHATTY
from tests.loop import new_event_loop

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
    from tests.databases import postgres_running

    with postgres_running() as host:
        yield host


@pytest.fixture(scope="session")
def pooler(postgres_server: Path) -> Iterator[str]:
    """The address of a PgBouncer before that PostgreSQL."""
    from tests.databases import pooler_running

    with pooler_running(postgres_server) as url:
        yield url


@pytest.fixture
def pooled_url(postgres_url: str, pooler: str) -> str:
    """The database of ``postgres_url``, which has emptied it, behind a pooler."""
    return pooler
