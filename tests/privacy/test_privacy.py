"""``/privacy`` as people use it."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

import pytest

from bot.i18n import Languages
from bot.privacy.ui import _PARTS, export_files
from bot.store import tables
from bot.store.tables.base import CHOSEN, NAMED, OWN
from playground.faults import TooMany
from playground.forms import all_text
from playground.person import Person
from playground.world.controls import walk
from tests.app.test_ratings import play_rated
from tests.support.hosted import Game, Hosted, actions, press_board, turn

pytestmark = pytest.mark.slow


async def test_everything_about_me_comes_as_a_file_for_me_alone(game: Game) -> None:
    await game.say(game.black, "c3")
    anna = game.black
    said = await anna.ask("privacy export", game.home)
    assert said["flags"] & 64
    files = [part["file"] for part in walk(said["components"]) if part["type"] == 13]
    async with anna.session.get(files[0]["url"]) as answer:
        held = json.loads(await answer.read())
    assert held["user_id"] == str(anna.id)
    assert any(row.get("payload.move") == "c3" for row in held["events"])
    assert {row["user_id"] for row in held["events"]} == {str(anna.id)}
    (match,) = held["matches"]
    assert str(anna.id) in match["players"]
    assert datetime.fromisoformat(match["created_at"]).tzinfo is not None
    assert match["options.size"] == 5
    rows = [row for part in held.values() if isinstance(part, list) for row in part]
    values = [each for row in rows if isinstance(row, dict) for each in row.values()]
    assert not [each for each in values if isinstance(each, dict | list)]
    assert not [each for each in values if str(each).startswith(("{", "["))]
    async with anna.session.get(files[1]["url"]) as answer:
        page = (await answer.read()).decode()
    assert "matches (1): Matches in which you have a seat" in page
    assert "Nothing is stored in: " in page


def test_a_row_of_an_export_is_on_one_level() -> None:
    stored: dict[str, Any] = {
        "matches": [
            {
                "times": "[[90000000, 5000000], 1, 1796000000000000]",
                "players": "[9007199254740993, null]",
                "options": {},
                "payload": '{"expires": 1796000000000000, "stood": [[1796000000000000, 5]]}',
                "plan": '[{"moves": ["a1", "b2"], "own": [true, false]}]',
            }
        ],
        "notes": [{"words": "[1]", "ply": 3}],
    }
    held = json.loads(export_files(stored, Languages().of("en"))[0].data)
    assert held["matches"] == [
        {
            "times.seconds_left": "90, 5",
            "times.running": 1,
            "times.since": "2026-11-30T00:53:20+00:00",
            "players": "9007199254740993, -",
            "options": "",
            "payload.expires": "2026-11-30T00:53:20+00:00",
            "payload.stood.1": "2026-11-30T00:53:20+00:00, 5",
            "plan.1.moves": "a1, b2",
            "plan.1.own": "true, false",
        }
    ]
    assert held["notes"] == [{"words": "[1]", "ply": 3}]


def test_the_page_of_an_export_has_words_for_every_part() -> None:
    named = {
        column.table.name
        for table in tables.metadata.tables.values()
        for column in table.columns
        if column.info in (NAMED, OWN, CHOSEN)
    }
    assert named | {"matches", "events", "plans", "outbox", "kept_out_of"} == set(_PARTS)


async def test_erasing_asks_first_resigns_and_leaves_the_opponent_a_whole_match(
    game: Game, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben = game.black, game.white
    await game.say(anna, "c3")
    asked = await anna.ask("privacy delete", game.home)
    assert "You'll resign 1 running match." in all_text(asked)
    left = await turn(anna, asked, "nevermind")
    assert all_text(left) == "Nothing has changed."
    asked = await anna.ask("privacy delete", game.home)
    done = await turn(anna, asked, "forget")
    assert "has been erased. 1 match resigned." in all_text(done)
    await game.hosted.settled()
    board = await game.board()
    assert f"<@{ben.id}> wins!" in all_text(board)
    ((match, events),) = await game.hosted.history()
    assert anna.id not in match.players
    assert all(event.user_id != anna.id for event in events)
    shown = await press_board(ben, board, "history")
    assert str(anna.id) not in json.dumps(shown["components"])
    again = await anna.ask("privacy delete", game.home)
    assert "are running" not in all_text(again)
    assert str(anna.id) not in caplog.text


async def _erase(person: Person, channel: int) -> str:
    asked = await person.ask("privacy delete", channel)
    return all_text(await turn(person, asked, "forget"))


def _is_result(message: dict[str, Any]) -> bool:
    return not message["flags"] & 64 and "replay" in actions(message)


@pytest.mark.long
async def test_the_name_goes_from_threads_boards_cards_and_lists(table: Hosted) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    channel = anna.channel("general")
    await play_rated(table, anna, ben, loser=ben)
    ((match, _),) = await table.history()
    home = match.home_id
    world = table.playground.world
    thread = world.state.channel(home)
    assert "Anna" in thread.name
    world.threads.change(thread, world.state.bot_id, {"archived": True})
    best = await ben.ask("leaderboard", channel, game="quax")
    assert f"<@{anna.id}>" in all_text(best)

    asked = await anna.ask("privacy delete", channel)
    assert "What stays: earlier boards" in all_text(asked)
    assert "a few seconds for each match" in await _erase(anna, channel)
    await table.settled()

    assert re.fullmatch(r"Quax · (Player \d{4} – Ben|Ben – Player \d{4})", thread.name)
    assert thread.archived, "as it was"
    (card,) = [each for each in await ben.messages(channel) if _is_result(each)]
    (board,) = [each for each in await ben.messages(home) if _is_result(each)]
    for shown in (board, card):
        assert f"<@{ben.id}>" in all_text(shown)
        written = json.dumps(shown["components"])
        assert str(anna.id) not in written
        assert "Anna" not in written
        assert "replay" in actions(shown)
        assert "rematch" not in actions(shown)
    best = await ben.ask("leaderboard", channel, game="quax")
    assert f"🥇 <@{ben.id}>" in all_text(best)
    assert "Player" not in all_text(best)
    refused = await ben.ask("match rematch", channel, match=match.id)
    assert "has left Parlour" in all_text(refused)

    assert "number takes the place" in await _erase(ben, channel)
    await table.settled()
    assert re.fullmatch(r"Quax · Player \d{4} – Player \d{4}", thread.name)
    assert thread.archived
    none = await ben.ask("leaderboard", channel, game="quax")
    assert "Nobody has finished a rated match yet" in all_text(none)


@pytest.mark.long
async def test_a_thread_that_cannot_be_renamed_yet_is_renamed_later_and_others_words_stay(
    game: Game,
) -> None:
    table, anna = game.hosted, game.black
    await game.say(anna, "c3")
    world = table.playground.world
    thread = world.state.channel(game.home)
    table.playground.faults.rest("PATCH", rf".*/channels/{game.home}", TooMany(0.2), times=2)
    await _erase(anna, game.home)
    await table.settled()
    assert "Anna" not in thread.name
    assert "Player" in thread.name
    world.threads.change(thread, world.home.owner_id, {"name": "The final of Ben"})
    await _erase(game.white, game.home)
    await table.settled()
    assert thread.name == "The final of Ben"
    board = await game.board()
    assert str(game.white.id) not in json.dumps(board["components"])
