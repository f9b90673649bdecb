"""Copying a SQLite database while it is written to, with SQLite's own backup interface.

A copy of the file alone would lack what is still in the log beside it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from bot.failpoints import hit

_PAGES = 256


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that can only read, also what is still in the log beside the file."""
    uri = f"{path.resolve().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(uri, uri=True)) as file:
        yield file


def copy_whole(source: sqlite3.Connection, target: Path) -> None:
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


def make_durable(path: Path) -> None:
    """Have a file, or the entries of a folder, on the disk before going on."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
