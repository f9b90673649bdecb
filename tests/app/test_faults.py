"""What Discord and the network do to answers and posts, and that no move suffers from it."""

from __future__ import annotations

import asyncio

import aiohttp
import discord
import pytest

from bot.connection.client import free_requests
from bot.posts.outgoing import LEASE
from bot.ui import rest
from bot.ui.delivery import poster
from playground.faults import Delay, Drop, Hang, Junk, Status, TooMany
from playground.forms import all_text
from playground.world.controls import walk
from playground.world.model import InteractionType
from tests.hosted import Game

CALLBACK = r".*/interactions/\d+/[^/]+/callback"
ORIGINAL = r".*/webhooks/\d+/[^/]+/messages/@original"
POST = r".*/channels/\d+/messages"
EDIT = r".*/channels/\d+/messages/\d+"

PAGES = [Junk(), Junk("[]", "application/json")]
"""What a proxy, or a Discord in trouble, may say where an object is due."""


async def _ply(game: Game) -> int:
    (match, _), *_ = await game.hosted.history()
    return int(match.ply)


async def _boards(game: Game) -> list[dict[str, object]]:
    return [
        message
        for message in await game.black.messages(game.home)
        if any(each["type"] == 12 for each in walk(message["components"]))
    ]


@pytest.mark.long
async def test_an_acknowledgement_that_arrived_although_502_was_said_counts(
    game: Game,
) -> None:
    game.hosted.playground.faults.rest("POST", CALLBACK, Status(502), when="after")
    assert "You played a1." in all_text(await game.say(game.black, "a1"))
    assert await _ply(game) == 1


@pytest.mark.long
async def test_an_interaction_that_discord_has_given_up_applies_nothing(game: Game) -> None:
    game.hosted.playground.faults.rest("POST", CALLBACK, Status(404, 10062))
    await game.black.slash("move", game.home, move="a1")
    await asyncio.sleep(0.5)
    assert await _ply(game) == 0


@pytest.mark.long
@pytest.mark.parametrize("fault", [Status(400, 50035), Status(403, 50001)])
async def test_an_acknowledgement_that_discord_refuses_applies_nothing(
    game: Game, fault: Status
) -> None:
    game.hosted.playground.faults.rest("POST", CALLBACK, fault)
    await game.black.slash("move", game.home, move="a1")
    await asyncio.sleep(0.5)
    assert await _ply(game) == 0
    assert "You played a1." in all_text(await game.say(game.black, "a1"))


@pytest.mark.long
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("fault", [Drop(), Drop(reset=True), *PAGES])
async def test_an_acknowledgement_whose_connection_drops_is_tried_again(
    game: Game, fault: object, when: str
) -> None:
    """Also where it had arrived, so that Discord says that there is one already."""
    struck = game.hosted.playground.faults.rest("POST", CALLBACK, fault, when=when)  # type: ignore[arg-type]
    assert "You played a1." in all_text(await game.say(game.black, "a1"))
    assert struck.hits == 1
    assert await _ply(game) == 1


@pytest.mark.long
async def test_a_form_is_shown_although_the_connection_drops(game: Game) -> None:
    board = await game.board()
    panel = await game.black.press(board, label="Make a move")
    game.hosted.playground.faults.rest("POST", CALLBACK, Drop())
    nonce = await game.black.click(panel, label="Type a move")
    await game.black.wait_modal(nonce)


@pytest.mark.long
async def test_an_acknowledgement_that_never_arrives_applies_nothing(game: Game) -> None:
    drop = game.hosted.playground.faults.rest("POST", CALLBACK, Drop(), times=None)
    nonce = await game.black.slash("move", game.home, move="a1")
    await game.black.wait_event("INTERACTION_FAILURE", lambda told: told["nonce"] == nonce)
    assert drop.hits > 2, "it was tried again"
    assert await _ply(game) == 0
    game.hosted.playground.faults.clear()
    assert "You played a1." in all_text(await game.say(game.black, "a1"))


@pytest.mark.long
async def test_nobody_is_left_thinking_where_only_the_answers_of_discord_are_lost(
    game: Game,
) -> None:
    """Whatever comes of it is said: nothing was done, or what was done."""
    playground = game.hosted.playground
    playground.faults.rest("POST", CALLBACK, Drop(), times=None, when="after")
    told = await game.say(game.black, "a1")
    assert ("You played a1." in all_text(told)) == (await _ply(game) == 1)


