"""SQLite: one connection that writes, and a few that only read.

Writers wait for one another here instead of meeting ``SQLITE_BUSY``. In WAL mode readers wait for
nobody.

Durability: WAL with ``synchronous=FULL``, so that a power cut loses nothing that was answered.
Versions of SQLite before 3.51.3 (but for 3.44.6 and 3.50.7) can damage a WAL that two connections
write or checkpoint at the same moment (https://sqlite.org/wal.html#walreset); there is one such
connection here, readers are ``query_only``, and a lock beside the file keeps other processes out.

The driver asks its thread once for each statement. aiosqlite hands every step of a statement to it
by itself: the cursor, the execution, the rows, the end of the cursor. Here all of them are one
errand, and so is the begin of a transaction with its first statement. It is kept for its figure:
four transactions with 25 statements, as a move has them, take 3.3 ms of processor time in place of
6.0, one after another without a pause, measured in blocks that took turns. That is a sixth of all
that a move costs. ``tests/store/test_sqlite_driver.py`` fails when the library changes what is used
of it that is not public, or does the same by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

import aiosqlite
from sqlalchemy import URL, Connection, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from bot.logs import logger
from bot.store.database import Attempt, Database, Proof, connections_of, in_transaction
from bot.store.errors import StoreUnavailable
from bot.store.guards import FilesGone, OpenFiles

_log = logger(__name__)
T = TypeVar("T")

BUSY_TIMEOUT = 5.0
"""Seconds to wait for another program's lock (an operator's shell) before giving up."""
_READERS = 3
_CHECKPOINTS = 100
"""How often to try to empty the log, a fiftieth of a second apart, while a reader needs it."""
_PRAGMAS: dict[str, tuple[str, str | int]] = {
    "journal_mode": ("WAL", "wal"),
    "synchronous": ("FULL", 2),
    "foreign_keys": ("ON", 1),
    "trusted_schema": ("OFF", 0),
    "secure_delete": ("ON", 1),
    "mmap_size": ("0", 0),
    "fullfsync": ("ON", 1),
}
_TROUBLES = {
    "SQLITE_FULL": "full",
    "SQLITE_BUSY": "locked",
    "SQLITE_LOCKED": "locked",
    "SQLITE_READONLY": "readonly",
    "SQLITE_IOERR": "io",
    "SQLITE_CANTOPEN": "io",
    "SQLITE_CORRUPT": "corrupt",
    "SQLITE_NOTADB": "corrupt",
}


def looking_engine(path: Path) -> AsyncEngine:
    """An engine that leaves a file as it is; it does not even become a database of ours."""
    return _engine(path, mode="ro", connections=1)


def writer_engine(
    path: Path, *, may_make: bool = False, opened: Callable[[], None] = lambda: None
) -> AsyncEngine:
    """An engine of one connection whose transactions hold the write lock from their first look.

    ``may_make``: a file that is not there is made. ``opened`` is called when SQLite has opened it
    and its log.
    """
    engine = _engine(path, mode="rwc" if may_make else "rw", connections=1)
    _set_up(engine, {}, begin="BEGIN IMMEDIATE", opened=opened)
    return engine


def reader_engine(path: Path) -> AsyncEngine:
    """An engine whose connections cannot write."""
    engine = _engine(path, mode="rw", connections=_READERS)
    _set_up(engine, {"query_only": ("ON", 1)}, begin="BEGIN")
    return engine


def _engine(path: Path, *, mode: str, connections: int) -> AsyncEngine:
    address = URL.create(
        "sqlite+aiosqlite",
        database=path.resolve().as_uri(),
        query={"mode": mode, "uri": "true"},
    )
    return create_async_engine(
        address,
        connect_args={
            "async_creator_fn": connect_file,
            "timeout": BUSY_TIMEOUT,
            "isolation_level": None,
        },
        poolclass=AsyncAdaptedQueuePool,
        pool_size=connections,
        max_overflow=0,
        pool_use_lifo=True,  # The connection used last has its pages and statements at hand.
        pool_reset_on_return=None,
    )


def _set_up(
    engine: AsyncEngine,
    more: dict[str, tuple[str, str | int]],
    *,
    begin: str,
    opened: Callable[[], None] | None = None,
) -> None:
    """Make all settings on every new connection, and read them back.

    From then on its transactions ``begin`` in that way, together with their first statement.
    ``opened`` is called once SQLite has read from the file.

    Connecting raises :exc:`RuntimeError` if SQLite did not take one of them.
    """

    def connected(connection: Any, _record: object) -> None:
        connection.driver_connection.text_factory = _text
        try:
            for name, (wanted, expected) in (_PRAGMAS | more).items():
                _set(connection, name, wanted, expected)
            if opened is not None:
                connection.execute("SELECT count(*) FROM sqlite_master").close()
                opened()
        except BaseException:
            connection.close()
            raise
        connection.driver_connection.begin = begin

    event.listen(engine.sync_engine, "connect", connected)


def _text(stored: bytes) -> str:
    """Text as it is stored; damage is for its readers to notice, not for the driver."""
    return stored.decode(errors="replace")


def _set(connection: Any, name: str, wanted: str, expected: str | int) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA {name} = {wanted}")
    cursor.execute(f"PRAGMA {name}")
    row = cursor.fetchone()
    cursor.close()
    if row is not None and row[0] != expected:
        raise RuntimeError(f"SQLite did not take {name}={wanted}: it says {row[0]}")


class SqliteDatabase(Database):
    """See the module docstring."""

    def __init__(
        self,
        path: Path,
        *,
        read_only: bool = False,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self._files = None if read_only else OpenFiles(path)
        self._on_close = on_close
        self._is_damaged = False
        self._has_readers = False
        self._turn = asyncio.Lock()
        self._writer = writer_engine(path, opened=self._note_log)
        self._readers = reader_engine(path)
        if self._files is not None:
            event.listen(self._writer.sync_engine, "do_connect", self._before_connecting)
            event.listen(self._readers.sync_engine, "do_connect", self._before_connecting)

    @property
    def is_well(self) -> bool:
        """Whether it did what it was asked last, keeps nobody waiting, and has its files."""
        gone = self._files is not None and self._files.are_gone
        return super().is_well and not self._is_damaged and not gone

    async def scrub(self) -> None:
        """Empty the log into the file, where freed bytes are overwritten (``secure_delete``)."""
        await self._run("write", self._empty_log)

    async def _read(self, transaction: Callable[[Connection], T]) -> T:
        """Run a transaction; again if the connection had met an error that may be over."""
        try:
            try:
                return await self._look(transaction)
            except DBAPIError as error:
                if self._reason(error) != "io":
                    raise
            return await self._look(transaction)
        except FilesGone:
            raise StoreUnavailable("gone") from None

    async def _look(self, transaction: Callable[[Connection], T]) -> T:
        async with self._connected(self._readers) as connection:
            self._has_readers = True
            return await connection.run_sync(in_transaction, transaction)

    async def _write(self, transaction: Callable[[Connection], T], proof: Proof | None) -> T:
        if self._files is None:
            raise StoreUnavailable("readonly")
        async with self._turn:
            if self._is_damaged:
                raise StoreUnavailable("corrupt")
            try:
                self._files.check()
                return await self._commit(transaction, self._files, proof)
            except FilesGone:
                raise StoreUnavailable("gone") from None
            finally:
                if self._files.are_gone:
                    await self._rescue(self._files)

    async def _commit(
        self, transaction: Callable[[Connection], T], files: OpenFiles, proof: Proof | None
    ) -> T:
        def checked(connection: Connection) -> T:
            done = transaction(connection)
            files.check()
            return done

        attempt = Attempt(checked, proof=proof)
        try:
            async with self._connected(self._writer) as connection:
                return await connection.run_sync(attempt)
        except DBAPIError as error:
            # A file that was busy, full or may only be read has committed nothing. After an error
            # of the disk the next one to open the file may find the commit in its log.
            if attempt.is_sent and self._reason(error) == "io":
                return await self._find_out(attempt, error)
            raise

    def connections(self) -> dict[str, int]:
        """See :class:`Database`."""
        return connections_of(self._writer, self._readers)

    @contextlib.asynccontextmanager
    async def _connected(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        """A connection of one kind or the other.

        After an input or output error it is unknown what it has in hand, so the next transaction
        gets a new one.
        """
        connection = await engine.connect()
        try:
            yield connection
        except (DBAPIError, sqlite3.Error) as error:
            if self._reason(error) == "io":
                await connection.invalidate()
            raise
        finally:
            await connection.close()

    async def _rescue(self, files: OpenFiles) -> None:
        try:
            async with self._writer.connect() as connection:
                await files.rescue(await _driver(connection))
        except FilesGone:
            await files.rescue(None)

    async def _empty_log(self) -> None:
        async with self._turn, self._connected(self._writer) as connection:
            driver = await _driver(connection)
            for _ in range(_CHECKPOINTS):
                found = await driver.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
                if not any(busy for busy, *_pages in found):
                    return
                await asyncio.sleep(0.02)
        _log.warning("something reads for so long that the log could not be emptied")

    async def _dispose(self) -> None:
        """Close the readers, then the writer, which checkpoints."""
        await self._readers.dispose()
        await self._writer.dispose()
        self._on_close()

    def _before_connecting(self, *_: object) -> None:
        if self._files is not None:
            self._files.check()

    def _note_log(self) -> None:
        """Note which log belongs to the connection, once SQLite has opened it."""
        if self._files is not None:
            self._files.note_log(first=not self._has_readers)

    def _reason(self, error: Exception) -> str | None:
        if isinstance(error, UnicodeDecodeError):
            # What SQLite says of a damaged schema names the damaged part.
            self._is_damaged = True
            return "corrupt"
        if isinstance(error, PoolTimeout):
            return "locked"
        name = getattr(_origin(error), "sqlite_errorname", None) or ""
        for prefix, reason in _TROUBLES.items():
            if name.startswith(prefix):
                self._is_damaged |= reason == "corrupt"
                return reason
        return None

    def _words(self, error: Exception, reason: str) -> str:
        return f"{reason} ({_origin(error)})"


def _origin(error: Exception) -> BaseException:
    """The error that the driver raised."""
    return (error.orig if isinstance(error, DBAPIError) else None) or error


async def _driver(connection: AsyncConnection) -> aiosqlite.Connection:
    """The driver's own connection, for what cannot be done inside a transaction."""
    driver = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, aiosqlite.Connection)  # noqa: S101 - the engine's driver
    return driver


# ---- the driver, asked once for each statement ---------------------------------------------------

_CHUNK = 64


class _Cursor:
    """A cursor for SQLAlchemy; its rows have been read when a statement has run."""

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
        """Nothing to close: it holds nothing open."""

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


async def connect_file(*where: Any, **how: Any) -> aiosqlite.Connection:
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
