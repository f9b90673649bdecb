"""Sessions with Discord that outlive a process: stored at its end, resumed at the next start.

Discord keeps a session for a few minutes after its connection was closed, and sends the missed
events when it is resumed. It doesn't send the servers again. So the parts of them that are used
here are stored with the session: permissions in channels, no names. A session can be resumed once,
so it is taken out of the database first.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import zlib
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from datetime import timedelta
from typing import Any, TypeVar

import discord
import yarl

from bot.clock import Clock
from bot.connection import store as shards
from bot.connection.client import INTENTS, ParlourClient
from bot.connection.gateway import Session
from bot.connection.store import LeftSession
from bot.store import Store
from bot.store.errors import Conflict
from bot.ui.private_parts import add_guild

T = TypeVar("T")

_YOUNG = timedelta(minutes=2)
"""Older sessions are not tried: Discord forgets them."""
_AT_ONCE = 20
"""Servers handled before the event loop gets its turn."""
_FORM = 1
"""The version of the format; others are ignored."""


class LeftSessions:
    """Stores the sessions of this process, and takes those of earlier ones."""

    def __init__(self, client: ParlourClient, store: Store, clock: Clock) -> None:
        self._client = client
        self._store = store
        self._clock = clock

    async def leave(self, sessions: Mapping[int, Session]) -> None:
        """Store the sessions of shards that are closed. Raises ``StoreUnavailable``."""
        guilds: dict[int, list[discord.Guild]] = {each: [] for each in sessions}
        for guild in self._client.guilds:
            if guild.shard_id in guilds:
                guilds[guild.shard_id].append(guild)
        now = self._clock.now()
        left = [
            LeftSession(
                shard,
                self._client.connection.total,
                session.id,
                session.sequence,
                str(session.address),
                now,
                await _packed(guilds[shard]),
            )
            for shard, session in sessions.items()
        ]
        if left:
            # Where two processes serve the same shard and end together, one session is enough.
            with contextlib.suppress(Conflict):
                await self._store.write(shards.leave_sessions, left)

    async def take(self, these: Collection[int], total: int) -> dict[int, Session]:
        """The sessions to resume for these shards, with their servers cached again."""
        found: dict[int, Session] = {}
        for left in await self._store.write(shards.take_sessions, these, total):
            guilds = await asyncio.to_thread(_unpacked, left.known)
            if guilds is None or not timedelta() <= self._clock.now() - left.left_at <= _YOUNG:
                continue
            async for each in _in_turns(guilds):
                add_guild(self._client, each)
            found[left.shard] = Session(left.session, left.sequence, yarl.URL(left.address))
        return found


async def _in_turns(guilds: Collection[T]) -> AsyncIterator[T]:
    """Servers one by one, perhaps thousands, without blocking the event loop."""
    for number, each in enumerate(guilds, 1):
        yield each
        if number % _AT_ONCE == 0:
            await asyncio.sleep(0)


async def _packed(guilds: Collection[discord.Guild]) -> bytes:
    described = [_described(each) async for each in _in_turns(guilds)]
    known = {"form": _FORM, "intents": INTENTS.value, "guilds": described}
    return await asyncio.to_thread(
        lambda: zlib.compress(json.dumps(known, separators=(",", ":")).encode())
    )


def _unpacked(known: bytes) -> list[Any] | None:
    """The servers, None if another release wrote them in another format."""
    found = json.loads(zlib.decompress(known))
    if found["form"] != _FORM or found["intents"] != INTENTS.value:
        return None
    guilds: list[Any] = found["guilds"]
    return guilds


def _described(guild: discord.Guild) -> dict[str, Any]:
    """A server in the form of Discord's event, with the parts used here."""
    if guild.unavailable:
        return {"id": guild.id, "unavailable": True}
    return {
        "id": guild.id,
        "unavailable": False,
        "owner_id": guild.owner_id,
        "preferred_locale": str(guild.preferred_locale),
        "system_channel_id": _id_of(guild.system_channel),
        "public_updates_channel_id": _id_of(guild.public_updates_channel),
        "roles": [
            {
                "id": each.id,
                "name": "",
                "permissions": each.permissions.value,
                "position": each.position,
                "managed": each.managed,
                "mentionable": each.mentionable,
            }
            for each in guild.roles
        ],
        "channels": [
            {
                "id": each.id,
                "name": "",
                "type": each.type.value,
                "position": each.position,
                "parent_id": each.category_id,
                "permission_overwrites": list(_overwrites(each)),
                # The library needs these for a voice channel.
                "bitrate": 0,
                "user_limit": 0,
            }
            for each in guild.channels
        ],
        "threads": [
            {
                "id": each.id,
                "name": "",
                "type": each.type.value,
                "parent_id": each.parent_id,
                "owner_id": each.owner_id,
                "message_count": each.message_count,
                "member_count": each.member_count,
                "thread_metadata": {
                    "archived": each.archived,
                    "locked": each.locked,
                    "auto_archive_duration": each.auto_archive_duration,
                    "archive_timestamp": each.archive_timestamp.isoformat(),
                },
            }
            for each in guild.threads
        ],
        "members": [] if guild.me is None else [_member(guild.me)],
    }


def _id_of(channel: discord.abc.GuildChannel | None) -> int | None:
    return None if channel is None else channel.id


def _overwrites(channel: discord.abc.GuildChannel) -> Iterator[dict[str, Any]]:
    for target, overwrite in channel.overwrites.items():
        kind = target.type if isinstance(target, discord.Object) else type(target)
        allow, deny = overwrite.pair()
        yield {
            "id": target.id,
            "type": int(kind is not discord.Role),
            "allow": allow.value,
            "deny": deny.value,
        }


def _member(own: discord.Member) -> dict[str, Any]:
    user = {"id": own.id, "username": "", "discriminator": "0", "avatar": None, "bot": True}
    return {
        "user": user,
        "roles": [each.id for each in own.roles if not each.is_default()],
        "joined_at": None if own.joined_at is None else own.joined_at.isoformat(),
        "flags": 0,
    }
