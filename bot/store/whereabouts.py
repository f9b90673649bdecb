"""Whether the SQLite files that this process has open are still those at their path.

A file that is deleted, moved away or replaced stays open: everything goes on, and all of it is lost
when the process ends. So before every commit the files at the path are compared with the open ones,
by device and inode. If they differ nothing is written any more, what was stored until then is saved
in a copy, and once the same files are back all goes on by itself.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
import time
from pathlib import Path

import aiosqlite

from bot.logs import logger
from bot.store.copying import make_durable

_log = logger(__name__)

_RESCUED = ".rescued-"


class FilesGone(Exception):
    """The files at the path are not those that are open."""


def rescued_copies(path: Path) -> list[Path]:
    """The copies that were saved beside a database that had gone, the oldest first."""
    return sorted(path.parent.glob(f"{path.name}{_RESCUED}*"))


class OpenFiles:
    """A database file and the log beside it, as this process has them open."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = path.with_name(path.name + "-wal")
        self._known = {path: _identity(path)}
        self._missing: Path | None = None
        self._rescued: Path | None = None
        self._told = False

    def note_log(self, *, first: bool) -> None:
        """The log that is there now is the one that is open; ``first``: nothing had one open."""
        if first or self._log not in self._known:
            self._known[self._log] = _identity(self._log)

    @property
    def are_gone(self) -> bool:
        """Whether they were gone, moved or replaced at the last look."""
        return self._missing is not None

    def check(self) -> None:
        """Raise :exc:`FilesGone` if the files are gone, moved or others; say so once, each way."""
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
