"""Whom an open offer is for and how long it stands: fields of ``/play`` and lines of its menus."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.bands import Around, Band, read_band, write_band
from bot.domain.clock_text import write_duration
from bot.domain.lasting import OFFERED, read_lasting
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.clocks import duration
from bot.ui.options import Suggestion
from bot.ui.parts import Option
from bot.ui.words import cut

_AROUND = (Around(100), Around(200), Around(400))
_FIXED = (Band(1500, None), Band(None, 1500))


def band_for(text: str, rating: int) -> Band | None:
    """The band that somebody with that rating asks for; None where it is for everybody.

    Raises :exc:`~bot.errors.UserError` (``band_unclear``, ``band_range``).
    """
    found = read_band(text)
    return found.of(rating) if isinstance(found, Around) else found


def _label(band: Band | Around | None, language: Language) -> str:
    if band is None:
        return language.say("For all ratings")
    return language.say("Rating range: {band}", band=str(band))


def band_options(chosen: str, rating: int | None, language: Language) -> list[Option]:
    """The lines of the menu: everybody, some bands around one's own rating, and the chosen one.

    ``rating`` is one's own, so that they say what they come to.
    """
    now = read_band(chosen)
    lines = []
    for band in dict.fromkeys((None, *_AROUND, now)):
        note = str(band.of(rating)) if isinstance(band, Around) and rating is not None else None
        lines.append(Option(write_band(band), _label(band, language), note, chosen=band == now))
    return lines


def lasting_options(chosen: timedelta, usual: timedelta, language: Language) -> list[Option]:
    """The lines of the menu of how long an offer stands."""
    return [
        Option(
            write_duration(time),
            language.say("Expires after {time}", time=duration(time, language)),
            chosen=time == chosen,
        )
        for time in sorted({*OFFERED, usual, chosen})
    ]


def suggest_bands(typed: str, language: Language) -> list[Suggestion]:
    """What has been typed, if it is a band, and some that one may want."""
    offered: list[Band | Around | None] = [*_AROUND, *_FIXED, None]
    if typed.strip():
        try:
            offered.insert(0, read_band(typed))
        except UserError:
            wanted = typed.strip().casefold()
            offered = [band for band in offered if wanted in write_band(band)]
    return [
        Suggestion(cut(_label(band, language), 100), write_band(band))
        for band in dict.fromkeys(offered)
    ]


def suggest_lasting(typed: str, usual: timedelta, language: Language) -> list[Suggestion]:
    """What has been typed, if it is a length of time, and some that one may want."""
    offered = sorted({*OFFERED, usual})
    if typed.strip():
        try:
            offered.insert(0, read_lasting(typed, usual))
        except UserError:
            wanted = typed.strip().casefold()
            offered = [time for time in offered if wanted in write_duration(time)]
    return [
        Suggestion(cut(duration(time, language), 100), write_duration(time))
        for time in dict.fromkeys(offered)
    ]
