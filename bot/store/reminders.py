"""Reminders inside transactions: plain functions of a connection.

Whatever gives a turn a deadline, or another one, notes in its own transaction that the reminders of
that turn are to be planned. So they follow the deadline whether or not anybody is called.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, and_, bindparam, delete, insert, or_, select, update

from bot.domain.events import micros, moment
from bot.domain.ids import MatchId
from bot.services.consequences import TurnToPlan
from bot.services.people_store import Reminder, Unplanned
from bot.store.tables import events, reminders

TO_PLAN = 0
"""Stands in place of the hours where the reminders of a turn are still to be planned."""

_REMINDERS_OF = select(reminders.c.since, reminders.c.hours).where(
    reminders.c.match_id == bindparam("of_match"), reminders.c.due_at.is_(None)
)
_CLEAR_REMINDERS = delete(reminders).where(
    reminders.c.match_id == bindparam("of_match"),
    or_(
        and_(
            reminders.c.since < bindparam("of_since"),
            or_(
                reminders.c.hours == TO_PLAN,
                reminders.c.due_at.is_(None),
                reminders.c.due_at > bindparam("now"),
            ),
        ),
        and_(reminders.c.since == bindparam("of_since"), reminders.c.due_at.is_not(None)),
    ),
)
"""A reminder of an earlier turn that is due may have been given, and is still to be looked for."""
_ADD_REMINDERS = insert(reminders)
_NOTE = insert(reminders)
_DROP_NOTE = delete(reminders).where(
    reminders.c.match_id == bindparam("of_match"),
    reminders.c.since == bindparam("of_since"),
    reminders.c.hours == TO_PLAN,
)
_NOTED = (
    select(reminders.c.match_id, reminders.c.since, reminders.c.due_at, events.c.at)
    .join(
        events,
        and_(events.c.match_id == reminders.c.match_id, events.c.seq == reminders.c.since),
    )
    .where(reminders.c.due_at <= bindparam("now"), reminders.c.hours == TO_PLAN)
    .order_by(reminders.c.due_at)
    .limit(bindparam("at_most"))
)
_REMINDERS_DUE = (
    select(reminders)
    .where(reminders.c.due_at <= bindparam("now"), reminders.c.hours != TO_PLAN)
    .order_by(reminders.c.due_at)
    .limit(bindparam("at_most"))
)
_REMINDER_AT = (
    update(reminders)
    .where(
        and_(
            reminders.c.match_id == bindparam("of_match"),
            reminders.c.since == bindparam("of_since"),
            reminders.c.hours == bindparam("of_hours"),
        )
    )
    .values(due_at=bindparam("then"))
)


def note(connection: Connection, turn: TurnToPlan, at: datetime) -> None:
    """Note that the reminders of a turn are to be planned."""
    if not turn.is_new:
        connection.execute(_DROP_NOTE, {"of_match": turn.match_id, "of_since": turn.since})
    noted = {
        "match_id": turn.match_id,
        "since": turn.since,
        "hours": TO_PLAN,
        "player": turn.player,
        "due_at": micros(at),
    }
    connection.execute(_NOTE, noted)


def to_plan(connection: Connection, now: datetime, limit: int) -> tuple[Unplanned, ...]:
    """Turns whose reminders are to be planned."""
    found = connection.execute(_NOTED, {"now": micros(now), "at_most": limit}).all()
    return tuple(
        Unplanned(MatchId(row.match_id), row.since, moment(row.at), moment(row.due_at))
        for row in found
    )


def plan(
    connection: Connection,
    match_id: MatchId,
    since: int,
    planned: tuple[Reminder, ...],
    now: datetime,
) -> None:
    """Put new reminders in the place of a match's old ones."""
    given = {
        (row.since, row.hours)
        for row in connection.execute(_REMINDERS_OF, {"of_match": match_id}).all()
    }
    gone = {"of_match": match_id, "of_since": since, "now": micros(now)}
    connection.execute(_CLEAR_REMINDERS, gone)
    added = [
        {
            "match_id": match_id,
            "since": each.since,
            "hours": each.hours,
            "player": each.player,
            "due_at": micros(each.due_at),
        }
        for each in planned
        if (each.since, each.hours) not in given
    ]
    if added:
        connection.execute(_ADD_REMINDERS, added)


def due(connection: Connection, now: datetime, limit: int) -> tuple[Reminder, ...]:
    """Reminders whose time has come."""
    found = connection.execute(_REMINDERS_DUE, {"now": micros(now), "at_most": limit}).all()
    return tuple(
        Reminder(MatchId(row.match_id), row.since, row.player, row.hours, moment(row.due_at))
        for row in found
    )


def done(connection: Connection, reminder: Reminder) -> None:
    """Mark a reminder as given."""
    put_off(connection, reminder, None)


def put_off(connection: Connection, reminder: Reminder, at: datetime | None) -> None:
    """Set when a reminder is due, None for never again."""
    connection.execute(
        _REMINDER_AT,
        {
            "of_match": reminder.match_id,
            "of_since": reminder.since,
            "of_hours": reminder.hours,
            "then": None if at is None else micros(at),
        },
    )
