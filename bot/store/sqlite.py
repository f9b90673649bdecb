"""SQLite: one connection that writes, and a few that only read.

Writers wait for one another here instead of meeting ``SQLITE_BUSY``. In WAL mode readers wait for
nobody.

Durability: WAL with ``synchronous=FULL``, so that a power cut loses nothing that was answered.
Versions of SQLite before 3.51.3 (but for 3.44.6 and 3.50.7) can damage a WAL that two connections
write or checkpoint at the same moment (https://sqlite.org/wal.html#walreset); there is one such
connection here, readers are ``query_only``, and a lock beside the file keeps other processes out.

A transaction is one task of aiosqlite's thread, from its begin to its commit, because it awaits
nothing. SQLAlchemy's own way asks that thread several times for each statement. This is kept for
its figure: four transactions with 25 statements, as a move has them, take 1.4 ms of processor time,
4.4 where each statement is one task, and 6 in SQLAlchemy's way.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.logs import logger
from bot.store.database import Attempt, Database, Proof, in_transaction
from bot.store.errors import StoreUnavailable
from bot.store.guards import FilesGone, OpenFiles

_log = logger(__name__)
T = TypeVar("T")
_Any = TypeVar("_Any", bound=aiosqlite.Connection)

BUSY_TIMEOUT = 5.0
"""Seconds to wait for another program's lock (an operator's shell) before giving up."""
_TO_WRITE = "BEGIN IMMEDIATE"
_HOW = {"timeout": BUSY_TIMEOUT, "isolation_level": None}
_READERS = 3
_CHUNK = 64
"""How many rows aiosqlite reads at a time, where it is asked for rows."""
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


@contextlib.asynccontextmanager
async def looking_at(path: Path) -> AsyncIterator[SqliteConnection]:
    """A file, left as it is; it does not even become a database of ours."""
    connection = await _opened(SqliteConnection(_engine(path, "ro")))
    try:
        yield connection
    finally:
        await connection.close()


@contextlib.asynccontextmanager
async def writing_to(path: Path, *, may_make: bool = False) -> AsyncIterator[SqliteConnection]:
    """A file whose transactions hold the write lock from their first look.

    ``may_make``: a file that is not there is made.
    """
    engine = _engine(path, "rwc" if may_make else "rw")
    _set_up(engine, {}, begin=_TO_WRITE)
    connection = await _opened(SqliteConnection(engine))
    try:
        yield connection
    finally:
        await connection.close()


def _engine(path: Path, mode: str = "rw") -> Engine:
    return create_engine(
        _address("sqlite", path, mode),
        connect_args=_HOW,
        poolclass=NullPool,
        pool_reset_on_return=None,
    )


def stepwise_engine(path: Path) -> AsyncEngine:
    """An engine for a transaction whose steps take turns with those of another database."""

    async def connect(*where: Any, **how: Any) -> aiosqlite.Connection:
        return await _opened(aiosqlite.Connection(partial(sqlite3.connect, *where, **how), _CHUNK))

    engine = create_async_engine(
        _address("sqlite+aiosqlite", path, "rw"),
        connect_args={"async_creator_fn": connect, **_HOW},
        poolclass=NullPool,
        pool_reset_on_return=None,
    )
    _set_up(engine.sync_engine, {}, begin=_TO_WRITE)
    return engine


def _address(driver: str, path: Path, mode: str) -> URL:
    file = path.resolve().as_uri()
    return URL.create(driver, database=file, query={"mode": mode, "uri": "true"})


def _set_up(
    engine: Engine,
    more: dict[str, tuple[str, str | int]],
    *,
    begin: str,
    opened: Callable[[], None] = lambda: None,
) -> None:
    """Make all settings on every new connection, and read them back.

    Its transactions ``begin`` in that way. ``opened`` is called once SQLite has opened the file and
    its log.

    Connecting raises :exc:`RuntimeError` if SQLite did not take one of them.
    """

    def connected(connection: Any, _record: object) -> None:
        getattr(connection, "driver_connection", connection).text_factory = _text
        try:
            for name, (wanted, expected) in (_PRAGMAS | more).items():
                _set(connection, name, wanted, expected)
            with contextlib.closing(connection.cursor()) as cursor:
                cursor.execute("SELECT count(*) FROM sqlite_master")
            opened()
        except BaseException:
            connection.close()
            raise

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))


def _text(stored: bytes) -> str:
    """Text as it is stored; damage is for its readers to notice, not for the driver."""
    return stored.decode(errors="replace")


def _set(connection: Any, name: str, wanted: str, expected: str | int) -> None:
    with contextlib.closing(connection.cursor()) as cursor:
        cursor.execute(f"PRAGMA {name} = {wanted}")
        cursor.execute(f"PRAGMA {name}")
        row = cursor.fetchone()
    if row is not None and row[0] != expected:
        raise RuntimeError(f"SQLite did not take {name}={wanted}: it says {row[0]}")


class SqliteDatabase(Database):
    """See the module docstring."""

    def __init__(
        self, path: Path, *, read_only: bool = False, on_close: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__()
        self._files = None if read_only else OpenFiles(path)
        self._on_close = on_close
        self._is_damaged = False
        self._has_readers = False
        self._turn = asyncio.Lock()
        writes, reads = _engine(path), _engine(path)
        _set_up(writes, {}, begin=_TO_WRITE, opened=self._note_log)
        _set_up(reads, {"query_only": ("ON", 1)}, begin="BEGIN")
        if self._files is not None:
            event.listen(writes, "do_connect", self._before_connecting)
            event.listen(reads, "do_connect", self._before_connecting)
        self._writer = _Connections(writes, 1)
        self._readers = _Connections(reads, _READERS)

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
            return await connection.transact(transaction)

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
                return await connection.run(attempt)
        except DBAPIError as error:
            # A file that was busy, full or may only be read has committed nothing. After an error
            # of the disk the next one to open the file may find the commit in its log.
            if attempt.is_sent and self._reason(error) == "io":
                return await self._find_out(attempt, error)
            raise

    def connections(self) -> dict[str, int]:
        """See :class:`Database`."""
        kinds = (self._writer, self._readers)
        return {
            "busy": sum(each.busy for each in kinds),
            "idle": sum(len(each.idle) for each in kinds),
        }

    @contextlib.asynccontextmanager
    async def _connected(self, connections: _Connections) -> AsyncIterator[SqliteConnection]:
        """A connection of one kind or the other.

        After an input or output error it is unknown what it has in hand, and SQLAlchemy closes it
        after what is no ordinary exception, so the next transaction gets a new one.
        """
        async with connections.lent() as connection:
            try:
                yield connection
            except BaseException as error:
                if not isinstance(error, Exception) or self._reason(error) == "io":
                    await connection.close()
                raise

    async def _rescue(self, files: OpenFiles) -> None:
        try:
            async with self._writer.lent() as connection:
                await files.rescue(connection)
        except FilesGone:
            await files.rescue(None)

    async def _empty_log(self) -> None:
        async with self._turn, self._connected(self._writer) as connection:
            for _ in range(_CHECKPOINTS):
                found = await connection.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
                if not any(busy for busy, *_pages in found):
                    return
                await asyncio.sleep(0.02)
        _log.warning("something reads for so long that the log could not be emptied")

    async def _dispose(self) -> None:
        """Close the readers, then the writer, which checkpoints."""
        await self._readers.close()
        await self._writer.close()
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


class SqliteConnection(aiosqlite.Connection):
    """A connection of SQLAlchemy that lives on the thread of one of aiosqlite."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(self._open, _CHUNK)
        self._engine = engine
        self._sql: Connection

    def _open(self) -> sqlite3.Connection:
        self._sql = self._engine.connect()
        file = self._sql.connection.driver_connection
        assert isinstance(file, sqlite3.Connection)  # noqa: S101 - the engine's driver
        return file

    @property
    def is_open(self) -> bool:
        """Whether it has not been closed."""
        return self._connection is not None

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Have something done on the thread, which sees the context of its caller."""
        done: T = await self._execute(copy_context().run, work, self._sql)  # type: ignore[no-untyped-call]
        return done

    async def transact(self, transaction: Callable[[Connection], T]) -> T:
        """Run a transaction from begin to commit, or rollback if it raises."""
        return await self.run(partial(in_transaction, transaction=transaction))

    async def close(self) -> None:
        """Close the file and end the thread."""
        try:
            await self.run(Connection.close)
        finally:
            await super().close()


class _Connections:
    """Connections of one kind, at most so many.

    The one used last is used next, since it has its pages and statements at hand.
    """

    def __init__(self, engine: Engine, most: int) -> None:
        self.engine = engine
        self._free = asyncio.Semaphore(most)
        self.idle: list[SqliteConnection] = []
        self.busy = 0

    @contextlib.asynccontextmanager
    async def lent(self) -> AsyncIterator[SqliteConnection]:
        """A connection for a while; one that is closed meanwhile is not kept."""
        async with self._free:
            self.busy += 1
            try:
                connection = (
                    self.idle.pop() if self.idle else await _opened(SqliteConnection(self.engine))
                )
                try:
                    yield connection
                finally:
                    if connection.is_open:
                        self.idle.append(connection)
            finally:
                self.busy -= 1

    async def close(self) -> None:
        """Close those that nobody has."""
        while self.idle:
            await self.idle.pop().close()


async def _opened(connection: _Any) -> _Any:
    """Open a connection; where that fails its thread has ended afterwards.

    aiosqlite tells the thread to end and does not wait for it, so that it would speak to an event
    loop that may be closed by then. A thread that runs all the same must not keep a process alive.
    """
    thread = connection._thread
    thread.daemon = True
    try:
        await connection
    except BaseException:
        await asyncio.shield(asyncio.to_thread(thread.join))
        raise
    return connection
