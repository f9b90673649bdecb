"""Looking at the files of a SQLite database before it is opened, and refusing what is not right.

A database that was there and is gone, empty, damaged, foreign or newer is never quietly replaced by
a new one, nor one that was put back to an older copy gone on with. A small file beside it,
``NAME.installation``, remembers that there was one, and ``NAME.newest`` how far it had come;
another, ``NAME.lock``, is held while a process has it open.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError, DBAPIError, OperationalError

from bot.domain.history import HistoryError, verify
from bot.durable import hand_over, lock_open_file, write_whole
from bot.logs import logger
from bot.store import outbox, transactions, upkeep
from bot.store.database import StoreRefused
from bot.store.errors import StoreUnavailable
from bot.store.guards import HighWater, is_unused, mark_of, rescued_copies
from bot.store.rows import UNREADABLE
from bot.store.schema import (
    SchemaState,
    differences,
    is_about_tables,
    is_ahead,
    schema_state,
    upgrade,
)
from bot.store.sqlite import looking_at, writing_to
from bot.store.tables import installation

_log = logger(__name__)

_WHOLE_CHECK = 64 * 1024 * 1024
"""Up to this size a SQLite file is checked whole at the start; it takes about a second."""
_IDENTITY = re.compile(r"[0-9a-f]{32}\n?")
_NEWEST = 100
"""The matches of so many last events are checked at the start, however many there are."""


def unreadable(trouble: StoreUnavailable) -> StoreRefused:
    """Words for the host where a database that could be opened could not be read to its end."""
    if trouble.reason == "corrupt":
        return StoreRefused(
            "corrupt",
            "The database is damaged, so it cannot be read to its end. Keep it for analysis and"
            " restore the newest backup.",
        )
    return StoreRefused(
        "unreachable", f"The database could not be read to its end: {trouble.reason}. Try again."
    )


def lock(path: Path) -> Callable[[], None]:
    """Keep every other process away from a SQLite file; returns what lets them in again."""
    handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        lock_open_file(handle)
    except BlockingIOError:
        os.close(handle)
        raise StoreRefused(
            "in_use",
            f"Another process of Parlour has {path} open. Stop it first; to run several at once, "
            "use PostgreSQL.",
        ) from None
    return lambda: os.close(handle)


def keep_private(path: Path) -> None:
    """Let the user of the bot alone read the files of a SQLite database, also those from before."""
    names = ("", "-wal", "-shm", ".lock", ".installation", ".newest", ".rescued-*", ".replaced-*")
    for name in names:
        for each in path.parent.glob(glob.escape(path.name) + name):
            with contextlib.suppress(OSError):  # Another user's, or on a disk that has no modes.
                each.chmod(0o600)
                hand_over(each)


def marker_of(path: Path) -> Path:
    """The file that remembers that there was a database."""
    return path.with_name(path.name + ".installation")


def forget(path: Path) -> None:
    """Forget that there was a database, and how far it had come."""
    mark_of(path).unlink(missing_ok=True)
    marker_of(path).unlink(missing_ok=True)


def forget_lost(path: Path) -> None:
    """Forget a database that is gone, unless a process still has it open."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unlock = lock(path)
    try:
        if not path.exists() or not path.stat().st_size:
            forget(path)
    finally:
        unlock()


def check_file(path: Path) -> None:
    """Refuse a SQLite file that was there and is gone or empty."""
    if path.exists() and path.stat().st_size > 0:
        return
    marker = marker_of(path)
    if marker.exists():
        rescued = rescued_copies(path)
        copy = rescued[-1] if rescued else "BACKUP"
        raise StoreRefused(
            "lost",
            f"The database {path} is missing or empty, but there was one. Put it back, or restore "
            f"a backup with: parlour restore {copy}. To start over without the matches of before: "
            f"parlour db init. It removes {marker}.",
        )


