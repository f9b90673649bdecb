"""The part of the store that is about vacations; see its protocol for what is promised."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.exc import IntegrityError

from bot.domain.ids import UserId
from bot.services.ports import Conflict, UserVacation
from bot.services.vacation_store import VacationRow
from bot.store import vacations
from bot.store.database import Database


class SqlVacations:
    """:class:`bot.services.vacation_store.VacationStore` on a database."""

    _database: Database

    async def vacations_of(self, user_id: UserId) -> tuple[VacationRow, ...]:
        """All that is kept of somebody's vacations."""
        return await self._database.look(lambda c: vacations.of(c, user_id))

    async def keep_vacation(self, kept: VacationRow) -> None:
        """Write a vacation; whoever comes second meets a conflict."""
        try:
            await self._database.write(lambda c: vacations.keep(c, kept))
        except IntegrityError as error:
            raise Conflict from error

    async def leaves(self, people: tuple[UserId, ...], now: datetime) -> tuple[UserVacation, ...]:
        """Who of these people is on vacation."""
        return await self._database.look(lambda c: vacations.lasting(c, people, now))

    async def vacations_to_line(self, now: datetime, limit: int) -> tuple[VacationRow, ...]:
        """Those with which matches are to be brought in line."""
        return await self._database.read(lambda c: vacations.to_line(c, now, limit))

    async def vacations_to_tell(self, now: datetime, limit: int) -> tuple[VacationRow, ...]:
        """Those of which people are to be told."""
        return await self._database.read(lambda c: vacations.to_tell(c, now, limit))

    async def forget_vacations(self, before: datetime) -> None:
        """Remove what no year counts any more."""
        await self._database.write(lambda c: vacations.forget(c, before))
