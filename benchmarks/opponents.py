"""The cost of computer opponents to other players, and their speed.

- A pool with one worker is kept thinking; the event loop beside it must be as free as without.
- Two people play in a bot beside which a worker is kept thinking at the top level. The cost of a
  move for the bot's process is compared with that without a worker, in blocks that take turns.
- The time from ``/play`` until the computer has made the first move, with no worker started yet,
  and with one. No bound: it is mostly the start of a process.
- The time from a player's move until the board shows the computer's answer, for every game and
  every level on its usual board: at most ten seconds at the top and one below it. At a table of
  four, three computers move. The machine must be idle: on a busy one, the processor time of the bot
  and its worker, which is printed too, shows the time of an idle one.
- The most memory that a worker needs for a question at the top level for each game, on its
  largest board.
- Positions a CPU second of each game's search, beside OpenSpiel's tree search with random games on
  Hex 11x11. Their nodes are different things (docs/engines.md), so this has no bound either. It
  is left out where OpenSpiel is not installed.

Ends with an error if a bound is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import psutil

from benchmarks.move import LAST, cost_of_moves, people, quiet, requests_of_a_move
from benchmarks.played import Served, begin, served
from benchmarks.tournaments import lag_of
from bot.computers.domain.questions import Question
from bot.computers.thinking.pool import WorkerPool
from engines.catalog import engine_for
from games import catalog
from playground.forms import all_text
from playground.person import Person

try:
    import pyspiel
except ImportError:
    pyspiel = None

RESULTS = Path(__file__).parent / "results" / "opponents.json"
MOST_LAG = 5.0
"""The additional lag of the loop in milliseconds at p99 while the pool thinks."""
MOST_COST = 1.1
MOST_MEMORY = 200.0
"""MiB of a worker."""
REFERENCE = "Hex 11x11, OpenSpiel MCTS"
MOST_SECONDS = 1.0
"""For an answer of any level but the top."""
MOST_AT_TOP = 10.0
LARGEST: dict[str, dict[str, Any]] = {
    "quax": {"size": 15},
    "quux": {"size": 6},
    "ziggurat": {},
    "pux": {},
    "pythagoras": {},
}
"""The largest board of each game."""
MEASURED: dict[str, dict[str, Any]] = {**LARGEST, "quax": {"size": 11, "pie": "off"}}
_BLOCK = 5
"""Moves a block."""
_ANSWERS = 3
"""Moves that are answered in each match."""
_START = 1.0
"""Seconds in which a worker starts and begins to think."""


def question(game: str, options: dict[str, Any], level: int, seed: int) -> Question:
    """The question to a computer at the beginning of a game, after two moves."""
    rules = catalog.create(game, options)
    rng = Random(seed)
    position = rules.initial(rng)
    for _ in range(2):
        position = rules.play(position, rng.choice(list(rules.legal_moves(position))))
    return Question(game, rules.options, rules.encode(position), level, seed, 2)


def top_of(game: str, options: dict[str, Any]) -> int:
    """The number of the strongest level."""
    return len(engine_for(catalog.create(game, options)).levels)


@asynccontextmanager
async def thinking() -> AsyncIterator[None]:
    """A pool whose worker thinks at the top level all the time."""
    pool = WorkerPool(1)
    options = {"size": 15, "pie": "off"}
    top = top_of("quax", options)

    async def think() -> None:
        for seed in count():
            await pool.think(question("quax", options, top, seed))

    task = asyncio.create_task(think())
    try:
        await asyncio.sleep(_START)
        yield
        assert not task.done(), "the pool did not think on"
    finally:
        # Its process ends with it.
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await pool.close()


async def lags(blocks: int, seconds: float) -> tuple[float, float, float]:
    """The lag of the loop in milliseconds at p99: at rest, beside a thinking pool, the difference.

    Each is the median over blocks that take turns.
    """
    found: list[tuple[float, float]] = []
    for _ in range(blocks):
        _, idle, _ = await lag_of(lambda: asyncio.sleep(seconds))
        async with thinking():
            _, busy, _ = await lag_of(lambda: asyncio.sleep(seconds))
        found.append((idle, busy))
    more = statistics.median(busy - idle for idle, busy in found)
    idle, busy = (statistics.median(side) for side in zip(*found, strict=True))
    return idle, busy, more


def workers_of(process: psutil.Process) -> list[psutil.Process]:
    """The computer processes of another one."""
    return [
        each for each in process.children() if "bot.computers.thinking.worker" in each.cmdline()
    ]


@asynccontextmanager
async def third(at: Served) -> AsyncIterator[Person]:
    """Another person."""
    async with await Person.join(at.playground.address, "Cleo") as person:
        yield person


async def costs(pairs: int) -> tuple[float, float, float]:
    """CPU milliseconds of a move with no worker and beside one, and the median ratio.

    The worker belongs to this process: so the measurement is the effect of its thinking on the bot,
    without a computer's moves, which the bot would have to post too.
    """
    found: list[tuple[float, float]] = []
    async with served("bot") as at, people(at) as (one, two):
        match = await begin(one, two, 1)
        each = len(await requests_of_a_move(at, match))
        for seed in range(pairs):
            if match.moves + 2 * _BLOCK > LAST:
                match = await begin(one, two, seed + 2)
                await requests_of_a_move(at, match)
            idle = await cost_of_moves(at, match, each, _BLOCK)
            async with thinking():
                busy = await cost_of_moves(at, match, each, _BLOCK)
            found.append((idle, busy))
    ratio = statistics.median(busy / idle for idle, busy in found)
    idle, busy = (statistics.median(side) for side in zip(*found, strict=True))
    return idle, busy, ratio


async def first_moves() -> tuple[float, float]:
    """Seconds from ``/play`` to the first move of a computer that begins: cold, then warm."""
    found = []
    async with served("bot") as at, third(at) as cleo:
        channel = int(cleo.guild["channels"][0]["id"])
        assert not workers_of(at.process), "there is a worker already"
        for _ in range(2):
            after, began = len(cleo.events), time.perf_counter()
            given = {"game": "quax", "computer": "1", "options": "size 9, pie off", "side": "2"}
            await cleo.wait_answer(await cleo.slash("play", channel, **given))
            await cleo.wait_message(
                lambda m: f"<@{cleo.id}> is to move" in all_text(m), after=after, patience=20
            )
            found.append(time.perf_counter() - began)
    return found[0], found[1]


async def answers(moves: int) -> dict[str, list[tuple[float, float]]]:
    """The most seconds from a move typed in Discord to the board with the answer, level by level.

    With each the most processor time that the bot and its worker took. ``moves`` are made in each
    match, by a player who takes any of the first few suggested.
    """
    found: dict[str, list[tuple[float, float]]] = {}
    rng = Random(1)
    async with served("bot") as at:
        for game in catalog.GAMES:
            found[game] = []
            for level in range(1, top_of(game, {}) + 1):
                # Another person for each match: one person may have two against computers.
                name = f"{game} {level}"
                async with await Person.join(at.playground.address, name) as person:
                    found[game].append(await _slowest(at, person, game, level, moves, rng))
                    await quiet(at)
    return found


async def _slowest(  # noqa: PLR0917 - what a match is
    at: Served, person: Person, game: str, level: int, moves: int, rng: Random
) -> tuple[float, float]:
    """The most seconds that computers take to answer in a new match, and of processor time."""
    channel = int(person.guild["channels"][0]["id"])
    after = len(person.events)
    nonce = await person.slash("play", channel, game=game, computer=str(level), side="1")
    said = all_text(await person.wait_answer(nonce))
    assert "has started" in said, said
    home = int((await _on_turn(person, after))["channel_id"])
    took = []
    for _ in range(moves):
        before = _used(at)
        took.append((await _answer(person, home, rng), _used(at) - before))
    return max(wall for wall, _ in took), max(cpu for _, cpu in took)


def _used(at: Served) -> float:
    """The processor time in seconds of a bot and its workers."""
    times = [each.cpu_times() for each in (at.process, *workers_of(at.process))]
    return float(sum(each.user + each.system for each in times))


async def _on_turn(person: Person, after: int) -> dict[str, Any]:
    """The next board on which it is this person's turn."""
    return await person.wait_message(
        lambda m: f"<@{person.id}> is to move" in all_text(m), after=after, patience=60
    )


