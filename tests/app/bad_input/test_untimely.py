"""The right thing at the wrong time: before a match, after it, twice, in a place put away."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from playground.forms import all_text, find_control
from playground.person import Person
from playground.world.model import InteractionType
from tests.support.hosted import Game, Hosted, Json, press_board


async def _still_refused(
    game: Game, action: str, words: str, *, message: Json, text: str | None = None
) -> None:
    """A control of the match, or its form with a text, is refused and changes nothing."""
    (match, _), *_ = before = await game.hosted.history()
    data: dict[str, Any] = {"component_type": 2, "custom_id": f"p1:{match.id}:{action}"}
    kind = InteractionType.COMPONENT
    if text is not None:
        field = {"type": 18, "component": {"type": 4, "custom_id": "move", "value": text}}
        data = {"custom_id": f"p1:{match.id}:{action}", "components": [field]}
        kind = InteractionType.MODAL
    source = None if text is not None else message
    answer = await game.hosted.raw(game.black, kind, game.home, data, message=source)
    assert words in all_text(answer), (action, all_text(answer))
    assert answer["flags"] & 64
    assert await game.hosted.history() == before


async def _end(game: Game, label: str) -> None:
    board = await game.board()
    asked = await press_board(game.white, board, label)
    await game.white.turn(asked, label=label)
    await game.hosted.settled()


@pytest.mark.long
@pytest.mark.parametrize("label", ["Resign", "Abort"])
async def test_what_was_begun_before_the_end_is_refused_after_it(game: Game, label: str) -> None:
    board = await game.board()
    version = find_control(board, label="Make a move")["custom_id"].split(":")[2]
    await _end(game, label)
    over = "This match is over. Start a new one with </play:"
    for action in ("move:", "pick:", "play:c3", "way:c3", "resign:", "abort:"):
        await _still_refused(game, f"{version}:{action}", over, message=board)
    for action in ("resignyes:", "abortyes:", "draw:", "agree:draw", "refuse:draw"):
        await _still_refused(game, f"{version}:{action}", over, message=board)
    await _still_refused(game, f"{version}:typed:", over, message=board, text="c3")
    for command in ("move", "match resign", "match abort", "match draw"):
        fields = {"move": "c3"} if command == "move" else {}
        told = await game.black.ask(command, game.home, **fields)
        assert over in all_text(told)


@pytest.mark.long
async def test_a_match_that_has_not_started_takes_no_moves(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    channel = int(anna.guild["channels"][0]["id"])
    await anna.ask("play", channel, game="quax", opponent=ben)
    offer = await ben.wait_message(lambda m: "would like to play" in all_text(m))
    game = Game(anna, ben, channel, channel, table)
    for action in ("move:", "play:c3", "way:", "resign:", "resignyes:", "abortyes:", "text:"):
        waits = "hasn't started yet. Its offer is waiting for an answer"
        await _still_refused(game, f"1:{action}", waits, message=offer)
    await _still_refused(game, "1:typed:", "hasn't started", message=offer, text="c3")
    told = await anna.ask("move", channel, move="c3")
    assert "no match here" in all_text(told)


async def _panel(game: Game, cell: str) -> Json:
    board = await game.board()
    panel = await game.black.press(board, label="Make a move")
    after = len(game.black.events)
    await game.black.click(panel, label=cell)
    return await game.black.wait_message(lambda m: m["id"] == panel["id"], after=after)


async def test_twenty_clicks_in_a_second_play_once_and_are_no_error(game: Game) -> None:
    panel = await _panel(game, "c3")
    play = find_control(panel, label="Play c3")["custom_id"]
    after = len(game.black.events)
    for _ in range(20):
        game.hosted.playground.deliver_raw(
            InteractionType.COMPONENT,
            channel_id=game.home,
            user_id=game.black.id,
            data={"component_type": 2, "custom_id": play},
            message_id=int(panel["id"]),
        )
    said: Counter[str] = Counter()
    async with asyncio.timeout(20):
        while said.total() < 20:
            told = await game.black.wait_message(lambda m: m["id"] == panel["id"], after=after)
            seen = next(n for n, e in enumerate(game.black.events) if n >= after and e.data is told)
            after = seen + 1
            said[all_text(told)] += 1
    assert said == {"You played c3.": 1, "You've already played c3.": 19}
    (match, _), *_ = await game.hosted.history()
    assert match.ply == 1


@pytest.mark.long
async def test_a_control_in_a_locked_thread_does_what_it_says_or_nothing(game: Game) -> None:
    """Discord takes no clicks there; one that was on its way when the thread was put away."""
    world = game.hosted.playground.world
    panel = await _panel(game, "c3")
    thread = world.state.channel(game.home)
    before = await game.hosted.history()
    world.threads.change(thread, world.state.bot_id, {"archived": True, "locked": True})
    play = find_control(panel, label="Play c3")["custom_id"]
    game.hosted.playground.deliver_raw(
        InteractionType.COMPONENT,
        channel_id=game.home,
        user_id=game.black.id,
        data={"component_type": 2, "custom_id": play},
        message_id=int(panel["id"]),
    )
    async with asyncio.timeout(20):
        while await game.hosted.history() == before:
            await asyncio.sleep(0.05)
    (match, _), *_ = await game.hosted.history()
    assert match.recent == ("c3",)


async def test_of_two_who_accept_at_once_one_is_told_that_the_seat_is_taken(
    table: Hosted,
) -> None:
    people: list[Person] = [await table.join(name) for name in ("Anna", "Ben", "Cleo")]
    anna, ben, cleo = people
    await anna.ask("play", anna.channel("general"), game="quax")
    offer = await ben.wait_message(lambda m: "would like to play" in all_text(m))
    clicks = await asyncio.gather(*(each.click(offer, label="Accept") for each in (ben, cleo)))
    told = await asyncio.gather(
        *(each.wait_answer(click) for each, click in zip((ben, cleo), clicks, strict=True))
    )
    words = sorted(all_text(each) for each in told)
    assert words[0].startswith("The match has started")
    assert words[1] == "This offer is no longer open: the match has started."
    assert all(each["flags"] & 64 for each in told)
