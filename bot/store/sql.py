"""The store: every method one transaction, the same on both databases."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from datetime import datetime

from sqlalchemy.exc import IntegrityError

from bot.domain.change import Change
from bot.domain.events import Event, moment
from bot.domain.ids import ChannelId, InteractionId, MatchId, UserId
from bot.domain.match import Match, Scope
from bot.services.people_store import PairingCheck
from bot.services.ports import AlreadyDone, ChannelBusy, Conflict, Loaded
from bot.services.sending import Batch, Delivery, Outcome
from bot.store import transactions
from bot.store.database import Database
from bot.store.highwater import EventMark
from bot.store.owed import SqlOwed
from bot.store.sql_blocked import SqlBlocked
from bot.store.sql_lobbies import SqlLobbies
from bot.store.sql_people import SqlPeople
from bot.store.sql_plans import SqlPlans
from bot.store.sql_privacy import SqlPrivacy
from bot.store.sql_ratings import SqlRatings
from bot.store.sql_session_starts import SqlSessionStarts
from bot.store.sql_times import SqlTimes
from bot.store.sql_upkeep import SqlUpkeep
from bot.store.sql_vacations import SqlVacations


def _is_duplicate(error: IntegrityError) -> bool:
    """Whether a key exists already; every other broken constraint is a bug of ours."""
    name = getattr(error.orig, "sqlite_errorname", "")
    state = getattr(error.orig, "sqlstate", "")
    return state == "23505" or name in ("SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY")


class SqlStore(
    SqlBlocked,
    SqlLobbies,
    SqlOwed,
    SqlPeople,
    SqlPlans,
    SqlPrivacy,
    SqlRatings,
    SqlSessionStarts,
    SqlTimes,
    SqlUpkeep,
    SqlVacations,
):
    """Everything that is stored, on a :class:`Database`."""

    def __init__(self, database: Database, *, mark: EventMark | None = None) -> None:
        self._database = database
        self._mark = mark
        self._worker = secrets.token_hex(8)
        self._leases = 0

    async def close(self) -> None:
        """Let running transactions end and close the database."""
        await self._database.close()
        if self._mark is not None:
            self._mark.close()

    @property
    def is_well(self) -> bool:
        """Whether the database works, as far as the last questions tell."""
        return self._database.is_well

    async def load(self, match_id: MatchId, interaction_id: InteractionId | None) -> Loaded:
        """See :class:`~bot.services.ports.Store`; so for all that follow."""
        return await self._database.look(lambda c: transactions.load(c, match_id, interaction_id))

    async def done(self, interaction_id: InteractionId) -> Event | None:
        """The event that this interaction has caused."""
        return await self._database.look(lambda c: transactions.done(c, interaction_id))

    async def commit(
        self,
        change: Change,
        deliveries: tuple[Delivery, ...],
        lease_until: datetime | None = None,
        check: PairingCheck | None = None,
    ) -> Batch:
        """Write a change and what is to be sent."""
        lease = None
        if lease_until is not None:
            lease = self._lease(change.match.updated_at, lease_until)
        try:
            batch = await self._database.write(
                lambda c: transactions.commit(c, change, deliveries, lease, check)
            )
        except IntegrityError as error:
            interaction_id = change.event.interaction_id
            event = None if interaction_id is None else await self.done(interaction_id)
            if event is not None:
                raise AlreadyDone(event) from None
            if not _is_duplicate(error):
                raise
            if "channel" in str(error.orig):
                raise ChannelBusy from None
            raise Conflict from error
        if self._mark is not None:
            self._mark.note(change.event)
        return batch

    async def match(self, match_id: MatchId, scope: Scope) -> Match | None:
        """A match, if it may be seen in this scope."""
        return await self._database.look(lambda c: transactions.match(c, match_id, scope))

    async def running_in(self, channel_id: ChannelId, scope: Scope) -> tuple[Match, ...]:
        """The running matches of a channel or thread."""
        return await self._database.look(lambda c: transactions.running_in(c, channel_id, scope))

    async def active_of(self, user_id: UserId) -> tuple[Match, ...]:
        """Everything running or on offer for a person."""
        return await self._database.read(lambda c: transactions.active_of(c, user_id))

    async def history(self, match_id: MatchId, scope: Scope) -> tuple[Event, ...]:
        """All events of a match in order."""
        return await self._database.read(lambda c: transactions.history(c, match_id, scope))

    async def lapsed_offers(self, now: datetime, limit: int) -> tuple[MatchId, ...]:
        """Offers whose time has come."""
        return await self._database.read(lambda c: transactions.lapsed_offers(c, now, limit))

    async def lapsed_requests(self, now: datetime, limit: int) -> tuple[MatchId, ...]:
        """Matches with requests whose time has come."""
        return await self._database.read(lambda c: transactions.lapsed_requests(c, now, limit))

    async def over_in(self, channel_id: ChannelId, scope: Scope, limit: int) -> tuple[Match, ...]:
        """The matches last played in a channel or thread."""
        return await self._database.read(
            lambda c: transactions.over_in(c, channel_id, scope, limit)
        )

    async def all_matches(self) -> AsyncIterator[tuple[Match, tuple[Event, ...]]]:
        """Every match with its history, a hundred to a transaction."""
        after = ""
        while True:
            found = await self._matches_after(after)
            if not found:
                return
            for each in found:
                yield each
            after = found[-1][0].id

    async def _matches_after(self, after: str) -> tuple[tuple[Match, tuple[Event, ...]], ...]:
        return await self._database.read(lambda c: transactions.matches_after(c, after, 100))

    async def claim(self, now: datetime, lease_until: datetime, limit: int) -> tuple[Batch, ...]:
        """Take a batch of each of up to ``limit`` matches."""
        lease = self._lease(now, lease_until)
        return await self._database.write(lambda c: transactions.claim(c, lease, limit))

    async def settle(
        self,
        batch: Batch,
        outcomes: tuple[Outcome, ...],
        now: datetime,
        lease_until: datetime | None,
    ) -> Batch:
        """Record what came of a batch, and take the next of the same match.

        A power cut may take the record with it: then the deliveries are made again, as after any
        crash between making and recording them.
        """
        lease = None if lease_until is None else self._lease(now, lease_until)
        return await self._database.write(
            lambda c: transactions.settle(c, batch, outcomes, now, lease), durable=False
        )

    def _lease(self, now: datetime, until: datetime) -> transactions.Lease:
        self._leases += 1
        return transactions.Lease(f"{self._worker}.{self._leases}", now, until)

    async def next_due(self) -> datetime | None:
        """When the next delivery is due."""
        found = await self._database.look(transactions.next_due)
        return None if found is None else moment(found)

    async def show_again(
        self,
        match_id: MatchId,
        now: datetime,
        home: ChannelId | None = None,
        calls: tuple[Delivery, ...] = (),
    ) -> None:
        """Have the present board posted again, in another home if one is given."""
        await self._database.write(lambda c: transactions.show_again(c, match_id, now, home, calls))
