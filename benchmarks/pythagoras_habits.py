"""``python -m benchmarks.pythagoras_habits``: trains the weights of engines/pythagoras/habits.py.

Games of two seats are drawn by the weights themselves, and each game makes its winner's moves more
likely and its loser's moves less likely (REINFORCE, Williams 1992; steps after Adam, Kingma and Ba
2014). It goes on from the weights in use, or from none with ``--afresh``, and writes the text.
"""

from __future__ import annotations

import argparse
import sys
from random import Random

from engines.pythagoras import habits
from engines.pythagoras.board import PIT, PythagorasBoard, State, Table
from engines.pythagoras.grids import legal
from games import catalog
from games.pythagoras.board import UP

_PLAYERS = 2
_BATCH = 400
_NUMBERS = habits.LEADS + 20
_MOST = 9.0
_POINTS = 10
"""The points above the mean that count as much as the win."""
_NUMBER = {key: habits.number_of(key) for key in habits.KEYS}

_Choice = tuple[int, list[int], list[float], int, list[int]]
"""The part of the game, the moves with their weights, the chosen one, the colour's standing."""


def _played(
    start: State, weights: list[habits.Weights], rng: Random
) -> tuple[Table, list[list[_Choice]]]:
    """A game, with the choices of each player."""
    table = Table(start)
    choices: list[list[_Choice]] = [[] for _ in range(_PLAYERS)]
    while True:
        found = legal(table.pyramids, table.hands, table.mover)
        if not found:
            if table.is_over():
                return table, choices
            size = next(size for size in range(3) if table.hands[3 * table.mover + size])
            table.play(PIT << 9 | size << 7)
            continue
        part = habits.part(table.hands)
        keys, heavy = habits.weigh(table, found, weights[part], _PLAYERS)
        key = rng.choices(keys, heavy)[0]
        if len(keys) > 1:
            choices[table.mover % _PLAYERS].append(
                (part, keys, heavy, key, habits.standings(table))
            )
        table.play(habits.move_of(key))


def _credit(slopes: list[list[float]], choice: _Choice, reward: float) -> None:
    """Add the slopes that make the choice more likely."""
    part, keys, heavy, chosen, standings = choice
    slope, whole = slopes[part], sum(heavy)

    def add(key: int, by: float) -> None:
        rank = (key & 127) // UP
        slope[_NUMBER[key]] += by
        slope[habits.LEADS + 4 * rank + standings[rank]] += by

    add(chosen, reward)
    for key, weight in zip(keys, heavy, strict=True):
        add(key, -reward * weight / whole)


def train(numbers: list[list[float]], *, games: int, speed: float, rng: Random) -> None:
    """Change the logarithms of the weights by this many games."""
    board = PythagorasBoard(_PLAYERS)
    start = board.start(catalog.create("pythagoras", {"seats": _PLAYERS}).initial(rng))
    means = [[0.0] * _NUMBERS for _ in numbers]
    squares = [[1e-6] * _NUMBERS for _ in numbers]
    for _ in range(games // _BATCH):
        weights = [habits.Weights(each, 1.0) for each in numbers]
        slopes = [[0.0] * _NUMBERS for _ in numbers]
        for _ in range(_BATCH):
            table, choices = _played(start, weights, rng)
            ahead, behind = board.points(table)
            lead = (ahead > behind) - (ahead < behind)
            reward = lead + max(-1.0, min(1.0, (ahead - behind) / 2 / _POINTS))
            for player, sign in ((0, 1), (1, -1)):
                for choice in choices[player]:
                    _credit(slopes, choice, sign * reward)
        for part, slope in enumerate(slopes):
            for number, total in enumerate(slope):
                by = total / _BATCH
                mean = means[part][number] = 0.8 * means[part][number] + 0.2 * by
                square = squares[part][number] = 0.95 * squares[part][number] + 0.05 * by * by
                moved = numbers[part][number] * 0.9995 + speed * mean / (square**0.5 + 0.003)
                numbers[part][number] = max(-_MOST, min(_MOST, moved))


def _text(numbers: list[float]) -> str:
    """The numbers of a part of the game in the engine's form."""
    tenths = [str(round(10 * number)) for number in numbers]
    lines: list[str] = []
    for ranks, each in ((5, 3), (4, 3), (3, 3)) * 3 + ((5, 4),):
        line, tenths = tenths[: ranks * each], tenths[ranks * each :]
        lines.append(" ".join("/".join(line[at : at + each]) for at in range(0, len(line), each)))
    return '    """\n' + "".join(f"    {line}\n" for line in lines) + '    """,\n'


def main() -> None:
    """Train and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--speed", type=float, default=0.03)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--afresh", action="store_true")
    chosen = parser.parse_args()
    numbers = [[0.0] * _NUMBERS for _ in habits.WEIGHTS] if chosen.afresh else habits.logarithms()
    train(numbers, games=chosen.games, speed=chosen.speed, rng=Random(chosen.seed))
    sys.stdout.write("WEIGHTS = (\n" + "".join(map(_text, numbers)) + ")\n")


if __name__ == "__main__":
    main()
