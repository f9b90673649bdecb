"""Clocks and lengths of time as people type them in their own language.

What Parlour says of a clock is understood when it is typed: its sentences are read backwards, and
units by their words in the Unicode locale data. English is understood everywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.units import format_unit

from bot.domain.clock import TimeControl
from bot.domain.clock_text import NONE, read_clock
from bot.errors import UserError
from bot.i18n import Language

_LETTERS = {"week": "w", "day": "d", "hour": "h", "minute": "m", "second": "s"}
_COUNTS = (0, 1, 2, 3, 5, 11, 21, 1.5)
"""Numbers that have between them every form of a noun in any language."""
_AMOUNT = re.compile(r"(\d+)\s*([^\W\d_]+)\.?")
_REST = r"[,;·()]*"
"""What may stand between a clock and when it stops."""
_LONGEST = 200


def in_letters(text: str, language: Language) -> str:
    """A text with the units of the reader's language as letters: ``2 Tage`` is ``2d``."""
    units = _units(language.locale)

    def short(found: re.Match[str]) -> str:
        letter = units.get(found[2])
        return found[0] if letter is None else f"{found[1]}{letter}"

    return _AMOUNT.sub(short, unicodedata.normalize("NFKC", text[:_LONGEST]).casefold())


def read_typed_clock(text: str, language: Language) -> TimeControl | None:
    """The clock that a text means, in the reader's language or in English.

    Raises what :func:`~bot.domain.clock_text.read_clock` does.
    """
    try:
        return read_clock(text)
    except UserError as error:
        if error.code != "clock_unclear" or len(text) > _LONGEST:
            raise
        for meant in _meant(text, language):
            try:
                return read_clock(meant)
            except UserError as other:
                if other.code != "clock_unclear":
                    raise
        raise


def _meant(text: str, language: Language) -> Iterator[str]:
    """What a text may mean, as clocks are written."""
    plain, additions = _plain(text), []
    for addition, pattern in _additions(language):
        found = pattern.fullmatch(plain)
        if found is not None:
            plain = found["clock"] or found["before"]
            additions.append(addition)
    if plain == _plain(language.say("No clock")):
        yield NONE
    rest = "".join(f", {each}" for each in additions)
    for pattern, written in _clocks(language):
        found = pattern.fullmatch(plain)
        if found is not None:
            times = {name: in_letters(said, language) for name, said in found.groupdict().items()}
            yield written.format_map(times) + rest
    if not additions:
        yield in_letters(text, language)
    yield in_letters(plain, language) + rest


def _plain(text: str) -> str:
    """A text without what people write in one way or another: capitals, widths, spaces."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _pattern(sentence: str) -> re.Pattern[str]:
    """What a sentence says with anything in its places, which are letters between braces."""
    escaped = re.escape(_plain(sentence))
    return re.compile(re.sub(r"\\\{([a-z]+)\\\}", r"(?P<\1>.+?)", escaped))


@lru_cache(maxsize=64)
def _clocks(language: Language) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The sentences about clocks, the longest first, and the clocks that they mean."""
    said = {"time": "{time}", "more": "{more}", "most": "{most}"}
    return (
        (
            _pattern(language.say("{time}, plus {more} after each move, {most} at most", **said)),
            "{time}+{more} max {most}",
        ),
        (_pattern(language.say("{time}, plus {more} after each move", **said)), "{time}+{more}"),
        (_pattern(language.say("{time} for the whole match", **said)), "{time}+0"),
        (_pattern(language.say("{time} for each move", **said)), "{time}"),
    )


@lru_cache(maxsize=64)
def _additions(language: Language) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What can be said of when a clock stops, the last said first."""
    whole = "{clock}"
    said = (
        (
            "no vacation",
            language.say("{clock}; vacation doesn't stop it", clock=whole),
            language.say("No vacation in this match"),
        ),
        (
            "automatic vacation",
            language.say("{clock}; vacation starts by itself when time runs out", clock=whole),
            language.say("Vacation starts by itself"),
        ),
        (
            "weekends off",
            language.say("{clock}; stopped on Saturday and Sunday (UTC)", clock=whole),
            language.say("Weekends don't count"),
        ),
    )
    found = []
    for addition, sentence, brief in said:
        ways = f"{_pattern(sentence).pattern}|(?P<before>.+?){_REST}{re.escape(_plain(brief))}"
        found.append((addition, re.compile(ways)))
    return tuple(found)


@lru_cache(maxsize=64)
def _units(name: str) -> Mapping[str, str]:
    """The words for units in a language, without those that are read in English, by letter."""
    try:
        locale = Locale.parse(name, sep="-")
    except (UnknownLocaleError, ValueError):
        return {}
    words: dict[str, str] = {}
    for unit, letter in _LETTERS.items():
        for length in ("long", "short", "narrow"):
            for count in _COUNTS:
                said = format_unit(count, f"duration-{unit}", length, locale=locale)
                word = "".join(each for each in _plain(said) if each.isalpha())
                if word and f"duration{unit}" not in word:
                    words.setdefault(word, letter)
    return words
