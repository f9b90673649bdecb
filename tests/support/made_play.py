"""``make play`` in a process of its own: the bot, and the playground that is its child."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import socket
from dataclasses import dataclass, field
from pathlib import Path

from playground.server import HOST
from tests.support.forked import Forked

_ROOT = Path(__file__).parents[2]


def free_port() -> int:
    """A port that is free, and that the system gives to no connection before it is used."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as tried, contextlib.suppress(OSError):
            tried.bind((HOST, port))
            return port


@dataclass
class MadePlay:
    """A running ``make play`` on a data folder of its own; the same port after every start."""

    folder: Path
    port: int = field(default_factory=free_port)
    #: Whether the scripted members of the playground hold their arena.
    event: bool = False
    #: What it said and logged since the first start.
    said: list[str] = field(default_factory=list)
    address: str = ""
    process: Forked | None = None
    _reader: asyncio.Task[None] | None = None

    async def start(self, *, patience: float = 60.0) -> None:
        """Start it and wait until it says where to look; the bot itself may still be coming."""
        ours = ("DISCORD_", "PARLOUR_")
        rest = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
        self.process = await Forked.start(
            # Not in the project: a host's own .env there would make it a bot of Discord's.
            folder=self.folder,
            environment=rest
            | {
                "PYTHONPATH": str(_ROOT),
                "PARLOUR_DATA": str(self.folder / "var"),
                "PARLOUR_PLAYGROUND_PORT": str(self.port),
                "PARLOUR_PLAYGROUND_EVENT": str(self.event).lower(),
            },
        )
        told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._reader = asyncio.create_task(self._read(told))
        async with asyncio.timeout(patience):
            self.address = await told

    async def _read(self, told: asyncio.Future[str]) -> None:
        assert self.process is not None
        async for line in self.process.stdout:
            text = line.decode().rstrip()
            self.said.append(text)
            if text.startswith("Open http") and not told.done():
                told.set_result(text.split()[1])
        if not told.done():
            told.set_exception(AssertionError("\n".join(self.said)))

    async def kill(self) -> None:
        """``kill -9`` the bot; its playground ends by itself when it notices."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        if self._reader is not None:
            # The child holds the same pipe: its end is the child's.
            await self._reader

    def errors(self) -> list[str]:
        """The logged errors."""
        return [line for line in self.said if "error" in line.lower() or "Traceback" in line]
