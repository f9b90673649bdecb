"""Places in a lesson, written into controls and read back; every control fits its limit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.errors import UserError
from bot.i18n import Languages
from bot.learn.ui.lessons import LessonState, LessonTask, overview_page, task_page
from bot.ui.pages.components import Control
from bot.ui.pages.reader import Reader
from bot.ui.play.move_picker import MovePick
from games import catalog
from playground.world.controls import walk

NOTHING: Any = None
"""In place of pictures and names, for pages in words without people."""
ALL = list(catalog.LESSONS)


def spots(key: str) -> list[LessonState]:
    """Every task of a game's lesson and puzzles."""
    lesson = catalog.LESSONS[key]
    chapters = [lesson.tasks, *(puzzle.tasks for puzzle in lesson.puzzles)]
    return [
        LessonState(key, chapter, number)
        for chapter, tasks in enumerate(chapters)
        for number in range(len(tasks))
    ]


@pytest.mark.parametrize(
    "spot",
    [
        LessonState("quax"),
        LessonState("quax", 3, 1, in_words=True),
        LessonState("quax", 0, None),
        LessonState("quax", 0, 4, way=MovePick(("c3", "d4"))),
        LessonState("quax", 0, 4, way=MovePick((), 3)),
        LessonState("pux", 12, 10, in_words=True, way=MovePick(("b2", "b1+c2"), 1)),
    ],
)
def test_a_spot_is_read_back_as_it_was_written(spot: LessonState) -> None:
    assert LessonState.read(spot.write()) == spot
    assert LessonState.read(spot.write("n")) == spot


@pytest.mark.parametrize(
    "text",
    ["", "quax", "quax.0.0", "quax.0.0.x", "quax.x.0.p", "quax.0.٣.p", "quax.0.0.p/=x", "Q.0.0.p"],
)
def test_what_is_no_spot_is_out_of_date(text: str) -> None:
    with pytest.raises(UserError, match="out_of_date"):
        LessonState.read(text)


@pytest.mark.parametrize(
    "spot",
    [
        LessonState("quax", 99),
        LessonState("quax", 0, 99),
        LessonState("quax", 0, None),
        LessonState("rows", 3),
    ],
)
def test_a_task_that_a_lesson_does_not_have_is_out_of_date(spot: LessonState) -> None:
    with pytest.raises(UserError, match="out_of_date"):
        LessonTask.at(spot)


@pytest.mark.parametrize("key", ALL)
def test_every_question_of_every_task_fits_a_custom_id(key: str) -> None:
    for spot in spots(key):
        bench = LessonTask.at(spot)
        waiting, seen, moves = [MovePick()], set(), set()
        while waiting:
            way = waiting.pop()
            if way in seen:
                continue
            seen.add(way)
            asked = bench.asked(way)
            waiting += [way.then(each.value) for each in (*asked.choices, *asked.specials)]
            moves.add(asked.move)
            here = LessonState(key, spot.chapter, spot.number, in_words=True, way=way)
            for action in ("learnpick", "learntyped", "learn"):
                assert str(Control(action, arg=here.write("w")))
        legal = {
            bench.game.notation(bench.board.position, move)
            for move in bench.game.legal_moves(bench.board.position)
        }
        assert moves - {None} == legal


@pytest.mark.parametrize("locale", ["en", "pl"])
@pytest.mark.parametrize("key", ALL)
@pytest.mark.long
async def test_what_is_said_of_a_wrong_move_fits_on_the_page_in_words_too(
    key: str, locale: str
) -> None:
    language = Languages().of(locale)
    for spot in spots(key):
        bench = LessonTask.at(spot)
        wrong = [
            move
            for move in bench.game.legal_moves(bench.board.position)
            if not bench.task.judge(bench.game, bench.board.position, move).right
        ]
        for move in wrong[:1]:
            way = bench.way_to(bench.game.notation(bench.board.position, move))
            there = replace(spot, in_words=True, way=way)
            reply = await task_page(there, Reader(NOTHING, NOTHING, language))
            assert reply.page is not None
            page: list[Any] = reply.page.components
            parts = list(walk(page))
            assert sum(len(part.get("content", "")) for part in parts) <= 4000


@pytest.mark.parametrize("key", ALL)
def test_the_last_page_offers_every_puzzle(key: str) -> None:
    lesson = catalog.LESSONS[key]
    reply = overview_page(LessonState(key, 0, None), Languages().default)
    assert reply.page is not None
    told = str(reply.page.components)
    for number in range(1, len(lesson.puzzles) + 1):
        assert f"'{key}.{number}.0.p'" in told
