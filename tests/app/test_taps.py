"""How many taps a move takes, and that typing moves leaves nothing lying about."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.domain.preferences import PREVIEWS
from bot.ui.interaction import answer_lifecycle
from games import catalog
from playground.forms import all_text, find_control
from playground.person import Person
from playground.world.controls import walk
from tests.hosted import (
    Game,
    Hosted,
    Json,
    hosted,
    picks,
    press_action,
    press_board,
    start_quax,
)


@pytest.mark.long
async def test_two_taps_play_a_move_where_one_page_holds_them_all(game: Game) -> None:
    """Without the preview, and with it a third on **Play**."""
    board = await game.board()
    panel = await game.black.wait_answer(await press_action(game.black, board, "move"))
    assert len(picks(panel)) == 25
    panel = await game.black.turn(panel, label="a1")
    panel = await game.black.turn(panel, label="Play a1")
    assert "You played a1." in all_text(panel)
    await game.hosted.settled()
    settings = await game.white.ask("settings", game.home)
    preview = find_control(settings, custom_id="p1:-:0:pref:preview")
    await game.white.choose(settings, preview["custom_id"], ["off"])
    board = await game.board()
    panel = await game.white.wait_answer(await press_action(game.white, board, "move"))
    panel = await game.white.turn(panel, label="e1")
    assert "You played e1." in all_text(panel)


@pytest.mark.long
async def test_playing_without_the_preview_is_offered_once_where_it_is_missed(game: Game) -> None:
    anna, ben = game.black, game.white
    for person, played in ((anna, PREVIEWS - 1), (ben, PREVIEWS)):
        await _chooses(game, person, previews=played)
    await game.tap(anna, "a1")
    await game.hosted.settled()

    async def previewed(person: Person, cell: str) -> Json:
        panel = await person.wait_answer(await press_action(person, await game.board(), "move"))
        return await person.turn(panel, label=cell)

    panel = await previewed(ben, "b2")
    told = await ben.turn(panel, label="Play without preview")
    assert "You played b2." in all_text(told)
    await game.hosted.settled()
    panel = await previewed(anna, "c3")
    assert find_control(panel, label="Play without preview")
    await anna.turn(panel, label="Play c3")
    await game.hosted.settled()
    assert "You played d4." in all_text(await previewed(ben, "d4"))
    await game.hosted.settled()
    panel = await previewed(anna, "e5")
    assert "without preview" not in str(panel["components"]).lower()


@pytest.mark.parametrize("key", [k for k, kind in catalog.GAMES.items() if kind.info.primers])
async def test_what_is_peculiar_to_a_choice_is_explained_once_to_each_player(
    table: Hosted, key: str
) -> None:
    anna, ben = await table.join("Anna"), await table.join("Ben")
    await anna.ask("play", anna.channel("general"), game=key, opponent=ben, side="1")
    offer = await ben.wait_message(lambda m: "would like to play" in all_text(m))
    await ben.wait_answer(await press_action(ben, offer, "accept"))
    board = await anna.wait_message(lambda m: "Make a move" in str(m["components"]))
    told: set[str] = set()
    info = catalog.GAMES[key].info
    assert info.example is None or info.example.english() in all_text(board)
    for _ in range(2):
        seen = []
        panel = await anna.wait_answer(await press_action(anna, board, "move"))
        while offered := picks(panel):
            seen += [k for k, text in info.primers.items() if text.english() in all_text(panel)]
            first = next(iter(offered.values()))
            panel = await anna.turn(panel, custom_id=first)
        assert not told.intersection(seen)
        told.update(seen)
    assert told


async def _chooses(game: Game, person: Person, **choices: Any) -> None:
    await game.hosted.bot.services.preferences.change(
        UserId(person.id), lambda own: replace(own, **choices)
    )


async def test_swap_has_a_button_of_its_own(table: Hosted) -> None:
    game = await start_quax(table, options="size 5, pie on")
    await game.say(game.black, "c3")
    await table.settled()
    panel = await game.white.press(await game.board(), label="Make a move")
    assert "swap" not in str(picks(panel)).lower()
    panel = await game.white.turn(panel, label="Swap")
    assert "Swap? The board will look like this." in all_text(panel)
    assert find_control(panel, label="Back")
    panel = await game.white.turn(panel, label="Swap")
    assert "You swapped." in all_text(panel)


@pytest.mark.long
async def test_what_a_phone_has_no_room_for_is_two_taps_away(game: Game) -> None:
    await game.say(game.black, "a1")
    await game.hosted.settled()
    board = await game.board()
    shown = [each.get("label") for each in walk(board["components"]) if each["type"] == 2]
    assert shown == ["Make a move", "Plan", "History", "Text board", "Rules", "More"]
    more = await game.black.wait_answer(await press_action(game.black, board, "more"))
    behind = [each.get("label") for each in walk(more["components"]) if each["type"] == 2]
    assert behind[-1] == "Resign"
    asked = await game.black.turn(more, label="Resign")
    assert "You'll lose it" in all_text(asked), "the page itself asks; no other is left lying"
    told = await game.black.turn(asked, label="Resign")
    assert all_text(told) == f"You resigned. <@{game.white.id}> wins!"
    listed = await game.black.ask("matches", game.home)
    assert "You have no running matches or offers." in all_text(listed)


async def test_taking_back_is_offered_to_a_player_who_has_moved(game: Game) -> None:
    await game.say(game.black, "a1")
    await game.hosted.settled()
    board = await game.board()
    for person, is_offered in ((game.black, True), (game.white, False)):
        more = await person.wait_answer(await press_action(person, board, "more"))
        labels = {each.get("label") for each in walk(more["components"]) if each["type"] == 2}
        assert {"Abort", "Resign"} < labels
        assert ("Take back" in labels) is is_offered


class _Counted:
    """What people tap, and what is left in the channel and the thread of a match."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._taps = 0
        use = Person.use

        async def counted(person: Person, *given: Any, **more: Any) -> str:
            self._taps += 1
            return await use(person, *given, **more)

        monkeypatch.setattr(Person, "use", counted)

    def taps(self) -> int:
        """How many there were since they were last asked for."""
        taps, self._taps = self._taps, 0
        return taps


