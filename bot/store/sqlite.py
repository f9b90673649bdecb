"""SQLite: one thread that writes, one that reads at length, and the event loop for single rows.

Every transaction is one function call on the writer's thread, so a cancelled task can stop neither
it nor the next one, and writers queue here instead of meeting ``SQLITE_BUSY``. The event loop and
the thread change hands once a transaction, not once a statement as with a driver that awaits each.
Reading a few rows by their keys takes some fifty microseconds, less than changing hands, and in WAL
mode never waits for the writer, so that happens where it is asked for.

Durability: WAL with ``synchronous=FULL``, so that a power cut loses nothing that was answered. Only
a transaction that may be lost (``durable=False``) is left to the next sync, with
``synchronous=NORMAL`` on the same connection: waiting for the disk is most of what a transaction
costs. The log is synced whole, so the next durable commit keeps those before it as well, and what a
power cut takes is always the end and never something in the middle. Such a one also waits a moment
(:data:`LINGER`) for a durable one to be carried out with, the second behind a savepoint, which
spares a change of threads and a commit a move where much is played.
Versions of SQLite before 3.51.3 (but for 3.44.6 and 3.50.7) can damage a WAL that two connections
write or checkpoint at the same moment (https://sqlite.org/wal.html#walreset); there is one such
connection here, readers are ``query_only``, and a lock beside the file keeps other processes out.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.pool import StaticPool

from bot.services.ports import StoreUnavailable
from bot.store.highwater import HighWater
from bot.store.jobs import BEGIN, Job, driver_of, execute, in_transaction, tell
from bot.store.whereabouts import FilesGone, OpenFiles
from bot.threads import give_way
from bot.trouble import Trouble

log = logging.getLogger(__name__)
T = TypeVar("T")

LINGER = 0.05
"""Seconds that what need not be durable waits for company."""
BUSY_TIMEOUT = 5.0
"""Seconds to wait for somebody else's lock (an operator's shell) before giving up."""

_STUCK = 12.0
"""Seconds after which what is to be written has met a database that does not answer."""
_CHECKPOINTS = 100
"""How often to try to empty the log, a fiftieth of a second apart, while somebody reads from it."""

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


def connect(path: Path, *, query_only: bool, may_make: bool = False) -> sqlite3.Connection:
    """A connection with all settings made and read back.

    ``may_make``: a file that is not there is made. Raises :exc:`RuntimeError` if SQLite did not
    take one of the settings.
    """
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={'rwc' if may_make else 'rw'}",
        uri=True,
        timeout=BUSY_TIMEOUT,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.text_factory = _text
    try:
        for name, (wanted, expected) in _PRAGMAS.items():
            _set(connection, name, wanted, expected)
        if query_only:
            _set(connection, "query_only", "ON", 1)
    except BaseException:
        connection.close()
        raise
    return connection


def _text(stored: bytes) -> str:
    """Text as it is stored; damage is for its readers to notice, not for the driver."""
    return stored.decode(errors="replace")


def _set(connection: sqlite3.Connection, name: str, wanted: str, expected: str | int) -> None:
    connection.execute(f"PRAGMA {name} = {wanted}").close()
    row = connection.execute(f"PRAGMA {name}").fetchone()
    if row is not None and row[0] != expected:
        raise RuntimeError(f"SQLite did not take {name}={wanted}: it says {row[0]}")


def _engine(
    path: Path,
    *,
    query_only: bool,
    may_make: bool = False,
    isolation_level: str | None = "AUTOCOMMIT",
) -> Engine:
    """An engine of one connection.

    ``AUTOCOMMIT`` leaves it to the caller to say where transactions begin and end: around a small
    one SQLAlchemy takes longer for that than SQLite takes for all of it.
    """
    return create_engine(
        "sqlite://",
        creator=lambda: connect(path, query_only=query_only, may_make=may_make),
        poolclass=StaticPool,
        pool_reset_on_return=None,
        isolation_level=isolation_level,
    )


def _sync_commits(driver: sqlite3.Connection, *, wanted: bool) -> None:
    """Have commits wait for the disk from now on, or not; between transactions, and read back."""
    value, number = ("FULL", 2) if wanted else ("NORMAL", 1)
    try:
        _set(driver, "synchronous", value, number)
    except sqlite3.Error as error:
        raise OperationalError("PRAGMA synchronous", None, error) from error


def looking_engine(path: Path) -> Engine:
    """An engine that leaves a file as it is; it does not even become a database of ours."""
    uri = f"{path.resolve().as_uri()}?mode=ro"
    return create_engine("sqlite://", creator=lambda: sqlite3.connect(uri, uri=True))


def writer_engine(path: Path) -> Engine:
    """An engine whose transactions SQLAlchemy begins; they hold the write lock from then on.

    It makes a file that is not there.
    """
    engine = _engine(path, query_only=False, may_make=True, isolation_level=None)
    event.listen(engine, "begin", lambda connection: execute(BEGIN, driver_of(connection)))
    return engine


def _trouble(error: DBAPIError) -> str | None:
    """A word for what keeps the database from working, None if the statement was at fault."""
    name = getattr(error.orig, "sqlite_errorname", "")
    for prefix, word in _TROUBLES.items():
        if name.startswith(prefix):
            return word
    return None


class SqliteDatabase:
    """See the module docstring; the protocol is :class:`bot.store.database.Database`."""

    def __init__(
        self,
        path: Path,
        *,
        read_only: bool = False,
        mark: HighWater | None = None,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        self._path = path
        self._files = None if read_only else OpenFiles(path)
        self._mark = mark
        self._read_only = read_only
        self._on_close = on_close
        self._write_engine = _engine(path, query_only=False)
        self._local = threading.local()
        self._readers: list[Connection] = []
        self._damaged = False
        self._closed = False
        self._writes = ThreadPoolExecutor(1, "store-writer", initializer=give_way)
        self._reads = ThreadPoolExecutor(1, "store-reader", initializer=give_way)
        self._writer: Connection | None = None
        self._syncs = True
        self._waiting: list[Job[Any]] = []
        self._lingering: asyncio.TimerHandle | None = None
        self._pending: dict[asyncio.Future[Any], float] = {}
        self._trouble = Trouble(log, "the database cannot be used")

    @property
    def is_well(self) -> bool:
        """Whether it did what it was asked last, and lets nobody wait to write."""
        now = asyncio.get_running_loop().time()
        waiting = any(now - began > _STUCK for began in self._pending.values())
        gone = self._files is not None and self._files.are_gone
        return not (self._damaged or self._trouble.is_on or waiting or gone)

    async def look(self, work: Callable[[Connection], T]) -> T:
        """Read a few rows by their keys, at once, on a connection that cannot write."""
        if self._closed:
            raise StoreUnavailable("closed")
        return self._read(work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction on a connection that cannot write."""
        if self._closed:
            raise StoreUnavailable("closed")
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._reads, self._read, work))

    async def read_afresh(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction on a connection of its own, which has nothing in memory yet."""
        if self._closed:
            raise StoreUnavailable("closed")
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._reads, self._read_afresh, work))

    async def write(self, work: Callable[[Connection], T], *, durable: bool = True) -> T:
        """Run a transaction on the one connection that writes, after those before it."""
        if self._closed:
            raise StoreUnavailable("closed")
        loop = asyncio.get_running_loop()
        job: Job[T] = Job(work, loop.create_future())
        self._waiting.append(job)
        self._pending[job.done] = loop.time()
        job.done.add_done_callback(self._pending.pop)
        if durable:
            self._send(durable=True)
        elif self._lingering is None:
            self._lingering = loop.call_later(LINGER, self._send)
        return await job.done

    def _send(self, *, durable: bool = False) -> None:
        """Hand what waits to the writer's thread."""
        if self._lingering is not None:
            self._lingering.cancel()
            self._lingering = None
        jobs, self._waiting = self._waiting, []
        if jobs:
            self._writes.submit(self._write_and_tell, jobs, durable, asyncio.get_running_loop())

    async def scrub(self) -> None:
        """Empty the log into the file, where freed bytes are overwritten (``secure_delete``)."""
        if self._closed:
            raise StoreUnavailable("closed")
        loop = asyncio.get_running_loop()
        await asyncio.shield(loop.run_in_executor(self._writes, self._empty_log))

    async def close(self) -> None:
        """Let what is queued end, then close the readers, then the writer, which checkpoints."""
        if not self._closed:
            self._send()
            self._closed = True
            await asyncio.to_thread(self._shut)

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self._troubles_told():
            connection: Connection | None = getattr(self._local, "connection", None)
            if connection is None:
                connection = self._local.connection = self._connect_reader()
                self._readers.append(connection)
            return in_transaction(connection, work)

    def _read_afresh(self, work: Callable[[Connection], T]) -> T:
        with self._troubles_told():
            connection = self._connect_reader()
            try:
                return in_transaction(connection, work)
            finally:
                connection.close()
                connection.engine.dispose()

    def _connect_reader(self) -> Connection:
        self._check_files()
        return _engine(self._path, query_only=True).connect()

    @contextlib.contextmanager
    def _troubles_told(self) -> Iterator[None]:
        """Raise :exc:`StoreUnavailable` for what is the fault of the database or its files."""
        try:
            yield
        except FilesGone:
            raise StoreUnavailable("gone") from None
        except DBAPIError as error:
            raise self._judge(error, "read") from error
        except UnicodeDecodeError as error:
            # What SQLite says of a damaged schema names the damaged part.
            self._damaged = True
            raise StoreUnavailable("corrupt") from error
        self._trouble.passed(way="read")

    def _write_and_tell(
        self, jobs: list[Job[Any]], durable: bool, loop: asyncio.AbstractEventLoop
    ) -> None:
        """Run jobs, and have the event loop say what came of them."""
        trouble = None
        try:
            self._write(jobs, durable)
        except BaseException as error:
            trouble = error
        with contextlib.suppress(RuntimeError):  # The loop is closed: nobody waits any more.
            loop.call_soon_threadsafe(tell, jobs, trouble)
        if self._files is not None:
            self._files.rescue(None if self._writer is None else driver_of(self._writer))

    def _write(self, jobs: list[Job[Any]], durable: bool) -> None:
        """Run jobs in one transaction; raises what keeps all of them from being done."""
        if self._read_only:
            raise StoreUnavailable("readonly")
        if self._damaged:
            raise StoreUnavailable("corrupt")
        try:
            self._check_files()
            if self._writer is None:
                self._writer = self._connect_writer()
                self._syncs = True
            driver = driver_of(self._writer)
            if self._syncs is not durable:
                _sync_commits(driver, wanted=durable)
                self._syncs = durable
            try:
                is_open = False
                for job in jobs:
                    is_open = job.run(self._writer, driver, first=not is_open)
                newest = None
                if is_open:
                    self._check_files()
                    if durable and self._mark is not None:
                        newest = self._mark.newest(driver)
                    execute("COMMIT", driver)
            except BaseException:
                self._roll_back(driver)
                raise
            if newest is not None and self._mark is not None:
                self._mark.note(newest)
        except IntegrityError:
            raise
        except FilesGone:
            raise StoreUnavailable("gone") from None
        except DBAPIError as error:
            raise self._judge(error, "write") from error
        self._trouble.passed(way="write")

    def _connect_writer(self) -> Connection:
        writer = self._write_engine.connect()
        execute("SELECT count(*) FROM sqlite_master", driver_of(writer))  # which opens the log
        if self._files is not None:
            self._files.note_log(first=not self._readers)
        return writer

    def _check_files(self) -> None:
        """Raise :exc:`FilesGone` unless the open files are those at the path."""
        if self._files is not None:
            self._files.check()

    def _roll_back(self, driver: sqlite3.Connection) -> None:
        """Take back a transaction that has failed, if SQLite has not done so already."""
        with contextlib.suppress(sqlite3.Error):
            driver.rollback()
        if driver.in_transaction:
            self._drop_writer()

    def _empty_log(self) -> None:
        if self._writer is None:
            return
        try:
            for _ in range(_CHECKPOINTS):
                busy, *_pages = execute("PRAGMA wal_checkpoint(TRUNCATE)", driver_of(self._writer))
                if not busy:
                    return
                time.sleep(0.02)
        except DBAPIError as error:
            raise self._judge(error, "write") from error
        log.warning("somebody reads for so long that the log could not be emptied")

    def _judge(self, error: DBAPIError, way: str) -> Exception:
        """What to raise instead; nothing is written any more once the file is damaged.

        After an input or output error it is unknown what the connection has in hand, so the next
        transaction gets a new one.
        """
        word = _trouble(error)
        if word is None:
            return error
        self._trouble.met(f"{word} ({error.orig})", way=way)
        if word == "corrupt":
            self._damaged = True
        if word == "io" and threading.current_thread().name.startswith("store-writer"):
            self._drop_writer()
        return StoreUnavailable(word)

    def _drop_writer(self) -> None:
        if self._writer is not None:
            self._writer.invalidate()
            self._writer.close()
            self._writer = None
        self._write_engine.dispose()
        self._write_engine = _engine(self._path, query_only=False)

    def _shut(self) -> None:
        self._reads.shutdown(wait=True)
        self._writes.shutdown(wait=True)
        for connection in self._readers:
            connection.close()
            connection.engine.dispose()
        self._readers.clear()
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self._write_engine.dispose()
        if self._mark is not None:
            self._mark.close()
        self._on_close()
