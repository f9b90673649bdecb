"""The puzzles of the package, as plain data: no engine is loaded for them.

Each is a position in which exactly one move forces a win within so many moves of one's own, as an
exhaustive search by the rules alone has found (:mod:`engines.puzzles`). They stand in
``engines/puzzle_data``, one line of JSON each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from games.api import OptionValue

FOLDER = Path(__file__).with_name("puzzle_data")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, encoded, and the one move that wins ``within`` so many own moves.

    ``grade`` is the lowest level of the game's engine that finds it together with all levels above.
    """

    game: str
    options: Mapping[str, OptionValue] = field(hash=False)
    state: str
    move: str
    within: int
    grade: int


def write_puzzle(puzzle: Puzzle) -> str:
    """A puzzle as a line of JSON."""
    return json.dumps(
        {
            "game": puzzle.game,
            "options": dict(puzzle.options),
            "state": puzzle.state,
            "move": puzzle.move,
            "within": puzzle.within,
            "grade": puzzle.grade,
        }
    )


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """The puzzles of the package, games by turns, in an order that new ones are added to."""
    files = sorted(FOLDER.glob("*.jsonl"))
    by_game = [
        [Puzzle(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]
        for file in files
    ]
    most = max(map(len, by_game), default=0)
    return tuple(each[at] for at in range(most) for each in by_game if at < len(each))
