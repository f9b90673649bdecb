"""The vacations of players inside transactions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from bot.domain.events import EventKind
from bot.domain.ids import UserId
from bot.domain.vacation import AFTER_A_MOVE, UserVacation, Vacation
from bot.posts.deliveries import Committed
from bot.posts.outgoing import vacation_key, vacation_message
from bot.store import database, outgoing, rows
from bot.store.errors import Conflict
from bot.store.records import VacationNotice, VacationRow
from bot.store.tables import vacations

_v = vacations.c
_OF = select(vacations).where(_v.user_id == bindparam("of_user")).order_by(_v.number)
_LASTING_VACATIONS = (
    select(vacations)
    .where(_v.user_id.in_(bindparam("of_users", expanding=True)), _v.ends_at > bindparam("since"))
    .order_by(_v.user_id, _v.number)
)


def vacations_of(connection: Connection, user_id: UserId) -> tuple[VacationRow, ...]:
    """All that is kept of a player's vacations, the first one first."""
    return tuple(map(_vacation, connection.execute(_OF, {"of_user": user_id}).all()))


def change_vacations(
    connection: Connection,
    user_id: UserId,
    decide: Callable[[tuple[VacationRow, ...]], VacationRow | None],
) -> tuple[VacationRow, ...]:
    """Write the vacation that is decided on all of a player's, if any; returns all after it."""
    database.hold(connection, (user_id,))
    found = connection.execute(_OF.with_for_update(), {"of_user": user_id}).all()
    wanted = decide(tuple(map(_vacation, found)))
    if wanted is not None:
        keep_vacation(connection, wanted)
    return vacations_of(connection, user_id)


def keep_vacation(connection: Connection, kept: VacationRow) -> None:
    """Write a new vacation (version 0), or put one in the place of itself at that version.

    Raises :exc:`~bot.store.errors.Conflict` if there is another one by now.
    """
    values = {
        **asdict(kept.vacation),
        "version": kept.version + 1,
        "changed_at": kept.changed_at,
        "interaction_id": kept.interaction_id,
        "line_at": kept.line_at,
    }
    if kept.version == 0:
        new = {"user_id": kept.user_id, "number": kept.number, **values}
        connection.execute(insert(vacations), new)
    else:
        is_it = (_v.user_id == kept.user_id, _v.number == kept.number, _v.version == kept.version)
        if connection.execute(update(vacations).where(*is_it).values(values)).rowcount != 1:
            raise Conflict
    if kept.telling is not None:
        key, at = vacation_key(kept.user_id), kept.telling.at
        if at is None:
            outgoing.drop(connection, key, unless_leased=True)
        else:
            outgoing.plan(connection, vacation_message(kept.user_id, kept.number, at))


def shorten_vacations(connection: Connection, now: Committed) -> None:
    """Have a vacation that began by itself end soon, now that its person has moved somewhere."""
    event = now.change.event
    if event.kind is EventKind.MOVED and event.user_id is not None:
        for each in shortened(vacations_of(connection, event.user_id), event.at):
            keep_vacation(connection, each)


def shortened(kept: tuple[VacationRow, ...], now: datetime) -> tuple[VacationRow, ...]:
    """Those of a person's vacations that a move of theirs shortens, as they are then."""
    end = now + AFTER_A_MOVE
    return tuple(
        replace(
            each,
            vacation=replace(each.vacation, ends_at=end),
            changed_at=now,
            line_at=now,
            telling=VacationNotice(end),
        )
        for each in kept
        if each.vacation.by_itself and each.vacation.began_at <= now and each.vacation.ends_at > end
    )


def lasting_vacations(
    connection: Connection, people: tuple[UserId, ...], since: datetime
) -> tuple[UserVacation, ...]:
    """Vacations of these people that were not over at ``since``."""
    if not people:
        return ()
    found = connection.execute(_LASTING_VACATIONS, {"of_users": people, "since": since}).all()
    return tuple(UserVacation(row.user_id, rows.made(Vacation, row)) for row in found)


def vacations_to_line(connection: Connection, now: datetime, limit: int) -> tuple[VacationRow, ...]:
    """Those with which matches are to be brought in line."""
    to_line = select(vacations).where(_v.line_at.is_not(None), _v.line_at <= now)
    found = connection.execute(to_line.order_by(_v.line_at).limit(limit)).all()
    return tuple(map(_vacation, found))


def forget(connection: Connection, before: datetime) -> None:
    """Remove those that are too old for any clock."""
    connection.execute(delete(vacations).where(_v.ends_at < before))


def _vacation(row: Row[Any]) -> VacationRow:
    return rows.made(VacationRow, row, vacation=rows.made(Vacation, row), telling=None)
