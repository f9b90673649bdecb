"""Settings of players and servers.

Reads go through a small cache: a move asks six times, and a read takes 0.3 ms. An entry may be as
old as :data:`LIFETIME`, since processes don't tell each other about changes. Nothing depends on
seeing a change at once: changes are decided on the store's data, this process forgets what it has
changed, and blocks are read each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from cachetools import TTLCache

from bot.clock import Clock
from bot.domain.events import JsonValue
from bot.domain.ids import GuildId, UserId
from bot.domain.preferences import NoticeWay, Preferences, ServerSettings
from bot.store import Store, people
from bot.store.errors import StoreUnavailable
from bot.store.records import AuditEntry

LIFETIME = 10.0
"""Seconds that something read is remembered."""


class PreferenceService:
    """Reads and changes settings.

    If the database can't be read, settings are the defaults: good enough for how things look, not
    for notices (:meth:`surely_of`). A change is refused.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        limit: int = 5000,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._clock = clock
        self._people: TTLCache[UserId, Preferences] = TTLCache(limit, LIFETIME, seconds)
        self._servers: TTLCache[GuildId, ServerSettings] = TTLCache(limit, LIFETIME, seconds)

    # ---- people ----------------------------------------------------------------------------

    def known(self, user_id: UserId) -> Preferences | None:
        """A player's settings, if cached."""
        return self._people.get(user_id)

    def forget(self, user_id: UserId) -> None:
        """Drop a player's settings from the cache."""
        self._people.pop(user_id, None)

    async def of(self, user_id: UserId) -> Preferences:
        """A player's settings, perhaps a few seconds old."""
        try:
            return await self.surely_of(user_id)
        except StoreUnavailable:
            return Preferences()

    async def surely_of(self, user_id: UserId) -> Preferences:
        """The same; raises ``StoreUnavailable`` if they can't be read."""
        known = self._people.get(user_id)
        if known is not None:
            return known
        found = await self._store.read(people.person, user_id)
        self._people[user_id] = found
        return found

    async def change(
        self, user_id: UserId, decide: Callable[[Preferences], Preferences]
    ) -> Preferences:
        """Save what ``decide`` makes of a player's settings, and return it.

        Raises ``store_unavailable`` and what ``decide`` raises.
        """
        try:
            after = await self._store.write(
                people.change_person, user_id, decide, self._clock.now()
            )
        finally:
            self._people.pop(user_id, None)
        self._people[user_id] = after
        return after

    async def direct_refused(self, user_id: UserId, *, by_digest: bool) -> None:
        """Note that Discord refused a direct message to this player.

        For a reader of a digest only the digest counts.
        """
        now = self._clock.now()

        def noted(chosen: Preferences) -> Preferences:
            waits = chosen.way is NoticeWay.DIGEST and not by_digest
            return chosen if waits else replace(chosen, direct_refused=now)

        await self.change(user_id, noted)

    # ---- block lists -----------------------------------------------------------------------

    async def blocked_by(self, user_id: UserId) -> tuple[UserId, ...]:
        """The players that a player has blocked, the latest first."""
        return await self._store.read(people.blocked_by, user_id)

    async def block(self, user_id: UserId, other: UserId) -> None:
        """Block a player. Raises ``block_self`` and ``too_many_blocked``."""
        await self._store.write(people.block, user_id, other, self._clock.now())

    async def unblock(self, user_id: UserId, other: UserId) -> bool:
        """Unblock a player; whether they were blocked."""
        return await self._store.write(people.unblock, user_id, other)

    # ---- servers ---------------------------------------------------------------------------

    async def server(self, guild_id: GuildId | None) -> ServerSettings:
        """A server's settings; the defaults in direct messages."""
        if guild_id is None:
            return ServerSettings()
        known = self._servers.get(guild_id)
        if known is not None:
            return known
        try:
            found = await self._store.read(people.server, guild_id)
        except StoreUnavailable:
            return ServerSettings()
        self._servers[guild_id] = found
        return found

    async def change_server(
        self,
        guild_id: GuildId,
        user_id: UserId,
        decide: Callable[[ServerSettings], ServerSettings],
    ) -> ServerSettings:
        """Save what ``decide`` makes of a server's settings, with an entry in its audit log.

        The caller checks the user.
        """
        try:
            after = await self._store.write(
                people.change_server, guild_id, user_id, decide, self._clock.now()
            )
        finally:
            self._servers.pop(guild_id, None)
        self._servers[guild_id] = after
        return after

    async def log(
        self, guild_id: GuildId, user_id: UserId, act: str, about: Mapping[str, JsonValue]
    ) -> None:
        """Add an entry to the audit log that is not about settings."""
        entry = AuditEntry(self._clock.now(), guild_id, user_id, act, {}, about)
        await self._store.write(people.log_act, entry)
