"""Opponents who have gone silent or left, as those who wait for them see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.app import periodic
from bot.domain.history import verify
from playground.forms import all_text
from playground.world.permissions import Permission
from tests.support.hosted import (
    Ahead,
    Hosted,
    actions,
    give_role,
    hosted,
    press,
    start_quax,
    time_passes,
    turn,
)


@pytest.mark.long
async def test_a_silent_opponent_is_nudged_and_a_week_later_the_match_is_claimed(
    table: Hosted, clock: Ahead
) -> None:
    game = await start_quax(table)
    anna, ben = game.black, game.white
    await game.say(anna, "a1")
    page = await anna.ask("match claim", game.home)
    assert "Remind your opponent first" in all_text(page)
    early = await turn(anna, page, "nudge")
    assert "<t:" in all_text(early), "it says from when on they can be reminded"
    await time_passes(table, clock, days=7, minutes=1)
    page = await anna.ask("match claim", game.home)
    after = len(ben.events)
    await turn(anna, page, "nudge")
    reminded = await ben.wait_message(
        lambda m: str(ben.id) in [each["id"] for each in m["mentions"]], after=after
    )
    assert "is waiting for your move" in all_text(reminded)
    assert "they can claim the match" in all_text(reminded)
    await table.settled()
    too_soon = all_text(await anna.ask("match claim", game.home))
    assert "<t:" in too_soon
    await time_passes(table, clock, days=7, minutes=1)
    await anna.ask("match claim", game.home)
    await table.settled()
    assert f"<@{anna.id}> wins!" in all_text(await game.board())


@pytest.mark.long
async def test_a_player_who_was_banned_is_missed_a_day_later_and_the_match_is_claimed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To Parlour, Discord answers for a banned player as for one who has left."""
    monkeypatch.setattr(periodic, "_MEMBERS", 0.05)
    clock = Ahead()
    async with hosted(tmp_path, time=clock) as table:
        game = await start_quax(table)
        anna, ben = game.black, game.white
        await game.moves("a1 b2 c3")
        give_role(table, anna, Permission.KICK_MEMBERS)
        await anna.request("DELETE", f"/guilds/{anna.guild['id']}/members/{ben.id}")
        await table.settled()
        assert not [m for m in await anna.messages(game.home) if "claim" in actions(m)]
        await time_passes(table, clock, days=1, minutes=1)
        word = await anna.wait_message(lambda m: "claim" in actions(m))
        assert f"<@{ben.id}>" in all_text(word)
        page = await press(anna, word, "claim")
        if "claim" in actions(page):
            await turn(anna, page, "claim")
        await table.settled()
        assert f"<@{anna.id}> wins!" in all_text(await game.board())
        ((match, events),) = await table.history()
        assert match.departed == (1,)
        verify(match, events)
