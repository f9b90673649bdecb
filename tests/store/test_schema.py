"""Migrations lead from nothing to exactly the tables that the code has in mind."""

from __future__ import annotations

import re

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine

from bot.doctor import examine
from bot.domain.events import EventKind, micros, moment, seal
from bot.domain.history import verify
from bot.domain.match import MatchStatus, Scope
from bot.domain.requests import Request, RequestKind
from bot.services.applications import ANY
from bot.settings import Settings
from bot.store import StoreRefused, open_store, upgrade_store
from bot.store.opening import sqlite_path
from bot.store.schema import SchemaState, alembic_config, schema_state, upgrade
from bot.store.tables import metadata
from tests.kit import ANN, BOB, GUILD, Club


def plain(sql):
    """A statement without what layout and quoting add, and the parts of a table in any order."""
    words = re.sub(r"\s+", " ", (sql or "").replace('"', "")).replace(" )", ")").replace("( ", "(")
    head, _, rest = words.strip().partition("(")
    inside, _, after = rest.rpartition(")")
    return head.strip(), sorted(re.split(r", (?=[a-z_]+ [A-Z]|[A-Z]+ )", inside)), after.strip()


def test_sqlite_comes_up_from_empty_to_what_the_models_say():
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
async def test_postgres_comes_up_from_empty_to_what_the_models_say(postgres_url):
    engine = create_async_engine(postgres_url.replace("postgresql:", "postgresql+asyncpg:"))

    def facts(connection):
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

    def compare(connection):
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
async def test_an_empty_postgres_waits_for_the_upgrade_and_two_may_upgrade_at_once(postgres_url):
    import asyncio

    import asyncpg

    async def fresh(statement):
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


async def test_a_schema_is_not_upgraded_in_part(sqlite_url):
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


async def test_the_fourth_revision_keeps_what_was_to_be_sent_and_never_gives_an_id_twice(
    sqlite_url,
):
    """The name under which a delivery is posted is made of its id."""
    path = sqlite_path(sqlite_url)
    path.unlink()
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0003")
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
        for number in (1, 2, 3):
            connection.exec_driver_sql(
                "INSERT INTO outbox (match_id, kind, version, ply, audience, due_at) "
                f"VALUES ('match00001', 'board', {number}, 0, -1, {number})"
            )
        connection.exec_driver_sql("DELETE FROM outbox WHERE version = 3")
        connection.exec_driver_sql("INSERT INTO posts VALUES ('match00001', 'board', -1, 5, 6, 1)")
        upgrade(connection)
        assert schema_state(connection) is SchemaState.CURRENT
        kept = connection.exec_driver_sql("SELECT id, version, due_at FROM outbox ORDER BY id")
        assert kept.all() == [(1, 1, 1), (2, 2, 2)]
        assert connection.exec_driver_sql("SELECT message_id FROM posts").scalars().all() == [6]
        connection.exec_driver_sql(
            "INSERT INTO outbox (match_id, kind, version, ply, audience, due_at, "
            "target_channel_id, target_message_id) "
            "VALUES ('match00001', 'erase', 4, 0, -1, 4, 7, 8)"
        )
        assert connection.exec_driver_sql("SELECT max(id) FROM outbox").scalar() == 4
    engine.dispose()


async def test_the_sixth_revision_keeps_every_event_and_its_order(sqlite_url):
    """Which events are the newest is read from the order in which they were written."""
    path = sqlite_path(sqlite_url)
    path.unlink()
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0005")
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
        written = [("matchbbbbb", 1), ("matchaaaaa", 1), ("matchbbbbb", 2), ("matchaaaaa", 2)]
        for number, (match_id, seq) in enumerate(written):
            before = "" if seq == 1 else "0" * 64
            connection.exec_driver_sql(
                "INSERT INTO events VALUES (?, ?, 'moved', 0, 7, '{}', ?, ?, ?, ?)",
                (match_id, seq, number, 100 + number, before, f"{number:064}"),
            )
        everything = "SELECT * FROM events ORDER BY rowid"
        kept = connection.exec_driver_sql(everything).all()
        upgrade(connection)
        assert schema_state(connection) is SchemaState.CURRENT
        assert connection.exec_driver_sql(everything).all() == kept
        assert [(row.match_id, row.seq) for row in kept] == written
        with pytest.raises(IntegrityError, match="UNIQUE"):
            connection.exec_driver_sql(
                "INSERT INTO events "
                "VALUES ('matchccccc', 1, 'flagged', 0, NULL, '{}', 1, 100, '', ?)",
                ("1" * 64,),
            )
    engine.dispose()


