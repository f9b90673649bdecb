"""Which revision a database is at, whether its tables are those of it, and the way to the newest.

The name of a revision alone does not tell what tables there are: migrations were rewritten before
there were any hosts. So the tables are compared with what this release makes of them.

From 0008 on it does tell whose code may go on there: ``0009_from_0007`` is the revision 0009, at
which a process of a release whose newest is 0007 may still work (``docs/decisions/0019``).
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
"""The word before the revision of a database that was left: no release knows such a one."""
_FROM = "_from_"
"""The mark in the name of a revision before the oldest one whose code may work there."""
_LEAVE = text("UPDATE alembic_version SET version_num = :moved || version_num")


class SchemaState(Enum):
    """How the tables found compare with those that this release needs."""

    EMPTY = "empty"
    CURRENT = "current"
    OLDER = "older"
    AHEAD = "ahead"
    """A newer revision, at which this release may go on."""
    NEWER = "newer"
    """A newer revision, at which it may not."""
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
    return _script_in(MIGRATIONS)


@functools.cache
def _script_in(folder: Path) -> ScriptDirectory:
    return ScriptDirectory(str(folder))


def known_revisions() -> frozenset[str]:
    """The revisions that this release can bring to the newest, and that one."""
    return frozenset(each.revision for each in _script().walk_revisions())


def _lets_on(newer: str, older: str) -> bool:
    """Whether code whose newest revision is the older one may work at the newer one."""
    oldest = newer.partition(_FROM)[2]
    return bool(oldest) and oldest <= older.partition(_FROM)[0]


def _found(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _newest() -> str:
    return _script().get_current_head() or ""


def is_ahead(connection: Connection) -> bool:
    """Whether a newer release has been here, so that what cannot be read may be of its making."""
    return _found(connection) not in known_revisions()


def may_catch_up(connection: Connection) -> bool:
    """Whether the tables are older, and may be brought up while their release works on."""
    found, newest = _found(connection), _newest()
    return found is not None and found != newest and _lets_on(newest, found)


def schema_state(connection: Connection) -> SchemaState:
    """How the tables of a database compare with those that this release needs."""
    found, newest = _found(connection), _newest()
    if found is None:
        tables = inspect(connection).get_table_names()
        return SchemaState.FOREIGN if tables else SchemaState.EMPTY
    # Others number their revisions as well.
    if not inspect(connection).has_table(installation.name):
        return SchemaState.FOREIGN
    if found.startswith(_MOVED):
        return SchemaState.MOVED
    if found == newest:
        return SchemaState.DIFFERENT if differences(connection) else SchemaState.CURRENT
    if found in known_revisions():
        return SchemaState.OLDER
    lets_on = _lets_on(found, newest)
    if not lets_on and _FROM in found:
        return SchemaState.NEWER
    if differences(connection, more=True):
        return SchemaState.DIFFERENT
    return SchemaState.AHEAD if lets_on else SchemaState.NEWER


def differences(connection: Connection, *, more: bool = False) -> list[str]:
    """The differences of the tables from those that this release needs, in words, table by table.

    ``more``: there may be more than it needs, and a constraint may allow more words. Tables and
    indexes of others are none of ours.
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
    passing = unused()
    for table, needed in _needed(connection.dialect.name).items():
        if table not in columns:
            found.append(f"there is no table {table}")
            continue
        there = _columns(columns[table], connection.dialect) | _checks(checks.get(table, []))
        missing = needed - there - {f"index {each['name']}" for each in indexes.get(table, [])}
        found += [
            f"table {table} lacks {each}"
            for each in sorted(missing)
            if not (more and any(_allows(other, each) for other in there))
        ]
        if not more:
            left = {each for each in there if f"{table}.{each.split()[1]}" in passing}
            found += [f"table {table} has {each}" for each in sorted(there - needed - left)]
    return found


def _allows(wider: str, needed: str) -> bool:
    """Whether a constraint is another one that allows more words."""
    (name, _, words), (other, _, fewer) = (each.partition(" of ") for each in (wider, needed))
    return name == other and set(fewer.split(", ")) <= set(words.split(", "))


def unused(until: str = "9999") -> frozenset[str]:
    """Columns and constraints that are there for the release before alone, as ``table.name``.

    A migration names them in ``UNUSED`` if no code needs them from it on; a later one drops them.
    """
    found = (each for each in _script().walk_revisions() if each.revision[:4] <= until)
    return frozenset(name for each in found for name in getattr(each.module, "UNUSED", ()))


@functools.cache
def _needed(database: str) -> Mapping[str, frozenset[str]]:
    """The columns, checks and indexes of each table, on one of the databases."""
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
