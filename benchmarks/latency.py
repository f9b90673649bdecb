"""Waiting times at twenty moves a second, next to a bot that does nothing but answer.

Two people play many matches at once; every twentieth of a second one of them moves in the next
match. It measures the delays from the playground's interaction to the bot's first answer, and the
lag of Parlour's event loop meanwhile. The reference (``bare_bot.py``) gets the same interactions at
the same rate, in the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import statistics
import sys
import time
from pathlib import Path
from random import Random
from urllib.request import urlopen

from benchmarks.move import people, put_picture
from benchmarks.played import Played, Served, begin, served

RESULTS = Path(__file__).parent / "results" / "latency.json"
MOST_P99 = 1.0
"""Seconds to a first answer, comfortably below Discord's three."""


async def _play(at: Served, matches: list[Played], seconds: float, rate: float) -> dict[str, float]:
    """Move in one match after another at a steady rate; returns the delays in milliseconds."""
    at.requests.delays.clear()
    begun, made = time.perf_counter(), 0
    while (gone := time.perf_counter() - begun) < seconds:
        if made > gone * rate:
            await asyncio.sleep(made / rate - gone)
        match = matches[made % len(matches)]
        if not match.is_over:
            await match.move()
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
        start = len(ours.pictures())
        found = {"parlour": await _play(ours, matches, seconds, rate)}
        found["parlour"]["loop_lag_ms"] = await asyncio.to_thread(_lag, port)
        with put_picture(ours.pictures()[start:]) as (picture, _):
            async with (
                served("benchmarks.bare_bot", "{address}", "{token}", picture) as bare,
                people(bare) as (three, four),
            ):
                channel = int(three.guild["channels"][0]["id"])
                mirrors = [Played((three, four), channel, Random(s)) for s in range(at_once)]
                found["bare"] = await _play(bare, mirrors, seconds, rate)
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
    if found["parlour"]["p99_ms"] > MOST_P99 * 1000:
        sys.exit(f"the 99th percentile is above {MOST_P99} s")


if __name__ == "__main__":
    main()
