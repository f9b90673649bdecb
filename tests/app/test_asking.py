"""Second thoughts as two people have them: takeback, pause, rematch, in messages and buttons."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.match import MatchStatus
from bot.services.verification import verify_all
from playground.faults import Status
from playground.forms import all_text, find_control
from playground.world.controls import walk
from playground.world.model import InteractionType
from tests.hosted import Game, Hosted, Json, begun, moves_named, press_board


async def _start(table: Hosted, **more: object) -> Game:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    channel = int(anna.guild["channels"][0]["id"])
    return Game(
        anna, ben, channel, await begun(table, anna, ben, channel, game="rows", **more), table
    )


def _press(message: Json, label: str) -> Json:
    """A click on a button as it was when a message was first seen."""
    return {"component_type": 2, "custom_id": find_control(message, label=label)["custom_id"]}


@pytest.mark.long
async def test_a_takeback_is_asked_for_withdrawn_agreed_on_and_played_over(table: Hosted) -> None:
    game = await _start(table)
    anna, ben = game.black, game.white
    for mover, move in ((anna, "a1"), (ben, "b2")):
        await mover.ask("move", game.home, move=move)
        await table.settled()
    board = await game.board()
    told = await press_board(ben, board, "Take back")
    assert "You asked to take back your last move." in all_text(told)
    first = await anna.wait_message(lambda m: "asks to take back b2" in all_text(m))
    assert [each["id"] for each in first["mentions"]] == [str(anna.id)]
    told = await ben.turn(told, label="Withdraw")
    assert "withdrew your takeback request" in all_text(told)
    await table.settled()
    closed = await anna.message(game.home, first["id"])
    assert "**Withdrawn.**" in all_text(closed)
    await ben.ask("match takeback", game.home)
    second = await anna.wait_message(
        lambda m: "take back b2" in all_text(m) and m["id"] != first["id"]
    )
    own = await press_board(anna, board, "Take back")
    assert "Answer that request first" in all_text(own)
    assert find_control(own, label="Decline") is not None
    # The first message has gone by now; a click on it may still be on its way.
    stale = await table.raw(
        anna, InteractionType.COMPONENT, game.home, _press(first, "Accept"), message=second
    )
    assert "takeback request is no longer open" in all_text(stale)
    await table.restart()
    agreed = await anna.press(second, label="Accept")
    assert "You accepted the takeback." in all_text(agreed)
    await ben.wait_message(lambda m: "was taken back. It's your turn again" in str(m["content"]))
    await table.settled()
    board = await game.board()
    assert "1 a1" in all_text(board)
    assert "b2" not in moves_named(all_text(board))
    late = await table.raw(
        anna, InteractionType.COMPONENT, game.home, _press(second, "Accept"), message=second
    )
    assert "takeback request is no longer open" in all_text(late)
    words = await press_board(anna, board, "Text board")
    assert "Moves: 1 a1" in all_text(words)
    await ben.ask("move", game.home, move="c3")
    await table.settled()
    assert "2 c3" in all_text(await game.board())
    assert not (await verify_all(table.bot.store)).problems


async def test_a_pause_is_agreed_on_shown_and_ended(table: Hosted) -> None:
    game = await _start(table, clock="3d")
    anna, ben = game.black, game.white
    board = await game.board()
    told = await press_board(anna, board, "Pause")
    assert "The clock runs on until all players accept." in all_text(told)
    asked = await ben.wait_message(lambda m: "asks for a pause" in all_text(m))
    ends = "would stop until a player resumes the match or makes the next move"
    assert ends in all_text(asked), "how it ends is said where it is asked for"
    listed = all_text(await ben.ask("matches", game.home))
    assert f"<@{anna.id}> asks for a pause." in listed
    await ben.press(asked, label="Accept")
    await anna.wait_message(lambda m: "is stopped" in str(m["content"]))
    await table.settled()
    board = await game.board()
    assert "The clock is stopped." in all_text(board)
    listed = all_text(await ben.ask("matches", game.home))
    assert "paused" in listed
    await press_board(ben, board, "Resume")
    await anna.wait_message(lambda m: "The clock is running" in str(m["content"]))
    await table.settled()
    assert "Time runs out <t:" in all_text(await game.board())


@pytest.mark.long
async def test_two_who_press_rematch_play_one_rematch_with_the_sides_exchanged(
    table: Hosted,
) -> None:
    game = await _start(table)
    anna, ben = game.black, game.white
    early = await anna.ask("match rematch", game.home)
    assert "isn't over yet" in all_text(early)
    asked = await anna.ask("match resign", game.home)
    await anna.turn(asked, label="Resign")
    await table.settled()
    board = await game.board()
    clicks = await asyncio.gather(*(p.click(board, label="Rematch") for p in (anna, ben)))
    said = [all_text(await p.wait_answer(c)) for p, c in zip((anna, ben), clicks, strict=True)]
    assert sorted("has started" in each for each in said) == [False, True]
    await table.settled()
    again = await anna.ask("match rematch", game.home)
    assert "rematch of this match already exists" in all_text(again)
    matches = [match async for match, _ in table.bot.store.all_matches()]
    assert len(matches) == 2
    before = next(each for each in matches if each.status is MatchStatus.FINISHED)
    after = next(each for each in matches if each.status is MatchStatus.RUNNING)
    assert after.players == tuple(reversed(before.players))
    assert (after.game, after.options, after.rated) == (
        before.game,
        before.options,
        before.rated,
    )


async def test_the_offer_of_a_rematch_says_that_it_is_one_and_exchanges_the_sides(
    table: Hosted,
) -> None:
    game = await _start(table)
    anna, ben = game.black, game.white
    asked = await anna.ask("match resign", game.home)
    await anna.turn(asked, label="Resign")
    await table.settled()
    after = len(ben.events)
    await anna.press(await game.board(), label="Rematch")
    offer = await ben.wait_message(lambda m: "would like to play" in all_text(m), after=after)
    assert "A rematch, with sides exchanged." in all_text(offer)
    assert f"Blue: <@{ben.id}> · Gold: <@{anna.id}>" in all_text(offer)
    shown = list(walk(offer["components"]))
    labels = [each["label"] for each in shown if each["type"] == 2]
    assert labels[:4] == ["Accept", "Decline", "Rules", "Learn"]
    assert any(each["type"] == 12 for each in shown), "with its board"


async def test_a_thread_closes_sooner_after_its_match_and_stays_open_for_a_rematch(
    table: Hosted,
) -> None:
    game = await _start(table)
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
    game = await _start(table)
    anna = game.black
    table.playground.faults.rest("PATCH", rf".*/channels/{game.home}", Status(403, 50013))
    asked = await anna.ask("match resign", game.home)
    await anna.turn(asked, label="Resign")
    await table.settled()
    assert "resigned" in all_text(await game.board())
    thread = table.playground.world.state.channel(game.home)
    assert thread.archive_minutes == 7 * 24 * 60
