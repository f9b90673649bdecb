"""Knowing again what was posted before a crash: Discord forgets a nonce in some minutes.

A board is known by the name of its picture, and what has buttons by what they stand for. A line of
words is known by its words, without what changes while it stands: when the time runs out, for an
outage moves a deadline.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import discord

from bot.domain.ids import ChannelId, MessageId
from bot.services.sending import Posted
from bot.ui.pages.custom_ids import Control

Json = dict[str, Any]
_MOMENT = re.compile(r" ?<t:\d{1,15}:\w>")
_SKEW = timedelta(minutes=1)
"""By how much Discord's clock may differ from ours."""


def has_control(message: Json, control: Control) -> bool:
    """Whether a message has a button that stands for this."""
    return control in _controls(message.get("components"))


def _controls(components: object) -> Iterator[Control]:
    if not isinstance(components, list):
        return
    for each in components:
        if isinstance(each, dict):
            control = Control.read(each.get("custom_id"))
            if control is not None:
                yield control
            yield from _controls(each.get("components"))
            yield from _controls([each.get("accessory")])


def is_line(message: Json, said: str | re.Pattern[str], *, place: str = "") -> bool:
    """Whether a message begins with what was ``said`` and ends with the ``place``, if that is told.

    It may name other moments of time. Takes patterns that know of none.
    """
    text = _MOMENT.sub("", str(message.get("content", "")))
    if not text.endswith(place):
        return False
    if isinstance(said, str):
        said = re.compile(re.escape(_MOMENT.sub("", said)) + r"(?!\S)")
    return said.match(text) is not None


def posted_since(thing: Mapping[str, Any], since: datetime) -> bool:
    """Whether a message or a thread was made after an instant."""
    return discord.utils.snowflake_time(int(thing["id"])) >= since - _SKEW


def instant_before(since: datetime) -> int:
    """An id below those of all that was posted after an instant."""
    return discord.utils.time_snowflake(since - _SKEW)


def posted_at(message: Json) -> Posted:
    """Where a message is, as Discord describes it."""
    return Posted(ChannelId(int(message["channel_id"])), MessageId(int(message["id"])))


def words_of(message: Json) -> str:
    """All words of a page without containers."""
    return "\n".join(str(each.get("content", "")) for each in message.get("components") or ())
