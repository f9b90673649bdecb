"""The choices of people and servers as the JSON text in which they are stored.

It holds what differs from the default and the number of its form. Whatever stands in a text that
cannot be meant (a hand at the database, a newer release, a bug of an older one) is read as the
default of that one setting, so a match never waits for a setting to be mended.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import datetime
from enum import Enum
from typing import Any

from bot.domain.clock_text import (
    SHORTEST_OFFER,
    parse_offer_expiry,
    read_clock,
    write_clock,
    write_duration,
)
from bot.domain.events import JsonValue, micros, moment
from bot.domain.ids import ChannelId, UserId
from bot.domain.preferences import (
    HINTS,
    LONGEST_REMINDER,
    MOST_CHANNELS,
    MOST_KEPT_OUT,
    MOST_REMINDERS,
    RATED,
    NoticeWay,
    Preferences,
    ServerSettings,
)
from bot.domain.quiet_hours import QuietHours, is_zone
from bot.domain.rating_range import format_rating_range, parse_rating_range
from bot.errors import UserError

_FORM = 1
_LONGEST = 8000
_SNOWFLAKE = 1 << 63
_THEME = re.compile(r"[a-z]{1,20}", re.ASCII)
_LOCALE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}", re.ASCII)
_GAME = re.compile(r"[a-z0-9_]{1,40}", re.ASCII)
_SIDE = re.compile(r"[1-9]", re.ASCII)
_WORD = re.compile(r"[A-Za-z0-9_.+-]{1,40}", re.ASCII)
_MOST_GAMES = 25
_MOST_OPTIONS = 20


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


def difference(
    settings: Preferences | ServerSettings, other: Preferences | ServerSettings
) -> Mapping[str, JsonValue]:
    """The settings that are not as in ``other``, by name, as they are in ``settings``."""
    return {
        field.name: _plain(getattr(settings, field.name))
        for field in fields(settings)
        if getattr(settings, field.name) != getattr(other, field.name)
    }


def written(settings: Preferences | ServerSettings) -> str:
    """The text to keep: what differs from the default, and the form of the text."""
    chosen = difference(settings, type(settings)())
    return json.dumps({"form": _FORM, **chosen}, ensure_ascii=True, separators=(",", ":"))


def _read(text: str) -> Mapping[str, Any]:
    """The entries of a text; none if it cannot be one of ours."""
    if len(text) > _LONGEST:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict) or found.get("form") != _FORM:
        return {}
    return found


def _whole(value: object, low: int, high: int) -> int | None:
    """A whole number in a range; ``True`` is none."""
    good = type(value) is int and low <= value <= high
    return value if good else None  # type: ignore[return-value]


def _matching(pattern: re.Pattern[str]) -> Callable[[object], str | None]:
    def read(value: object) -> str | None:
        return value if isinstance(value, str) and pattern.fullmatch(value) else None

    return read


def _way(value: object) -> NoticeWay | None:
    return next((way for way in NoticeWay if way.value == value), None)


def _instant(value: object) -> datetime | None:
    found = _whole(value, 0, 1 << 52)
    return None if found is None else moment(found)


def _reminders(value: object) -> tuple[int, ...] | None:
    if not isinstance(value, list):
        return None
    good = {hours for hours in value[:100] if _whole(hours, 1, LONGEST_REMINDER) is not None}
    return tuple(sorted(good, reverse=True)[:MOST_REMINDERS])


def _quiet(value: object) -> QuietHours | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    begin, end = (_whole(each, 0, 23) for each in value)
    if begin is None or end is None or begin == end:
        return None
    return QuietHours(begin, end)


def _zone(value: object) -> str | None:
    return value if isinstance(value, str) and is_zone(value) else None


def _channels(value: object) -> tuple[ChannelId, ...] | None:
    if not isinstance(value, list):
        return None
    good = [each for each in value[:100] if _whole(each, 1, _SNOWFLAKE - 1) is not None]
    return tuple(ChannelId(each) for each in dict.fromkeys(good))[:MOST_CHANNELS]


def _people(value: object) -> tuple[UserId, ...] | None:
    if not isinstance(value, list):
        return None
    good = [each for each in value[:1000] if _whole(each, 1, _SNOWFLAKE - 1) is not None]
    return tuple(UserId(each) for each in dict.fromkeys(good))[:MOST_KEPT_OUT]


def _clock(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    try:
        return value if write_clock(read_clock(value)) == value else None
    except UserError:
        return None


def _options(value: object) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...] | None:
    """Options by game; what is not plain words is left out."""
    if not isinstance(value, list):
        return None
    found = {}
    for each in value[:_MOST_GAMES]:
        if not isinstance(each, list) or len(each) != 2 or not isinstance(each[1], list):
            return None
        pairs = tuple(
            (pair[0], pair[1])
            for pair in each[1][:_MOST_OPTIONS]
            if isinstance(pair, list)
            and len(pair) == 2
            and all(isinstance(part, str) and _WORD.fullmatch(part) for part in pair)
        )
        if isinstance(each[0], str) and _GAME.fullmatch(each[0]) and pairs:
            found[each[0]] = pairs
    return tuple(sorted(found.items()))


def _band(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    try:
        return value if format_rating_range(parse_rating_range(value)) == value else None
    except UserError:
        return None


def _lasts(value: object) -> str | None:
    if not isinstance(value, str) or not value:
        return None
    try:
        return value if write_duration(parse_offer_expiry(value, SHORTEST_OFFER)) == value else None
    except UserError:
        return None


def _truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _limit(value: object) -> int | None:
    return _whole(value, 0, 100_000)


_PERSONAL: Mapping[str, Callable[[object], Any]] = {
    "theme": _matching(_THEME),
    "language": _matching(_LOCALE),
    "way": _way,
    "direct_refused": _instant,
    "reminders": _reminders,
    "quiet": _quiet,
    "zone": _zone,
    "digest_hour": lambda value: _whole(value, 0, 23),
    "locale": _matching(_LOCALE),
    "direct": _truth,
    "preview": _truth,
    "open_list": _truth,
    "letters": _truth,
}
_OF_SERVERS: Mapping[str, Callable[[object], Any]] = {
    "channels": _channels,
    **dict.fromkeys(
        ("offerers", "players", "arrangers", "seekers"),
        lambda value: _whole(value, 1, _SNOWFLAKE - 1),
    ),
    "threads": _truth,
    "language": _matching(_LOCALE),
    "theme": _matching(_THEME),
    "game": _matching(_GAME),
    "clock": _clock,
    "running": _limit,
    "threads_an_hour": _limit,
    "lobby": lambda value: _whole(value, 1, _SNOWFLAKE - 1),
    "kept_out": _people,
    "options": _options,
    "stakes": lambda value: value if value in (RATED, HINTS) else None,
    "side": _matching(_SIDE),
    "takebacks": _truth,
    "band": _band,
    "lasts": _lasts,
    "puzzle": lambda value: _whole(value, 1, _SNOWFLAKE - 1),
    "puzzle_hour": lambda value: _whole(value, 0, 23),
    "puzzle_zone": _zone,
}


def _kept(text: str, readers: Mapping[str, Callable[[object], Any]]) -> dict[str, Any]:
    entries = _read(text)
    found = {name: read(entries[name]) for name, read in readers.items() if name in entries}
    return {name: value for name, value in found.items() if value is not None}


def read_preferences(text: str) -> Preferences:
    """What a text says that a person has chosen."""
    return Preferences(**_kept(text, _PERSONAL))


def read_server_settings(text: str) -> ServerSettings:
    """What a text says that has been chosen for a server."""
    return ServerSettings(**_kept(text, _OF_SERVERS))
