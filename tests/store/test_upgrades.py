"""A release and the next one on the same tables: neither keeps the other from its work."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from alembic import command
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.domain.match import Scope
from bot.services.verification import Verifier
from bot.store import StoreRefused, open_store, opening, schema, transactions, upgrade_store, upkeep
from bot.store.errors import StoreUnavailable
from bot.store.opening import sqlite_path
from bot.store.schema import SchemaState, alembic_config, schema_state, upgrade
from tests.store.releases import ADDED, HARMLESS, NEW_KIND, follow, number_of
from tests.store.stored import restore_stored, stored_postgres
from tests.support.databases import both
from tests.support.kit import ANN, BOB, GUILD, Club, head

GUARANTEED = 8
"""From this revision on the release before may work at the tables of the next one."""


# ---- the rule ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """A table: its columns with type, whether they may be NULL and have a default, and the rest."""

    columns: Mapping[str, tuple[str, bool, bool]]
    checks: Mapping[str, str]
    keys: frozenset[tuple[Any, ...]]
    """Primary keys, references, and what is to be unique."""
    indexes: frozenset[str]


def shapes(connection: Connection) -> dict[str, Shape]:
    """All tables of a database."""
    seen: Any = inspect(connection)
    columns, checks, primary, references, unique, indexes = (
        {str(name): rows for (_, name), rows in found.items()}
        for found in cast(
            tuple[Mapping[tuple[Any, str], Any], ...],
            (
                seen.get_multi_columns(),
                seen.get_multi_check_constraints(),
                seen.get_multi_pk_constraint(),
                seen.get_multi_foreign_keys(),
                seen.get_multi_unique_constraints(),
                seen.get_multi_indexes(),
            ),
        )
    )
    return {
        table: Shape(
            {
                each["name"]: (
                    each["type"].compile(connection.dialect),
                    each["nullable"],
                    each["default"] is not None,
                )
                for each in columns[table]
            },
            {str(each["name"]): each["sqltext"] for each in checks.get(table, [])},
            frozenset(
                {
                    ("primary", *primary[table]["constrained_columns"]),
                    *(("unique", *each["column_names"]) for each in unique.get(table, [])),
                    *(
                        ("unique", *each["column_names"])
                        for each in indexes.get(table, [])
                        if each["unique"]
                    ),
                    *(
                        (f"to {each['referred_table']}", *each["constrained_columns"])
                        for each in references.get(table, [])
                    ),
                }
            ),
            frozenset(str(each["name"]) for each in indexes.get(table, [])),
        )
        for table in columns
    }


_WORD = re.compile(r"'(\w*)'(?:::\w+)?")


def _is_wider(now: str, was: str) -> bool:
    """Whether a condition allows more words, and is the same for the rest."""
    rest = [re.sub(r"(WORD(, )?)+", "WORD", _WORD.sub("WORD", each)) for each in (was, now)]
    return rest[0] == rest[1] and set(_WORD.findall(was)) <= set(_WORD.findall(now))


def in_the_way(
    before: Mapping[str, Shape], after: Mapping[str, Shape], unused: frozenset[str]
) -> Iterator[str]:
    """Parts of the tables after an upgrade that would stop or mislead earlier code."""
    for table, was in before.items():
        if table not in after:
            yield f"{table} is gone"
            continue
        now = after[table]
        for name, (kind, may_be_null, has_default) in was.columns.items():
            if f"{table}.{name}" in unused:
                continue
            found = now.columns.get(name)
            if found is None:
                yield f"{table}.{name} is gone"
            elif found[:2] != (kind, may_be_null) or (has_default and not found[2]):
                yield f"{table}.{name} is another"
        new = now.columns.keys() - was.columns.keys()
        for name in new:
            if not any(now.columns[name][1:]):
                yield f"{table}.{name} has to be given"
        for name, condition in was.checks.items():
            if not _is_wider(now.checks.get(name, ""), condition):
                yield f"{table}: {name} is another"
        for name in now.checks.keys() - was.checks.keys():
            if any(re.search(rf"\b{column}\b", now.checks[name]) for column in was.columns):
                yield f"{table}: {name} is new"
        yield from (f"{table}: {each} is gone" for each in was.keys - now.keys)
        yield from (f"{table}: {each} is new" for each in now.keys - was.keys if {*each[1:]} - new)
        yield from (f"{table}: {each} is gone" for each in was.indexes - now.indexes)


def broken(connection: Connection, revision: str) -> list[str]:
    """Parts of a revision that hinder the oldest code that may work there.

    The database is at a revision of before, and has rows.
    """
    oldest, config = revision.partition("_from_")[2], alembic_config(connection)
    found = schema.known_revisions()
    command.upgrade(config, next(each for each in found if each.startswith(oldest)))
    before = shapes(connection)
    command.upgrade(config, revision)
    return sorted(in_the_way(before, shapes(connection), schema.unused(until=oldest)))


def engine_for(url: str) -> AsyncEngine:
    """An engine without the bot's own settings."""
    url = re.sub("^sqlite:", "sqlite+aiosqlite:", url)
    return create_async_engine(re.sub("^postgresql:", "postgresql+asyncpg:", url))


