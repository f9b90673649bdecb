"""Commits whose answers are lost, and a PostgreSQL that stops for a while."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import asyncpg

from bot.store import Store


def lost(store: Store) -> Exception:
    """The driver's exception for a lost answer to a commit."""
    if hasattr(store.database, "_writer"):
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = "SQLITE_IOERR_FSYNC"
        return error
    return ConnectionResetError(104, "Connection reset by peer")


@contextmanager
def at_next_commit(store: Store, commit: Callable[[Callable[[], None]], None]) -> Iterator[None]:
    """Have the next commit of a writer made by this function, which is given the real one."""
    database: Any = store.database
    is_file = hasattr(database, "_writer")
    dialect = database._writer.engine.dialect if is_file else database._engine.dialect
    real, left = dialect.do_commit, [1]

    def once(connection: Any) -> None:
        reads = getattr(connection, "isolation_level", None) == "repeatable_read"
        if left and not reads:
            left.clear()
            commit(lambda: real(connection))
        else:
            real(connection)

    with mock.patch.object(dialect, "do_commit", once):
        yield


async def processes_of(url: str) -> list[int]:
    """The processes of a PostgreSQL, its first one last."""
    connection = await asyncpg.connect(url)
    backend = await connection.fetchval("SELECT pg_backend_pid()")
    parents = {
        int(each.name): _parent(each) for each in Path("/proc").iterdir() if each.name.isdigit()
    }
    await connection.close()
    first = parents[backend]
    return [*(each for each, parent in parents.items() if parent == first), first]


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def send(processes: list[int], number: signal.Signals) -> None:
    """Send a signal to processes that are still there."""
    for each in processes:
        try:
            os.kill(each, number)
        except ProcessLookupError:
            continue
