"""A playground, a bot in a process of its own, and people who play, for the benchmarks."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import psutil

from games import catalog
from playground.forms import all_text
from playground.person import Person
from playground.server import Playground

Json = dict[str, Any]


@dataclass
class Requests:
    """Counts the bot's requests, and times its first answer to each interaction.

    ``seen`` has each request without its ids, with the kinds of its components. ``delays`` are
    seconds from the moment an interaction is sent until its callback arrives.
    """

    seen: list[str] = field(default_factory=list)
    answered: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    sent: dict[str, float] = field(default_factory=dict)
    delays: list[float] = field(default_factory=list)

    def request(self, method: str, path: str, content: Any) -> None:
        """A request."""
        if path.startswith("/interactions/"):
            self.delays.append(time.perf_counter() - self.sent.pop(path.split("/")[2]))
        parts = ["N" if any(c.isdigit() for c in part) else part for part in path.split("/")]
        if parts[1] in {"interactions", "webhooks"}:
            parts[2:4] = ["N", "N"]
        what = f"{method} {'/'.join(parts).partition('?')[0]}"
        components = content.get("components") if isinstance(content, dict) else None
        self.seen.append(f"{what} {_kinds(components)}" if components else what)

    def response(self, method: str, path: str, status: int, content: Any) -> None:  # noqa: ARG002
        """An answer."""
        self.answered += 1
        self.changed.set()

    def event(self, name: str, data: Json) -> None:
        """An event; interactions are timed from here."""
        if name == "INTERACTION_CREATE":
            self.sent[data["id"]] = time.perf_counter()

    async def reach(self, count: int) -> None:
        """Wait until this many have been answered."""
        async with asyncio.timeout(20):
            while self.answered < count:
                self.changed.clear()
                await self.changed.wait()


def _kinds(components: list[Json]) -> list[Any]:
    """The kinds of components, each followed by those in it."""
    found: list[Any] = []
    for component in components:
        found.append(component["type"])
        if inside := component.get("components"):
            found.append(_kinds(inside))
    return found


@dataclass
class Served:
    """A bot that people can reach."""

    playground: Playground
    requests: Requests
    process: psutil.Process

    def pictures(self) -> list[bytes]:
        """The files that the bot has posted, in their order."""
        files = self.playground.world.state.files
        return [files[number] for number in sorted(files)]

    def held(self) -> dict[str, float]:
        """The memory of the bot's process in MB, and all else that it holds."""
        return {
            "memory_mb": self.process.memory_info().rss / 1024 / 1024,
            "files": self.process.num_fds(),
            "connections": len(self.process.net_connections()),
            "threads": self.process.num_threads(),
        }

    def cpu(self) -> float:
        """Seconds of processor time that the threads of the bot's process have used.

        Linux reports them to the nanosecond; elsewhere they come in ticks of a hundredth. No thread
        that works for moves ends before the process does.
        """
        tasks = [*Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")]
        if tasks:
            return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9
        times = self.process.cpu_times()
        return float(times.user + times.system)


@contextlib.asynccontextmanager
async def served(*command: str, **environment: str) -> AsyncIterator[Served]:
    """Start a playground and ``python -m command`` beside it.

    ``{address}`` and ``{token}`` are filled in.
    """
    requests = Requests()
    async with Playground(observer=requests) as playground:
        with tempfile.TemporaryDirectory() as folder:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                *(
                    part.format(address=playground.address, token=playground.token)
                    for part in command
                ),
                env={
                    **os.environ,
                    "PARLOUR_DATA": folder,
                    "PARLOUR_PLAYGROUND": playground.address,
                    "PARLOUR_PLAYGROUND_TOKEN": playground.token,
                    "PARLOUR_LOG_LEVEL": "ERROR",
                    "DISCORD_TOKEN": "",
                    "PARLOUR_COMMANDS_PER_SECOND": "1000",
                    "PARLOUR_COMMANDS_BURST": "1000",
                    "PARLOUR_SERVER_MESSAGES": "100000",
                    "PARLOUR_SERVER_THREADS": "1000",
                    "PARLOUR_OFFERS_TO_ONE": "1000",
                    "PARLOUR_RUNNING_MATCHES": "1000",
                    **environment,
                },
                cwd=Path(__file__).parents[1],
            )
            try:
                async with await Person.join(playground.address, "Nobody") as nobody:
                    channel = int(nobody.guild["channels"][0]["id"])
                    for _ in range(6):  # on a busy machine a start takes its time
                        with contextlib.suppress(TimeoutError):
                            await nobody.command("move", channel)
                            break
                yield Served(playground, requests, psutil.Process(process.pid))
            finally:
                process.terminate()
                await process.wait()


@dataclass
class Played:
    """A match of Quax between two people, and a mirror of it for legal moves."""

    people: tuple[Person, Person]
    home: int
    rng: Random
    game: Any = field(default_factory=lambda: catalog.create("quax", {"pie": "off"}))
    position: Any = None
    moves: int = 0
    _command: Json | None = None

    def __post_init__(self) -> None:
        """Begin at the beginning."""
        self.position = self.game.initial(self.rng)

    @property
    def is_over(self) -> bool:
        """Whether a player has won."""
        return self.game.outcome(self.position) is not None

    async def move(self) -> str:
        """Have the person on turn type a random legal move; returns the interaction's nonce."""
        mover = self.people[self.game.to_move(self.position)]
        move = self.rng.choice(list(self.game.legal_moves(self.position)))
        text = self.game.notation(self.position, move)
        self.position = self.game.play(self.position, move)
        self.moves += 1
        if self._command is None:
            self._command = await mover.command("move", self.home)
        return await mover.run(self._command, "move", self.home, move=text)


async def begin(one: Person, two: Person, seed: int, others: Collection[int] = ()) -> Played:
    """A new match of Quax, challenged and accepted, while they play in these other channels."""
    channel = int(one.guild["channels"][0]["id"])
    after = len(one.events)
    told = len(two.events)
    nonce = await one.slash("play", channel, game="quax", opponent=two, options="pie off", side="1")
    await one.wait_answer(nonce)
    offer = await two.wait_message(
        lambda m: "would like to play" in all_text(m) and "Accept" in str(m["components"]),
        after=told,
    )
    await two.wait_success(await two.click(offer, label="Accept"))
    board = await one.wait_message(
        lambda m: "Make a move" in str(m["components"]) and int(m["channel_id"]) not in others,
        after=after,
    )
    return Played((one, two), int(board["channel_id"]), Random(seed))
