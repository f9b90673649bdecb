"""The playground as a server on this machine: one port for the bot's API, the gateway and the page.

    async with Playground() as playground:
        ...  # point a client at playground.rest_url and playground.gateway_url

It binds to 127.0.0.1 and to nothing else. Faults can be ordered only with ``allow_faults``.
"""

from __future__ import annotations

import secrets
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from aiohttp import web

from playground.clock import Clock, SystemClock
from playground.doors import guard
from playground.faults import Faults
from playground.gateway.gateway import Gateway, GatewayLimits
from playground.observer import Indifferent, Observer
from playground.page.api import PageApi
from playground.page.hub import Hub
from playground.rest.front import BASE, Front, break_connection
from playground.rest.limits import RateLimiter, RateLimits
from playground.store import Store, restore
from playground.wire import read_id
from playground.world.media import content_type
from playground.world.model import Interaction, InteractionType
from playground.world.state import Limits
from playground.world.world import World

HOST = "127.0.0.1"
DEFAULT_PORT = 8310
_BOT_ID = "MTAwMDAwMDAwMDAwMDAwMDAwMQ"  # in base 64
_STATIC = Path(__file__).parent / "page" / "static"
_PAGE_HEADERS = {
    # {host} is the page's own address, which is 'self' for websockets in some browsers alone.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self' ws://{host} wss://{host}; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the playground behind TLS in Discord's place."""

    rest: str = "https://discord.com"
    gateway: str = "wss://gateway.discord.gg/"
    cdn: str = "https://cdn.discordapp.com"


def new_token() -> str:
    """A token for a bot: like Discord's, it begins with the bot's id, which some libraries read."""
    return f"{_BOT_ID}.playground.{secrets.token_urlsafe(27)}"


class FaultsNotAllowed(RuntimeError):
    """A playground made for people was asked to misbehave."""


@dataclass(slots=True, repr=False)
class Playground:
    """A Discord of one's own; an asynchronous context manager that serves while it is open."""

    port: int = 0
    state: Path | None = None
    token: str = field(default_factory=new_token)
    clock: Clock = field(default_factory=SystemClock)
    limits: Limits = field(default_factory=Limits)
    gateway_limits: GatewayLimits = field(default_factory=GatewayLimits)
    rate_limits: RateLimits | None = None
    observer: Observer = field(default_factory=Indifferent)
    allow_faults: bool = False
    privileged_intents: bool = False
    bot_name: str = "Bot"
    first_command: str = ""
    server_name: str = "Playground"
    tls: ssl.SSLContext | None = None
    world: World = field(init=False)
    front: Front = field(init=False)
    gateway: Gateway = field(init=False)
    hub: Hub = field(init=False)
    _faults: Faults = field(default_factory=Faults)
    _store: Store | None = None
    _runner: web.AppRunner | None = None
    _site: web.TCPSite | None = None

    async def __aenter__(self) -> Self:
        """Restore or furnish the world and begin to serve; on failure everything is closed."""
        try:
            await self._open()
        except BaseException:
            await self._close()
            raise
        return self

    async def _open(self) -> None:
        self._store = None if self.state is None else Store(self.state)
        self.world = World.create(
            clock=self.clock,
            limits=self.limits,
            journal=self._store,
            bot_name=self.bot_name,
            privileged_intents=self.privileged_intents,
            first_command=self.first_command,
        )
        if self._store is not None:
            restore(self.world.state, await self._store.open())
        self.world.furnish(self.server_name)
        await self.settle()
        self.gateway = Gateway(
            self.world, self.token, self.observer, self._faults, self.gateway_limits
        )
        self.hub = Hub(self.world)
        self.front = Front(
            self.world,
            self.token,
            self.observer,
            self._faults,
            settle=self.settle,
            gateway=self.gateway.describe,
            limiter=None if self.rate_limits is None else RateLimiter(self.clock, self.rate_limits),
        )
        await self._serve()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop serving and close the file."""
        await self._close()

    async def _close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
        if self._store is not None:
            await self._store.close()
            self._store = None

    async def settle(self) -> None:
        """Wait until all changes are on disk, if the world is kept there."""
        if self._store is not None:
            for file_id in await self._store.settle():
                self.world.state.files.pop(file_id, None)

    # Addresses.

    @property
    def address(self) -> str:
        """The page's address."""
        return f"{'http' if self.tls is None else 'https'}://{HOST}:{self.port}"

    @property
    def rest_url(self) -> str:
        """Replaces https://discord.com/api/v10."""
        return self.address + BASE

    @property
    def gateway_url(self) -> str:
        """Replaces wss://gateway.discord.gg/."""
        return f"{'ws' if self.tls is None else 'wss'}://{HOST}:{self.port}/gateway/"

    @property
    def cdn_url(self) -> str:
        """Replaces https://cdn.discordapp.com."""
        return f"{self.address}/cdn"

    # For tests.

    @property
    def faults(self) -> Faults:
        """The faults in force; only where faults are allowed."""
        if not self.allow_faults:
            raise FaultsNotAllowed("this playground was made without allow_faults")
        return self._faults

    @property
    def problems(self) -> list[str]:
        """Problems for which a test must fail: requests that the playground does not know."""
        return [f"UNIMPLEMENTED {each}" for each in self.front.unimplemented]

    def deliver_raw(
        self,
        kind: InteractionType,
        *,
        channel_id: int,
        user_id: int,
        data: dict[str, Any],
        message_id: int | None = None,
        age: float = 0.0,
        copies: int = 1,
    ) -> Interaction:
        """Send the bot any interaction, unchecked; only where faults are allowed."""
        if not self.allow_faults:
            raise FaultsNotAllowed("this playground was made without allow_faults")
        return self.world.user_actions.raw(
            kind=kind,
            channel_id=channel_id,
            user_id=user_id,
            data=data,
            message_id=message_id,
            age=age,
            copies=copies,
        )

    async def go_offline(self) -> None:
        """Cut every connection and take no new ones; only where faults are allowed."""
        if not self.allow_faults:
            raise FaultsNotAllowed("this playground was made without allow_faults")
        if self._runner is None or self._site is None:
            return
        await self._site.stop()
        self._site = None
        server = self._runner.server
        for handler in server.connections if isinstance(server, web.Server) else ():
            break_connection(handler.transport, reset=True)

    async def come_back(self) -> None:
        """Listen again at the same address after :meth:`go_offline`."""
        if self._runner is not None and self._site is None:
            await self._listen(self._runner)

    # Serving.

    async def _listen(self, runner: web.AppRunner) -> None:
        self._site = web.TCPSite(runner, HOST, self.port, ssl_context=self.tls, reuse_address=True)
        await self._site.start()

    async def _serve(self) -> None:
        names = Names()
        theirs = [urlsplit(each).netloc for each in (names.rest, names.gateway, names.cdn)]
        app = web.Application(
            middlewares=[guard(() if self.tls is None else theirs)],
            client_max_size=self.limits.request_bytes + 1024 * 1024,
        )
        app.add_routes(self.front.routes())
        app.add_routes(PageApi(self.world, self.hub, self.settle).routes())
        app.add_routes(
            [
                web.get("/gateway/", self.gateway.serve),
                web.get("/gateway", self.gateway.serve),
                web.get("/cdn/attachments/{channel_id}/{file_id}/{name}", self._file),
                web.get("/attachments/{channel_id}/{file_id}/{name}", self._file),
                web.get("/cdn/emojis/{name}", self._emoji),
                web.get("/", self._index),
                web.get("/page/static/{name}", self._static),
            ]
        )
        # A body with a wrong compression header would break off its own refusal.
        self._runner = web.AppRunner(
            app, access_log=None, shutdown_timeout=1.0, auto_decompress=False
        )
        await self._runner.setup()
        await self._listen(self._runner)
        self.port = self._runner.addresses[0][1]
        self.gateway.url = self.gateway_url if self.tls is None else names.gateway
        self.world.state.cdn_url = self.cdn_url if self.tls is None else names.cdn

    async def _file(self, request: web.Request) -> web.StreamResponse:
        data = await self._read_file(request.match_info["file_id"])
        kind = content_type(request.match_info["name"])
        headers = {"Content-Type": kind, "X-Content-Type-Options": "nosniff"}
        if not kind.startswith(("image/png", "image/gif", "image/webp", "image/jpeg")):
            # No uploaded file runs in the page's own origin.
            headers["Content-Disposition"] = "attachment"
        else:
            headers["Cache-Control"] = "private, max-age=31536000, immutable"
        return web.Response(body=data, headers=headers)

    async def _emoji(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"].rsplit(".", 1)[0]
        return web.Response(body=await self._read_file(name), content_type="image/png")

    async def _read_file(self, name: str) -> bytes:
        file_id = read_id(name) or -1
        state = self.world.state
        data = state.files.get(file_id) or state.dropped.get(file_id)
        if data is None and self._store is not None:
            data = await self._store.read_file(file_id)
        if data is None:
            raise web.HTTPNotFound
        return data

    async def _index(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Upgrade", "").lower() == "websocket":
            # Behind TLS the gateway has a host of its own and no path.
            return await self.gateway.serve(request)
        return await self._page_file(request, "index.html")

    async def _static(self, request: web.Request) -> web.StreamResponse:
        return await self._page_file(request, request.match_info["name"])

    async def _page_file(self, request: web.Request, name: str) -> web.StreamResponse:
        # By comparing names, so that no name can lead out of the folder.
        found = next((each for each in _STATIC.iterdir() if each.name == name), None)
        if found is None or not found.is_file():
            raise web.HTTPNotFound
        headers = {key: value.format(host=request.host) for key, value in _PAGE_HEADERS.items()}
        return web.FileResponse(found, headers=headers)
