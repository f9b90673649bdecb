"""Databases as each revision of the tables left them, as SQL; since 0007 also those of PostgreSQL.

Each holds three matches between Ann and Bob: one with a draw on offer, one resigned, one running.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

STORED = Path(__file__).parent
STORED_POSTGRES = STORED / "postgres"
STORED_MATCHES = ("keucrlbqbn", "ccn2dhu6sm", "7b3jedj2fs")


def restore_stored(path: Path, revision: str) -> None:
    """Put the database that this revision left in place of the file at that path."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as file, file:
        file.executescript((STORED / f"{revision}.sql").read_text(encoding="utf-8"))


@contextlib.asynccontextmanager
async def stored_postgres(url: str, revision: str) -> AsyncIterator[str]:
    """The address of a database of that server as this revision left it, for as long as it is."""
    import asyncpg

    async def execute(url: str, *statements: str) -> None:
        connection = await asyncpg.connect(url)
        for each in statements:
            await connection.execute(each)
        await connection.close()

    of_it = url.replace("/parlour?", "/stored?")
    await execute(url, "DROP DATABASE IF EXISTS stored (FORCE)", "CREATE DATABASE stored")
    await execute(of_it, (STORED_POSTGRES / f"{revision}.sql").read_text(encoding="utf-8"))
    try:
        yield of_it
    finally:
        await execute(url, "DROP DATABASE stored (FORCE)")
