"""Promises of every engine, for all games and options.

``PARLOUR_ENGINE_GAMES=N`` plays so many games under each set of options.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from engines.api import Level
from engines.catalog import ENGINES, engine_for
from engines.pie import is_cut, swap_of
from engines.references import Uct
from engines.shell import EngineShell
from games import catalog
from games.api import ChoiceOption, Game, IntOption
from tests.sixth_game import Rows

GAMES = int(os.environ.get("PARLOUR_ENGINE_GAMES", "1"))
"""So many games are played under each set of options."""
QUICK = Level(4, 6)
KEYS = sorted(catalog.GAMES)


def offered(key: str) -> list[dict[str, Any]]:
    """All combinations of offered options."""
    lists = [
        [choice.key for choice in option.choices]
        if isinstance(option, ChoiceOption)
        else list(option.suggested)
        for option in catalog.GAMES[key].info.options
    ]
    names = [option.key for option in catalog.GAMES[key].info.options]
    return [dict(zip(names, values, strict=True)) for values in product(*lists)]


def usual(key: str) -> dict[str, Any]:
    """The options to play with; the least numbers where the general engine does, slow as it is."""
    numbers = (each for each in catalog.GAMES[key].info.options if isinstance(each, IntOption))
    return {} if key in ENGINES else {each.key: min(each.suggested) for each in numbers}


def small_first(key: str) -> list[dict[str, Any]]:
    return sorted(
        offered(key), key=lambda options: usual(key).items() <= options.items(), reverse=True
    )


CASES = [
    pytest.param(key, options, marks=pytest.mark.long if n > (3 if key in ENGINES else 0) else ())
    for key in KEYS
    for n, options in enumerate(small_first(key))
]


def test_the_engine_of_every_game_has_six_levels_at_least() -> None:
    assert set(ENGINES) <= set(KEYS)
    for key in KEYS:
        levels = engine_for(catalog.create(key)).levels
        assert len(levels) >= 6
        assert [level.number for level in levels] == list(range(1, len(levels) + 1))
        if key in ENGINES:
            assert [level.oversights is None for level in levels[:3]] == [False, False, True]
        assert [level.nodes for level in levels] == sorted(level.nodes for level in levels)


def play(game: Game[Any, Any], seed: int, *, nodes: int, every: int, most: int) -> int:
    """Play a game, one move in ``every`` by the engine at all levels in turn, the others at random.

    Answers how many plies it had. Each move of the engine has to be legal.
    """
    engine, rng = engine_for(game), Random(f"{game.info.key} {dict(game.options)} {seed}")
    levels = [replace(each, nodes=min(each.nodes, nodes)) for each in engine.levels]
    position = game.initial(rng)
    plies = 0
    while game.outcome(position) is None and plies < most:
        moves = list(game.legal_moves(position))
        if plies < 3 or plies % every == 0:
            move = engine.choose(position, levels[plies % len(levels)], plies)
            assert move in moves, (seed, game.encode(position), move)
        else:
            move = rng.choice(moves)
        position = game.play(position, move)
        plies += 1
    return plies


@pytest.mark.parametrize(("key", "options"), CASES)
def test_every_move_is_legal_to_the_end(key: str, options: dict[str, Any]) -> None:
    """On a small budget, in a short game; ``PARLOUR_ENGINE_GAMES`` adds whole ones of all kinds."""
    game = catalog.create(key, options)
    # One move in five is the engine's: games of the largest boards are long.
    assert play(game, 0, nodes=4, every=5, most=90) > 4
    for seed in range(1, GAMES):
        rng = Random(seed)
        assert play(
            game, seed, nodes=rng.choice((1, 4, 20)), every=rng.choice((1, 2, 5)), most=2000
        )


@pytest.mark.parametrize(("key", "options"), CASES)
def test_what_is_said_of_a_position_can_be_played(key: str, options: dict[str, Any]) -> None:
    """Searches name legal moves only, each once, and plain UCT ends at any of them."""
    game = catalog.create(key, options)
    engine, uct = engine_for(game), Uct(engine_for(game).board)
    for seed in range(GAMES):
        rng = Random(f"{key} {options} {seed}")
        position = game.initial(rng)
        for _ in range(rng.randrange(1, 150)):
            if game.outcome(position) is None:
                move = rng.choice(list(game.legal_moves(position)))
                before, position = position, game.play(position, move)
        if game.outcome(position) is not None:
            position = before
        legal = {game.notation(position, each) for each in game.legal_moves(position)}
        said = [each.move for each in engine.analyse(position, 8, seed)]
        assert said
        assert len(set(said)) == len(said)
        assert set(said) <= legal, (seed, game.encode(position))
        if swap_of(game, position) is None:
            tried = [each.move for each in uct.candidates(position, 5, rng)]
            assert {game.notation(position, each) for each in tried} <= legal


@pytest.mark.long
@pytest.mark.parametrize("key", KEYS)
def test_the_same_seed_gives_the_same_move_and_another_may_not(key: str) -> None:
    game = catalog.create(key, usual(key))
    start = game.initial(Random(1))
    position = game.play(start, next(iter(game.legal_moves(start))))
    level = Level(1, 5, slips=0.5, margin=0.5)
    first = [engine_for(game).choose(position, level, seed) for seed in range(12)]
    assert first == [engine_for(game).choose(position, level, seed) for seed in range(12)]
    assert len(set(first)) > 3


@pytest.mark.long
def test_moves_do_not_depend_on_the_process() -> None:
    """Hashes of texts differ from process to process; moves must not."""
    lines = [
        line
        for key in KEYS
        for options in [" ".join(f"{name}={value}" for name, value in usual(key).items())]
        for line in (f"new {key} {options}", "go nodes=3 seed=3", "analyse nodes=2 seed=5")
    ]
    there = subprocess.run(
        [sys.executable, "-m", "engines", "shell"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
        env={
            "PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2",
            "PYTHONWARNINGS": "error",
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
    ).stdout.splitlines()
    shell = EngineShell()
    assert there == [shell.answer(line) for line in lines]
    assert sum(each.startswith("= ") for each in there) == 3 * len(KEYS)


@pytest.mark.parametrize("level", range(1, 8))
@pytest.mark.parametrize(
    ("key", "options", "text", "wins"),
    [
        ("quax", {"size": 5}, "5/5/xxxx1/5/uuuu1 x - ", {"e3"}),
        ("quax", {"size": 3}, "3/uxx/xuu x -", {"a1b2"}),
        ("quux", {}, "4/L,l,1,l/L,1,l,1/L,3 W 222 222 p", {"La4", "Ma4", "Sa4"}),
        ("ziggurat", {}, "Q,5/6/6/6/6/3,w,1,q S -|d DW|w", {"a6^"}),
        ("pux", {}, "8/8/8/3x4/3W4/3w4/8/8 w -", {"d4:d5"}),
    ],
)
def test_takes_a_win_in_one(
    key: str, options: dict[str, Any], text: str, wins: set[str], level: int
) -> None:
    game = catalog.create(key, options)
    engine = engine_for(game)
    if level > len(engine.levels):
        return
    position = game.decode(text.strip())
    for seed in range(3):
        move = engine.choose(position, _bounded(engine.level(level)), seed)
        after = game.play(position, move)
        assert game.outcome(after) is not None, game.notation(position, move)
        assert game.notation(position, move) in wins


@pytest.mark.parametrize("level", range(3, 8))
@pytest.mark.parametrize(
    ("key", "options", "text", "stops"),
    [
        ("quax", {"size": 5}, "5/5/xxxx1/5/uuu2 u -", {"e3"}),
        ("quux", {}, "4/L,l,1,l/L,1,l,1/L,3 B 222 222 p", None),
    ],
)
def test_stops_a_loss_in_one(
    key: str, options: dict[str, Any], text: str, stops: set[str] | None, level: int
) -> None:
    game = catalog.create(key, options)
    engine = engine_for(game)
    if level > len(engine.levels):
        return
    position = game.decode(text)
    for seed in range(3):
        move = engine.choose(position, _bounded(engine.level(level)), seed)
        assert stops is None or game.notation(position, move) in stops
        after = game.play(position, move)
        mover = game.to_move(position)
        for reply in game.legal_moves(after):
            outcome = game.outcome(game.play(after, reply))
            assert outcome is None or outcome.winners in ((), (mover,))


def _bounded(level: Level) -> Level:
    return replace(level, nodes=min(level.nodes, 1500))


@pytest.mark.long
@pytest.mark.parametrize("key", ["quux", "ziggurat", "pux"])
def test_no_level_takes_a_draw_at_the_beginning(key: str) -> None:
    game = catalog.create(key)
    engine = engine_for(game)
    for level in engine.levels:
        bounded = replace(level, nodes=min(level.nodes, 300))
        position = game.initial(Random(1))
        for ply in range(4):
            position = game.play(position, engine.choose(position, bounded, ply))
        for on_move in (True, False):
            assert not engine.accepts_draw(position, bounded, 1, plies=4, on_move=on_move)


def test_a_position_that_is_over_has_no_move() -> None:
    game = catalog.create("quax", {"size": 3})
    with pytest.raises(ValueError, match="over"):
        engine_for(game).choose(game.decode("3/3/xxx u -"), QUICK, 1)
    with pytest.raises(ValueError, match="1 to 6"):
        engine_for(game).level(8)


def test_swaps_a_strong_first_stone_and_keeps_the_second_side_after_a_weak_one() -> None:
    # On 4x4 the middle wins for the player who dropped there, all else loses (A6 of the page).
    game = catalog.create("quax", {"size": 4})
    engine = engine_for(game)
    start = game.initial(Random(1))
    level = Level(6, 150)
    for name, is_strong in (("b2", True), ("c3", True), ("a1", False), ("d4", False)):
        position = game.play(start, game.parse(start, name))
        swaps = engine.choose(position, level, 1) == swap_of(game, position)
        assert swaps is is_strong, name


def test_the_first_stone_is_even_rather_than_strong_where_it_may_be_swapped() -> None:
    game = catalog.create("quax", {"size": 7})
    start = game.initial(Random(1))
    assert is_cut(game, start)
    openings = {
        game.notation(start, engine_for(game).choose(start, Level(6, 240), seed))
        for seed in range(8)
    }
    assert len(openings) > 3
    middle = {file + rank for file in "cde" for rank in "345"}
    assert "d4" not in openings
    assert len(openings & middle) < len(openings) / 2


def test_manners() -> None:
    game = catalog.create("pux")
    engine = engine_for(game)
    level = Level(5, 400)
    lost = game.decode("8/8/1X1X4/8/8/1XXX4/8/w7 w - ")
    won = game.decode("8/8/1X1X4/8/8/1XXX4/8/w7 x - ")
    assert not engine.accepts_draw(won, level, 1, plies=90)
    assert engine.accepts_draw(lost, level, 1, plies=10)
    assert not engine.decide(game.initial(Random(1)), level, 1, plies=10).offers_draw
    quax = catalog.create("quax", {"size": 5, "pie": "off"})
    hopeless = quax.decode("xxxx1/5/xxxx1/5/uuuu1 u -")
    strong = engine_for(quax)
    assert not strong.decide(hopeless, Level(2, 100), 1).resigns
    assert not strong.decide(quax.initial(Random(1)), Level(6, 50), 1).resigns
    assert not strong.accepts_draw(hopeless, Level(6, 100), 1, plies=90)  # Quax knows no draw
    decision = strong.decide(hopeless, Level(6, 100), 1)
    assert decision.resigns
    assert not decision.offers_draw
    assert decision.move == strong.choose(hopeless, Level(6, 100), 1)
    forced = engine.decide(game.decode("w7/8/8/8/8/8/8/7x w w"), level, 1)
    assert game.notation(won, forced.move) == "pass"
    four = catalog.create("pythagoras")
    assert not engine_for(four).decide(four.initial(Random(1)), QUICK, 1).resigns


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"pie": "on"}, {"players": 3, "size": 4}])
def test_a_game_without_a_package_of_its_own_gets_a_fair_opponent(options: dict[str, Any]) -> None:
    game = Rows(options)
    engine = engine_for(game)
    assert len(engine.levels) >= 6
    rng, score, played = Random(1), 0.0, 10
    for number in range(played):
        position = game.initial(rng)
        me = number % len(game.seats)
        while (outcome := game.outcome(position)) is None:
            seat = game.to_move(position)
            assert seat is not None
            if game.seating(position)[seat] == me:
                move = engine.choose(position, engine.level(4), number)
            else:
                move = rng.choice(list(game.legal_moves(position)))
            position = game.play(position, move)
        seating = game.seating(position)
        winners = [seating[seat] for seat in outcome.winners]
        score += (me in winners) + 0.5 * (not winners)
    assert score >= 0.8 * played


def test_the_general_engine_swaps_by_the_rules_alone() -> None:
    game = Rows({"pie": "on"})
    start = game.initial(Random(1))
    assert swap_of(game, start) is None
    assert is_cut(game, start)
    assert swap_of(game, game.play(start, "b2")) == "swap"
