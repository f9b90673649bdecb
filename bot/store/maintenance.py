"""Backup and restore of a SQLite database, while the bot runs and while it does not.

A backup is made with SQLite's own backup interface on a connection that can only read, in small
portions, so that moves go on meanwhile; a copy of the file alone would lack what is still in the
log beside it. It becomes visible under its name only when it is whole and has been checked.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from pathlib import Path

from bot.failpoints import hit
from bot.store.address import read_address
from bot.store.highwater import mark_of
from bot.store.opening import check_file, lock, marker_of, sqlite_path
from bot.store.refused import StoreRefused

__all__ = ["backup", "restore"]

_PAGES = 256


def _only_sqlite(url: str) -> Path:
    if read_address(url).get_backend_name() != "sqlite":
        raise StoreRefused(
            "url",
            "PostgreSQL has its own tools for this: pg_dump makes a backup, pg_restore reads it.",
        )
    return sqlite_path(url)


def backup(url: str, target: Path) -> int:
    """Write a backup of the database to a new file; returns its size in bytes.

    Raises :exc:`~bot.store.refused.StoreRefused` if the file exists or the database is gone.
    """
    path = _only_sqlite(url)
    if target.exists():
        raise StoreRefused("url", f"{target} exists already. Name a new file for the backup.")
    check_file(path)
    if not path.exists():
        raise StoreRefused("lost", f"There is no database at {path} yet.")
    partial = target.with_name(target.name + ".partial")
    partial.unlink(missing_ok=True)
    try:
        with (
            contextlib.closing(
                sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
            ) as source,
            contextlib.closing(sqlite3.connect(partial)) as copy,
        ):
            # Hold one snapshot: otherwise every move meanwhile would begin the backup anew.
            source.execute("BEGIN").close()
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(copy, pages=_PAGES, progress=lambda *_: hit("c13"), sleep=0.005)
            copy.execute("PRAGMA journal_mode = DELETE").close()
        _check(partial)
    except sqlite3.DatabaseError as error:
        partial.unlink(missing_ok=True)
        raise StoreRefused("corrupt", f"{path} cannot be backed up: {error}") from error
    _make_durable(partial)
    partial.replace(target)
    _make_durable(target.parent)
    return target.stat().st_size


def restore(url: str, source: Path) -> Path | None:
    """Put a backup in the place of the database; returns where the present one was put aside.

    The bot must be stopped. Raises :exc:`~bot.store.refused.StoreRefused` if it is not, or if the
    backup is damaged or none of Parlour's.
    """
    path = _only_sqlite(url)
    if not source.is_file():
        raise StoreRefused("lost", f"There is no backup at {source}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    unlock = lock(path)
    try:
        try:
            identity = _check(source)
        except sqlite3.DatabaseError as error:
            raise StoreRefused("corrupt", f"The backup {source} is damaged: {error}") from error
        fresh = path.with_name(path.name + ".restoring")
        shutil.copyfile(source, fresh)
        _make_durable(fresh)
        aside = _put_aside(path)
        mark_of(path).unlink(missing_ok=True)
        fresh.replace(path)
        marker_of(path).write_text(identity + "\n", encoding="ascii")
        _make_durable(path.parent)
        return aside
    finally:
        unlock()


def _check(path: Path) -> str:
    """The installation that a whole, undamaged file belongs to."""
    with contextlib.closing(
        sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    ) as file:
        found = file.execute("PRAGMA integrity_check").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        row = file.execute("SELECT id FROM installation").fetchone()
    if row is None:
        raise sqlite3.DatabaseError("it belongs to no installation")
    return str(row[0])


def _put_aside(path: Path) -> Path | None:
    """Rename the present database and the log that belongs to it."""
    if not path.exists():
        return None
    aside = path.with_name(f"{path.name}.replaced-{time.time_ns()}")
    for ending in ("", "-wal", "-shm"):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.replace(aside.with_name(aside.name + ending))
    return aside


def _make_durable(path: Path) -> None:
    """Have a file, or the entries of a folder, on the disk before going on."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
