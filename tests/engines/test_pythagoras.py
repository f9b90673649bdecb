"""The engine of Pythagoras for two: exact ends, and the network's values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import exp
from random import Random
from typing import Any

import pytest

from engines.maxn import MaxN
from engines.pythagoras.endgame import Endgame
from engines.pythagoras.outlook import (
    FEATURES,
    HIDDEN,
    SCALE,
    JudgedBoard,
    features,
    read_network,
    write_network,
)
from games import catalog

GAME = catalog.create("pythagoras", {"seats": 2})


def states(seed: int, most: int) -> Iterator[tuple[Any, Any]]:
    """Positions of random games with at most so many pyramids in hand, and what the board makes."""
    rng, board = Random(seed), JudgedBoard()
    for _ in range(12):
        position = GAME.initial(rng)
        while moves := list(GAME.legal_moves(position)):
            state = board.start(position)
            if sum(state.hands) <= most:
                yield position, state
            position = GAME.play(position, rng.choice(moves))


@cache
def by_the_rules(position: Any) -> float:
    """The reward of player 0 with best play of both, by the rules alone."""
    outcome = GAME.outcome(position)
    if outcome is not None:
        return 0.5 if len(outcome.winners) != 1 else float(outcome.winners == (0,))
    best = min if GAME.to_move(position) else max
    return best(by_the_rules(GAME.play(position, move)) for move in GAME.legal_moves(position))


@pytest.mark.long
def test_an_end_is_counted_out_as_the_rules_alone_say() -> None:
    board = JudgedBoard()
    compared = 0
    for position, state in states(1, 12):
        mover = board.mover(state)
        results = Endgame(board).results(state, board.moves(state), 100_000)
        for move in board.moves(state):
            known = results.get(move)
            if known is None:  # another one wins
                assert 1.0 in {result[mover] for result in results.values()}
                continue
            wanted = by_the_rules(GAME.play(position, board.named(state, move)))
            assert known == (wanted, 1 - wanted)
            compared += 1
    assert compared > 100


@pytest.mark.long
def test_a_small_budget_leaves_ends_open_and_says_nothing_wrong() -> None:
    board = JudgedBoard()
    left_open = 0
    for _, state in states(2, 12):
        moves = board.moves(state)
        known = Endgame(board).results(state, moves, 100_000)
        for move, result in Endgame(board).results(state, moves, 6).items():
            assert known.get(move, result) == result
        left_open += len(Endgame(board).results(state, moves, 6)) < len(known)
    assert left_open > 10


@pytest.mark.long
def test_the_search_plays_an_end_that_can_be_counted_out_perfectly() -> None:
    search = MaxN(JudgedBoard(), 0.6)
    for position, _ in states(3, 10):
        best = search.candidates(position, 50, Random(1))[0]
        worth = by_the_rules(position)
        mine = 1 - worth if GAME.to_move(position) else worth
        assert (best.value, best.is_proved) == (mine, True), GAME.encode(position)


@pytest.mark.long
def test_rows_added_side_by_side_are_the_network() -> None:
    rng = Random(4)
    rows = [[rng.randrange(-2000, 2000) for _ in range(HIDDEN + 1)] for _ in range(FEATURES)]
    first = [rng.randrange(-2000, 2000) for _ in range(HIDDEN + 1)]
    units = [rng.randrange(-300, 300) for _ in range(HIDDEN)]
    network = read_network(write_network(rows, first, units))
    for _, state in states(4, 60):
        found = features(state)
        sums = [start + sum(rows[each][n] for each in found) for n, start in enumerate(first)]
        result = SCALE * sums.pop()
        result += sum(unit * max(0, each) for unit, each in zip(units, sums, strict=True))
        wanted = 1 / (1 + exp(max(-30.0, min(30.0, -result / SCALE**2))))
        assert network.value(found) == pytest.approx(wanted, abs=1e-8)


def test_no_feature_is_told_twice() -> None:
    for _, state in states(5, 60):
        found = features(state)
        assert len(set(found)) == len(found)
        assert 0 <= min(found) <= max(found) < FEATURES
