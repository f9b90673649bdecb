"""Puzzles from games that engines play: positions with one move that wins by force.

A puzzle is a position in which exactly one move forces a win within a number of own moves, as an
exhaustive search by the rules alone finds (:class:`games.search.ForcedWin`); none wins immediately
if that number is more than one. The moves of the player to move count, not plies: in Pythagoras a
player may move twice in a row. Its *grade* is the lowest level that finds the move, together with
all levels above it, in most of a few tries. ``python -m engines puzzles`` makes them, from games of
the engine against itself or from records of games; :mod:`engines.puzzle_book` has those of the
package.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from engines.catalog import engine_for
from engines.engine import Engine
from engines.puzzle_book import Puzzle
from games import catalog
from games.api import Game, Seat
from games.search import ForcedWin

FEWEST = 4
"""With fewer legal moves there is nothing to find."""
_TRIES = 3
_PLAYS = (3, 4)
_LONGEST_GAME = 120
_MOST = 150_000
"""The most lines of moves for an exhaustive search."""
_HIGHEST = 5
"""The highest level that grades a puzzle."""
_NODES = 40
"""The engine's nodes for each move of a game that it plays for a puzzle."""


def make_puzzles(game: Game[Any, Any], *, seed: int, within: int = 2) -> Iterator[Puzzle]:
    """Puzzles without end, at most one from a game of the engine against itself."""
    engine = engine_for(game)
    while True:
        found = _from_one_game(engine, Random(seed), within)
        if found is not None:
            yield found
        seed += 1


def puzzles_from(
    game: Game[Any, Any], games: Iterable[Sequence[str]], *, within: int = 2
) -> Iterator[Puzzle]:
    """Puzzles from games that were played, each given by its moves; at most one from a game.

    The position is one in which a winner had ``within`` moves left, or one less if the win was not
    forced yet. A position that needs too much search makes no puzzle.
    """
    engine = engine_for(game)
    for moves in games:
        line = _positions(game, moves)
        outcome = game.outcome(line[-1])
        winners = outcome.winners if outcome else ()
        for own in range(within, min(2, within) - 1, -1):
            puzzle = _forced(engine, line, winners, own)
            if puzzle is not None:
                yield puzzle
                break


def _forced(
    engine: Engine, line: Sequence[Any], winners: Collection[Seat], own: int
) -> Puzzle | None:
    """The puzzle of the position in which a winner had ``own`` moves left, if it is one."""
    game = engine.game
    for winner in winners:
        turns = [position for position in line[:-1] if game.to_move(position) == winner]
        if len(turns) >= own:
            position = turns[-own]
            if _lines(game, position, len(game.seats) * (own - 1) + 1) <= _MOST:
                return _puzzle(engine, position, own)
    return None


def _lines(game: Game[Any, Any], position: Any, plies: int) -> int:
    """The approximate number of lines of this length: sides may have more or fewer moves each."""
    choices: list[int] = []
    for _ in game.seats:
        moves = list(game.legal_moves(position))
        choices.append(max(1, len(moves)))
        following = game.play(position, moves[0]) if moves else position
        if game.outcome(following) is None:
            position = following
    lines = 1
    for ply in range(plies):
        lines *= choices[ply % len(choices)]
    return lines


def _positions(game: Game[Any, Any], moves: Sequence[str]) -> list[Any]:
    found = [game.initial(Random(0))]
    for text in moves:
        position = found[-1]
        found.append(game.play(position, game.parse(position, text)))
    return found


def _from_one_game(engine: Engine, rng: Random, within: int) -> Puzzle | None:
    game = engine.game
    position: Any = game.initial(rng)
    for _ in range(rng.randint(2, 4)):
        moves = list(game.legal_moves(position))
        position = game.play(position, moves[int(rng.random() * len(moves))])
    for _ in range(_LONGEST_GAME):
        if game.outcome(position) is not None:
            return None
        found = engine.analyse(position, _NODES)
        wins = [each for each in found if each.proof == "win"]
        if wins and len(found) > 2:
            puzzle = _puzzle(engine, position, within)
            if puzzle is not None:
                return puzzle
        level = engine.level(_PLAYS[int(rng.random() * len(_PLAYS))])
        position = game.play(position, engine.choose(position, level, rng.randrange(1 << 30)))
    return None


def _puzzle(engine: Engine, position: Any, within: int) -> Puzzle | None:
    game = engine.game
    if len(list(game.legal_moves(position))) < FEWEST:
        return None
    winning = answers(game, position, within)
    if len(winning) != 1:
        return None
    (move,) = winning
    grade = _grade(engine, position, move)
    options = dict(game.options)
    return Puzzle(game.info.key, options, game.encode(position), move, within, grade)


def answers(
    game: Game[Any, Any], position: Any, within: int, *, most: int | None = None
) -> frozenset[str]:
    """The moves that solve a position as a puzzle, by the rules alone; a puzzle has exactly one.

    With one own move that is an immediate win; a puzzle of more moves has none. Raises
    :exc:`~games.search.TooMuchError` if more than ``most`` positions have to be looked at.
    """
    at_once = _wins_at_once(game, position)
    if within == 1:
        return at_once
    return frozenset() if at_once else ForcedWin(within, most).moves(game, position)


def _wins_at_once(game: Game[Any, Any], position: Any) -> frozenset[str]:
    seat = game.to_move(position)
    ends = {move: game.outcome(game.play(position, move)) for move in game.legal_moves(position)}
    return frozenset(
        game.notation(position, move) for move, end in ends.items() if end and seat in end.winners
    )


def is_proved(puzzle: Puzzle, *, most: int | None = None) -> bool:
    """Whether a puzzle is correct; see :func:`answers`."""
    game = catalog.create(puzzle.game, puzzle.options)
    position = game.decode(puzzle.state)
    return answers(game, position, puzzle.within, most=most) == {puzzle.move}


def graded(puzzle: Puzzle) -> Puzzle:
    """The puzzle with its grade by today's levels."""
    game = catalog.create(puzzle.game, puzzle.options)
    engine = engine_for(game)
    position = game.decode(puzzle.state)
    return replace(puzzle, grade=_grade(engine, position, puzzle.move))


def _grade(engine: Engine, position: Any, move: str) -> int:
    game, highest = engine.game, min(_HIGHEST, len(engine.levels))
    grade = highest + 1
    for number in range(highest, 0, -1):
        level = engine.level(number)
        chosen = [engine.choose(position, level, seed) for seed in range(_TRIES)]
        hits = sum(game.notation(position, each) == move for each in chosen)
        if 2 * hits <= _TRIES:
            break
        grade = number
    return min(grade, len(engine.levels))