async def _answer(person: Person, home: int, rng: Random) -> float:
    """Seconds that a computer takes to answer a move, with both boards posted."""
    _panel, *moves = await person.autocomplete("move", home, "move")
    move = str(rng.choice(moves)["value"])
    after, began = len(person.events), time.perf_counter()
    nonce = await person.slash("move", home, move=move)
    await _on_turn(person, after)
    took = time.perf_counter() - began
    said = all_text(await person.wait_answer(nonce))
    assert "You played" in said, said
    return took


async def memory() -> dict[str, float]:
    """The peak memory in MiB of one worker for each of the games, one after the other."""
    pool = WorkerPool(1)
    found = {}
    try:
        await pool.think(question("quax", {}, 1, 1))
        (process,) = workers_of(psutil.Process())
        for game, options in LARGEST.items():
            asked = question(game, options, top_of(game, options), 1)
            thinking = asyncio.create_task(pool.think(asked))
            sizes = []
            while not thinking.done():
                sizes.append(process.memory_info().rss / 2**20)
                await asyncio.sleep(0.02)
            await thinking
            found[game] = max(sizes)
    finally:
        await pool.close()
    return found


def speeds(seconds: float) -> dict[str, float]:
    """Nodes a CPU second of each game's search, and of the reference."""
    found = {}
    for game, options in MEASURED.items():
        rules = catalog.create(game, options)
        engine = engine_for(rules)
        top = engine.levels[-1].nodes
        position = rules.decode(question(game, options, 1, 1).state)
        nodes = max(1, top // 50)
        while True:
            began = time.process_time()
            engine.value(position, replace(engine.levels[-1], nodes=nodes), 0)
            took = time.process_time() - began
            if took > seconds or nodes >= top:
                break
            nodes *= 2
        found[game] = nodes / took
    if pyspiel is not None:
        found[REFERENCE] = open_spiel(seconds)
    return found


def open_spiel(seconds: float) -> float:
    """Simulations a CPU second of OpenSpiel's tree search in C++, one random game each."""
    game = pyspiel.load_game("hex(board_size=11)")
    state = game.new_initial_state()
    nodes = 500
    while True:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, nodes, 1000, True, 1, False)
        began = time.process_time()
        bot.step(state)
        took = time.process_time() - began
        if took > seconds:
            return nodes / took
        nodes *= 2


