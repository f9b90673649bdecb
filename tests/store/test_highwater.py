"""A database that is older than what was there is noticed, although it is whole in itself."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from bot.app.doctor import examine
from bot.domain.ids import MatchId
from bot.services.verification import verify_all
from bot.settings import Settings
from bot.store import Store, StoreRefused, backup, guards, open_store, restore
from bot.store.files import marker_of
from bot.store.guards import mark_of
from bot.store.opening import sqlite_path
from tests.support.kit import BOB, Club, a_match

_SEEDS = itertools.count(7)


async def _play(url: str, moves: str, match_id: MatchId | None = None) -> MatchId:
    """Play on in a match, or in a new one, and close the database; the match's id."""
    store = await open_store(url)
    club = Club(store, seed=next(_SEEDS))
    if match_id is None:
        match_id = await club.start(BOB)
    await club.plays(match_id, moves)
    await store.close()
    return match_id


async def _refused(url: str) -> str:
    with pytest.raises(StoreRefused) as caught:
        await open_store(url)
    assert caught.value.code == "rewound"
    return str(caught.value)


async def _moves(url: str) -> int:
    store = await open_store(url)
    found = await verify_all(store)
    assert found.problems == ()
    await store.close()
    return found.events


async def test_an_older_copy_of_the_database_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    match_id = await _play(sqlite_url, "b2 a1")
    path = sqlite_path(sqlite_url)
    shutil.copyfile(path, tmp_path / "yesterday")
    newest = await _play(sqlite_url, "c1", match_id)
    whole = path.read_bytes()
    shutil.copyfile(tmp_path / "yesterday", path)
    words = await _refused(sqlite_url)
    assert "newest moves are missing" in words
    assert str(mark_of(path)) in words
    assert path.read_bytes() == (tmp_path / "yesterday").read_bytes(), "nothing was written"
    found = await examine(Settings(_env_file=None, data=tmp_path, database=sqlite_url))
    (said,) = [each for each in found if each.about == "database"]
    assert not said.is_well
    assert f"remove {mark_of(path)}" in said.words
    path.write_bytes(whole)
    assert await _moves(sqlite_url) == 5
    assert newest == match_id


async def test_a_log_that_was_lost_is_noticed(sqlite_url: str) -> None:
    """As when a killed bot's file is copied without the log beside it."""
    store = await open_store(sqlite_url)
    club, match_id = await a_match(store, BOB)
    path = sqlite_path(sqlite_url)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
    file.close()
    await club.play(match_id, "b2 a1")
    whole = path.read_bytes()
    await store.close()
    path.write_bytes(whole)
    await _refused(sqlite_url)


async def test_a_history_that_went_another_way_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    """As many events, but others: the copy had been played on elsewhere."""
    match_id = await _play(sqlite_url, "b2")
    path = sqlite_path(sqlite_url)
    elsewhere = tmp_path / "elsewhere.db"
    shutil.copyfile(path, elsewhere)
    await _play(sqlite_url, "a1", match_id)
    await _play(f"sqlite:///{elsewhere}", "c1", match_id)
    shutil.copyfile(elsewhere, path)
    await _refused(sqlite_url)


async def test_the_host_may_go_on_from_an_older_copy(sqlite_url: str, tmp_path: Path) -> None:
    match_id = await _play(sqlite_url, "b2")
    path = sqlite_path(sqlite_url)
    shutil.copyfile(path, tmp_path / "yesterday")
    await _play(sqlite_url, "a1", match_id)
    shutil.copyfile(tmp_path / "yesterday", path)
    await _refused(sqlite_url)
    mark_of(path).unlink()
    assert await _moves(sqlite_url) == 3
    await _play(sqlite_url, "c1", match_id)
    assert await _moves(sqlite_url) == 4


async def test_a_restored_backup_is_meant_and_goes_on(sqlite_url: str, tmp_path: Path) -> None:
    match_id = await _play(sqlite_url, "b2")
    backup(sqlite_url, tmp_path / "backup.db")
    await _play(sqlite_url, "a1 c1", match_id)
    restore(sqlite_url, tmp_path / "backup.db")
    assert await _moves(sqlite_url) == 3


