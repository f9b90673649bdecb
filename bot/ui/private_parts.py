"""All that Parlour touches of discord.py's private parts, which the library may change at any time.

A name of the library that begins with an underscore is touched here and in no other module. One
test fails when such a name is gone, and another when a module elsewhere touches one.

- ``_keep_alive`` is the heartbeat of a websocket: a thread that must be stopped with it. It knows
  its interval and when Discord last answered (``_last_ack``).
- ``_decompressor`` unpacks a frame, so that the first ones can be looked at before they count.
- ``_close_code`` is set when it was our side that closed.
- ``client._connection`` holds what the library remembers: how many shards there are, which a
  connection of our own has to tell it, its servers, and the parsers of events, which are guarded.
- ``discord.client._loop`` is what a client has for a loop before its first login.
- ``http._global_over`` is the event that all requests wait for during a global rate limit.
- ``interaction._session`` is the HTTP session that answers to interactions go through, since the
  library's own way of answering stumbles over replies that it does not expect.
- ``response._response_type`` is how the library knows that an interaction was acknowledged.
- ``interaction._original_response`` is the answer as it was once read, which hides a newer one.
- ``member._roles`` are the ids of all roles that came with an interaction; ``member.roles`` has
  only those that the library remembers of the server.
- ``_to_json`` writes JSON as the library's own requests do.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Callable, Iterable
from typing import Any

import aiohttp
import discord
from discord import InteractionResponseType
from discord.gateway import DiscordWebSocket
from discord.utils import _to_json


class BareWebSocket(DiscordWebSocket):
    """The library's websocket, with its heartbeat and its frames in reach."""

    @property
    def heartbeat_interval(self) -> float:
        """Seconds between two heartbeats; 0 before Discord has said so."""
        keep_alive = self._keep_alive
        return keep_alive.interval or 0.0 if keep_alive is not None else 0.0

    @property
    def seconds_unanswered(self) -> float:
        """The seconds since Discord last answered a heartbeat; 0 without heartbeats."""
        keep_alive = self._keep_alive
        return 0.0 if keep_alive is None else time.perf_counter() - keep_alive._last_ack

    @property
    def was_closed_by_us(self) -> bool:
        """Whether our side has begun to close it."""
        return self._close_code is not None

    def stop(self, code: int) -> None:
        """Stop the heartbeat, and note the code that our side closes with."""
        keep_alive, self._keep_alive = self._keep_alive, None
        if keep_alive is not None:
            keep_alive.stop()
        self._close_code = code

    def unpacked(self, frame: Any) -> str | None:
        """The text of a frame; None while parts of it are missing."""
        if isinstance(frame, bytes):
            return self._decompressor.decompress(frame)
        return str(frame)


def tell_shards(client: discord.AutoShardedClient, shard_count: int) -> None:
    """Tell the library how many shards there are.

    It waits for one more than there are, so that it never counts them itself: each is ready on its
    own here.
    """
    client.shard_count = client._connection.shard_count = shard_count
    client._connection.shard_ids = range(shard_count + 1)


def guard_parsers(client: discord.Client, guard: Callable[..., Any]) -> None:
    """Have every event go through ``guard(name, parse, data)``."""
    parsers: dict[str, Callable[[Any], Any]] = client._connection.parsers
    for name, parse in list(parsers.items()):
        parsers[name] = functools.partial(guard, name, parse)


def forget_guild(client: discord.Client, guild_id: int) -> None:
    """Handle the removal of the bot from a server, as if Discord had sent that."""
    client._connection.parse_guild_delete({"id": str(guild_id)})


def add_guild(client: discord.Client, described: Any) -> None:
    """Add a server that Discord does not send again."""
    client._connection._add_guild_from_data(described)


def drop_guilds(client: discord.Client, guilds: Iterable[discord.Guild]) -> None:
    """Forget servers that another process serves, without an event."""
    for each in guilds:
        client._connection._remove_guild(each)


def has_logged_in(client: discord.Client) -> bool:
    """Whether the client has logged in since it was made or reopened."""
    return client.loop is not discord.client._loop


async def reopen(client: discord.Client) -> None:
    """Prepare a client that could not log in, or has ended, for another login."""
    await client.close()
    client.clear()
    # A closed session takes its connector with it, which the library would use again.
    client.http.connector = discord.utils.MISSING
    # The library prepares its loop and queues at the first login only; say that this is one.
    client.loop = discord.client._loop


def end_of_limit(client: discord.Client) -> asyncio.Event | None:
    """The event that all requests wait for during a global rate limit; None before a login."""
    found = client.http._global_over
    return found if isinstance(found, asyncio.Event) else None


def session_of(interaction: discord.Interaction[Any]) -> aiohttp.ClientSession:
    """The HTTP session through which an interaction is answered."""
    return interaction._session


def note_acknowledged(interaction: discord.Interaction[Any], kind: InteractionResponseType) -> None:
    """Tell the library that an interaction was deferred, and how."""
    interaction.response._response_type = kind


def forget_answer(interaction: discord.Interaction[Any]) -> None:
    """Have the answer of an interaction read from Discord the next time."""
    interaction._original_response = None


def role_ids(person: discord.User | discord.Member) -> tuple[int, ...]:
    """The ids of a member's roles, as an interaction says; none outside of servers."""
    return tuple(person._roles) if isinstance(person, discord.Member) else ()


def as_json(value: Any) -> str:
    """A value as the library's own requests write it."""
    return _to_json(value)
