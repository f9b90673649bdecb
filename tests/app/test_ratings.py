"""Rated matches as people see them: offered, finished, and what becomes of the ratings."""

from __future__ import annotations

from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest

from bot.domain.ids import UserId
from bot.ui import rest
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from tests.support.hosted import (
    Game,
    Hosted,
    actions,
    choose,
    menus,
    offered,
    press,
    turn,
)


async def play_rated(table: Hosted, anna: Person, ben: Person, loser: Person) -> dict[str, Any]:
    """A rated match of Quax that ``loser`` gives up after two moves each; the offer."""
    seen = len(ben.events)
    await anna.ask(
        "play", anna.channel("general"), game="quax", options="size 7", opponent=ben, rated=True
    )
    offer = await offered(ben, after=seen)
    await press(ben, offer, "accept")
    await table.settled()
    match = (await table.bot.service.matches_of(UserId(anna.id)))[0]
    home = match.home_id
    assert home is not None
    order = (anna, ben) if match.players[0] == anna.id else (ben, anna)
    await Game(*order, home, home, table).moves("a1 b2 c3 d4")
    await turn(loser, await loser.ask("match resign", home), "resignyes")
    await table.settled()
    return offer


async def test_a_rated_match_from_the_offer_to_the_leaderboard(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    channel = int(anna.guild["channels"][0]["id"])
    none = await anna.ask("profile", channel)
    assert "No rated matches yet" in all_text(none)
    offer = await play_rated(table, anna, ben, loser=ben)
    assert "rated" in all_text(offer)
    ((match, _),) = await table.history()
    boards = await anna.messages(match.home_id)
    over = next(message for message in boards if "Ratings:" in all_text(message))
    assert f"<@{anna.id}> 16" in all_text(over)
    assert "(−" in all_text(over)
    card = all_text(await anna.message(channel, offer["id"]))
    assert "4 moves" in card
    assert "Ratings:" in card
    mine = await anna.ask("profile", channel)
    assert "1 match: 1 won" in all_text(mine)
    assert mine["flags"] & 64
    picture = next(part for part in walk(mine["components"]) if part["type"] == 12)
    assert picture["items"][0]["description"].startswith("Anna in Quax. 1 match.")
    theirs = await anna.ask("profile", channel, player=ben)
    assert f"You against <@{ben.id}>: 1 won, 0 drawn, 0 lost" in all_text(theirs)
    assert f"Quax: beat <@{ben.id}> (" in all_text(mine)
    best = await anna.ask("leaderboard", channel, game="quax")
    assert "Your place: 1" in all_text(best)
    everywhere = await turn(anna, best, "best:all/quax")
    assert "Best players of Quax everywhere" in all_text(everywhere)
    assert f"🥇 <@{anna.id}>" in all_text(everywhere)
    ((menu, _),) = menus(everywhere).items()
    pux = await choose(anna, everywhere, menu, "pux")
    assert "Best players of Pux everywhere" in all_text(pux)


@pytest.mark.long
async def test_ones_own_profile_is_shared_once_without_what_is_private(
    table: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    general = anna.channel("general")
    empty = await anna.ask("profile", general)
    assert "sharecard" not in actions(empty), "nothing to show yet"
    await play_rated(table, anna, ben, loser=ben)
    theirs = await anna.ask("profile", general, player=ben)
    assert "sharecard" not in actions(theirs)
    page = await anna.ask("profile", general)
    with monkeypatch.context() as patched:
        patched.setattr(rest, "follow_up", AsyncMock(side_effect=OSError))
        page = await turn(anna, page, "sharecard")
        assert "Discord refused to post it here" in all_text(page)
        nothing = property(lambda _: discord.Permissions.none())
        patched.setattr(discord.Interaction, "permissions", nothing)
        page = await turn(anna, page, "sharecard")
        assert "You can't write in this channel" in all_text(page)
    page = await turn(anna, page, "sharecard")
    assert all_text(page).endswith("Shared: everyone here can see this now.")
    assert "sharecard" not in actions(page)
    (public,) = [m for m in await ben.messages(general) if "Ratings of" in all_text(m)]
    assert f"Quax: beat <@{ben.id}> (" in all_text(public)
    assert any(part["type"] == 12 for part in walk(public["components"])), "with the graph"
    assert not any(part["type"] in {2, 3} for part in walk(public["components"]))
    assert not public["flags"] & 64
    assert not public["mentions"]
