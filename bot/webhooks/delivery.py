"""Requests to addresses from strangers, which must not lead into the host's network.

Each request looks a name up once. If any of its IP addresses is not on the open Internet, the
request is refused; otherwise the connection goes to exactly these addresses, and the name only has
to match the certificate. So later changes at the name server have no effect. No redirect is
followed, no proxy is used, and only the status of the response counts.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from bot.errors import UserError
from bot.webhooks.domain import is_global_unicast, read_address
from bot.webhooks.services import WebhookFailed

LookUp = Callable[[str, int], Awaitable[list[tuple[str, int]]]]
"""The IP addresses and ports of a name and a port."""
_PORT = 443
_SECONDS = 5.0
_CONNECTING = 3.0
_MOST_READ = 4096
"""The most bytes of a response that are read before the connection is closed."""
_MOST_NUMBERS = 8


class NotGlobal(OSError):
    """A name has an IP address that is not on the open Internet."""


class _CheckedResolver(AbstractResolver):
    """A resolver for names whose IP addresses have all been checked."""

    def __init__(self, look_up: LookUp, is_allowed: Callable[[str], bool]) -> None:
        self._look_up = look_up
        self._is_allowed = is_allowed

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002 - the library's
    ) -> list[ResolveResult]:
        found = await self._look_up(host, port)
        if port != _PORT or not found or not all(self._is_allowed(each) for each, _ in found):
            raise NotGlobal(host)
        return [
            ResolveResult(
                hostname=host,
                host=number,
                port=where,
                family=socket.AF_INET6 if ":" in number else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for number, where in found[:_MOST_NUMBERS]
        ]

    async def close(self) -> None:
        """There is nothing to close."""


class HttpsPoster:
    """Posts to addresses on the open Internet.

    ``is_allowed`` says whether a connection may be made to an IP address, ``look_up`` finds those
    of a name, ``trusted`` verifies certificates.
    """

    def __init__(
        self,
        *,
        is_allowed: Callable[[str], bool] = is_global_unicast,
        look_up: LookUp | None = None,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        # Slow look-ups have threads of their own, so they delay nothing else.
        self._names = ThreadPoolExecutor(4, "names")
        self._resolver = _CheckedResolver(look_up or self._looked_up, is_allowed)
        self._trusted = trusted

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> None:
        """Send a body. Raises :exc:`~bot.webhooks.services.WebhookFailed`."""
        try:
            if read_address(url) != url:
                raise WebhookFailed("address")
        except UserError:
            raise WebhookFailed("address") from None
        if self._trusted is None:
            self._trusted = await asyncio.to_thread(ssl.create_default_context)
        connector = aiohttp.TCPConnector(
            resolver=self._resolver,
            use_dns_cache=False,
            force_close=True,
            ssl=self._trusted,
            limit=1,
        )
        session = aiohttp.ClientSession(
            connector=connector,
            timeout=aiohttp.ClientTimeout(total=_SECONDS, connect=_CONNECTING),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            headers={"User-Agent": "Parlour"},
        )
        try:
            async with (
                session,
                session.post(url, data=body, headers=headers, allow_redirects=False) as answer,
            ):
                await answer.content.read(_MOST_READ)
                status = answer.status
        except aiohttp.ClientSSLError:
            raise WebhookFailed("certificate") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            is_refused = isinstance(error, NotGlobal) or isinstance(error.__cause__, NotGlobal)
            if isinstance(error, TimeoutError):
                raise WebhookFailed("timeout") from None
            raise WebhookFailed("private" if is_refused else "connection") from None
        if not 200 <= status < 300:
            raise WebhookFailed(str(status))

    async def _looked_up(self, host: str, port: int) -> list[tuple[str, int]]:
        def look_up() -> list[tuple[str, int]]:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            return list(dict.fromkeys((str(each[4][0]), port) for each in found))

        return await asyncio.get_running_loop().run_in_executor(self._names, look_up)
