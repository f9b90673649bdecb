"""When the place of a match is gone or unfit: going on elsewhere, told to those who play."""

from __future__ import annotations

from playground.forms import all_text
from tests.hosted import Game, begun


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
