"""The driver of SQLite, asked once for each statement.

aiosqlite hands every step of a statement to its thread by itself: the cursor, the execution, the
rows, the end of the cursor. Here all of them are one errand, and so is the begin of a transaction
with its first statement. Whatever of aiosqlite is not public is used in this module alone.

It is kept for its figure: four transactions with 25 statements, as a move has them, take 3.3 ms of
processor time in place of 6.0, one after another without a pause, measured in blocks that took
turns. That is a sixth of all that a move costs. ``tests/store/test_sqlite_driver.py`` fails when
the library changes what is used of it, or does the same by itself.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Self

import aiosqlite

_CHUNK = 64


class _Cursor:
    """What SQLAlchemy asks a cursor for; its rows have been read when a statement has run."""

    def __init__(self, owner: _Connection) -> None:
        self._owner = owner
        self._rows: Sequence[Any] = ()
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self.arraysize = 1

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> Self:
        """Run a statement."""
        await self._owner.on_thread(self._run, sqlite3.Cursor.execute, sql, parameters)
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        """Run a statement once for each of these parameters."""
        await self._owner.on_thread(self._run, sqlite3.Cursor.executemany, sql, parameters)
        return self

    async def fetchall(self) -> Sequence[Any]:
        """The rows of the statement."""
        return self._rows

    async def close(self) -> None:
        """Nothing is open any more."""

    def _run(self, run: Any, sql: str, parameters: Any, file: sqlite3.Connection) -> None:
        begin = self._owner.begin
        cursor = file.cursor()
        try:
            if begin is not None and not file.in_transaction:
                cursor.execute(begin)
            run(cursor, sql, parameters)
            self._rows = cursor.fetchall() if cursor.description else ()
            self.description, self.rowcount = cursor.description, cursor.rowcount
            self.lastrowid = cursor.lastrowid
        finally:
            cursor.close()


class _Connection(aiosqlite.Connection):
    """A connection whose cursors ask its thread once for each statement.

    ``begin`` is run before a statement where no transaction is open, if it is set.
    """

    begin: str | None = None

    def cursor(self) -> Any:
        """A cursor; making it asks nothing of the thread."""
        return _Cursor(self)

    async def on_thread(self, work: Any, *given: Any) -> None:
        """Have something done with the file on the thread of the connection."""
        await self._execute(work, *given, self._conn)  # type: ignore[no-untyped-call]


async def connect(*where: Any, **how: Any) -> aiosqlite.Connection:
    """Open a connection; where that fails its thread has ended afterwards.

    aiosqlite tells the thread to end and does not wait for it, so that it would speak to an event
    loop that may be closed by then. A thread that runs all the same must not keep a process alive.
    """
    connection = _Connection(partial(sqlite3.connect, *where, **how), _CHUNK)
    thread = connection._thread
    thread.daemon = True
    try:
        return await connection
    except BaseException:
        await asyncio.shield(asyncio.to_thread(thread.join))
        raise
