"""The puzzle of the day, and a person's attempts at it.

Puzzles are numbered by days; a number stands for the same puzzle for all. They start over only when
each puzzle of the package has had its day.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import Enum

from engines.puzzle_book import Puzzle, puzzles

_FIRST = date(2026, 11, 1)
"""The day of puzzle 1."""
_STRENGTH = 32
_START = 1500


class PuzzleState(Enum):
    """The state of a puzzle for a person."""

    OPEN = "open"
    SOLVED = "solved"
    SHOWN = "shown"
    """They asked for the answer."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A person's attempt at a puzzle, with the number of wrong moves."""

    number: int
    wrong: int = 0
    state: PuzzleState = PuzzleState.OPEN


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """A player's attempt at a puzzle, their streak and their rating."""

    attempt: Attempt
    streak: int
    rating: int


def number_on(day: date) -> int:
    """The number of the puzzle of a day, from 1."""
    return max(1, (day - _FIRST).days + 1)


def puzzle_of(number: int) -> Puzzle:
    """The puzzle of that number."""
    found = puzzles()
    return found[(number - 1) % len(found)]


def tried(before: Attempt, move: str, puzzle: Puzzle) -> Attempt:
    """The attempt after a move; a finished one stays as it is."""
    if before.state is not PuzzleState.OPEN:
        return before
    if move == puzzle.move:
        return Attempt(before.number, before.wrong, PuzzleState.SOLVED)
    return Attempt(before.number, before.wrong + 1)


def shown(before: Attempt) -> Attempt:
    """The attempt after the answer was shown."""
    if before.state is not PuzzleState.OPEN:
        return before
    return Attempt(before.number, before.wrong, PuzzleState.SHOWN)


def streak(attempts: Iterable[Attempt], today: int) -> int:
    """The number of puzzles solved in a row, up to today's or, while that is open, yesterday's."""
    solved = {each.number for each in attempts if each.state is PuzzleState.SOLVED}
    number = today if today in solved else today - 1
    found = 0
    while number in solved:
        found, number = found + 1, number - 1
    return found


def puzzle_rating(attempts: Iterable[Attempt]) -> int:
    """A person's rating by puzzles: each is a match that the first move decides (Elo, K 32)."""
    rating = float(_START)
    for each in sorted(attempts, key=lambda one: one.number):
        if each.state is PuzzleState.OPEN and not each.wrong:
            continue
        score = float(each.state is PuzzleState.SOLVED and not each.wrong)
        expected = 1 / (1 + 10 ** ((strength_of(puzzle_of(each.number)) - rating) / 400))
        rating += _STRENGTH * (score - expected)
    return round(rating)


def strength_of(puzzle: Puzzle) -> int:
    """A puzzle's rating, by its grade."""
    return 1000 + 200 * puzzle.grade


def squares(attempt: Attempt) -> str:
    """An attempt in a line without spoilers: a square for each tried move."""
    last = {
        PuzzleState.SOLVED: "\N{LARGE GREEN SQUARE}",
        PuzzleState.SHOWN: "\N{LARGE YELLOW SQUARE}",
    }
    wrong = "\N{BLACK LARGE SQUARE}" * min(attempt.wrong, 8)
    return wrong + last.get(attempt.state, "")
