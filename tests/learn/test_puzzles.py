"""Puzzles of the day: which one, streaks, ratings and the line to share."""

from __future__ import annotations

from datetime import date, timedelta

from bot.learn.domain import (
    Attempt,
    PuzzleState,
    number_on,
    puzzle_of,
    puzzle_rating,
    shown,
    squares,
    streak,
    tried,
)

SOLVED, SHOWN = PuzzleState.SOLVED, PuzzleState.SHOWN


def test_each_day_has_its_number_and_its_puzzle() -> None:
    day = date(2026, 11, 24)
    assert number_on(day) > 0
    assert number_on(day + timedelta(days=1)) == number_on(day) + 1
    assert number_on(date(2020, 1, 1)) == 1
    assert puzzle_of(1) != puzzle_of(2)


def test_what_becomes_of_an_attempt() -> None:
    puzzle = puzzle_of(3)
    one = tried(Attempt(3), "nonsense", puzzle)
    assert (one.wrong, one.state) == (1, PuzzleState.OPEN)
    two = tried(one, puzzle.move, puzzle)
    assert (two.wrong, two.state) == (1, SOLVED)
    assert tried(two, "nonsense", puzzle) == shown(two) == two
    gone = shown(one)
    assert gone.state is SHOWN
    assert tried(gone, puzzle.move, puzzle) == gone


def test_a_streak_waits_for_todays_puzzle_and_ends_with_a_day_missed() -> None:
    solved = [Attempt(number, 0, SOLVED) for number in (3, 4, 5)]
    assert streak(solved, 5) == 3
    assert streak(solved, 6) == 3
    assert streak(solved, 7) == 0
    assert streak([*solved, Attempt(6, 1, SHOWN)], 6) == 3
    assert streak([], 1) == 0


def test_the_first_move_decides_about_the_rating() -> None:
    assert puzzle_rating([]) == 1500
    assert puzzle_rating([Attempt(1)]) == 1500
    assert puzzle_rating([Attempt(1, 0, SOLVED)]) > 1500
    assert puzzle_rating([Attempt(1, 1, SOLVED)]) < 1500
    assert puzzle_rating([Attempt(1, 1)]) < 1500
    assert puzzle_rating([Attempt(1, 0, SHOWN)]) < 1500


def test_the_line_to_share_tells_how_often_and_not_what() -> None:
    assert squares(Attempt(1, 2, SOLVED)) == "⬛⬛🟩"
    assert squares(Attempt(1, 0, SHOWN)) == "🟨"
    assert len(squares(Attempt(1, 500, SOLVED))) == 9
