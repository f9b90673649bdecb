"""Nothing stands anywhere twice, or for ever, because nobody knew that it had been posted."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from bot.domain.ids import ChannelId, GuildId, UserId
from bot.posts.sending import Notice, Recipient, Reminder, VacationNews
from bot.ui.delivery.poster import posted_at
from playground.faults import Drop, Junk, Status
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from tests.support.databases import both_in_soak
from tests.support.hosted import (
    Game,
    Hosted,
    Json,
    actions,
    decline,
    hosted,
    press,
    press_board,
    shown_board,
)
from tests.support.until import until

POST = r".*/channels/\d+/messages"
EDIT = r".*/channels/\d+/messages/\d+"


def _forget_nonces(table: Hosted) -> None:
    """As Discord does after some minutes."""
    for messages in table.playground.world.state.messages.values():
        for message in messages.values():
            message.nonce = None


async def _struck(rule: Any) -> None:
    await until(lambda: rule.hits)


def _feet(messages: list[Json]) -> list[str]:
    """The names of boards, the newest first."""
    boards = (shown_board(each) for each in messages if not each["flags"] & 64)
    return [str(board) for board in boards if board is not None]


async def _converged(game: Game) -> None:
    """One live board, the newest; none twice; one line that calls whose turn it is."""
    messages = await game.black.messages(game.home, limit=100)
    feet = _feet(messages)
    assert not [foot for foot, times in Counter(feet).items() if times > 1], feet
    boards = [m for m in messages if any(each["type"] == 12 for each in walk(m["components"]))]
    live = [":move:" in str(each["components"]) for each in boards if not each["flags"] & 64]
    assert live == [True] + [False] * (len(live) - 1)
    assert len(await _calls(game)) == 1


async def _calls(game: Game, place: int | None = None, reader: Person | None = None) -> list[str]:
    """The lines in a place that call a player for a move."""
    found = await (reader or game.black).messages(place or game.home, limit=100)
    return [text for each in found if ", your move in" in (text := all_text(each))]


@both_in_soak
@pytest.mark.parametrize("fault", [Drop(), Status(503)])
async def test_a_call_whose_turn_is_over_before_it_is_found_goes(
    stored_game: Game, fault: Any
) -> None:
    game = stored_game
    lost = game.hosted.playground.faults.rest("POST", POST, fault, when="after", skip=1)
    await game.say(game.black, "a1")
    await _struck(lost)

    async def is_called() -> bool:
        return len(await _calls(game)) == 1

    await until(is_called)
    await game.say(game.white, "c5")
    await game.hosted.settled()
    await _converged(game)


async def test_a_call_that_is_looked_for_late_takes_none_of_a_later_turn_with_it(
    game: Game,
) -> None:
    """White has been called again by then, while the first call is being looked for."""
    table = game.hosted
    lost = table.playground.faults.rest("POST", POST, Drop(), when="after", skip=1)
    look = table.playground.faults.rest("GET", POST, Status(503), times=2)
    await game.say(game.black, "a1")
    await _struck(lost)
    for person, move in ((game.white, "c5"), (game.black, "a2")):
        await game.say(person, move)
    await table.settled()
    assert look.hits == 2
    await _converged(game)
    (call,) = await _calls(game)
    assert "played a2" in call


async def test_a_board_that_was_left_in_another_channel_is_found_there(game: Game) -> None:
    table = game.hosted
    lost = table.playground.faults.rest("POST", POST, Drop(), when="after")
    await game.say(game.black, "a1")
    await _struck(lost)
    elsewhere = game.black.channel("games")
    said = await game.white.ask("match move-here", elsewhere)
    assert "The match continues here." in all_text(said)
    assert said["flags"] & 64
    await table.settled()
    left = await game.black.messages(game.home)
    assert not any(":move:" in str(each["components"]) for each in left)
    (here,) = _feet(await game.white.messages(elsewhere))
    assert here
    assert "You played b2." in all_text(await game.white.ask("move", elsewhere, move="b2"))
    await table.settled()
    assert any("2 b2" in all_text(m) for m in await game.white.messages(elsewhere))
    assert not any("2 b2" in all_text(m) for m in await game.white.messages(game.home))


async def test_what_was_posted_is_found_however_much_was_said_since(game: Game) -> None:
    table = game.hosted
    lost = table.playground.faults.rest("POST", POST, Drop(), when="after")
    await game.say(game.black, "a1")
    await _struck(lost)
    world = table.playground.world
    for number in range(250):
        world.messages.send(game.home, game.white.id, {"content": str(number)})
    _forget_nonces(table)
    await table.settled()
    messages = [
        message
        for message in world.state.messages[game.home].values()
        if message.author_id == world.state.bot_id and message.components
    ]
    live = [message for message in messages if ":move:" in str(message.components)]
    assert len(live) == 1


# ---- offers ----------------------------------------------------------------------------------


async def _offers(person: Person, channel: int) -> list[Json]:
    """The messages of offers that a player can see."""
    found = await person.messages(channel)
    return [each for each in found if any(part["type"] == 17 for part in each["components"])]


async def _offered_unnoticed(table: Hosted) -> tuple[Person, Person, int]:
    """Anna offers Ben a match, and the answer to the post is lost."""
    anna, ben = await table.join("Anna"), await table.join("Ben")
    channel = int(anna.guild["channels"][0]["id"])
    lost = table.playground.faults.rest("POST", POST, Drop(), when="after", times=None)
    nonce = await anna.slash("play", channel, game="quax", opponent=ben, options="size 5, pie off")
    await anna.wait_answer(nonce)
    await _struck(lost)
    return anna, ben, channel


@both_in_soak
async def test_an_offer_is_posted_once_although_its_nonce_is_forgotten(
    tmp_path: Any, database_url: str
) -> None:
    async with hosted(tmp_path, database=database_url) as table:
        anna, ben, channel = await _offered_unnoticed(table)
        await table.stop()
        _forget_nonces(table)
        table.playground.faults.clear()
        await table.start()
        await table.settled()
        (offer,) = await _offers(anna, channel)
        await decline(ben, offer)
        await table.settled()
        (offer,) = await _offers(anna, channel)
        assert "This offer was declined." in all_text(offer)


@pytest.mark.parametrize(("does", "said"), [("accept", "is to move"), ("decline", "declined")])
async def test_an_offer_that_is_answered_before_it_is_found_loses_its_buttons(
    table: Hosted, does: str, said: str
) -> None:
    anna, ben, channel = await _offered_unnoticed(table)
    (offer,) = await _offers(anna, channel)
    if does == "decline":
        await decline(ben, offer)
    else:
        await press(ben, offer, "accept")
    _forget_nonces(table)
    table.playground.faults.clear()
    await table.settled()
    (offer,) = await _offers(anna, channel)
    assert said in all_text(offer)
    assert "accept" not in actions(offer)


async def test_the_lobby_in_the_same_channel_is_taken_for_no_offer(table: Hosted) -> None:
    """It has a button for the same match."""
    anna = await table.join("Anna")
    channel, guild = anna.channel("games"), int(anna.guild["id"])
    await table.bot.services.preferences.change_server(
        GuildId(guild), UserId(anna.id), lambda chosen: replace(chosen, lobby=ChannelId(channel))
    )
    await anna.ask("play", channel, game="quax")
    await anna.wait_message(lambda m: ":accept:" in str(m["components"]) and not m["flags"] & 64)
    ((match, _),) = await table.history()
    to = Recipient(channel_id=match.origin.channel_id)
    assert await table.bot.messenger.find_offer(match, to, since=match.created_at) is None


# ---- notices ---------------------------------------------------------------------------------


@pytest.mark.parametrize("asks", [pytest.param(True, marks=pytest.mark.long), False])
async def test_what_a_player_asked_for_and_what_came_of_it_is_told_once(
    game: Game, asks: bool
) -> None:
    table = game.hosted
    said = "asks to take back a1" if asks else "the takeback request in Quax was declined"
    await game.say(game.black, "a1")
    await table.settled()
    lost = table.playground.faults.rest("POST", POST, Drop(), when="after", skip=0 if asks else 1)
    await press_board(game.black, await game.board(), "takeback")
    if not asks:
        asked = await game.white.wait_message(lambda m: "asks to take back" in all_text(m))
        await press(game.white, asked, "refuse")
    await _struck(lost)
    _forget_nonces(table)
    await table.settled()
    found = await game.black.messages(game.home)
    assert sum(said in all_text(each) for each in found if not each["flags"] & 64) == 1


async def test_what_was_posted_is_known_again(game: Game) -> None:
    """Each in its place, of its kind and of its time, in whatever language."""
    bot = game.hosted.bot
    messenger, now = bot.messenger, bot.clock.now()
    who, later = UserId(game.black.id), now + timedelta(minutes=3)
    ((match, _),) = await game.hosted.history()
    board = posted_at(await game.board())
    look = partial(messenger.find_board, match, Recipient(board.channel_id), version=match.version)
    assert await look(since=match.created_at, but=None) == board
    assert await look(since=match.created_at, but=board) is None, "that one was there before"
    assert await look(since=later, but=None) is None
    for locale in ("de", "ja"):
        await bot.services.preferences.change(
            who, lambda chosen, locale=locale: replace(chosen, language=locale)
        )
        for to in (Recipient(ChannelId(game.home), who), Recipient(user_id=who)):
            reminder = Notice(match, who, Reminder(later), f"r{locale}")
            posted = await messenger.notify(reminder, to)
            moved = replace(reminder, kind=Reminder(now))
            assert await messenger.find_notice(moved, to, now) == posted
            assert not await messenger.find_notice(moved, to, later)
            for back in (now + timedelta(days=3), None):
                word = Notice(match, who, VacationNews(back), f"v{locale}{back is None}")
                assert await messenger.find_notice(word, to, now) is None
                posted = await messenger.notify(word, to)
                assert await messenger.find_notice(word, to, now) == posted is not None
                assert await messenger.find_notice(word, to, later) is None
                await messenger.erase(posted)
        assert await messenger.find_digest(who, since=now) is None
        await messenger.digest(who, (match,), nonce=f"d{locale}")
        digest = await messenger.find_digest(who, since=now)
        assert digest is not None
        assert await messenger.find_digest(who, since=later) is None, "that is another one"
        await messenger.erase(digest)


# ---- answers that are none ------------------------------------------------------------------


BOARD, CALL = ("POST", POST, 0), ("POST", POST, 1)
BUTTONS, OLD_CALL = ("PATCH", EDIT, 0), ("DELETE", EDIT, 0)
HTML, OBJECT, LIST = Junk(), Junk("{}", "application/json"), Junk("[]", "application/json")


MOVES = ("a1", "e5", "a2", "e4", "b1", "d5", "b2", "d4", "a3", "e3", "c1", "d3", "c2", "e2")
_Odd = tuple[tuple[str, str, int], Any, Any]
SELDOM: list[_Odd] = [
    (BOARD, HTML, "before"),
    (BOARD, OBJECT, "after"),
    (BOARD, LIST, "before"),
    (BOARD, Status(403, html=True), "before"),
    (CALL, HTML, "after"),
    (CALL, LIST, "before"),
    (CALL, Status(404, html=True), "after"),
    (BUTTONS, HTML, "before"),
    (BUTTONS, LIST, "before"),
    (BUTTONS, Status(400, html=True), "before"),
    (OLD_CALL, OBJECT, "before"),
    (OLD_CALL, Status(404, html=True), "before"),
]


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param([(BOARD, HTML, "after"), (CALL, OBJECT, "before")], id="often"),
        pytest.param(SELDOM, id="seldom", marks=pytest.mark.long),
    ],
)
async def test_what_is_no_answer_of_discords_is_trouble_on_the_way(
    game: Game, odd: list[_Odd]
) -> None:
    faults = game.hosted.playground.faults
    turns = itertools.cycle((game.black, game.white))
    moves = iter(MOVES)
    for (method, path, skip), page, when in odd:
        fault = faults.rest(method, path, page, when=when, skip=skip)
        await game.say(next(turns), next(moves))
        await game.hosted.settled()
        assert fault.hits == 1
        await _converged(game)
    for page in (HTML, OBJECT):
        lost = faults.rest("POST", POST, Drop(), when="after")
        looked = faults.rest("GET", POST, page)
        await game.say(next(turns), next(moves))
        await _struck(lost)
        _forget_nonces(game.hosted)
        await game.hosted.settled()
        assert looked.hits == 1, "and it is not taken for nothing there"
        await _converged(game)


async def test_a_board_is_posted_where_what_comes_for_the_name_of_a_player_is_none(
    game: Game,
) -> None:
    await game.hosted.restart()
    names = game.hosted.playground.faults.rest("GET", r".*/users/[0-9]+", HTML, times=None)
    await game.say(game.black, "a1")
    await game.hosted.settled()
    assert names.hits
    await _converged(game)
