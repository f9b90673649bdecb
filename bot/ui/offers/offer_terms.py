"""The terms of an offer: suggestions for the fields of ``/play``."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.clock_text import OFFERED, parse_offer_expiry, write_duration
from bot.domain.computers import OfferedLevel, levels_for
from bot.domain.rating_range import Around, RatingRange, format_rating_range, parse_rating_range
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.pages.clock_text import duration
from bot.ui.pages.components import Option
from bot.ui.pages.typed_times import in_letters
from games.view import Text

AROUND = (Around(100), Around(200), Around(400))
_FIXED = (RatingRange(1500, None), RatingRange(None, 1500))


def band_words(band: RatingRange | Around | None) -> Text:
    """A rating range in a menu."""
    if band is None:
        return Text.of("For all ratings")
    return Text.of("Rating range: {band}", band=str(band))


def suggest_bands(typed: str, language: Language) -> list[Option]:
    """The typed rating range, if it is one, and some others."""
    offered: list[RatingRange | Around | None] = [*AROUND, *_FIXED, None]
    if typed.strip():
        try:
            offered.insert(0, parse_rating_range(typed))
        except UserError:
            wanted = typed.strip().casefold()
            offered = [band for band in offered if wanted in format_rating_range(band)]
    return [
        Option(format_rating_range(band), language(band_words(band)))
        for band in dict.fromkeys(offered)
    ]


def suggest_lasting(typed: str, usual: timedelta, language: Language) -> list[Option]:
    """The typed length of time, if it is one, and some others."""
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
        Option(write_duration(time), duration(time, language)) for time in dict.fromkeys(offered)
    ]


MY_STRENGTH = "0"
"""Stands in place of a level for the one that suits the person."""


def level_words(level: OfferedLevel, language: Language) -> str:
    """A level with its rating, if that was measured."""
    if level.rating is None:
        return language.say("Level {level}", level=level.number)
    return language.say("Level {level} (rating {rating})", level=level.number, rating=level.rating)


def my_strength(level: int, language: Language) -> str:
    """The first level suggested."""
    return language.say("About my strength: level {level}", level=level)


def suggest_levels(
    game: str, typed: str, suggested: int | None, language: Language
) -> list[Option]:
    """Levels that fit what has been typed; the player's own is the first."""
    found = []
    if suggested is not None:
        found.append(Option(MY_STRENGTH, my_strength(suggested, language)))
    found += [Option(str(each.number), level_words(each, language)) for each in levels_for(game)]
    wanted = typed.strip().casefold()
    return [each for each in found if wanted in each.label.casefold() or wanted == each.value]


def read_level(game: str, typed: str) -> int:
    """The level of a text, 0 for the one that suits the player. Raises ``no_such_level``."""
    digits = "".join(character for character in typed if character in "0123456789")
    most = len(levels_for(game))
    if len(digits) not in (1, 2) or int(digits) > most:
        raise UserError("no_such_level", levels=most)
    return int(digits)
