"""Offers that make no sense, to people who cannot take them, in places where nobody can play."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from playground.forms import all_text, find_control
from playground.person import Person
from playground.world import shapes
from playground.world.model import ChannelType, InteractionType, Overwrite
from tests.app.bad_input.conftest import Still
from tests.support.hosted import Json, decline

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("bad_offers")]

UNFIT = {
    "a_board_too_large": ({"options": "size 99"}, "3 to 15"),
    "a_board_of_nothing": ({"options": "size 0"}, "3 to 15"),
    "a_board_of_one_cell": ({"options": "size 1"}, "3 to 15"),
    "an_enormous_board": ({"options": "size 1000000000000"}, "3 to 15"),
    "minus_nought": ({"options": "size -0"}, "3 to 15"),
    "half_a_cell": ({"options": "size 7.25"}, "3 to 15"),
    "no_number": ({"options": "size NaN"}, "3 to 15"),
    "an_exponent": ({"options": "size 1e1"}, "3 to 15"),
    "other_digits": ({"options": "size ²"}, "3 to 15", "Can't read"),
    "a_name_without_value": ({"options": "size"}, "Write a value after size", "3 to 15"),
    "a_value_that_is_none": ({"options": "pie perhaps"}, "on, off"),
    "the_same_twice": ({"options": "size 7 size 9"}, "twice"),
    "an_option_of_another_game": ({"options": "komi 1e308"}, "Can't read"),
    "a_handicap": ({"options": "handicap 99"}, "Can't read"),
    "links_of_markdown": ({"options": "[a](" * 1500}, "Can't read"),
    "nul": ({"options": "size\0 7"}, "Can't read"),
    "a_side_that_is_none": ({"side": "green"}, "no side", "There's no side"),
    "a_side_beyond_the_last": ({"side": "9"}, "no side"),
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


@pytest.mark.parametrize(
    ("who", "words"),
    [
        ("oneself", "can't play against yourself"),
        ("this_bot", "Bots can't take seats"),
        ("another_bot", "Bots can't take seats"),
        ("a_stranger_to_the_server", "isn't in this server"),
        ("nobody_whom_discord_names", "isn't in this server"),
        ("everyone", "isn't in this server"),
        ("words", "has changed"),
    ],
)
async def test_whom_one_cannot_play_with_is_not_asked(still: Still, who: str, words: str) -> None:
    black = still.game.black
    world = still.table.playground.world
    everyone = int(black.guild["id"])
    value: str
    resolved: Json
    if who == "words":
        value, resolved = "@everyone", {}
    elif who == "nobody_whom_discord_names":
        value, resolved = "4713", {}
    elif who == "everyone":
        role = shapes.role(world.state.roles[everyone])
        value, resolved = str(everyone), {"roles": {str(everyone): role}}
    else:
        person = {
            "oneself": lambda: black.id,
            "this_bot": lambda: world.state.bot_id,
            "another_bot": lambda: (
                world.places.join(everyone, world.places.add_user("Other", bot=True).id).user_id
            ),
            "a_stranger_to_the_server": lambda: world.places.add_user("Dan").id,
        }[who]()
        value, resolved = str(person), _named(still, person)
    data = await _play(still, {"opponent": value}, resolved)
    answer = await still.refused(
        data, words, kind=InteractionType.COMMAND, where=still.game.channel
    )
    assert "@everyone" not in all_text(answer)


@pytest.mark.parametrize(
    "kind", [ChannelType.FORUM, ChannelType.CATEGORY], ids=lambda kind: str(kind.name).lower()
)
async def test_where_nobody_can_write_no_match_is_offered(still: Still, kind: ChannelType) -> None:
    black = still.game.black
    world = still.table.playground.world
    channel = world.places.add_channel(int(black.guild["id"]), "elsewhere", kind=kind)
    data = await _play(still, {})
    await still.refused(data, "Use a text channel", kind=InteractionType.COMMAND, where=channel.id)


@pytest.mark.parametrize(
    ("bit", "words"),
    [(11, "Send Messages"), (15, "Attach Files")],
)
async def test_where_the_bot_may_not_write_it_says_what_it_lacks(
    still: Still, bit: int, words: str
) -> None:
    black = still.game.black
    world = still.table.playground.world
    channel = world.places.add_channel(int(black.guild["id"]), "mute")
    world.places.set_overwrite(channel, Overwrite(world.state.bot_id, 1, 0, 1 << bit))
    data = await _play(still, {})
    await still.refused(data, words, kind=InteractionType.COMMAND, where=channel.id)


async def test_in_direct_messages_an_offer_names_whom_it_is_for(still: Still) -> None:
    direct = await still.game.black.open_direct()
    data = await still.command("play", {"game": "quax"})
    await still.refused(data, "name the players", kind=InteractionType.COMMAND, where=direct)


async def _offer(still: Still) -> tuple[Json, Person]:
    """An offer of Black's as the channel shows it, and the newcomer it is for."""
    game = still.game
    dan = await still.table.join("Dan")
    after = len(game.black.events)
    told = await game.black.ask("play", game.channel, game="quax", opponent=dan)
    assert "Offer sent." in all_text(told)
    shown = await game.black.wait_message(
        lambda m: "would like to play" in all_text(m) and not m["flags"] & 64, after=after
    )
    return shown, dan


