"""Places in a lesson, written into controls and read back; every control fits its limit."""

from __future__ import annotations

import pytest

from bot.errors import UserError
from bot.i18n import Languages
from bot.ui.controls import Control
from bot.ui.lessons import Bench, Spot, overview_page
from bot.ui.panel import Way
from games import catalog
from tests.databases import sixth_game  # noqa: F401

pytestmark = pytest.mark.usefixtures("sixth_game")

ALL = [*catalog.GAMES, "rows"]


def spots(key: str) -> list[Spot]:
    """Every task of a game's lesson and puzzles."""
    lesson = catalog.GAMES[key].info.lesson
    assert lesson is not None
    chapters = [lesson.tasks, *(puzzle.tasks for puzzle in lesson.puzzles)]
    return [
        Spot(key, chapter, number)
        for chapter, tasks in enumerate(chapters)
        for number in range(len(tasks))
    ]


@pytest.mark.parametrize(
    "spot",
    [
        Spot("quax"),
        Spot("quax", 3, 1, in_words=True),
        Spot("quax", 0, None),
        Spot("quax", 0, 4, way=Way(("c3", "d4"))),
        Spot("quax", 0, 4, way=Way((), 3)),
        Spot("pux", 12, 10, in_words=True, way=Way(("b2", "b1+c2"), 1)),
    ],
)
def test_a_spot_is_read_back_as_it_was_written(spot: Spot) -> None:
    assert Spot.read(spot.write()) == spot
    assert Spot.read(spot.write("n")) == spot


@pytest.mark.parametrize(
    "text",
    ["", "quax", "quax.0.0", "quax.0.0.x", "quax.x.0.p", "quax.0.٣.p", "quax.0.0.p/=x", "Q.0.0.p"],
)
def test_what_is_no_spot_is_out_of_date(text: str) -> None:
    with pytest.raises(UserError, match="out_of_date"):
        Spot.read(text)


@pytest.mark.parametrize(
    "spot", [Spot("quax", 99), Spot("quax", 0, 99), Spot("quax", 0, None), Spot("rows", 3)]
)
def test_a_task_that_a_lesson_does_not_have_is_out_of_date(spot: Spot) -> None:
    with pytest.raises(UserError, match="out_of_date"):
        Bench.at(spot)


@pytest.mark.parametrize("key", ALL)
def test_every_question_of_every_task_fits_a_custom_id(key: str) -> None:
    for spot in spots(key):
        bench = Bench.at(spot)
        waiting, seen, moves = [Way()], set(), set()
        while waiting:
            way = waiting.pop()
            if way in seen:
                continue
            seen.add(way)
            asked = bench.asked(way)
            waiting += [way.then(choice.value) for choice in asked.choices]
            moves.add(asked.move)
            here = Spot(key, spot.chapter, spot.number, in_words=True, way=way)
            for action in ("learnpick", "learntyped", "learn"):
                assert str(Control(action, arg=here.write("w")))
        legal = {
            bench.game.notation(bench.board.position, move)
            for move in bench.game.legal_moves(bench.board.position)
        }
        assert moves - {None} == legal


@pytest.mark.parametrize("key", ALL)
def test_the_last_page_offers_every_puzzle(key: str) -> None:
    lesson = catalog.GAMES[key].info.lesson
    assert lesson is not None
    reply = overview_page(Spot(key, 0, None), Languages().default)
    assert reply.page is not None
    told = str(reply.page.to_components())
    for number in range(1, len(lesson.puzzles) + 1):
        assert f"'{key}.{number}.0.p'" in told
