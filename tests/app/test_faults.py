"""Faults of Discord and the network in answers and posts: no move suffers from them."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import aiohttp
import discord
import pytest

from bot.connection.client import free_requests
from bot.posts.outgoing import LEASE
from bot.ui import rest
from bot.ui.delivery import poster
from bot.ui.interaction.registry import OPENERS
from playground.faults import Delay, Drop, Hang, Junk, Status, TooMany
from playground.forms import all_text
from playground.world.controls import walk
from playground.world.model import InteractionType
from tests.support.hosted import Game, open_form, press, press_action, shown_board

CALLBACK = r".*/interactions/\d+/[^/]+/callback"
ORIGINAL = r".*/webhooks/\d+/[^/]+/messages/@original"
POST = r".*/channels/\d+/messages"
EDIT = r".*/channels/\d+/messages/\d+"

TOO_MUCH = 40005
"""Discord's refusal of a picture."""
PAGES = [Junk(), Junk("[]", "application/json")]
"""Pages of a proxy, or of a Discord in trouble, in place of an object."""


async def _ply(game: Game) -> int:
    (match, _), *_ = await game.hosted.history()
    return int(match.ply)


async def _boards(game: Game) -> list[dict[str, object]]:
    return [
        message
        for message in await game.black.messages(game.home)
        if any(each["type"] == 12 for each in walk(message["components"]))
    ]


MOVES = ("a1", "e5", "a2", "e4", "b1", "d5", "b2", "d4", "a3", "e3", "c1", "d3", "c2", "e2")


async def _takes_turns(game: Game, ply: int) -> str:
    """Have the move of this number played, and told as one; the move."""
    move = MOVES[ply]
    assert f"You played {move}." in all_text(
        await game.say((game.black, game.white)[ply % 2], move)
    )
    assert await _ply(game) == ply + 1
    return move


async def test_acknowledgements_and_answers_that_are_lost_on_their_way_are_given_again(
    game: Game,
) -> None:
    """Also where it had arrived, so that Discord says that there is one already."""
    faults = game.hosted.playground.faults
    dropped = itertools.product((Drop(), Drop(reset=True), *PAGES), ("before", "after"))
    for ply, (fault, when) in enumerate(((Status(502), "after"), *dropped)):
        struck = faults.rest("POST", CALLBACK, fault, when=when)  # type: ignore[arg-type]
        await _takes_turns(game, ply)
        assert struck.hits == 1
    for ply, fault in enumerate((Status(502), Drop()), await _ply(game)):
        struck = faults.rest("PATCH", ORIGINAL, fault)  # type: ignore[arg-type]
        await _takes_turns(game, ply)
        assert struck.hits == 1, "answers are given again as well"
    panel = await game.panel(game.white)
    faults.rest("POST", CALLBACK, Drop())
    await open_form(game.white, panel, "type")


def _without_a_token(data: dict[str, Any]) -> dict[str, Any]:
    return {key: data[key] for key in data if key != "token"}


async def test_nothing_is_done_that_discord_has_not_acknowledged(game: Game) -> None:
    faults, bot = game.hosted.playground.faults, game.hosted.bot
    for refusal in (Status(404, 10062), Status(400, 50035), Status(403, 50001)):
        refused = faults.rest("POST", CALLBACK, refusal)
        await game.black.slash("move", game.home, move="a1")
        async with asyncio.timeout(10):
            while not refused.hits:
                await asyncio.sleep(0.01)
    _deliver(game, "a1", age=4.0)
    faults.event("INTERACTION_CREATE", change=_without_a_token)
    await game.black.slash("move", game.home, move="a1")
    await asyncio.sleep(0.5)
    assert bot.client.malformed == 1
    assert await _ply(game) == 0
    await _takes_turns(game, 0)


async def test_what_is_acknowledged_too_slowly_is_not_done_and_said_so(game: Game) -> None:
    faults = game.hosted.playground.faults
    faults.rest("POST", CALLBACK, Delay(2.7))
    assert "That took too long" in all_text(await game.say(game.black, "a1"))
    panel = await game.panel(game.black)
    faults.rest("POST", CALLBACK, Delay(2.7))
    after = len(game.black.events)
    await press_action(game.black, panel, "pick:a1")
    told = await game.black.wait_message(lambda m: "took too long" in all_text(m), after=after)
    assert told["flags"] & 64
    assert told["id"] != panel["id"], "the panel can still be used"
    assert await _ply(game) == 0


async def test_whatever_comes_of_a_move_whose_acknowledgements_are_all_lost_is_said(
    game: Game,
) -> None:
    faults = game.hosted.playground.faults
    drop = faults.rest("POST", CALLBACK, Drop(), times=None)
    nonce = await game.black.slash("move", game.home, move="a1")
    await game.black.wait_event("INTERACTION_FAILURE", lambda told: told["nonce"] == nonce)
    assert drop.hits > 2, "it was tried again"
    assert await _ply(game) == 0
    faults.clear()
    faults.rest("POST", CALLBACK, Drop(), times=None, when="after")
    told = await game.say(game.black, "a1")
    assert ("You played a1." in all_text(told)) == (await _ply(game) == 1)