async def _left(game: Game) -> list[Json]:
    """The messages that everybody sees, once all is sent."""
    await game.hosted.settled()
    found = []
    for place in dict.fromkeys((game.channel, game.home)):
        found += await game.black.messages(place, limit=100)
    # What Discord itself says of a thread is no message of Parlour.
    return [each for each in found if not each["flags"] & 64 and each["type"] in (0, 20, 23)]


async def _asks(game: Game, person: Person, label: str) -> None:
    page = await press_board(person, await game.board(), label)
    if label == "Resign":
        await person.turn(page, label=label)
    await game.hosted.settled()


async def _answers(game: Game, person: Person, label: str) -> None:
    found = await person.messages(game.home, limit=20)
    asked = next(
        each
        for each in found
        if any(part.get("label") == "Decline" for part in walk(each["components"]))
    )
    await person.press(asked, label=label)
    await game.hosted.settled()


@pytest.mark.parametrize(("size", "most"), [(5, 2), (7, 3)])
async def test_taps_and_messages_from_offer_to_rematch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, most: int
) -> None:
    """**Play** on the preview is left out as its setting does, and is one tap more."""
    async with hosted(tmp_path, clock="3d") as table:
        await _counts(table, monkeypatch, size, most)


async def _counts(table: Hosted, monkeypatch: pytest.MonkeyPatch, size: int, most: int) -> None:
    monkeypatch.setattr(answer_lifecycle, "_SECOND_CLICK", 0.0)
    counted = _Counted(monkeypatch)
    game = await start_quax(table, options=f"size {size}, pie on")
    anna, ben = game.black, game.white
    assert counted.taps() == 1, "the offer is accepted"
    for person in (anna, ben):
        await _chooses(game, person, preview=False)
    before = len(await _left(game))
    await game.say(anna, "b2")
    assert counted.taps() == 0, "typed"
    assert len(await _left(game)) - before <= 1
    board = await game.board()
    panel = await ben.wait_answer(await press_action(ben, board, "move"))
    await ben.turn(panel, label="Swap")
    assert counted.taps() <= 2, "the swap"
    assert len(await _left(game)) - before <= 2
    await _picks(game, anna)
    assert 0 < counted.taps() <= most
    assert len(await _left(game)) - before <= 3

    for label, answer in (("Take back", "Decline"), ("Pause", "Accept")):
        asker = anna if label == "Take back" else ben
        await _asks(game, asker, label)
        assert counted.taps() <= 2, label
        await _answers(game, ben if asker is anna else anna, answer)
        assert counted.taps() == 1, label
    await _asks(game, ben, "Resume")
    assert counted.taps() <= 2
    await _asks(game, ben, "Resign")
    assert counted.taps() <= 3, "it asks once whether one is sure"
    await _left(game)
    again = await ben.press(await game.board(), label="Rematch")
    assert counted.taps() == 1, all_text(again)


async def _picks(game: Game, person: Person) -> None:
    """Take the first of what there is to choose until a move is played."""
    panel = await person.press(await game.board(), label="Make a move")
    while "You played" not in all_text(panel):
        first = next(iter(picks(panel).values()))
        panel = await person.turn(panel, custom_id=first)