async def _answered(still: Still, offer: Json, label: str, by: Person, *words: str) -> Json:
    """Have an answer to an offer refused."""
    control = find_control(offer, label=label)["custom_id"]
    where = int(offer["channel_id"])
    return await still.click(control, *words, message=offer, by=by, where=where)


async def test_an_offer_is_answered_by_those_whom_it_is_for(still: Still) -> None:
    black, cleo = still.game.black, still.game.white
    offer, dan = await _offer(still)
    await _answered(still, offer, "Accept", black, "your own offer. You can withdraw it")
    await _answered(still, offer, "Decline", black, "your own offer. You can withdraw it")
    await _answered(still, offer, "Withdraw", dan, "Only the player who made an offer")
    for label in ("Accept", "Decline"):
        await _answered(still, offer, label, cleo, "for another player. Make your own")


@pytest.mark.long
@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("Withdraw", "it was withdrawn"),
        ("Decline", "it was declined"),
        ("Accept", "the match has started"),
    ],
)
async def test_an_offer_that_was_withdrawn_declined_or_taken_is_over(
    still: Still, label: str, words: str
) -> None:
    black, cleo = still.game.black, still.game.white
    offer, dan = await _offer(still)
    by = black if label == "Withdraw" else dan
    if label == "Decline":
        await decline(by, offer)
    else:
        await by.press(offer, label=label)
    await still.table.settled()
    for late in (dan, cleo):
        await _answered(still, offer, "Accept", late, f"no longer open: {words}")
    await _answered(still, offer, "Withdraw", black, f"no longer open: {words}")


async def test_an_offer_whose_time_has_come_is_over(
    still: Still, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = still.table.bot.services
    none = services.settings.model_copy(update={"offer_hours": 0})
    monkeypatch.setattr(services, "settings", none)
    monkeypatch.setattr("bot.domain.clock_text.SHORTEST_OFFER", timedelta())
    offer, dan = await _offer(still)
    for label in ("Accept", "Decline"):
        await _answered(still, offer, label, dan, "no longer open: it has expired")


async def test_offers_by_the_hundred_are_too_many(still: Still) -> None:
    """A person who asks faster than people can is told to wait, and nothing more is offered."""
    buckets = still.table.bot.services.commands
    rate, buckets._rate = buckets._rate, 0.0
    buckets._levels[still.game.black.id] = (0.0, 0.0)
    try:
        for _ in range(3):
            data = await _play(still, {})
            await still.refused(
                data,
                "Please wait a moment and try again",
                kind=InteractionType.COMMAND,
                where=still.game.channel,
            )
    finally:
        buckets._rate = rate
        buckets._levels.clear()
