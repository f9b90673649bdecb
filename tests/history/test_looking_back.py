"""Looking back: what was, for those who may see it, in every game, after any restart."""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from playground.forms import all_text, find_control
from playground.person import Person
from playground.world.controls import walk
from tests.support.hosted import Game, Hosted, Json, press_board, start_quax

pytestmark = pytest.mark.slow

MOVES = ("a3", "b2", "c3", "d4", "e5")


async def played(game: Game, moves: tuple[str, ...] = MOVES) -> None:
    for number, move in enumerate(moves):
        told = await game.say((game.black, game.white)[number % 2], move)
        assert f"You played {move}." in all_text(told), all_text(told)


async def finished(game: Game, moves: tuple[str, ...] = MOVES) -> Json:
    """The board of a match that Ben has given up after these moves."""
    await played(game, moves)
    ben = game.white
    asked = await ben.ask("match resign", game.home)
    await ben.turn(asked, label="Resign")
    await game.hosted.settled()
    return await game.board()


async def press(person: Person, page: Json, label: str) -> Json:
    return await person.turn(page, label=label)


def the_button(page: Json, label: str) -> Json:
    found = [each for each in walk(page["components"]) if each.get("label") == label]
    assert len(found) == 1, [each.get("label") for each in walk(page["components"])]
    return found[0]


def pictures(page: Json) -> list[Json]:
    return [
        item for part in walk(page["components"]) if part["type"] == 12 for item in part["items"]
    ]


async def film(person: Person, page: Json) -> Any:
    """The moving picture on a page."""
    (item,) = pictures(page)
    assert item["description"].startswith("The whole match as an animation")
    assert len(item["description"]) <= 1024
    async with person.session.get(item["media"]["url"]) as reply:
        data = await reply.read()
    assert data.startswith(b"GIF89a")
    assert len(data) < 1 << 20
    return Image.open(io.BytesIO(data))


@pytest.mark.long
async def test_every_way_through_a_match_leads_where_it_says(game: Game) -> None:
    anna = game.black
    page = await anna.ask("match history", game.home)
    assert "Start of the match (0 moves)" in all_text(page)
    assert not [each for each in walk(page["components"]) if each["type"] == 3]
    assert "No moves have been played" in all_text(await anna.ask("match replay", game.home))
    await played(game)
    page = await anna.ask("match history", game.home, move=2)
    assert "Move 2 of 5: b2 by" in all_text(page)
    assert "Start · 1 a3 · **2 b2** · 3 c3 · 4 d4 · 5 e5" in all_text(page)
    page = await press(anna, page, "Next")
    assert "Move 3 of 5: c3 by" in all_text(page)
    page = await press(anna, page, "First")
    assert "Start of the match (5 moves)" in all_text(page)
    assert the_button(page, "First")["disabled"]
    assert the_button(page, "Previous")["disabled"]
    page = await press(anna, page, "Last")
    assert f"Move 5 of 5: e5 by Black <@{anna.id}>" in all_text(page)
    assert "is to move" in all_text(page)
    menu = next(each for each in walk(page["components"]) if each["type"] == 3)
    assert [option["label"] for option in menu["options"]] == [
        "Start",
        *(f"{number} {move}" for number, move in enumerate(MOVES, 1)),
    ]
    page = await anna.choose(page, menu["custom_id"], ["1"])
    assert "Move 1 of 5: a3 by" in all_text(page)
    page = await number(game, page, " 4 ")
    assert "Move 4 of 5: d4" in all_text(page)
    for wrong in ("6", "-1", "x", "²", "@here", "1.5"):
        page = await number(game, page, wrong)
        assert "There's no move" in all_text(page)
        assert "Move 4 of 5: d4" in all_text(page)
    answer = await anna.ask("match history", game.home, move=99)
    said = "There's no move “99” in this match. 0 is the start, 5 the latest move."
    assert said in all_text(answer)
    for person, move in ((game.white, "a1"), (anna, "b1")):
        await game.say(person, move)
    page = await press(anna, page, "Next")
    assert "Move 5 of 7: e5" in all_text(page), "the match has gone on"
    assert "Move 7 of 7: b1" in all_text(await press(anna, page, "Last"))


