"""The cost of a move where several processes share the shards of one bot on one PostgreSQL.

Four pairs play, one in a server of each shard, at a steady rate: beside one process, which is the
reference, and beside four. The two take turns. It counts the processor time of all processes of the
bot and of PostgreSQL while they play, less that of as many idle seconds. Ends with an error if a
move costs more than 1.2 times as much.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from games import catalog
from playground.forms import all_text
from playground.gateway.gateway import GatewayLimits
from playground.person import Person
from playground.server import Playground
from tests.e2e.bot_on_postgres import BotOnPostgres, begin_match, channel_on_each_shard, divided
from tests.support.postgres_of_own import OwnPostgres, own_postgres

RESULTS = Path(__file__).parent / "results" / "processes.json"
SHARDS = 4
SEVERAL = 4
MOST = 1.2
_QUIET = 15.0
"""Seconds without moves."""
_TICK = os.sysconf("SC_CLK_TCK")


def _processor_time(pids: Iterable[int]) -> float:
    """Processor seconds of these processes, and of their ended children."""
    found = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        found += sum(map(int, fields[11:15]))
    return found / _TICK


def _with_children(pid: int) -> list[int]:
    """A process and its children."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *itertools.chain.from_iterable(_with_children(int(each)) for each in listed)]


class _Pair:
    """Two people in one match that lasts for as many moves as needed."""

    def __init__(self, people: tuple[Person, Person], home: int, seed: int) -> None:
        self._people = people
        self._home = home
        self._rng = Random(seed)
        self._game = catalog.create("quax", {"size": 15, "pie": "off"})
        self._position = self._game.initial(Random(0))

    async def move(self) -> None:
        """Play any move, and wait for its answer."""
        game, position = self._game, self._position
        person = self._people[game.to_move(position) or 0]
        legal = [game.notation(position, each) for each in game.legal_moves(position)]
        move = self._rng.choice([text for text in legal if len(text) < 4])
        nonce = await person.slash("move", self._home, move=move)
        answer = all_text(await person.wait_answer(nonce, patience=20))
        assert f"You played {move}." in answer, answer
        self._position = game.play(position, game.parse(position, move))


@dataclass(frozen=True, slots=True)
class _Cost:
    """Milliseconds of processor time for a move, and for an idle second."""

    move: float
    second: float


async def _cost(server: OwnPostgres, count: int, moves: int, rate: float, folder: Path) -> _Cost:
    """The cost with this many processes."""
    assert server.pid is not None
    database = server.url()
    limits = GatewayLimits(shards=SHARDS, identifies_a_day=1_000_000)
    async with Playground(gateway_limits=limits) as playground:
        couples = [
            (
                await Person.join(playground.address, "Anna"),
                await Person.join(playground.address, "Ben"),
            )
            for _ in range(SHARDS)
        ]
        channels = await channel_on_each_shard(playground, couples)
        processes = [
            await BotOnPostgres.start(playground, Path(f"{folder}-{number}"), database)
            for number in range(count)
        ]
        await divided(processes, SHARDS, patience=120, shares=[SHARDS // count] * count)
        pairs = [
            _Pair(people, await begin_match(*people, channel, size=15), seed)
            for seed, (people, channel) in enumerate(zip(couples, channels, strict=True))
        ]
        for pair in pairs * 2:  # tasks done once, such as reading fonts
            await pair.move()
        await asyncio.sleep(3)
        pids = [pid for each in processes for pid in _with_children(each.child.pid)]

        def spent() -> tuple[float, float]:
            assert server.pid is not None
            return time.perf_counter(), _processor_time([*pids, *_with_children(server.pid)])

        begun, at_first = spent()
        await asyncio.sleep(_QUIET)
        quiet, before = spent()
        for number in range(moves):
            await asyncio.sleep(max(0.0, quiet + number / rate - time.perf_counter()))
            await pairs[number % SHARDS].move()
        await asyncio.sleep(3)
        ended, after = spent()
        for each in processes:
            await each.stop()
        for person in itertools.chain.from_iterable(couples):
            await person.close()
    idle = (before - at_first) / (quiet - begun)
    return _Cost((after - before - idle * (ended - quiet)) / moves * 1000, idle * 1000)


async def measure(moves: int, rate: float, turns: int) -> dict[str, float]:
    """The figures of both, medians of some turns, and the ratio."""
    found: dict[int, list[_Cost]] = {1: [], SEVERAL: []}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(turns):
            for count, costs in found.items():
                async with own_postgres("max_connections=100") as server:
                    place = Path(folder, f"{turn}-{count}")
                    costs.append(await _cost(server, count, moves, rate, place))
    one, several = (statistics.median(each.move for each in costs) for costs in found.values())
    figures = {"moves_a_second": rate, "ratio": round(several / one, 2)}
    for count, costs in found.items():
        figures[f"ms_a_move_{count}"] = round(statistics.median(each.move for each in costs), 1)
        figures[f"ms_an_idle_second_{count}"] = round(
            statistics.median(each.second for each in costs), 1
        )
    return figures


def main() -> int:
    """Measure, store the figures and compare them with the bound."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--moves", type=int, default=200)
    asked.add_argument("--rate", type=float, default=5.0, help="moves a second")
    asked.add_argument("--turns", type=int, default=3)
    given = asked.parse_args()
    figures = asyncio.run(measure(given.moves, given.rate, given.turns))
    print(json.dumps(figures, indent=2))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return int(figures["ratio"] > MOST)


if __name__ == "__main__":
    sys.exit(main())
