"""Who has not been told what they have done; see :class:`bot.services.notices.OwedStore`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select

from bot.domain.events import micros
from bot.domain.ids import InteractionId, UserId
from bot.store.tables import events, owed

_OWE = insert(owed).from_select(
    ["interaction_id", "at"],
    select(events.c.interaction_id, bindparam("at", type_=owed.c.at.type)).where(
        events.c.interaction_id == bindparam("of_interaction"),
        events.c.interaction_id.not_in(select(owed.c.interaction_id)),
    ),
)
_OWED = (
    select(events.c.user_id, owed.c.interaction_id)
    .join(events, events.c.interaction_id == owed.c.interaction_id)
    .where(events.c.user_id.is_not(None))
    .order_by(owed.c.interaction_id)
)
_TOLD = delete(owed).where(owed.c.interaction_id == bindparam("of_interaction"))
_FORGET = delete(owed).where(owed.c.at < bindparam("before"))


def owe(
    connection: Connection, interaction_id: InteractionId, now: datetime, before: datetime
) -> None:
    """See :class:`bot.services.notices.OwedStore`; so for what follows."""
    connection.execute(_FORGET, {"before": micros(before)})
    connection.execute(_OWE, {"of_interaction": interaction_id, "at": micros(now)})


def all_owed(connection: Connection) -> tuple[tuple[UserId, InteractionId], ...]:
    """What people have not been told."""
    found = connection.execute(_OWED).all()
    return tuple((UserId(row.user_id), InteractionId(row.interaction_id)) for row in found)


def told(connection: Connection, interaction_id: InteractionId) -> None:
    """The person has been told."""
    connection.execute(_TOLD, {"of_interaction": interaction_id})
