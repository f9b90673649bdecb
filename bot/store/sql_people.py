"""The part of the store that is about people and servers; see its protocol for what is promised."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.services.people_store import AuditEntry, Reminder, StoredSettings, Unplanned
from bot.services.ports import Conflict
from bot.services.sending import News, Posted
from bot.store import digests, pairing, people, reminders
from bot.store.database import Database

T = TypeVar("T")


class SqlPeople:
    """:class:`bot.services.people_store.PeopleStore` on a :class:`~bot.store.database.Database`."""

    _database: Database

    async def _first(self, work: Callable[[Connection], T]) -> T:
        """Write; whoever comes second to a row of the same key meets a conflict."""
        try:
            return await self._database.write(work)
        except IntegrityError as error:
            raise Conflict from error

    async def person(self, user_id: UserId) -> StoredSettings:
        """What a person has chosen."""
        return await self._database.look(lambda c: people.person(c, user_id))

    async def keep_person(
        self,
        user_id: UserId,
        version: int,
        text: str,
        digest_at: datetime | None,
        *,
        same_digest: bool = False,
    ) -> None:
        """Write what a person has chosen."""
        await self._first(
            lambda c: people.keep_person(
                c, user_id, version, text, digest_at, same_digest=same_digest
            )
        )

    async def server(self, guild_id: GuildId) -> StoredSettings:
        """What has been chosen for a server."""
        return await self._database.look(lambda c: people.server(c, guild_id))

    async def keep_server(
        self,
        guild_id: GuildId,
        version: int,
        text: str,
        entry: AuditEntry,
        lobby: ChannelId | None = None,
    ) -> None:
        """Write what has been chosen for a server, and its audit entry."""
        await self._first(
            lambda c: people.keep_server(c, guild_id, version, text, entry, lobby=lobby)
        )

    async def audit_of(self, guild_id: GuildId, limit: int) -> tuple[AuditEntry, ...]:
        """The newest entries of a server's audit log."""
        return await self._database.read(lambda c: people.audit_of(c, guild_id, limit))

    async def block(self, user_id: UserId, other: UserId, at: datetime, most: int) -> bool:
        """Keep two people apart."""
        try:
            return await self._first(lambda c: people.block(c, user_id, other, at, most))
        except Conflict:
            return True

    async def unblock(self, user_id: UserId, other: UserId) -> bool:
        """Keep two people apart no more."""
        return await self._database.write(lambda c: people.unblock(c, user_id, other))

    async def blocked_by(self, user_id: UserId) -> tuple[UserId, ...]:
        """Whom a person has blocked."""
        return await self._database.look(lambda c: people.blocked_by(c, user_id))

    async def reserve_thread(
        self, match: Match, gone: ChannelId | None, now: datetime, since: datetime, most: int
    ) -> bool:
        """Count a thread that is about to be made."""
        return await self._database.write(
            lambda c: pairing.reserve_thread(c, match, gone, now=now, since=since, most=most)
        )

    async def return_thread(self, match: Match, gone: ChannelId | None) -> None:
        """Do not count a thread that could not be made."""
        await self._database.write(lambda c: pairing.return_thread(c, match, gone))

    async def forget_tallies(self, before: datetime) -> None:
        """Remove what no limit asks for any more."""
        await self._database.write(lambda c: pairing.forget_tallies(c, before))

    async def digests_due(self, now: datetime, limit: int) -> tuple[tuple[UserId, datetime], ...]:
        """Whose digest is due."""
        return await self._database.read(lambda c: digests.due(c, now, limit))

    async def digest_done(
        self,
        user_id: UserId,
        was: datetime,
        then: datetime | None,
        told: tuple[News, ...] = (),
    ) -> bool:
        """Set when the next digest is due, and forget what was told."""
        return await self._database.write(lambda c: digests.done(c, user_id, was, then, told))

    async def news_for(self, user_id: UserId, until: datetime) -> tuple[News, ...]:
        """What a digest that is due then is to tell."""
        return await self._database.read(lambda c: digests.news_for(c, user_id, until))

    async def turns_to_plan(self, now: datetime, limit: int) -> tuple[Unplanned, ...]:
        """Turns whose reminders are to be planned."""
        return await self._database.read(lambda c: reminders.to_plan(c, now, limit))

    async def plan_reminders(
        self, match_id: MatchId, since: int, planned: tuple[Reminder, ...], now: datetime
    ) -> None:
        """Put new reminders in the place of a match's old ones."""
        try:
            await self._first(lambda c: reminders.plan(c, match_id, since, planned, now))
        except Conflict:
            # Another process has just planned the same turn.
            return

    async def reminders_due(self, now: datetime, limit: int) -> tuple[Reminder, ...]:
        """Reminders whose time has come."""
        return await self._database.read(lambda c: reminders.due(c, now, limit))

    async def reminder_done(self, reminder: Reminder) -> None:
        """Never give this one again."""
        await self._database.write(lambda c: reminders.done(c, reminder))

    async def reminder_at(self, reminder: Reminder, at: datetime) -> None:
        """Look at this one again then."""
        await self._database.write(lambda c: reminders.put_off(c, reminder, at))

    async def replace_line(self, match: Match, player: int, posted: Posted) -> None:
        """Note which message calls a player now."""
        await self._first(lambda c: people.replace_line(c, match, player, posted))
