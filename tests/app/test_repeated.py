"""One interaction delivered again, here or to another process: one answer, and an honest one."""

from __future__ import annotations

import asyncio
import copy

from bot.domain import play
from bot.domain.ids import InteractionId, UserId
from bot.domain.match import Actor
from playground.forms import all_text
from playground.world import message_shapes
from playground.world.controls import walk
from playground.world.model import InteractionType
from playground.world.state import GatewayEvent
from tests.support.hosted import Game, Hosted, Json, control, turn
from tests.support.until import until

_LONG_ENOUGH = 1.6
"""Seconds after which a process that waits for another's answer has given up."""


def _listen(table: Hosted) -> list[Json]:
    """Every interaction from now on, as the bot hears of it."""
    heard: list[Json] = []

    def note(data: Json) -> Json:
        heard.append(copy.deepcopy(data))
        return data

    table.playground.faults.event("INTERACTION_CREATE", times=None, change=note)
    return heard


async def _again(table: Hosted, *heard: Json) -> None:
    """Deliver interactions once more, and wait until that is dealt with."""
    table.playground.faults.clear()
    for data in heard:
        guild, channel = int(data["guild_id"]), int(data["channel_id"])
        table.playground.world.state.tell(
            GatewayEvent("INTERACTION_CREATE", data, guild, channel, to_people=False)
        )
    await asyncio.sleep(_LONG_ENOUGH)


def _typed(game: Game, move: str) -> Json:
    """A typed move of Black that a player has acknowledged and the bot has not heard of yet."""
    world = game.hosted.playground.world
    command = next(each for each in world.state.commands.values() if each.name == "move")
    channel = world.state.channel(game.home)
    data = {
        "id": str(command.id),
        "name": "move",
        "type": 1,
        "options": [{"type": 3, "name": "move", "value": move}],
    }
    made = world.user_actions._make(InteractionType.COMMAND, channel, game.black.id, data)
    made.command_name = "move"
    world.state.interactions[made.id] = made
    world.state.interactions_by_token[made.token] = made
    world.interactions.answer(made.id, made.token, {"type": 5, "data": {"flags": 64}})
    return message_shapes.interaction(world.state, made)


async def _ply(table: Hosted) -> int:
    (match, _), *_ = await table.history()
    return int(match.ply)


async def test_what_arrives_again_is_neither_done_nor_told_again(game: Game) -> None:
    heard = _listen(game.hosted)
    refusal = await game.white.wait_answer(await game.white.slash("move", game.home, move="b2"))
    assert "not your turn" in all_text(refusal)
    panel = await game.panel(game.black, "a1")
    await turn(game.black, panel, "play")
    after = len(game.black.events)
    assert len(heard) == 4
    await _again(game.hosted, *heard)
    said = [e.data for e in game.black.events[after:] if e.data.get("id") == panel["id"]]
    assert said == []
    assert "You played a1." in all_text(await game.black.message(game.home, panel["id"]))
    assert await _ply(game.hosted) == 1, "it would be White's turn now, but White was told no"
    assert all_text(await game.white.message(game.home, refusal["id"])) == all_text(refusal)


async def test_what_arrives_again_before_its_answer_is_not_done_later(game: Game) -> None:
    """White is told that it is not their turn, and it stays so although Black moves meanwhile."""
    heard = _listen(game.hosted)
    ((match, _),) = await game.hosted.history()
    after = len(game.white.events)
    queue = game.hosted.bot.services.matches.changes._turn(match.id)
    async with queue:
        await game.white.slash("move", game.home, move="b2")
        await until(lambda: queue._waiters)
        played = await game.black.slash("move", game.home, move="a1")
        await until(lambda: len(heard) == 2)
        await _again(game.hosted, heard[0])
    refusal = await game.white.wait_message(lambda m: "not your turn" in all_text(m), after=after)
    await game.black.wait_answer(played)
    await until(lambda: not game.hosted.bot.handler.inside)
    assert await _ply(game.hosted) == 1
    assert "not your turn" in all_text(await game.white.message(game.home, refusal["id"]))


async def test_an_answer_that_another_process_owes_is_given_in_its_place(game: Game) -> None:
    """Whether that had done what it was asked for before it died or not."""
    after = len(game.black.events)
    await _again(game.hosted, _typed(game, "a1"))
    told = await game.black.wait_message(lambda m: bool(m["flags"] & 64), after=after)
    assert all_text(told) == "You played a1."
    assert await _ply(game.hosted) == 1
    ((match, _),) = await game.hosted.history()
    after = len(game.black.events)
    click = _typed(game, "resign")
    black = Actor(UserId(game.black.id), match.origin.guild_id)
    again = InteractionId(int(click["id"]))
    await game.hosted.bot.service.act(black, match.id, play.resign, interaction_id=again)
    await _again(game.hosted, click)
    await game.black.wait_message(
        lambda m: bool(m["flags"] & 64) and "You resigned." in all_text(m), after=after
    )


async def test_a_double_click_on_make_the_offer_makes_one_and_says_so(table: Hosted) -> None:
    anna = await table.join("Anna")
    channel = int(anna.guild["channels"][0]["id"])
    page = await anna.ask("play", channel)
    menu = next(each for each in walk(page["components"]) if each["type"] == 3)
    page = await anna.choose(page, menu["custom_id"], ["quax"])
    offer = control(page, "soffer")["custom_id"]
    after = len(anna.events)
    for _ in range(3):
        table.playground.deliver_raw(
            InteractionType.COMPONENT,
            channel_id=channel,
            user_id=anna.id,
            data={"component_type": 2, "custom_id": offer},
            message_id=int(page["id"]),
        )
    for words in ("Offer sent.", "You've already made this offer."):
        await anna.wait_message(
            lambda m, words=words: m["id"] == page["id"] and words in all_text(m), after=after
        )
    assert len(await table.history()) == 1
    await table.settled()
    offers = [m for m in await anna.messages(channel) if "would like to play" in all_text(m)]
    assert len(offers) == 1
