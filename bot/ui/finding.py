"""Knowing again what was posted before a crash: Discord forgets a nonce in some minutes.

A board is known by its foot. A line of words is known by its words, without what changes while it
stands: when the time runs out, for an outage moves a deadline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

import discord

from bot.domain.match import Match
from bot.ui import boards

__all__ = ["is_line", "line_below_board", "posted_since", "version_shown"]

Json = dict[str, Any]
_MOMENT = re.compile(r"<t:\d{1,15}:\w>")
_SKEW = timedelta(minutes=1)
"""By how much Discord's clock may differ from ours."""


def version_shown(components: Iterable[Json], match: Match) -> int | None:
    """The version of a match that a message is the board of, None if it is none of its boards."""
    for component in components:
        for part in component.get("components", ()):
            version = boards.version_at_foot(part.get("content", ""), match)
            if version is not None:
                return version
    return None


def line_below_board(messages: Iterable[Json], match: Match, said: str, place: str) -> Json | None:
    """The line that tells a player something, below the board to which it belongs.

    Takes messages with the newest first. The line begins with what was ``said`` and ends with the
    ``place``, if that is told.
    """
    for each in messages:
        if version_shown(each.get("components") or (), match) is not None:
            return None
        text = str(each.get("content", ""))
        if f"{text} ".startswith(f"{said} ") and text.endswith(place):
            return each
    return None


def is_line(message: Json, said: str, *, begins: bool = False) -> bool:
    """Whether a message says this, or ``begins`` with it, whatever moments of time it names."""
    text = _MOMENT.sub("", str(message.get("content", "")))
    said = _MOMENT.sub("", said)
    return text.startswith(said) if begins else text == said


def posted_since(thing: Mapping[str, Any], since: datetime) -> bool:
    """Whether a message or a thread was made after an instant."""
    return discord.utils.snowflake_time(int(thing["id"])) >= since - _SKEW
