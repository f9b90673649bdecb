"""Whom an open offer is for and how long it stands: fields of ``/play`` and lines of its menus."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.clock_text import OFFERED, parse_offer_expiry, write_duration
from bot.domain.rating_range import Around, RatingRange, format_rating_range, parse_rating_range
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.pages.clock_text import duration
from bot.ui.pages.components import Option, Suggestion
from bot.ui.pages.match_text import cut
from bot.ui.pages.typed_times import in_letters

_AROUND = (Around(100), Around(200), Around(400))
_FIXED = (RatingRange(1500, None), RatingRange(None, 1500))


def band_for(text: str, rating: int) -> RatingRange | None:
    """The band that a player with that rating asks for; None where it is for everybody.

    Raises :exc:`~bot.errors.UserError` (``band_unclear``, ``band_range``).
    """
    found = parse_rating_range(text)
    return found.of(rating) if isinstance(found, Around) else found


def _label(band: RatingRange | Around | None, language: Language) -> str:
    if band is None:
        return language.say("For all ratings")
    return language.say("Rating range: {band}", band=str(band))


def band_options(chosen: str, rating: int | None, language: Language) -> list[Option]:
    """The lines of the menu: everybody, some bands around one's own rating, and the chosen one.

    ``rating`` is one's own, so that they say what they come to.
    """
    now = parse_rating_range(chosen)
    lines = []
    for band in dict.fromkeys((None, *_AROUND, now)):
        note = str(band.of(rating)) if isinstance(band, Around) and rating is not None else None
        lines.append(
            Option(format_rating_range(band), _label(band, language), note, chosen=band == now)
        )
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
    offered: list[RatingRange | Around | None] = [*_AROUND, *_FIXED, None]
    if typed.strip():
        try:
            offered.insert(0, parse_rating_range(typed))
        except UserError:
            wanted = typed.strip().casefold()
            offered = [band for band in offered if wanted in format_rating_range(band)]
    return [
        Suggestion(cut(_label(band, language), 100), format_rating_range(band))
        for band in dict.fromkeys(offered)
    ]


def suggest_lasting(typed: str, usual: timedelta, language: Language) -> list[Suggestion]:
    """What has been typed, if it is a length of time, and some that one may want."""
    offered = sorted({*OFFERED, usual})
    if typed.strip():
        try:
            offered.insert(0, parse_offer_expiry(in_letters(typed, language), usual))
        except UserError:
            wanted = typed.strip().casefold()
            offered = [
                time
                for time in offered
                if wanted in write_duration(time) or wanted in duration(time, language).casefold()
            ]
    return [
        Suggestion(cut(duration(time, language), 100), write_duration(time))
        for time in dict.fromkeys(offered)
    ]
