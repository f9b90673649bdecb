"""Health and metrics, only if the host asks for a port; on loopback unless it names an address."""

from __future__ import annotations

import asyncio
import errno
import json
from collections.abc import Awaitable, Callable
from functools import partial
from http.client import HTTPConnection, HTTPException
from typing import Any, Self

from aiohttp import web

from bot import metrics

LOOPBACK = "127.0.0.1"


class PortRefused(Exception):
    """The port cannot be opened; ``str()`` has the reason and the fix."""

    def __init__(self, address: str, port: int, error: OSError) -> None:
        self.may_pass = error.errno == errno.EADDRINUSE
        """Whether its present owner may be about to stop."""
        why = error.strerror or str(error)
        if self.may_pass:
            why = "it is taken, perhaps by a Parlour that is still stopping"
        super().__init__(
            f"Port {port} at {address} cannot be used for /health and /metrics: {why}. If this goes"
            " on, choose others with PARLOUR_HEALTH_PORT and PARLOUR_HEALTH_ADDRESS."
        )


_EVERY = 0.5
"""Seconds between two looks at the event loop."""


class LoopWatch:
    """Measures the lag of the event loop; ``worst`` is that of the last minute, in seconds."""

    def __init__(self) -> None:
        self._recent: list[float] = []

    @property
    def worst(self) -> float:
        """The worst lag of the last minute."""
        return max(self._recent, default=0.0)

    async def run(self) -> None:
        """Measure until cancelled."""
        loop = asyncio.get_running_loop()
        keep = int(60 / _EVERY)
        while True:
            then = loop.time()
            await asyncio.sleep(_EVERY)
            lag = max(0.0, loop.time() - then - _EVERY)
            metrics.LAG.observe(lag)
            self._recent = [*self._recent[-keep:], lag]


class HealthServer:
    """``/health`` and ``/metrics``; an asynchronous context manager.

    ``facts`` gives the answer of ``/health``: whether the process is ``live`` (if not, a restart
    may help), and whether it is ``ready`` for players. ``/health/live`` and ``/health/ready``
    answer about one of the two; ``look`` updates the gauges for ``/metrics``.
    """

    def __init__(
        self,
        port: int,
        facts: Callable[[], dict[str, Any]],
        look: Callable[[], Awaitable[None]],
        *,
        address: str = LOOPBACK,
    ) -> None:
        self.port = port
        self._address = address
        self._facts = facts
        self._look = look
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        """Begin to serve. Raises :exc:`PortRefused`."""
        app = web.Application()
        app.add_routes(
            [
                web.get("/health", partial(self._health, "healthy")),
                web.get("/health/live", partial(self._health, "live")),
                web.get("/health/ready", partial(self._health, "ready")),
                web.get("/metrics", self._show_metrics),
            ]
        )
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._address, self.port).start()
        except OSError as error:
            await self._runner.cleanup()
            raise PortRefused(self._address, self.port, error) from error
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop serving."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _health(self, fact: str, _request: web.Request) -> web.Response:
        facts = self._facts()
        return web.json_response(facts, status=200 if facts[fact] else 503)

    async def _show_metrics(self, _request: web.Request) -> web.Response:
        await self._look()
        return web.Response(body=metrics.text(), headers={"Content-Type": metrics.FORMAT})


def is_healthy(port: int, *, address: str = LOOPBACK, patience: float = 3.0) -> tuple[bool, str]:
    """Whether the process at this address reports that it is well, and its answer."""
    connection = HTTPConnection(address, port, timeout=patience)
    try:
        connection.request("GET", "/health")
        answer = connection.getresponse()
        return answer.status == 200, answer.read().decode() or json.dumps({"status": answer.status})
    except (OSError, ValueError, HTTPException) as error:
        return False, f"no answer on port {port}: {error}"
    finally:
        connection.close()
