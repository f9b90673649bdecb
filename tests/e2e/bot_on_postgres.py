"""A process of the bot, one of several on the same PostgreSQL and playground."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from bot.app.health import is_healthy
from playground.forms import all_text
from playground.gateway.events import shard_of
from playground.person import Person
from playground.server import HOST, Playground
from playground.wire import Json
from tests.support.forked import Forked, run_bot


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
                "PARLOUR_OPEN_OFFERS": "1000",
                "PARLOUR_OFFERS_TO_ONE": "1000",
                "PARLOUR_RUNNING_MATCHES": "1000",
                "PARLOUR_SERVER_MATCHES": "1000",
                "PARLOUR_SERVER_THREADS": "1000",
            }
            | cls.settings,
            program=program,
        )
        return cls(child, port)

    async def health(self) -> dict[str, Any]:
        """Its health report; empty before there is one."""
        with contextlib.suppress(OSError, ValueError):
            _, said = await asyncio.to_thread(is_healthy, self.health_port)
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
    """How the processes are once all know an owner of each shard, who is connected.

    ``shares`` are the numbers of shards that they hold, the smallest first.
    """
    async with asyncio.timeout(patience):
        while True:
            found = [await each.health() for each in processes]
            held = [
                int(shard) for each in found for shard, is_open in each["shards"].items() if is_open
            ]
            shared = sorted(len(each["shards"]) for each in found)
            known = all(None not in each.get("owners", {}).values() for each in found)
            if known and sorted(held) == list(range(total)) and shares in (None, shared):
                return found
            await asyncio.sleep(0.2)


async def channel_on_each_shard(
    playground: Playground, pairs: Sequence[tuple[Person, Person]]
) -> list[int]:
    """A channel on each shard for each pair, in a new server where they and the bot are."""
    world, shards = playground.world, playground.gateway.limits.shards
    channels = []
    for shard, (owner, other) in enumerate(pairs):
        guild = world.places.add_guild("Club", owner.id)
        while shard_of(guild.id, shards) != shard:
            await asyncio.sleep(0.0015)  # ids follow the clock
            guild = world.places.add_guild("Club", owner.id)
        world.places.join(guild.id, other.id)
        world.places.join(guild.id, world.state.bot_id)
        found = (each for each in world.state.channels.values() if each.guild_id == guild.id)
        channels.append(next(found).id)
    return channels


async def begin_match(
    anna: Person,
    ben: Person,
    channel: int,
    *,
    size: int = 5,
    patience: float = 20,
    known: Container[int] = (),
) -> int:
    """Begin a match of Quax in which Anna is to move; its thread, which is none of those known."""
    after = len(ben.events), len(anna.events)
    options = f"size {size}, pie off"
    nonce = await anna.slash("play", channel, game="quax", opponent=ben, options=options, side="1")
    said = all_text(await anna.wait_answer(nonce, patience=patience))
    assert "Offer sent." in said, said

    def is_offer(message: Json) -> bool:
        return int(message["channel_id"]) == channel and "would like to play" in all_text(message)

    offer = await ben.wait_message(is_offer, after=after[0], patience=patience)
    await ben.wait_answer(await ben.click(offer, label="Accept"), patience=patience)

    def is_board(message: Json) -> bool:
        is_new = int(message["channel_id"]) not in known
        return is_new and "Make a move" in str(message["components"])

    board = await anna.wait_message(is_board, after=after[1], patience=patience)
    return int(board["channel_id"])
