"""Waiting times at twenty moves a second, next to a bot that does nothing but answer.

Two people play many matches at once; every twentieth of a second one of them moves in the next
match. It measures the delays from the playground's interaction to the bot's first answer, and the
lag of Parlour's event loop meanwhile. The reference (``bare_bot.py``) gets the same interactions at
the same rate, in the same run. When a match is over they begin another, so that it also shows what
an hour leaves behind (``--seconds 3600``): the memory, files, connections and threads of Parlour's
process after a tenth of the time and at its end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from urllib.request import urlopen

from benchmarks.move import people, put_picture
from benchmarks.played import Played, Served, begin, served

RESULTS = Path(__file__).parent / "results" / "latency.json"
MOST_P99 = 1.0
"""Seconds to a first answer, comfortably below Discord's three."""
MOST_HELD = 1.5
"""How many times as much a process may hold in the end as at first."""
_HELD = ("memory_mb", "files", "connections", "threads")
_IDLE = 40.0
"""Seconds after which nothing is held any more for what was done before."""
_KEPT_UP = 0.9
_PICTURES = 1000
_REFERENCE = 15.0
"""Seconds of the reference, at most."""


async def _play(
    at: Served,
    matches: list[Played],
    seconds: float,
    rate: float,
    renew: Callable[[int], Awaitable[Played]],
) -> dict[str, float]:
    """Move in one match after another at a steady rate; returns the delays in milliseconds."""
    at.requests.delays.clear()
    begun, made = time.perf_counter(), 0
    beginning: set[int] = set()

    async def begin_anew(place: int) -> None:
        matches[place] = await renew(made)
        beginning.remove(place)

    async with asyncio.TaskGroup() as group:
        while (gone := time.perf_counter() - begun) < seconds:
            # A machine that can't keep up is asked for fewer.
            if made > gone * rate or len(at.requests.sent) >= len(matches):
                await asyncio.sleep(max(made / rate - gone, 0.001))
                continue
            place = made % len(matches)
            if not matches[place].is_over:
                await matches[place].move()
            elif place not in beginning:
                beginning.add(place)
                group.create_task(begin_anew(place))
            if not beginning:
                _forget(at, matches)
            made += 1
    await asyncio.sleep(2)
    delays = sorted(at.requests.delays)
    assert len(delays) >= made * 0.9, "interactions went unanswered"
    return {
        "moves_a_second": made / seconds,
        "p50_ms": statistics.median(delays) * 1000,
        "p99_ms": delays[int(len(delays) * 0.99)] * 1000,
        "worst_ms": delays[-1] * 1000,
    }


def _forget(at: Served, matches: list[Played]) -> None:
    """Have nobody keep an hour of pictures and events."""
    files = at.playground.world.state.files
    while len(files) > _PICTURES:
        del files[next(iter(files))]
    for each in matches[0].people:
        each.events.clear()


async def _held(at: Served, *, after: float) -> dict[str, float]:
    await asyncio.sleep(after)
    return at.held()


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def _lag(port: int) -> float:
    """The worst lag of the last minute, in milliseconds."""
    with urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
        return float(json.load(answer)["loop_lag_seconds"]) * 1000


async def measure(seconds: float, rate: float, at_once: int) -> dict[str, dict[str, float]]:
    """The figures of both bots."""
    port = _free_port()
    eager = {"PARLOUR_COMMANDS_PER_SECOND": "1000", "PARLOUR_COMMANDS_BURST": "1000"}
    async with (
        served("bot", PARLOUR_HEALTH_PORT=str(port), **eager) as ours,
        people(ours) as (one, two),
    ):
        matches = [await begin(one, two, seed) for seed in range(at_once)]
        await asyncio.sleep(2)
        ours.playground.world.state.files.clear()

        alone = asyncio.Lock()  # one offer is like another

        async def another(seed: int) -> Played:
            async with alone:
                return await begin(one, two, seed, {each.home for each in matches})

        first = asyncio.create_task(_held(ours, after=seconds / 10))
        found = {"parlour": await _play(ours, matches, seconds, rate, another)}
        last = await _held(ours, after=_IDLE)
        found["parlour"] |= {f"{each}_at_first": value for each, value in first.result().items()}
        found["parlour"] |= last
        found["parlour"]["loop_lag_ms"] = await asyncio.to_thread(_lag, port)
        with put_picture(ours.pictures()) as (picture, _):
            async with (
                served("benchmarks.bare_bot", "{address}", "{token}", picture) as bare,
                people(bare) as (three, four),
            ):
                channel = int(three.guild["channels"][0]["id"])

                async def mirror(seed: int) -> Played:
                    return Played((three, four), channel, Random(seed))

                mirrors = [await mirror(seed) for seed in range(at_once)]
                shorter = min(seconds, _REFERENCE)
                found["bare"] = await _play(bare, mirrors, shorter, rate, mirror)
    found["ratio"] = {
        key: found["parlour"][key] / found["bare"][key] for key in ("p50_ms", "p99_ms")
    }
    return found


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--rate", type=float, default=20, help="moves a second")
    parser.add_argument("--matches", type=int, default=20)
    given = parser.parse_args()
    found = asyncio.run(measure(given.seconds, given.rate, given.matches))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")
    for name, figures in found.items():
        shown = "  ".join(f"{key} {value:.1f}" for key, value in figures.items())
        print(f"{name:<8}  {shown}")
    ours = found["parlour"]
    if ours["moves_a_second"] < _KEPT_UP * given.rate:
        sys.exit(f"no more than {ours['moves_a_second']:.1f} moves a second were possible")
    if more := [each for each in _HELD if ours[each] > MOST_HELD * ours[f"{each}_at_first"]]:
        sys.exit(f"grew: {', '.join(more)}")
    if found["parlour"]["p99_ms"] > MOST_P99 * 1000:
        sys.exit(f"the 99th percentile is above {MOST_P99} s")


if __name__ == "__main__":
    main()
