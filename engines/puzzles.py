"""Puzzles from games that engines play: positions with one move that wins by force.

A puzzle is a position in which exactly one move forces a win within so many moves of one's own, as
an exhaustive search by the rules alone finds (:class:`games.search.ForcedWin`); none wins at once
if more than one move is asked for. Its *grade* is the lowest level that finds the move, together
with all levels above it, in most of a few tries. ``python -m engines puzzles`` makes them;
:mod:`engines.puzzle_book` has those of the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engines.catalog import engine_for
from engines.engine import Engine
from engines.puzzle_book import Puzzle
from games.api import Game
from games.search import ForcedWin

_TRIES = 3
_PLAYS = (3, 4)
_LONGEST_GAME = 120


def make_puzzles(
    game: Game[Any, Any], *, seed: int, within: int = 2, highest: int = 5, nodes: int = 400
) -> Iterator[Puzzle]:
    """Puzzles without end, at most one from a game that the engine plays against itself."""
    engine = engine_for(game)
    while True:
        found = _from_one_game(engine, Random(seed), within, highest=highest, nodes=nodes)
        if found is not None:
            yield found
        seed += 1


def _from_one_game(
    engine: Engine, rng: Random, within: int, *, highest: int, nodes: int
) -> Puzzle | None:
    game = engine.game
    position: Any = game.initial(rng)
    for _ in range(rng.randint(2, 4)):
        moves = list(game.legal_moves(position))
        position = game.play(position, moves[int(rng.random() * len(moves))])
    for _ in range(_LONGEST_GAME):
        if game.outcome(position) is not None:
            return None
        found = engine.analyse(position, nodes).moves
        wins = [each for each in found if each.proof == "win"]
        if wins and len(found) > 2:
            puzzle = _puzzle(engine, position, within, highest)
            if puzzle is not None:
                return puzzle
        level = engine.level(_PLAYS[int(rng.random() * len(_PLAYS))])
        position = game.play(position, engine.choose(position, level, rng.randrange(1 << 30)))
    return None


def _puzzle(engine: Engine, position: Any, within: int, highest: int) -> Puzzle | None:
    game = engine.game
    if within > 1 and ForcedWin(1).moves(game, position):
        return None
    winning = ForcedWin(within).moves(game, position)
    if len(winning) != 1:
        return None
    (move,) = winning
    grade = _grade(engine, position, move, min(highest, len(engine.levels)))
    options = dict(game.options)
    return Puzzle(game.info.key, options, game.encode(position), move, within, grade)


def _grade(engine: Engine, position: Any, move: str, highest: int) -> int:
    game = engine.game
    grade = highest + 1
    for number in range(highest, 0, -1):
        level = engine.level(number)
        chosen = [engine.choose(position, level, seed) for seed in range(_TRIES)]
        hits = sum(game.notation(position, each) == move for each in chosen)
        if 2 * hits <= _TRIES:
            break
        grade = number
    return min(grade, len(engine.levels))
