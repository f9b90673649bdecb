"""The part of the store that is about time; see :class:`bot.services.ports.Store`."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.domain.ids import GuildId, MatchId, UserId
from bot.services.ports import Availability, Outage, Overdue
from bot.store import times
from bot.store.database import Database


class SqlTimes:
    """Deadlines, heartbeats and outages on a :class:`~bot.store.database.Database`."""

    _database: Database

    async def overdue(
        self, now: datetime, limit: int, after: Overdue | None = None
    ) -> tuple[Overdue, ...]:
        """Matches whose deadline has come."""
        return await self._database.read(lambda c: times.overdue(c, now, limit, after))

    async def next_deadline(self) -> datetime | None:
        """The first deadline of all."""
        return await self._database.look(times.next_deadline)

    async def beat(self, scopes: tuple[str, ...], now: datetime, longest: timedelta) -> bool:
        """Note that people in these scopes can act now."""
        return await self._database.write(
            lambda c: times.beat(c, scopes, now, longest), durable=False
        )

    async def note_outages(self, outages: tuple[Outage, ...]) -> None:
        """Write outages down, or extend them."""
        await self._database.write(lambda c: times.note_outages(c, outages), durable=False)

    async def presumed(
        self,
        guild_id: GuildId | None,
        since: datetime,
        now: datetime,
        people: tuple[UserId, ...] = (),
        match_id: MatchId | None = None,
    ) -> Availability:
        """The outages that concern a server, people's vacations, and when they could last act."""
        return await self._database.look(
            lambda c: times.presumed(c, guild_id, since, now, people, match_id)
        )

    async def newest_outages(self, limit: int) -> tuple[Outage, ...]:
        """The outages that ended last."""
        return await self._database.read(lambda c: times.newest_outages(c, limit))

    async def open_outages(self) -> tuple[Outage, ...]:
        """The outages of single servers that had not ended when people could last act."""
        return await self._database.read(times.open_outages)

    async def servers_playing(self) -> tuple[GuildId, ...]:
        """The servers in which matches run."""
        return await self._database.read(times.servers_playing)
