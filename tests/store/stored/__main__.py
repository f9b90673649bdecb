"""Write the database that a new revision leaves: ``python -m tests.store.stored``.

Once there, the file stays as it is: hosts have such databases, so neither it nor its migration is
ever rewritten.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from bot.domain.requests import RequestKind
from bot.store import open_store
from bot.store.schema import known_revisions
from tests.kit import ANN, BOB, Club
from tests.store.stored import STORED, STORED_MATCHES


async def write(path: Path) -> None:
    """Play the three matches; what is to be told of the end of one is still being sent."""
    store = await open_store(f"sqlite:///{path}")
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


def main() -> None:
    """Write it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "parlour.db"
        asyncio.run(write(path))
        with closing(sqlite3.connect(path)) as file:
            text = "\n".join(file.iterdump())
    with (STORED / f"{max(known_revisions())}.sql").open("x", encoding="utf-8") as file_of_it:
        file_of_it.write(text + "\n")


if __name__ == "__main__":
    main()
