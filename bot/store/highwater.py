"""How far a database had come, kept outside of it.

A database put back to an older copy, or one whose log (``-wal``) was lost or left behind, is whole
in itself: nothing in it says that there was more. So after each durable commit the newest event is
written to a small file, and at the start the database must still hold that event. For SQLite the
file is ``NAME.newest`` beside the database; for PostgreSQL ``postgres-INSTALLATION.newest`` in the
data folder of each process, which several may share. The mark is written after the commit and never
synced, so it is never ahead of what a power cut leaves; at worst it is behind, and then notices
less. It is written at the start as well, so that it is there after a restore or an upgrade before
the next event.
"""

from __future__ import annotations

import logging
import os
import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.exc import OperationalError

from bot.domain.events import Event
from bot.store.tables import events, matches

log = logging.getLogger(__name__)

_NEWEST = "SELECT rowid, hash FROM events ORDER BY rowid DESC LIMIT 1"
_MARK = re.compile(r"(\d{1,18}) ([0-9a-f]{64})\n")


@dataclass(frozen=True, slots=True)
class _Mark:
    """The newest event: its number in the file, counted from 1, and its hash."""

    number: int
    hash: str


def mark_of(path: Path) -> Path:
    """The file that tells how far a database had come."""
    return path.with_name(path.name + ".newest")


def _read(path: Path) -> _Mark | None:
    try:
        found = _MARK.fullmatch(mark_of(path).read_text(encoding="ascii"))
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        found = None
    if found is None:
        log.warning("%s cannot be read and is written anew", mark_of(path))
        return None
    return _Mark(int(found[1]), found[2])


def is_unused(path: Path) -> bool:
    """Whether there is a file for the mark, with nothing in it yet."""
    file = mark_of(path)
    return file.exists() and not file.stat().st_size


def newest_is_there(connection: Connection, path: Path) -> bool:
    """Whether a database holds the event that its mark names; so does one without a mark."""
    if is_unused(path) and not _has(connection, "SELECT 1 FROM events LIMIT 1", {}):
        # Nothing has happened since the file was made.
        return True
    mark = _read(path)
    if mark is None:
        return True
    one = {"number": mark.number, "hash": mark.hash}
    by_number = "SELECT 1 FROM events WHERE rowid = :number AND hash = :hash"
    if _has(connection, by_number, one):
        return True
    # Tables that were written anew may count their rows otherwise.
    return _has(connection, "SELECT 1 FROM events WHERE hash = :hash", {"hash": mark.hash})


def newest(connection: Connection) -> tuple[int, str] | None:
    """Number and hash of the newest event of a SQLite file, None if there is none."""
    driver = connection.connection.driver_connection
    assert driver is not None  # noqa: S101 - it is connected
    found: tuple[int, str] | None = driver.execute(_NEWEST).fetchone()
    return found


def _has(connection: Connection, statement: str, values: dict[str, Any]) -> bool:
    driver = connection.connection.driver_connection
    assert driver is not None  # noqa: S101 - it is connected
    return driver.execute(statement, values).fetchone() is not None


class HighWater:
    """The mark of one database, while this process writes to it."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(mark_of(path), os.O_WRONLY | os.O_CREAT, 0o600)
        self._newest: tuple[int, str] | None = None

    def newest(self, driver: sqlite3.Connection) -> tuple[int, str] | None:
        """Number and hash of the newest event as a transaction leaves it, to be noted after it.

        After the commit SQLite would have to begin another transaction to look. None if there is no
        event, or trouble that leaves the transaction as it is. Raises SQLAlchemy's error for
        trouble on which SQLite takes it back.
        """
        try:
            found: tuple[int, str] | None = driver.execute(_NEWEST).fetchone()
        except sqlite3.Error as error:
            if not driver.in_transaction:
                raise OperationalError(_NEWEST, None, error) from error
            log.warning("how far the database has come could not be noted: %s", error)
            return None
        return found

    def note(self, newest: tuple[int, str]) -> None:
        """Write the mark after a commit; no trouble with it undoes the commit."""
        if newest == self._newest:
            return
        try:
            text = f"{newest[0]} {newest[1]}\n".encode("ascii")
            os.pwrite(self._file, text, 0)
            if self._newest is None or newest[0] < self._newest[0]:
                os.ftruncate(self._file, len(text))
        except OSError as error:
            log.warning("how far the database has come could not be noted: %s", error)
        else:
            self._newest = newest

    def close(self) -> None:
        """Nothing more is to be noted."""
        os.close(self._file)


_EVENT = re.compile(r"(\S{10}) (\d{10}) ([0-9a-f]{64})\n")
_LATEST = (
    select(matches.c.id, matches.c.version, matches.c.head_hash)
    .order_by(matches.c.updated_at.desc())
    .limit(1)
)


class EventMark:
    """The mark of a database that is not a file here: an event which it must still hold.

    PostgreSQL does not number events as they come, so it is the last that a process of this folder
    has committed. All lines are equally long: each is written over the one before.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        self.path = folder / f"postgres-{identity}.newest"
        self._file: int | None = None

    def is_there(self, connection: Connection) -> bool:
        """Whether the database holds the event that is marked; so does one without a mark."""
        try:
            found = _EVENT.fullmatch(self.path.read_text(encoding="ascii"))
        except (OSError, UnicodeDecodeError):
            found = None
        if found is None:
            return True
        its_hash = select(events.c.hash).where(
            events.c.match_id == found[1], events.c.seq == int(found[2])
        )
        return connection.execute(its_hash).scalar() == found[3]

    def begin(self, connection: Connection) -> None:
        """Begin to write it, with the newest event that there is."""
        latest = connection.execute(_LATEST).first()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600)
        except OSError as error:
            log.warning("how far the database has come cannot be noted: %s", error)
            return
        if latest is not None:
            self._write(latest.id, latest.version, latest.head_hash)

    def note(self, event: Event) -> None:
        """Write it after a commit; no trouble with it undoes the commit."""
        self._write(event.match_id, event.seq, event.hash)

    def _write(self, match_id: str, seq: int, its_hash: str) -> None:
        if self._file is None:
            return
        try:
            os.pwrite(self._file, f"{match_id} {seq:010} {its_hash}\n".encode("ascii"), 0)
        except OSError as error:
            log.warning("how far the database has come could not be noted: %s", error)

    def close(self) -> None:
        """Nothing more is to be noted."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
