"""Called as bbpPairings is, and pairs as Parlour does: ``--dutch REPORT -p ANSWER``."""

from __future__ import annotations

import sys
from pathlib import Path

from bot.tournaments.domain.trf import read_trf
from bot.tournaments.swiss.worker import pair


def main(system: str, report: str, doing: str, answer: str) -> None:
    """Answer in the words of bbpPairings."""
    assert (system, doing) == ("--dutch", "-p")
    text = Path(report).read_text(encoding="ascii")
    found = pair(text, read_trf(text).paired + 1)
    pairs = [*found["pairs"], *([[found["bye"], 0]] if found["bye"] else [])]
    lines = [str(len(pairs)), *(f"{first} {second}" for first, second in pairs)]
    Path(answer).write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
