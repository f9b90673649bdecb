"""Vacations inside transactions: plain functions of a connection."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from bot.domain.events import micros, moment
from bot.domain.ids import InteractionId, UserId
from bot.domain.vacation import UserVacation, Vacation
from bot.services.outbox.vacation_words import vacation_key, word_of_vacation
from bot.services.ports import Conflict
from bot.services.vacation_store import VacationRow
from bot.store import outgoing
from bot.store.tables import vacations

_c = vacations.c
_WRITTEN = (
    "version",
    "began_at",
    "ends_at",
    "by_itself",
    "changed_at",
    "interaction_id",
    "line_at",
)
_OF = select(vacations).where(_c.user_id == bindparam("of_user")).order_by(_c.number)
_ADD = insert(vacations)
_KEEP = (
    update(vacations)
    .where(
        _c.user_id == bindparam("of_user"),
        _c.number == bindparam("of_number"),
        _c.version == bindparam("of_version"),
    )
    .values({name: bindparam(name) for name in _WRITTEN})
)
_LASTING = (
    select(_c.user_id, _c.began_at, _c.ends_at, _c.by_itself)
    .where(
        _c.user_id.in_(bindparam("of_users", expanding=True)),
        _c.ends_at > bindparam("since"),
    )
    .order_by(_c.user_id, _c.number)
)
_TO_LINE = (
    select(vacations)
    .where(_c.line_at.is_not(None), _c.line_at <= bindparam("now"))
    .order_by(_c.line_at)
    .limit(bindparam("at_most"))
)
_FORGET = delete(vacations).where(_c.ends_at < bindparam("before"))


def of(connection: Connection, user_id: UserId) -> tuple[VacationRow, ...]:
    """See :class:`bot.services.vacation_store.VacationStore`; so for what follows."""
    return tuple(map(_kept, connection.execute(_OF, {"of_user": user_id}).all()))


def keep(connection: Connection, kept: VacationRow) -> None:
    """Write a vacation; :exc:`Conflict` if it has another version by now."""
    values = {
        "version": kept.version + 1,
        "began_at": micros(kept.vacation.began_at),
        "ends_at": micros(kept.vacation.ends_at),
        "by_itself": int(kept.vacation.by_itself),
        "changed_at": micros(kept.changed_at),
        "interaction_id": kept.interaction_id,
        "line_at": _micros(kept.line_at),
    }
    if kept.version == 0:
        connection.execute(_ADD, {"user_id": kept.user_id, "number": kept.number, **values})
    else:
        which = {"of_user": kept.user_id, "of_number": kept.number, "of_version": kept.version}
        if connection.execute(_KEEP, {**which, **values}).rowcount != 1:
            raise Conflict
    if kept.telling is not None:
        key, at = vacation_key(kept.user_id), kept.telling.at
        if at is None:
            outgoing.drop_waiting(connection, key)
        else:
            outgoing.plan(connection, word_of_vacation(kept.user_id, kept.number, at))


def lasting(
    connection: Connection, people: tuple[UserId, ...], since: datetime
) -> tuple[UserVacation, ...]:
    """Vacations of these people that were not over at ``since``."""
    if not people:
        return ()
    found = connection.execute(_LASTING, {"of_users": people, "since": micros(since)}).all()
    return tuple(
        UserVacation(
            UserId(row.user_id),
            Vacation(moment(row.began_at), moment(row.ends_at), bool(row.by_itself)),
        )
        for row in found
    )


def to_line(connection: Connection, now: datetime, limit: int) -> tuple[VacationRow, ...]:
    """Those with which matches are to be brought in line."""
    given = {"now": micros(now), "at_most": limit}
    return tuple(map(_kept, connection.execute(_TO_LINE, given).all()))


def forget(connection: Connection, before: datetime) -> None:
    """Remove what no year counts any more."""
    connection.execute(_FORGET, {"before": micros(before)})


def _micros(at: datetime | None) -> int | None:
    return None if at is None else micros(at)


def _moment(value: int | None) -> datetime | None:
    return None if value is None else moment(value)


def _kept(row: Any) -> VacationRow:
    return VacationRow(
        UserId(row.user_id),
        row.number,
        row.version,
        Vacation(moment(row.began_at), moment(row.ends_at), bool(row.by_itself)),
        moment(row.changed_at),
        None if row.interaction_id is None else InteractionId(row.interaction_id),
        _moment(row.line_at),
    )
