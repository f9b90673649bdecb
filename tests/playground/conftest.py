"""A playground, people in it and an unmodified discord.py client, for every test here."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from discord import app_commands

from playground.clock import ManualClock
from playground.person import Person
from playground.server import Playground
from tests.support.discord_spec import SpecObserver


@pytest.fixture
def observer() -> SpecObserver:
    """Checks everything against Discord's description; the test fails for what does not fit."""
    return SpecObserver()


@pytest.fixture
def clock() -> ManualClock:
    """The world's clock, which a test may advance."""
    return ManualClock()


@pytest.fixture
async def playground(observer: SpecObserver, clock: ManualClock) -> AsyncIterator[Playground]:
    """A playground that may misbehave, in memory."""
    async with Playground(observer=observer, clock=clock, allow_faults=True) as made:
        yield made
        assert made.problems == []
        assert observer.problems == []


@pytest.fixture
async def ada(playground: Playground) -> AsyncIterator[Person]:
    """The owner of the server."""
    async with await Person.come_back(playground.address, first_person(playground)) as person:
        yield person


@pytest.fixture
async def cleo(playground: Playground) -> AsyncIterator[Person]:
    """A plain member."""
    async with await Person.join(playground.address, "Cleo") as person:
        yield person


def first_person(playground: Playground) -> int:
    """The id of the owner of the first server."""
    return playground.world.home.owner_id


def channel_id(playground: Playground, name: str = "games") -> int:
    """The id of a channel by its name."""
    return next(each.id for each in playground.world.state.channels.values() if each.name == name)


async def until(holds: Callable[[], object], *, patience: float = 30.0) -> None:
    """Wait until something holds that no event tells of."""
    async with asyncio.timeout(patience):
        while not holds():
            await asyncio.sleep(0.01)


class Bot(discord.Client):
    """An unmodified client with a command tree; commands are added before :func:`running`."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("intents", discord.Intents(guilds=True))
        super().__init__(**options)
        self.tree = app_commands.CommandTree(self)
        self.handled: list[discord.Interaction] = []

    async def setup_hook(self) -> None:
        """Register the commands."""
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Remember every interaction that came."""
        self.handled.append(interaction)


@pytest.fixture
def point_discord_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[Playground], None]:
    """Points discord.py at a playground by its three addresses and nothing else."""

    def point(playground: Playground) -> None:
        monkeypatch.setattr(discord.http.Route, "BASE", playground.rest_url)
        monkeypatch.setattr(
            discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(playground.gateway_url)
        )
        monkeypatch.setattr(discord.asset.Asset, "BASE", playground.cdn_url)

    return point


@asynccontextmanager
async def run(client: discord.Client, token: str) -> AsyncIterator[None]:
    """The client connected and ready; closed at the end."""
    client._connection.guild_ready_timeout = 0.05
    task = asyncio.create_task(client.start(token))
    ready = asyncio.create_task(_until_ready(client))
    done, _ = await asyncio.wait({task, ready}, timeout=20, return_when=asyncio.FIRST_COMPLETED)
    try:
        if task in done:
            task.result()
        assert ready in done, "the client did not become ready"
        yield
    finally:
        ready.cancel()
        await client.close()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _until_ready(client: discord.Client) -> None:
    # Before login there is no event to wait for yet.
    await until(lambda: client._ready is not discord.utils.MISSING)
    await client.wait_until_ready()


@pytest.fixture
def running(
    playground: Playground, point_discord_at: Callable[[Playground], None]
) -> Callable[[discord.Client], contextlib.AbstractAsyncContextManager[None]]:
    """``async with running(bot):`` - the bot is connected to the playground and ready."""
    point_discord_at(playground)
    return lambda client: run(client, playground.token)


@dataclass
class Rest:
    """A bare bot without a library: sends the bot API any request."""

    base: str
    session: aiohttp.ClientSession
    token: str
    statuses: list[int] = field(default_factory=list)

    async def __call__(
        self, method: str, path: str, body: Any = None, *, form: aiohttp.FormData | None = None
    ) -> tuple[int, Any]:
        """Status and JSON of a request."""
        async with self.session.request(
            method,
            self.base + path,
            json=body if form is None else None,
            data=form,
            headers={"Authorization": f"Bot {self.token}"},
        ) as answer:
            self.statuses.append(answer.status)
            is_json = answer.headers.get("Content-Type") == "application/json"
            return answer.status, await answer.json() if is_json else None

    async def refusal(self, method: str, path: str, body: Any = None) -> tuple[int, int]:
        """Status and code of a request that is refused."""
        status, answer = await self(method, path, body)
        return status, answer["code"]


@pytest.fixture
async def rest(playground: Playground, observer: SpecObserver) -> AsyncIterator[Rest]:
    """A bare bot, whose requests may be wrong on purpose."""
    observer.check_requests = False
    async with aiohttp.ClientSession() as session:
        yield Rest(playground.rest_url, session, playground.token)