@pytest.fixture
async def connection(database_url: str, tmp_path: Path) -> AsyncIterator[AsyncConnection]:
    """A connection to a database of the release 1.0 with matches in it."""
    async with contextlib.AsyncExitStack() as left:
        if database_url.startswith("sqlite"):
            restore_stored(sqlite_path(database_url), "0007")
        else:
            database_url = await left.enter_async_context(stored_postgres(database_url, "0007"))
        engine = engine_for(database_url)
        left.push_async_callback(engine.dispose)
        yield await left.enter_async_context(engine.connect())


@both
async def test_each_migration_lets_the_release_before_work_on(connection: AsyncConnection) -> None:
    since = sorted(each for each in schema.known_revisions() if number_of(each) >= GUARANTEED)
    reach = 0
    for revision in since:
        oldest = number_of(revision.partition("_from_")[2])
        assert reach <= oldest < number_of(revision), "what an earlier one took away stays away"
        reach = oldest
        assert await connection.run_sync(broken, revision) == []


@both
@pytest.mark.parametrize(
    ("upgrade", "found"),
    [
        (HARMLESS + NEW_KIND, []),
        ('op.drop_index("ix_seats_user_id")', ["seats: ix_seats_user_id is gone"]),
    ],
)
async def test_a_migration_is_held_to_the_rule(
    connection: AsyncConnection,
    upgrade: str,
    found: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (revision,) = follow(upgrade, folder=tmp_path / "next")
    monkeypatch.setattr(schema, "MIGRATIONS", tmp_path / "next")
    assert await connection.run_sync(broken, revision) == found


MATCHES = "ALTER TABLE matches"
CHANGES = {
    f"{MATCHES} ADD mood TEXT CONSTRAINT ck_matches_mood CHECK (length(mood) > 1)": [],
    "DROP TABLE fans": ["fans is gone"],
    f"{MATCHES} RENAME language TO tongue": ["matches.language is gone"],
    f"{MATCHES} ALTER language TYPE VARCHAR(5)": ["matches.language is another"],
    f"{MATCHES} ALTER ply DROP NOT NULL": ["matches.ply is another"],
    f"{MATCHES} ALTER continues SET NOT NULL": ["matches.continues is another"],
    f"{MATCHES} ALTER hints DROP DEFAULT": ["matches.hints is another"],
    f"{MATCHES} ADD mood TEXT NOT NULL": ["matches.mood has to be given"],
    f"{MATCHES} ADD CONSTRAINT ck_matches_ply CHECK (ply < 5000)": [
        "matches: ck_matches_ply is new"
    ],
    f"{MATCHES} DROP CONSTRAINT ck_matches_id,"
    " ADD CONSTRAINT ck_matches_id CHECK (length(id) = 11)": ["matches: ck_matches_id is another"],
    f"{MATCHES} DROP CONSTRAINT ck_matches_venue,"
    " ADD CONSTRAINT ck_matches_venue CHECK (venue IN ('thread', 'direct'))": [
        "matches: ck_matches_venue is another"
    ],
    "CREATE UNIQUE INDEX uq_beats ON heartbeats (at)": ["heartbeats: ('unique', 'at') is new"],
    "ALTER TABLE notes ADD FOREIGN KEY (user_id) REFERENCES people": [
        "notes: ('to people', 'user_id') is new"
    ],
}


@pytest.mark.postgres
async def test_each_change_that_would_stop_code_of_before_is_found(postgres_url: str) -> None:
    def look(connection: Connection) -> None:
        before = shapes(connection)
        for statement, found in CHANGES.items():
            with connection.begin_nested() as change:
                connection.exec_driver_sql(statement)
                assert [*in_the_way(before, shapes(connection), frozenset())] == found, statement
                change.rollback()

    engine = engine_for(postgres_url)
    async with engine.connect() as connection:
        await connection.run_sync(look)
    await engine.dispose()


@pytest.mark.long
async def test_an_unused_column_goes_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until then the code has no such column, and finds the tables right all the same."""
    column, drop = (
        f'op.{each}_column("matches", {column})'
        for each, column in (("add", 'sa.Column("mood", sa.Text())'), ("drop", '"mood"'))
    )
    states, ways = [], []
    for unused in (), ("matches.mood",):
        now, later = tmp_path / f"{unused}now", tmp_path / f"{unused}later"
        follow(column, folder=now, unused=unused)
        dropped = follow(column, drop, folder=later, unused=unused)[-1]
        engine = create_engine("sqlite://")
        with engine.connect() as connection, monkeypatch.context() as patch:
            patch.setattr(schema, "MIGRATIONS", now)
            upgrade(connection)
            states.append(schema_state(connection))
            patch.setattr(schema, "MIGRATIONS", later)
            ways.append(broken(connection, dropped))
        engine.dispose()
    assert states == [SchemaState.DIFFERENT, SchemaState.CURRENT]
    assert ways == [["matches.mood is gone"], []]


# ---- both at work --------------------------------------------------------------------------------


@pytest.fixture
async def own_url(database_url: str) -> AsyncIterator[str]:
    """A database whose tables a test may change; of PostgreSQL a copy."""
    if database_url.startswith("sqlite"):
        yield database_url
        return
    async with stored_postgres(database_url, "0007") as url:
        await upgrade_store(url)
        yield url


@contextlib.contextmanager
def released(folder: Path) -> Iterator[None]:
    """Code of the release with these migrations, as far as tables go."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", folder)
        yield


