"""Days and times, as typed by organisers: ``14 March``, ``Sat 10:00``, ``24.12. 6pm``.

They are read in the organiser's time zone and shown again as Discord timestamps, so a misreading is
visible immediately. Names of months, days and units are understood in the reader's language and in
English.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_timedelta, get_day_names, get_month_names

from bot.domain.clock_text import read_duration
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.pages.typed_times import locale_of, squeezed, within_years

_LONGEST = 60
_TIME = re.compile(
    r"(?<![\d.:/-])(?P<hour>\d{1,2})"
    r"(?:[:.h時](?P<minute>\d{2})分?)?\s*"
    r"(?P<half>[ap]\.?m\.?)?(?P<word>\s*(?:uhr|h|時|o'clock))?(?![\d.:/-])"
)
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_EAST = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})日")
_NUMBERS = re.compile(r"(\d{1,2})([./-])(\d{1,2})(?:[./-](\d{4}|\d{2})?)?(?!\d)")
_DAY_AND_MONTH = re.compile(
    r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)?(?:\s+(?:of|de))?\s+(?P<name>[^\W\d]+)"
)
_MONTH_AND_DAY = re.compile(r"(?P<name>[^\W\d]+)\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?(?!\d)")
_YEAR = re.compile(r"\b(20\d{2})\b")
_UNITS: Mapping[timedelta, Literal["minute", "hour", "day", "week"]] = {
    timedelta(minutes=1): "minute",
    timedelta(hours=1): "hour",
    timedelta(days=1): "day",
    timedelta(weeks=1): "week",
}
_MONTH_FIRST = ("ja",)
_UNSURE = ("en",)
"""Languages whose readers write 3/4 for the third of April as well as for the fourth of March."""


def read_moment(
    text: str, now: datetime, zone: str, language: Language, *, usual: time
) -> datetime:
    """The instant that a text means, in UTC; ``usual`` is the time of day where it names none.

    A time alone is the next one, a day without a year the next one too. Raises
    :exc:`~bot.errors.UserError` (``moment_unclear``, ``day_too_far``); an instant in the past is
    not refused.
    """
    plain = " ".join(unicodedata.normalize("NFKC", text[:_LONGEST]).casefold().split())
    here = ZoneInfo(zone)
    local = now.astimezone(here)
    ahead = _ahead(plain, language)
    if ahead is not None:
        # Whole seconds, as in pages that ask for a confirmation.
        then = (now + ahead).replace(microsecond=0)
        within_years(then.date(), now.date())
        return then
    try:
        day, at = _day_and_time(plain, local.date(), language)
    except ValueError:
        example = write_moment(now + timedelta(days=7), zone)
        raise UserError("moment_unclear", text=text.strip()[:40], example=example) from None
    if day is None:
        is_today = at is not None and at > local.time()
        day = local.date() if is_today else local.date() + timedelta(days=1)
    day = within_years(day, local.date())
    return datetime.combine(day, at or usual, here).astimezone(UTC)


def _day_and_time(plain: str, today: date, language: Language) -> tuple[date | None, time | None]:
    """The day and the time of day in a text, one of them at least."""
    at, rest = _time_of(plain)
    day = _day_of(rest, today, language)
    if day is None and at is None:
        raise ValueError(plain)
    return day, at


def write_moment(at: datetime, zone: str) -> str:
    """An instant as text for :func:`read_moment` in any language: ``2026-12-24 18:00``."""
    return at.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


def _ahead(plain: str, language: Language) -> timedelta | None:
    """A length of time from now: ``in 3 days``, ``+2d``, ``90m``, ``dans 3 jours``."""
    number = re.search(r"\d{1,4}", plain)
    if number is not None:
        for unit in _UNITS:
            ahead = int(number[0]) * unit
            if plain.replace(" ", "") == _from_now(ahead, unit, language):
                return ahead
    words = plain.removeprefix("in ").removeprefix("+").strip()
    if words == plain and re.fullmatch(r"\d{1,2}\s?h(?:\d{2})?", plain):
        return None  # The French write a time of day like this.
    try:
        return read_duration(words)
    except ValueError:
        return None


def _from_now(ahead: timedelta, unit: timedelta, language: Language) -> str:
    """A language's words for that length of time in that unit, as ``in3days``, without blanks."""
    return squeezed(
        format_timedelta(
            ahead,
            granularity=_UNITS[unit],
            threshold=10_000,
            add_direction=True,
            locale=locale_of(language),
        )
    )


