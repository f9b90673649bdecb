"""Measurements for hosts: series for Prometheus at ``/metrics``, and traces for OpenTelemetry.

Counters are increased where the event happens; gauges are set when Prometheus asks. Labels have few
values, and no server, channel or person is among them. docs/hosting.md explains each series, and
deploy/ has alerts and a dashboard made of them.

Traces, if the host wants them, have a span for each interaction, and its parts: the transactions
and the requests to Discord on the way. Work that Parlour does by itself has no spans. They name no
people, either. Without :func:`begin_traces` nothing is loaded and nothing happens.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from time import monotonic
from typing import Any
from urllib.parse import unquote

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from bot import __version__

REGISTRY = CollectorRegistry()
FORMAT = CONTENT_TYPE_LATEST
"""The content type of :func:`text`."""
ProcessCollector(registry=REGISTRY)

_AN_ANSWER = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 15.0)
_A_TRANSACTION = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
_A_POST = (0.5, 1.0, 2.0, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0)
_A_LAG = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 2.5, 10.0)


def _counter(name: str, about: str, *labels: str) -> Counter:
    return Counter(f"parlour_{name}", about, labels, registry=REGISTRY)


def _gauge(name: str, about: str, *labels: str) -> Gauge:
    return Gauge(f"parlour_{name}", about, labels, registry=REGISTRY)


def _histogram(name: str, about: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
    return Histogram(f"parlour_{name}", about, labels, buckets=buckets, registry=REGISTRY)


# ---- people ------------------------------------------------------------------------------

INTERACTIONS = _counter(
    "interactions", "Interactions, by kind and by what came of them", "kind", "outcome"
)
ANSWER_SECONDS = _histogram(
    "answer_seconds", "From hearing of an interaction to its answer", _AN_ANSWER, "kind"
)
INSIDE = _gauge("interactions_inside", "Interactions at work now")
MATCH_EVENTS = _counter("match_events", "Events of matches: moved, started, finished", "kind")

# ---- messages -------------------------------------------------------------------------

POSTS = _counter("posts", "Attempts to send what waits, by kind and outcome", "kind", "outcome")
POST_AGE_SECONDS = _histogram(
    "post_age_seconds", "How long after it was due something was sent", _A_POST
)
POSTS_DUE_SINCE = _gauge("posts_due_since_seconds", "For how long the oldest post is due, or 0")

# ---- Discord -------------------------------------------------------------------------------------

DISCORD_ANSWERS = _counter("discord_answers", "Discord's answers to requests", "method", "status")
RATE_LIMITS = _counter("discord_rate_limits", "Answers that ask to wait, by route", "route")
RATE_LIMIT_SECONDS = _counter(
    "discord_rate_limit_wait_seconds", "Seconds that such answers ask to wait", "route"
)
CONNECTED = _gauge("connected", "Whether the gateway is connected, on all shards of this process")
SHARD_CONNECTED = _gauge("shard_connected", "Whether a shard of this process is", "shard")
SHARD_LATENCY = _gauge(
    "shard_latency_seconds", "From a heartbeat of a shard to its answer", "shard"
)
PROCESSES = _gauge("processes", "Processes that live and divide the shards among themselves")
SHARDS_LEFT = _gauge("shards_without_process", "Shards that no live process has")
MALFORMED = _gauge("malformed_events", "Events that could not be read")
SESSION_STARTS = _gauge("session_starts_left", "Sessions that may be begun with Discord at once")
CLOCK_OFFSET = _gauge(
    "clock_offset_seconds", "How far this machine's clock is ahead of Discord's time"
)

# ---- the database --------------------------------------------------------------------------------

DATABASE = _gauge("database", "Whether the database can be used")
TRANSACTION_SECONDS = _histogram(
    "transaction_seconds", "From asking for a transaction to its end", _A_TRANSACTION, "way"
)
DATABASE_ERRORS = _counter("database_errors", "Transactions that the database failed", "reason")
CONNECTIONS = _gauge("database_connections", "Connections to the database, by use", "use")
DATABASE_BYTES = _gauge("database_bytes", "The size of the database")

# ---- work beside ---------------------------------------------------------------------------------

OUTAGES = _counter(
    "outages", "Gaps in which people could not act, given back to clocks when they end"
)
JOBS_WAITING = _gauge("jobs_waiting", "Moves, hints and reviews that computers are to make", "kind")
JOBS_DUE_SINCE = _gauge("jobs_due_since_seconds", "For how long the oldest of them is due, or 0")
PAIRINGS = _gauge("pairings_running", "Rounds of Swiss tournaments that are being paired")
SWEEP_SECONDS = _histogram(
    "sweep_seconds", "How long the work that repeats takes", _A_TRANSACTION, "work"
)
SWEPT_AT = _gauge("sweep_timestamp_seconds", "When such work was last done without error", "work")
SET_ASIDE = _gauge("matches_set_aside", "Matches set aside because they were found damaged")
VERIFIED = _gauge("matches_verified", "Matches that this process has looked through for damage")
VERIFIED_AT = _gauge("verified_timestamp_seconds", "When last all matches had been looked through")
LAG = _histogram("loop_lag_seconds", "How late the event loop wakes a sleeping task", _A_LAG)


@contextmanager
def swept(work: str) -> Iterator[None]:
    """Time one turn of repeated work, and note that it has ended without error."""
    began = monotonic()
    yield
    SWEEP_SECONDS.labels(work).observe(monotonic() - began)
    SWEPT_AT.labels(work).set_to_current_time()


_ID = re.compile(r"\d{5,}")


def route(path: str) -> str:
    """The route of a request without ids, tokens and emoji: ``/channels/:id/messages``.

    >>> route("/api/v10/webhooks/123456789/aW50ZXJhY3Rpb24/messages/@original")
    '/webhooks/:id/:token/messages/@original'
    """
    parts = unquote(path).partition("/api/v")[2].split("/")[1:]
    if not parts:
        return "elsewhere"
    if parts[0] in ("webhooks", "interactions") and len(parts) > 2:
        parts[2] = ":token"
    if "reactions" in parts:
        del parts[parts.index("reactions") + 1 :]
    return "/" + "/".join(":id" if _ID.fullmatch(each) else each for each in parts)


def rate_limited(path: str, wait: str | None) -> None:
    """Count a response that asks for a wait of ``wait`` seconds, as its header says."""
    way = route(path)
    RATE_LIMITS.labels(way).inc()
    with suppress(ValueError):
        RATE_LIMIT_SECONDS.labels(way).inc(max(0.0, float(wait or 0)))


def resident() -> int | None:
    """The resident memory of this process in bytes; None where the system does not report it."""
    found = REGISTRY.get_sample_value("process_resident_memory_bytes")
    return None if found is None else int(found)


def text() -> bytes:
    """Everything in Prometheus's text format."""
    return generate_latest(REGISTRY)


