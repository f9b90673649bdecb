"""When the place of a match is gone or unfit: going on elsewhere, told to those who play."""

from __future__ import annotations

import pytest

from playground.forms import all_text
from tests.hosted import Game, begun


async def test_a_match_goes_on_where_its_player_says(game: Game) -> None:
    await game.say(game.black, "a1")
    await game.hosted.settled()
    old = await game.board()
    elsewhere = game.black.channel("games")
    said = await game.white.ask("match move-here", elsewhere)
    assert "The match continues here." in all_text(said)
    assert said["flags"] & 64
    await game.hosted.settled()
    boards = [m for m in await game.white.messages(elsewhere) if "1 a1" in all_text(m)]
    assert "Make a move" in str(boards[0]["components"])
    left = await game.black.message(game.home, old["id"])
    assert "Make a move" not in str(left["components"])
    answer = await game.white.ask("move", elsewhere, move="b2")
    assert "You played b2." in all_text(answer)
    await game.hosted.settled()
    assert any("2 b2" in all_text(m) for m in await game.white.messages(elsewhere))
    assert not any("2 b2" in all_text(m) for m in await game.white.messages(game.home))


@pytest.mark.long
async def test_only_a_player_moves_a_match_and_only_where_there_is_room(game: Game) -> None:
    cleo = await game.hosted.join("Cleo")
    elsewhere = game.black.channel("games")
    before = await game.hosted.history()
    said = await cleo.ask("match move-here", game.home)
    assert "no match here" in all_text(said) or "Only the players" in all_text(said)
    direct = await game.black.open_direct()
    said = await game.black.ask("match move-here", direct)
    assert "stays in the server" in all_text(said)
    assert await game.hosted.history() == before
    await game.black.ask("match move-here", elsewhere)
    await game.hosted.settled()
    dan, eve = await game.hosted.join("Dan"), await game.hosted.join("Eve")
    await begun(game.hosted, dan, eve, game.channel, options="size 5")
    said = await dan.ask("match move-here", elsewhere)
    assert "Another match is running in this channel" in all_text(said)
