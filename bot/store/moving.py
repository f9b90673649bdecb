"""``parlour move-to``: all that is stored, from SQLite to PostgreSQL or back.

Both databases are Parlour's own tables of the newest form, and nobody else of Parlour's has them
open. Rows are read in batches by their keys, so memory stays bounded, and written in one
transaction, so a process that is killed leaves an empty target. Before that transaction ends, the
target is read back: every table must hold as many rows with the same sum of hashes. Only then is
the source marked as left, by the name of its revision, which every release refuses to open. A
process killed in between is to be started again; it finds the same rows there and goes on to the
mark.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sqlalchemy import Row, Table, delete, insert, literal, select, text, tuple_
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.failpoints import hit
from bot.store import outbox
from bot.store.database import StoreRefused
from bot.store.files import damage_told, lock, refuse_schema
from bot.store.opening import (
    open_store,
    read_address,
    sqlite_path,
    upgrade_store,
    waits_for_upgrade,
)
from bot.store.postgres import APPLICATION, engine_of, why_refused
from bot.store.schema import SchemaState, is_ahead, leave
from bot.store.sqlite import writer_engine
from bot.store.tables import applications, installation, metadata, verification
from bot.store.tables.base import raw

_BATCH = 500
_OFTEN = 10.0
"""Seconds after which it is said how far a large table has come."""
_OF_NO_MATCH = (installation, applications, verification)
"""Tables with rows in a database in which nothing has happened yet."""
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND application_name = :name AND pid <> pg_backend_pid()"
)
_ALONE = text("LOCK TABLE installation")
"""Every process of Parlour reads this table when it starts, and before it goes on to the others."""

Tell = Callable[[str], None]
Sum = tuple[int, int]
"""How many rows a table has, and the sum of their hashes, in whatever order they are read."""


async def move(
    source: str,
    target: str,
    *,
    data: Path | None = None,
    tell: Tell,
    arrived: Callable[[], Awaitable[None]],
) -> None:
    """Carry everything over to an empty database, then leave the one before.

    ``tell`` is told how far it has come. ``arrived`` is called when all is there; nothing is
    left behind if it raises. Raises :exc:`StoreRefused`.
    """
    kinds = [read_address(each).get_backend_name() for each in (source, target)]
    if kinds[0] == kinds[1]:
        raise StoreRefused(
            "url",
            "Both databases are of the same kind. For SQLite use parlour backup and restore, for"
            " PostgreSQL pg_dump and pg_restore.",
        )
    if await waits_for_upgrade(source):
        raise StoreRefused(
            "not_upgraded",
            "The database is of an older release of Parlour. Take a copy with: parlour backup FILE."
            " Then bring it up to date with: parlour db upgrade",
        )
    try:
        async with _alone_with(source, data) as there, _transaction(there) as old:
            if await old.run_sync(is_ahead):
                # There is more than these tables hold.
                await old.run_sync(refuse_schema, SchemaState.NEWER)
            # The processes that had taken these are gone. Where SQLite is opened it is done, too.
            await old.run_sync(outbox.release_all)
            async with _arriving_at(target) as here, _transaction(here) as new:
                await _carry(old, new, tell)
                hit("c15")
            await arrived()
            hit("c16")
            await old.run_sync(leave)
    except DBAPIError as error:
        if getattr(error.orig, "sqlite_errorname", None) is None:
            raise why_refused(error) from error
        with damage_told(sqlite_path(source if kinds[0] == "sqlite" else target)):
            raise


@contextlib.asynccontextmanager
async def _arriving_at(target: str) -> AsyncIterator[AsyncEngine]:
    """An engine for the new database; what is wrong with its address is not said of a setting."""
    async with contextlib.AsyncExitStack() as stack:
        try:
            here = await stack.enter_async_context(_alone_with(target, None, may_make=True))
        except StoreRefused as refused:
            words = str(refused).replace("PARLOUR_DATABASE", "the new address")
            raise StoreRefused(refused.code, words) from refused
        yield here


@contextlib.asynccontextmanager
async def _alone_with(
    url: str, data: Path | None, *, may_make: bool = False
) -> AsyncIterator[AsyncEngine]:
    """An engine for a database that a bot would start with, and that no process has open."""
    address = read_address(url)
    if address.get_backend_name() == "sqlite":
        await (await open_store(url)).close()
        unlock = lock(sqlite_path(url))
        engine = writer_engine(sqlite_path(url))
        try:
            yield engine
        finally:
            await engine.dispose()
            unlock()
        return
    engine = engine_of(address, pool_size=1, max_overflow=0)
    try:
        async with engine.connect() as connection:
            if (await connection.execute(_OTHERS, {"name": APPLICATION})).scalar_one():
                raise StoreRefused(
                    "in_use",
                    "Another process of Parlour has the PostgreSQL database open. Stop it first;"
                    " if a pooler stands before the server, name the server itself.",
                )
        if may_make:
            await upgrade_store(url)
        await (await open_store(url, data=data)).close()
        yield engine
    finally:
        await engine.dispose()


@contextlib.asynccontextmanager
async def _transaction(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A transaction that sees one state of the database; nobody begins to use it meanwhile."""
    async with engine.connect() as connection:
        if engine.dialect.name != "sqlite":
            await connection.execution_options(isolation_level="REPEATABLE READ")
        async with connection.begin():
            if engine.dialect.name != "sqlite":
                await connection.execute(_ALONE)
            yield connection


