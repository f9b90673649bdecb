"""Backup and restore of a SQLite database, while the bot runs and while it does not.

A backup is made on a connection that can only read, with SQLite's own backup interface and in small
portions, so that moves go on meanwhile; a copy of the file alone would lack what is still in the
log beside it. It becomes visible under its name only when it is whole and has been checked.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import create_engine
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import StaticPool

from bot.durable import make_durable, write_whole
from bot.failpoints import hit
from bot.store.database import StoreRefused
from bot.store.files import check_file, is_full, keep_private, lock, marker_of, nothing_there
from bot.store.guards import mark_of
from bot.store.opening import read_address, sqlite_path
from bot.store.schema import SchemaState, differences, schema_state

_PAGES = 256


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that can only read, also what is still in the log beside the file."""
    uri = f"{path.resolve().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(uri, uri=True)) as file:
        yield file


def _copy_whole(source: sqlite3.Connection, target: Path) -> None:
    """Copy all that is committed into a file that stands by itself, in small portions.

    ``source`` must be in no transaction. Raises :exc:`sqlite3.Error`.
    """
    with contextlib.closing(sqlite3.connect(target)) as copy:
        # Hold one snapshot: otherwise every move meanwhile would begin the copy again.
        source.execute("BEGIN").close()
        try:
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(copy, pages=_PAGES, progress=lambda *_: hit("c13"), sleep=0.005)
        finally:
            source.rollback()
        copy.execute("PRAGMA journal_mode = DELETE").close()


def _only_sqlite(url: str) -> Path:
    if read_address(url).get_backend_name() != "sqlite":
        raise StoreRefused(
            "url",
            "PostgreSQL has its own tools for this: pg_dump makes a backup, pg_restore reads it.",
        )
    return sqlite_path(url)


def backup(url: str, target: Path) -> int:
    """Write a backup of the database to a new file; returns its size in bytes.

    Raises :exc:`~bot.store.database.StoreRefused` if the file exists or cannot be written, or the
    database is gone or cannot be read.
    """
    path = _only_sqlite(url)
    if os.path.lexists(target):
        raise StoreRefused("url", f"{target} exists already. Name a new file for the backup.")
    check_file(path)
    if not path.exists():
        raise nothing_there(path)
    partial = target.with_name(target.name + ".partial")
    try:
        # Made here, so that what is wrong with the place for it is not taken for the database's.
        partial.write_bytes(b"")
        with _reading(path) as source:
            _copy_whole(source, partial)
        _check(partial, name=path)
        make_durable(partial)
        partial.replace(target)
        make_durable(target.parent)
    except OSError as error:
        raise _not_written(target, error) from error
    except sqlite3.DatabaseError as error:
        if _is_full(error, target):
            raise _no_room(target) from error
        raise StoreRefused("corrupt", f"{path} cannot be backed up: {error}") from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()
    return target.stat().st_size


_KEPT = "parlour-*Z.db"


def newest_backup(folder: Path) -> Path | None:
    """The newest of the backups that :func:`backup_among` wrote into a folder."""
    return max(folder.glob(_KEPT), default=None)


def backup_among(url: str, folder: Path, now: datetime, *, keep: int) -> Path:
    """Write a backup, named by its time in UTC, and remove all but so many of the newest.

    Older ones are removed only once the new one is whole. Raises what :func:`backup` does.
    """
    target = folder / f"parlour-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}.db"
    backup(url, target)
    for old in sorted(folder.glob(_KEPT))[:-keep]:
        old.unlink(missing_ok=True)
    return target


def _not_written(target: Path, error: OSError) -> StoreRefused:
    if error.errno == errno.ENOSPC:
        return _no_room(target)
    if not target.parent.is_dir():
        words = f"There is no folder {target.parent}. Make it first, or name another one."
    else:
        words = f"{target} cannot be written ({error.strerror}). Name another place for it."
    return StoreRefused("url", words)


def _no_room(target: Path) -> StoreRefused:
    return StoreRefused(
        "url", f"There is no room left in {target.parent}. Make some and try again."
    )


def _is_full(error: sqlite3.DatabaseError, target: Path) -> bool:
    name = getattr(error, "sqlite_errorname", "")
    return name == "SQLITE_FULL" or (name.startswith("SQLITE_IOERR") and is_full(target))


def restore(url: str, source: Path) -> Path | None:
    """Put a backup in the place of the database; returns where the present one was put aside.

    The bot must be stopped. Raises :exc:`~bot.store.database.StoreRefused` if it is not, or if the
    backup is damaged, none of Parlour's, or of a newer release.
    """
    path = _only_sqlite(url)
    if not source.is_file():
        raise StoreRefused("lost", f"There is no backup at {source}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    unlock = lock(path)
    fresh = path.with_name(path.name + ".restoring")
    try:
        fresh.unlink(missing_ok=True)
        try:
            with _reading(source) as whole:
                _check_release(whole, source)
                identity = _check(source, name=source)
                _copy_whole(whole, fresh)
        except sqlite3.DatabaseError as error:
            if _is_full(error, path):
                raise _no_room(path) from error
            raise StoreRefused("corrupt", f"The backup {source} is damaged: {error}") from error
        make_durable(fresh)
        aside = _put_aside(path)
        # A power cut between these leaves no database, and that there was one: restore it again.
        mark_of(path).unlink(missing_ok=True)
        write_whole(marker_of(path), identity + "\n")
        fresh.replace(path)
        keep_private(path)
        make_durable(path.parent)
        return aside
    finally:
        fresh.unlink(missing_ok=True)
        unlock()


def _check_release(source: sqlite3.Connection, name: Path) -> None:
    """Refuse a backup that this release could not open."""
    engine = create_engine("sqlite://", creator=lambda: source, poolclass=StaticPool)
    try:
        with engine.connect() as connection:
            state = schema_state(connection)
            why = differences(connection)[:1] if state is SchemaState.DIFFERENT else []
    except DatabaseError as error:
        raise sqlite3.DatabaseError(str(error.orig)) from error
    if state is SchemaState.MOVED:
        raise StoreRefused(
            "moved",
            f"The backup {name} was made after its matches had been carried over to another"
            " database. Name that one in PARLOUR_DATABASE, or restore an earlier backup.",
        )
    if state is SchemaState.NEWER:
        raise StoreRefused(
            "newer", f"The backup {name} is of a newer release of Parlour. Install that one."
        )
    for each in why:
        raise StoreRefused(
            "different",
            f"The backup {name} was made by an earlier development version of Parlour, with other"
            f" tables ({each}). Restore it with that version.",
        )


def _check(path: Path, *, name: Path) -> str:
    """The installation that a whole, undamaged file belongs to; ``name`` is what to call it."""
    with _reading(path) as file:
        found = file.execute("PRAGMA integrity_check").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        ours = "SELECT 1 FROM sqlite_master WHERE name = 'installation'"
        if file.execute(ours).fetchone() is None:
            raise StoreRefused("foreign", f"{name} holds nothing of Parlour's. Name another file.")
        row = file.execute("SELECT id FROM installation").fetchone()
    if row is None:
        raise sqlite3.DatabaseError("it belongs to no installation")
    return str(row[0])


def _put_aside(path: Path) -> Path | None:
    """Rename the present database and the log that belongs to it, also a log left alone."""
    aside = path.with_name(f"{path.name}.replaced-{time.time_ns()}")
    for ending in ("", "-wal", "-shm"):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.replace(aside.with_name(aside.name + ending))
    return aside if aside.exists() else None
