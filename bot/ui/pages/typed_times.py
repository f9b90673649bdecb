"""Durations as players type them: units as the Unicode locale data say, in their language.

English is understood everywhere. Also the range of days that can be typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.units import format_unit

from bot.errors import UserError
from bot.i18n import Language

_LETTERS = {"week": "w", "day": "d", "hour": "h", "minute": "m", "second": "s"}
_COUNTS = (0, 1, 2, 3, 5, 11, 21, 1.5)
"""Numbers that have between them every form of a noun in any language."""
_AMOUNT = re.compile(r"(\d+)\s*([^\W\d_]+)\.?")
LONGEST = 200
"""Characters that are read of what is typed."""

_YEARS = 10


def within_years(day: date, today: date) -> date:
    """The day, not more than ten years from today, so that every time zone can reckon with it.

    Raises ``day_too_far``.
    """
    if abs(day.year - today.year) > _YEARS:
        raise UserError("day_too_far", day=day.isoformat(), years=_YEARS)
    return day


def locale_of(language: Language) -> Locale:
    """The locale data of a language, else English."""
    try:
        return Locale.parse(language.babel)
    except (UnknownLocaleError, ValueError):
        return Locale("en")


def in_letters(text: str, language: Language) -> str:
    """A text with the units of the reader's language as letters: ``2 Tage`` is ``2d``."""
    units = _units(language.locale)

    def short(found: re.Match[str]) -> str:
        letter = units.get(found[2])
        return found[0] if letter is None else f"{found[1]}{letter}"

    return _AMOUNT.sub(short, unicodedata.normalize("NFKC", text[:LONGEST]).casefold())


def squeezed(text: str) -> str:
    """A text without capitals, widths and spaces."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


@lru_cache(maxsize=64)
def _units(name: str) -> Mapping[str, str]:
    """The letters of the words for units in a language.

    Asking Babel for them takes 1 ms, and they are wanted while a player types.
    """
    try:
        locale = Locale.parse(name, sep="-")
    except (UnknownLocaleError, ValueError):
        return {}
    words: dict[str, str] = {}
    for unit, letter in _LETTERS.items():
        for length in ("long", "short", "narrow"):
            for count in _COUNTS:
                said = format_unit(count, f"duration-{unit}", length, locale=locale)
                word = "".join(each for each in squeezed(said) if each.isalpha())
                if word and f"duration{unit}" not in word:
                    words.setdefault(word, letter)
    return words
