"""``python -m tests.simulation``: a month, as large as one likes."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.simulation.judge import judge
from tests.simulation.month import Plan, month
from tests.simulation.programme import full_month
from tests.support.databases import empty_postgres, postgres_running


async def _run(plan: Plan, server: Path | None) -> int:
    database = None if server is None else await empty_postgres(server)
    began = time.monotonic()
    # In memory where there is such a folder: a month is many writes, and each waits for the disk.
    memory = Path("/dev/shm")
    place = memory if memory.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="parlour-month-", dir=place) as folder:
        async with month(Path(folder), plan, database) as made:
            await made.run()
            found = await judge(made)
    print(f"{dict(made.counts)}\n{found.facts}\n{time.monotonic() - began:.0f} s")  # noqa: T201
    for held in made.footprints:
        print(*(f"{name} {value}" for name, value in held.items()), sep="  ")  # noqa: T201
    print(f"what was seen: {made.watcher.fingerprint()}")  # noqa: T201
    for each in found.problems[:50]:
        print("WRONG:", each)  # noqa: T201
    print(f"{len(found.problems)} things were wrong; seed {plan.seed}")  # noqa: T201
    return 1 if found.problems else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--days", type=float, default=30.0)
    parser.add_argument("--only", nargs="*", help="hold only the events of these names")
    parser.add_argument("--postgres", action="store_true", help="in a PostgreSQL of its own")
    parser.add_argument(
        "--at-once", type=int, help="keys that the outbox serves together (SQLite 1, PostgreSQL 8)"
    )
    parser.add_argument("--clock-steps", type=int, default=0, help="jumps of the machine's clock")
    chosen = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":
        # The order of sets of words is not to be another one each time.
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.simulation", *sys.argv[1:]])
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    logging.getLogger("month").setLevel(logging.INFO)
    # Of an outage the library tells at length, with tracebacks.
    logging.getLogger("discord").setLevel(logging.CRITICAL)
    programme = tuple(
        tuple(each for each in club if chosen.only is None or each.name in chosen.only)
        for club in full_month(chosen.players)
    )
    plan = Plan(
        chosen.seed,
        chosen.players,
        chosen.matches,
        chosen.days,
        kills=8,
        clock_steps=chosen.clock_steps,
        event_deaths=6,
        at_once=chosen.at_once or (8 if chosen.postgres else 1),
        programme=programme,
    )
    if not chosen.postgres:
        return asyncio.run(_run(plan, None))
    with postgres_running() as server:
        return asyncio.run(_run(plan, server))


if __name__ == "__main__":
    sys.exit(main())
