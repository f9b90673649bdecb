"""Random games a second, and the cost of a decision.

First Quax 11x11 against OpenSpiel's Hex 11x11, both driven from Python. Both sides play complete
games, each move drawn evenly from the legal ones:

* ours by ``games.playout.random_game``, which returns all moves and the scores. For Quax that is
  ``games/quax/quick.py``, a board that changes in place and keeps its legal moves up to date.
* Hex by OpenSpiel's ordinary calls, ``legal_actions``, ``apply_action`` and ``is_terminal``, the
  moves drawn with the cheapest expression we know, ``actions[int(random() * len(actions))]``.

A random game of Quax is longer (151 moves on average against 107). For comparison the table also
shows Quax move by move through ``legal_moves`` and ``play``, like a host of real games; it makes a
new position for each move and is slower.

The sides take turns in small blocks, so that noise on the machine hits all of them. Times are CPU
times. Ends with an error where ``random_game`` is slower than OpenSpiel.

Then random games a second of all five games, and the time that ``legal_moves`` and ``play`` take
together in game-like positions (``positions.py``), beside python-chess. Ends with an error where 99
of 100 do not stay below :data:`BOUND` milliseconds.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from random import Random

import pyspiel

from benchmarks.positions import REFERENCE as CHESS
from benchmarks.positions import costs, paces
from games import catalog
from games.playout import random_game

RESULTS = Path(__file__).parent / "results" / "rules.json"
AT_LEAST = 1.0
OURS = "Quax 11x11, random_game"
REFERENCE = "Hex 11x11, OpenSpiel"
SIZE = 11
BLOCK = 50
BOUND = 5.0
"""Milliseconds for the legal moves and one move, all but once in a hundred times."""


def quax(rng: Random) -> Callable[[], int]:
    """One random game through the documented call; returns its number of moves."""
    game = catalog.create("quax", {"size": SIZE, "pie": "off"})
    return lambda: len(random_game(game, rng).moves)


def quax_by_moves(rng: Random) -> Callable[[], int]:
    """One random game through ``legal_moves`` and ``play``."""
    game = catalog.create("quax", {"size": SIZE, "pie": "off"})
    draw = rng.random

    def play() -> int:
        position = game.initial(rng)
        plies = 0
        while game.to_move(position) is not None:
            moves = list(game.legal_moves(position))
            position = game.play(position, moves[int(draw() * len(moves))])
            plies += 1
        return plies

    return play


def hex_of_open_spiel(rng: Random) -> Callable[[], int]:
    """One random game of Hex through OpenSpiel's Python interface."""
    game = pyspiel.load_game(f"hex(board_size={SIZE})")
    draw = rng.random

    def play() -> int:
        state = game.new_initial_state()
        plies = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
            plies += 1
        return plies

    return play


def measure(games: int) -> dict[str, dict[str, float]]:
    """CPU seconds, games and moves of each side, in turns of :data:`BLOCK` games."""
    sides = {
        OURS: (quax(Random(1)), BLOCK),
        REFERENCE: (hex_of_open_spiel(Random(1)), BLOCK),
        "Quax 11x11, legal_moves + play": (quax_by_moves(Random(1)), max(1, BLOCK // 25)),
    }
    for play, _ in sides.values():
        play()
    totals = {name: {"seconds": 0.0, "games": 0, "moves": 0} for name in sides}
    for _ in range(max(1, games // BLOCK)):
        for name, (play, block) in sides.items():
            began = time.process_time()
            moves = sum(play() for _ in range(block))
            total = totals[name]
            total["seconds"] += time.process_time() - began
            total["games"] += block
            total["moves"] += moves
    return totals


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4_000, help="random games a side (4000)")
    parser.add_argument("--seconds", type=float, default=3, help="for each game's pace (3)")
    parser.add_argument("--positions", type=int, default=4_000, help="positions a game (4000)")
    parser.add_argument("--json", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    totals = measure(chosen.games)
    rates = {name: total["games"] / total["seconds"] for name, total in totals.items()}
    reference = rates[REFERENCE]
    print(f"{'':<32}{'games/s':>10}{'moves/game':>12}{'ratio':>8}")
    for name, total in totals.items():
        mean = total["moves"] / total["games"]
        print(f"{name:<32}{rates[name]:>10.0f}{mean:>12.1f}{rates[name] / reference:>8.2f}")
    found = paces(chosen.seconds)
    print(f"\n{'random games a CPU second':<32}{'at once':>10}{'by moves':>12}{'moves':>8}")
    for name, (fast, plain, plies) in found.items():
        print(f"{name:<32}{fast:>10.1f}{plain:>12.1f}{plies:>8.1f}")
    decisions = costs(chosen.positions)
    chess = next(cost for cost in decisions if cost.name == CHESS)
    print(f"\n{'legal_moves + play, CPU ms':<28}{'moves':>7}{'most':>6}", end="")
    print(f"{'p50':>8}{'p99':>8}{'worst':>8}{'p99 ratio':>11}")
    for cost in decisions:
        print(f"{cost.name:<28}{cost.moves:>7.1f}{cost.most_moves:>6}{cost.median:>8.3f}", end="")
        print(f"{cost.p99:>8.3f}{cost.worst:>8.3f}{cost.p99 / chess.p99:>11.2f}")
    result = {
        "what": "random games a CPU second, one process; CPU milliseconds a decision",
        "python": platform.python_version(),
        "open_spiel": version("open_spiel"),
        "chess": version("chess"),
        "sides": {
            name: {
                **total,
                "games_per_second": rates[name],
                "ratio_to_open_spiel": rates[name] / reference,
            }
            for name, total in totals.items()
        },
        "random_games": {
            name: {"at_once_per_second": fast, "by_moves_per_second": plain, "moves": plies}
            for name, (fast, plain, plies) in found.items()
        },
        "decisions": [
            {**asdict(cost), "p99_ratio_to_chess": cost.p99 / chess.p99, "bound_ms": BOUND}
            for cost in decisions
        ],
    }
    chosen.json.parent.mkdir(parents=True, exist_ok=True)
    chosen.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    failures = [
        f"{cost.name}: p99 {cost.p99:.2f} ms, {BOUND} allowed"
        for cost in decisions
        if cost.p99 >= BOUND
    ]
    if rates[OURS] < AT_LEAST * reference:
        failures.append(f"{OURS} is slower than {REFERENCE}")
    print("\n".join(failures), end="\n" * bool(failures), file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
