"""While Discord refuses posts: nobody loses unheard, and all goes on when something changes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.app.life import Bot
from bot.domain.ids import UserId
from playground.faults import Drop, Status
from playground.forms import all_text
from playground.person import Person
from playground.world.model import Overwrite
from playground.world.permissions import Permission
from tests.support.hosted import Ahead, Game, Hosted, Json, begun, hosted, start_quax, turn
from tests.support.until import until

POST = r".*/channels/\d+/messages"
IN_THREADS = Permission.SEND_MESSAGES_IN_THREADS
ANYWHERE = Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS
STAMP = re.compile(r"<t:(\d+):R>")


def deny(game: Game, what: int) -> None:
    """Take permissions away from the bot in the channel around the match."""
    world = game.hosted.playground.world
    channel = world.state.channel(game.channel)
    world.places.set_overwrite(channel, Overwrite(world.state.bot_id, 1, 0, int(what)))


def allow(game: Game) -> None:
    """Give them back."""
    world = game.hosted.playground.world
    world.places.drop_overwrite(world.state.channel(game.channel), world.state.bot_id)


async def shows(game: Game, move: str) -> bool:
    """Whether the newest board that everybody sees has this move on it."""
    return move in all_text(await game.board())


async def edited(game: Game, answer: Json, words: str) -> str:
    """The text of an answer after it has been edited."""
    found = await game.black.wait_message(
        lambda m: m["id"] == answer["id"] and words in all_text(m)
    )
    return all_text(found)


async def comes_by(person: Person, words: str) -> Json:
    """Have a person say anything to Parlour; the private word that they then read."""
    after = len(person.events)
    await person.ask("help", person.channel("general"))
    event = await person.wait_event(
        "MESSAGE_CREATE",
        lambda data: bool(data["flags"] & 64) and words in all_text(data),
        after=after,
    )
    return event.data


async def lines(game: Game, place: int) -> list[str]:
    said = [all_text(each) for each in await game.black.messages(place) if not each["flags"] & 64]
    return [text for text in said if "your move" in text]


async def test_the_mover_reads_why_and_the_opponent_is_called_in_the_channel(
    game: Game,
) -> None:
    deny(game, IN_THREADS)
    answer = await game.say(game.black, "a1")
    said = await edited(game, answer, "couldn't be posted")
    assert "You played a1." in said
    assert f"<#{game.home}>" in said
    assert "Send Messages in Threads" in said
    assert "/match move-here" in said or "move-here:" in said
    called = await game.white.wait_message(
        lambda m: int(m["channel_id"]) == game.channel and "your move" in all_text(m)
    )
    assert [each["id"] for each in called["mentions"]] == [str(game.white.id)]
    assert f"<#{game.home}>" in all_text(called)
    assert "/board" in all_text(called)
    assert f"<@{game.white.id}> was told another way." in said
    assert await lines(game, game.home) == [], "nothing calls the wrong player"
    old = all_text(await game.board())
    assert "This board is out of date" in old
    assert "is to move" not in old
    allow(game)
    await until(lambda: shows(game, "1 a1"))
    await game.hosted.settled()
    assert len(await lines(game, game.channel)) == 1, "and nobody is called twice"
    assert await lines(game, game.home) == []
    await game.say(game.white, "b2")
    await game.hosted.settled()
    assert await lines(game, game.channel) == [], "the call goes with its turn"
    assert len(await lines(game, game.home)) == 1


async def _by_role(game: Game) -> Callable[[], None]:
    world = game.hosted.playground.world
    roles = [each for each in world.state.roles.values() if each.guild_id == world.home.id]
    had = {each.id: each.permissions for each in roles}
    for each in roles:
        world.places.set_role_permissions(each.id, each.permissions & ~int(ANYWHERE))

    def give_back() -> None:
        for role, permissions in had.items():
            world.places.set_role_permissions(role, permissions)

    return give_back


async def _by_roles_of_ours(game: Game) -> Callable[[], None]:
    world = game.hosted.playground.world
    everyone = world.state.roles[world.home.id]
    world.places.set_role_permissions(everyone.id, everyone.permissions & ~int(ANYWHERE))
    own = world.state.member(world.home.id, world.state.bot_id)
    had = list(own.roles)
    world.places.set_member_roles(world.home.id, own.user_id, [])
    return lambda: world.places.set_member_roles(world.home.id, own.user_id, had)


async def _by_lock(game: Game) -> Callable[[], None]:
    world = game.hosted.playground.world
    own = next(each for each in world.state.roles.values() if each.bot_id)
    less = own.permissions & ~int(Permission.MANAGE_THREADS)
    world.places.set_role_permissions(own.id, less)
    deny(game, Permission.SEND_MESSAGES)
    thread = world.state.channel(game.home)
    moderator = world.home.owner_id
    world.threads.change(thread, moderator, {"locked": True})
    return lambda: world.threads.change(thread, moderator, {"locked": False})


async def _by_outage(game: Game) -> Callable[[], None]:
    world = game.hosted.playground.world
    deny(game, ANYWHERE)

    def back() -> None:
        world.places.set_available(world.home.id, available=False)
        channel = world.state.channel(game.channel)
        channel.overwrites.clear()
        world.places.set_available(world.home.id, available=True)

    return back


@pytest.mark.long
@pytest.mark.parametrize("take", [_by_role, _by_roles_of_ours, _by_lock, _by_outage])
async def test_what_was_refused_is_posted_as_soon_as_it_is_allowed_again(
    game: Game, take: Callable[[Game], Awaitable[Callable[[], None]]]
) -> None:
    give_back = await take(game)
    answer = await game.say(game.black, "a1")
    said = await edited(game, answer, "couldn't be posted")
    if take is _by_lock:
        assert "locked" in said
    assert not await shows(game, "1 a1")
    give_back()
    await until(lambda: shows(game, "1 a1"))
    await game.hosted.settled()
    assert [f"<@{game.white.id}>" in each for each in await lines(game, game.home)] == [True]


async def test_where_files_or_names_are_refused_the_board_comes_without_them(game: Game) -> None:
    deny(game, Permission.ATTACH_FILES)
    answer = await game.say(game.black, "a1")
    await game.hosted.settled()
    board = await game.board()
    assert "1 a1" in all_text(board)
    assert "```" in all_text(board)
    assert "Attach Files" in all_text(board)
    assert len(await lines(game, game.home)) == 1
    gone = await game.black.wait_event(
        "MESSAGE_DELETE", lambda data: bool(data["id"] == answer["id"])
    )
    assert not [
        each
        for each in game.black.events[: game.black.events.index(gone)]
        if each.data.get("id") == answer["id"] and "couldn't" in str(each.data)
    ]
    allow(game)
    await game.say(game.white, "b2")
    await game.hosted.settled()
    assert "```" not in all_text(await game.board())
    # Though all looks allowed.
    game.hosted.playground.faults.rest("POST", POST, Status(403, 50013))
    await game.moves("c3")
    assert "```" in all_text(await game.board())
    # A filter that stops names.
    game.hosted.playground.faults.rest("POST", POST, Status(400, 200000))
    await game.say(game.white, "d4")
    await game.hosted.settled()
    board = await game.board()
    assert "4 d4" in all_text(board)
    assert "Anna" not in str(board)


async def test_that_no_clock_runs_against_a_player_who_was_not_told_is_said(
    tmp_path: Path,
) -> None:
    async with hosted(tmp_path, clock="10m+5s", time=Ahead()) as table:
        game = await start_quax(table)
        await game.moves("a1 b2")
        deny(game, ANYWHERE)
        answer = await game.say(game.black, "c3")
        said = await edited(game, answer, "couldn't be posted")
        assert "the clock is stopped" in said
        assert "14 days" in said
        shown = await game.black.ask("board", game.home)
        assert "the clock is stopped" in all_text(shown)
        assert "Time runs out" not in all_text(shown)
        # The player comes by: from now on the clock runs, with all that was left on it.
        await until(lambda: _knows_no_turn(game, game.white.id))
        told = await comes_by(game.white, "your move in Quax")
        left = int(STAMP.findall(all_text(told))[-1]) - datetime.now(UTC).timestamp()
        assert 9 * 60 < left <= 10 * 60 + 6


@pytest.mark.long
async def test_the_end_of_an_outage_wakes_what_discord_could_not_do(game: Game) -> None:
    lost = game.hosted.playground.faults.rest("POST", POST, Drop(), times=4)
    await game.say(game.black, "a1")
    await until(lambda: lost.hits == 4)
    # The next attempt would be eight seconds from now.
    await game.hosted.playground.gateway.close_all(4000)
    await until(lambda: shows(game, "1 a1"), patience=5)


@pytest.mark.long
async def test_a_player_who_closed_direct_messages_is_waited_for_and_the_opponent_hears_it(
    tmp_path: Path,
) -> None:
    async with hosted(tmp_path, clock="10m+5s", time=Ahead()) as table:
        anna, ben = await table.join("Anna"), await table.join("Ben")
        mine, his = await table.open_directs(anna, ben)
        await begun(table, anna, ben, mine, options="size 5, pie off")
        closed = Status(403, 50007)
        table.playground.faults.rest("POST", f"/channels/{his}/messages", closed, times=None)
        after = len(anna.events)
        await anna.ask("move", mine, move="a1")
        told = await anna.wait_message(lambda m: "Parlour can't send" in all_text(m), after=after)
        assert f"<@{ben.id}> doesn't know that it's their move in Quax." in all_text(told)
        # Any word to Parlour, and they know; their move takes away what was said of them.
        assert "can't send" in all_text(await comes_by(ben, "your move in Quax"))
        await ben.ask("move", ben.channel("games"), move="a2")
        await table.settled()
        assert told["id"] not in {each["id"] for each in await anna.messages(mine)}


async def test_where_the_channel_of_a_match_is_deleted_both_are_told(table: Hosted) -> None:
    world = table.playground.world
    for role in world.state.roles.values():
        less = role.permissions & ~int(Permission.CREATE_PUBLIC_THREADS)
        world.places.set_role_permissions(role.id, less)
    game = await start_quax(table, channel_name="games")
    assert game.home == game.channel
    world.places.remove_channel(world.state.channel(game.channel))
    general = game.black.channel("general")
    answer = await game.black.ask("move", general, move="a1")
    said = await edited(game, answer, "couldn't be posted")
    assert "was deleted" in said
    assert f"<@{game.white.id}> hasn't been told yet." in said
    told = await comes_by(game.white, "your move in Quax")
    assert "was deleted" in all_text(told)
    assert "1 a1" in all_text(await turn(game.white, told, "next"))
    after = len(game.white.events)
    await game.white.ask("help", general)
    await asyncio.sleep(0.3)
    again = [e for e in game.white.events[after:] if "your move in Quax" in str(e.data)]
    assert not again, "once"


async def _knows_no_turn(game: Game, person: int) -> bool:
    """Whether the bot has found that a person couldn't be told about their turn."""
    return bool(game.hosted.bot.periodic.blocked.owed_to(UserId(person))[0])


