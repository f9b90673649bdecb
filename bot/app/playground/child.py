"""The playground as a child process, for a bot without a token.

The child keeps its state in the data folder and ends with its parent, however that ends: it watches
its standard input, which closes when the parent is gone.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Self

import discord
import discord.gateway
import yarl

_PATIENCE = 60.0
"""Seconds for a slow machine to start it in."""


class PlaygroundFailed(Exception):
    """The playground did not start; ``str()`` has its last output."""


def point_at(address: str) -> None:
    """Have the library use the playground at this address (``http://HOST:PORT``) from now on.

    It sets three attributes of classes before any client logs in; the client itself is unchanged.
    """
    base = yarl.URL(address)
    scheme = "wss" if base.scheme == "https" else "ws"
    discord.http.Route.BASE = f"{address}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = base.with_scheme(scheme) / "gateway/"
    discord.Asset.BASE = f"{address}/cdn"


class PlaygroundChild:
    """A running playground; an asynchronous context manager.

    ``address`` is that of its page, ``token`` is for the bot's login.
    """

    def __init__(self, *, port: int, state: Path) -> None:
        self._port = port
        self._state = state
        self._process: Process | None = None
        self.address = ""
        self.token = ""

    async def __aenter__(self) -> Self:
        """Start it and wait until it serves. Raises :exc:`PlaygroundFailed`."""
        self._state.parent.mkdir(parents=True, exist_ok=True)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "playground",
            "--port",
            str(self._port),
            "--state",
            str(self._state),
            "--bot-name",
            "Parlour",
            "--first-command",
            "play",
            "--server-name",
            "Parlour",
            "--until-stdin-ends",
            stdin=PIPE,
            stdout=PIPE,
        )
        assert self._process.stdout is not None  # noqa: S101 - asked for above
        try:
            async with asyncio.timeout(_PATIENCE):
                address = (await self._process.stdout.readline()).decode().strip()
                token = (await self._process.stdout.readline()).decode().strip()
        except TimeoutError:
            address = token = ""
        if not token:
            await self._end()
            raise PlaygroundFailed(address or "no answer")
        self.address, self.token = address, token
        return self

    async def __aexit__(self, *_: object) -> None:
        """End it."""
        await self._end()

    async def ended(self) -> int:
        """Wait until it has ended by itself; its exit code."""
        assert self._process is not None  # noqa: S101 - entered
        return await self._process.wait()

    async def _end(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(5):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
