"""PostgreSQL: settings that would lose moves, and a server that goes away."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from bot.errors import UserError
from bot.store import StoreRefused, open_reader, open_store, upgrade_store
from tests.kit import ANN, BOB, Club

pytestmark = pytest.mark.postgres


async def execute(url, statement):
    connection = await asyncpg.connect(url)
    await connection.execute(statement)
    await connection.close()


async def test_a_server_that_forgets_commits_is_refused(postgres_url):
    await execute(postgres_url, "ALTER DATABASE parlour SET synchronous_commit = off")
    try:
        with pytest.raises(StoreRefused, match="synchronous_commit=off") as caught:
            await open_store(postgres_url)
        assert caught.value.code == "unsafe"
    finally:
        await execute(postgres_url, "ALTER DATABASE parlour RESET synchronous_commit")


async def test_a_server_that_is_not_there_is_told(tmp_path):
    url = f"postgresql://postgres:secret@/parlour?host={tmp_path}"
    for opening in (open_store(url), open_reader(url), upgrade_store(url)):
        with pytest.raises(StoreRefused) as caught:
            await opening
        assert caught.value.code == "unreachable"
        assert "secret" not in str(caught.value)


@pytest.mark.logs_errors
async def test_a_connection_that_breaks_refuses_one_move_and_then_goes_on(postgres_url):
    store = await open_store(postgres_url)
    club = Club(store)
    match_id = await club.start(BOB)
    await club.worker.drain()
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
async def test_when_all_connections_are_taken_the_wait_is_bounded(postgres_url, monkeypatch):
    store = await open_store(postgres_url)
    club = Club(store)
    match_id = await club.start(BOB)
    await club.worker.drain()
    pool = store._database._engine.pool
    monkeypatch.setattr(pool, "_timeout", 0.2)
    held = [await store._database._engine.connect() for _ in range(10)]
    with pytest.raises(UserError) as caught:
        await club.move(ANN, match_id, "b2")
    assert caught.value.code == "store_unavailable"
    for connection in held:
        await connection.close()
    assert (await club.move(ANN, match_id, "b2")).code == "moved"
    await club.worker.drain()
    await store.close()


async def test_closing_waits_for_what_is_running(postgres_url):
    store = await open_store(postgres_url)
    club = Club(store)
    match_id = await club.start(BOB)
    await club.worker.drain()
    move = asyncio.create_task(club.move(ANN, match_id, "b2"))
    while not store._database._running:
        await asyncio.sleep(0)
    move.cancel()
    await store.close()
    store = await open_store(postgres_url)
    assert (await store.load(match_id, None)).match is not None
    await store.close()