async def check_readable(path: Path, *, whole: bool) -> None:
    """Refuse a SQLite file that is gone, or whose tables are not those of this release.

    ``whole``: or in which SQLite finds damage.
    """
    if _size(path) is None:
        check_file(path)
        raise nothing_there(path)
    check_file(path)
    with damage_told(path):
        async with looking_at(path) as file:
            state = await file.run(schema_state)
            if whole and state is SchemaState.CURRENT:
                await file.run(lambda connection: _check_structure(connection, path))
            await file.run(lambda connection: refuse_schema(connection, state))
    if state is SchemaState.EMPTY:
        raise nothing_there(path)
    if state is SchemaState.OLDER:
        raise StoreRefused(
            "not_upgraded",
            f"{path} is of an older release of Parlour. Take a copy with: parlour backup"
            " FILE. Then bring it up to date with: parlour db upgrade",
        )


def _size(path: Path) -> int | None:
    """How large a file is, in bytes; None if there is none."""
    return path.stat().st_size if path.exists() else None


def nothing_there(path: Path) -> StoreRefused:
    """Words for the host where a database is to be read and there is none."""
    return StoreRefused(
        "lost",
        f"There is no database at {path} yet. The bot makes it when it starts. If yours is"
        " elsewhere, name it with PARLOUR_DATA or PARLOUR_DATABASE.",
    )


@contextlib.contextmanager
def damage_told(path: Path) -> Iterator[None]:
    """Turn what SQLite says about a damaged file into a refusal."""
    try:
        yield
    except OperationalError as error:
        name = getattr(error.orig, "sqlite_errorname", "")
        if name.startswith("SQLITE_FULL") or (name.startswith("SQLITE_IOERR") and is_full(path)):
            raise _no_room(path) from error
        if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            raise _damaged(path, str(error.orig)) from error
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_IOERR")):
            raise StoreRefused("busy", f"{path} cannot be used now: {error.orig}.") from error
        raise StoreRefused(
            "folder",
            f"{path}: {error.orig}. Check that PARLOUR_DATABASE or PARLOUR_DATA names a file or"
            " folder that this user may write.",
        ) from error
    except DatabaseError as error:
        raise _damaged(path, str(error.orig)) from error
    except UnicodeDecodeError as error:
        # What SQLite says of a damaged schema names the damaged part.
        raise _damaged(path, "its schema cannot be read") from error


@contextlib.contextmanager
def folder_told(path: Path) -> Iterator[None]:
    """Turn what the system says about the folder of a SQLite file into a refusal."""
    try:
        yield
    except OSError as error:
        why = error.strerror or type(error).__name__
        if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", None)):
            raise _no_room(path) from error
        if error.errno == errno.EIO:
            raise StoreRefused("busy", f"{path.parent} cannot be written now: {why}.") from error
        raise StoreRefused(
            "folder",
            f"{path.parent} cannot be used for the database: {why}. Set PARLOUR_DATA to a folder"
            " that this user may write, or change its owner.",
        ) from error


_LEAST_ROOM = 1 << 16
"""Bytes: the log's index takes 32 KiB, which SQLite calls an input or output error if it cannot."""


def is_full(path: Path) -> bool:
    """Whether there is no room left where a database is."""
    try:
        return shutil.disk_usage(path.parent).free < _LEAST_ROOM
    except OSError:
        return False


def _no_room(path: Path) -> StoreRefused:
    return StoreRefused("busy", f"The disk of {path.parent} is full. Make some room and try again.")


def _damaged(path: Path, detail: str) -> StoreRefused:
    return StoreRefused(
        "corrupt",
        f"The database {path} is damaged ({detail}). Nothing has been written to it. Keep it for "
        "analysis and restore the newest backup with: parlour restore BACKUP.",
    )


async def bring_up(path: Path, mark: HighWater, *, set_aside: bool) -> None:
    """Check the file, bring its schema up to date, and compare it with the marker and the mark.

    ``set_aside``: a damaged match among the newest is set aside, and the file is not refused for
    it. Then the mark is begun.
    """

    def prepared(connection: Connection) -> str:
        identity = prepare(connection)
        _check_newest(connection, path, set_aside=set_aside)
        return identity

    def begun(connection: Connection) -> None:
        _check_mark(connection, path, mark)
        outbox.release_all(connection)

    with damage_told(path):
        async with writing_to(path, may_make=True) as file:
            if (_size(path) or 0) <= _WHOLE_CHECK:
                await file.transact(lambda connection: _check_structure(connection, path))
            _match_marker(path, await file.transact(prepared))
            await file.transact(begun)


