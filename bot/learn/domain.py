"""The puzzle of the day: which one it is, and what becomes of a person's attempts.

Puzzles are numbered by days; a number stands for the same puzzle for everybody. Only when all of
the package have had their day do they begin again.
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
    """What has become of a puzzle for a person."""

    OPEN = "open"
    SOLVED = "solved"
    SHOWN = "shown"
    """They had the answer shown."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a person has done about a puzzle: how many moves they tried that were wrong."""

    number: int
    wrong: int = 0
    state: PuzzleState = PuzzleState.OPEN


def number_on(day: date) -> int:
    """The number of the puzzle of a day, from 1."""
    return max(1, (day - _FIRST).days + 1)


def puzzle_of(number: int) -> Puzzle:
    """The puzzle of that number."""
    found = puzzles()
    return found[(number - 1) % len(found)]


def tried(before: Attempt, move: str, puzzle: Puzzle) -> Attempt:
    """After a move was tried; one that is over stays as it is."""
    if before.state is not PuzzleState.OPEN:
        return before
    if move == puzzle.move:
        return Attempt(before.number, before.wrong, PuzzleState.SOLVED)
    return Attempt(before.number, before.wrong + 1)


def shown(before: Attempt) -> Attempt:
    """After the answer was shown."""
    if before.state is not PuzzleState.OPEN:
        return before
    return Attempt(before.number, before.wrong, PuzzleState.SHOWN)


def streak(attempts: Iterable[Attempt], today: int) -> int:
    """How many puzzles in a row were solved, up to today's or, while that is open, yesterday's."""
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
    """The rating that a puzzle counts as, by its grade."""
    return 1000 + 200 * puzzle.grade


def squares(attempt: Attempt) -> str:
    """An attempt in a line that gives nothing away: a square for each move tried."""
    last = {
        PuzzleState.SOLVED: "\N{LARGE GREEN SQUARE}",
        PuzzleState.SHOWN: "\N{LARGE YELLOW SQUARE}",
    }
    wrong = "\N{BLACK LARGE SQUARE}" * min(attempt.wrong, 8)
    return wrong + last.get(attempt.state, "")
