"""The puzzles that people tried, inside transactions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select, update

from bot.domain.ids import UserId
from bot.learn.domain import Attempt, PuzzleState
from bot.store import database
from bot.store.tables import attempts

_ATTEMPTS_OF = (
    select(attempts).where(attempts.c.user_id == bindparam("of_user")).order_by(attempts.c.number)
)
_is_attempt = (
    attempts.c.user_id == bindparam("of_user"),
    attempts.c.number == bindparam("of_number"),
)
_ATTEMPT = select(attempts).where(*_is_attempt)
_ADD_ATTEMPT = insert(attempts)
_CHANGE_ATTEMPT = update(attempts).where(*_is_attempt)


def attempts_of(connection: Connection, user_id: UserId) -> tuple[Attempt, ...]:
    """All of a person's attempts, in order."""
    found = connection.execute(_ATTEMPTS_OF, {"of_user": user_id}).all()
    return tuple(Attempt(row.number, row.wrong, PuzzleState(row.state)) for row in found)


def change_attempt(
    connection: Connection,
    user_id: UserId,
    number: int,
    change: Callable[[Attempt], Attempt],
    at: datetime,
) -> Attempt:
    """Put what comes of an attempt in its place, one after another; returns that."""
    database.hold(connection, (user_id,))
    row = connection.execute(_ATTEMPT, {"of_user": user_id, "of_number": number}).first()
    before = Attempt(number)
    if row is not None:
        before = Attempt(number, row.wrong, PuzzleState(row.state))
    after = change(before)
    values = {"wrong": after.wrong, "state": after.state.value, "at": at}
    if row is None:
        connection.execute(_ADD_ATTEMPT, {"user_id": user_id, "number": number, **values})
    elif after != before:
        connection.execute(_CHANGE_ATTEMPT, {"of_user": user_id, "of_number": number, **values})
    return after
