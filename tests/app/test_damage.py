"""Damage on the disk is found while the bot runs, and sets one match aside, not the host."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import asyncpg
import pytest

from bot.app import periodic
from bot.app.doctor import examine
from bot.domain.ids import MatchId
from bot.domain.match import MatchStatus
from bot.privacy.services import PrivacyService
from bot.services import verification
from bot.settings import Settings
from bot.store import presence, upkeep
from bot.store.opening import sqlite_path
from playground.forms import all_text
from tests.support.databases import both_in_soak
from tests.support.hosted import (
    Ahead,
    Game,
    Hosted,
    Match,
    begun,
    hosted,
    press,
    press_action,
    start_quax,
    time_passes,
)

pytestmark = pytest.mark.logs_errors

DAMAGED = "is damaged, so it can't continue for now"
OLD_MOVE = "UPDATE events SET payload = replace(payload, 'a1', '{}') WHERE match_id = '{}'"


@pytest.fixture(autouse=True)
def _looked_through_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(periodic, "EVERY", 0.05)
    monkeypatch.setattr(verification, "_REST", timedelta())


@pytest.fixture
async def table(tmp_path: Path, database_url: str) -> AsyncIterator[Hosted]:
    async with hosted(tmp_path, database=database_url) as made:
        yield made


async def alter(url: str, statement: str) -> None:
    """Change what is stored, behind the bot's back."""
    if url.startswith("postgresql"):
        connection = await asyncpg.connect(url)
        await connection.execute(statement)
        await connection.close()
        return

    def change() -> None:
        with contextlib.closing(sqlite3.connect(sqlite_path(url))) as file, file:
            file.execute(statement)

    # The bot may be in the middle of a transaction, which goes on in this loop.
    await asyncio.to_thread(change)


async def match_in(table: Hosted, home: int) -> MatchId:
    ((match, _),) = [each for each in await table.history() if each[0].home_id == home]
    return MatchId(match.id)


async def until(table: Hosted, match_id: MatchId, *, set_aside: bool) -> None:
    async with asyncio.timeout(20):
        while True:
            found = {each.match_id for each in await table.bot.store.read(upkeep.all_set_aside)}
            if (match_id in found) is set_aside:
                return
            await asyncio.sleep(0.02)


async def harm(table: Hosted, url: str, match_id: MatchId) -> None:
    await alter(url, OLD_MOVE.format("a2", match_id))
    await until(table, match_id, set_aside=True)


async def _another(game: Game, options: str = "size 5, pie off") -> Match:
    """A second match between the same two, in a thread of its own."""
    home = await begun(game.hosted, game.black, game.white, game.channel, options=options)
    return Match(game.black, game.white, game.channel, home)


