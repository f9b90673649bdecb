"""Which revision a database is at, and bringing it to the newest."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from bot.store.tables import installation

MIGRATIONS = Path(__file__).parent / "migrations"
"""The folder of the migrations that this release knows."""


class SchemaState(Enum):
    """How the tables found compare with those that this release needs."""

    EMPTY = "empty"
    CURRENT = "current"
    OLDER = "older"
    NEWER = "newer"
    """A revision that this release does not know."""
    FOREIGN = "foreign"
    """Tables, but not ours."""


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
    if found == _script().get_current_head():
        return SchemaState.CURRENT
    if found in known_revisions():
        return SchemaState.OLDER
    # Others number their revisions as well.
    is_ours = inspect(connection).has_table(installation.name)
    return SchemaState.NEWER if is_ours else SchemaState.FOREIGN


def upgrade(connection: Connection) -> None:
    """Bring the tables to the newest revision, inside the caller's transaction."""
    command.upgrade(alembic_config(connection), "head")
