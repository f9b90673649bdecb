"""Random games on the board that changes in place are random games by the plain rules."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import prod
from random import Random
from typing import Any, cast

import pytest

from games.quax import Quax, Swap
from games.quax.board import Drop, Link
from games.quax.quick import random_line
from tests.support.not_none import not_none


class Script:
    """A source of chance that makes given choices, then always the first one.

    The board in place asks for ``int(draw() * options)``; what is drawn here answers the
    multiplication with the choice itself, and ``options`` remembers them.
    """

    def __init__(self, choices: Any) -> None:
        self.choices = choices
        self.options: list[Any] = []

    def random(self) -> Any:
        return self

    def __mul__(self, options: Any) -> Any:
        place = len(self.options)
        self.options.append(options)
        return self.choices[place] if place < len(self.choices) else 0


def all_lines(size: int, fixed: list[int]) -> Iterator[Any]:
    """Every line that begins with the ``fixed`` choices, with its chance, and the draws it took."""
    choices = list(fixed)
    while True:
        script = Script(choices)
        line, _ = random_line(size, cast(Random, script))
        options = script.options
        yield (
            line,
            prod((Fraction(1, n) for n in options[len(fixed) :]), start=Fraction(1)),
            options,
        )
        choices += [0] * (len(options) - len(choices))
        while len(choices) > len(fixed) and choices[-1] + 1 == options[len(choices) - 1]:
            choices.pop()
        if len(choices) == len(fixed):
            return
        choices[-1] += 1


def plain_chances(
    size: int,
    lines: list[
        tuple[Drop | Link, ...] | tuple[Drop | Link, ...] | tuple[Drop, ...] | tuple[Drop, ...]
    ],
) -> dict[Any, Any]:
    """The chance of each line by the plain rules, given the moves that all of them begin with."""
    game = Quax({"size": max(size, 3), "pie": "off"})
    start = game.decode("/".join([str(size)] * size) + " x -")
    shared = 0
    while len({line[: shared + 1] for line in lines}) == 1 and shared < min(map(len, lines)):
        shared += 1
    found: dict[Any, Fraction] = {}
    for line in lines:
        position, chance = start, Fraction(1)
        for number, move in enumerate(line):
            legal = list(game.legal_moves(position))
            assert move in legal
            if number >= shared:
                chance /= len(legal)
            position = game.play(position, move)
        assert game.outcome(position) is not None, "the line stops too early"
        found[line] = chance
    return found


def test_every_line_on_2x2_has_its_chance() -> None:
    found: dict[Any, Fraction] = {}
    for line, chance, _ in all_lines(2, []):
        found[line] = found.get(line, 0) + chance
    assert sum(found.values()) == 1
    assert found == plain_chances(2, list(found))


@pytest.mark.parametrize("size", [3, pytest.param(4, marks=pytest.mark.long)])
def test_every_end_of_a_game_has_its_chance(size: int) -> None:
    """All the ways to finish a game, from where there are 400 at most."""
    looked_at = thrown_away = 0
    for seed in range(1_000):
        if looked_at == 6:
            break
        draws = Recorder(Random(seed))
        random_line(size, cast(Random, draws))
        few = [
            ends
            for open_draws in (7, 5, 3)
            if len(ends := list(islice(all_lines(size, draws.made[:-open_draws]), 401))) <= 400
        ]
        if not few:
            continue
        looked_at += 1
        ends = few[0]
        found: dict[Any, Fraction] = {}
        for line, chance, options in ends:
            found[line] = found.get(line, 0) + chance
            thrown_away += len(options) - len(line)
        assert sum(found.values()) == 1
        assert found == plain_chances(size, list(found))
    assert looked_at == 6
    assert thrown_away, "no blocked pair was ever drawn, so the test has not seen one"


class Recorder(Script):
    """A source of chance that remembers its choices."""

    def __init__(self, rng: Any) -> None:
        super().__init__([])
        self.rng = rng
        self.made: list[Any] = []

    def __mul__(self, options: Any) -> Any:
        self.made.append(self.rng.randrange(options))
        return self.made[-1]


@pytest.mark.long
@pytest.mark.parametrize("options", [{"size": 3}, {"size": 5}, {"size": 15}, {}, {"pie": "off"}])
def test_whole_games_replay_by_the_plain_rules(options: dict[str, Any]) -> None:
    game = Quax(options)
    for seed in range(60):
        playout = game.random_game(Random(seed))
        position = game.initial(Random(seed))
        for move in playout.moves:
            assert game.outcome(position) is None
            position = game.play(position, move)
        assert not_none(game.outcome(position)).scores == playout.scores


def test_swap_is_as_likely_as_any_other_second_half_turn() -> None:
    game = Quax({"size": 3})
    swaps = 0
    for seed in range(9_000):
        moves = game.random_game(Random(seed)).moves
        assert Swap() not in (moves[0], *moves[2:])
        swaps += moves[1] == Swap()
    assert abs(swaps - 1_000) < 4 * (9_000 * 8 / 81) ** 0.5


def test_no_swap_without_the_pie() -> None:
    game = Quax({"size": 3, "pie": "off"})
    assert not any(Swap() in game.random_game(Random(seed)).moves for seed in range(500))
