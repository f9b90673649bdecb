"""Offers that make no sense, to people who cannot take them, in places where nobody can play."""

from __future__ import annotations

from typing import Any

import pytest

from playground.forms import all_text
from playground.world import shapes
from playground.world.model import ChannelType, InteractionType, Overwrite
from tests.app.bad_input.conftest import Still
from tests.support.hosted import Json

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("bad_offers")]

UNFIT = {
    "a_board_too_large": ({"options": "size 1000000000000"}, "3–15"),
    "links_of_markdown": ({"options": "[a](" * 1500}, "Can't read"),
    "nul": ({"options": "size\0 7"}, "Can't read"),
    "a_side_below_the_first": ({"side": "-1"}, "no side"),
    "six_thousand_letters_for_a_side": ({"side": "x" * 6000}, "no side", "has changed"),
    "a_game_that_is_none": ({"game": "chess"}, "There's no game"),
    "no_text_for_a_game": ({"game": 7}, "There's no game", "has changed"),
}


def _named(still: Still, user_id: int) -> Json:
    """Discord's facts about a named person: in the server, or not."""
    state = still.table.playground.world.state
    told: Json = {"users": {str(user_id): shapes.user(state.user(user_id))}}
    member = state.members.get((int(still.game.black.guild["id"]), user_id))
    if member is not None:
        shape = shapes.member(state, member, with_user=False) | {"permissions": "0"}
        told["members"] = {str(user_id): shape}
    return told


async def _play(still: Still, fields: Json, resolved: Json | None = None) -> Json:
    """``/play`` as nobody has looked at it."""
    given = {"game": "quax", "opponent": str(still.game.white.id), **fields}
    resolved = _named(still, still.game.white.id) if resolved is None else resolved
    return await still.command("play", given, resolved=resolved)


@pytest.mark.parametrize("name", sorted(UNFIT))
async def test_an_offer_that_makes_no_sense_is_refused_in_words(still: Still, name: str) -> None:
    unfit: tuple[Any, ...] = UNFIT[name]
    fields, *words = unfit
    data = await _play(still, fields)
    await still.refused(data, *words, kind=InteractionType.COMMAND, where=still.game.channel)


async def test_whom_one_cannot_play_with_is_not_asked(still: Still) -> None:
    black, world = still.game.black, still.table.playground.world
    everyone = int(black.guild["id"])
    other = world.places.join(everyone, world.places.add_user("Other", bot=True).id).user_id
    stranger = world.places.add_user("Dan").id
    role = {"roles": {str(everyone): shapes.role(world.state.roles[everyone])}}
    for value, resolved, words in (
        (black.id, None, "can't play against yourself"),
        (world.state.bot_id, None, "Bots can't take seats"),
        (other, None, "Bots can't take seats"),
        (stranger, None, "isn't in this server"),
        (4713, {}, "isn't in this server"),
        (everyone, role, "isn't in this server"),
        ("@everyone", {}, "has changed"),
    ):
        named = _named(still, int(value)) if resolved is None else resolved
        data = await _play(still, {"opponent": str(value)}, named)
        answer = await still.refused(
            data, words, kind=InteractionType.COMMAND, where=still.game.channel
        )
        assert "@everyone" not in all_text(answer)


async def test_where_nobody_can_write_no_match_is_offered(still: Still) -> None:
    world, guild = still.table.playground.world, int(still.game.black.guild["id"])
    mute = world.places.add_channel(guild, "mute")
    world.places.set_overwrite(mute, Overwrite(world.state.bot_id, 1, 0, 1 << 11))
    forum = world.places.add_channel(guild, "elsewhere", kind=ChannelType.FORUM)
    data = await _play(still, {})
    for channel, words in ((forum, "Use a text channel"), (mute, "Send Messages")):
        await still.refused(data, words, kind=InteractionType.COMMAND, where=channel.id)