# ---- traces ------------------------------------------------------------------------------------

_NOTHING: AbstractContextManager[object] = nullcontext()


class _Traces:
    """Makes spans; ``api`` is OpenTelemetry's, which knows the current span."""

    def __init__(self, api: Any, provider: Any) -> None:
        self._api = api
        self._tracer = provider.get_tracer("parlour", __version__)

    def span(self, name: str, about: dict[str, str]) -> AbstractContextManager[object]:
        """A span for a block. It has no exceptions, as they may name people."""
        made: AbstractContextManager[object] = self._tracer.start_as_current_span(
            name, attributes=about, record_exception=False, set_status_on_exception=False
        )
        return made

    def begun(self, name: str, about: dict[str, str]) -> Any:
        """A span that its caller ends."""
        return self._tracer.start_span(name, attributes=about)

    @property
    def is_inside(self) -> bool:
        """Whether there is a current span."""
        return bool(self._api.get_current_span().is_recording())


_traces: _Traces | None = None


def begin_traces(address: str) -> None:
    """Send traces to a collector at this address.

    Raises :exc:`ImportError` where OpenTelemetry is not installed.
    """
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415 - an extra
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - an extra

    # It logs every failed attempt; one line for a dropped span is enough.
    logging.getLogger("opentelemetry.exporter").setLevel(logging.ERROR)
    trace_with(BatchSpanProcessor(OTLPSpanExporter(f"{address.rstrip('/')}/v1/traces")))


def trace_with(processor: Any) -> None:
    """Send spans to a processor of OpenTelemetry; None ends it."""
    global _traces  # noqa: PLW0603 - as there is one registry of metrics
    if processor is None:
        _traces = None
        return
    from opentelemetry import trace  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - an extra

    about = {"service.name": "parlour", "service.version": __version__}
    provider = TracerProvider(resource=Resource(about))
    provider.add_span_processor(processor)
    _traces = _Traces(trace, provider)


def whole(name: str, **about: str) -> AbstractContextManager[object]:
    """A root span."""
    return _NOTHING if _traces is None else _traces.span(name, about)


def part(name: str, **about: str) -> AbstractContextManager[object]:
    """A span within the current one; none without one."""
    return _NOTHING if _traces is None or not _traces.is_inside else _traces.span(name, about)


def part_begun(name: str, **about: str) -> Any:
    """The same, ended by its caller; None without a current span."""
    return None if _traces is None or not _traces.is_inside else _traces.begun(name, about)
