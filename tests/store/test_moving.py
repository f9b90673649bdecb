"""``parlour move-to``: a database carried over to the other kind, and back."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import CheckConstraint, Connection, LargeBinary, Table, Text, insert, select

from bot.store import StoreRefused, move, open_reader, open_store
from bot.store.opening import sqlite_path
from bot.store.tables import metadata
from bot.store.tables.base import raw
from bot.tournaments.domain.setup import FormatKey
from tests.privacy.test_erasing import a_life
from tests.support.databases import lay_sqlite
from tests.support.forked import Forked
from tests.support.kit import BOB, Club
from tests.tournaments.kit import Hall, a_setup

pytestmark = pytest.mark.postgres

KILLED = -9
Rows = dict[str, Sequence[Any]]


@pytest.fixture
async def postgres(postgres_url: str) -> AsyncIterator[str]:
    """An empty PostgreSQL, which other tests use afterwards although it was left."""
    yield postgres_url
    connection = await asyncpg.connect(postgres_url)
    await connection.execute(
        "UPDATE alembic_version SET version_num = replace(version_num, 'moved ', '')"
    )
    await connection.execute("UPDATE installation SET id = md5(id)")
    await connection.close()


async def parlour(url: str, *arguments: str, folder: Path, failpoint: str = "") -> tuple[int, str]:
    """Give a command on a database; its exit code and what it said."""
    child = await Forked.start(
        *arguments,
        folder=folder,
        environment={
            **os.environ,
            "PARLOUR_DATA": str(folder),
            "PARLOUR_DATABASE": url,
            "PARLOUR_LOG_LEVEL": "WARNING",
            "PARLOUR_FAILPOINT": failpoint,
        },
    )
    said = await child.stdout.read()
    code = await child.wait()
    return code, said.decode()


def rows(connection: Connection) -> Rows:
    return {
        table.name: sorted(map(tuple, connection.execute(select(raw(table)))), key=repr)
        for table in metadata.sorted_tables
    }


async def rows_of(url: str) -> Rows:
    """All that is stored, table by table."""
    store = await open_reader(url)
    try:
        return await store.read(rows)
    finally:
        await store.close()


def released(found: Rows) -> Rows:
    """The same but for who has taken what is to be sent, which the next process takes back."""
    return {**found, "outbox": [each[:4] for each in found["outbox"]]}


async def play(url: str) -> None:
    store = await open_store(url)
    club = Club(store)
    await club.plays(await club.start(BOB), "b2 a1 c1")
    await store.close()


def a_row(connection: Connection, table: Table) -> dict[str, object]:
    """A row that a table takes."""
    words = dict(
        found
        for each in table.constraints
        if isinstance(each, CheckConstraint)
        for found in re.findall(r"^(\w+) IN \('(.*?)'", str(each.sqltext))
    )
    row: dict[str, object] = {}
    for column in table.columns:
        if column.nullable:
            continue
        if column.foreign_keys:
            (other,) = column.foreign_keys
            row[column.name] = connection.execute(select(other.column)).scalars().first()
        elif isinstance(raw(table).c[column.name].type, Text):
            row[column.name] = words.get(column.name, "ein 'Läufer' \\ 🧩\n")
        elif isinstance(column.type, LargeBinary):
            row[column.name] = b"\0\xff"
        else:
            row[column.name] = {"ended_at": 2**50, "has_begun": 0, "shard": 0}.get(column.name, 1)
    return row


def fill_up(connection: Connection) -> None:
    for table in metadata.sorted_tables:
        if connection.execute(select(raw(table))).first() is None:
            connection.execute(insert(raw(table)), a_row(connection, table))


async def live(url: str) -> None:
    """Have rows in every table, and ids given that no row has any more."""
    store = await open_store(url)
    hall = Hall(store)
    await a_life(store, hall.club)
    await hall.join(await hall.create(a_setup(FormatKey.SWISS)), 11, 12)
    await store.write(fill_up)
    await store.close()
    await (await open_store(url)).close()


def last_ids(url: str) -> dict[str, int]:
    with closing(sqlite3.connect(sqlite_path(url))) as file:
        return dict(file.execute("SELECT name, seq FROM sqlite_sequence"))


async def test_all_is_carried_over_and_back(sqlite_url: str, postgres: str, tmp_path: Path) -> None:
    await live(sqlite_url)
    before = await rows_of(sqlite_url)
    assert all(before.values())
    again = f"sqlite:///{tmp_path}/again.db"
    for source, target in ((sqlite_url, postgres), (postgres, again)):

        async def arrived(url: str = target) -> None:
            assert await rows_of(url) == before

        said: list[str] = []
        await move(source, target, data=tmp_path, tell=said.append, arrived=arrived)
        assert said[-1] == f"All {sum(map(len, before.values()))} rows are there."
    assert last_ids(again) == last_ids(sqlite_url)
    for left in (sqlite_url, postgres):
        await refused("moved", open_store(left))
        await refused("moved", open_reader(left))


@pytest.mark.long
@pytest.mark.parametrize("point", ["c15", "c16"])
async def test_a_kill_loses_nothing_and_the_same_command_goes_on(
    sqlite_url: str, postgres: str, tmp_path: Path, point: str
) -> None:
    source, target = sqlite_url, postgres
    if point == "c16":
        source, target = postgres, f"sqlite:///{tmp_path}/back.db"
    await play(source)
    before = released(await rows_of(source))
    code, said = await parlour(source, "move-to", target, folder=tmp_path, failpoint=point)
    assert code == KILLED, said
    assert released(await rows_of(source)) == before
    assert bool((await rows_of(target))["events"]) is (point == "c16")
    code, said = await parlour(source, "move-to", target, folder=tmp_path)
    assert code == 0, said
    assert ("carried over before" in said) is (point == "c16")
    assert "Replayed 1 match; damaged: 0." in said
    assert released(await rows_of(target)) == before
    await refused("moved", open_store(source))


async def refused(code: str, asked: Awaitable[Any]) -> None:
    with pytest.raises(StoreRefused) as caught:
        await asked
    assert caught.value.code == code


async def nothing_arrives() -> None:
    pytest.fail("nothing is to arrive")


async def refuses(code: str, source: str, target: str) -> None:
    await refused(code, move(source, target, tell=lambda _: None, arrived=nothing_arrives))


@pytest.mark.long
async def test_only_the_unused_is_moved(sqlite_url: str, postgres: str, tmp_path: Path) -> None:
    await play(sqlite_url)
    await (await open_store(sqlite_url)).close()
    before = await rows_of(sqlite_url)
    other = f"sqlite:///{tmp_path}/other.db"
    lay_sqlite(sqlite_path(other))
    await refuses("url", sqlite_url, other)
    for used in (sqlite_url, postgres):
        store = await open_store(used)
        await refuses("in_use", sqlite_url, postgres)
        await store.close()
    with closing(sqlite3.connect(sqlite_path(other))) as file, file:
        file.execute("INSERT INTO people VALUES (7, 1, 'a' || char(0) || 'b')")
    await refuses("corrupt", other, postgres)
    await play(postgres)
    await refuses("url", sqlite_url, postgres)
    assert await rows_of(sqlite_url) == before
