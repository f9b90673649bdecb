"""An analysis proves only facts that hold by the rules alone, and lists every legal move."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from engines.api import AnalysedMove
from engines.catalog import engine_for
from engines.pie import swap_of
from games import catalog
from games.api import Game, Seat
from games.search import ForcedWin, Search

_GAMES = int(os.environ.get("PARLOUR_ENGINE_GAMES", "2"))

QUAX = "d4 e5 d5 d6 c4 d6e5 b4 c7 a4 f4 e4 f3 e3 f2 e2 f1 e1 g7 a1"


def analysed(game: Game[Any, Any], position: Any, nodes: int = 60) -> tuple[AnalysedMove, ...]:
    return engine_for(game).analyse(position, nodes, 1)


@pytest.mark.long
def test_every_move_of_a_won_end_is_a_win() -> None:
    game = catalog.create("quax", {"size": 7, "pie": "off"})
    position = game.initial(Random(0))
    for text in QUAX.split():
        position = game.play(position, game.parse(position, text))
    found = analysed(game, position, 800)
    assert {(each.proof, each.value) for each in found} == {("win", 1.0)}
    soonest = {each.move for each in found if each.within == 2}
    assert soonest == ForcedWin(2).moves(game, position)
    assert found[0].move in soonest


def random_line(game: Game[Any, Any], seed: int) -> list[Any]:
    rng = Random(seed)
    line = [game.initial(rng)]
    while game.outcome(line[-1]) is None:
        moves = list(game.legal_moves(line[-1]))
        line.append(game.play(line[-1], rng.choice(moves)))
    return line


def check(game: Game[Any, Any], position: Any) -> int:
    """Hold what is proved of a position against an exhaustive search; how much was proved."""
    seat = game.to_move(position)
    assert seat is not None
    person = game.seating(position)[seat]
    found = analysed(game, position)
    legal = {game.notation(position, move): move for move in game.legal_moves(position)}
    assert {each.move for each in found} == set(legal)
    order = {"win": 0, None: 1, "draw": 1, "loss": 2}
    ranks = [order[each.proof] for each in found]
    assert ranks == sorted(ranks)
    for each in found:
        if each.proof not in ("win", "loss"):
            continue
        then = game.play(position, legal[each.move])
        winner = person if each.proof == "win" else 1 - person
        search = Search(game, Seat(game.seating(then).index(winner)))
        if each.within is None:
            assert search.length(then) is not None, each
        else:
            own = each.within - (each.proof == "win")
            assert search.wins_within(then, own), each
            assert own == 0 or not search.wins_within(then, own - 1), each
            assert each.line[0] == each.move
    return sum(each.proof is not None for each in found)


@pytest.mark.parametrize("seed", range(_GAMES))
@pytest.mark.parametrize("options", [{"size": 3, "pie": "on"}, {"size": 4, "pie": "off"}])
@pytest.mark.long
def test_what_is_proved_in_quax_is_so(options: dict[str, Any], seed: int) -> None:
    game = catalog.create("quax", options)
    line = random_line(game, seed)
    assert sum(check(game, each) for each in line[:-1][-9:]) > 9


@pytest.mark.parametrize("seed", range(_GAMES))
@pytest.mark.parametrize(
    ("key", "options", "plies"), [("pythagoras", {"seats": "2"}, 6), ("quux", {"size": 3}, 3)]
)
def test_what_is_proved_near_the_end_of_other_games_is_so(
    key: str, options: dict[str, Any], plies: int, seed: int
) -> None:
    game = catalog.create(key, options)
    line = random_line(game, seed)
    for position in line[:-1][-plies:]:
        check(game, position)


def test_the_swap_is_worth_what_it_takes_from_the_opponent() -> None:
    game = catalog.create("quax", {"size": 3, "pie": "on"})
    start = game.initial(Random(0))
    first = analysed(game, start)
    assert all(each.proof != "win" for each in first), "the opponent may swap"
    position = game.play(start, game.parse(start, "b2"))
    found = analysed(game, position)
    swap = swap_of(game, position)
    assert found[0].move == game.notation(position, swap)
    assert found[0].proof == "win", "all answers to a stone in the centre lose"


def test_where_a_swap_may_follow_the_most_even_move_is_best_and_a_good_stone_is_taken() -> None:
    game = catalog.create("quax", {"size": 7, "pie": "on"})
    start = game.initial(Random(0))
    first = analysed(game, start)
    values = [each.value for each in first]
    assert values == sorted(values, reverse=True)
    assert max(values) <= 0.5
    after = game.play(start, game.parse(start, "d4"))
    swap = game.notation(after, swap_of(game, after))
    found = analysed(game, after)
    others = [each.value for each in found if each.move != swap]
    (taken,) = [each.value for each in found if each.move == swap]
    assert taken == pytest.approx(1 - others[0])
    assert (found[0].move == swap) is (taken > others[0])