async def _carry(old: AsyncConnection, new: AsyncConnection, tell: Tell) -> None:
    """Copy all rows, unless they are there, and compare them."""
    identity = select(installation.c.id)
    is_there = (await old.execute(identity)).scalar_one() == (
        await new.execute(identity)
    ).scalar_one()
    sums: dict[str, Sum] = {}
    if is_there:
        tell("These matches were carried over before. Every row is compared again.")
    else:
        await _check_empty(new)
        for table in _OF_NO_MATCH:
            await new.execute(delete(table))
    for table in metadata.sorted_tables:
        write = None if is_there else new
        sums[table.name] = await _read(old, table, write=write, tell=tell)
        if sums[table.name][0]:
            tell(f"{table.name}: {sums[table.name][0]:,}")
    if not is_there:
        await _carry_numbers(old, new)
        tell("All is written. Every row is read again and compared.")
    for table in metadata.sorted_tables:
        if await _read(new, table, tell=tell) != sums[table.name]:
            raise StoreRefused(
                "other",
                f"The other database has not the same rows of the table {table.name}. The one of"
                " before stays in use. Empty the other one before you try again.",
            )
    tell(f"All {sum(rows for rows, _ in sums.values()):,} rows are there.")


async def _check_empty(new: AsyncConnection) -> None:
    for table in metadata.sorted_tables:
        if table in _OF_NO_MATCH:
            continue
        if (await new.execute(select(literal(1)).select_from(table).limit(1))).first() is not None:
            raise StoreRefused(
                "url",
                f"The other database is in use: its table {table.name} has rows. Nothing was"
                " changed. Name an empty one.",
            )


async def _read(
    connection: AsyncConnection, table: Table, *, write: AsyncConnection | None = None, tell: Tell
) -> Sum:
    """Read a table, a batch at a time, and write what is read; what it holds."""
    rows, total, said = 0, 0, time.monotonic()
    async for batch in _batches(connection, table):
        for row in batch:
            total += _hash(table, row)
        rows += len(batch)
        if write is not None:
            await write.execute(insert(raw(table)), [row._asdict() for row in batch])
        if time.monotonic() - said > _OFTEN:
            tell(f"{table.name}: {rows:,} so far")
            said = time.monotonic()
    return rows, total % (1 << 256)


async def _batches(connection: AsyncConnection, table: Table) -> AsyncIterator[Sequence[Row[Any]]]:
    """The rows of a table in the order of its key, as they are kept."""
    kept = raw(table)
    key = [kept.c[each.name] for each in table.primary_key]
    first = select(kept).order_by(*key).limit(_BATCH)
    asked = first
    while rows := (await connection.execute(asked)).all():
        yield rows
        last = [literal(rows[-1]._mapping[each], each.type) for each in key]
        asked = first.where(tuple_(*key) > tuple_(*last))


def _hash(table: Table, row: Row[Any]) -> int:
    """A number for what a row holds, the same on both databases."""
    if any("\0" in value for value in row if isinstance(value, str)):
        raise StoreRefused(
            "corrupt",
            f"A text in the table {table.name} holds a character that PostgreSQL cannot keep:"
            f" {row[0]!r} is the first value of its row.",
        )
    return int.from_bytes(blake2b(repr(tuple(row)).encode(), digest_size=32).digest())


async def _carry_numbers(old: AsyncConnection, new: AsyncConnection) -> None:
    """Have both go on with the same ids, which are never given twice."""
    for table in metadata.sorted_tables:
        column = table.autoincrement_column
        if column is None:
            continue
        names = {"name": table.name, "key": column.name}
        last = (await old.execute(_LAST[old.dialect.name], names)).scalar()
        if last:
            for statement in _SET[new.dialect.name]:
                await new.execute(statement, {**names, "last": last})


_SEQUENCE = "CAST(pg_get_serial_sequence(:name, :key) AS regclass)"
_LAST = {
    "sqlite": text("SELECT seq FROM sqlite_sequence WHERE name = :name"),
    "postgresql": text(f"SELECT pg_sequence_last_value({_SEQUENCE})"),
}
_SET = {
    "sqlite": (
        text("DELETE FROM sqlite_sequence WHERE name = :name"),
        text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"),
    ),
    "postgresql": (text(f"SELECT setval({_SEQUENCE}, :last)"),),
}
