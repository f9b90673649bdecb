"""The cost of an accepted move, next to a bot that only makes the same requests.

Both play over the playground, each in a process of its own, whose processor time is read before and
after blocks of moves that take turns. The blocks are short, so that both meet the machine in the
same state; the result is the median over pairs of blocks. Parlour checks the move, stores it
durably, draws the board and sends its messages; the reference (``bare_bot.py``) makes the same
requests with a fixed picture of the mean size of Parlour's. Ends with an error if the ratio is
above the bound, or if the two do not make the same requests.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from random import Random

from benchmarks.played import Played, Served, begin, served
from playground.person import Person

RESULTS = Path(__file__).parent / "results" / "move.json"
MOST = 2.5
FIRST, LAST = 20, 70
"""The moves of a game that count: neither on an empty board nor up to the end."""


async def cost_of_moves(at: Served, match: Played, each: int, moves: int) -> float:
    """CPU milliseconds of a move, each until its last request has been answered."""
    before = at.cpu()
    for _ in range(moves):
        goal = at.requests.answered + each
        await match.move()
        await at.requests.reach(goal)
    return (at.cpu() - before) / moves * 1000


async def requests_of_a_move(at: Served, match: Played) -> list[str]:
    """Play into the middle of a game and record the requests of a move."""
    before = 0
    while match.moves < FIRST:
        before = len(at.requests.seen)
        await match.move()
        await quiet(at)
    return at.requests.seen[before:]


async def quiet(at: Served) -> None:
    """Wait until there have been no requests for a while."""
    asked = -1
    while asked != len(at.requests.seen):
        asked = len(at.requests.seen)
        await asyncio.sleep(0.3)


async def compare(blocks: int, block: int) -> dict[str, float]:
    """CPU milliseconds a move of both, medians over blocks that take turns, and their ratio."""
    async with served("bot") as ours, contextlib.AsyncExitStack() as games:
        match = await _new_game(ours, games, 1)
        wanted = await requests_of_a_move(ours, match)
        each = len(wanted)
        start = len(ours.pictures())
        await cost_of_moves(
            ours, match, each, LAST - FIRST
        )  # a first game for the sizes of its pictures
        with put_picture(ours.pictures()[start:]) as (picture, size):
            async with (
                served("benchmarks.bare_bot", "{address}", "{token}", picture) as bare,
                people(bare) as (three, four),
            ):
                channel = int(three.guild["channels"][0]["id"])
                other = Played((three, four), channel, Random(1))
                made = await requests_of_a_move(bare, other)
                if Counter(made) != Counter(wanted):
                    sys.exit(f"the two do not ask for the same:\n{wanted}\n{made}")
                pairs: list[tuple[float, float]] = []
                sent: list[bytes] = []
                for number in range(blocks):
                    if match.moves + block > LAST:
                        match = await _new_game(ours, games, number)
                        await requests_of_a_move(ours, match)
                        other = Played((three, four), channel, Random(number))
                    start = len(ours.pictures())
                    cost = await cost_of_moves(ours, match, each, block)
                    sent += ours.pictures()[start:]
                    pairs.append((cost, await cost_of_moves(bare, other, each, block)))
    return {
        "requests_a_move": each,
        "parlour_picture_kib": statistics.mean(map(len, sent)) / 1024,
        "bare_picture_kib": size / 1024,
        "parlour_ms": statistics.median(cost for cost, _ in pairs),
        "bare_ms": statistics.median(reference for _, reference in pairs),
        "ratio": statistics.median(cost / reference for cost, reference in pairs),
        "most": MOST,
    }


async def _new_game(at: Served, games: contextlib.AsyncExitStack, seed: int) -> Played:
    """A match of two people who have no other, so that no answer leads to another match."""
    one, two = await games.enter_async_context(people(at))
    return await begin(one, two, seed)


@contextlib.asynccontextmanager
async def people(at: Served) -> AsyncIterator[tuple[Person, Person]]:
    """Two people with windows."""
    address = at.playground.address
    async with await Person.join(address, "Anna") as one, await Person.join(address, "Ben") as two:
        one.patience = two.patience = 60.0  # on a busy machine a start takes its time
        yield one, two


@contextlib.contextmanager
def put_picture(pictures: Sequence[bytes]) -> Iterator[tuple[str, int]]:
    """A file with the picture closest to the mean size; its path, its size in bytes.

    Pictures grow during a game, and so does the cost of sending them.
    """
    mean = statistics.mean(map(len, pictures))
    picture = min(pictures, key=lambda each: abs(len(each) - mean))
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        file.write(picture)
        file.flush()
        yield file.name, len(picture)


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=40)
    parser.add_argument("--block", type=int, default=10, help="moves a block")
    given = parser.parse_args()
    found = asyncio.run(compare(given.blocks, given.block))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")
    width = max(map(len, found))
    for name, value in found.items():
        print(f"{name:<{width}}  {value:8.2f}")
    if found["ratio"] > MOST:
        sys.exit(f"a move costs {found['ratio']:.2f} times the reference, more than {MOST}")


if __name__ == "__main__":
    main()