@pytest.mark.long
async def test_a_click_that_discord_took_too_slowly_is_answered(game: Game) -> None:
    board = await game.board()
    panel = await game.black.press(board, label="Make a move")
    game.hosted.playground.faults.rest("POST", CALLBACK, Delay(2.7))
    after = len(game.black.events)
    await game.black.click(panel, label="a1")
    told = await game.black.wait_message(lambda m: "took too long" in all_text(m), after=after)
    assert told["flags"] & 64
    assert told["id"] != panel["id"], "the panel can still be used"


@pytest.mark.long
async def test_an_interaction_of_four_seconds_ago_applies_nothing(game: Game) -> None:
    command = await game.black.command("move", game.home)
    data = {
        "id": command["id"],
        "name": "move",
        "type": 1,
        "options": [{"type": 3, "name": "move", "value": "a1"}],
    }
    game.hosted.playground.deliver_raw(
        InteractionType.COMMAND,
        channel_id=game.home,
        user_id=game.black.id,
        data=data,
        age=4.0,
    )
    await asyncio.sleep(0.5)
    assert await _ply(game) == 0


@pytest.mark.parametrize("drops", [0, 2])
async def test_the_same_interaction_three_times_is_one_move_with_one_answer(
    game: Game, drops: int
) -> None:
    """Also where answers to the acknowledgements are lost, so that none knows whose came first."""
    game.hosted.playground.faults.rest("POST", CALLBACK, Drop(), when="after", times=drops)
    command = await game.black.command("move", game.home)
    data = {
        "id": command["id"],
        "name": "move",
        "type": 1,
        "options": [{"type": 3, "name": "move", "value": "a1"}],
    }
    before = len(game.black.events)
    answer = await game.hosted.raw(game.black, InteractionType.COMMAND, game.home, data, copies=3)
    assert "You played a1." in all_text(answer)
    await game.hosted.settled()
    assert await _ply(game) == 1
    told = {
        (each.data["id"], all_text(each.data))
        for each in game.black.events[before:]
        if each.name in ("MESSAGE_CREATE", "MESSAGE_UPDATE") and each.data["flags"] & 64
    }
    said = {text for _, text in told if text}
    assert said == {"You played a1."}
    assert len({shown for shown, _ in told}) == 1, "one answer, which goes when the board stands"


@pytest.mark.parametrize("fault", [Status(502), Drop()])
async def test_answers_are_given_again_until_discord_takes_them(game: Game, fault: object) -> None:
    game.hosted.playground.faults.rest("PATCH", ORIGINAL, fault)  # type: ignore[arg-type]
    assert "You played a1." in all_text(await game.say(game.black, "a1"))


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("fault", [Status(502), Drop()])
async def test_a_board_whose_post_was_lost_or_only_its_answer_is_there_once(
    game: Game, fault: object, when: str
) -> None:
    before = len(await _boards(game))
    game.hosted.playground.faults.rest("POST", POST, fault, when=when)  # type: ignore[arg-type]
    await game.say(game.black, "a1")
    await game.hosted.settled()
    assert len(await _boards(game)) == before + 1
    assert "1 a1" in all_text(await game.board())


@pytest.mark.long
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("method", "path"), [("POST", POST), ("PATCH", EDIT)])
async def test_what_discord_never_answers_is_given_up_before_another_may_try_it(
    game: Game, monkeypatch: pytest.MonkeyPatch, method: str, path: str, when: str
) -> None:
    patience = rest._PATIENCE
    assert (patience.sock_connect or 99) + (patience.sock_read or 99) <= LEASE.total_seconds()
    monkeypatch.setattr(rest, "_PATIENCE", aiohttp.ClientTimeout(total=None, sock_read=0.3))
    before = len(await _boards(game))
    hung = game.hosted.playground.faults.rest(method, path, Hang(), when=when)  # type: ignore[arg-type]
    await game.say(game.black, "a1")
    await game.hosted.settled()
    assert hung.hits == 1
    boards = await _boards(game)
    assert len(boards) == before + 1
    assert "1 a1" in all_text(boards[0])
    assert ["Make a move" in str(board["components"]) for board in boards] == [True] + [
        False
    ] * before


@pytest.mark.long
async def test_a_limit_is_waited_for(game: Game) -> None:
    game.hosted.playground.faults.rest("POST", POST, TooMany(retry_after=0.3))
    await game.say(game.black, "a1")
    await game.hosted.settled()
    assert "1 a1" in all_text(await game.board())


@pytest.mark.long
@pytest.mark.parametrize("html", [True, False])
async def test_one_answer_that_looks_like_a_ban_keeps_no_match_for_minutes(
    game: Game, monkeypatch: pytest.MonkeyPatch, *, html: bool
) -> None:
    monkeypatch.setattr(poster, "_FIRST_PAUSE", 1.0)
    ban = game.hosted.playground.faults.rest("POST", POST, TooMany(via=False, html=html))
    await game.say(game.black, "a1")
    await game.hosted.settled()
    assert ban.hits == 1
    assert "1 a1" in all_text(await game.board())


