"""Databases as each revision of the tables left them, as SQL.

Each holds three matches between Ann and Bob: one with a draw on offer, one resigned, one running.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

STORED = Path(__file__).parent
STORED_MATCHES = ("keucrlbqbn", "ccn2dhu6sm", "7b3jedj2fs")


def restore_stored(path: Path, revision: str) -> None:
    """Put the database that this revision left in place of the file at that path."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as file, file:
        file.executescript((STORED / f"{revision}.sql").read_text(encoding="utf-8"))
