"""``python -m benchmarks.pythagoras_outlook``: trains the network of engines/pythagoras/outlook.py.

Games of two seats are drawn by the weights of engines/pythagoras/habits.py, and some states of each
are samples, valued by the final points. It needs a C compiler for pythagoras_outlook.c, which fits
the network to them, and writes engines/pythagoras/outlook.txt.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from array import array
from math import exp
from pathlib import Path
from random import Random
from typing import BinaryIO

from engines.pythagoras import habits
from engines.pythagoras.board import PIT, PythagorasBoard, State, Table
from engines.pythagoras.grids import legal
from engines.pythagoras.outlook import (
    FEATURES,
    FILE,
    HIDDEN,
    SCALE,
    features,
    write_network,
)
from games import catalog

_SOURCE = Path(__file__).with_suffix(".c")
_POINTS = 10
"""The lead in points that makes a win e times as likely as a loss, as far as points count."""
_POWERS = (1.0, 0.8, 0.6)
"""How closely the games follow the weights, by turns."""
_FREE, _SEEN = 0.03, 0.2
"""The share of evenly drawn moves, and the share of states that are samples."""

Sample = tuple[list[int], int, float]
"""The features of a state, its player on move, and the reward or expectation of player 0."""


def drawn_game(
    board: PythagorasBoard, start: State, weights: list[habits.Weights], rng: Random
) -> list[Sample]:
    """Some states of a game drawn by the weights and now and then evenly."""
    table = Table(start)
    seen: list[tuple[list[int], int]] = []
    while not table.is_over():
        if rng.random() < _SEEN:
            seen.append((features(table), table.mover % 2))
        if found := legal(table.pyramids, table.hands, table.mover):
            part = habits.part(table.hands)
            keys, heavy = habits.weigh(table, found, weights[part], board.players)
            key = rng.choice(keys) if rng.random() < _FREE else rng.choices(keys, heavy)[0]
            table.play(habits.move_of(key))
        else:
            held = [size for size in range(3) if table.hands[3 * table.mover + size]]
            table.play(PIT << 9 | held[0] << 7)
    mine, theirs = board.points(table)
    won = (mine > theirs) + (mine == theirs) / 2
    worth = (won + 1 / (1 + exp((theirs - mine) / _POINTS))) / 2
    return [(found, mover, worth) for found, mover in seen]


def _write(samples: list[Sample], file: BinaryIO) -> None:
    for found, mover, worth in samples:
        own = 1 - worth if mover else worth
        array("H", [len(found), round(60_000 * own), *found]).tofile(file)


def _network(trained: array[float]) -> str:
    """The trainer's weights as whole numbers, in text."""
    numbers = [max(-32_767, min(32_767, round(SCALE * each))) for each in trained]
    rows, rest = numbers[: FEATURES * HIDDEN], numbers[FEATURES * HIDDEN :]
    itself, first = rest[:FEATURES], rest[FEATURES : FEATURES + HIDDEN]
    units = rest[FEATURES + HIDDEN : -1]
    return write_network(
        [[*rows[HIDDEN * at : HIDDEN * (at + 1)], itself[at]] for at in range(FEATURES)],
        [*first, rest[-1]],
        units,
    )


def main() -> None:
    """Play, train, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300_000)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=0.012)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    rng, board = Random(chosen.seed), PythagorasBoard(2)
    weights = [[habits.Weights(each, power) for each in habits.logarithms()] for power in _POWERS]
    start = board.start(catalog.create("pythagoras", {"seats": 2}).initial(rng))
    with tempfile.TemporaryDirectory() as name:
        program, samples, trained = (Path(name, each) for each in ("train", "samples", "trained"))
        sizes = [f"-DFEATURES={FEATURES}", f"-DHIDDEN={HIDDEN}"]
        flags = ["-O3", "-ffast-math", *sizes]
        subprocess.run(["cc", *flags, "-o", program, _SOURCE, "-lm"], check=True, timeout=120)
        with samples.open("wb") as file:
            for number in range(chosen.games):
                _write(drawn_game(board, start, weights[number % len(weights)], rng), file)
        told = [str(chosen.epochs), str(chosen.rate)]
        subprocess.run([program, samples, trained, *told], check=True)
        numbers = array("f")
        numbers.frombytes(trained.read_bytes())
        FILE.write_text(_network(numbers), encoding="ascii")


if __name__ == "__main__":
    main()
