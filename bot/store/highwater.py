"""How far a database had come, kept outside of it.

A database put back to an older copy, or one whose log (``-wal``) was lost or left behind, is whole
in itself: nothing in it says that there was more. So after each commit its newest event is written
to a small file, and at the start the database must still hold that event. For SQLite the file is
``NAME.newest`` beside the database; for PostgreSQL ``postgres-INSTALLATION.newest`` in the data
folder of each process, which several may share. The mark is written after the commit and never
synced, so it is never ahead of what a power cut leaves; at worst it is behind, and then notices
less. It is written at the start as well, so that it is there after a restore or an upgrade before
the next event.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from sqlalchemy import Connection, select

from bot.domain.events import Event
from bot.logs import logger
from bot.store.tables import events, matches

_log = logger(__name__)

_EVENT = re.compile(r"(\S{10}) (\d{10}) ([0-9a-f]{64})\n")
_LATEST = (
    select(matches.c.id, matches.c.version, matches.c.head_hash)
    .order_by(matches.c.updated_at.desc())
    .limit(1)
)


def mark_of(path: Path) -> Path:
    """The file that tells how far a SQLite file had come."""
    return path.with_name(path.name + ".newest")


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

    def is_there(self, connection: Connection) -> bool:
        """Whether the database holds the event that is marked; so does one without a mark."""
        try:
            text = self.path.read_text(encoding="ascii", errors="replace")
        except OSError:
            return True
        found = _EVENT.fullmatch(text)
        if found is None:
            if text or connection.execute(_LATEST).first() is not None:
                _log.warning("a file cannot be read and is written anew", file=str(self.path))
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
            _log.warning("how far the database has come cannot be noted", error=str(error))
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
            _log.warning("how far the database has come could not be noted", error=str(error))

    def close(self) -> None:
        """Nothing more is to be noted."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
