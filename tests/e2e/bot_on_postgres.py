"""A process of the bot, one of several on the same PostgreSQL and playground."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from bot.health import is_healthy
from playground.forms import all_text
from playground.gateway.events import shard_of
from playground.person import Person
from playground.server import HOST, Playground
from tests.forked import Forked, run_bot


@dataclass
class BotOnPostgres:
    """A running process; ``settings`` are those that all of its kind have."""

    child: Forked
    health_port: int
    settings: ClassVar[dict[str, str]] = {}

    @classmethod
    async def start(
        cls,
        playground: Playground,
        data: Path,
        database: str,
        program: Callable[[tuple[str, ...]], None] = run_bot,
    ) -> Self:
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
            program=program,
        )
        return cls(child, port)

    async def health(self) -> dict[str, Any]:
        """What it says of itself; nothing before it can."""
        _, said = await asyncio.to_thread(is_healthy, self.health_port)
        with contextlib.suppress(ValueError):
            found: dict[str, Any] = json.loads(said)
            return found
        return {"shards": {}}

    async def stop(self) -> str:
        """Stop it in order; what it has logged."""
        self.child.send_signal(signal.SIGTERM)
        out, _ = await self.child.communicate()
        assert self.child.returncode == 0, out.decode()
        return out.decode()


async def divided(
    processes: list[BotOnPostgres],
    total: int,
    *,
    patience: float,
    shares: list[int] | None = None,
) -> list[dict[str, Any]]:
    """How the processes are once each shard is connected in one of them, with such shares."""
    async with asyncio.timeout(patience):
        while True:
            found = [await each.health() for each in processes]
            held = [
                int(shard) for each in found for shard, is_open in each["shards"].items() if is_open
            ]
            shared = sorted(len(each["shards"]) for each in found)
            if sorted(held) == list(range(total)) and shares in (None, shared):
                return found
            await asyncio.sleep(0.2)


async def begin_quax(anna: Person, ben: Person, channel: int, *, size: int = 5) -> int:
    """Begin a match in which Anna is to move; its thread."""
    seen = len(anna.events), len(ben.events)
    nonce = await anna.slash(
        "play", channel, game="quax", opponent=ben, options=f"size {size}, pie off", side="1"
    )
    assert "Offer sent." in all_text(await anna.wait_answer(nonce, patience=20))
    offer = await ben.wait_message(
        lambda m: "would like to play" in all_text(m), after=seen[1], patience=20
    )
    await ben.wait_answer(await ben.click(offer, label="Accept"), patience=20)
    board = await anna.wait_message(
        lambda m: "Make a move" in str(m["components"]), after=seen[0], patience=20
    )
    return int(board["channel_id"])


def servers_of(playground: Playground, total: int, *people: Person) -> dict[int, int]:
    """A channel on each shard, in a server with these people."""
    world = playground.world
    servers = {shard_of(world.home.id, total): world.home.id}
    while len(servers) < total:
        made = world.places.add_guild("Club", people[0].id).id
        for each in (*(person.id for person in people[1:]), world.state.bot_id):
            world.places.join(made, each)
        servers.setdefault(shard_of(made, total), made)
        time.sleep(0.0015)  # ids follow the clock
    return {
        shard: next(each.id for each in world.state.channels.values() if each.guild_id == guild)
        for shard, guild in servers.items()
    }