@both
async def test_the_next_release_changes_tables_and_back(own_url: str, tmp_path: Path) -> None:
    follow(HARMLESS, folder=tmp_path / "next", unused=ADDED)
    if own_url.startswith("sqlite"):  # it has one process
        with released(tmp_path / "next"):
            await (await open_store(own_url)).close()
        store = await open_store(own_url)
        club = Club(store)
        match_id = await club.start(BOB)
    else:
        store = await open_store(own_url)
        club = Club(store)
        match_id = await club.start(BOB)
        with released(tmp_path / "next"):
            await (await open_store(own_url, catches_up=True)).close()
    await club.plays(match_id, "a1 b2")
    await store.close()
    store = await open_store(own_url, catches_up=True)
    club = Club(store, seed=99)
    await club.play(match_id, "c3")
    await club.verified(match_id)
    await store.close()


NEWER_HEAD = """UPDATE matches SET requests = '[["sleep",[0],3,null,0]]' WHERE id = :match"""
NEWER_EVENT = "UPDATE events SET kind = 'slept' WHERE match_id = :match AND seq = 3"


@both
@pytest.mark.parametrize("newer", [NEWER_HEAD, NEWER_EVENT])
async def test_a_match_of_the_next_release_waits(own_url: str, newer: str, tmp_path: Path) -> None:
    """Players can try again, when they may meet the next release; all other matches go on."""
    store = await open_store(own_url)
    club = Club(store)
    match_id, other = await club.start(BOB), await club.start(BOB)
    await club.plays(match_id, "a1")
    before = await head(store, match_id)
    follow(NEW_KIND, folder=tmp_path / "next")
    engine = engine_for(own_url)
    with released(tmp_path / "next"):
        async with engine.begin() as connection:
            await connection.run_sync(upgrade)
            await connection.execute(text(newer), {"match": match_id})
    await engine.dispose()
    with pytest.raises(StoreUnavailable, match="newer"):
        await store.read(transactions.history, match_id, Scope(GUILD))
    if newer is NEWER_HEAD:
        with pytest.raises(StoreUnavailable, match="newer"):
            await club.move(BOB, match_id, "b2")
        with pytest.raises(StoreUnavailable, match="newer"):
            await club.resign(ANN, match_id)
        assert (await head(store, match_id)).version == before.version
    await Verifier(store, club.clock).step()
    await club.plays(other, "a1")
    assert not await store.read(upkeep.all_set_aside)
    await store.close()


@pytest.mark.postgres
async def test_a_dump_keeps_only_the_upgrade_waiting(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``pg_dump`` holds all tables for as long as it runs."""
    import asyncpg

    monkeypatch.setattr(opening, "_PAUSE", 0.5)
    follow(HARMLESS, folder=tmp_path / "next", unused=ADDED)
    async with stored_postgres(postgres_url, "0007") as url:
        store = await open_store(url)
        club = Club(store)
        match_id = await club.start(BOB)
        dump = await asyncpg.connect(url)
        async with dump.transaction():
            await dump.execute("LOCK TABLE matches IN ACCESS SHARE MODE")
            with released(tmp_path / "next"):
                upgrade = asyncio.create_task(upgrade_store(url))
                waits = "SELECT count(*) FROM pg_locks WHERE NOT granted"
                async with asyncio.timeout(10):
                    while not await dump.fetchval(waits):
                        await asyncio.sleep(0.01)
                await club.play(match_id, "a1 b2")
                assert not upgrade.done()
        with released(tmp_path / "next"):
            await upgrade
        await dump.close()
        await club.play(match_id, "c3")
        await store.close()


@both
async def test_a_release_further_on_keeps_this_one_out(own_url: str, tmp_path: Path) -> None:
    follow(HARMLESS, "pass", folder=tmp_path / "further", unused=ADDED)
    with released(tmp_path / "further"):
        if not own_url.startswith("sqlite"):
            with pytest.raises(StoreRefused, match="Stop all processes") as refused:
                await open_store(own_url, catches_up=True)
            assert refused.value.code == "not_upgraded"
        await upgrade_store(own_url)
    with pytest.raises(StoreRefused) as refused:
        await open_store(own_url, catches_up=True)
    assert refused.value.code == "newer"