def _time_of(plain: str) -> tuple[time | None, str]:
    """The time of day in a text, and the text without it."""
    for found in _TIME.finditer(plain):
        hour, minute = int(found["hour"]), int(found["minute"] or 0)
        if not (found["minute"] or found["half"] or found["word"]):
            continue
        if found["half"]:
            if not 1 <= hour <= 12:
                raise ValueError(plain)
            hour = hour % 12 + 12 * found["half"].startswith("p")
        rest = plain[: found.start()] + " " + plain[found.end() :]
        return time(hour, minute), _without_links(rest)
    return None, _without_links(plain)


def _without_links(text: str) -> str:
    """The text without words that only connect a day and a time."""
    return re.sub(
        r"(?<!\w)(?:at|on|by|um|am|bis|le|à|el|a las|às|o|w|do|@|,)(?!\w)", " ", text
    ).strip(" ,;")


def _day_of(text: str, today: date, language: Language) -> date | None:
    """The day in a text, None for an empty one; :exc:`ValueError` for anything else."""
    if not text:
        return None
    words = {
        "today": 0,
        "tomorrow": 1,
        language.say("today").casefold(): 0,
        language.say("tomorrow").casefold(): 1,
    }
    if text in words:
        return today + timedelta(days=words[text])
    for pattern in (_ISO, _EAST):
        found = pattern.fullmatch(text)
        if found is not None:
            return _in_year(today, found[1], int(found[2]), int(found[3]))
    numbers = _NUMBERS.fullmatch(text)
    if numbers is not None:
        day, month = _day_and_month(int(numbers[1]), numbers[2], int(numbers[3]), language)
        return _in_year(today, numbers[4], month, day)
    return _weekday(text, today, language) or _named(text, today, language)


def _day_and_month(one: int, between: str, two: int, language: Language) -> tuple[int, int]:
    """The day and the month: the day first, but for readers who write the month first."""
    if one > 12 or (between != "/" and two <= 12):
        return one, two
    if two > 12 or language.locale.partition("-")[0] in _MONTH_FIRST:
        return two, one
    if language.locale.partition("-")[0] in _UNSURE and one != two:
        raise ValueError("either")
    return one, two


def _weekday(text: str, today: date, language: Language) -> date | None:
    number = _number_of(text, get_day_names, language)
    ahead = 0 if number is None else (number - today.weekday() - 1) % 7 + 1
    return today + timedelta(days=ahead) if ahead else None


def _named(text: str, today: date, language: Language) -> date:
    year = _YEAR.search(text)
    rest = _YEAR.sub(" ", text).strip(" ,")
    # A day of the week beside the date adds nothing.
    parts = rest.split(" ", 1)
    if len(parts) == 2 and _weekday(parts[0].strip(".,"), today, language):
        rest = parts[1]
    for pattern in (_DAY_AND_MONTH, _MONTH_AND_DAY):
        found = pattern.fullmatch(rest.strip(" ,."))
        if found is None:
            continue
        month = _number_of(found["name"], get_month_names, language)
        if month is not None:
            return _in_year(today, year[1] if year else None, month, int(found["day"]))
    raise ValueError(text)


def _number_of(
    text: str, names: Callable[..., Mapping[int, str]], language: Language
) -> int | None:
    """The one day or month with this beginning, by the reader's names or the English ones.

    Three letters are the least, but for what the reader's language shortens to fewer: ``Sa``.
    """
    plain = text.strip(".")
    for number, name in names("abbreviated", locale=locale_of(language)).items():
        if name.casefold().strip(".") == plain:
            return number
    if len(plain) < 3 and plain.isascii():
        return None
    for locale in (locale_of(language), Locale("en")):
        named = names("wide", locale=locale).items()
        found = [number for number, name in named if name.casefold().startswith(plain)]
        if len(found) == 1:
            return found[0]
    return None


def _in_year(today: date, year: str | None, month: int, day: int) -> date:
    """A day of that year, of the next one that has it where none is given."""
    if year:
        return date(int(year) if len(year) == 4 else 2000 + int(year), month, day)
    for number in range(today.year, today.year + 5):
        try:
            found = date(number, month, day)
        except ValueError:
            continue
        if found >= today:
            return found
    raise ValueError(f"{month}/{day}")
