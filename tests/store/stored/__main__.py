"""Write the databases that a new revision leaves: ``python -m tests.store.stored``.

Once there, a file stays as it is: hosts have such databases, so neither it nor its migration is
ever rewritten.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bot.domain.requests import RequestKind
from bot.store import open_store
from bot.store.schema import known_revisions
from tests.store.stored import STORED, STORED_MATCHES, STORED_POSTGRES
from tests.support.databases import postgres_program, postgres_running
from tests.support.kit import ANN, BOB, Club


async def play(url: str) -> None:
    """Play the three matches; the news of the end of one is still being sent."""
    store = await open_store(url)
    club = Club(store)
    matches = []
    for _ in STORED_MATCHES:
        matches.append(await club.start(BOB))
        await club.worker.drain()
    assert tuple(matches) == STORED_MATCHES
    for match_id in matches:
        await club.play(match_id, "a1")
    await club.ask(ANN, matches[0], RequestKind.DRAW)
    await club.worker.drain()
    club.worker.take = lambda batch: None
    await club.resign(ANN, matches[1])
    await store.close()


def of_sqlite() -> str:
    """A file, as SQLite writes it down."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "parlour.db"
        asyncio.run(play(f"sqlite:///{path}"))
        with closing(sqlite3.connect(path)) as file:
            return "\n".join(file.iterdump())


def of_postgres() -> str:
    """A database, as ``pg_dump`` writes it down, without what only ``psql`` understands."""
    with postgres_running() as host:
        asyncio.run(play(f"postgresql://postgres:@/parlour?host={host}"))
        dump = (postgres_program("pg_dump"), "--inserts", "--no-owner", "-h", host, "-U")
        said = subprocess.run(
            (*dump, "postgres", "parlour"), check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    return re.sub(r"(?m)^(--.*|\\.*)?\n", "", said).rstrip()


def main() -> None:
    """Write what is not there yet."""
    ways: dict[Path, Callable[[], str]] = {STORED: of_sqlite, STORED_POSTGRES: of_postgres}
    for folder, written in ways.items():
        path = folder / f"{max(known_revisions())}.sql"
        if not path.exists():
            path.write_text(written() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
