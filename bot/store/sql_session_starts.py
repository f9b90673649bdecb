"""The part of the store that is about sessions with Discord."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, bindparam, insert, select, update

from bot.domain.events import micros, moment
from bot.domain.session_budget import Moments
from bot.store import statements as sql
from bot.store.database import Database
from bot.store.tables import session_starts

T = TypeVar("T")

_ALL = select(session_starts)
_ADD = insert(session_starts)
_MOVE = (
    update(session_starts)
    .where(session_starts.c.name == bindparam("of_name"))
    .values(at=bindparam("at"))
)


class SqlSessionStarts:
    """:class:`bot.services.session_starts.SessionStartStore` on a database."""

    _database: Database

    async def session_starts(self) -> Moments:
        """All that is remembered."""
        return await self._database.read(_read)

    async def change_session_starts(self, change: Callable[[Moments], tuple[Moments, T]]) -> T:
        """Replace what is remembered, one process after another."""
        return await self._database.write(lambda c: _change(c, change))


def _read(connection: Connection) -> Moments:
    return {row.name: moment(row.at) for row in connection.execute(_ALL)}


def _change(connection: Connection, change: Callable[[Moments], tuple[Moments, T]]) -> T:
    sql.one_after_another(connection)
    before = _read(connection)
    after, answer = change(before)
    for name, at in after.items():
        if name not in before:
            connection.execute(_ADD, {"name": name, "at": micros(at)})
        elif before[name] != at:
            connection.execute(_MOVE, {"of_name": name, "at": micros(at)})
    return answer
