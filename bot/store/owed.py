"""Who has not been told what they have done; see :class:`bot.services.owed.OwedStore`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select

from bot.domain.events import micros
from bot.domain.ids import InteractionId, UserId
from bot.store.database import Database
from bot.store.tables import events, owed

_OWE = insert(owed).from_select(
    ["interaction_id", "at"],
    select(events.c.interaction_id, bindparam("at", type_=owed.c.at.type)).where(
        events.c.interaction_id == bindparam("of_interaction"),
        events.c.interaction_id.not_in(select(owed.c.interaction_id)),
    ),
)
_OWED_TO = (
    select(owed.c.interaction_id)
    .join(events, events.c.interaction_id == owed.c.interaction_id)
    .where(events.c.user_id == bindparam("of_user"))
    .order_by(owed.c.interaction_id)
)
_TOLD = delete(owed).where(owed.c.interaction_id == bindparam("of_interaction"))
_FORGET = delete(owed).where(owed.c.at < bindparam("before"))


class SqlOwed:
    """:class:`bot.services.owed.OwedStore` on a :class:`~bot.store.database.Database`."""

    _database: Database

    async def owe(self, interaction_id: InteractionId, now: datetime, before: datetime) -> None:
        """Note that somebody has not been told what this interaction has caused."""

        def work(connection: Connection) -> None:
            connection.execute(_FORGET, {"before": micros(before)})
            connection.execute(_OWE, {"of_interaction": interaction_id, "at": micros(now)})

        await self._database.write(work)

    async def owed_to(self, user_id: UserId) -> tuple[InteractionId, ...]:
        """What a person has not been told."""
        return await self._database.look(lambda c: _owed_to(c, user_id))

    async def told(self, interaction_id: InteractionId) -> None:
        """The person has been told."""
        await self._database.write(lambda c: _told(c, interaction_id))


def _told(connection: Connection, interaction_id: InteractionId) -> None:
    connection.execute(_TOLD, {"of_interaction": interaction_id})


def _owed_to(connection: Connection, user_id: UserId) -> tuple[InteractionId, ...]:
    found = connection.execute(_OWED_TO, {"of_user": user_id}).scalars()
    return tuple(InteractionId(interaction_id) for interaction_id in found)
