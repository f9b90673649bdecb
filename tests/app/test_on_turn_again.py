"""Moving twice in a turn, as players see it: in Pythagoras the third move here finishes a line."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from playground.forms import all_text, find_control
from playground.person import Person
from tests.hosted import Ahead, Hosted, Json, Match, begun, time_passes

STAMP = re.compile(r"<t:(\d+):R>")


async def _begun(table: Hosted) -> Match:
    """A match of two people in which Anna, who begins, has made her first move."""
    anna, ben = await table.join("Anna"), await table.join("Ben")
    channel = int(anna.guild["channels"][0]["id"])
    given = {"game": "pythagoras", "options": "seats 2", "clock": "3 days a move"}
    match = Match(anna, ben, channel, await begun(table, anna, ben, channel, **given))
    await match.say(anna, "2k1")
    await table.settled()
    return match


async def _lines(person: Person, match: Match) -> list[tuple[str, str]]:
    """The lines that stand in the thread, the newest first: who is mentioned, and what they say."""
    found = [each for each in await person.messages(match.home) if each["content"]]
    return [(each["mentions"][0]["id"], each["content"]) for each in found if each["mentions"]]


async def _wait(table: Hosted, clock: Ahead, hours: float) -> None:
    await time_passes(table, clock, hours=hours)
    await table.settled()


async def _deadline(table: Hosted) -> int:
    ((match, _),) = await table.history()
    assert match.deadline is not None
    return int(match.deadline.timestamp())


@pytest.mark.long
async def test_a_player_who_moves_again_is_told_so_and_reminded_after_a_restart(
    table: Hosted,
    clock: Ahead,
) -> None:
    match = await _begun(table)
    anna, ben = match.black, match.white
    answer = await match.say(ben, "1k2")
    assert "turn again" not in all_text(answer)
    await table.settled()
    await time_passes(table, clock, hours=5)
    answer = await match.say(anna, "3k3")
    assert all_text(answer).startswith("You played 3k3. It's your turn again.")
    await table.settled()
    assert await _lines(ben, match) == [], "nobody is called, and the call before is gone"
    panel = await anna.press(answer, label="Make a move")
    assert "You play" in all_text(panel)
    # She leaves. What comes next depends on no process that was there.
    await table.restart()
    await _wait(table, clock, 54)
    assert await _lines(ben, match) == []
    await _wait(table, clock, 2)
    ((called, said),) = await _lines(ben, match)
    assert called == str(anna.id)
    assert f"is due <t:{await _deadline(table)}:R>" in said


@pytest.mark.long
async def test_from_another_channel_the_answer_leads_on(table: Hosted) -> None:
    match = await _begun(table)
    anna, ben = match.black, match.white
    await match.say(ben, "1k2")
    elsewhere = anna.channel("games")
    answer = await anna.ask("move", elsewhere, move="3k3")
    panel = await anna.press(answer, label="Make a move")
    assert find_control(panel, label="Type a move")
    # Pressed later, when the turn is over, it plays nothing.
    await match.say(anna, "1a1")
    late: Json = await anna.press(answer, label="Make a move")
    assert "It's not your turn" in all_text(late) or f"<@{ben.id}>" in all_text(late)
    ((found, _),) = await table.history()
    assert found.ply == 4
    assert found.deadline is not None
    assert found.deadline > found.updated_at + timedelta(days=2)
