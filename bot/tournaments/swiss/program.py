"""Another pairing program instead of gacrux: any with the command line of bbpPairings 6.

``PROGRAM --dutch REPORT -p ANSWER`` reads a report of 2026 (TRF) up to the round before and writes
the number of pairs, then a pair a line, ``0`` for no opponent; exit code 1 says that the rules
allow none. A foreign program may fail in any way, so each call has a folder of its own, an empty
environment, and limits on time, memory and output; the process that started this one ends its whole
group. Run as ``python -m bot.tournaments.swiss.program PROGRAM``, with the requests and answers of
:mod:`bot.tournaments.swiss.worker`.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_SECONDS = 50
"""Less than the patience of the waiting process, so that the folder is deleted, too."""
_MEMORY = 1 << 30
_WRITTEN = 1 << 20
"""Bytes of the largest file, of which a pairing of 256 players takes a thousandth."""
_NONE = 1
_SAID = 200
"""Characters of its output that are passed on."""


def pair(program: str, trf: str) -> dict[str, Any]:
    """Pair one round. Raises :exc:`ValueError` for an invalid answer."""
    with tempfile.TemporaryDirectory(prefix="parlour-pairing-") as place:
        folder = Path(place)
        report, answer, said = folder / "report.trf", folder / "answer.txt", folder / "said.txt"
        report.write_text(trf, encoding="ascii")
        with said.open("wb") as words:
            ended = subprocess.run(  # noqa: S603 - the host's choice
                (program, "--dutch", str(report), "-p", str(answer)),
                cwd=folder,
                env={"PATH": os.environ.get("PATH", os.defpath)},
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=words,
                timeout=_SECONDS,
                preexec_fn=_limit,  # There is one thread here.
                check=False,
            ).returncode
        if ended == _NONE:
            return {"none": _last_of(said) or "the program finds none"}
        if ended != 0:
            raise ValueError(f"{program} ended with {ended}: {_last_of(said)}")
        return _read(answer.read_text(encoding="ascii"))


def _limit() -> None:
    for what, most in (
        (resource.RLIMIT_CPU, _SECONDS),
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_FSIZE, _WRITTEN),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def _last_of(said: Path) -> str:
    text = said.read_text(encoding="utf-8", errors="replace").strip()
    return text.rpartition("\n")[2][:_SAID]


def _read(text: str) -> dict[str, Any]:
    """Its answer; callers check that it is a valid pairing."""
    count, *numbers = map(int, text.split())
    if len(numbers) != 2 * count:
        raise ValueError(f"{count} pairs were to come, and {len(numbers)} numbers came")
    found = list(zip(numbers[::2], numbers[1::2], strict=True))
    alone = [first for first, second in found if second == 0]
    pairs = [[first, second] for first, second in found if second != 0]
    return {"pairs": pairs, "bye": alone[0] if alone else None}


def main(program: str) -> int:
    """Answer the requests on the standard input."""
    asked = json.load(sys.stdin)
    json.dump([pair(program, each["trf"]) for each in asked], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
