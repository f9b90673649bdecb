"""Moving twice in a turn, as players see it: in Pythagoras the third move here finishes a line."""

from __future__ import annotations

from playground.forms import all_text
from tests.support.hosted import Hosted, Json, Match, begun, control, press


async def _begun(table: Hosted) -> Match:
    """A match of two people in which Anna, who begins, has made her first move."""
    anna, ben = await table.join("Anna"), await table.join("Ben")
    channel = int(anna.guild["channels"][0]["id"])
    given = {"game": "pythagoras", "options": "seats 2", "clock": "3 days a move"}
    match = Match(anna, ben, channel, await begun(table, anna, ben, channel, **given))
    await match.say(anna, "2k1")
    await table.settled()
    return match


async def test_a_player_who_moves_again_is_told_so_and_led_on(table: Hosted) -> None:
    match = await _begun(table)
    anna, ben = match.black, match.white
    answer = await match.say(ben, "1k2")
    assert "turn again" not in all_text(answer)
    elsewhere = anna.channel("games")
    answer = await anna.ask("move", elsewhere, move="3k3")
    assert "You played 3k3. It's your turn again." in all_text(answer)
    panel = await press(anna, answer, "move")
    assert control(panel, "type")
    # Pressed later, when the turn is over, it plays nothing.
    await match.say(anna, "1a1")
    late: Json = await press(anna, answer, "move")
    assert "It's not your turn" in all_text(late) or f"<@{ben.id}>" in all_text(late)
    ((found, _),) = await table.history()
    assert found.ply == 4