@pytest.mark.parametrize("how", ["restored", "of an older release"])
async def test_an_older_copy_is_noticed_at_once(sqlite_url: str, tmp_path: Path, how: str) -> None:
    """After a restore, or where the database was kept by a release that wrote no mark."""
    match_id = await _play(sqlite_url, "b2")
    path = sqlite_path(sqlite_url)
    shutil.copyfile(path, tmp_path / "yesterday")
    await _play(sqlite_url, "a1", match_id)
    if how == "restored":
        backup(sqlite_url, tmp_path / "backup.db")
        restore(sqlite_url, tmp_path / "backup.db")
    else:
        mark_of(path).unlink()
    assert await _moves(sqlite_url) == 4
    shutil.copyfile(tmp_path / "yesterday", path)
    await _refused(sqlite_url)


@pytest.mark.postgres
@pytest.mark.parametrize("before", ["a move", "nothing"])
async def test_a_postgres_put_back_is_no(postgres_url: str, tmp_path: Path, before: Any) -> None:
    async def opened() -> Store:
        return await open_store(postgres_url, data=tmp_path)

    store = await opened()
    club = Club(store, seed=next(_SEEDS))
    match_id = await club.start(BOB)
    if before == "nothing":
        # The process that wrote the newest move had another folder.
        await _play(postgres_url, "b2", match_id)
        await store.close()
        store = await opened()
    else:
        await club.play(match_id, "b2")
    await club.worker.drain()
    await store.close()
    await (await opened()).close()

    store = await opened()
    last = "(SELECT max(seq) FROM events)"

    def put_back(connection: Connection) -> None:
        connection.exec_driver_sql(f"DELETE FROM events WHERE seq = {last}")

    await store.database.write(put_back)
    await store.close()
    with pytest.raises(StoreRefused, match="moves that Parlour had stored are missing") as caught:
        await opened()
    assert caught.value.code == "rewound"
    settings = Settings(_env_file=None, data=tmp_path, database=postgres_url)
    said = {each.about: each for each in await examine(settings)}
    assert not said["database"].is_well
    (mark,) = tmp_path.glob("postgres-*.newest")
    assert str(mark) in said["database"].words
    mark.unlink()
    await (await opened()).close()


@pytest.mark.postgres
async def test_several_processes_may_note_in_one_folder(postgres_url: str, tmp_path: Path) -> None:
    stores = [await open_store(postgres_url, data=tmp_path) for _ in range(2)]
    clubs = [Club(store, seed=next(_SEEDS)) for store in stores]
    for club in (*clubs, clubs[0]):
        await club.plays(await club.start(BOB), "b2 a1")
    for store in stores:
        await store.close()
    await (await open_store(postgres_url, data=tmp_path)).close()
    (mark,) = tmp_path.glob("postgres-*.newest")
    assert len(mark.read_text().split()) == 3


@pytest.mark.postgres
async def test_a_folder_that_cannot_be_written_keeps_nobody_from_playing(
    postgres_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    store = await open_store(postgres_url, data=tmp_path / "file")
    assert "cannot be noted" in caplog.text
    club = Club(store, seed=next(_SEEDS))
    await club.plays(await club.start(BOB), "b2")
    await store.close()


async def test_beginning_anew_forgets_how_far_the_old_database_had_come(sqlite_url: str) -> None:
    await _play(sqlite_url, "b2")
    path = sqlite_path(sqlite_url)
    path.unlink()
    marker_of(path).unlink()
    assert await _moves(sqlite_url) == 0


@pytest.mark.parametrize("torn", [b"", b"3 ", b"\xff\xfe", b"x" * 80])
async def test_a_mark_that_cannot_be_read_is_written_anew(
    sqlite_url: str, torn: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = await _play(sqlite_url, "b2")
    path = sqlite_path(sqlite_url)
    mark_of(path).write_bytes(torn)
    await _play(sqlite_url, "a1", match_id)
    assert "is written anew" in caplog.text
    assert mark_of(path).read_text().startswith(f"{match_id} 0000000004 ")


async def test_a_second_start_is_fine(sqlite_url: str, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        await (await open_store(sqlite_url)).close()
    assert mark_of(sqlite_path(sqlite_url)).read_bytes() == b""
    assert not caplog.records


async def test_a_disk_that_is_full_does_not_undo_a_move(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(guards, "write_over", full)
        await _play(sqlite_url, "b2 a1")
    assert "could not be noted" in caplog.text
    assert await _moves(sqlite_url) == 4


async def test_the_mark_names_the_newest_event_and_nobody(sqlite_url: str) -> None:
    match_id = await _play(sqlite_url, "b2 a1")
    store = await open_store(sqlite_url)
    ((match, events),) = [each async for each in store.all_matches()]
    await store.close()
    written = mark_of(sqlite_path(sqlite_url)).read_text()
    assert written == f"{match.id} {len(events):010} {match.head_hash}\n"
    assert match.id == match_id
