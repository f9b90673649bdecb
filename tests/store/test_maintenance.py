"""``parlour verify`` and ``parlour backup`` on files that are not as they should be.

Each is told in one line that says what to do, with an exit code that says the same.
"""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.__main__ import main
from bot.services.verification import verify_all
from bot.store import StoreRefused, open_reader, open_store, unreadable
from bot.store.errors import StoreUnavailable
from bot.store.opening import sqlite_path
from tests.store.stored import restore_stored
from tests.support.kit import BOB, Club, a_match

REFUSED = 78


@pytest.fixture
def parlour(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Any:
    """Give a command on a database; its exit code and what it said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path))
    monkeypatch.setenv("PARLOUR_LOG_LEVEL", "ERROR")

    def give(url: str, *arguments: str) -> tuple[int, str]:
        monkeypatch.setenv("PARLOUR_DATABASE", url)
        code = main(list(arguments))
        return code, capsys.readouterr().out

    return give


def play(url: str, *, seed: int = 7) -> None:
    async def some_moves() -> None:
        store = await open_store(url)
        club = Club(store, seed=seed)
        await club.plays(await club.start(BOB), "b2 a1 c1")
        await store.close()

    asyncio.run(some_moves())


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        for statement in statements:
            file.execute(statement)


def spoil_a_page(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\0" * 4096 + whole[8192:])


def make_foreign(path: Path) -> None:
    path.unlink()
    change(path, "CREATE TABLE recipes (name TEXT)")


def make_foreign_with_revisions(path: Path) -> None:
    make_foreign(path)
    change(
        path,
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
        "INSERT INTO alembic_version VALUES ('1975ea83b712')",
    )


def make_older(path: Path) -> None:
    restore_stored(path, "0001")


def make_newer(path: Path) -> None:
    change(path, "UPDATE alembic_version SET version_num = '9999'")


def make_ahead(path: Path) -> None:
    change(path, "UPDATE alembic_version SET version_num = '9999_from_0001'")


@pytest.mark.long
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (spoil_a_page, "is damaged"),
        (lambda path: path.write_bytes(b"no database" * 1000), "is damaged"),
        (make_foreign, "not Parlour's"),
        (make_foreign_with_revisions, "not Parlour's"),
        (make_older, "parlour db upgrade"),
        (make_newer, "newer release"),
        (make_ahead, "with that release"),
        (Path.unlink, "parlour restore"),
    ],
)
def test_verify_says_in_a_line_why_it_cannot_read_a_database(
    parlour: Any, sqlite_url: str, next_release: None, spoil: Any, words: str
) -> None:
    path = sqlite_path(sqlite_url)
    play(sqlite_url)
    spoil(path)
    code, said = parlour(sqlite_url, "verify")
    assert code == REFUSED, said
    assert words in said
    assert said.count("\n") == 1


def make_different(path: Path) -> None:
    """As the first migration was before it was rewritten, under the same name."""
    change(path, "ALTER TABLE heartbeats RENAME COLUMN at TO beat_at")


def make_earlier(path: Path) -> None:
    """Of a revision from before there was but one again."""
    make_different(path)
    change(path, "UPDATE alembic_version SET version_num = '0012'")


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "spoil"),
    [
        ("run", make_different),
        ("verify", make_earlier),
        ("ratings rebuild", make_different),
        ("db upgrade", make_earlier),
        ("restore", make_different),
    ],
)
def test_a_database_with_other_tables_is_named_and_left_alone(
    parlour: Any, sqlite_url: str, tmp_path: Path, spoil: Any, command: str
) -> None:
    path, copy = sqlite_path(sqlite_url), tmp_path / "copy.db"
    play(sqlite_url)
    if command == "restore":
        assert parlour(sqlite_url, "backup", str(copy))[0] == 0
    spoil(copy if command == "restore" else path)
    before = path.read_bytes()
    given = (str(copy),) if command == "restore" else ()
    code, said = parlour(sqlite_url, *command.split(), *given)
    assert code == REFUSED, said
    assert "earlier development version" in said
    assert "heartbeats" in said
    assert said.count("\n") == 1
    assert path.read_bytes() == before


def test_a_backup_says_what_is_wrong(parlour: Any, sqlite_url: str, tmp_path: Path) -> None:
    play(sqlite_url)
    code, said = parlour(sqlite_url, "backup", str(tmp_path / "no" / "such" / "copy.db"))
    assert code == REFUSED
    assert said == (
        f"There is no folder {tmp_path / 'no' / 'such'}. Make it first, or name another one.\n"
    )
    (tmp_path / "file").write_text("in the way")
    code, said = parlour(sqlite_url, "backup", str(tmp_path / "file" / "copy.db"))
    assert code == REFUSED
    assert f"no folder {tmp_path / 'file'}" in said
    code, said = parlour(sqlite_url, "backup", str(tmp_path / ("x" * 300)))
    assert code == REFUSED
    assert "cannot be written (File name too long)" in said
    assert [each.name for each in tmp_path.glob("*.partial")] == []


@pytest.mark.skipif(os.name != "posix", reason="files have owners")
def test_a_backup_that_root_restores_belongs_to_the_user_of_the_bot(
    parlour: Any, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, copy = sqlite_path(sqlite_url), tmp_path / "copy.db"
    play(sqlite_url)
    assert parlour(sqlite_url, "backup", str(copy))[0] == 0
    given: set[str] = set()

    def chown(path: Path, _user: int, _group: int, *, follow_symlinks: bool) -> None:
        assert not follow_symlinks, "the bot's user could lead root elsewhere"
        given.add(path.name)

    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("os.chown", chown)
    code, said = parlour(sqlite_url, "restore", str(copy))
    assert code == 0, said
    assert {path.name, f"{path.name}.installation", f"{path.name}.lock"} <= given


@pytest.mark.long
def test_what_cannot_be_backed_up_is_named(parlour: Any, sqlite_url: str, tmp_path: Path) -> None:
    play(sqlite_url)
    newer, foreign = tmp_path / "newer.db", tmp_path / "foreign.db"
    assert parlour(sqlite_url, "backup", str(newer))[0] == 0
    make_newer(newer)
    code, said = parlour(sqlite_url, "restore", str(newer))
    assert (code, "newer release" in said) == (REFUSED, True)
    change(foreign, "CREATE TABLE recipes (name TEXT)")
    for url, doing in ((sqlite_url, "restore"), (f"sqlite:///{foreign}", "backup")):
        given = foreign if doing == "restore" else tmp_path / "copy.db"
        code, said = parlour(url, doing, str(given))
        assert code == REFUSED
        assert said == f"{foreign} holds nothing of Parlour's. Name another file.\n"
    assert parlour(sqlite_url, "verify") == (
        0,
        "Replayed 1 match; damaged: 0.\n",
    )


def test_a_backup_from_a_copied_file_takes_its_log_along(parlour: Any, sqlite_url: str) -> None:
    """As when the files of a killed bot are moved to another machine and restored there."""
    path = sqlite_path(sqlite_url)

    async def play_on_and_copy() -> None:
        store = await open_store(sqlite_url)
        club, match_id = await a_match(store, BOB)
        await store.database.scrub()
        await club.plays(match_id, "b2 a1 c1")
        for ending in ("", "-wal"):
            copied = path.with_name(f"copied.db{ending}")
            copied.write_bytes(path.with_name(path.name + ending).read_bytes())
        await store.close()

    asyncio.run(play_on_and_copy())
    assert parlour(sqlite_url, "restore", str(path.with_name("copied.db")))[0] == 0
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT count(*) FROM events").fetchone() == (5,)


@pytest.mark.long
def test_a_host_can_go_on_without_a_damaged_match(parlour: Any, sqlite_url: str) -> None:
    play(sqlite_url)
    path = sqlite_path(sqlite_url)
    change(path, "UPDATE events SET payload = replace(payload, 'a1', 'a2')")
    for code, words in (
        (REFUSED, "parlour verify --set-aside"),
        (0, "Counted 0 rated matches again"),
    ):
        found, said = parlour(sqlite_url, "ratings", "rebuild")
        assert (found, words in said) == (code, True), said
        found, said = parlour(sqlite_url, "verify", "--set-aside")
        assert found == 1
        assert "WRONG match" in said
    play(sqlite_url, seed=8)
    code, said = parlour(sqlite_url, "verify")
    assert (code, "Replayed 2 matches; damaged: 1." in said) == (1, True)


@pytest.mark.logs_errors
@pytest.mark.long
def test_whatever_bit_is_flipped_is_found_or_does_no_harm(sqlite_url: str) -> None:
    """And never ends in a traceback: damage may be anywhere, in heads and histories most of all."""
    for seed in range(3):
        play(sqlite_url, seed=seed)
    path = sqlite_path(sqlite_url)
    whole = path.read_bytes()
    rng = Random(19)
    moves = [found.start() for found in re.finditer(rb'\{"move"', whole)]
    places = [rng.choice(moves) + rng.randrange(-60, 150) for _ in range(20)]
    places += [rng.randrange(len(whole)) for _ in range(20)]

    async def look() -> tuple[list[Any], int]:
        store = await open_reader(sqlite_url, whole=True)
        try:
            found = await verify_all(store)
            # Which interaction led to an event is not sealed, and means nothing to the match.
            kept = [
                (match, [replace(event, interaction_id=None) for event in events])
                async for match, events in store.all_matches()
            ]
        except StoreUnavailable as trouble:
            raise unreadable(trouble) from trouble
        finally:
            await store.close()
        return kept, len(found.problems)

    good, problems = asyncio.run(look())
    assert problems == 0
    seen: Counter[str] = Counter()
    for place in places:
        spoilt = bytearray(whole)
        spoilt[place] ^= 1 << rng.randrange(8)
        path.write_bytes(spoilt)
        try:
            kept, problems = asyncio.run(look())
        except StoreRefused as refused:
            seen[refused.code] += 1
            continue
        seen["problems" if problems else "harmless"] += 1
        assert problems or kept == good, place
    assert seen["problems"] > 8
    assert set(seen) <= {"problems", "harmless", "corrupt"}
