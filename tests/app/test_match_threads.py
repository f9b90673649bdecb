"""The thread of a match: made although its offer was deleted, and of the kind its channel wants."""

from __future__ import annotations

from pathlib import Path

import pytest

from playground.faults import Drop, Status
from playground.forms import all_text
from playground.world.model import Channel, ChannelType
from tests.support.hosted import (
    Game,
    Hosted,
    first_board,
    hosted,
    offered,
    press,
    press_action,
    start_quax,
)

THREAD_ON_OFFER = r".*/channels/\d+/messages/\d+/threads"
THREAD = r".*/channels/\d+/threads"


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
        offer = await offered(ben, after=seen)
        if deleted:
            world.messages.remove(world.state.message(channel, int(offer["id"])))
        listed = await ben.ask("lobby", channel)
        await ben.wait_success(await press_action(ben, listed, "seat"))
        await table.settled()
        board = await first_board(ben, after=after)
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
            assert [each for each in seen if ":move:" in str(each)] == []
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


async def test_a_thread_closes_sooner_after_its_match_and_stays_open_for_a_rematch(
    table: Hosted,
) -> None:
    game = await start_quax(table)
    anna, ben = game.black, game.white
    thread = table.playground.world.state.channel(game.home)
    assert thread.archive_minutes == 7 * 24 * 60
    await game.resign(anna)
    assert (thread.archive_minutes, thread.archived) == (3 * 24 * 60, False)
    board = await game.board()
    for person in (anna, ben):
        await press(person, board, "rematch")
    await table.settled()
    matches = [match async for match, _ in table.bot.store.all_matches()]
    assert {each.home_id for each in matches} == {game.home}, "it goes on in the same thread"
    assert thread.archive_minutes == 7 * 24 * 60


async def test_where_the_threads_of_an_hour_are_used_up_a_match_stays_in_its_channel(
    tmp_path: Path,
) -> None:
    async with hosted(tmp_path, server_threads=1) as table:
        first, second = await start_quax(table), await start_quax(table)
        assert first.home != first.channel
        assert second.home == second.channel
        assert "the server has had its threads for this hour" in all_text(await second.board())
        # And one that may not be changed stays as it is.
        table.playground.faults.rest("PATCH", rf".*/channels/{first.home}", Status(403, 50013))
        await first.resign(first.black)
        assert "resigned" in all_text(await first.board())
        assert table.playground.world.state.channel(first.home).archive_minutes == 7 * 24 * 60
        parked = [table.bot.services.blocked.parked(each) for each, _ in await table.history()]
        assert parked == [None, None], "and what is posted there counts as posted"


@pytest.mark.long
async def test_only_a_player_moves_a_match_and_within_its_server(game: Game) -> None:
    cleo = await game.hosted.join("Cleo")
    said = all_text(await cleo.ask("match move-here", game.home))
    assert "no match here" in said or "Only the players" in said
    said = all_text(await game.black.ask("match move-here", await game.black.open_direct()))
    assert "stays in the server" in said
