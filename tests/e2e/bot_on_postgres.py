"""A process of the bot, one of several on the same PostgreSQL and playground."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from playground.server import HOST, Playground
from tests.forked import Forked


@dataclass
class BotOnPostgres:
    """A running process; ``settings`` are those that all of its kind have."""

    child: Forked
    health_port: int
    settings: ClassVar[dict[str, str]] = {}

    @classmethod
    async def start(cls, playground: Playground, data: Path, database: str) -> Self:
        """Start it in a new data folder."""
        data.mkdir()
        with socket.socket() as tried:
            tried.bind((HOST, 0))
            port = tried.getsockname()[1]
        child = await Forked.start(
            folder=data,
            environment=os.environ
            | {
                "DISCORD_TOKEN": "",
                "PARLOUR_DATA": str(data),
                "PARLOUR_DATABASE": database,
                "PARLOUR_PLAYGROUND": playground.address,
                "PARLOUR_PLAYGROUND_TOKEN": playground.token,
                "PARLOUR_HEALTH_PORT": str(port),
                "PARLOUR_SESSION_SECONDS": "0",
            }
            | cls.settings,
        )
        return cls(child, port)
