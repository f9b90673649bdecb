"""Which revision a database is at, whether its tables are those of it, and the way to the newest.

The name of a revision alone does not tell what tables there are: migrations were rewritten before
there were any hosts. So the tables are compared with what this release makes of them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import CheckConstraint, Connection, Dialect, inspect, text
from sqlalchemy.dialects import registry
from sqlalchemy.exc import DBAPIError

from bot.store.tables import installation, metadata

MIGRATIONS = Path(__file__).parent / "migrations"
"""The folder of the migrations that this release knows."""


_MOVED = "moved "
"""What stands before the revision of a database that was left: none that any release knows."""
_LEAVE = text("UPDATE alembic_version SET version_num = :moved || version_num")


class SchemaState(Enum):
    """How the tables found compare with those that this release needs."""

    EMPTY = "empty"
    CURRENT = "current"
    OLDER = "older"
    NEWER = "newer"
    """A revision that this release does not know, with all that this one needs."""
    DIFFERENT = "different"
    """Ours, but not the tables that a release leaves at this revision."""
    FOREIGN = "foreign"
    """Tables, but not ours."""
    MOVED = "moved"
    """All that it holds was carried over to another database (:mod:`bot.store.moving`)."""


def alembic_config(connection: Connection) -> Config:
    """Alembic's configuration, without a file of its own."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _script() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))


def known_revisions() -> frozenset[str]:
    """The revisions that this release can bring to the newest, and that one."""
    return frozenset(each.revision for each in _script().walk_revisions())


def schema_state(connection: Connection) -> SchemaState:
    """How the tables of a database compare with those that this release needs."""
    found = MigrationContext.configure(connection).get_current_revision()
    if found is None:
        tables = inspect(connection).get_table_names()
        return SchemaState.FOREIGN if tables else SchemaState.EMPTY
    # Others number their revisions as well.
    if not inspect(connection).has_table(installation.name):
        return SchemaState.FOREIGN
    if found.startswith(_MOVED):
        return SchemaState.MOVED
    if found == _script().get_current_head():
        return SchemaState.DIFFERENT if differences(connection) else SchemaState.CURRENT
    if found in known_revisions():
        return SchemaState.OLDER
    return SchemaState.DIFFERENT if differences(connection, more=True) else SchemaState.NEWER


def differences(connection: Connection, *, more: bool = False) -> list[str]:
    """What of the tables is not as this release needs it, in words, table by table.

    ``more``: there may be more than it needs. Tables and indexes of others are none of ours.
    """
    inspector = inspect(connection)
    columns, checks, indexes = (
        {name: rows for (_, name), rows in reflected.items()}
        for reflected in (
            inspector.get_multi_columns(),
            inspector.get_multi_check_constraints(),
            inspector.get_multi_indexes(),
        )
    )
    found: list[str] = []
    for table, needed in _needed(connection.dialect.name).items():
        if table not in columns:
            found.append(f"there is no table {table}")
            continue
        there = _columns(columns[table], connection.dialect) | _checks(checks.get(table, []))
        missing = needed - there - {f"index {each['name']}" for each in indexes.get(table, [])}
        found += [f"table {table} lacks {each}" for each in sorted(missing)]
        if not more:
            found += [f"table {table} has {each}" for each in sorted(there - needed)]
    return found


@functools.cache
def _needed(database: str) -> Mapping[str, frozenset[str]]:
    """What each table has to have, on one of the databases."""
    dialect: Dialect = registry.load(database)()
    return {
        table.name: frozenset(
            _columns(
                [{"name": c.name, "type": c.type, "nullable": c.nullable} for c in table.columns],
                dialect,
            )
            | _checks(
                [
                    {"name": str(each.name), "sqltext": str(each.sqltext)}
                    for each in table.constraints
                    if isinstance(each, CheckConstraint)
                ]
            )
            | {f"index {each.name}" for each in table.indexes}
        )
        for table in metadata.tables.values()
    }


def _columns(columns: Any, dialect: Dialect) -> set[str]:
    return {
        f"column {each['name']} {each['type'].compile(dialect)}"
        f"{'' if each['nullable'] else ' NOT NULL'}"
        for each in columns
    }


def _checks(checks: Any) -> set[str]:
    """Constraints by their names and the words that they allow.

    PostgreSQL writes the rest of a condition in its own way.
    """
    return {
        f"constraint {each['name']} of {', '.join(words) or 'numbers'}"
        for each in checks
        for words in [sorted(set(re.findall(r"'([^']*)'", each["sqltext"])))]
    }


def is_about_tables(error: DBAPIError) -> bool:
    """Whether a statement failed because the tables are not as it takes them to be."""
    state = str(getattr(error.orig, "sqlstate", None) or "")
    return getattr(error.orig, "sqlite_errorname", "") == "SQLITE_ERROR" or state.startswith("42")


def upgrade(connection: Connection) -> None:
    """Bring the tables to the newest revision, inside the caller's transaction."""
    command.upgrade(alembic_config(connection), "head")


def leave(connection: Connection) -> None:
    """Have no release open this database again."""
    connection.execute(_LEAVE, {"moved": _MOVED})