async def number(game: Game, page: Json, text: str) -> Json:
    """Type a number into the form of the page."""
    anna = game.black
    form = await anna.form(page, label="Go to move")
    after = len(anna.events)
    await anna.submit_modal(form, move=text)
    return await anna.wait_message(lambda m: m["id"] == page["id"], after=after)


@pytest.mark.long
async def test_a_finished_match_has_both_under_its_board_and_after_a_restart(game: Game) -> None:
    board = await finished(game)
    cleo = await game.hosted.join("Cleo")
    page = await press_board(cleo, board, "history")
    assert page["flags"] & 64
    assert f"<@{game.black.id}> wins!" in all_text(page)
    assert the_button(page, "Next")["disabled"]
    await game.hosted.restart()
    page = await press(cleo, page, "Previous")
    assert "Move 4 of 5: d4" in all_text(page)
    shown = await cleo.press(page, label="Replay")
    assert (await film(cleo, shown)).n_frames == 7, "the start, five moves and the end card"
    again = await press_board(cleo, board, "replay")
    assert f"<@{game.black.id}> wins!" in all_text(again)
    ((match, _),) = await game.hosted.history()
    letters = match.id
    assert letters not in all_text(page) + all_text(board)
    named = await cleo.ask("match history", game.channel, move=1, match=f" {letters.upper()} ")
    assert "Move 1 of 5: a3" in all_text(named)
    there = await cleo.ask("match replay", game.home)
    assert f"<@{game.black.id}> wins!" in all_text(there)
    none = await cleo.ask("match replay", game.channel)
    assert "You have no match here" in all_text(none)


async def test_a_replay_is_a_picture_and_a_file_and_shared_as_shown(game: Game) -> None:
    board = await finished(game)
    cleo, ben = await game.hosted.join("Cleo"), game.white
    page = await press_board(cleo, board, "replay")
    assert page["flags"] & 64
    page = await press(cleo, page, "Download")
    assert not pictures(page)
    (kept,) = [each for each in walk(page["components"]) if each["type"] == 13]
    async with cleo.session.get(kept["file"]["url"]) as reply:
        assert (await reply.read()).startswith(b"GIF89a")
    await game.hosted.restart()
    page = await press(cleo, page, "Picture")
    assert (await film(cleo, page)).n_frames == 7
    page = await press(cleo, page, "Download")
    assert not [m for m in await ben.messages(game.home) if "replay.gif" in str(m)]
    await asyncio.gather(cleo.click(page, label="Share here"), cleo.click(page, label="Share here"))
    done = await cleo.wait_message(lambda m: "everyone here can see this" in all_text(m))
    assert "Share here" not in str(done["components"])
    await asyncio.sleep(0.3)
    (public,) = [m for m in await ben.messages(game.home) if "replay.gif" in str(m)]
    assert not public["mentions"]
    assert not pictures(public)
    assert [each for each in walk(public["components"]) if each["type"] == 13]
    assert not [each for each in walk(public["components"]) if each["type"] == 2]


def _channel_menu(page: Json) -> str:
    (found,) = [each["custom_id"] for each in walk(page["components"]) if each["type"] == 8]
    return str(found)


