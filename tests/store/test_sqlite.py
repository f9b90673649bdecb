"""SQLite: settings, lost and damaged files, trouble with the disk, other processes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, cast

import aiosqlite.core
import pytest
from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError

from bot.domain.ids import MatchId
from bot.domain.match import Scope
from bot.domain.preferences import NoticeWay
from bot.errors import UserError
from bot.privacy.services import PrivacyService
from bot.services.verification import verify_all
from bot.store import (
    Store,
    StoreRefused,
    backup,
    backup_among,
    match_feed,
    newest_backup,
    open_reader,
    open_store,
    outbox,
    restore,
    tables,
    transactions,
    upgrade_store,
    upkeep,
    waits_for_upgrade,
)
from bot.store import sqlite as sqlite_module
from bot.store.errors import StoreUnavailable
from bot.store.files import marker_of
from bot.store.opening import sqlite_path
from bot.store.sqlite import SqliteDatabase
from tests.support.kit import ANN, BOB, GUILD, Club, a_match, head, refused

PROJECT = Path(__file__).parents[2]


async def refuses(code: str, question: Any) -> str:
    with pytest.raises(StoreRefused) as caught:
        await question
    assert caught.value.code == code
    return str(caught.value)


async def writer(store: Store) -> Any:
    """The driver's connection that writes."""
    async with cast("SqliteDatabase", store.database)._writer.lent() as connection:
        return connection


async def played(url: str, moves: str = "b2 a1 c1") -> MatchId:
    """A database with one match in it, closed again; returns the match's id."""
    store = await open_store(url)
    match_id = await (club := Club(store)).start(BOB)
    await club.plays(match_id, moves)
    await store.close()
    return match_id


async def test_settings_are_what_they_should_be_on_every_connection(store: Store) -> None:
    def settings(connection: Connection) -> list[Any | None]:
        names = ("journal_mode", "synchronous", "foreign_keys", "trusted_schema", "query_only")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    assert await store.database.write(settings) == ["wal", 2, 1, 0, 0]
    assert await store.database.read(settings) == ["wal", 2, 1, 0, 1]


async def test_everything_waits_for_the_disk(
    store: Store, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = set()
    write = store.database.write

    async def noted(transaction: Any, **how: Any) -> object:
        def looked_at(connection: Connection) -> Any:
            waits.add(connection.exec_driver_sql("PRAGMA synchronous").scalar())
            return transaction(connection)

        return await write(looked_at, **how)

    monkeypatch.setattr(store.database, "write", noted)
    match_id = await club.start(BOB)
    await club.plays(match_id, "b2 a1 c1")
    await club.service.show_again(ANN, match_id)
    await club.worker.drain()
    assert waits == {2}


async def test_a_move_is_refused_where_sqlite_would_not_wait_for_the_disk(club: Club) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite_module, "_set", _not_taken)
        with pytest.raises(RuntimeError, match="journal_mode"):
            await club.start(BOB)
    match_id = await club.start(BOB)
    assert (await club.move(ANN, match_id, "b2")).match.ply == 1


def _not_taken(_connection: Any, name: str, wanted: Any, _expected: Any) -> None:
    raise RuntimeError(f"SQLite did not take {name}={wanted}")


