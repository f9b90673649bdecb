"""The puzzles that people tried, inside transactions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from bot.domain.ids import UserId
from bot.learn.domain import Attempt, PuzzleState
from bot.store import database
from bot.store.tables import attempts


def attempts_of(connection: Connection, user_id: UserId) -> tuple[Attempt, ...]:
    """All of a person's attempts, in order."""
    theirs = select(attempts).where(attempts.c.user_id == user_id).order_by(attempts.c.number)
    return tuple(map(_attempt, connection.execute(theirs).all()))


def change_attempt(
    connection: Connection,
    user_id: UserId,
    number: int,
    change: Callable[[Attempt], Attempt],
    at: datetime,
) -> Attempt:
    """Put what comes of an attempt in its place, one after another; returns that."""
    database.hold(connection, (user_id,))
    is_it = (attempts.c.user_id == user_id, attempts.c.number == number)
    row = connection.execute(select(attempts).where(*is_it)).first()
    before = Attempt(number) if row is None else _attempt(row)
    after = change(before)
    values = {"wrong": after.wrong, "state": after.state.value, "at": at}
    if row is None:
        connection.execute(insert(attempts), {"user_id": user_id, "number": number, **values})
    elif after != before:
        connection.execute(update(attempts).where(*is_it).values(values))
    return after


def _attempt(row: Row[Any]) -> Attempt:
    return Attempt(row.number, row.wrong, PuzzleState(row.state))
