"""Files that are complete after a power cut."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:
    IS_WINDOWS = True
else:
    IS_WINDOWS = False


def make_durable(path: Path) -> None:
    """Sync a file, or the entries of a folder, to the disk.

    Windows syncs no folder, and a file only if it is writable.
    """
    if IS_WINDOWS and path.is_dir():
        return
    handle = os.open(path, os.O_RDWR if IS_WINDOWS else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def hand_over(path: Path) -> None:
    """Give files made by root to the owner of their folder, who runs the bot: a host uses sudo."""
    if not IS_WINDOWS and os.geteuid() == 0:
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid, follow_symlinks=False)


def write_whole(path: Path, content: str) -> None:
    """Replace a file's content and sync it; after a power cut it is either the new or the old.

    Only its owner can read it. Raises :exc:`OSError`.
    """
    part = path.with_name(path.name + ".part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    make_durable(path.parent)


def lock_open_file(handle: int) -> None:
    """Lock an open file against every other process until it is closed.

    Raises :exc:`BlockingIOError` if another one has it.
    """
    if not IS_WINDOWS:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    msvcrt: Any = import_module("msvcrt")
    try:
        # A byte at the beginning, which need not exist.
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        raise BlockingIOError(error.errno, error.strerror) from error
