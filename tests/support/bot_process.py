"""The bot in a process of its own beside a playground, to be killed as one likes."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bot.domain.events import micros
from playground.server import Playground
from tests.support.forked import Forked
from tests.support.until import until


@dataclass
class BotProcess:
    """``parlour`` on a data folder, in a playground that outlives it."""

    playground: Playground
    data: Path
    environment: dict[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    process: Forked | None = None

    async def start(self, *, failpoint: str = "", patience: float = 40.0) -> None:
        """Start it and wait until Discord could send it something.

        With a failpoint it may die before that, which is as well.
        """
        self.data.mkdir(parents=True, exist_ok=True)
        self.process = await Forked.start(
            *self.arguments,
            folder=self.data,
            environment={
                **os.environ,
                "DISCORD_TOKEN": "",
                "PARLOUR_DATA": str(self.data),
                "PARLOUR_PLAYGROUND": self.playground.address,
                "PARLOUR_PLAYGROUND_TOKEN": self.playground.token,
                "PARLOUR_FAILPOINT": failpoint,
                "PARLOUR_LOG_LEVEL": "WARNING",
                "PARLOUR_SESSION_SECONDS": "0",
                **self.environment,
            },
        )
        try:
            async with asyncio.timeout(patience):
                while all(each.session is None for each in self.playground.gateway.connections):
                    if self.process.returncode is not None:
                        assert failpoint, f"the bot ended with {self.process.returncode}"
                        return
                    await asyncio.sleep(0.02)
        except TimeoutError:
            await self.kill()
            raise

    async def died(self, *, patience: float = 20.0) -> bool:
        """Wait until it is dead; False if it lives on for that long."""
        assert self.process is not None
        try:
            async with asyncio.timeout(patience):
                code = await self.process.wait()
        except TimeoutError:
            return False
        assert code == -signal.SIGKILL, f"it ended by itself with {code}"
        await self._gone()
        return True

    async def kill(self) -> None:
        """``kill -9``, wherever it is."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        await self._gone()

    async def _gone(self) -> None:
        await until(lambda: not self.playground.gateway.connections)

    def forget_sessions(self) -> None:
        """Forget how many sessions were begun; a bot that dies this often would wait for a day."""
        with sqlite3.connect(self.data / "parlour.db") as database:
            database.execute("DELETE FROM session_starts")
        database.close()

    # What the database says, read without the bot's help.

    def read(self, query: str, *values: object) -> list[tuple[object, ...]]:
        """The rows that a query finds."""
        with sqlite3.connect(f"file:{self.data / 'parlour.db'}?mode=ro", uri=True) as database:
            found = database.execute(query, values).fetchall()
        database.close()
        return found

    def moves(self) -> list[str]:
        """The moves of the only match, in order, as they were stored."""
        import json

        rows = self.read("SELECT payload FROM events WHERE kind = 'moved' ORDER BY seq")
        return [json.loads(str(row[0]))["move"] for row in rows]

    def version(self) -> int:
        """The version of the only match."""
        return int(str(self.read("SELECT version FROM matches")[0][0]))

    def waiting(self) -> int:
        """How many deliveries are still to be made, but for those that wait for their hour."""
        waits = (
            "SELECT count(*) FROM outbox WHERE kind NOT LIKE 'reminder%'"
            " AND (kind <> 'offer' OR due_at <= ?)"
        )
        return int(str(self.read(waits, micros(datetime.now(UTC)))[0][0]))
