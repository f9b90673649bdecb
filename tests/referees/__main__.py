"""Hold ``python -m games shell`` against independent referees (``make referee``)."""

from __future__ import annotations

import argparse
import sys
import time

from tests.referees import REFEREES
from tests.referees.match import Disagreement, Tally, compare


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="keys of games (all)")
    parser.add_argument("--plies", type=int, default=1_000_000, help="plies a game (1000000)")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    unknown = set(chosen.games) - set(REFEREES)
    if unknown:
        parser.error(f"no such game: {', '.join(sorted(unknown))}")
    failed = 0
    for key in chosen.games or REFEREES:
        began = said = time.monotonic()

        def told(tally: Tally) -> None:
            nonlocal said
            if time.monotonic() > said + 60:
                said = time.monotonic()
                print(f"  {key}: {tally.plies:,} plies", file=sys.stderr, flush=True)  # noqa: B023

        try:
            tally = compare(key, chosen.plies, seed=chosen.seed, told=told)
        except Disagreement as found:
            failed += 1
            print(f"{key}: DISAGREEMENT\n{found}", flush=True)
        else:
            seconds = time.monotonic() - began
            print(f"{key}: agreed on {tally}; {tally.plies / seconds:,.0f} plies/s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
