"""Each game to its end in two windows of the page: one person taps only, the other types only.

That a whole game can be played in either way alone is for ``test_all_games.py`` to show.

Discord takes five messages in five seconds for a channel, and so does the playground. A move costs
two of them, the board and the line that calls the other to it, so a player who moves at once waits
for that and not for the bot. So three pairs of people play at a time, each their own match.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from bot.domain.game_state import game_of
from bot.i18n import Languages
from bot.ui.offers.option_text import read_options
from bot.ui.play.move_picker import MovePick, question_after
from games import catalog
from games.api import Game
from tests.support.made_play import MadePlay
from tests.support.page_driver import PATIENCE, Window, as_written, open_page
from tests.support.short_games import SHORT_GAMES, ShortGame

pytestmark = [pytest.mark.browser, pytest.mark.timeout(420)]

PAIRS = (("Anna", "Ben"), ("Cleo", "Dan"), ("Eva", "Finn"))

_ENGLISH = Languages().default


@dataclass
class Sitting:
    """Two people at a game, in the thread of their match, and where it stands by its rules."""

    windows: tuple[Window, Window]
    game: Game[Any, Any]
    position: Any
    played: list[str] = field(default_factory=list)

    @property
    def mover(self) -> Window:
        """The window of the person on turn."""
        seat = self.game.to_move(self.position)
        assert seat is not None
        return self.windows[self.game.seating(self.position)[seat]]

    async def play(self, move: str) -> None:
        """Play a move in the way of the person on turn, and see it on both boards."""
        mover = self.mover
        if mover is self.windows[0]:
            await _tap(self, mover, move)
        else:
            await _type(mover, move)
        self.position = self.game.play(self.position, self.game.parse(self.position, move))
        self.played.append(move)
        for window in self.windows:
            board = window.page.locator(".message:not(.ephemeral) .container").last
            await expect(board).to_contain_text(
                as_written(f"{len(self.played)} {move}"), timeout=PATIENCE
            )


def _labels(game: Game[Any, Any], position: Any, move: str) -> list[str]:
    """The buttons to press one after another in the panel to arrive at a move."""
    picks = tuple(game.steps(position, game.parse(position, move)))

    def further(way: MovePick) -> list[str] | None:
        asked = question_after(game, position, way)
        if asked.move is not None:
            return [] if asked.move == move else None
        for choice in asked.choices:
            then = asked.way.then(choice.value)
            if then.picks == picks[: len(then.picks)]:
                rest = further(then)
                if rest is not None:
                    return [_ENGLISH(choice.short), *rest]
        return None

    labels = further(MovePick())
    assert labels is not None
    return labels


async def _tap(sitting: Sitting, window: Window, move: str) -> None:
    """Press **Make a move**, choose part by part, look at the preview, confirm."""
    await window.click_button("Make a move")
    for label in _labels(sitting.game, sitting.position, move):
        await window.click_button(label)
    preview = await window.wait_message(f"Play {move}?", private=True)
    await expect(preview.locator("img.picture")).to_have_count(1)
    # Seen and not only there: until it has come, what lies beneath it may still move.
    await expect(preview.locator("img.picture")).to_have_js_property("complete", True)
    await window.click_button(f"Play {move}")


async def _type(window: Window, move: str) -> None:
    """Begin to type the move, take it from the suggestions with the arrow keys, send it."""
    keyboard = window.page.keyboard
    await window.begin_slash(f"/move {move[:-1]}")
    suggested = window.page.locator(".panel:not([aria-busy]) .option", has_text=move)
    # Behind it may stand what the move does.
    named = re.compile(rf"^{re.escape(move)}( ·|$)")
    wanted = suggested.locator(".name").get_by_text(named)
    await expect(wanted).to_be_visible(timeout=PATIENCE)
    chosen = window.page.locator(".panel .option.active .name")
    for _step in range(25):
        if named.match(await chosen.inner_text()):
            break
        await keyboard.press("ArrowDown")
    await keyboard.press("Enter")
    await keyboard.press("Enter")


async def _sit_down(windows: tuple[Window, Window], short: ShortGame) -> Sitting:
    """Offer the game in the channel, accept it, and go to its thread."""
    info = catalog.GAMES[short.key].info
    first, second = windows
    for window in windows:
        await window.go_to("general")
    options = f" options:{short.options}" if short.options else ""
    await first.type_slash(f"/play game:{info.name} opponent:@{second.person}{options} side:1")
    await second.click_button("Accept", message=f"would like to play {info.name}")
    await second.wait_message("The match has started", private=True)
    await second.dismiss("The match has started")
    for window in windows:
        await window.go_to(info.name)
        await window.wait_message("is to move")
    game = game_of(short.key, read_options(info, short.options, _ENGLISH))
    return Sitting(windows, game, game.initial(Random(0)))


async def _see_the_end(sitting: Sitting, short: ShortGame) -> None:
    """The last board tells both who has won and why, and offers no moves any more."""
    winner = sitting.windows[short.winner].person
    for window in sitting.windows:
        await window.wait_message(f"@{winner} wins! ")
        board = window.page.locator(".message:not(.ephemeral) .container").last
        await expect(board).to_contain_text(short.result, timeout=PATIENCE)
        await window.wait_for_image(f"{winner} ")
        moves = window.page.locator(".message:not(.ephemeral)").get_by_role(
            "button", name="Make a move"
        )
        await expect(moves).to_have_count(0)
        lines = window.page.locator(".message", has_text="your move in")
        await expect(lines).to_have_count(0, timeout=PATIENCE)


async def _play_in_turn(
    play: MadePlay, browser: Browser, names: tuple[str, str], waiting: deque[ShortGame]
) -> None:
    """Two people open the page and play one waiting game after another, until none waits."""
    first = await open_page(browser, play.address, names[0])
    second = await open_page(browser, play.address, names[1], width=400, height=850)
    windows = (first, second)
    for window in windows:
        await expect(window.page.get_by_text("Parlour is online")).to_be_visible(timeout=PATIENCE)
    while waiting:
        short = waiting.popleft()
        sitting = await _sit_down(windows, short)
        for move in short.moves:
            await sitting.play(move)
        outcome = sitting.game.outcome(sitting.position)
        assert outcome is not None
        assert outcome.winners == (short.winner,)
        await _see_the_end(sitting, short)
    assert first.complaints == second.complaints == []


@pytest.mark.long
async def test_two_people_play_each_game_to_its_end(play: MadePlay, browser: Browser) -> None:
    waiting = deque(sorted(SHORT_GAMES, key=lambda short: len(short.moves), reverse=True))
    async with asyncio.TaskGroup() as tables:
        for names in PAIRS:
            tables.create_task(_play_in_turn(play, browser, names, waiting))


def test_a_short_game_is_played_in_one_order_and_none_twice() -> None:
    keys = [short.key for short in SHORT_GAMES]
    assert keys == [key for key in catalog.GAMES if key in keys]
