"""Texts that are no move, and matches and positions that are not there."""

from __future__ import annotations

import pytest

from playground.forms import all_text
from playground.world.controls import walk
from playground.world.model import InteractionType
from tests.app.bad_input.conftest import Still

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("bad_moves")]

NO_MOVE = {
    "nothing": "",
    "six_thousand_letters": "a" * 6000,
    "nul": "a\0001",
    "right_to_left": "\u202ea1\u202c",
    "three_moves": "c3 c4 c5",
    "fence": "```c3```x",
    "everyone": "@everyone <@123456789012345678>",
}


@pytest.mark.parametrize("name", sorted(NO_MOVE))
async def test_what_is_no_move_is_refused_with_what_to_write_instead(
    still: Still, name: str
) -> None:
    answer = await still.move(NO_MOVE[name])
    said = all_text(answer)
    assert "Write one cell" in said or "for example" in said
    assert "@everyone" not in said
    assert not answer["mentions"]
    assert len(said) < 600


async def test_a_move_that_is_refused_shows_where(still: Still) -> None:
    answer = await still.move("b5", "There's already a stone on b5")
    (picture,) = [each for each in walk(answer["components"]) if each["type"] == 12]
    assert "Not allowed at: b5" in picture["items"][0]["description"]
    answer = await still.move("c3", "not your turn", by=still.game.white)
    assert f"<@{still.game.black.id}> is to move" in all_text(answer)


@pytest.mark.parametrize("command", ["match download", "match history", "match replay", "view"])
async def test_a_match_that_cannot_be_is_not_there(still: Still, command: str) -> None:
    for name in ("-1", "18446744073709551616", "../../x", "'; --", "x" * 200):
        data = await still.command(command, {"match": name})
        await still.refused(data, "no such match", kind=InteractionType.COMMAND)


@pytest.mark.parametrize("number", [-1, 2**53, 1.5, "x", True])
async def test_a_position_that_cannot_be_is_not_shown(still: Still, number: object) -> None:
    """Discord's client sends none of these; a forged one is a command that does not fit."""
    data = await still.command("match history", {"move": number})
    await still.refused(data, "has changed", "no move", kind=InteractionType.COMMAND)


async def test_a_match_of_another_server_is_not_there(still: Still) -> None:
    world = still.table.playground.world
    cleo = await still.table.join("Cleo")
    elsewhere = world.places.add_guild("Elsewhere", cleo.id)
    world.places.join(elsewhere.id, world.state.bot_id)
    (channel,) = [each.id for each in world.state.channels_of(elsewhere.id)]
    data = await still.command("match history", {"match": still.id})
    await still.refused(data, "no such match", kind=InteractionType.COMMAND, by=cleo, where=channel)
    there = await cleo.say(channel, "hello")
    for action in ("move", "resign", "text", "history", "accept", "withdraw"):
        # The control of a board carried over by hand: its match is not for those who are here.
        data = {"component_type": 2, "custom_id": f"p1:{still.id}:4:{action}:"}
        await still.refused(data, "no such match", by=cleo, where=channel, message=there)
