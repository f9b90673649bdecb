"""Choices of people and servers as JSON text for the store.

It has the values that differ from the default, and a format number. An invalid entry (an edit by
hand, a newer release, a bug of an older one) is read as the default of that one setting, so a match
never waits for a setting to be repaired.

A setting is one field of a dataclass, made by :func:`setting` with the reader of its entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import field, fields
from datetime import datetime
from enum import Enum
from typing import Any, TypeAlias, TypeVar

from bot.domain.events import JsonValue, micros, moment
from bot.domain.quiet_hours import QuietHours, is_zone
from bot.errors import UserError

S = TypeVar("S", bound=Any)
"""A dataclass of settings."""
Reader: TypeAlias = Callable[[object], Any]
"""Reads the value of an entry; None if it is invalid."""

_FORM = 1
_LONGEST = 8000
_LONGEST_LIST = 1000


def setting(default: Any, read: Reader) -> Any:
    """A field of a dataclass of settings: its default, and the reader of its entry."""
    return field(default=default, metadata={"read": read})


def read_settings(kind: type[S], text: str) -> S:
    """The settings that a text holds; the default of each one that cannot be read."""
    entries = _entries(text)
    found = {
        each.name: each.metadata["read"](entries[each.name])
        for each in fields(kind)
        if each.name in entries
    }
    made: S = kind(**{name: value for name, value in found.items() if value is not None})
    return made


def _entries(text: str) -> Mapping[str, Any]:
    """The entries of a text; none if it is not a text of ours."""
    if len(text) > _LONGEST:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict) or found.get("form") != _FORM:
        return {}
    return found


def _plain(value: Any) -> JsonValue:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, datetime):
        return micros(value)
    if isinstance(value, QuietHours):
        return [value.begin, value.end]
    if isinstance(value, tuple):
        return list(value)
    return value  # type: ignore[no-any-return]


def difference(settings: S, other: S) -> Mapping[str, JsonValue]:
    """The settings that differ from ``other``, by name, with their values in ``settings``."""
    return {
        each.name: _plain(getattr(settings, each.name))
        for each in fields(settings)
        if getattr(settings, each.name) != getattr(other, each.name)
    }


def written(settings: S, before: str = "") -> str:
    """The text to store: the settings that differ from the default, and the format number.

    Entries of the text ``before`` that only a newer release can read stay.
    """
    chosen = difference(settings, type(settings)())
    readers = {each.name: each.metadata["read"] for each in fields(settings)}
    newer = {
        name: entry
        for name, entry in _entries(before).items()
        if name not in chosen and (name not in readers or readers[name](entry) is None)
    }
    return json.dumps({"form": _FORM, **newer, **chosen}, ensure_ascii=True, separators=(",", ":"))


# ---- readers -------------------------------------------------------------------------------------


def whole(low: int, high: int) -> Reader:
    """A whole number in a range; ``True`` is none."""
    return lambda value: value if type(value) is int and low <= value <= high else None


DISCORD_ID = whole(1, (1 << 63) - 1)
"""An id of Discord."""
HOUR = whole(0, 23)


def truth(value: object) -> bool | None:
    """Yes or no."""
    return value if isinstance(value, bool) else None


def instant(value: object) -> datetime | None:
    """A moment, stored as microseconds since 1970."""
    found = whole(0, 1 << 52)(value)
    return None if found is None else moment(found)


def zone(value: object) -> str | None:
    """The IANA name of a time zone."""
    return value if isinstance(value, str) and is_zone(value) else None


def quiet_hours(value: object) -> QuietHours | None:
    """The hours at which they begin and end; they must differ."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    hours = several(HOUR, 2)(value)
    return None if hours is None or len(hours) != 2 else QuietHours(*hours)


def one_of(*known: Any) -> Reader:
    """One of these values; one of an enumeration is stored as the value of its member."""
    by_text = {_plain(each): each for each in known}
    return lambda value: by_text.get(value) if isinstance(value, str) else None


def matching(pattern: str) -> Reader:
    """A text that fits a pattern as a whole."""
    fits = re.compile(pattern, re.ASCII).fullmatch
    return lambda value: value if isinstance(value, str) and fits(value) else None


def canonical(rewritten: Callable[[str], str]) -> Reader:
    """A text that stays as it is where it is read and written again."""

    def read(value: object) -> str | None:
        try:
            return value if isinstance(value, str) and rewritten(value) == value else None
        except UserError:
            return None

    return read


def several(one: Reader, most: int) -> Reader:
    """Distinct values of a list, at most ``most``; invalid ones are left out."""

    def read(value: object) -> tuple[Any, ...] | None:
        if not isinstance(value, list):
            return None
        found = [one(each) for each in value[:_LONGEST_LIST]]
        return tuple(dict.fromkeys(each for each in found if each is not None))[:most]

    return read


def pair(first: Reader, second: Reader) -> Reader:
    """A list of two values, both valid."""

    def read(value: object) -> tuple[Any, Any] | None:
        if not isinstance(value, list) or len(value) != 2:
            return None
        found = first(value[0]), second(value[1])
        return found if all(found) else None

    return read