@pytest.mark.long
@pytest.mark.parametrize("code", [40005, 50035, 50045])
async def test_a_picture_that_is_refused_gives_way_to_letters(game: Game, code: int) -> None:
    game.hosted.playground.faults.rest("POST", POST, Status(400, code))
    await game.say(game.black, "a1")
    await game.hosted.settled()
    newest = next(
        m for m in await game.black.messages(game.home) if "Make a move" in str(m["components"])
    )
    assert "1 a1" in all_text(newest)
    assert "```" in all_text(newest)


@pytest.mark.long
async def test_a_deleted_board_does_not_hold_up_the_next(game: Game) -> None:
    board = await game.board()
    game.hosted.playground.faults.rest("PATCH", EDIT, Status(404, 10008))
    await game.say(game.black, "a1")
    await game.hosted.settled()
    newest = await game.board()
    assert newest["id"] != board["id"]
    assert "You played a2." in all_text(await game.tap(game.white, "a2"))


@pytest.mark.long
async def test_an_acknowledgement_that_takes_too_long_applies_nothing_and_says_so(
    game: Game,
) -> None:
    game.hosted.playground.faults.rest("POST", CALLBACK, Delay(2.7))
    answer = await game.say(game.black, "a1")
    assert "That took too long" in all_text(answer)
    assert await _ply(game) == 0


@pytest.mark.long
async def test_an_event_that_cannot_be_read_does_not_end_the_connection(game: Game) -> None:
    def spoil(data: dict[str, object]) -> dict[str, object]:
        spoilt = dict(data)
        del spoilt["token"]
        return spoilt

    game.hosted.playground.faults.event("INTERACTION_CREATE", change=spoil)
    await game.black.slash("move", game.home, move="a1")
    await asyncio.sleep(0.3)
    assert game.hosted.bot.client.malformed == 1
    assert "You played a1." in all_text(await game.say(game.black, "a1"))


@pytest.mark.logs_errors
async def test_a_bug_gets_an_id_and_leaves_the_match_as_it_was(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    service = game.hosted.bot.service

    async def broken(*_args: object, **_fields: object) -> None:
        raise ZeroDivisionError("secret detail")

    before = await game.hosted.history()
    monkeypatch.setattr(service, "move", broken)
    answer = await game.say(game.black, "a1")
    assert "Something went wrong" in all_text(answer)
    assert "secret detail" not in all_text(answer)
    bug = all_text(answer).rstrip(".").split()[-1]
    assert bug in caplog.text
    assert "ZeroDivisionError" in caplog.text
    assert await game.hosted.history() == before


@pytest.mark.long
@pytest.mark.logs_errors
async def test_a_board_that_cannot_be_drawn_is_posted_in_letters(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:

    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(game.hosted.bot.services.presenter.pictures, "_render", broken)
    await game.say(game.black, "a1")
    await game.hosted.settled()
    newest = next(
        m for m in await game.black.messages(game.home) if "Make a move" in str(m["components"])
    )
    assert "```" in all_text(newest)
    assert "You played a2." in all_text(await game.tap(game.white, "a2"))


@pytest.mark.long
async def test_requests_that_are_stuck_behind_a_limit_that_is_over_go_on(game: Game) -> None:
    """As when the request that met a global limit was cancelled while waiting for its end."""
    client = game.hosted.bot.client
    limit = TooMany(retry_after=20.0, is_global=True)
    game.hosted.playground.faults.rest("POST", POST, limit)
    unlucky = asyncio.create_task(
        client.http.request(
            discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=game.home),
            json={"content": "never"},
        )
    )
    async with asyncio.timeout(10):
        while client.http._global_over.is_set():
            await asyncio.sleep(0.01)
    unlucky.cancel()
    assert "You played a1." in all_text(await game.say(game.black, "a1")), "answers go on"
    assert not client.http._global_over.is_set()
    watching = asyncio.create_task(free_requests(client, longest=0.2, look=0.05))
    await game.hosted.settled()
    assert "1 a1" in all_text(await game.board())
    watching.cancel()


@pytest.mark.long
async def test_a_limit_that_is_not_over_is_left_to_the_library(game: Game) -> None:
    client = game.hosted.bot.client
    watching = asyncio.create_task(free_requests(client, longest=5.0, look=0.01))
    game.hosted.playground.faults.rest("POST", POST, TooMany(retry_after=0.5, is_global=True))
    assert "You played a1." in all_text(await game.say(game.black, "a1"))
    await game.hosted.settled()
    assert "1 a1" in all_text(await game.board())
    watching.cancel()