async def test_the_seventh_revision_turns_draw_offers_into_requests_and_keeps_every_event(
    sqlite_url,
):
    """An old file goes on: what was offered can be agreed on, and its history still holds."""
    path = sqlite_path(sqlite_url)
    store = await open_store(sqlite_url)
    club = Club(store)
    ids = [await club.start(BOB) for _ in range(2)]
    for match_id in ids:
        await club.play(match_id, "a1")
        await club.worker.drain()
    await store.close()
    engine = create_engine(f"sqlite:///{path}")
    heads, events = _as_before(engine, ids[0])
    engine.dispose()
    old = path.with_name("old") / path.name
    old.parent.mkdir()
    engine = create_engine(f"sqlite:///{old}")
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0006")
        _insert(connection, matches=heads, events=events)
        connection.exec_driver_sql(
            "INSERT INTO outbox (match_id, kind, version, ply, audience, notice, due_at) "
            f"VALUES ('{ids[0]}', 'notice', 4, 1, 1, 'draw_offered', 1)"
        )
        for ply in (0, 1):
            connection.exec_driver_sql(
                f"INSERT INTO reminders VALUES ('{ids[0]}', {ply}, 12, 1, 99)"
            )
        upgrade(connection)
        assert schema_state(connection) is SchemaState.CURRENT
        notices = connection.exec_driver_sql("SELECT notice FROM outbox").scalars().all()
        assert notices == ["draw_asked"]
        turns = connection.exec_driver_sql("SELECT since FROM reminders").scalars().all()
        assert turns == [3], "the turn that runs, by the version of its position"
    engine.dispose()
    store = await open_store(f"sqlite:///{old}")
    asked = (await store.load(ids[0], None)).match
    assert asked.requests == (Request(RequestKind.DRAW, (0,), 4),)
    verify(asked, await store.history(ids[0], Scope(GUILD)))
    club = Club(store, seed=99)
    answer = await club.requests.answer(
        BOB, ids[0], RequestKind.DRAW, accept=True, version=4, interaction_id=club.click()
    )
    assert answer.match.status is MatchStatus.FINISHED
    verify(answer.match, await store.history(ids[0], Scope(GUILD)))
    await club.requests.ask(ANN, ids[1], RequestKind.TAKEBACK, interaction_id=club.click())
    back = await club.requests.answer(
        BOB, ids[1], RequestKind.TAKEBACK, accept=True, interaction_id=club.click()
    )
    verify(back.match, await store.history(ids[1], Scope(GUILD)))
    await club.worker.drain()
    await store.close()


def _as_before(engine, drawn):
    """All heads and events as the release before kept them; in one match a draw is on offer."""
    with engine.connect() as connection:
        heads = [
            dict(row) for row in connection.exec_driver_sql("SELECT * FROM matches").mappings()
        ]
        events = [
            dict(row)
            for row in connection.exec_driver_sql("SELECT * FROM events ORDER BY rowid").mappings()
        ]
    for head in heads:
        assert (head["requests"], head["lapses_at"], head["band"]) == ("[]", None, None)
        head["draw_agreed"] = "[0]" if head["id"] == drawn else "[]"
    last = next(event for event in reversed(events) if event["match_id"] == drawn)
    offer = last | {
        "seq": last["seq"] + 1,
        "kind": "draw_offered",
        "player": 0,
        "user_id": ANN.user_id,
        "payload": "{}",
        "interaction_id": None,
        "prev_hash": last["hash"],
    }
    offer["hash"] = seal(
        match_id=drawn,
        seq=offer["seq"],
        kind=EventKind.DRAW_OFFERED,
        player=0,
        payload={},
        at=moment(offer["at"]),
        prev_hash=last["hash"],
    )
    head = next(head for head in heads if head["id"] == drawn)
    head |= {"version": offer["seq"], "head_hash": offer["hash"]}
    return heads, [*events, offer]