async def measure(blocks: int, pairs: int, seconds: float) -> dict[str, Any]:
    """Everything, one after the other."""
    idle_lag, busy_lag, more = await lags(blocks, seconds)
    idle, thinking, ratio = await costs(pairs)
    cold, warm = await first_moves()
    waits = await answers(_ANSWERS)
    needed = await memory()
    return {
        "idle_lag_ms": idle_lag,
        "lag_ms": busy_lag,
        "more_lag_ms": more,
        "idle_move_ms": idle,
        "move_ms": thinking,
        "move_ratio": ratio,
        "first_move_cold_seconds": cold,
        "first_move_warm_seconds": warm,
        "answer_seconds": max(most for levels in waits.values() for most, _ in levels[:-1]),
        "answer_cpu_seconds": max(cpu for levels in waits.values() for _, cpu in levels[:-1]),
        "answer_at_top_seconds": max(levels[-1][0] for levels in waits.values()),
        "answer_at_top_cpu_seconds": max(levels[-1][1] for levels in waits.values()),
        "answer_seconds_by_level": {
            f"{game} {level}": most
            for game, levels in waits.items()
            for level, (most, _) in enumerate(levels, 1)
        },
        "worker_mib": max(needed.values()),
        "worker_mib_after": needed,
        "nodes_a_second": speeds(seconds),
    }


def missed(found: dict[str, Any]) -> Sequence[str]:
    """The bounds that do not hold."""
    bounds = {
        "more_lag_ms": MOST_LAG,
        "move_ratio": MOST_COST,
        "answer_seconds": MOST_SECONDS,
        "answer_at_top_seconds": MOST_AT_TOP,
        "worker_mib": MOST_MEMORY,
    }
    return [f"{name} is above {most:.4g}" for name, most in bounds.items() if found[name] > most]


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=7, help="of lag, each idle and busy")
    parser.add_argument("--pairs", type=int, default=12, help="blocks of moves, each idle and busy")
    parser.add_argument("--seconds", type=float, default=2.0, help="a block of lag, and a search")
    given = parser.parse_args()
    found = asyncio.run(measure(given.blocks, given.pairs, given.seconds))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")
    for name, value in found.items():
        rows = (
            {name: value}
            if isinstance(value, float)
            else {f"  {name}, {each}": number for each, number in value.items()}
        )
        for label, number in rows.items():
            print(f"{label:<48}{number:12.3f}")
    if pyspiel is None:
        print(f"  {REFERENCE}: left out, OpenSpiel is not installed (`make bench` installs it)")
    if failures := missed(found):
        sys.exit("; ".join(failures))


if __name__ == "__main__":
    main()
