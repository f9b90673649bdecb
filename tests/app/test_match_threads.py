"""The thread of a match: made although its offer was deleted, and of the kind its channel wants."""

from __future__ import annotations

from pathlib import Path

import pytest

from playground.faults import Drop, Status
from playground.forms import all_text
from playground.world.model import Channel, ChannelType
from tests.support.hosted import Game, Hosted, begun, hosted, start_quax

THREAD_ON_OFFER = r".*/channels/\d+/messages/\d+/threads"
THREAD = r".*/channels/\d+/threads"


async def test_the_answer_of_accepting_leads_to_the_board(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    await anna.ask("play", int(anna.guild["channels"][0]["id"]), game="quax", options="size 5")
    offer = await ben.wait_message(lambda m: "would like to play" in all_text(m))
    answer = await ben.press(offer, label="Accept")
    await table.settled()
    ((match, _),) = await table.history()
    told = await ben.wait_message(
        lambda m: m["id"] == answer["id"] and "on the way" not in all_text(m)
    )
    assert all_text(told) == f"The match has started: <#{match.home_id}>"


async def test_an_offer_taken_in_the_lobby_gets_its_thread_whatever_becomes_of_its_message(
    table: Hosted,
) -> None:
    world, faults = table.playground.world, table.playground.faults
    anna, ben = await table.join("Anna"), await table.join("Ben")

    async def home(
        kind: ChannelType = ChannelType.TEXT, *, deleted: bool = False
    ) -> tuple[Channel, int]:
        """Where a match is played whose offer Ben takes from the list, and where it was made."""
        channel = world.places.add_channel(world.home.id, "club", kind=kind).id
        seen, after = len(ben.events), len(ben.events)
        await anna.ask("play", channel, game="quax", options="size 5")
        offer = await ben.wait_message(lambda m: "would like to play" in all_text(m), after=seen)
        if deleted:
            world.messages.remove(world.state.message(channel, int(offer["id"])))
        listed = await ben.ask("lobby", channel)
        await ben.wait_success(await ben.click(listed, label="Accept"))
        await table.settled()
        board = await ben.wait_message(lambda m: "Make a move" in str(m["components"]), after=after)
        return world.state.channel(int(board["channel_id"])), channel

    for kind, thread in (
        (ChannelType.TEXT, ChannelType.PUBLIC_THREAD),
        (ChannelType.ANNOUNCEMENT, ChannelType.ANNOUNCEMENT_THREAD),
    ):
        for deleted in (True, False):
            there, channel = await home(kind, deleted=deleted)
            assert (there.kind, there.parent_id) == (thread, channel)
            assert {anna.id, ben.id} <= set(there.thread_members)
            # So the channel is free for a match of its own.
            assert there.id in {match.home_id for match, _ in await table.history()}
            seen = await anna.messages(channel)
            assert [each for each in seen if "Make a move" in str(each)] == []
    # One whose making was not answered is made once.
    faults.rest("POST", THREAD, Drop(), when="after")
    there, channel = await home(ChannelType.ANNOUNCEMENT, deleted=True)
    assert [each for each in world.state.channels.values() if each.parent_id == channel] == [there]
    # A filter refuses its name; and there are too many.
    faults.rest("POST", THREAD_ON_OFFER, Status(400, 200000))
    there, channel = await home()
    assert (there.parent_id, there.name) == (channel, "Quax")
    faults.rest("POST", THREAD_ON_OFFER, Status(400, 160006))
    there, channel = await home()
    assert there.id == channel


@pytest.mark.long
async def test_where_the_threads_of_an_hour_are_used_up_the_first_board_says_so(
    tmp_path: Path,
) -> None:
    async with hosted(tmp_path, server_threads=1) as table:
        first = await start_quax(table)
        assert first.home != first.channel
        assert "no thread could be made" not in all_text(await first.board())
        second = await start_quax(table)
        assert second.home == second.channel
        assert "the server has had its threads for this hour" in all_text(await second.board())
        await second.say(second.black, "a1")
        await table.settled()
        assert "no thread could be made" not in all_text(await second.board())


async def test_a_thread_closes_sooner_after_its_match_and_stays_open_for_a_rematch(
    table: Hosted,
) -> None:
    game = await start_quax(table)
    anna, ben = game.black, game.white
    thread = table.playground.world.state.channel(game.home)
    assert thread.archive_minutes == 7 * 24 * 60
    asked = await anna.ask("match resign", game.home)
    await anna.turn(asked, label="Resign")
    await table.settled()
    assert (thread.archive_minutes, thread.archived) == (3 * 24 * 60, False)
    board = await game.board()
    for person in (anna, ben):
        await person.press(board, label="Rematch")
    await table.settled()
    matches = [match async for match, _ in table.bot.store.all_matches()]
    assert {each.home_id for each in matches} == {game.home}, "it goes on in the same thread"
    assert thread.archive_minutes == 7 * 24 * 60


async def test_a_thread_that_may_not_be_changed_is_left_as_it_is(table: Hosted) -> None:
    game = await start_quax(table)
    anna = game.black
    table.playground.faults.rest("PATCH", rf".*/channels/{game.home}", Status(403, 50013))
    asked = await anna.ask("match resign", game.home)
    await anna.turn(asked, label="Resign")
    await table.settled()
    assert "resigned" in all_text(await game.board())
    thread = table.playground.world.state.channel(game.home)
    assert thread.archive_minutes == 7 * 24 * 60


@pytest.mark.long
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
