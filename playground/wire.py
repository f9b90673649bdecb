"""The format of messages: JSON objects in Discord's shapes, ids as strings, times as ISO 8601."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias

#: A JSON object as Discord's documentation describes it.
Json: TypeAlias = dict[str, Any]


def read_id(value: object) -> int | None:
    """The snowflake in ``value``, which clients send as text or as a number; None if it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if value >= 0 else None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20:
        return int(value)
    return None


def iso(seconds: float) -> str:
    """A moment, in seconds since 1970, in Discord's format."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")


def without(data: Mapping[str, Any], keys: Iterable[str]) -> Json:
    """A copy of ``data`` that lacks ``keys``."""
    dropped = frozenset(keys)
    return {key: value for key, value in data.items() if key not in dropped}