@both_in_soak
async def test_a_damaged_match_is_set_aside_and_all_others_go_on(
    table: Hosted, tmp_path: Path, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    game = await start_quax(table)
    await game.moves("a1 b2 c3")
    other = await _another(game)
    match_id = await match_in(table, game.home)
    before = await table.history()
    board = await game.board()

    await harm(table, database_url, match_id)
    assert "a match is damaged and set aside" in caplog.text
    assert f"'match': '{match_id}'" in caplog.text
    for does in ("move", "text"):
        assert DAMAGED in all_text(await press(game.white, board, does))
    for command in ("board", "match history", "match pause", "plan", "match download"):
        assert DAMAGED in all_text(await game.white.ask(command, game.home))
    assert DAMAGED in all_text(await game.say(game.white, "d4"))
    said = all_text(await game.white.ask("matches", game.home))
    assert "damaged, can't continue" in said
    assert "You played a1." in all_text(await other.say(other.black, "a1"))
    await table.settled()
    versions = [
        {each.id: each.version for each, _ in found} for found in (before, await table.history())
    ]
    assert versions[0][match_id] == versions[1][match_id]

    assert table.bot.periodic.verifier.set_aside == 1
    settings = Settings(_env_file=None, data=tmp_path, database=database_url)
    (found,) = [each for each in await examine(settings) if each.about == "matches"]
    assert not found.is_well
    assert match_id in found.words
    # The newest moves are played through at the start, and this one is known by now.
    await table.restart()
    assert DAMAGED in all_text(await game.say(game.white, "d4"))
    assert "You played b2." in all_text(await other.say(other.white, "b2"))


@pytest.mark.long
@both_in_soak
async def test_the_clock_of_a_match_that_is_set_aside_stands_and_it_goes_on_once_it_is_mended(
    tmp_path: Path, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Ahead()
    async with hosted(tmp_path, database=database_url, clock="1h", time=clock) as table:
        game = await start_quax(table)
        await game.moves("a1 b2 c3")
        match_id = await match_in(table, game.home)
        await time_passes(table, clock, minutes=50)
        await harm(table, database_url, match_id)
        await time_passes(table, clock, hours=30)
        assert await table.bot.store.read(presence.overdue, clock.now(), 9) == ()
        assert await table.bot.store.read(presence.next_deadline) is None
        assert DAMAGED in all_text(await game.say(game.white, "d4"))

        mended = OLD_MOVE.replace("'a1', '{}'", "'a2', '{}'")
        await alter(database_url, mended.format("a1", match_id))
        await until(table, match_id, set_aside=False)
        assert "a match holds again" in caplog.text
        await time_passes(table, clock, minutes=9)
        assert "You played d4." in all_text(await game.say(game.white, "d4"))
        ((match, _),) = await table.history()
        assert match.times is not None
        left = match.times.left[1]
        assert timedelta() < left <= timedelta(hours=1)
        found = await verification.verify_all(table.bot.store)
        assert found.problems == ()


@pytest.mark.long
@both_in_soak
async def test_one_can_leave_a_match_that_is_set_aside_and_be_erased(
    table: Hosted, database_url: str
) -> None:
    game = await start_quax(table)
    await game.moves("a1 b2 c3")
    match_id = await match_in(table, game.home)
    await harm(table, database_url, match_id)
    asked = await game.white.ask("match resign", game.home)
    assert "It will have no result." in all_text(asked)
    after = len(game.white.events)
    await press_action(game.white, asked, "resignyes")
    await game.white.wait_message(lambda m: "resigned" in all_text(m), after=after)
    told = await game.black.wait_message(lambda m: "was aborted" in all_text(m))
    assert str(game.black.id) in str(told)
    await table.settled()
    ((match, _),) = await table.history()
    assert (match.status, match.result) == (MatchStatus.ABORTED, None)

    privacy = table.bot.services.of(PrivacyService)
    assert isinstance(privacy, PrivacyService)
    assert (await privacy.erase(match.players[0])).kept == 1


@pytest.mark.long
@both_in_soak
@pytest.mark.parametrize(
    "damage",
    [
        "players = players || 'x'",
        "state = '?' || state",
        "options = '{', recent = '7', clock = 'x', times = '[[1', requests = '[[]]', band = '?'",
    ],
)
async def test_a_head_that_cannot_be_read_keeps_nobody_else_from_playing(
    table: Hosted, database_url: str, damage: str
) -> None:
    game = await start_quax(table)
    await game.moves("a1")
    other = await _another(game)
    match_id = await match_in(table, game.home)
    board = await game.board()
    await alter(database_url, f"UPDATE matches SET {damage} WHERE id = '{match_id}'")
    await until(table, match_id, set_aside=True)
    assert DAMAGED in all_text(await press(game.white, board, "move"))
    for command in ("matches", "lobby"):
        said = all_text(await game.white.ask(command, other.home))
        assert "went wrong" not in said
    assert "You played a1." in all_text(await other.say(other.black, "a1"))
    assert "You played b2." in all_text(await other.say(other.white, "b2"))
    await table.settled()
    assert (await table.bot.services.of(PrivacyService).erase(game.black.id)).kept >= 1  # type: ignore[arg-type]
    assert not re.search(rf"\b{game.black.id}\b", str(await _heads(database_url)))


async def _heads(url: str) -> list[object]:
    question = "SELECT players, invited FROM matches"
    if url.startswith("postgresql"):
        connection = await asyncpg.connect(url)
        found = await connection.fetch(question)
        await connection.close()
        return [tuple(row) for row in found]
    with contextlib.closing(sqlite3.connect(sqlite_path(url))) as file:
        return file.execute(question).fetchall()


@pytest.mark.long
@pytest.mark.usefixtures("sqlite_url")
async def test_a_bit_flipped_on_the_disk_is_found_although_memory_holds_what_was_there(
    table: Hosted, tmp_path: Path
) -> None:
    """Of a small database all is in memory, and would never be read again."""
    game = await start_quax(table)
    await game.moves("a1")
    await table.bot.store.database.scrub()
    match_id = await match_in(table, game.home)
    path = tmp_path / "parlour.db"
    flip = (
        "import sys; file = open(sys.argv[1], 'r+b'); at = file.read().index(b'{\"move\":\"a1')"
        "; file.seek(at + 9); file.write(b'\\xe1')"
    )
    # By another process: SQLite would lose its locks if this one closed the file.
    subprocess.run([sys.executable, "-c", flip, str(path)], check=True)
    await until(table, match_id, set_aside=True)
    assert DAMAGED in all_text(await game.say(game.white, "b2"))
