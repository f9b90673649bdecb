"""Files that are there whole after a power cut."""

from __future__ import annotations

import os
from pathlib import Path


def make_durable(path: Path) -> None:
    """Have a file, or the entries of a folder, on the disk before going on."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, content: str) -> None:
    """Have a file hold this and have it on the disk; after a power cut it holds this or the old.

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
