"""All formats. A new one is a module here, and a key with its ready-made event in ``setup``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

from bot.tournaments.domain import formats
from bot.tournaments.domain.crosstable import Placing
from bot.tournaments.domain.formats.base import REGISTERED, Format
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import EntrantStatus, Tournament

for _module in iter_modules(formats.__path__):
    import_module(f"{formats.__name__}.{_module.name}")
FORMATS: Mapping[FormatKey, Format] = REGISTERED
"""Each format by its key."""


def placings(t: Tournament) -> tuple[Placing, ...]:
    """The places of an event, best first in each division.

    Excluded players come last, so that they win nothing. Players who left without a game or a point
    have no place. A ladder has rungs instead, held only by players in it.
    """
    found = FORMATS[t.setup.format].places(t)
    if t.setup.format is FormatKey.LADDER:
        return found
    placed: list[Placing] = []
    for division in dict.fromkeys(each.division for each in found):
        placed += _in_division(t, [each for each in found if each.division == division])
    return tuple(placed)


def _in_division(t: Tournament, found: Sequence[Placing]) -> list[Placing]:
    entrants = {each.number: t.entrants[each.number - 1] for each in found}
    there = [
        each
        for each in found
        if entrants[each.number].is_active or each.points or t.of_entrant(each.number)
    ]
    out = [x for x in there if entrants[x.number].standing is EntrantStatus.EXCLUDED]
    kept = [each for each in there if each not in out]
    ahead = [each.rank for each in found if each not in kept]
    moved = [
        replace(each, rank=each.rank - sum(rank < each.rank for rank in ahead)) for each in kept
    ]
    last = len(kept) + 1
    return moved + [replace(each, rank=last + place) for place, each in enumerate(out)]
