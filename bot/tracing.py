"""Traces for OpenTelemetry, if the host wants them: a span for each interaction, and its parts.

Parts are the transactions and the requests to Discord on the way; what Parlour does by itself has
no spans. As in the metrics, no server, channel or person is named. Without :func:`begin` nothing is
loaded and nothing happens.
"""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from bot import __version__

_NOTHING: AbstractContextManager[object] = nullcontext()


class _Traces:
    """Makes spans; ``api`` is OpenTelemetry's, which knows the span that one is in."""

    def __init__(self, api: Any, provider: Any) -> None:
        self._api = api
        self._tracer = provider.get_tracer("parlour", __version__)

    def span(self, name: str, about: dict[str, str]) -> AbstractContextManager[object]:
        """A span for what is done within it. Exceptions may name people, so it has none."""
        made: AbstractContextManager[object] = self._tracer.start_as_current_span(
            name, attributes=about, record_exception=False, set_status_on_exception=False
        )
        return made

    def begun(self, name: str, about: dict[str, str]) -> Any:
        """A span that its caller ends."""
        return self._tracer.start_span(name, attributes=about)

    @property
    def is_inside(self) -> bool:
        """Whether this is part of something that has a span."""
        return bool(self._api.get_current_span().is_recording())


_traces: _Traces | None = None


def begin(address: str) -> None:
    """Send traces to a collector at this address.

    Raises :exc:`ImportError` where OpenTelemetry is not installed.
    """
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415 - an extra
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - an extra

    # It says of every attempt that it failed; that a span was given up is enough.
    logging.getLogger("opentelemetry.exporter").setLevel(logging.ERROR)
    begin_with(BatchSpanProcessor(OTLPSpanExporter(f"{address.rstrip('/')}/v1/traces")))


def begin_with(processor: Any) -> None:
    """Give spans to what OpenTelemetry calls a processor; None ends it."""
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
    """A span of its own."""
    return _NOTHING if _traces is None else _traces.span(name, about)


def part(name: str, **about: str) -> AbstractContextManager[object]:
    """A span within one; none outside of any."""
    return _NOTHING if _traces is None or not _traces.is_inside else _traces.span(name, about)


def part_begun(name: str, **about: str) -> Any:
    """The same for what begins and ends in different places; None where there is none."""
    return None if _traces is None or not _traces.is_inside else _traces.begun(name, about)
