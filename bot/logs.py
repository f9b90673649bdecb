"""Logs: one line an event, as words for people or JSON for machines.

Texts that people write (moves, names, messages) and secrets (tokens, addresses with passwords)
never go into a log. Ids of users, servers and matches may. Everything passes :class:`Scrubber`,
tracebacks included, in case something slips through.

discord.py writes interaction tokens at DEBUG, so its loggers never go below INFO.
"""

from __future__ import annotations

import logging
import re
import secrets
import sys
from collections.abc import Iterable, MutableMapping
from typing import TYPE_CHECKING, Any, TextIO

import structlog

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger, Processor


HIDDEN = "[hidden]"
_PATTERNS = (
    # A bot token: three parts of base64, the first a snowflake.
    re.compile(r"[A-Za-z0-9_-]{20,32}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,}"),
    # The token part of interaction and webhook addresses.
    re.compile(r"(?<=/interactions/)\d+/[^/\s\"'?]+"),
    re.compile(r"(?<=/webhooks/)\d+/[^/\s\"'?]+"),
    # The password of a database address, the value of an authorisation header.
    re.compile(r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"),
    re.compile(r"(?i)(?<=authorization)['\": ]+(bot )?[^\s'\"]+"),
)
_SECRET_KEYS = frozenset({"token", "authorization", "password", "secret", "database", "dsn"})


class Scrubber:
    """Removes secrets from log lines."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known = tuple(sorted((text for text in known if len(text) >= 6), key=len)[::-1])

    def clean(self, text: str) -> str:
        """The text with known secrets, and anything that looks like one, replaced."""
        for secret in self._known:
            text = text.replace(secret, HIDDEN)
        for pattern in _PATTERNS:
            text = pattern.sub(HIDDEN, text)
        return text

    def __call__(
        self,
        _logger: object,
        _method: str,
        event: MutableMapping[str, Any],
    ) -> MutableMapping[str, Any]:
        """Clean every value of an event; a structlog processor."""
        for key, value in event.items():
            if key in _SECRET_KEYS:
                event[key] = HIDDEN
            elif isinstance(value, str):
                event[key] = self.clean(value)
            elif not isinstance(value, int | float | bool | None):
                event[key] = self.clean(str(value))
        return event


_SHARED: tuple[Processor, ...] = (
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
)


CHATTY = {
    **dict.fromkeys(("discord", "aiohttp", "PIL", "asyncio"), logging.INFO),
    # It logs every attempt to log in, which is twice a minute while Discord is away.
    "discord.client": logging.WARNING,
    # New and resumed sessions, which we log ourselves, with their duration.
    "discord.gateway": logging.WARNING,
    **dict.fromkeys(("sqlalchemy", "alembic", "aiosqlite"), logging.WARNING),
}
"""Libraries that log too much, and their minimum levels."""


def configure(
    *,
    level: str = "INFO",
    style: str = "console",
    known_secrets: Iterable[str] = (),
    stream: TextIO | None = None,
) -> None:
    """Send all logs of the process to ``stream`` (standard error), scrubbed."""
    last: Processor = (
        structlog.processors.JSONRenderer()
        if style == "json"
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *_SHARED],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                Scrubber(known_secrets),
                last,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    chosen = int(logging.getLevelName(level))
    for name, least in CHATTY.items():
        logging.getLogger(name).setLevel(max(chosen, least))
    # A broken pipe or a full disk under the log must not stop a match.
    logging.raiseExceptions = False


def logger(name: str) -> FilteringBoundLogger:
    """A structured logger that ends in the standard library's logger of that name."""
    made: FilteringBoundLogger = structlog.wrap_logger(
        logging.getLogger(name),
        wrapper_class=structlog.stdlib.BoundLogger,
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
    )
    return made


def bug_id() -> str:
    """A short name for one occurrence of a bug, for the user and for the log."""
    return secrets.token_hex(4)
