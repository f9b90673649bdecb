"""The thread of a match: made although its offer was deleted, and of the kind its channel wants."""

from __future__ import annotations

from pathlib import Path

import pytest

from playground.faults import Drop, Status
from playground.forms import all_text
from playground.person import Person
from playground.world.model import Channel, ChannelType
from tests.hosted import Hosted, hosted, start_quax

THREAD_ON_OFFER = r".*/channels/\d+/messages/\d+/threads"
THREAD = r".*/channels/\d+/threads"


async def _offered(table: Hosted, channel: int) -> tuple[Person, Person, int]:
    """Two people, and the message of an open offer of the first of them."""
    anna, ben = await table.join("Anna"), await table.join("Ben")
    await anna.ask("play", channel, game="quax", options="size 5")
    offer = await ben.wait_message(lambda m: "would like to play" in all_text(m))
    return anna, ben, int(offer["id"])


async def _taken_in_the_lobby(table: Hosted, ben: Person, channel: int) -> Channel:
    """Take the one open offer from the list; where its board is then."""
    listed = await ben.ask("lobby", channel)
    await ben.wait_success(await ben.click(listed, label="Accept"))
    await table.settled()
    board = await ben.wait_message(lambda m: "Make a move" in str(m["components"]))
    return table.playground.world.state.channel(int(board["channel_id"]))


async def test_the_answer_of_accepting_leads_to_the_board(table: Hosted) -> None:
    channel = int((await table.join("Cleo")).guild["channels"][0]["id"])
    _, ben, offer = await _offered(table, channel)
    answer = await ben.press(await ben.message(channel, offer), label="Accept")
    await table.settled()
    ((match, _),) = await table.history()
    told = await ben.wait_message(
        lambda m: m["id"] == answer["id"] and "on the way" not in all_text(m)
    )
    assert all_text(told) == f"The match has started: <#{match.home_id}>"


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "thread"),
    [
        (ChannelType.TEXT, ChannelType.PUBLIC_THREAD),
        (ChannelType.ANNOUNCEMENT, ChannelType.ANNOUNCEMENT_THREAD),
    ],
)
@pytest.mark.parametrize("deleted", [True, False])
async def test_an_offer_gets_its_thread_although_its_message_was_deleted(
    table: Hosted, kind: ChannelType, thread: ChannelType, *, deleted: bool
) -> None:
    world = table.playground.world
    channel = world.places.add_channel(world.home.id, "club", kind=kind).id
    anna, ben, offer = await _offered(table, channel)
    if deleted:
        world.messages.remove(world.state.message(channel, offer))
    home = await _taken_in_the_lobby(table, ben, channel)
    assert (home.kind, home.parent_id) == (thread, channel)
    assert {anna.id, ben.id} <= set(home.thread_members)
    # So the channel is free for a match of its own.
    (match, _), *_ = await table.history()
    assert match.home_id == home.id
    assert [each for each in await anna.messages(channel) if "Make a move" in str(each)] == []


@pytest.mark.long
async def test_a_thread_whose_making_was_not_answered_is_made_once_without_its_message(
    table: Hosted,
) -> None:
    world = table.playground.world
    channel = world.places.add_channel(world.home.id, "news", kind=ChannelType.ANNOUNCEMENT).id
    _, ben, offer = await _offered(table, channel)
    world.messages.remove(world.state.message(channel, offer))
    table.playground.faults.rest("POST", THREAD, Drop(), when="after")
    home = await _taken_in_the_lobby(table, ben, channel)
    threads = [each for each in world.state.channels.values() if each.parent_id == channel]
    assert threads == [home]


@pytest.mark.long
async def test_a_name_that_a_filter_refuses_keeps_nobody_from_their_thread(table: Hosted) -> None:
    world = table.playground.world
    channel = world.places.add_channel(world.home.id, "strict").id
    _, ben, _ = await _offered(table, channel)
    table.playground.faults.rest("POST", THREAD_ON_OFFER, Status(400, 200000))
    home = await _taken_in_the_lobby(table, ben, channel)
    assert (home.parent_id, home.name) == (channel, "Quax")


@pytest.mark.long
async def test_too_many_threads_and_the_match_is_played_in_the_channel(table: Hosted) -> None:
    world = table.playground.world
    channel = world.places.add_channel(world.home.id, "full").id
    _, ben, _ = await _offered(table, channel)
    table.playground.faults.rest("POST", THREAD_ON_OFFER, Status(400, 160006))
    home = await _taken_in_the_lobby(table, ben, channel)
    assert home.id == channel


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
