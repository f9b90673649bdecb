"""Health and metrics, only if the host asks for a port; on loopback unless it names an address."""

from __future__ import annotations

import asyncio
import errno
import json
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from types import TracebackType
from typing import Self

from aiohttp import web
from prometheus_client import (
    CollectorRegistry,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

LOOPBACK = "127.0.0.1"
_BUCKETS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 2.5, 10.0)


class PortRefused(Exception):
    """The port cannot be listened on; ``str()`` says why and what to do."""

    def __init__(self, address: str, port: int, error: OSError) -> None:
        self.may_pass = error.errno == errno.EADDRINUSE
        """Whether the one who has it may be on the way out."""
        why = error.strerror or str(error)
        if self.may_pass:
            why = "it is taken, perhaps by a Parlour that is still stopping"
        super().__init__(
            f"Port {port} at {address} cannot be used for /health and /metrics: {why}. If this goes"
            " on, choose others with PARLOUR_HEALTH_PORT and PARLOUR_HEALTH_ADDRESS."
        )


class Metrics:
    """What is counted, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.lag = Histogram(
            "parlour_loop_lag_seconds",
            "How late the event loop wakes a sleeping task",
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.connected = self._gauge("connected", "Whether the gateway is connected")
        self.database = self._gauge("database", "Whether the database can be used")
        self.set_aside = self._gauge(
            "matches_set_aside", "Matches that are set aside because they were found damaged"
        )
        self.verified = self._gauge(
            "matches_verified", "Matches that this process has looked through for damage"
        )
        self.verified_at = self._gauge(
            "verified_timestamp_seconds", "When last all matches had been looked through"
        )
        self.malformed = self._gauge("malformed_events", "Events that could not be read")
        self.inside = self._gauge("interactions_inside", "Interactions at work now")
        self.session_starts = self._gauge(
            "session_starts_left", "Sessions that may be begun with Discord at once"
        )
        self.clock_offset = self._gauge(
            "clock_offset_seconds", "How far this machine's clock is ahead of Discord's time"
        )

    def _gauge(self, name: str, about: str) -> Gauge:
        return Gauge(f"parlour_{name}", about, registry=self.registry)

    def text(self) -> bytes:
        """Everything in Prometheus's text format."""
        return generate_latest(self.registry)


_EVERY = 0.5
"""Seconds between two looks at the event loop."""


class LoopWatch:
    """Measures how late the event loop is; ``worst`` is the worst of the last minute, in s."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
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
            self._metrics.lag.observe(lag)
            self._recent = [*self._recent[-keep:], lag]


class HealthServer:
    """``/health`` and ``/metrics``; an asynchronous context manager.

    ``facts`` gives what ``/health`` answers; it is healthy if its ``healthy`` is true.
    """

    def __init__(
        self,
        port: int,
        metrics: Metrics,
        facts: Callable[[], dict[str, bool | float | str]],
        *,
        address: str = LOOPBACK,
    ) -> None:
        self.port = port
        self._address = address
        self._metrics = metrics
        self._facts = facts
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        """Begin to serve. Raises :exc:`PortRefused`."""
        app = web.Application()
        app.add_routes([web.get("/health", self._health), web.get("/metrics", self._show_metrics)])
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._address, self.port).start()
        except OSError as error:
            await self._runner.cleanup()
            raise PortRefused(self._address, self.port, error) from error
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop serving."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _health(self, _request: web.Request) -> web.Response:
        facts = self._facts()
        return web.json_response(facts, status=200 if facts.get("healthy") else 503)

    async def _show_metrics(self, _request: web.Request) -> web.Response:
        self._facts()
        return web.Response(body=self._metrics.text(), content_type="text/plain")


def is_healthy(port: int, *, address: str = LOOPBACK, patience: float = 3.0) -> tuple[bool, str]:
    """Whether the process that serves there says that it is well, and what it says."""
    connection = HTTPConnection(address, port, timeout=patience)
    try:
        connection.request("GET", "/health")
        answer = connection.getresponse()
        return answer.status == 200, answer.read().decode() or json.dumps({"status": answer.status})
    except (OSError, ValueError, HTTPException) as error:
        return False, f"no answer on port {port}: {error}"
    finally:
        connection.close()
