"""What people and servers have chosen, as the rest of the bot asks for it.

Reading goes through a small memory: a move asks six times, and a read takes 0.3 ms. What is in it
may be as old as :data:`LIFETIME`, since processes do not tell each other what they change. That is
right here because nothing depends on seeing a change at once: a change is always decided on what
the store has, this process forgets what it has changed, and a person's blocks are read from the
store each time.
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
    """Reads and changes what people and servers have chosen.

    Where the database cannot be read, everybody has chosen nothing, which is good enough for how
    things look and not for when people are told (:meth:`surely_of`); a change is refused.
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
        """What a person has chosen, if that is remembered."""
        return self._people.get(user_id)

    def forget(self, user_id: UserId) -> None:
        """Do not remember what a person has chosen: it has been erased."""
        self._people.pop(user_id, None)

    async def of(self, user_id: UserId) -> Preferences:
        """What a person has chosen, perhaps a few seconds ago."""
        try:
            return await self.surely_of(user_id)
        except StoreUnavailable:
            return Preferences()

    async def surely_of(self, user_id: UserId) -> Preferences:
        """The same; raises ``StoreUnavailable`` where it cannot be read."""
        known = self._people.get(user_id)
        if known is not None:
            return known
        found = await self._store.read(people.person, user_id)
        self._people[user_id] = found
        return found

    async def change(
        self, user_id: UserId, decide: Callable[[Preferences], Preferences]
    ) -> Preferences:
        """Save what ``decide`` makes of a person's choices, and return it.

        Raises :exc:`~bot.errors.UserError` (``store_unavailable``) and what ``decide`` raises.
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
        """Remember that Discord lets no direct message through to this person.

        Nothing changes for a reader of a digest unless it was the digest.
        """
        now = self._clock.now()

        def noted(chosen: Preferences) -> Preferences:
            waits = chosen.way is NoticeWay.DIGEST and not by_digest
            return chosen if waits else replace(chosen, direct_refused=now)

        await self.change(user_id, noted)

    # ---- block lists -----------------------------------------------------------------------

    async def blocked_by(self, user_id: UserId) -> tuple[UserId, ...]:
        """The players that a person has blocked, the latest first."""
        return await self._store.read(people.blocked_by, user_id)

    async def block(self, user_id: UserId, other: UserId) -> None:
        """Keep two people apart from now on.

        Raises :exc:`~bot.errors.UserError` (``block_self``, ``too_many_blocked``).
        """
        await self._store.write(people.block, user_id, other, self._clock.now())

    async def unblock(self, user_id: UserId, other: UserId) -> bool:
        """Stop keeping two people apart; whether they were."""
        return await self._store.write(people.unblock, user_id, other)

    # ---- servers ---------------------------------------------------------------------------

    async def server(self, guild_id: GuildId | None) -> ServerSettings:
        """What has been chosen for a server; nothing is in direct messages."""
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

        Whether this person may do so is the caller's to check.
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
        """Add an entry to the audit log of a server that is about something else than settings."""
        entry = AuditEntry(self._clock.now(), guild_id, user_id, act, {}, about)
        await self._store.write(people.log_act, entry)

    async def audit_of(
        self, guild_id: GuildId, limit: int = 5, skipped: int = 0
    ) -> tuple[AuditEntry, ...]:
        """The newest entries of a server's audit log after the first so many, the newest first."""
        return await self._store.read(people.audit_of, guild_id, limit, skipped)
