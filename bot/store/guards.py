"""Notes on a database outside of it: its newest event, and which files are open.

A database put back to an older copy, or one whose log (``-wal``) was lost or left behind, is whole
in itself: nothing in it says that there was more. So after each commit its newest event is written
to a small file, and at the start the database must still hold that event. For SQLite the file is
``NAME.newest`` beside the database; for PostgreSQL ``postgres-INSTALLATION.newest`` in the data
folder of each process, which several may share. The mark is written after the commit and never
synced, so it is never ahead of what a power cut leaves; at worst it is behind, and then notices
less. It is written at the start as well, so that it is there after a restore or an upgrade before
the next event.

A SQLite file that is deleted, moved away or replaced stays open: everything goes on, and all of it
is lost when the process ends. So before every commit the files at the path are compared with the
open ones, by device and inode. If they differ nothing is written any more, what was stored until
then is saved in a copy, and once the same files are back all goes on by itself.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import tempfile
import time
from pathlib import Path
from threading import Lock
from typing import Any

import aiosqlite
from sqlalchemy import Connection, select

from bot.domain.events import Event
from bot.durable import IS_WINDOWS, make_durable
from bot.logs import logger
from bot.store.tables import events, matches
from bot.store.tables.base import raw

_log = logger(__name__)

_EVENT = re.compile(r"(\S{10}) (\d{10}) ([0-9a-f]{64})\n")
_matches, _events = raw(matches), raw(events)
"""As they are kept: what is damaged in them is no reason not to start."""
_c = _matches.c
_HEAD = select(_c.id, _c.version, _c.head_hash, _c.updated_at).limit(1)
_LATE = (
    _HEAD.where(_c.status == "running").order_by(_c.updated_at.desc()),
    _HEAD.order_by(_c.id.desc()),
)
"""The newest event of what runs, else any: an index finds both, however many matches there are."""


def mark_of(path: Path) -> Path:
    """The file that tells how far a SQLite file had come."""
    return path.with_name(path.name + ".newest")


def _late(connection: Connection) -> Any:
    found = (connection.execute(each).first() for each in _LATE)
    return next((each for each in found if each is not None), None)


def is_unused(mark: Path) -> bool:
    """Whether there is a mark, with nothing in it yet."""
    return mark.exists() and not mark.stat().st_size


class HighWater:
    """The mark of a database: an event which it must still hold, the last that was committed.

    All lines are equally long: each is written over the one before.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None
        self._marked_at = 0

    def is_there(self, connection: Connection) -> bool:
        """Whether the database holds the event that is marked; so does one without a mark."""
        try:
            text = self.path.read_text(encoding="ascii", errors="replace")
        except OSError:
            return True
        found = _EVENT.fullmatch(text)
        if found is None:
            if text or _late(connection) is not None:
                _log.warning("a file cannot be read and is written anew", file=str(self.path))
            return True
        its_event = select(_events.c.hash, _events.c.at).where(
            _events.c.match_id == found[1], _events.c.seq == int(found[2])
        )
        event = connection.execute(its_event).first()
        if event is None or event.hash != found[3]:
            return False
        self._marked_at = event.at
        return True

    def begin(self, connection: Connection) -> None:
        """Begin to write it, with the newest event of what runs unless it has a later one."""
        late = _late(connection)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600)
        except OSError as error:
            _log.warning("how far the database has come cannot be noted", error=str(error))
            return
        if late is not None and late.updated_at >= self._marked_at:
            self._write(late.id, late.version, late.head_hash)

    def note(self, event: Event) -> None:
        """Write it after a commit; no trouble with it undoes the commit."""
        self._write(event.match_id, event.seq, event.hash)

    def _write(self, match_id: str, seq: int, its_hash: str) -> None:
        if self._file is None:
            return
        try:
            write_over(self._file, f"{match_id} {seq:010} {its_hash}\n".encode("ascii"))
        except OSError as error:
            _log.warning("how far the database has come could not be noted", error=str(error))

    def close(self) -> None:
        """Nothing more is to be noted."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


# ---- whether the files are still there -----------------------------------------------------------

_RESCUED = ".rescued-"


class FilesGone(Exception):
    """The files at the path are not those that are open."""


def rescued_copies(path: Path) -> list[Path]:
    """The copies that were saved beside a database that had gone, the oldest first."""
    return sorted(path.parent.glob(f"{path.name}{_RESCUED}*"))


class OpenFiles:
    """A database file and the log beside it, as this process has them open.

    Each connection asks on its own thread.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._log = path.with_name(path.name + "-wal")
        self._known = {path: _identity(path)}
        self._missing: Path | None = None
        self._rescued: Path | None = None
        self._told = False

    def note_log(self, *, first: bool) -> None:
        """The log that is there now is the one that is open; ``first``: nothing had one open."""
        with self._lock:
            if first or self._log not in self._known:
                self._known[self._log] = _identity(self._log)

    @property
    def are_gone(self) -> bool:
        """Whether they were gone, moved or replaced at the last look."""
        return self._missing is not None

    def check(self) -> None:
        """Raise :exc:`FilesGone` if the files are gone, moved or others; say so once, each way."""
        with self._lock:
            self._check()

    def _check(self) -> None:
        found = (path for path, known in self._known.items() if _identity(path) != known)
        missing = next(found, None)
        if missing is not None:
            self._missing = missing
            raise FilesGone
        if self._missing is not None:
            _log.warning("the file is back; moves are taken again", file=str(self._missing))
            self._missing = None
            self._told = False
            if self._rescued is not None:
                with contextlib.suppress(OSError):
                    self._rescued.unlink(missing_ok=True)
                self._rescued = None

    async def rescue(self, open_file: aiosqlite.Connection | None) -> None:
        """Save what is in files that have gone, if that has not been done, and tell the host.

        ``open_file`` is the connection that writes, in no transaction.
        """
        if self._missing is None or self._rescued is not None:
            return
        if self._missing == self._log:
            await self._rescue_log(open_file)
            return
        folder = self._path.parent if self._path.parent.is_dir() else Path(tempfile.gettempdir())
        copy = folder / f"{self._path.name}{_RESCUED}{time.time_ns()}"
        trouble = await _save(open_file, copy)
        if trouble is None:
            self._rescued = copy
            _log.error(
                f"the database {self._path} was deleted, moved or replaced. No moves are taken."
                f" Nothing is lost: {copy} holds all of it. Put the same file back and Parlour"
                f" goes on by itself, or stop Parlour and run: parlour restore {copy}"
            )
        elif not self._told:
            self._told = True
            _log.error(
                f"the database {self._path} was deleted, moved or replaced, and what it held cannot"
                f" be saved ({trouble}), which is tried again. No moves are taken. Put the same"
                " file back; until then do not stop Parlour, which still has it open"
            )

    async def _rescue_log(self, open_file: aiosqlite.Connection | None) -> None:
        """Write what is in a log without a name into the database that it belongs to."""
        if self._told or open_file is None:
            return
        try:
            found = await open_file.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            _log.warning(f"{self._log} is gone, and what it held cannot be saved yet: {error}")
            return
        if any(is_busy for is_busy, *_pages in found):
            return  # Something reads from it; it is tried again with the next heartbeat.
        self._told = True
        _log.error(
            f"{self._log}, which belongs to the database, was deleted, moved or replaced. No moves"
            " are taken until Parlour is started again; what was stored is in the database"
        )


async def _save(open_file: aiosqlite.Connection | None, copy: Path) -> str | None:
    """Copy what is open into a file; what went wrong, if anything did."""
    if open_file is None:
        return "it is not open to write"
    try:
        with contextlib.closing(sqlite3.connect(copy, check_same_thread=False)) as target:
            await open_file.backup(target)
            target.execute("PRAGMA journal_mode = DELETE").close()
        make_durable(copy)
        make_durable(copy.parent)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            os.unlink(copy)  # noqa: PTH108 - a moment
        return str(error)
    return None


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - before every commit
    except OSError:
        return None
    return found.st_dev, found.st_ino


def write_over(handle: int, content: bytes) -> None:
    """Write over the beginning of an open file, which nothing else reads or writes meanwhile."""
    if IS_WINDOWS:
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, content)
    else:
        os.pwrite(handle, content, 0)
