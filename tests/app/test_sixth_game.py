"""A game that nobody outside its package knows: it is offered, played, shown and explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import catalog
from games.installed import LeftOut
from playground.forms import all_text
from tests.support.hosted import Game, Hosted, begun, hosted


async def _start(table: Hosted, options: str = "") -> Game:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    channel = int(anna.guild["channels"][0]["id"])
    command = await anna.command("play", channel)
    field = next(each for each in command["options"] if each["name"] == "game")
    assert "rows" in [choice["value"] for choice in field["choices"]]
    home = await begun(table, anna, ben, channel, game="rows", options=options)
    return Game(anna, ben, channel, home, table)


async def test_the_sixth_game_is_played_to_its_end_by_tapping(table: Hosted) -> None:
    game = await _start(table, "pie off")
    movers = (game.black, game.white)
    for number, move in enumerate(("a1", "b2", "a2", "c3", "a3")):
        told = await game.tap(movers[number % 2], move)
        assert f"You played {move}." in all_text(told)
        await table.settled()
    assert f"<@{game.black.id}> wins!" in all_text(await game.board())
    rules = await game.black.ask("rules", game.channel, game="rows")
    assert "Rows" in all_text(rules)


async def test_a_game_that_is_left_out_is_named_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    gone = LeftOut("walk", "walking", "RuntimeError: torn")
    monkeypatch.setattr(catalog, "LEFT_OUT", (gone,))
    async with hosted(tmp_path):
        (said,) = [each.getMessage() for each in caplog.records if "left out" in each.getMessage()]
    assert all(words in said for words in ("walk", "walking", "RuntimeError: torn"))
