"""The puzzle of the day, as people solve it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.domain.game_state import game_of
from bot.i18n import Languages
from bot.learn.domain import Attempt, PuzzleRecord, PuzzleState, number_on, puzzle_of
from bot.learn.ui.puzzles import ask_before_answer
from bot.ui.play.move_picker import notes_of
from playground.forms import all_text
from playground.world.controls import walk
from tests.support.hosted import (
    MANAGE,
    Ahead,
    Hosted,
    actions,
    give_role,
    hosted,
    moves_named,
    open_form,
    press,
    time_passes,
    turn,
)

pytestmark = pytest.mark.slow

ENGLISH = Languages().known()["en"]


async def test_a_wrong_move_then_the_right_one(table: Hosted) -> None:
    anna = await table.join("Anna")
    channel = int(anna.guild["channels"][0]["id"])
    number = number_on(table.bot.clock.now().date())
    puzzle = puzzle_of(number)
    game = game_of(puzzle.game, puzzle.options)
    position = game.decode(puzzle.state)
    page = await anna.ask("puzzle", channel)
    assert page["flags"] & 64
    assert f"Puzzle {number}" in all_text(page)
    task = "One move wins at once"
    if puzzle.within > 1:
        task = f"Only one move forces a win within {puzzle.within} moves of your own"
    assert task in all_text(page)
    kinds = [
        task in each.get("content", "") if each["type"] == 10 else each["type"]
        for each in walk(page["components"])
    ]
    assert kinds.index(12) < kinds.index(True), "a phone shows what stands below the picture"
    assert puzzle.move not in moves_named(all_text(page))
    wrong = next(
        words
        for move in game.legal_moves(position)
        if (words := game.notation(position, move)) != puzzle.move
    )

    modal = await open_form(anna, page, "puztype")
    page = await anna.shown(page, anna.submit_modal(modal, move=wrong))
    assert f"{wrong} doesn't force the win" in all_text(page)
    modal = await open_form(anna, page, "puztype")
    page = await anna.shown(page, anna.submit_modal(modal, move=puzzle.move))
    assert f"{puzzle.move} is right." in all_text(page)
    notes = notes_of(game, position, game.parse(position, puzzle.move))
    assert " · ".join(ENGLISH(each) for each in notes) in all_text(page), "for a newcomer"
    assert "Streak: 1 day" in all_text(page)
    assert f"Parlour puzzle {number}" in all_text(page)
    assert "⬛🟩" in all_text(page)
    assert "computer" in actions(page)
    again = await anna.ask("puzzle", channel)
    assert all_text(again) == all_text(page)
    other = await table.join("Ben")
    fresh = await other.ask("puzzle", channel)
    assert "puztype" in actions(fresh)
    asked = await turn(other, fresh, "puzshow")
    assert all_text(asked).endswith("Your puzzle rating goes down.")
    back = await turn(other, asked, "puzgo")
    assert all_text(back) == all_text(fresh)
    asked = await turn(other, back, "puzshow")
    over = await turn(other, asked, "puzshowyes")
    assert f"The answer is {puzzle.move}." in all_text(over)
    assert "🟨" in all_text(over)


def test_the_answer_is_shown_at_once_where_that_costs_nothing() -> None:
    def asked(attempt: Attempt, streak: int, *, is_past: bool = False) -> str:
        record = PuzzleRecord(attempt, streak=streak, rating=1500)
        reply = ask_before_answer(record, ENGLISH, is_past=is_past)
        return "" if reply is None else reply.plain

    assert asked(Attempt(5), 1).endswith("streak of 1 day ends. Your puzzle rating goes down.")
    assert asked(Attempt(5, wrong=1), 3).endswith("then. Your streak of 3 days ends.")
    assert asked(Attempt(5), 3, is_past=True).endswith("then. Your puzzle rating goes down.")
    assert not asked(Attempt(5, wrong=1), 3, is_past=True)
    assert not asked(Attempt(5, wrong=1), 0)
    assert not asked(Attempt(5, state=PuzzleState.SOLVED), 3)


@pytest.mark.long
async def test_a_server_has_it_posted_in_a_channel(tmp_path: Path) -> None:
    clock = Ahead()
    async with hosted(tmp_path) as table:
        table.clock = clock
        await table.restart()
        anna, ben = await table.join("Anna"), await table.join("Ben")
        channel = int(anna.guild["channels"][0]["id"])
        give_role(table, anna, MANAGE)
        said = await anna.ask("server daily-puzzle", channel, hour=9, time_zone="Berlin")
        assert "comes here every day" in all_text(said)
        await time_passes(table, clock, days=1, hours=1)
        table.bot.outbox.wake()
        post = await ben.wait_message(lambda m: "puzzle" in actions(m))
        assert not post["flags"] & 64
        page = await press(ben, post, "puzzle")
        assert page["flags"] & 64
        assert "puztype" in actions(page)
        stopped = await anna.ask("server daily-puzzle", channel, stop=True)
        assert "Daily puzzles are off" in all_text(stopped)