@pytest.mark.parametrize("way", ["a folder", "no database", "closed", "read"])
async def test_no_thread_of_the_driver_outlives_what_needed_it(
    way: NoticeWay, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would speak to an event loop that is closed by then."""

    def slowly(_: Any, what: Any = None) -> None:
        if "stop" in repr(what):
            time.sleep(0.1)

    monkeypatch.setattr(aiosqlite.core.LOG, "debug", slowly)
    if way == "a folder":
        for opening in (open_store, open_reader, waits_for_upgrade):
            with pytest.raises(StoreRefused):
                await opening(f"sqlite:///{tmp_path}")
    elif way == "no database":
        (tmp_path / "other.db").write_text("nothing that SQLite knows" * 1000)
        for opening in (open_store, open_reader, waits_for_upgrade):
            await refuses("corrupt", opening(f"sqlite:///{tmp_path}/other.db"))
    else:
        store = await (open_store if way == "closed" else open_reader)(sqlite_url)
        await store.read(upkeep.is_used)
        await store.close()
    running = [each for each in threading.enumerate() if "_connection_worker" in each.name]
    if way != "a folder":
        # A closed one has told the loop so already, which is the last that it tells.
        for each in running:
            each.join(30)
        running = [each for each in running if each.is_alive()]
    assert not running


async def test_a_cancelled_caller_leaves_a_whole_transaction(store: Store) -> None:
    noted = []

    def two(connection: Connection) -> None:
        for name in ("one", "two"):
            connection.exec_driver_sql(f"INSERT INTO installation VALUES ('{name}', 1)").close()

    for _ in range(4):
        caller = asyncio.create_task(store.database.write(two, after=lambda: noted.append(1)))
        for _ in range(len(noted) + 1):
            await asyncio.sleep(0)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        found = await store.database.write(
            lambda c: set(c.exec_driver_sql("SELECT id FROM installation").scalars())
        )
        assert {"one", "two"} <= found
        assert len(noted) == 1
        await store.database.write(
            lambda c: c.exec_driver_sql(
                "DELETE FROM installation WHERE id IN ('one', 'two')"
            ).close()
        )
        noted.clear()


async def test_an_error_in_a_read_is_the_stores_own_kind(store: Store, club: Club) -> None:
    """The driver reads a row when it is asked for it, so what fails may fail after the first."""
    await club.play(await club.start(BOB), "b2 a1")
    everything = select(tables.events.c.seq)

    def read(connection: Connection, steps: Any) -> int | None:
        file: Any = connection.connection.driver_connection
        left = iter(range(steps))
        file.set_progress_handler(lambda: next(left, None) is None, 1)
        try:
            return len(connection.execute(everything).all())
        except DBAPIError:
            return None
        finally:
            file.set_progress_handler(None, 0)

    found = [await store.database.read(partial(read, steps=steps)) for steps in range(60)]
    assert set(found) == {None, 4}
    await club.worker.drain()


async def test_a_read_is_of_one_moment(store: Store, club: Club) -> None:
    match_id = await club.start(BOB)
    looked, moved = threading.Event(), threading.Event()

    def twice(connection: Connection) -> Any:
        before = transactions.match(connection, match_id, None)
        looked.set()
        moved.wait(10)
        return before, transactions.match(connection, match_id, None)

    reading = asyncio.create_task(store.database.read(twice))
    await asyncio.to_thread(looked.wait, 10)
    await club.play(match_id, "b2")
    moved.set()
    before, after = await reading
    assert before == after
    assert (await head(store, match_id)).version > after.version
    await club.worker.drain()


async def test_a_failed_read_keeps_nobody_in_the_past(store: Store, club: Club) -> None:
    match_id = await club.start(BOB)

    def fails(connection: Connection) -> None:
        transactions.match(connection, match_id, None)
        raise UserError("stopped")

    with pytest.raises(UserError):
        await store.database.read(fails)
    before = await head(store, match_id)
    await club.play(match_id, "b2")
    assert (await head(store, match_id)).version > before.version
    await club.worker.drain()


@pytest.mark.logs_errors
async def test_readers_cannot_write(store: Store) -> None:
    with pytest.raises(StoreUnavailable):
        await store.database.read(lambda c: c.exec_driver_sql("DELETE FROM matches").close())


async def test_tables_take_no_value_of_another_type(sqlite_url: str) -> None:
    await played(sqlite_url)
    with sqlite3.connect(sqlite_path(sqlite_url)) as file:
        for table in ("matches", "events", "seats", "posts", "outbox", "installation"):
            row = file.execute("SELECT strict FROM pragma_table_list WHERE name = ?", (table,))
            assert row.fetchone() == (1,), table
        with pytest.raises(sqlite3.IntegrityError):
            file.execute("UPDATE matches SET version = 'many'")
    file.close()


async def test_what_may_write_holds_the_lock_at_once(store: Store, sqlite_url: str) -> None:
    def look(connection: Connection) -> str:
        connection.exec_driver_sql("SELECT count(*) FROM matches").close()
        other = sqlite3.connect(sqlite_path(sqlite_url), timeout=0)
        try:
            with pytest.raises(sqlite3.OperationalError) as caught:
                other.execute("BEGIN IMMEDIATE")
        finally:
            other.close()
        return str(caught.value)

    assert await store.database.write(look) == "database is locked"


async def test_a_second_process_is_refused_and_told_what_to_do(sqlite_url: str) -> None:
    store = await open_store(sqlite_url)
    words = await refuses("in_use", open_store(sqlite_url))
    assert "PostgreSQL" in words
    script = textwrap.dedent(
        f"""
        import asyncio
        from bot.store import StoreRefused, open_store
        try:
            asyncio.run(open_store({sqlite_url!r}))
        except StoreRefused as error:
            print(error.code)
        """
    )
    found = subprocess.run(
        [sys.executable, "-c", script], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "in_use"
    await store.close()
    await (await open_store(sqlite_url)).close()


async def test_a_missing_or_empty_database_is_refused_where_there_was_one(sqlite_url: str) -> None:
    await played(sqlite_url)
    path = sqlite_path(sqlite_url)
    losses: tuple[Callable[[], object], ...] = (path.unlink, lambda: path.write_bytes(b""))
    for loss in losses:
        loss()
        words = await refuses("lost", open_store(sqlite_url))
        assert "parlour restore" in words
        assert str(marker_of(path)) in words
        await refuses("lost", open_reader(sqlite_url))
    assert path.read_bytes() == b""
    marker_of(path).unlink()
    store = await open_store(sqlite_url)
    assert (await verify_all(store)).checked == 0
    await store.close()


async def test_a_first_start_makes_the_file_and_its_folder(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/new/parlour.db"
    await (await open_store(url)).close()
    assert (tmp_path / "new/parlour.db").exists()
    assert (tmp_path / "new/parlour.db.installation").exists()
    await upgrade_store(url)


async def test_the_file_of_another_installation_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    await played(sqlite_url)
    other = f"sqlite:///{tmp_path}/other.db"
    await played(other)
    shutil.copyfile(sqlite_path(other), sqlite_path(sqlite_url))
    await refuses("other", open_store(sqlite_url))


@pytest.mark.parametrize("left", [b"", b"\0" * 33, b"0123", "é\n".encode("latin-1")])
async def test_an_emptied_note_of_the_installation_is_renewed(sqlite_url: str, left: bytes) -> None:
    match_id = await played(sqlite_url)
    marker = marker_of(sqlite_path(sqlite_url))
    whole = marker.read_bytes()
    marker.write_bytes(left)
    store = await open_store(sqlite_url)
    assert len(await store.read(transactions.history, match_id, Scope(GUILD))) == 5
    await store.close()
    assert marker.read_bytes() == whole


@pytest.mark.parametrize("way", ["started", "restored"])
async def test_what_a_start_depends_on_is_on_the_disk_before_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    url, other = f"sqlite:///{tmp_path}/here/parlour.db", f"sqlite:///{tmp_path}/there/parlour.db"
    await played(other)
    backup(other, tmp_path / "backup.db")
    written: list[int] = []
    fsync = os.fsync

    def noted(handle: int) -> None:
        fsync(handle)
        written.append(os.fstat(handle).st_ino)

    monkeypatch.setattr(os, "fsync", noted)
    if way == "started":
        await (await open_store(url)).close()
    else:
        restore(url, tmp_path / "backup.db")
    marker = marker_of(sqlite_path(url))
    assert marker.stat().st_ino in written
    assert marker.parent.stat().st_ino in written[written.index(marker.stat().st_ino) :]


async def test_the_log_of_a_lost_database_is_not_restored(sqlite_url: str, tmp_path: Path) -> None:
    """SQLite would take it for that of the file that it lies beside."""
    path, target = sqlite_path(sqlite_url), tmp_path / "backup.db"
    store = await open_store(sqlite_url)
    club = Club(store)
    match_id = await club.start(BOB)
    backup(sqlite_url, target)
    await store.database.scrub()
    await club.start(BOB)
    log = path.with_name(path.name + "-wal").read_bytes()
    await store.close()
    path.unlink()
    path.with_name(path.name + "-wal").write_bytes(log)
    restore(sqlite_url, target)
    store = await open_store(sqlite_url)
    assert [match.id async for match, _ in store.all_matches()] == [match_id]
    await store.close()


async def test_the_newest_backups_are_kept_and_whole(sqlite_url: str, tmp_path: Path) -> None:
    store, folder = await open_store(sqlite_url), tmp_path / "backups"
    folder.mkdir()
    (folder / "parlour.db").write_text("another program's")
    assert newest_backup(folder) is None
    club, now = Club(store), datetime(2026, 1, 31, 23, tzinfo=UTC)
    made = []
    for _ in range(3):
        await club.start(BOB)
        made.append(backup_among(sqlite_url, folder, now, keep=2))
        now += timedelta(hours=1)
    wanted = {match.id async for match, _ in store.all_matches()}
    await store.close()
    assert {*folder.iterdir()} == {*made[1:], folder / "parlour.db"}
    assert newest_backup(folder) == made[-1]
    with pytest.raises(StoreRefused):
        backup_among(sqlite_url, folder, now - timedelta(hours=1), keep=1)
    assert made[1].exists(), "nothing goes before another is whole"
    sqlite_path(sqlite_url).unlink()
    restore(sqlite_url, made[-1])
    store = await open_store(sqlite_url)
    assert {match.id async for match, _ in store.all_matches()} == wanted
    await store.close()


async def test_a_newer_database_is_refused_and_left_alone(sqlite_url: str) -> None:
    await played(sqlite_url)
    path = sqlite_path(sqlite_url)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
    file.close()
    before = path.read_bytes()
    assert "newer" in await refuses("newer", open_store(sqlite_url))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:///:memory:", "mysql://x/y", "what is this", ""]
)
async def test_an_address_that_cannot_be_used_is_refused(url: str) -> None:
    await refuses("url", open_store(url))


def damages(path: Path) -> Iterator[bytes]:
    """Ways in which a file can be spoilt; each leaves it as no SQLite file of ours."""
    whole = path.read_bytes()
    page = 4096
    yield b"\0" * 100 + whole[100:]
    yield whole[: len(whole) // 2]
    yield whole[:page] + b"\0" * page + whole[2 * page :]
    yield b"not a database at all" * 1000
    at = whole.index(b"../.../... x") + 1
    yield whole[:at] + b"x" + whole[at + 1 :]


async def test_a_damaged_file_is_refused_before_anything_is_written(sqlite_url: str) -> None:
    await played(sqlite_url)
    path = sqlite_path(sqlite_url)
    whole = path.read_bytes()
    spoilt = list(damages(path))
    assert len(spoilt) == 5
    for number, content in enumerate(spoilt):
        path.write_bytes(content)
        words = await refuses("corrupt", open_store(sqlite_url))
        assert "restore" in words, number
        assert path.read_bytes() == content, number
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
    path.write_bytes(whole)
    await (await open_store(sqlite_url)).close()


async def test_a_move_changed_behind_our_back_is_found_at_the_next_start(sqlite_url: str) -> None:
    await played(sqlite_url)
    path = sqlite_path(sqlite_url)
    for statement in (
        'UPDATE events SET payload = \'{"move":"c3"}\' WHERE seq = 3',
        "DELETE FROM events WHERE seq = 5",
        "UPDATE matches SET head_hash = '{}'".format("0" * 64),
        "UPDATE matches SET state = replace(state, 'x', 'o')",
        "UPDATE matches SET players = '[2,1]'",
    ):
        kept = path.read_bytes()
        with sqlite3.connect(path) as file:
            file.execute(statement)
        file.close()
        await refuses("corrupt", open_store(sqlite_url))
        path.write_bytes(kept)


@pytest.mark.logs_errors
async def test_a_full_disk_refuses_moves_until_there_is_room(store: Store) -> None:
    club, match_id = await a_match(store, BOB)

    def pages(connection: Connection) -> Any | None:
        return connection.exec_driver_sql("PRAGMA page_count").scalar()

    def limit(to: Any) -> Any:
        return lambda c: c.exec_driver_sql(f"PRAGMA max_page_count = {to}").close()

    await store.database.write(limit(await store.database.write(pages)))
    before = await club.service.match(ANN, match_id)
    refusal = None
    for number in range(60):
        try:
            await club.offer(BOB, by=ANN, options={"size": 5})
        except UserError as error:
            refusal = error
            break
        assert number < 59
    assert refusal is not None
    assert (refusal.code, refusal.params) == ("store_unavailable", {"reason": "full"})
    assert await club.service.match(ANN, match_id) == before
    await store.database.write(limit(2**30))
    assert (await club.move(ANN, match_id, "b2")).code == "moved"


@pytest.mark.logs_errors
async def test_a_lock_delays_a_move_and_then_refuses_it(store: Store, sqlite_url: str) -> None:
    club, match_id = await a_match(store, BOB)
    await (await writer(store)).execute_fetchall("PRAGMA busy_timeout = 200")
    shell = sqlite3.connect(sqlite_path(sqlite_url), check_same_thread=False)
    shell.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    with pytest.raises(UserError) as caught:
        await club.move(ANN, match_id, "b2")
    assert 0.15 < time.monotonic() - began < 5
    assert caught.value.params == {"reason": "locked"}
    # Reading goes on meanwhile, and a lock that is given back in time only delays.
    assert (await club.service.match(ANN, match_id)).ply == 0
    await (await writer(store)).execute_fetchall("PRAGMA busy_timeout = 60000")
    move = asyncio.create_task(club.move(ANN, match_id, "b2"))
    await asyncio.sleep(0.05)
    shell.rollback()
    assert (await move).code == "moved"
    shell.close()


@pytest.mark.logs_errors
async def test_a_disk_that_became_read_only_refuses_moves(store: Store) -> None:
    club, match_id = await a_match(store, BOB)

    raw = await writer(store)
    await raw.execute_fetchall("PRAGMA query_only = ON")
    assert await refused("store_unavailable", club.move(ANN, match_id, "b2")) == {
        "reason": "readonly"
    }
    await raw.execute_fetchall("PRAGMA query_only = OFF")
    assert (await club.move(ANN, match_id, "b2")).match.version == 3


@pytest.mark.logs_errors
async def test_after_an_io_error_the_writer_has_a_new_connection(store: Store) -> None:
    from sqlalchemy.exc import OperationalError

    club, match_id = await a_match(store, BOB)
    database = store.database
    first = await writer(store)

    def fail(connection: Connection) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = "SQLITE_IOERR_FSYNC"
        raise OperationalError("COMMIT", None, error)

    with pytest.raises(StoreUnavailable) as caught:
        await database.write(fail)
    assert caught.value.reason == "io"
    assert (await club.move(ANN, match_id, "b2")).code == "moved"
    assert await writer(store) is not first


async def test_a_transaction_that_ends_by_force_leaves_no_connection_behind(store: Store) -> None:
    class Died(BaseException):
        pass

    def die(connection: Connection) -> None:
        raise Died

    await store.read(upkeep.is_used)  # a reader keeps the log
    before = await writer(store)
    with pytest.raises(Died):
        await store.database.write(die)
    await store.database.scrub()
    assert await writer(store) is not before


async def closed(connection: Any) -> None:
    """Wait until a connection that the store gave up has closed its files.

    Its thread does so later; files :func:`out_of_reach` come back under their old numbers, which
    would belong to others by then.
    """
    await asyncio.to_thread(connection._thread.join, 10)
    assert not connection._thread.is_alive()


@contextlib.contextmanager
def out_of_reach(url: str) -> Any:
    """The files of a database cannot be read any more by this process, which has them open."""
    own = Path("/proc/self/fd")
    if not own.is_dir():
        pytest.skip("the open files of a process cannot be looked up here")
    name = str(sqlite_path(url))
    found = []
    for each in own.iterdir():
        with contextlib.suppress(OSError):
            if str(each.readlink()) in (name, f"{name}-wal"):
                found.append(int(each.name))
    # Only now, since a copy may get the number under which this folder was listed.
    kept = {number: os.dup(number) for number in found}
    assert kept
    for number in kept:
        # Its size is still told, so that SQLite does not take a short file for a damaged one.
        shut = os.open((own / str(number)).readlink(), os.O_PATH)
        os.dup2(shut, number)
        os.close(shut)
    try:
        yield
    finally:
        for number, file in kept.items():
            os.dup2(file, number)
            os.close(file)


@pytest.mark.logs_errors
async def test_a_file_out_of_reach_is_trouble(store: Store, sqlite_url: str) -> None:
    club, match_id = await a_match(store, BOB)
    before = await writer(store)

    with contextlib.ExitStack() as until_then:

        def lose(connection: Connection) -> None:
            connection.exec_driver_sql("PRAGMA shrink_memory").close()
            until_then.enter_context(out_of_reach(sqlite_url))
            connection.exec_driver_sql("SELECT * FROM events").close()

        with pytest.raises(StoreUnavailable) as caught:
            await store.database.write(lose)
        await closed(before)
    assert caught.value.reason == "io"
    assert (await club.move(ANN, match_id, "b2")).code == "moved"
    assert await writer(store) is not before


@pytest.mark.logs_errors
async def test_who_is_erased_is_told_so_even_where_the_log_cannot_be_emptied(
    store: Store, club: Club, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.start(BOB)
    await club.worker.drain()
    database = store.database
    empty_log = cast("SqliteDatabase", database)._empty_log

    async def fail() -> None:
        before = await writer(store)
        with out_of_reach(sqlite_url):
            try:
                await empty_log()
            finally:
                await closed(before)

    monkeypatch.setattr(database, "_empty_log", fail)
    privacy = PrivacyService(store, club.service, club.clock, Random(3))
    assert (await privacy.erase(BOB.user_id)).kept == 1
    monkeypatch.undo()
    assert (await privacy.erase(BOB.user_id)).kept == 0
    await database.scrub()


@pytest.mark.logs_errors
@pytest.mark.spoils
async def test_nothing_is_written_any_more_once_damage_is_seen(store: Store) -> None:
    from sqlalchemy.exc import DatabaseError

    club, match_id = await a_match(store, BOB)

    def fail(connection: Connection) -> None:
        error = sqlite3.DatabaseError("database disk image is malformed")
        error.sqlite_errorname = "SQLITE_CORRUPT"
        raise DatabaseError("SELECT", None, error)

    with pytest.raises(StoreUnavailable):
        await store.database.read(fail)
    assert await refused("store_unavailable", club.move(ANN, match_id, "b2")) == {
        "reason": "corrupt"
    }


@pytest.mark.long
async def test_after_closing_there_is_a_refusal(sqlite_url: str) -> None:
    store = await open_store(sqlite_url)
    await store.close()
    await store.close()
    for question in (
        store.read(outbox.next_due),
        store.write(match_feed.show_again, MatchId("x"), Club(store).clock.now()),
    ):
        with pytest.raises(StoreUnavailable):
            await question
    script = f"""
import asyncio
from bot.store import open_store, outbox
async def main():
    store = await open_store({sqlite_url!r})
    await store.read(outbox.next_due)
    raise SystemExit(3)
asyncio.run(main())
"""
    found = subprocess.run([sys.executable, "-c", script], cwd=PROJECT, timeout=60, check=False)
    assert found.returncode == 3


async def test_a_backup_made_meanwhile_holds(sqlite_url: str, tmp_path: Path) -> None:
    store = await open_store(sqlite_url)
    club = Club(store)
    matches = [await club.start(BOB, options={"size": 5}) for _ in range(5)]
    target = tmp_path / "backup.db"
    going = asyncio.create_task(asyncio.to_thread(backup, sqlite_url, target))
    played_on = 0
    for text in ("a1", "b2", "c4", "d1", "e5", "a3"):
        for match_id in matches:
            await club.play(match_id, text)
            played_on += 1
    size = await going
    assert size == target.stat().st_size > 0
    assert played_on == 30
    with pytest.raises(StoreRefused, match="exists"):
        backup(sqlite_url, target)
    with pytest.raises(StoreRefused, match="Another process"):
        restore(sqlite_url, target)
    await store.close()
    aside = restore(sqlite_url, target)
    assert aside is not None
    assert aside.exists()
    store = await open_store(sqlite_url)
    found = await verify_all(store)
    assert (found.checked, found.problems) == (5, ())
    await store.close()


async def test_what_cannot_be_backed_up_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    with pytest.raises(StoreRefused, match="no database"):
        backup(f"sqlite:///{tmp_path}/none.db", target)
    with pytest.raises(StoreRefused, match="pg_dump"):
        backup("postgresql://localhost/x", target)
    with pytest.raises(StoreRefused, match="no backup"):
        restore(sqlite_url, target)
    match_id = await played(sqlite_url)
    before = sqlite_path(sqlite_url).read_bytes()
    target.write_bytes(before[: len(before) // 2])
    with pytest.raises(StoreRefused, match="damaged"):
        restore(sqlite_url, target)
    with sqlite3.connect(other := tmp_path / "other.db") as file:
        file.execute("CREATE TABLE installation (id TEXT)")
    file.close()
    with pytest.raises(StoreRefused, match="damaged"):
        restore(sqlite_url, other)
    assert sqlite_path(sqlite_url).read_bytes() == before
    sqlite_path(sqlite_url).write_bytes(b"nonsense" * 1000)
    target.unlink()
    with pytest.raises(StoreRefused, match="cannot be backed up"):
        backup(sqlite_url, target)
    assert not list(tmp_path.glob("*.partial"))
    assert match_id


async def test_a_reader_writes_nothing(club: Club, sqlite_url: str, tmp_path: Path) -> None:
    await refuses("lost", open_reader(f"sqlite:///{tmp_path}/none.db"))
    match_id = await club.start(BOB)
    reader = await open_reader(sqlite_url)
    await club.play(match_id, "b2")
    assert (await verify_all(reader)).events == 3
    with pytest.raises(StoreUnavailable):
        await reader.write(match_feed.show_again, match_id, club.clock.now())
    await reader.close()
    await club.worker.drain()


@pytest.mark.parametrize("point", ["c12", "c13"])
async def test_a_kill_leaves_nothing_half_done(point: str, sqlite_url: str, tmp_path: Path) -> None:
    if point == "c12":
        url = f"sqlite:///{tmp_path}/fresh.db"
        script = (
            f"import asyncio\nfrom bot.store import open_store\nasyncio.run(open_store({url!r}))"
        )
    else:
        url = sqlite_url
        await played(url)
        script = (
            "from pathlib import Path\nfrom bot.store import backup\n"
            f"backup({url!r}, Path({str(tmp_path / 'b.db')!r}))"
        )
    died = subprocess.run(
        [sys.executable, "-c", script],
        cwd=PROJECT,
        env={**os.environ, "PARLOUR_FAILPOINT": point},
        check=False,
    )
    assert died.returncode == -9
    assert not (tmp_path / "b.db").exists()
    store = await open_store(url)
    assert (await verify_all(store)).problems == ()
    await store.close()
    if point == "c13":
        backup(url, tmp_path / "b.db")
