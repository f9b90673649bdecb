"""Statements on the way of a move or of every second, put straight to SQLite's driver.

Around a statement that touches one row, SQLAlchemy takes several times as long as SQLite takes for
it, and every move makes a dozen of them. So these are compiled once, when the program starts, and
the driver gets them with their values in order, since it is slower to look them up by name. On
PostgreSQL, where a statement is a journey over the network, they go the usual way.
"""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Delete, Insert, Select, Update
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler

_SQLITE = dialect(paramstyle="qmark")

Values = Mapping[str, Any]


class Prepared:
    """A statement, ready to be run.

    The values must be such as the driver takes and gives: numbers, text and NULL, which is all that
    the tables hold, and not lists for an ``IN``.
    """

    def __init__(self, statement: Select[Any] | Insert | Update | Delete) -> None:
        compiled = statement.compile(dialect=_SQLITE)
        assert isinstance(compiled, SQLCompiler)  # noqa: S101 - it compiles statements
        self._statement = statement
        self._text = str(compiled)
        assert "[POSTCOMPILE" not in self._text  # noqa: S101 - a list, which is written out later
        self._order = compiled.positiontup or []
        self._given = {
            name: compiled.binds[name].value
            for name in self._order
            if not compiled.binds[name].required
        }
        names = statement.selected_columns.keys() if isinstance(statement, Select) else ()
        self._row: Any = namedtuple("Row", names)  # type: ignore[misc]

    def run(self, connection: Connection, values: Values) -> int:
        """Change rows; how many."""
        driver = _driver(connection)
        if driver is None:
            return connection.execute(self._statement, values).rowcount
        try:
            return driver.execute(self._text, self._ordered(values)).rowcount
        except sqlite3.Error as error:
            raise self._said(error) from error

    def rows(self, connection: Connection, values: Values) -> Sequence[Any]:
        """Read rows, whose columns are attributes."""
        driver = _driver(connection)
        if driver is None:
            return connection.execute(self._statement, values).all()
        try:
            # Reading them may fail as well, at any row.
            found = driver.execute(self._text, self._ordered(values)).fetchall()
        except sqlite3.Error as error:
            raise self._said(error) from error
        return [self._row._make(row) for row in found]

    def run_each(self, connection: Connection, many: Sequence[Values]) -> None:
        """Change rows once for each of these values."""
        driver = _driver(connection)
        if driver is None:
            connection.execute(self._statement, many)
            return
        try:
            driver.executemany(self._text, map(self._ordered, many))
        except sqlite3.Error as error:
            raise self._said(error) from error

    def _ordered(self, values: Values) -> list[Any]:
        """The values in the order of the statement, with those that it has of its own."""
        if self._given:
            values = {**self._given, **values}
        return list(map(values.__getitem__, self._order))

    def _said(self, error: sqlite3.Error) -> Exception:
        """An error as SQLAlchemy would say it, so that there is one kind to look out for."""
        return DBAPIError.instance(self._text, None, error, sqlite3.Error)


def _driver(connection: Connection) -> sqlite3.Connection | None:
    """SQLite's own connection, None for another database."""
    found = connection.connection.dbapi_connection
    return found if isinstance(found, sqlite3.Connection) else None