def _insert(connection, **tables):
    """Put rows into tables, but for columns that these do not have yet."""
    for table, rows in tables.items():
        known = {column["name"] for column in inspect(connection).get_columns(table)}
        for row in rows:
            values = {name: value for name, value in row.items() if name in known}
            names, marks = ", ".join(values), ", ".join("?" for _ in values)
            connection.exec_driver_sql(
                f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values())
            )


async def test_the_doctor_says_that_a_file_is_older_and_leaves_it_so(sqlite_url, tmp_path):
    path = sqlite_path(sqlite_url)
    path.unlink()
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0005")
    settings = Settings(_env_file=None, data=tmp_path, database=sqlite_url)
    found = {each.about: each for each in await examine(settings)}["database"]
    assert found.is_well
    assert "parlour backup" in found.words
    with engine.connect() as connection:
        assert schema_state(connection) is SchemaState.OLDER
    engine.dispose()
    await (await open_store(sqlite_url)).close()
    found = {each.about: each for each in await examine(settings)}["database"]
    assert found.words == "opened and checked"


@pytest.mark.parametrize("beats", [0, 1])
async def test_a_database_of_before_serves_the_next_application_if_it_was_used(sqlite_url, beats):
    path = sqlite_path(sqlite_url)
    path.unlink()
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0010")
        _insert(connection, heartbeats=[{"scope": "", "at": 1}] * beats)
        upgrade(connection)
    engine.dispose()
    store = await open_store(sqlite_url)
    assert await store.applications() == ({ANY} if beats else set())
    await store.close()


async def test_what_may_have_been_posted_before_the_upgrade_is_looked_for_from_its_event_on(
    sqlite_url,
):
    store = await open_store(sqlite_url)
    club = Club(store)
    await club.start(BOB)
    await store.close()
    engine = create_engine(f"sqlite:///{sqlite_path(sqlite_url)}")
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE outbox SET trouble = 'retry'")
        (first, *rest) = connection.exec_driver_sql("SELECT id FROM outbox ORDER BY id").scalars()
        assert rest
        connection.exec_driver_sql(f"UPDATE outbox SET may_exist = (id = {first})")
        connection.exec_driver_sql("DROP TABLE owed")
        for table in ("outbox", "lobbies", "vacations"):
            connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN tried_at")
        config = alembic_config(connection)
        before = ScriptDirectory.from_config(config).get_revision("0016").down_revision
        command.stamp(config, before, purge=True)
        command.upgrade(config, "0016")
        found = connection.exec_driver_sql("SELECT id, tried_at FROM outbox ORDER BY id").all()
    engine.dispose()
    assert found == [(first, micros(club.clock.at)), *((each, None) for each in rest)]


async def test_what_was_still_asked_of_a_match_that_is_over_goes_with_the_upgrade(sqlite_url):
    store = await open_store(sqlite_url)
    club = Club(store)
    match_id = await club.start(BOB)
    await club.service.resign(ANN, match_id, interaction_id=club.click())
    await store.close()
    path = sqlite_path(sqlite_url)
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        kept = {
            table: [
                dict(row) for row in connection.exec_driver_sql(f"SELECT * FROM {table}").mappings()
            ]
            for table in ("matches", "events", "installation")
        }
    engine.dispose()
    path.unlink()
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0009")
        _insert(connection, **kept)
        connection.exec_driver_sql("""UPDATE matches SET requests = '[["draw",[0],3,9,null]]'""")
        connection.exec_driver_sql("UPDATE matches SET lapses_at = 9")
    store = await open_store(sqlite_url)  # which plays the newest matches through again
    await store.close()
    with engine.connect() as connection:
        found = connection.exec_driver_sql("SELECT requests, lapses_at FROM matches").all()
    engine.dispose()
    assert found == [("[]", None)]
