"""Typical positions, and the cost of their legal moves and one move.

For each game, the largest boards included: positions of random games, drawn evenly from several
styles of play; and for the game with the most moves the positions with the most of all those seen,
with one built to have more than any game reaches. The reference does the same: legal moves and one
move of python-chess, in positions of random games of chess.

Times are CPU times of single calls, none repeated and none left out.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import chess

from games import catalog

REFERENCE = "chess, python-chess"
CROWDED = "8/8/8/xwwWWx2/xWWWx3/8/8/8 w -"
"""A position of Pux with 370 moves."""
SETTINGS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("Quax 11x11", "quax", {}),
    ("Quax 15x15", "quax", {"size": "15"}),
    ("Quux 4x4", "quux", {}),
    ("Quux 6x6, jump", "quux", {"size": "6", "path": "jump"}),
    ("Ziggurat", "ziggurat", {}),
    ("Pux", "pux", {}),
    ("Pythagoras", "pythagoras", {}),
)


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU milliseconds of the legal moves and one move, in ``count`` positions."""

    name: str
    positions: int
    moves: float
    """Legal moves on average."""
    most_moves: int
    median: float
    p99: float
    worst: float


def _cost(name: str, spent: list[float], counts: list[int]) -> Cost:
    ordered = sorted(spent)
    return Cost(
        name,
        len(spent),
        sum(counts) / len(counts),
        max(counts),
        ordered[len(ordered) // 2],
        ordered[int(len(ordered) * 0.99)],
        ordered[-1],
    )


def played(game: Any, rng: Random) -> Iterator[tuple[Any, list[Any]]]:
    """The positions of a game with their moves; in every second game captures come first."""
    takes = rng.random() < 0.5
    position = game.initial(rng)
    while moves := list(game.legal_moves(position)):
        yield position, moves
        taking = [m for m in moves if set(game.notation(position, m)) & set(":x^")]
        position = game.play(position, rng.choice(taking if takes and taking else moves))


def sample(game: Any, count: int, rng: Random) -> list[Any]:
    """Positions of games, every third one."""
    found: list[Any] = []
    while len(found) < count:
        found += [position for position, _ in played(game, rng) if rng.random() < 0.3]
    return found[:count]


def broadest(game: Any, count: int, games: int, rng: Random) -> list[Any]:
    """The positions with the most legal moves of ``games`` games, and one built to have more."""
    seen = (
        (len(moves), number, ply, position)
        for number in range(games)
        for ply, (position, moves) in enumerate(played(game, rng))
    )
    return [*(entry[3] for entry in heapq.nlargest(count, seen)), game.decode(CROWDED)]


def measure(name: str, game: Any, positions: list[Any], rng: Random) -> Cost:
    """Time ``legal_moves`` and ``play`` together, once in each position."""
    spent: list[float] = []
    counts: list[int] = []
    clock, draw = time.process_time_ns, rng.random
    for position in positions:
        began = clock()
        moves = list(game.legal_moves(position))
        game.play(position, moves[int(draw() * len(moves))])
        spent.append((clock() - began) / 1e6)
        counts.append(len(moves))
    return _cost(name, spent, counts)


def measure_chess(count: int, rng: Random) -> Cost:
    """The same of chess; a copy stands for the new position that ``play`` makes."""
    spent: list[float] = []
    counts: list[int] = []
    clock, draw = time.process_time_ns, rng.random
    while len(spent) < count:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 200:
            began = clock()
            moves = list(board.legal_moves)
            after = board.copy(stack=False)
            after.push(moves[int(draw() * len(moves))])
            spent.append((clock() - began) / 1e6)
            counts.append(len(moves))
            board.push(rng.choice(moves))
    return _cost(REFERENCE, spent[:count], counts[:count])


def costs(count: int) -> list[Cost]:
    """The cost of a decision in ``count`` positions of each game, the reference first."""
    found = [measure_chess(count, Random(1))]
    for name, key, options in SETTINGS:
        game = catalog.create(key, options)
        found.append(measure(name, game, sample(game, count, Random(2)), Random(3)))
    game = catalog.create("pux", {})
    broad = broadest(game, max(100, count // 10), max(4, count // 100), Random(4))
    found.append(measure("Pux, most moves", game, broad, Random(5)))
    return found


def paces(seconds: float) -> dict[str, tuple[float, float, float]]:
    """Random games a CPU second by ``random_game`` and move by move, and moves a game."""
    found = {}
    for name, key, options in SETTINGS:
        game = catalog.create(key, options)

        def by_moves(rng: Random, game: Any = game) -> int:
            position, plies = game.initial(rng), 0
            while moves := list(game.legal_moves(position)):
                position = game.play(position, moves[int(rng.random() * len(moves))])
                plies += 1
            return plies

        def at_once(rng: Random, game: Any = game) -> int:
            return len(game.random_game(rng).moves)

        fast, plies = _pace(at_once, seconds)
        plain, _ = _pace(by_moves, seconds)
        found[name] = (fast, plain, plies)
    return found


def _pace(play: Callable[[Random], int], seconds: float) -> tuple[float, float]:
    """Games a CPU second, and moves a game."""
    rng = Random(1)
    games = plies = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds or games < 2:
        plies += play(rng)
        games += 1
    return games / spent, plies / games
