"""PostgreSQL: settings that would lose moves, and a server that goes away."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import Connection, insert

from bot.connection import store as shards
from bot.errors import UserError
from bot.store import (
    StoreRefused,
    database,
    open_reader,
    open_store,
    postgres,
    upgrade_store,
)
from bot.store.errors import StoreUnavailable
from bot.store.tables import session_starts
from tests.support.frozen import at_next_commit, lost
from tests.support.kit import ANN, BOB, a_match, head, refused

pytestmark = pytest.mark.postgres


async def execute(url: str, *statements: Any) -> None:
    connection = await asyncpg.connect(url)
    for statement in statements:
        await connection.execute(statement)
    await connection.close()


async def test_a_server_that_forgets_commits_is_refused(postgres_url: str) -> None:
    await execute(postgres_url, "ALTER DATABASE parlour SET synchronous_commit = off")
    try:
        with pytest.raises(StoreRefused, match="synchronous_commit=off") as caught:
            await open_store(postgres_url)
        assert caught.value.code == "unsafe"
    finally:
        await execute(postgres_url, "ALTER DATABASE parlour RESET synchronous_commit")


async def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    url = f"postgresql://postgres:secret@/parlour?host={tmp_path}"
    for opening in (open_store(url), open_reader(url), upgrade_store(url)):
        with pytest.raises(StoreRefused) as caught:
            await opening
        assert caught.value.code == "unreachable"
        assert "secret" not in str(caught.value)


async def test_a_missing_driver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    url = "postgresql://postgres:secret@/parlour"
    for opening in (open_store(url), open_reader(url), upgrade_store(url)):
        with pytest.raises(StoreRefused, match="make extras") as caught:
            await opening
        assert caught.value.code == "driver"


@pytest.mark.logs_errors
async def test_a_broken_connection_refuses_one_move(postgres_url: str) -> None:
    store = await open_store(postgres_url)
    club, match_id = await a_match(store, BOB)
    await execute(
        postgres_url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = 'parlour' AND pid <> pg_backend_pid()",
    )
    click = club.click()
    refusals = []
    answer = None
    while answer is None:
        try:
            answer = await club.service.move(ANN, match_id, text="b2", interaction_id=click)
        except UserError as error:
            refusals.append((error.code, error.params))
    assert answer.code == "moved"
    assert 1 <= len(refusals) <= 10
    assert all(each == ("store_unavailable", {"reason": "unreachable"}) for each in refusals)
    await club.worker.drain()
    await store.close()


@pytest.mark.logs_errors
async def test_damage_that_the_server_finds_is_the_databases_and_no_bug(postgres_url: str) -> None:
    store = await open_store(postgres_url)
    found = "DO $$BEGIN RAISE EXCEPTION 'invalid page' USING ERRCODE = 'XX001'; END$$"
    with pytest.raises(StoreUnavailable) as caught:
        await store.database.read(lambda connection: connection.exec_driver_sql(found))
    assert caught.value.reason == "corrupt"
    await store.close()


@pytest.mark.logs_errors
async def test_when_all_connections_are_taken_the_wait_is_bounded(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(postgres_url)
    club, match_id = await a_match(store, BOB)
    database: Any = store.database
    pool = database._engine.pool
    monkeypatch.setattr(pool, "_timeout", 0.2)
    held = [await database._engine.connect() for _ in range(10)]
    await refused("store_unavailable", club.move(ANN, match_id, "b2"))
    for connection in held:
        await connection.close()
    assert (await club.move(ANN, match_id, "b2")).code == "moved"
    await club.worker.drain()
    await store.close()


@pytest.mark.parametrize("given_to_another", [False, True])
@pytest.mark.logs_errors
async def test_a_replica_that_lacks_a_commit_does_not_take_another_for_it(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, *, given_to_another: bool
) -> None:
    """It gives the numbers anew that its server had given since."""
    store = await open_store(postgres_url)
    club, match_id = await a_match(store, BOB)
    connection = await asyncpg.connect(postgres_url)
    number = int(str(await connection.fetchval("SELECT pg_current_xact_id()")))
    await connection.close()
    number += 0 if given_to_another else 1 << 40
    monkeypatch.setattr(postgres, "_number_of", lambda _: str(number))

    def unsent(_commit: Callable[[], None]) -> None:
        raise lost(store)

    with at_next_commit(store, unsent), pytest.raises(UserError) as caught:
        await club.move(ANN, match_id, "b2")
    assert caught.value.code == "store_unavailable"
    await store.close()


async def test_closing_waits_for_what_is_running(postgres_url: str) -> None:
    store = await open_store(postgres_url)
    club, match_id = await a_match(store, BOB)
    move = asyncio.create_task(club.move(ANN, match_id, "b2"))
    while not store.database._running:
        await asyncio.sleep(0)
    move.cancel()
    await store.close()
    store = await open_store(postgres_url)
    assert (await head(store, match_id)) is not None
    await store.close()


@pytest.mark.logs_errors
async def test_while_nobody_may_write_moves_are_refused(postgres_url: str) -> None:
    store = await open_store(postgres_url)
    club, match_id = await a_match(store, BOB)
    working = asyncio.create_task(club.worker.run())
    switch = "ALTER DATABASE parlour SET default_transaction_read_only"
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = 'parlour' AND pid <> pg_backend_pid()"
    )
    await execute(postgres_url, f"{switch} = on", cut)
    try:
        for _ in range(12):  # the first ones may find a connection that is cut
            await refused("store_unavailable", club.move(ANN, match_id, "b2"))
    finally:
        may_write = "SET default_transaction_read_only = off"
        await execute(postgres_url, may_write, f"{switch} = off", cut)
    async with asyncio.timeout(20):
        while True:
            try:
                await club.move(ANN, match_id, "b2")
                break
            except UserError as error:
                assert error.code == "store_unavailable"  # noqa: PT017 - of a connection that is cut
        while not any(board.version == 3 for board in club.discord.boards(match_id)):
            await asyncio.sleep(0.05)
    assert not working.done()
    await club.worker.stop()
    await working
    await store.close()


@pytest.mark.logs_errors
async def test_nobody_waits_for_a_lock_without_end(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.opening._LOCK_TIMEOUT", 1)
    store = await open_store(postgres_url)
    club, match_id = await a_match(store, BOB)
    holder = await asyncpg.connect(postgres_url)
    async with holder.transaction():
        await holder.execute("LOCK TABLE matches IN ACCESS EXCLUSIVE MODE")
        async with asyncio.timeout(10):
            with pytest.raises(UserError) as caught:
                await club.move(ANN, match_id, "b2")
        assert caught.value.code == "store_unavailable"
    await holder.close()
    assert (await club.move(ANN, match_id, "b2")).code == "moved"
    await store.close()


@pytest.mark.parametrize("code", ["deadlock_detected", "serialization_failure"])
async def test_what_the_server_took_back_is_made_again(postgres_url: str, code: str) -> None:
    store = await open_store(postgres_url)
    tries = []

    def taken_back(connection: Connection) -> int:
        tries.append(code)
        row = {"name": str(len(tries)), "at": datetime.now(UTC)}
        connection.execute(insert(session_starts), row)
        if len(tries) < 3:
            connection.exec_driver_sql(
                f"DO $$BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END$$"
            )
        return len(tries)

    assert await store.database.write(taken_back) == 3
    assert list(await store.read(shards.session_starts)) == ["3"]
    await store.close()


@pytest.mark.logs_errors
async def test_what_the_server_takes_back_every_time_is_not_made(postgres_url: str) -> None:
    store = await open_store(postgres_url)
    tries = []

    def taken_back(connection: Connection) -> None:
        tries.append(connection)
        connection.exec_driver_sql("DO $$BEGIN RAISE deadlock_detected; END$$")

    with pytest.raises(StoreUnavailable) as caught:
        await store.database.write(taken_back)
    assert caught.value.reason == "unreachable"
    assert len(tries) == 4
    await store.close()


async def test_of_two_that_wait_for_each_other_both_are_made(postgres_url: str) -> None:
    store = await open_store(postgres_url)
    tries = []

    def crosswise(connection: Connection, one: int, other: int) -> int:
        tries.append(one)
        database.hold(connection, (one,))
        if len(tries) <= 2:
            connection.exec_driver_sql("SELECT pg_sleep(0.3)")
        database.hold(connection, (other,))
        return one

    ways = ((1, 2), (2, 1))
    made = [store.database.write(partial(crosswise, one=one, other=other)) for one, other in ways]
    assert await asyncio.gather(*made) == [1, 2]
    assert len(tries) == 3, "PostgreSQL took one of them back"
    await store.close()
