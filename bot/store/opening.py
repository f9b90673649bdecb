"""Opening a database, or refusing to, with what the host can do about it.

A database that was there and is gone, empty, damaged, foreign or newer is never quietly replaced by
a new one, nor one that was put back to an older copy gone on with. For SQLite a small file beside
it, ``NAME.installation``, remembers that there was one, and ``NAME.newest`` how far it had come;
another, ``NAME.lock``, is held while a process has it open.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import logging
import os
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from sqlalchemy import URL, Connection, text
from sqlalchemy.exc import DatabaseError, DBAPIError, OperationalError

from bot.domain.history import HistoryError, verify
from bot.store import transactions
from bot.store.address import read_address
from bot.store.highwater import HighWater, mark_of, newest_is_there
from bot.store.postgres import PostgresDatabase, engine_of, refusal
from bot.store.refused import StoreRefused
from bot.store.schema import SchemaState, schema_state, upgrade
from bot.store.sql import SqlStore
from bot.store.sqlite import SqliteDatabase, looking_engine, writer_engine
from bot.store.tables import installation

__all__ = [
    "StoreRefused",
    "open_reader",
    "open_store",
    "sqlite_path",
    "upgrade_store",
    "waits_for_upgrade",
]

log = logging.getLogger(__name__)

_WHOLE_CHECK = 64 * 1024 * 1024
"""Up to this size a SQLite file is checked whole at the start; it takes about a second."""
_NEWEST = 100
"""The matches of so many last events are checked at the start, however many there are."""
_LOCK_TIMEOUT = 5
"""How long a transaction on PostgreSQL waits for a lock, in seconds, as long as one on SQLite."""
_PATIENCE = 15.0
"""How long a statement waits for PostgreSQL, in seconds, before the connection counts as lost."""


async def open_store(url: str) -> SqlStore:
    """Open the database of that URL, making it if this is the first start.

    ``sqlite:///PATH`` or ``postgresql://USER:PASSWORD@HOST/NAME``. A SQLite file is brought to the
    newest schema; PostgreSQL, which other processes may be using, waits for
    :func:`upgrade_store`. Raises :exc:`StoreRefused`.
    """
    address = _address(url)
    if address.get_backend_name() == "sqlite":
        return await asyncio.to_thread(_open_sqlite, sqlite_path(url))
    return await _open_postgres(address)


async def open_reader(url: str) -> SqlStore:
    """Open a database to look at it, also while the bot runs; nothing can be written.

    Raises :exc:`StoreRefused`.
    """
    address = _address(url)
    if address.get_backend_name() != "sqlite":
        return await _open_postgres(address)
    path = sqlite_path(url)
    check_file(path)
    if not path.exists():
        raise StoreRefused("lost", f"There is no database at {path} yet.")
    return SqlStore(SqliteDatabase(path, read_only=True))


async def waits_for_upgrade(url: str) -> bool:
    """Whether a SQLite file is of an older release, and opening it would change its tables.

    Raises :exc:`StoreRefused`.
    """
    address = _address(url)
    if address.get_backend_name() != "sqlite" or not sqlite_path(url).exists():
        return False
    return await asyncio.to_thread(_is_older, sqlite_path(url))


def _is_older(path: Path) -> bool:
    engine = looking_engine(path)
    try:
        with _damage_told(path), engine.connect() as connection:
            return schema_state(connection) is SchemaState.OLDER
    finally:
        engine.dispose()


async def upgrade_store(url: str) -> None:
    """Bring the database of that URL to the newest schema, making it if there is none."""
    address = _address(url)
    if address.get_backend_name() == "sqlite":
        await (await open_store(url)).close()
        return
    engine = engine_of(address)
    try:
        async with engine.begin() as connection:
            await connection.execute(text("SELECT pg_advisory_xact_lock(7271)"))
            await connection.run_sync(_prepare)
    except DBAPIError as error:
        raise refusal(error) from error
    finally:
        await engine.dispose()


def sqlite_path(url: str) -> Path:
    """The file that a SQLite URL names; :exc:`StoreRefused` if it names none."""
    name = _address(url).database
    if not name or name == ":memory:" or not Path(name).name:
        raise StoreRefused("url", "PARLOUR_DATABASE names no file; sqlite:///parlour.db would do.")
    return Path(name)


def _address(url: str) -> URL:
    return read_address(url)


# ---- SQLite ---------------------------------------------------------------------------------


def _open_sqlite(path: Path) -> SqlStore:
    with _folder_told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        unlock = lock(path)
        try:
            check_file(path)
            _bring_up(path)
            return SqlStore(SqliteDatabase(path, mark=HighWater(path), on_close=unlock))
        except BaseException:
            unlock()
            raise


@contextlib.contextmanager
def _folder_told(path: Path) -> Iterator[None]:
    """Turn what the system says about the folder of a SQLite file into a refusal."""
    try:
        yield
    except OSError as error:
        why = error.strerror or type(error).__name__
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise StoreRefused("busy", f"{path.parent} cannot be written now: {why}.") from error
        raise StoreRefused(
            "folder",
            f"{path.parent} cannot be used for the database: {why}. Set PARLOUR_DATA to a folder"
            " that this user may write, or change its owner.",
        ) from error


def lock(path: Path) -> Callable[[], None]:
    """Keep every other process away from a SQLite file; returns what lets them in again."""
    handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise StoreRefused(
            "in_use",
            f"Another process of Parlour has {path} open. Stop it first; to run several at once, "
            "use PostgreSQL.",
        ) from None
    return lambda: os.close(handle)


def marker_of(path: Path) -> Path:
    """The file that remembers that there was a database."""
    return path.with_name(path.name + ".installation")


def check_file(path: Path) -> None:
    """Refuse a SQLite file that was there and is gone or empty."""
    if path.exists() and path.stat().st_size > 0:
        return
    marker = marker_of(path)
    if marker.exists():
        raise StoreRefused(
            "lost",
            f"The database {path} is missing or empty, but there was one. Put it back, or restore "
            f"a backup with: parlour restore BACKUP. To begin anew without the matches of before, "
            f"remove {marker}.",
        )


@contextlib.contextmanager
def _damage_told(path: Path) -> Iterator[None]:
    """Turn what SQLite says about a damaged file into a refusal."""
    try:
        yield
    except OperationalError as error:
        name = getattr(error.orig, "sqlite_errorname", "")
        if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            raise _damaged(path, str(error.orig)) from error
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR")):
            raise StoreRefused("busy", f"{path} cannot be used now: {error.orig}.") from error
        raise StoreRefused(
            "folder",
            f"{path}: {error.orig}. Check that PARLOUR_DATABASE or PARLOUR_DATA names a file or"
            " folder that this user may write.",
        ) from error
    except DatabaseError as error:
        raise _damaged(path, str(error.orig)) from error


def _damaged(path: Path, detail: str) -> StoreRefused:
    return StoreRefused(
        "corrupt",
        f"The database {path} is damaged ({detail}). Nothing has been written to it. Keep it for "
        "analysis and restore the newest backup with: parlour restore BACKUP.",
    )


def _bring_up(path: Path) -> None:
    """Check the file, bring its schema up to date, and compare it with the marker."""
    engine = writer_engine(path)
    try:
        with _damage_told(path), engine.connect() as connection:
            if path.stat().st_size <= _WHOLE_CHECK:
                with connection.begin():
                    found = connection.exec_driver_sql("PRAGMA integrity_check").scalar()
                if found != "ok":
                    raise _damaged(path, str(found))
            with connection.begin():
                identity = _prepare(connection)
                transactions.release_all(connection)
                _check_newest(connection, path)
            _match_marker(path, identity)
            with connection.begin():
                _check_mark(connection, path)
    finally:
        engine.dispose()


def _check_newest(connection: Connection, path: Path) -> None:
    """Play the matches of the newest events through again.

    That a move is impossible may be the fault of changed rules and not of the file, so it is only
    said; the match itself refuses to go on.
    """
    for match, events in transactions.newest_matches(connection, _NEWEST):
        try:
            verify(match, events)
        except HistoryError as error:
            if error.code != "impossible":
                raise _damaged(path, f"match {match.id}: {error}") from error
            log.warning("match %s cannot be played through again: %s", match.id, error)


def _check_mark(connection: Connection, path: Path) -> None:
    """Refuse a file that lacks what was in it when it was last written."""
    if not newest_is_there(connection, path):
        raise StoreRefused(
            "rewound",
            f"{path} is older than what was here: its newest moves are missing. Either it was "
            f"replaced by an earlier copy, or the file {path.name}-wal that belongs to it is gone. "
            "Put the newest files back, both of them. If you mean to go on from this earlier "
            f"state, remove {mark_of(path)}: the moves that came after it are lost, and the number "
            "at the foot of a board tells how far its match had come.",
        )


def _match_marker(path: Path, identity: str) -> None:
    marker = marker_of(path)
    if not marker.exists():
        mark_of(path).unlink(missing_ok=True)
        marker.write_text(identity + "\n", encoding="ascii")
        return
    expected = marker.read_text(encoding="ascii").strip()
    if expected != identity:
        raise StoreRefused(
            "other",
            f"{path} belongs to another installation of Parlour than the one that ran here. Put "
            f"the right file back, or, if this one is meant, remove {marker}.",
        )


def _prepare(connection: Connection) -> str:
    """Bring the tables to the newest revision; returns the id of the installation."""
    state = schema_state(connection)
    _refuse_schema(state)
    if state is not SchemaState.CURRENT:
        upgrade(connection)
    found = connection.execute(installation.select()).first()
    if found is not None:
        return str(found.id)
    identity = secrets.token_hex(16)
    connection.execute(
        installation.insert(), {"id": identity, "created_at": time.time_ns() // 1000}
    )
    return identity


def _refuse_schema(state: SchemaState) -> None:
    if state is SchemaState.NEWER:
        raise StoreRefused(
            "newer",
            "The database was written by a newer release of Parlour. Install that release again, "
            "or restore a backup from before the upgrade.",
        )
    if state is SchemaState.FOREIGN:
        raise StoreRefused(
            "foreign", "The database holds tables that are not Parlour's. Name another one."
        )


# ---- PostgreSQL -----------------------------------------------------------------------------


async def _open_postgres(address: URL) -> SqlStore:
    engine = engine_of(
        address,
        settings={"lock_timeout": f"{_LOCK_TIMEOUT}s"},
        patience=_PATIENCE,
        pool_size=5,
        max_overflow=5,
        pool_timeout=5,
    )
    try:
        async with engine.connect() as connection:
            await connection.run_sync(_check_postgres)
    except StoreRefused:
        await engine.dispose()
        raise
    except DBAPIError as error:
        await engine.dispose()
        raise refusal(error) from error
    return SqlStore(PostgresDatabase(engine))


def _check_postgres(connection: Connection) -> None:
    for setting in ("fsync", "synchronous_commit"):
        value = connection.execute(text(f"SHOW {setting}")).scalar()
        if value == "off":
            raise StoreRefused(
                "unsafe",
                f"PostgreSQL runs with {setting}=off and would lose moves in a power cut. "
                f"Set {setting}=on.",
            )
    state = schema_state(connection)
    _refuse_schema(state)
    if state is not SchemaState.CURRENT:
        raise StoreRefused(
            "not_upgraded", "The database has no tables yet, or old ones. Run: parlour db upgrade"
        )
