"""The puzzles of the package, as plain data: no engine is loaded for them.

In each exactly one move forces a win within a number of own moves, as an exhaustive search by the
rules alone has found (:mod:`engines.puzzles`). The moves of the player to move count, the first one
among them, and not those of the opponent. Puzzles are in the volumes of ``engines/puzzle_data``,
one line of JSON each.

Its place among all lines decides the day of a puzzle, and players' results are stored by day. So an
existing volume does not change, and new puzzles make a new volume. Only a wrong puzzle is replaced,
by one of the same game, grade and length in its line, and all others keep their days. That was done
to lines 89, 163, 263, 313 and 337 of volume 1, all of Pythagoras, before their days came. Plies had
been counted there, which leaves out slower lines of a player who moves again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from games.api import OptionValue

FOLDER = Path(__file__).with_name("puzzle_data")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, encoded, and the only move that wins within this many own moves, itself included.

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


def read_puzzles(file: Path) -> list[Puzzle]:
    """The puzzles of a file, in its order."""
    return [Puzzle(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """The puzzles of the package, in the order of their days."""
    volumes = sorted(FOLDER.glob("*.jsonl"))
    return tuple(each for volume in volumes for each in read_puzzles(volume))


def mixed(found: Iterable[Puzzle], known: Iterable[Puzzle]) -> list[Puzzle]:
    """A volume of the unknown ones, each once, the games spread over it evenly."""
    seen = {(each.game, each.state) for each in known}
    by_game: dict[str, list[Puzzle]] = {}
    for each in found:
        if (each.game, each.state) not in seen:
            seen.add((each.game, each.state))
            by_game.setdefault(each.game, []).append(each)
    placed = [
        ((number + 0.5) / len(group), game, number)
        for game, group in by_game.items()
        for number in range(len(group))
    ]
    return [by_game[game][number] for _, game, number in sorted(placed)]
