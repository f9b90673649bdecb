"""Points, tie-breaks and places of a tournament as gacrux reckons them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json

from bot.tournaments.domain.crosstable import TieBreak


def places_of_gacrux(
    text: str, order: tuple[TieBreak, ...], *, fixed: bool = False
) -> dict[int, Any]:
    """The answer of gacrux: by number, the rank and the values."""
    reader = trf2json()
    reader.parse_file(text, 0)
    assert reader.get_status() == 0
    tournament = reader.get_tournament(1)
    tournament["rankOrder"] = []
    parameters = {
        "tiebreak": [each.value for each in order],
        "is_rr": fixed,
        "swiss": not fixed,
        "pre_determined": fixed,
        "unrated": None,
        "experimental": [],
        "verbose": 0,
        "check": 0,
        "current_round": -1,
    }
    found = tiebreak(tournament, -1, parameters).compute_tiebreaks(tournament, parameters)
    return {
        each["cid"]: (each["rank"], [Fraction(str(value)) for value in each["tiebreakScore"]])
        for each in found["competitors"]
    }
