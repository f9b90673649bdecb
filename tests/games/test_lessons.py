"""Every lesson keeps the promises of ``lesson_conformance.py``, and a broken one is found out."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.i18n.extract import forms
from games import catalog
from games.api import Seat
from games.lesson import (
    AnyMove,
    Lesson,
    Like,
    MovesAgain,
    OneOf,
    Proven,
    Puzzle,
    Task,
    Wins,
    WrongMove,
)
from games.search import ForcedWin, LongestDefence, MostPoints, OnlyDefence, Search, TooMuchError
from games.view import Text
from tests.games.lesson_conformance import all_tasks, check_lesson
from tests.games.toy import Walk
from tests.sixth_game import Rows
from tests.support.own_games import OWN_GAMES
from tests.support.sentences import source_sentences, together

taught_games = pytest.mark.parametrize("key", list(catalog.LESSONS))
OWN_LESSONS = [key for key in OWN_GAMES if key in catalog.LESSONS]


@taught_games
def test_the_lesson_of_every_game_can_be_done_and_its_puzzles_are_proven(key: str) -> None:
    check_lesson(catalog.GAMES[key], catalog.LESSONS[key])


@pytest.mark.parametrize("key", OWN_LESSONS)
def test_a_lesson_of_parlours_own_is_short_and_has_some_puzzles(key: str) -> None:
    lesson = catalog.LESSONS[key]
    assert 5 <= len(lesson.tasks) <= 8
    assert len(lesson.puzzles) >= 3


@together
def test_whatever_a_lesson_says_is_in_the_catalogue() -> None:
    known = {forms(each)[0] for each in source_sentences() if each.id}
    for lesson in (catalog.LESSONS[key] for key in OWN_LESSONS):
        said = [lesson.farewell, *(puzzle.title for puzzle in lesson.puzzles)]
        for task in all_tasks(lesson):
            said += [
                task.words,
                task.praise,
                task.hint,
                *(wrong.words for wrong in task.wrong_moves),
            ]
        assert {text.message for text in said} <= known


# Broken lessons. On a strip of seven the pawn of the toy is on e1: one step is wrong, two win.

RIGHT = Task(
    Text.of("Win."),
    "4p2 w",
    Wins(),
    "g1",
    Text.of("Won."),
    Text.of("Two cells."),
    (WrongMove(Like("f1"), Text.of("Black wins.")),),
)
PROVEN = replace(RIGHT, aim=Proven(("g1",), ForcedWin(1)))
FIRST = replace(
    RIGHT, position="2p4 w", aim=Proven(("d1",), ForcedWin()), answer="d1", wrong_moves=()
)
LAST = replace(PROVEN, position="2p4 w", line=("d1", "e1"))


def taught(*tasks: Task, puzzle: tuple[Task, ...] = ()) -> Lesson:
    puzzles = (Puzzle(Text.of("A puzzle"), puzzle),) if puzzle else ()
    return Lesson(tasks or (RIGHT,), Text.of("That is all."), puzzles)


def test_a_right_lesson_passes() -> None:
    check_lesson(
        Walk, taught(RIGHT, replace(RIGHT, aim=AnyMove(), wrong_moves=()), puzzle=(FIRST, LAST))
    )


BROKEN = [
    (taught(replace(RIGHT, position="6p w")), "the game is over"),
    (taught(replace(RIGHT, answer="f1")), "f1 is not right"),
    (taught(replace(RIGHT, aim=Like(".*"), wrong_moves=())), "every move is right"),
    (taught(replace(RIGHT, aim=OneOf(("g1", "h1")))), "illegal"),
    (taught(replace(RIGHT, aim=Proven(("f1",), ForcedWin(1)), answer="f1")), "a search finds"),
    (
        taught(replace(RIGHT, wrong_moves=(WrongMove(Like("z"), Text.of("No.")),))),
        "nobody is ever told",
    ),
    (taught(replace(RIGHT, words=Text.of("x" * 500))), "500 characters"),
    (taught(replace(RIGHT, words=Text.of("{a}", a=1))), "has parameters"),
    (taught(puzzle=(RIGHT,)), "is not proven"),
    (taught(puzzle=(replace(PROVEN, aim=Proven(("g1",), ForcedWin(2))),)), "wins sooner"),
    (taught(puzzle=(FIRST, replace(LAST, position="1p5 w"))), "changes its board"),
    (taught(puzzle=(FIRST, replace(LAST, line=("e1",)))), "does not go on"),
]


@pytest.mark.parametrize(("lesson", "promise"), BROKEN)
def test_a_lesson_that_breaks_a_promise_fails(lesson: Lesson, promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_lesson(Walk, lesson)


# Searches, on the toy: a player who is to move and has a multiple of three cells to go loses.


def test_a_forced_win_is_found_at_its_length_and_not_before() -> None:
    game = Walk()
    position = game.decode("2p4 w")
    assert ForcedWin(1).moves(game, position) == set()
    assert ForcedWin(2).moves(game, position) == {"d1"}
    assert ForcedWin().moves(game, position) == {"d1"}
    assert Search(game, Seat(0)).length(position) == 3
    assert Search(game, Seat(1)).length(position) is None
    lost = game.decode("3p3 w")
    assert ForcedWin().moves(game, lost) == set()
    with pytest.raises(TooMuchError):
        ForcedWin(2, most=1).moves(game, position)


def test_the_longest_defence_is_looked_for_only_where_all_is_lost() -> None:
    game = Walk()
    lost = game.decode("p6 w")
    assert LongestDefence().moves(game, lost) == {"b1", "c1"}
    assert LongestDefence().moves(game, game.decode("2p4 w")) == set()


def test_an_only_defence_keeps_the_other_from_winning_soon() -> None:
    game = Walk()
    position = game.decode("3p3 w")
    assert OnlyDefence(1).moves(game, position) == set()
    assert OnlyDefence(1).moves(game, game.decode("2p4 w")) == {"d1"}
    assert OnlyDefence(1).moves(game, game.decode("1p5 w")) == {"c1", "d1"}
    assert OnlyDefence(2).moves(game, game.decode("1p5 w")) == {"d1"}


GOALS = [ForcedWin(1), ForcedWin(), LongestDefence(), OnlyDefence(), MostPoints()]


@pytest.mark.parametrize("goal", GOALS, ids=repr)
def test_nothing_is_looked_for_after_the_end_of_a_game(goal: Any) -> None:
    game = Walk()
    with pytest.raises(ValueError, match="the game is over"):
        goal.moves(game, game.decode("6p w"))


@pytest.mark.parametrize("goal", [LongestDefence(), OnlyDefence()], ids=repr)
def test_a_defence_is_against_one_opponent_alone(goal: LongestDefence | OnlyDefence) -> None:
    game = Rows({"players": 3})
    with pytest.raises(ValueError, match="more than one opponent"):
        goal.moves(game, game.initial(Random(0)))


REFUTED = [
    (ForcedWin(1), "4p2 w", "f1", "Your opponent answers g1 and wins."),
    (ForcedWin(2), "2p4 w", "e1", "Your opponent answers g1 and wins."),
    (ForcedWin(), "p8 w", "b1", "Your opponent answers c1, and the win is gone."),
    (ForcedWin(1), "p6 w", "b1", "Whatever your opponent answers, the win is gone."),
    (ForcedWin(1), "2p4 w", "d1", None),  # it comes with the next move whatever is answered
    (ForcedWin(2), "2p4 w", "d1", None),
    (ForcedWin(1), "4p2 w", "g1", None),
    (LongestDefence(), "p6 w", "c1", "Your opponent answers d1 and wins sooner."),
    (LongestDefence(), "2p4 w", "d1", None),
    (OnlyDefence(2), "1p5 w", "c1", "Your opponent answers d1 and wins."),
    (OnlyDefence(2), "1p5 w", "d1", None),
    (MostPoints(), "1p5 w", "c1", None),
]


@pytest.mark.parametrize(("goal", "position", "move", "said"), REFUTED)
def test_a_wrong_move_is_answered(goal: Any, position: str, move: str, said: str | None) -> None:
    length = sum(int(part) if part.isdigit() else 1 for part in position.split(maxsplit=1)[0])
    game = Walk({"length": length})
    start = game.decode(position)
    task = replace(RIGHT, aim=Proven((), goal))
    found = task.refute(game, start, game.parse(start, move))
    assert (found and found.words.english()) == said
    if found is not None and found.answer is not None:
        assert said is not None
        assert found.answer in said
    assert replace(task, aim=Like("g1")).refute(game, start, game.parse(start, move)) is None


@taught_games
@pytest.mark.long
def test_every_answer_to_a_wrong_move_of_a_puzzle_can_be_played(key: str) -> None:
    refuted = 0
    for puzzle in catalog.LESSONS[key].puzzles:
        for task in puzzle.tasks:
            game = catalog.create(key, task.options)
            position = task.set_up(game).position
            for move in game.legal_moves(position):
                if task.judge(game, position, move).right:
                    continue
                found = task.refute(game, position, move)
                if found is None or found.answer is None:
                    continue
                refuted += 1
                then = game.play(position, move)
                assert game.to_move(then) not in (None, game.to_move(position))
                after = game.play(then, game.parse(then, found.answer))
                outcome = game.outcome(after)
                wins = outcome is not None and game.to_move(position) in outcome.winners
                assert not wins, (found.words.english(), game.position_text(position))
    assert refuted or len(game.seats) > 2


@pytest.mark.long
def test_the_search_agrees_with_the_solved_board_of_quax() -> None:
    game = catalog.create("quax", {"size": 3, "pie": "off"})
    empty, began = game.decode("3/3/3 x -"), game.decode("3/3/1x1 u -")
    assert ForcedWin().moves(game, empty) == {"b1", "a2", "b2", "c2", "b3"}
    search = Search(game, Seat(0))
    plies = {
        game.notation(began, move): search.length(game.play(began, move))
        for move in game.legal_moves(began)
    }
    assert plies == dict.fromkeys(("a2", "c2", "a3", "b3", "c3"), 5) | {"a1": 7, "c1": 7, "b2": 9}


def test_most_points_counts_the_whole_turn() -> None:
    game = catalog.create("pythagoras")
    position = game.decode("5/9/12/9,Y2,2/9,R3,2 G 455 545 555 555 - - - - ---")
    best = MostPoints().moves(game, position)
    assert best
    again = {
        game.notation(position, move)
        for move in game.legal_moves(position)
        if MovesAgain()(game, position, move)
    }
    assert best <= again, "two pyramids bring more than one"
