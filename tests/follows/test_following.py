"""Watching matches of others: ``/view``, **Follow**, and the direct message that shows a match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.ids import UserId
from bot.domain.preferences import NoticeWay
from bot.posts.outgoing import next_digest
from bot.store import outgoing
from playground.faults import Status
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from tests.support.hosted import Game, Json, actions, control, press, turn

pytestmark = pytest.mark.slow


async def _followed(game: Game, reader: Person) -> None:
    """Have a person follow a match from its card."""
    found = await reader.messages(game.channel)
    card = next(each for each in found if "is to move" in all_text(each))
    await press(reader, card, "follow")
    await game.hosted.settled()


def _menu(page: Json, action: str) -> str:
    return next(
        str(each["custom_id"])
        for each in walk(page["components"])
        if f":{action}:" in str(each.get("custom_id"))
    )


async def test_a_match_is_followed_from_the_list_of_the_server_to_its_result(game: Game) -> None:
    table = game.hosted
    dora = await table.join("Dora")
    listed = await dora.ask("matches", dora.channel("general"), list="server")
    ((match, _),) = await table.history()
    shown = await dora.wait_answer(await dora.select(listed, _menu(listed, "view"), [match.id]))
    assert "is to move" in all_text(shown)
    said = all_text(await press(dora, shown, "follow"))
    assert "A direct message shows it to you after each move" in said
    await table.settled()
    direct = await dora.open_direct()
    (message,) = await dora.messages(direct)
    assert "You follow this match" in all_text(message)
    await game.say(game.black, "a1")
    await table.settled()
    await table.restart()
    await game.say(game.white, "b2")
    await table.settled()
    (message,) = await dora.messages(direct)
    assert "1 a1 · 2 b2" in all_text(message)
    asked = await game.white.ask("match resign", game.home)
    await turn(game.white, asked, "resignyes")
    told = await dora.wait_message(lambda m: "that you follow is over" in m["content"])
    assert f"<@{game.black.id}> wins!" in told["content"]
    assert f"<#{game.home}>" in told["content"]
    await table.settled()
    assert len(await dora.messages(direct)) == 2


@pytest.mark.long
async def test_the_card_of_a_match_has_follow_and_the_message_unfollow(game: Game) -> None:
    dora = await game.hosted.join("Dora")
    (card,) = [each for each in await dora.messages(game.channel) if "follow" in actions(each)]
    assert "You play in this match yourself" in all_text(await press(game.black, card, "follow"))
    await press(dora, card, "follow")
    await game.hosted.settled()
    direct = await dora.open_direct()
    (message,) = await dora.messages(direct)
    assert "You no longer follow this match" in all_text(await press(dora, message, "unfollow"))
    await game.moves("a1")
    assert message["id"] not in {each["id"] for each in await dora.messages(direct)}


@pytest.mark.long
async def test_view_without_fields_lists_what_one_follows_and_lets_go_of_it(game: Game) -> None:
    table = game.hosted
    dora = await table.join("Dora")
    general = dora.channel("general")
    page = await dora.ask("view", general)
    assert "You follow nothing yet" in all_text(page)
    found = await dora.autocomplete("view", general, "match", match="anna")
    assert [each["name"] for each in found] == ["Quax · Anna – Ben"]
    shown = await dora.ask("view", general, match=found[0]["value"])
    await press(dora, shown, "follow")
    players = await press(dora, shown, "fan")
    chosen = await dora.choose(players, _menu(players, "fanof"), [str(game.white.id)])
    assert f"You follow <@{game.white.id}>" in all_text(chosen)
    await table.settled()
    page = await dora.ask("view", general)
    said = all_text(page)
    assert "**Quax**" in said
    assert f"Next matches of <@{game.white.id}>" in said
    ((match, _),) = await table.history()
    page = await dora.choose(page, _menu(page, "unfollowed"), [match.id])
    assert "You no longer follow this match" in all_text(page)
    guild = dora.guild["id"]
    page = await dora.choose(page, _menu(page, "nofan"), [f"{game.white.id}/{guild}"])
    assert "You follow nothing yet" in all_text(page)
    own = await game.white.ask("view", general, match="anna")
    assert control(own, "move")
    mine = await dora.ask("view", general, player=game.white)
    assert "Running matches of" in all_text(mine)
    followed = await turn(dora, mine, "fanone")
    assert "When a match of theirs starts" in all_text(followed)


@pytest.mark.long
async def test_a_reader_of_digests_who_closed_direct_messages_hears_it_at_their_next_word(
    game: Game,
) -> None:
    table, bot = game.hosted, game.hosted.bot
    dora = await table.join("Dora")
    direct = await dora.open_direct()
    await _followed(game, dora)
    await bot.services.preferences.change(
        UserId(dora.id), lambda chosen: replace(chosen, way=NoticeWay.DIGEST)
    )
    page = await game.black.ask("match resign", game.home)
    await turn(game.black, page, "resignyes")
    await table.settled()
    closed = Status(403, 50007)
    table.playground.faults.rest("POST", f"/channels/{direct}/messages", closed, times=None)
    await bot.store.write(outgoing.plan, next_digest(UserId(dora.id), bot.clock.now()))
    bot.outbox.wake()
    await table.settled()
    await bot.periodic.blocked.look()
    after = len(dora.events)
    await dora.ask("help", game.channel)
    told = await dora.wait_message(lambda m: "What has happened" in all_text(m), after=after)
    assert told["flags"] & 64, "to them alone"
    assert f"**Quax** <@{game.black.id}> – <@{game.white.id}> (won)" in all_text(told)
    after = len(dora.events)
    await dora.ask("help", game.channel)
    await table.settled()
    heard = [all_text(each.data) for each in dora.events[after:] if each.name == "MESSAGE_CREATE"]
    assert not any("What has happened" in each for each in heard), "once"
