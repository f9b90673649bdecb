"""The process that pairs: requests come in as JSON, answers go out as JSON, and it ends.

It is the only module that knows gacrux (FIDE Dutch system in force since 1 February 2026), which
computes for seconds, prints, and has no types. So it runs apart: its time, its output and its
faults stay out of the bot. Run as ``python -m bot.tournaments.swiss.worker``.

In: a list of ``{"trf": report up to the round before, "round": number}``. Out: a list of
``{"pairs": [[first, second], ...], "bye": number or null}``, or of ``{"none": why}`` where no
pairing is allowed.
"""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any

from gacrux.gacruxexeptions import GacruxNoLegalPairing
from gacrux.pairingdutch import pairing_dutch
from gacrux.trf2json import trf2json

_PARAMETERS: dict[str, Any] = {"experimental": [], "verbose": 0, "rank": False, "top_color": "w"}


def pair(trf: str, number: int) -> dict[str, Any]:
    """Pair one round. Raises :exc:`ValueError` for a report that gacrux cannot read."""
    reader = trf2json()
    reader.parse_file(trf, 0)
    if reader.get_status() > 400:
        raise ValueError("; ".join(map(str, reader.chessjson["status"]["error"])))
    tournament = reader.get_tournament(1)
    tournament["pairingSystem"] = ["dutch"]
    tournament["maxMeets"] = 1
    try:
        brackets = pairing_dutch(tournament, number, _PARAMETERS).compute_pairing(False)
    except GacruxNoLegalPairing as error:
        return {"none": str(error)}
    found = sorted(
        (each for bracket in brackets for each in bracket["pairs"]), key=lambda each: each["board"]
    )
    games = [each for each in found if each["w"] and each["b"]]
    alone = [each["w"] or each["b"] for each in found if not (each["w"] and each["b"])]
    pairs = [[each["w"], each["b"]] for each in games]
    return {"pairs": pairs, "bye": alone[0] if alone else None}


def main() -> int:
    """Answer the requests on the standard input."""
    asked = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        answers = [pair(each["trf"], each["round"]) for each in asked]
    json.dump(answers, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
