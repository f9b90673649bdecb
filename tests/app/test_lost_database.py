"""A bot that is not new on a database that is: everything beside it is lost, and Discord knows."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import asyncpg
import pytest

from bot.__main__ import main
from bot.store import StoreRefused, backup, open_store, restore, start_over, upkeep
from bot.store.tables import metadata
from playground.forms import all_text
from playground.server import Playground
from tests.support.bot_process import BotProcess
from tests.support.databases import answer_instead, both
from tests.support.hosted import Hosted, hosted, start_quax
from tests.support.until import until


async def _wipe(url: str, folder: Path) -> None:
    """Lose the database and everything beside it."""
    for each in folder.iterdir():
        each.unlink() if each.is_file() else shutil.rmtree(each)
    if url.startswith("postgresql"):
        connection = await asyncpg.connect(url)
        await connection.execute(f"TRUNCATE {', '.join(metadata.tables)} RESTART IDENTITY")
        await connection.close()


async def _refused(table: Hosted) -> StoreRefused:
    """Start the bot, which is refused."""
    with pytest.raises(StoreRefused) as caught:
        await table.start()
    table._running = None
    assert caught.value.code == "lost"
    assert "parlour db init" in str(caught.value)
    return caught.value


@pytest.mark.long
@both
async def test_a_bot_that_has_run_before_does_not_start_over_without_being_told(
    tmp_path: Path,
    database_url: str,
) -> None:
    async with hosted(tmp_path, database=database_url) as table:
        await start_quax(table)
        await table.restart()
        await table.stop()
        await _wipe(database_url, tmp_path)
        for _ in range(2):
            await _refused(table)
        await start_over(database_url)
        for _ in range(2):
            await table.start()
            assert await table.history() == ()
            await table.stop()
        await table.start()
        await start_quax(table)


@pytest.mark.long
async def test_what_is_put_back_after_the_refusal_is_taken(tmp_path: Path) -> None:
    async with hosted(tmp_path) as table:
        url = table.settings.database_url()
        game = await start_quax(table)
        await table.settled()
        await table.stop()
        kept = tmp_path.with_name("kept.db")
        backup(url, kept)
        for how in ("by hand", "by restore"):
            await _wipe(url, tmp_path)
            await _refused(table)
            if how == "by hand":
                shutil.copyfile(kept, tmp_path / "parlour.db")
            else:
                restore(url, kept)
            await table.start()
            assert len(await table.history()) == 1
            await table.stop()
        await table.start()
        assert "You played a1." in all_text(await game.say(game.black, "a1"))


@pytest.mark.long
async def test_a_database_of_the_release_before_serves_the_bot_that_it_has_served(
    tmp_path: Path,
) -> None:
    async with hosted(tmp_path) as table:
        await table.stop()
        await _wipe("", tmp_path)
        # A bot with which nobody has played yet, as the release before left it.
        store = await open_store(table.settings.database_url())
        await store.write(upkeep.serve, 0)
        await store.close()
        await table.start()


async def test_another_process_may_be_the_first_at_the_same_moment(table: Hosted) -> None:
    bot, store = table.bot, table.bot.store
    known = await store.read(upkeep.served)
    answers = iter((frozenset[int](), known))

    async def then() -> frozenset[int]:
        return next(answers)

    with pytest.MonkeyPatch.context() as patch:
        answer_instead(patch, store, upkeep.served, then)
        await bot._check_application()


@pytest.mark.long
async def test_there_is_no_starting_over_where_something_is(
    tmp_path: Path,
    sqlite_url: str,
) -> None:
    async with hosted(tmp_path, database=sqlite_url) as table:
        await start_quax(table)
        await table.settled()
    with pytest.raises(StoreRefused, match="There are matches in the database"):
        await start_over(sqlite_url)
    (tmp_path / "parlour.db").unlink()
    with pytest.raises(StoreRefused, match="parlour db init"):
        await open_store(sqlite_url)
    await start_over(sqlite_url)
    await (await open_store(sqlite_url)).close()


async def test_the_command_line_says_so_and_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a host sees it whose container came up without its volume."""
    async with Playground() as playground:
        bot = BotProcess(playground, tmp_path)
        await bot.start()
        await until(lambda: playground.world.commands.listed(None))
        await bot.kill()
        await _wipe("", tmp_path)
        with pytest.raises(AssertionError, match="ended with 78"):
            await bot.start()
        monkeypatch.setenv("PARLOUR_DATA", str(tmp_path))
        assert await asyncio.to_thread(main, ["db", "init"]) == 0
        assert "an empty database" in capsys.readouterr().out
        await bot.start()
        await bot.kill()
