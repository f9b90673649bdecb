"""Database files that are deleted, moved or replaced under a bot that runs: no move is lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.store import StoreRefused, restore
from bot.store.files import marker_of
from bot.store.guards import rescued_copies
from bot.store.opening import sqlite_path
from playground.forms import all_text
from tests.support.hosted import Game, Hosted, start_quax

REFUSED = "Can't save right now, so nothing has changed."


def _path(table: Hosted) -> Path:
    return sqlite_path(table.settings.database_url())


def _log(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def delete(path: Path) -> None:
    path.unlink()


def delete_all(path: Path) -> None:
    for each in path.parent.glob(f"{path.name}*"):
        each.unlink()


def replace(path: Path) -> None:
    shutil.copyfile(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


async def _moves(table: Hosted) -> list[str]:
    ((_, events),) = await table.history()
    return [str(event.payload["move"]) for event in events if "move" in event.payload]


@pytest.mark.logs_errors
@pytest.mark.parametrize("lose", [delete, delete_all, replace])
async def test_once_the_database_is_gone_no_move_is_taken_and_those_before_are_saved(
    table: Hosted, lose: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    game = await start_quax(table)
    await game.moves("a1")
    path = _path(table)
    lose(path)
    for _ in range(2):
        assert REFUSED in all_text(await game.say(game.white, "b2"))
    await table.bot.periodic.beat()
    assert not table.bot.store.is_well
    (saved,) = rescued_copies(path)
    assert f"parlour restore {saved}" in caplog.text
    assert caplog.text.count("Nothing is lost") == 1
    await table.stop()
    if lose is delete:
        with pytest.raises(StoreRefused, match=f"parlour restore {saved}"):
            await table.start()
    restore(table.settings.database_url(), saved)
    await table.start()
    assert await _moves(table) == ["a1"]
    assert "You played b2." in all_text(await game.say(game.white, "b2"))


@pytest.mark.long
@pytest.mark.logs_errors
async def test_when_the_same_files_are_back_all_goes_on_by_itself(
    table: Hosted, caplog: pytest.LogCaptureFixture
) -> None:
    game = await start_quax(table)
    await game.moves("a1")
    path = _path(table)
    away = path.with_name("away")
    away.mkdir()
    for each in (path, _log(path)):
        each.rename(away / each.name)
    assert REFUSED in all_text(await game.say(game.white, "b2"))
    assert rescued_copies(path)
    for each in (path, _log(path)):
        (away / each.name).rename(each)
    assert "You played b2." in all_text(await game.say(game.white, "b2"))
    assert "moves are taken again" in caplog.text
    assert rescued_copies(path) == []
    await table.settled()
    await table.restart()
    assert await _moves(table) == ["a1", "b2"]


@pytest.mark.long
@pytest.mark.logs_errors
async def test_a_log_that_is_deleted_costs_no_move(
    table: Hosted, caplog: pytest.LogCaptureFixture
) -> None:
    game = await start_quax(table)
    await game.moves("a1")
    path = _path(table)
    _log(path).unlink()
    for _ in range(2):
        assert REFUSED in all_text(await game.say(game.white, "b2"))
    assert caplog.text.count("until Parlour is started again") == 1
    # As after kill -9: what is in the file is all that there is.
    shutil.copyfile(path, path.with_name("copy"))
    await table.stop()
    path.with_name("copy").replace(path)
    await table.start()
    assert await _moves(table) == ["a1"]
    assert "You played b2." in all_text(await game.say(game.white, "b2"))


@pytest.mark.long
async def test_a_game_is_not_held_up_by_looking_where_the_files_are(game: Game) -> None:
    """A copy beside it, a backup, a link to it: none of them is the database."""
    path = _path(game.hosted)
    shutil.copyfile(path, path.with_name("copy"))
    path.with_name("link").hardlink_to(path)
    assert "You played a1." in all_text(await game.say(game.black, "a1"))
    assert marker_of(path).exists()
