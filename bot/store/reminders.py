"""Which reminders were given, inside transactions."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, insert, select

from bot.domain.events import moment
from bot.domain.ids import MatchId
from bot.services.outbox.reminders import Turn
from bot.services.outgoing import Key
from bot.services.sending import Delivery, DeliveryKind
from bot.store.tables import events, outbox, reminders

_BEGAN = select(events.c.at).where(
    events.c.match_id == bindparam("of_match"), events.c.seq == bindparam("of_since")
)
_GIVEN = select(reminders.c.hours).where(
    reminders.c.match_id == bindparam("of_match"), reminders.c.since == bindparam("of_since")
)
_ADD = insert(reminders)
_FORGET = delete(reminders).where(
    reminders.c.match_id == bindparam("of_match"), reminders.c.since < bindparam("of_since")
)
_DROP_PLANNED = delete(outbox).where(
    outbox.c.key == bindparam("of_key"),
    outbox.c.kind == DeliveryKind.REMINDER.value,
    outbox.c.attempts == 0,
    outbox.c.lease_until == 0,
)
"""What was tried may have been given, and is still to be looked for."""


def turn_of(connection: Connection, match_id: MatchId, since: int) -> Turn:
    """See :class:`bot.services.outbox.reminders.ReminderStore`."""
    of_turn = {"of_match": match_id, "of_since": since}
    began = connection.execute(_BEGAN, of_turn).scalar_one()
    return Turn(moment(began), frozenset(connection.execute(_GIVEN, of_turn).scalars()))


def given(connection: Connection, match_id: MatchId, reminder: Delivery) -> None:
    """Note that a reminder was given, and forget those of turns that are over."""
    of_turn = {"of_match": match_id, "of_since": reminder.version}
    connection.execute(_FORGET, of_turn)
    if reminder.hours not in connection.execute(_GIVEN, of_turn).scalars().all():
        row = {"match_id": match_id, "since": reminder.version, "hours": reminder.hours}
        connection.execute(_ADD, row)


def drop_planned(connection: Connection, key: Key) -> None:
    """Make room for the reminders of a turn that is planned anew."""
    connection.execute(_DROP_PLANNED, {"of_key": key})