async def _is_owed(bot: Bot, person: int) -> bool:
    """Whether news for a person couldn't be posted."""
    return bool(bot.periodic.blocked.owed_to(UserId(person))[1])


async def test_a_board_that_a_moderator_deleted_is_brought_back(game: Game) -> None:
    await game.moves("a1")
    board = await game.board()
    world = game.hosted.playground.world
    world.messages.remove(world.state.message(game.home, int(board["id"])))
    answer = await game.white.ask("board", game.home)
    assert answer["flags"] & 64
    assert "1 a1" in all_text(answer), "the private answer stays"

    async def is_back() -> bool:
        newest = await game.board()
        return newest["id"] != board["id"] and ":move:" in str(newest["components"])

    await until(is_back)
    await game.hosted.settled()
    assert "1 a1" in all_text(await game.board())
    before = [m["id"] for m in await game.white.messages(game.home)]
    await game.white.ask("board", game.home)
    await asyncio.sleep(0.3)
    public = [m["id"] for m in await game.white.messages(game.home) if not m["flags"] & 64]
    assert set(public) <= set(before), "one that is there stays the only one"


async def test_an_offer_that_cannot_be_posted_is_told_to_the_player_who_makes_it(
    table: Hosted,
) -> None:
    anna = await table.join("Anna")
    channel = anna.channel("games")
    table.playground.faults.rest("POST", POST, Status(400, 240000), times=None)
    answer = await anna.ask("play", channel, game="quax")
    said = await anna.wait_message(
        lambda m: m["id"] == answer["id"] and "couldn't be posted" in all_text(m)
    )
    assert "filter" in all_text(said)


async def test_a_result_that_closed_messages_kept_away_is_told_at_the_next_word(
    table: Hosted,
) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    mine, his = await table.open_directs(anna, ben)
    await begun(table, anna, ben, mine)
    closed = Status(403, 50278)
    table.playground.faults.rest("POST", f"/channels/{his}/messages", closed, times=None)
    sure = await anna.ask("match resign", mine)
    told = await turn(anna, sure, "resignyes")
    await table.settled()
    assert "couldn't be posted" not in all_text(told)
    bot = table.bot
    await until(lambda: _is_owed(bot, ben.id))
    assert "resigned" in all_text(await comes_by(ben, f"<@{ben.id}> wins!"))

    async def is_told() -> bool:
        return not await _is_owed(bot, ben.id)

    await until(is_told)
