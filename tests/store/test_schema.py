"""Migrations lead from nothing to exactly the tables that the code has in mind."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, create_engine, inspect
from sqlalchemy.ext.asyncio import create_async_engine

from bot.app.doctor import examine
from bot.domain.history import verify
from bot.domain.ids import MatchId
from bot.domain.match import MatchStatus, Scope
from bot.domain.requests import RequestKind
from bot.posts.notices import RequestNews
from bot.posts.sending import Gone
from bot.settings import Settings
from bot.store import StoreRefused, open_reader, open_store, opening, transactions, upgrade_store
from bot.store.opening import sqlite_path
from bot.store.schema import (
    SchemaState,
    alembic_config,
    differences,
    known_revisions,
    schema_state,
    upgrade,
)
from bot.store.tables import metadata
from tests.store.stored import (
    STORED,
    STORED_MATCHES,
    STORED_POSTGRES,
    restore_stored,
    stored_postgres,
)
from tests.support.databases import both
from tests.support.kit import BOB, GUILD, Club, head


def plain(sql: str) -> Any:
    """A statement without what layout and quoting add, and the parts of a table in any order."""
    words = re.sub(r"\s+", " ", (sql or "").replace('"', "")).replace(" )", ")").replace("( ", "(")
    head, _, rest = words.strip().partition("(")
    inside, _, after = rest.rpartition(")")
    return head.strip(), sorted(re.split(r", (?=[a-z_]+ [A-Z]|[A-Z]+ )", inside)), after.strip()


def test_sqlite_comes_up_from_empty_to_what_the_models_say() -> None:
    migrated, modelled = create_engine("sqlite://"), create_engine("sqlite://")
    with migrated.connect() as one, modelled.connect() as two:
        assert schema_state(one) is SchemaState.EMPTY
        upgrade(one)
        assert schema_state(one) is SchemaState.CURRENT
        assert compare_metadata(MigrationContext.configure(one), metadata) == []
        metadata.create_all(two)
        query = (
            "SELECT name, sql FROM sqlite_master "
            "WHERE name NOT LIKE 'alembic%' AND name NOT LIKE 'sqlite%'"
        )
        found = {row[0]: plain(row[1]) for row in one.exec_driver_sql(query)}
        wanted = {row[0]: plain(row[1]) for row in two.exec_driver_sql(query)}
        assert found == wanted
        assert {"matches", "events", "uq_matches_running_in_channel"} <= set(found)
    migrated.dispose()
    modelled.dispose()


@pytest.mark.postgres
async def test_postgres_comes_up_from_empty_to_what_the_models_say(postgres_url: str) -> None:
    engine = create_async_engine(postgres_url.replace("postgresql:", "postgresql+asyncpg:"))

    def facts(connection: Connection) -> set[tuple[str, ...]]:
        """Constraints and indexes as PostgreSQL itself writes them."""
        constraints = connection.exec_driver_sql(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) "
            "FROM pg_constraint WHERE connamespace = current_schema()::regnamespace "
            "AND conrelid <> 0"
        )
        indexes = connection.exec_driver_sql(
            "SELECT tablename, indexname, "
            "replace(indexdef, current_schema() || '.', '') "
            "FROM pg_indexes WHERE schemaname = current_schema()"
        )
        rows = [tuple(map(str, row)) for row in (*constraints, *indexes)]
        return {row for row in rows if "alembic" not in row[0]}

    def compare(connection: Connection) -> None:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        migrated = facts(connection)
        connection.exec_driver_sql("CREATE SCHEMA modelled")
        connection.exec_driver_sql("SET LOCAL search_path TO modelled")
        metadata.create_all(connection)
        assert facts(connection) == migrated
        assert len(migrated) > 40
        assert inspect(connection).get_table_names()

    async with engine.connect() as connection:
        await connection.run_sync(compare)
    await engine.dispose()


@pytest.mark.postgres
async def test_an_empty_postgres_waits_for_the_upgrade(postgres_url: str) -> None:
    import asyncio

    import asyncpg

    async def fresh(statement: str) -> None:
        connection = await asyncpg.connect(postgres_url)
        await connection.execute(statement)
        await connection.close()

    await fresh("DROP DATABASE IF EXISTS empty")
    await fresh("CREATE DATABASE empty")
    url = postgres_url.replace("/parlour?", "/empty?")
    with pytest.raises(StoreRefused, match="db upgrade"):
        await open_store(url)
    await asyncio.gather(upgrade_store(url), upgrade_store(url))
    await (await open_store(url)).close()
    await fresh("DROP DATABASE empty")


async def test_a_schema_is_not_upgraded_in_part(sqlite_url: str) -> None:
    """All of a migration is in one transaction: rolled back, the file is as it was."""
    path = sqlite_path(sqlite_url)
    path.unlink()
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        connection.exec_driver_sql("BEGIN")
        upgrade(connection)
        connection.rollback()
        assert schema_state(connection) is SchemaState.EMPTY
    engine.dispose()


@pytest.mark.parametrize("revision", sorted(each.stem for each in STORED.glob("*.sql")))
async def test_a_database_of_each_release_goes_on(revision: str, sqlite_url: str) -> None:
    """A file as that release left it: a draw is on offer, a match is over, and one goes on."""
    restore_stored(sqlite_path(sqlite_url), revision)
    await _goes_on(sqlite_url)


@pytest.mark.postgres
@pytest.mark.parametrize("revision", sorted(each.stem for each in STORED_POSTGRES.glob("*.sql")))
async def test_so_it_is_on_postgres(revision: str, postgres_url: str) -> None:
    async with stored_postgres(postgres_url, revision) as url:
        await upgrade_store(url)
        await _goes_on(url)


async def _goes_on(url: str) -> None:
    store = await open_store(url)
    club = Club(store, seed=99)
    offered, over, running = map(MatchId, STORED_MATCHES)
    for match_id in map(MatchId, STORED_MATCHES):
        match = await head(store, match_id)
        verify(match, await store.read(transactions.history, match_id, Scope(GUILD)))
    answer = await club.answer(BOB, offered, RequestKind.DRAW, accept=True)
    assert answer.match.status is MatchStatus.FINISHED
    assert (await head(store, over)).status is MatchStatus.FINISHED
    await club.play(running, "c1")
    moved = await head(store, running)
    assert moved.ply == 2
    verify(moved, await store.read(transactions.history, running, Scope(GUILD)))
    await club.worker.drain()
    await store.close()


async def test_what_was_to_be_put_away_before_a_change_still_is(sqlite_url: str) -> None:
    path, running, asked = sqlite_path(sqlite_url), STORED_MATCHES[2], STORED_MATCHES[0]
    restore_stored(path, "0003")
    told = '{"version":3,"audience":null,"notice":null,"target":[5009,%d],"hours":null,"told":[]}'
    closed = told.replace("5009,%d", "5001,5018").replace('"notice":null', '"notice":"draw_lapsed"')
    tasks = [
        (running, "retire", told % 4001),
        (running, "erase", told % 4002),
        (asked, "close", closed),
    ]
    with closing(sqlite3.connect(path)) as file, file:
        file.executemany(
            "INSERT INTO outbox (key, kind, payload, holds_up, due_at) VALUES "
            "('match:' || ?, ?, ?, 0, 0)",
            tasks,
        )
        file.execute("UPDATE posts SET version = 0 WHERE kind = 'draw'")
    store = await open_store(sqlite_url)
    club = Club(store, seed=99)
    for name in ("retire_board", "erase"):
        club.discord.trouble.append((name, Gone("message")))
    await club.worker.drain()
    assert {"retire_board", "erase"} <= set(club.discord.calls)
    assert club.discord.closed_requests == [(MatchId(asked), 1, RequestNews.LAPSED)]
    calls = len(club.discord.calls)
    await club.worker.drain()
    assert len(club.discord.calls) == calls, "once"
    await store.close()


@pytest.mark.parametrize("revision", sorted(each.stem for each in STORED.glob("*.sql")))
def test_a_migration_stays_as_it_was_when_it_landed(revision: str, tmp_path: Path) -> None:
    """It leads to the tables of the stored file, and those lead to what the code has in mind.

    Change the tables with a migration of its own, and store what it leaves: ``python -m
    tests.store.stored``.
    """
    path = tmp_path / "stored.db"
    restore_stored(path, revision)
    migrated, stored = create_engine("sqlite://"), create_engine(f"sqlite:///{path}")
    query = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%'"
    with migrated.connect() as one, stored.connect() as two:
        command.upgrade(alembic_config(one), revision)
        made, kept = (
            {row[0]: plain(row[1]) for row in each.exec_driver_sql(query)} for each in (one, two)
        )
        assert made == kept
        upgrade(two)
        assert compare_metadata(MigrationContext.configure(two), metadata) == []
        assert differences(two) == []
    migrated.dispose()
    stored.dispose()


OTHER_TABLES = {
    "a column": "ALTER TABLE heartbeats RENAME COLUMN at TO beat_at",
    "a table": "DROP TABLE fans",
    "an index": "DROP INDEX uq_matches_running_in_channel",
    "one column more": "ALTER TABLE heartbeats ADD COLUMN more TEXT",
}
"""Other tables that a database can have at a revision of the same name."""


@pytest.mark.long
@both
@pytest.mark.parametrize("other", OTHER_TABLES)
async def test_a_database_with_other_tables_is_not_opened(database_url: str, other: str) -> None:
    engine = create_async_engine(
        re.sub("^postgresql:", "postgresql+asyncpg:", database_url).replace(
            "sqlite:", "sqlite+aiosqlite:"
        )
    )
    async with engine.connect() as connection:
        await connection.exec_driver_sql(OTHER_TABLES[other])
        assert await connection.run_sync(schema_state) is SchemaState.DIFFERENT
        if connection.dialect.name == "sqlite":
            await connection.commit()
        else:  # others use the same server
            with pytest.raises(StoreRefused, match="development version"):
                await connection.run_sync(opening._check_postgres)
    await engine.dispose()
    if database_url.startswith("sqlite"):
        for way in (open_store, open_reader, upgrade_store):
            with pytest.raises(StoreRefused, match="development version") as refused:
                await way(database_url)
            assert refused.value.code == "different"


async def test_every_revision_has_a_stored_database() -> None:
    """A release that changes the tables adds the file that the release before left."""
    assert {each.stem for each in STORED.glob("*.sql")} == known_revisions()
    since = {each for each in known_revisions() if each >= "0007"}
    assert {each.stem for each in STORED_POSTGRES.glob("*.sql")} == since


@pytest.mark.long
async def test_the_doctor_says_that_a_file_is_older_and_leaves_it_so(
    sqlite_url: str, tmp_path: Path, next_release: None
) -> None:
    path = sqlite_path(sqlite_url)
    restore_stored(path, "0001")
    settings = Settings(_env_file=None, data=tmp_path, database=sqlite_url)
    found = {each.about: each for each in await examine(settings)}["database"]
    assert found.is_well
    assert "parlour backup" in found.words
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        assert schema_state(connection) is SchemaState.OLDER
    await (await open_store(sqlite_url)).close()
    with engine.connect() as connection:
        assert schema_state(connection) is SchemaState.CURRENT
    engine.dispose()
    found = {each.about: each for each in await examine(settings)}["database"]
    assert found.words == "opened and checked"
