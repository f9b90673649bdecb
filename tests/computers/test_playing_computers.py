"""Playing computers as people do: from /play, an offer or a lesson, to the end."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from bot.app.wiring import thinking_alone
from bot.computers.domain.reviews import puzzle_in, settled
from bot.computers.services import ComputerService
from bot.computers.thinking.pool import WorkerPool
from bot.domain.game_state import game_state_of, player_on_turn
from bot.domain.history import verify
from bot.domain.ids import UserId
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.playthrough import play_through
from bot.store import open_store
from engines import levels
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from playground.world.model import InteractionType
from tests.support.hosted import (
    Hosted,
    actions,
    choose,
    control,
    files,
    hosted,
    offered,
    open_form,
    press,
    press_action,
    press_board,
    turn,
    values_chosen,
)

pytestmark = pytest.mark.slow


async def newest(table: Hosted) -> Match:
    """The match that was begun last."""
    found = await table.history()
    match: Match = max((match for match, _ in found), key=lambda each: each.created_at)
    return match


async def waited(table: Hosted, person: Person) -> Match:
    """The newest match, once it waits for the person or is over."""
    async with asyncio.timeout(30):
        while not await table.history():
            await asyncio.sleep(0.02)
        while True:
            match = await newest(table)
            if match.status is not MatchStatus.RUNNING:
                return match
            player = player_on_turn(match)
            if player is not None and match.players[player] == person.id:
                return match
            await asyncio.sleep(0.02)


async def play_to_the_end(
    table: Hosted, person: Person, most: int = 200, *, at: float = 0.0
) -> Match:
    """Type a legal move whenever the person is on turn: the first, or so far down their list."""
    for _ in range(most):
        match = await waited(table, person)
        if match.status is not MatchStatus.RUNNING:
            return match
        game = game_state_of(match)
        moves = list(game.game.legal_moves(game.position))
        move = moves[int(at * len(moves))]
        words = game.game.notation(game.position, move)
        home = match.home_id or match.origin.channel_id
        answer = await person.ask("move", home, move=words)
        assert "You played" in all_text(answer) or "You " in all_text(answer), all_text(answer)
    raise AssertionError("it does not end")


def labels(message: dict[str, Any]) -> list[str]:
    return [each["label"] for each in walk(message["components"]) if each.get("label")]


async def test_a_match_of_quax_from_play_to_its_end(
    table: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "STEPS", {"quax": (levels.Step(3, 0, 1),) * 5})
    anna = await table.join("Anna")
    channel = int(anna.guild["channels"][0]["id"])
    choices = await anna.autocomplete("play", channel, "computer", game="quax")
    assert choices[0]["name"] == "About my strength: level 2"
    assert [each["value"] for each in choices] == [str(number) for number in range(7)]
    assert choices[3]["name"] == "Level 3 (rating 1500)"
    answer = await anna.ask("play", channel, game="quax", computer="0", options="size 4, pie off")
    assert "The match has started." in all_text(answer)
    board = await anna.wait_message(lambda m: "Computer, level 2" in all_text(m))
    assert not board["mentions"] or {each["id"] for each in board["mentions"]} == {str(anna.id)}
    match = await play_to_the_end(table, anna)
    assert match.result is not None
    await table.settled()
    for stored, events in await table.history():
        verify(stored, events)
    over = (await anna.messages(match.home_id or channel))[:3]
    assert any("rematch" in actions(each) for each in over)


@pytest.mark.long
async def test_instead_of_an_offer_that_nobody_has_taken(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    channel = int(anna.guild["channels"][0]["id"])
    await anna.ask("play", channel, game="quax", options="size 7", clock="10m+5s")
    offer = await offered(ben)
    # Another player gets a match of their own, and the offer stays.
    page = await press(ben, offer, "cinstead")
    assert "cstart" in actions(page), all_text(page)
    assert "Play the computer · Quax" not in all_text(page)
    page = await press(anna, offer, "cinstead")
    assert "Play the computer · Quax" in all_text(page), all_text(page)
    assert "sback" not in actions(page)
    await turn(anna, page, "cstart")
    match = await newest(table)
    assert match.status is MatchStatus.RUNNING
    assert dict(match.options)["size"] == 7
    # Who has no matches finds those that are over, and those of others.
    listed = await ben.ask("matches", channel)
    over = await turn(ben, listed, "matches")
    assert "No finished matches yet." in all_text(over)
    here = await ben.choose(over, "p1:-:0:matches:", ["server"])
    human, computer = rf"<@{anna.id}>( \(to move\))?", r"Computer, level \d( \(to move\))?"
    assert re.search(rf"{human} – {computer}|{computer} – {human}", all_text(here))
    assert match.clock is not None
    statuses = {each.status for each, _ in await table.history()}
    assert statuses == {MatchStatus.RUNNING, MatchStatus.WITHDRAWN}
    await table.settled()
    now = await anna.message(int(offer["channel_id"]), offer["id"])
    assert "withdrawn" in all_text(now)


@pytest.mark.long
async def test_the_page_of_an_offer_becomes_that_of_the_computer_and_back(table: Hosted) -> None:
    anna = await table.join("Anna")
    offer = await anna.ask("play", anna.channel("general"))
    offer = await choose(anna, offer, "offer:game", "quax")
    page = await turn(anna, offer, "alone")
    assert "soffer" not in actions(page), "one page with one start"
    page = await turn(anna, await choose(anna, page, "cpick:game", "pux"), "sback")
    assert values_chosen(page, "offer:game") == ["pux"]
    await turn(anna, await turn(anna, page, "alone"), "cstart")
    assert [match.game for match, _ in await table.history()] == ["pux"]


@pytest.mark.long
async def test_a_computer_that_has_played_its_moves_of_a_minute_says_so(tmp_path: Any) -> None:
    async with hosted(tmp_path, computer_moves=1) as table:
        anna = await table.join("Anna")
        fields = {"game": "quax", "computer": "1", "options": "size 5, pie off", "side": "1"}
        await anna.ask("play", anna.channel("general"), **fields)
        for rests in (False, True):
            match = await waited(table, anna)
            at = game_state_of(match)
            move = at.game.notation(at.position, next(iter(at.game.legal_moves(at.position))))
            answer = await anna.ask("move", match.home_id or match.origin.channel_id, move=move)
            assert ("has played many moves" in all_text(answer)) is rests


@pytest.mark.long
async def test_a_hint_says_where_then_what_then_why(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    given = {"game": "quax", "computer": "1", "options": "size 4, pie off", "side": "1"}
    await anna.ask("play", anna.channel("general"), **given)
    board = await anna.wait_message(lambda m: "hint" in actions(m))
    refused = await press_board(ben, board, "hint")
    assert "You can't get hints in this match" in all_text(refused)
    old = await press_board(anna, board, "hint")
    panel = await press_board(anna, board, "move")
    page = await press_board(anna, board, "hint")
    assert "marked places" in all_text(page)
    page = await turn(anna, page, "hintmore")
    assert "Try **" in all_text(page)
    move = all_text(page).split("**")[1]
    # The notation alone says nothing to a player who is new to the game.
    assert f"Drop a stone on {move}" in all_text(page)
    page = await turn(anna, page, "hintmore")
    assert "wins" in all_text(page) or "match" in all_text(page) or "ahead" in all_text(page)
    step = control(old, "hintmore")
    page = await turn(anna, page, "play")
    assert f"You played {move}." in all_text(page)
    # Pages about a position go with it, but for the one that says what was played.
    for each in (old, panel):
        await anna.wait_event("MESSAGE_DELETE", lambda data, each=each: data["id"] == each["id"])
    assert page["id"] in {each["id"] for each in await anna.messages(int(page["channel_id"]))}
    late = await table.raw(
        anna,
        InteractionType.COMPONENT,
        int(board["channel_id"]),
        {"custom_id": step["custom_id"], "component_type": 2},
        message=board,
    )
    assert "Try **" not in all_text(late)
    assert "now" in all_text(late) or "turn" in all_text(late) or "over" in all_text(late)


@pytest.mark.long
async def test_without_workers_hints_come_and_moves_are_left_to_others(tmp_path: Any) -> None:
    async with hosted(tmp_path, workers=0) as table:
        anna = await table.join("Anna")
        channel = int(anna.guild["channels"][0]["id"])
        given = {"game": "quax", "computer": "1", "options": "size 4, pie off", "side": "1"}
        await anna.ask("play", channel, **given)
        board = await anna.wait_message(lambda m: "hint" in actions(m))
        thinker: Any = table.bot.thinker
        assert thinker.started == 0
        page = await press_board(anna, board, "hint")
        assert "marked places" in all_text(page)
        assert thinker.started == 1
        await anna.ask("move", channel, move="a1")
        await asyncio.sleep(0.5)
        assert (await newest(table)).ply == 1, "the computer's move is for other processes"


async def solve(anna: Person, table: Hosted, match: Match, page: dict[str, Any]) -> dict[str, Any]:
    """Try a moment of a review as a puzzle: first what was played, then what is better."""
    actor = Actor(UserId(anna.id), match.origin.guild_id)
    found = await table.bot.services.of(ComputerService).review(actor, match.id)
    events = await table.bot.services.matches.history(actor, match.id)
    game = play_through(match, events)
    mine = match.index_of(actor.user_id)
    own = [ply for ply in range(game.plies) if game.mover(ply) == mine]
    ply = puzzle_in(settled(found, game), own)
    assert ply is not None
    best, played = found.moves[ply].best, game.notations[ply]
    assert "Can you find a better move?" in all_text(page)
    page = await turn(anna, page, "retry")
    assert f"**{played}** was played, but only one move" in all_text(page)
    picture = next(at for at, each in enumerate(walk(page["components"])) if each["type"] == 12)
    below = list(walk(page["components"]))[picture:]
    assert any("only one move" in each.get("content", "") for each in below), "on a phone"

    async def typed(words: str) -> dict[str, Any]:
        modal = await open_form(anna, page, "retrytype")
        return await anna.shown(page, anna.submit_modal(modal, move=words))

    (menu,) = [each for each in walk(page["components"]) if each["type"] == 3]
    part = str(menu["options"][0]["value"])
    page = await anna.choose(page, menu["custom_id"], [part])
    assert "A puzzle from the match" in all_text(page)
    page = await typed("z99")
    assert "is right" not in all_text(page)
    assert "moment" in actions(page)
    page = await typed(played)
    assert "There's a better one." in all_text(page)
    page = await typed(best)
    assert "is right" in all_text(page)
    assert "fromhere" in actions(page)
    return page


@pytest.mark.long
async def test_a_review_shows_the_moments_and_one_is_played_from_there(table: Hosted) -> None:
    anna = await table.join("Anna")
    channel = int(anna.guild["channels"][0]["id"])
    given = {"game": "quax", "computer": "2", "options": "size 4, pie off", "side": "1"}
    await anna.ask("play", channel, **given)
    match = await play_to_the_end(table, anna, at=0.25)
    home = match.home_id or channel
    board = await anna.wait_message(lambda m: "reviewit" in actions(m))
    page = await press_board(anna, board, "reviewit")
    if "review" in actions(page):
        shown = page["id"]
        page = await anna.wait_message(lambda m: m["id"] == shown and "review" not in actions(m))
    assert "Review of Quax" in all_text(page)
    typed = await anna.ask("review", home)
    assert all_text(typed) == all_text(page)
    assert 1 <= str(page["components"]).count(":moment:") <= 3
    page = await solve(anna, table, match, page)
    page = await turn(anna, page, "review")
    listed = await turn(anna, page, "revmoves")
    assert f"\n{match.ply} " in all_text(listed)
    page = await anna.shown(page, press_action(anna, listed, "review"))
    page = await turn(anna, page, "moment")
    line = await press(anna, page, "anline")
    assert "Analysis of Quax" in all_text(line)
    better = all_text(page).partition("Better: **")[2].partition("**")[0]
    assert f"Drop a stone on {better}" in all_text(page), "in words too"
    assert f" · {better}" in all_text(line)
    assert await files(anna, line), "the line is in a file, to go on with"
    started = await press(anna, page, "fromhere")
    assert "The match has started." in all_text(started)
    begun = await waited(table, anna)
    assert begun.id != match.id
    assert begun.state
    for stored, events in await table.history():
        verify(stored, events)


@pytest.mark.long
async def test_moves_are_tried_on_the_analysis_board(table: Hosted) -> None:
    anna = await table.join("Anna")
    channel = int(anna.guild["channels"][0]["id"])
    given = {"game": "quax", "computer": "1", "options": "size 4, pie off", "side": "1"}
    await anna.ask("play", channel, **given)
    await play_to_the_end(table, anna)
    board = await anna.wait_message(lambda m: "reviewit" in actions(m))
    history = await press_board(anna, board, "history")
    page = await press(anna, history, "analyse")
    assert "The game is over here." in all_text(page)
    page = await turn(anna, page, "anprevious")
    assert "to move." in all_text(page), "from the end there is a way to a move"
    history = await turn(anna, history, "past:f")
    page = await press(anna, history, "analyse")
    assert "Analysis of Quax" in all_text(page)

    async def typed(words: str) -> dict[str, Any]:
        modal = await open_form(anna, page, "antype")
        return await anna.shown(page, anna.submit_modal(modal, move=words))

    def ways(shown: dict[str, Any]) -> list[dict[str, Any]]:
        menus = [each for each in walk(shown["components"]) if each["type"] == 3]
        found = [each for each in menus if ":anway:" in each["custom_id"]]
        return list(found[0]["options"]) if found else []

    async def chosen(label: str) -> dict[str, Any]:
        (value,) = [each["value"] for each in ways(page) if each["label"] == label]
        menus = [each for each in walk(page["components"]) if each["type"] == 3]
        (custom_id,) = [m["custom_id"] for m in menus if ":anway:" in m["custom_id"]]
        return await anna.choose(page, custom_id, [str(value)])

    assert "Black to move." in all_text(page)
    page = await typed("b2")
    assert "Red to move." in all_text(page)
    assert "You play" not in all_text(page)
    page = await typed("c3")
    assert "Start · b2 · c3" in all_text(page)
    page = await typed("c3")
    assert "already a stone on c3" in all_text(page)
    page = await turn(anna, page, "anprevious")
    assert "Start · b2" in all_text(page)
    assert "c3" not in all_text(page)
    page = await typed("c2")
    assert "Start · b2 · c2" in all_text(page)
    page = await turn(anna, page, "anprevious")
    assert [each["label"] for each in ways(page)] == ["c3", "c2"]
    page = await chosen("c3")
    assert "Start · b2 · c3" in all_text(page)
    await press_action(anna, page, "anshare")
    shared = await anna.wait_message(lambda m: "Shared by" in all_text(m) and not m["flags"] & 64)
    ((name, data),) = (await files(anna, shared)).items()
    assert b"(b2 c3 (c2))" in data
    restored = await anna.ask("open", channel, file=await anna.upload(name, data))
    assert "The file has 3 more moves in variations." in all_text(restored)
    restored = await turn(anna, restored, "past:f")
    restored = await press(anna, restored, "analyse")
    assert "b2" in [each["label"] for each in ways(restored)]
    page = await turn(anna, page, "anprevious")
    page = await turn(anna, page, "anremove")
    assert not ways(page)
    page = await turn(anna, page, "anview")
    assert "The computer's view" in all_text(page)
    (menu,) = [each for each in walk(page["components"]) if each["type"] == 3]
    value = str(menu["options"][0]["value"])
    page = await anna.choose(page, menu["custom_id"], [value])
    assert "Analysis of Quax" in all_text(page)


@pytest.mark.long
@pytest.mark.postgres
async def test_others_think_beside_a_bot_that_does_not(tmp_path: Any, postgres_url: str) -> None:
    async with hosted(tmp_path, database=postgres_url, workers=0) as table:
        store = await open_store(postgres_url)
        thinker = WorkerPool()
        alone = asyncio.create_task(thinking_alone(table.settings, store, thinker.think).run())
        try:
            anna = await table.join("Anna")
            given = {"game": "quax", "computer": "1", "options": "size 3, pie off"}
            await anna.ask("play", anna.channel("general"), **given)
            match = await play_to_the_end(table, anna)
            assert match.result is not None
        finally:
            alone.cancel()
            await asyncio.gather(alone, return_exceptions=True)
            await thinker.close()
            await store.close()