def _check_structure(connection: Connection, path: Path) -> None:
    """Have SQLite look for damage in tables and indexes; not in what the rows hold."""
    found = connection.exec_driver_sql("PRAGMA integrity_check").scalar()
    if found != "ok":
        raise _damaged(path, str(found))


def _check_newest(connection: Connection, path: Path, *, set_aside: bool) -> None:
    """Play the matches of the newest events through again.

    That a move is impossible may be the fault of changed rules and not of the file, so it is only
    said; the match itself refuses to go on. Of one that has been set aside the host knows.
    """
    for match, events in transactions.newest_matches(connection, _NEWEST):
        if match.set_aside_at not in (None, UNREADABLE):
            continue
        try:
            verify(match, events)
        except HistoryError as error:
            if error.code != "impossible" and not is_ahead(connection):
                if set_aside:
                    upkeep.set_aside(connection, match.id, datetime.now(UTC))
                    continue
                raise StoreRefused(
                    "corrupt",
                    f"{_damaged(path, f'match {match.id}: {error}')} Without a backup, go on"
                    " without this match: parlour verify --set-aside",
                ) from error
            _log.warning("a match cannot be played through again", match=match.id, error=str(error))


def _check_mark(connection: Connection, path: Path, mark: HighWater) -> None:
    """Refuse a file that lacks what was in it when it was last written."""
    if not mark.is_there(connection):
        raise StoreRefused(
            "rewound",
            f"{path} is older than what was here: its newest moves are missing. Either it was "
            f"replaced by an earlier copy, or the file {path.name}-wal that belongs to it is gone. "
            "Put the newest files back, both of them. If you mean to go on from this earlier "
            f"state, remove {mark.path}: the moves that came after it are lost, and the number "
            "at the foot of a board tells how far its match had come.",
        )
    mark.begin(connection)


def _match_marker(path: Path, identity: str) -> None:
    marker = marker_of(path)
    if not marker.exists():
        mark_of(path).unlink(missing_ok=True)
        write_whole(marker, identity + "\n")
        return
    expected = marker.read_text(encoding="ascii", errors="replace")
    if _IDENTITY.fullmatch(expected) is None:
        # Cut off by a power cut, as it could be before it was written whole.
        _log.warning("a file cannot be read and is written anew", file=str(marker))
        write_whole(marker, identity + "\n")
    elif expected.strip() == identity:
        return
    elif is_unused(mark_of(path)):
        # A right file in the place of one that was made by mistake.
        forget(path)
        write_whole(marker, identity + "\n")
    else:
        raise StoreRefused(
            "other",
            f"{path} belongs to another installation of Parlour than the one that ran here. Put "
            f"the right file back, or, if this one is meant, remove {marker}.",
        )


def prepare(connection: Connection) -> str:
    """Bring the tables to the newest revision; returns the id of the installation."""
    state = schema_state(connection)
    refuse_schema(connection, state)
    if state not in (SchemaState.CURRENT, SchemaState.AHEAD):
        _upgrade(connection)
    found = connection.execute(installation.select()).first()
    if found is not None:
        return str(found.id)
    identity = secrets.token_hex(16)
    connection.execute(installation.insert(), {"id": identity, "created_at": datetime.now(UTC)})
    return identity


def _upgrade(connection: Connection) -> None:
    """Bring the tables to the newest revision. Raises :exc:`StoreRefused` if they were others."""
    try:
        upgrade(connection)
    except DBAPIError as error:
        if is_about_tables(error):
            raise _different(str(error.orig)) from error
        raise
    refuse_schema(connection, schema_state(connection))


def _different(detail: str) -> StoreRefused:
    return StoreRefused(
        "different",
        f"The database was made by an earlier development version of Parlour, with other tables"
        f" ({detail}). Nothing was changed. Go on with that version, or, to start over without its"
        " matches, move the database away and run: parlour db init",
    )


def refuse_schema(connection: Connection, state: SchemaState) -> None:
    """Refuse tables that this release does not know, and a database that was left."""
    if state is SchemaState.MOVED:
        raise StoreRefused(
            "moved",
            "The matches of this database were carried over to another one, with: parlour move-to."
            " Name that one in PARLOUR_DATABASE.",
        )
    if state is SchemaState.DIFFERENT:
        raise _different(differences(connection)[0])
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