@pytest.mark.long
async def test_a_replay_is_shared_once_in_the_channel_of_ones_choice(game: Game) -> None:
    board = await finished(game)
    cleo, ben = await game.hosted.join("Cleo"), game.white
    games = cleo.channel("games")
    page = await press_board(cleo, board, "replay")
    page = await cleo.choose(page, _channel_menu(page), [games])
    # Below the picture, where the menu was pressed.
    assert all_text(page).endswith(f"Shared: everyone in <#{games}> can see this replay now.")
    assert not [each for each in walk(page["components"]) if each["type"] == 8]
    assert "Share here" not in str(page["components"])
    (public,) = [m for m in await ben.messages(games) if "replay.gif" in str(m)]
    assert f"Shared by <@{cleo.id}>." in all_text(public)
    assert not public["flags"] & 64
    assert not public["mentions"]
    assert (await film(ben, public)).n_frames == 7
    assert not [m for m in await ben.messages(game.home) if "replay.gif" in str(m)]


@pytest.mark.long
async def test_a_replay_fits_what_discord_takes_here_or_is_refused_in_words(game: Game) -> None:
    await played(game)
    anna = game.black
    state = game.hosted.playground.world.state
    whole = await anna.ask("match replay", game.home)
    (item,) = pictures(whole)
    async with anna.session.get(item["media"]["url"]) as reply:
        size = len(await reply.read())
    for limit in (size - 1, size // 2):
        state.limits = replace(state.limits, file_bytes=limit)
        page = await anna.ask("match replay", game.home)
        assert "smaller than usual" in all_text(page)
        async with anna.session.get(pictures(page)[0]["media"]["url"]) as reply:
            assert len(await reply.read()) <= limit
    state.limits = replace(state.limits, file_bytes=500)
    told = all_text(await anna.ask("match replay", game.home))
    assert "Can't make this replay" in told


@pytest.mark.long
async def test_notes_and_favourites_are_kept_for_their_writer_alone(table: Hosted) -> None:
    game = await start_quax(table)
    await game.say(game.black, "a1")
    await table.settled()
    anna, ben = game.black, game.white
    page = await anna.ask("match history", game.home)
    form = await anna.form(page, label="Note")
    note = "Too **slow**?" + " Look at the other side first." * 9 + " Or resign."
    page = await anna.shown(page, anna.submit_modal(form, move=note))
    assert "Your note" in all_text(page)
    assert "slow" in all_text(page)
    assert "Or resign" in all_text(page), "the whole note"
    page = await anna.turn(page, label="Favourite")
    assert find_control(page, label="★ Favourite")
    await table.restart()
    form = await anna.form(page, label="Note")
    page = await anna.shown(page, anna.submit_modal(form, move=""))
    assert "slow" in all_text(page), "a form that could not show the note removes nothing"
    page = await anna.ask("match history", game.home, move=1)
    assert "slow" in all_text(page)
    theirs = await ben.ask("match history", game.home, move=1)
    assert "slow" not in all_text(theirs)
    assert find_control(theirs, label="Favourite")
    kept = await anna.ask("matches", game.home, list="favourites")
    assert "Quax" in all_text(kept)
    none = await ben.ask("matches", game.home, list="favourites")
    assert "No favourites yet" in all_text(none)
    form = await anna.form(page, label="Note")
    assert "Too **slow**?" in str(form), "the form begins with the note there is"
    page = await anna.shown(page, anna.submit_modal(form, move=""))
    assert "slow" not in all_text(page)


async def test_a_player_can_close_their_list_of_finished_matches(table: Hosted) -> None:
    game = await start_quax(table)
    asked = await game.black.ask("match resign", game.home)
    await game.black.turn(asked, label="Resign")
    await table.settled()
    anna, ben = game.black, game.white
    seen = await ben.ask("matches", game.home, player=anna)
    assert "Quax" in all_text(seen)
    page = await anna.ask("settings", game.home)
    control = find_control(page, custom_id="p1:-:0:pref:list")
    await anna.choose(page, control["custom_id"], ["off"])
    closed = await ben.ask("matches", game.home, player=anna)
    assert "doesn't show their finished matches" in all_text(closed)
    own = await anna.ask("matches", game.home, list="finished")
    assert "Quax" in all_text(own)