def _deliver(game: Game, move: str, **how: Any) -> dict[str, Any]:
    """Have a typed move of Black's delivered in an odd way."""
    world = game.hosted.playground.world
    command = next(each for each in world.state.commands.values() if each.name == "move")
    data = {
        "id": str(command.id),
        "name": "move",
        "type": 1,
        "options": [{"type": 3, "name": "move", "value": move}],
    }
    if how:
        game.hosted.playground.deliver_raw(
            InteractionType.COMMAND, channel_id=game.home, user_id=game.black.id, data=data, **how
        )
    return data


@pytest.mark.parametrize("drops", [0, 2])
async def test_the_same_interaction_three_times_is_one_move_with_one_answer(
    game: Game, drops: int
) -> None:
    """Also where answers to the acknowledgements are lost, so that none knows whose came first."""
    game.hosted.playground.faults.rest("POST", CALLBACK, Drop(), when="after", times=drops)
    data = _deliver(game, "a1")
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


async def test_a_board_that_discord_does_not_take_at_once_is_there_once_in_the_end(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it had taken it; and what it never answers is given up before another tries it."""
    patience = rest._PATIENCE
    assert (patience.sock_connect or 99) + (patience.sock_read or 99) <= LEASE.total_seconds()
    monkeypatch.setattr(poster, "_FIRST_PAUSE", 1.0)
    trouble: list[tuple[str, str, Any, Any]] = [
        ("POST", POST, TooMany(retry_after=0.3), "before"),
        *(("POST", POST, TooMany(via=False, html=html), "before") for html in (True, False)),
        ("POST", POST, Status(400, TOO_MUCH), "before"),
        *(
            (method, path, Hang(), when)
            for method, path in (("POST", POST), ("PATCH", EDIT))
            for when in ("before", "after")
        ),
        *(
            ("POST", POST, fault, when)
            for fault in (Status(502), Drop())
            for when in ("before", "after")
        ),
    ]
    for ply, (method, path, fault, when) in enumerate(trouble):
        before = len(await _boards(game))
        faults = game.hosted.playground.faults
        struck = [faults.rest(method, path, fault, when=when)]
        if isinstance(fault, Hang) and (method, when) == ("POST", "after"):
            # What was posted is looked for, which Discord does not answer either.
            struck.append(faults.rest("GET", POST, fault))
        with monkeypatch.context() as patch:
            if isinstance(fault, Hang):
                patch.setattr(rest, "_PATIENCE", aiohttp.ClientTimeout(total=None, sock_read=0.3))
            move = await _takes_turns(game, ply)
            await game.hosted.settled()
        assert [each.hits for each in struck] == [1] * len(struck)
        newest, *older = (
            each
            for each in await game.black.messages(game.home)
            if not each["flags"] & 64 and shown_board(each) is not None
        )
        letters = isinstance(fault, Status) and fault.code == TOO_MUCH
        if letters:
            newest = await game.board()
        assert f"{ply + 1} {move}" in all_text(newest)
        assert ("```" in all_text(newest)) is letters
        assert ":move:" in str(newest["components"])
        assert not [each for each in older if each is not newest and ":move:" in str(each)]
        assert len(await _boards(game)) == before + (not letters)


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

    def not_drawn(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.undo()
    monkeypatch.setattr(game.hosted.bot.services.reader.pictures, "_render", not_drawn)
    await _takes_turns(game, 0)
    await game.hosted.settled()
    assert "```" in all_text(await game.board()), "it comes in letters"


@pytest.mark.logs_errors
async def test_a_bug_in_a_form_that_was_to_open_gets_an_id_too(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object) -> discord.ui.Modal:
        raise ZeroDivisionError

    panel = await game.panel(game.black)
    monkeypatch.setitem(OPENERS, ("type", None), broken)
    assert "Something went wrong" in all_text(await press(game.black, panel, "type"))


async def test_requests_that_are_stuck_behind_a_limit_that_is_over_go_on(game: Game) -> None:
    """As when the request that met a global limit was cancelled while waiting for its end."""
    client, faults = game.hosted.bot.client, game.hosted.playground.faults
    watching = asyncio.create_task(free_requests(client, longest=5.0, look=0.01))
    faults.rest("POST", POST, TooMany(retry_after=0.5, is_global=True))
    await _takes_turns(game, 0)
    await game.hosted.settled()
    assert "1 a1" in all_text(await game.board()), "one that is not over is left to the library"
    watching.cancel()
    faults.rest("POST", POST, TooMany(retry_after=20.0, is_global=True))
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
    await _takes_turns(game, 1)
    assert not client.http._global_over.is_set()
    watching = asyncio.create_task(free_requests(client, longest=0.2, look=0.05))
    await game.hosted.settled()
    assert "2 e5" in all_text(await game.board())
    watching.cancel()
