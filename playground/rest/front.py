"""The front of the REST API: reads requests, checks tokens, counts, answers, and simulates faults.

The order is Discord's: token, rate limit, action. Every refusal of the world becomes a JSON error.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Any, cast

from aiohttp import BodyPartReader, web
from aiohttp.http import HttpProcessingError

from playground import errors
from playground.errors import DiscordError
from playground.faults import Delay, Drop, Fault, Faults, Hang, Junk, Status, TooMany, When
from playground.observer import Observer
from playground.rest import calendar, channels, commands, interactions, messages
from playground.rest.call import Call, Reply, Route
from playground.rest.limits import RateLimiter, too_many
from playground.wire import Json
from playground.world.model import Upload
from playground.world.world import World

BASE = "/api/v10"
ROUTES: tuple[Route, ...] = (
    *messages.ROUTES,
    *channels.ROUTES,
    *calendar.ROUTES,
    *commands.ROUTES,
    *interactions.ROUTES,
)


class _Broken(Exception):
    """The connection was broken on purpose."""


@dataclass(slots=True, repr=False)
class Front:
    """Serves the routes of the bot API."""

    world: World
    token: str
    observer: Observer
    faults: Faults
    #: Waits until all changes are safe on disk.
    settle: Callable[[], Awaitable[None]]
    gateway: Callable[[], Json]
    limiter: RateLimiter | None = None
    #: Requests without a route here, as "METHOD path".
    unimplemented: list[str] = field(default_factory=list)
    #: Refusals by status, for tests that count them.
    refused: dict[int, int] = field(default_factory=dict)

    def routes(self) -> list[web.RouteDef]:
        """The routes for aiohttp, the most particular paths first."""
        table = [
            *ROUTES,
            Route(
                "GET", "/gateway", lambda _: Reply(200, {"url": self.gateway()["url"]}), open=True
            ),
            Route("GET", "/gateway/bot", lambda _: Reply(200, self.gateway())),
        ]
        table.sort(key=lambda route: [part.startswith("{") for part in route.path.split("/")])
        made = [web.route(route.method, BASE + route.path, self._serve(route)) for route in table]
        return [*made, web.route("*", "/api/{tail:.*}", self._missing)]

    def _serve(self, route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handler(request: web.Request) -> web.StreamResponse:
            return await self._handle(request, route)

        return handler

    async def _missing(self, request: web.Request) -> web.StreamResponse:
        self.unimplemented.append(f"{request.method} {request.path}")
        error = errors.not_found()
        return respond(error.status, error.body(), {})

    async def _handle(self, request: web.Request, route: Route) -> web.StreamResponse:
        path = request.path.removeprefix(BASE)
        try:
            content, uploads = await read_body(request)
            self.observer.request(request.method, path, content)
            broken = await self._strike(request, path, "before")
            if broken is not None:
                return broken
            status, answer, headers = self._perform(request, route, content, uploads)
            await self.settle()
            self.observer.response(request.method, path, status, answer)
            broken = await self._strike(request, path, "after")
            if broken is not None:
                return broken
        except _Broken:
            return web.Response(status=499)
        except DiscordError as error:
            status, answer, headers = error.status, error.body(), error.headers
        if status >= 400:
            self.refused[status] = self.refused.get(status, 0) + 1
        said = formatdate(int(self.world.state.clock.now()), usegmt=True)
        return respond(status, answer, {"Date": said, **headers})

    def _perform(
        self, request: web.Request, route: Route, content: Any, uploads: list[Upload]
    ) -> tuple[int, Any, Mapping[str, str]]:
        headers: dict[str, str] = {}
        try:
            if not route.open:
                self._check_token(request)
            if self.limiter is not None:
                headers |= self.limiter.count(route, request.match_info)
            call = Call(self.world, request.match_info, request.query, content, uploads)
            reply = route.handler(call)
        except DiscordError as error:
            return error.status, error.body(), headers | error.headers
        return reply.status, reply.content, headers

    def _check_token(self, request: web.Request) -> None:
        given = request.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bot {self.token}".encode()):
            raise errors.unauthorized()

    async def _strike(self, request: web.Request, path: str, when: When) -> web.Response | None:
        for fault in self.faults.find_rest(request.method, path, when):
            answer = await _suffer(request, fault)
            if answer is not None:
                return answer
        return None


async def _suffer(request: web.Request, fault: Fault) -> web.Response | None:
    match fault:
        case Delay(seconds):
            await asyncio.sleep(seconds)
            return None
        case Hang():
            await asyncio.sleep(3600)
            raise _Broken
        case Drop(reset):
            break_connection(request.transport, reset=reset)
            raise _Broken
        case Status(status, code, message, html):
            if html:
                return web.Response(
                    status=status, text="<html>fault</html>", content_type="text/html"
                )
            return respond(status, {"code": code, "message": message}, {})
        case Junk(body, content_type):
            # As in respond(), the type must stand alone.
            return web.Response(body=body.encode(), headers={"Content-Type": content_type})
        case TooMany():
            return _too_many(fault)


def _too_many(fault: TooMany) -> web.Response:
    if fault.html:
        return web.Response(status=429, text="<html>banned</html>", content_type="text/html")
    error = too_many(fault.retry_after, scope="global" if fault.is_global else "shared")
    body = {"message": error.message} if fault.bare else error.body()
    answer = respond(429, body, error.headers)
    if not fault.via:
        del answer.headers["Via"]
    return answer


def break_connection(transport: asyncio.BaseTransport | None, *, reset: bool) -> None:
    """Close a connection; with ``reset``, so that the other side gets ECONNRESET."""
    if transport is None:
        return
    if reset:
        raw = transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    # Every server's transport can; those of uvloop are no subclass of asyncio.Transport.
    cast(asyncio.WriteTransport, transport).abort()


def respond(status: int, content: Any, headers: Mapping[str, str]) -> web.Response:
    """An answer in JSON, with Discord's headers."""
    # The type must be exactly application/json: with a charset, discord.py takes it for text.
    told = {"Via": "1.1 playground", **headers}
    if content is None:
        return web.Response(status=status, headers=told)
    return web.Response(
        status=status,
        body=json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass"),
        headers={"Content-Type": "application/json", **told},
    )


async def read_body(request: web.Request) -> tuple[Any, list[Upload]]:
    """The JSON and the files of a request."""
    try:
        if request.content_type == "multipart/form-data":
            return await read_form(request)
        raw = await request.read()
    except ConnectionResetError:
        raise web.HTTPBadRequest from None  # The client has gone.
    except web.HTTPRequestEntityTooLarge:
        raise errors.too_large() from None
    except (ValueError, HttpProcessingError):
        raise errors.bad_body() from None
    if raw and request.content_type != "application/json":
        raise errors.bad_content_type()
    return (_parse(raw) if raw else None), []


async def read_form(request: web.Request) -> tuple[Any, list[Upload]]:
    """``payload_json`` and the files of a multipart body."""
    content: Any = None
    uploads: list[Upload] = []
    size = 0
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        pieces: list[bytes] = []
        while not part.at_eof():
            # All available bytes: of a chunk of 8 KiB aiohttp may have to put some back, for which
            # its own StreamReader warns.
            pieces.append(await part.read_chunk(request.client_max_size))
            size += len(pieces[-1])
            if size > request.client_max_size:
                raise errors.too_large()
        data = b"".join(pieces)
        if part.name == "payload_json":
            content = _parse(data)
        elif part.name is not None and part.filename is not None:
            uploads.append(Upload(part.name, part.filename, data))
    return content, uploads


def _parse(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        raise errors.bad_json() from None
