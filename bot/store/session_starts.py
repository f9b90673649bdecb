"""Sessions with Discord inside transactions: plain functions of a connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, bindparam, insert, select, update

from bot.domain.events import micros, moment
from bot.domain.session_budget import Moments
from bot.store import locks
from bot.store.tables import session_starts as table

T = TypeVar("T")

_ALL = select(table)
_ADD = insert(table)
_MOVE = update(table).where(table.c.name == bindparam("of_name")).values(at=bindparam("at"))


def session_starts(connection: Connection) -> Moments:
    """See :class:`bot.services.session_starts.SessionStartStore`; so for what follows."""
    return {row.name: moment(row.at) for row in connection.execute(_ALL)}


def change_session_starts(
    connection: Connection, change: Callable[[Moments], tuple[Moments, T]]
) -> T:
    """Replace what is remembered, one process after another."""
    locks.one_after_another(connection)
    before = session_starts(connection)
    after, answer = change(before)
    for name, at in after.items():
        if name not in before:
            connection.execute(_ADD, {"name": name, "at": micros(at)})
        elif before[name] != at:
            connection.execute(_MOVE, {"of_name": name, "at": micros(at)})
    return answer
