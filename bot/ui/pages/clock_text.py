"""Clocks in words: how one works, how much time is left, and clocks to choose.

Instants are Discord timestamps, shown in each reader's time zone. Durations are put into words by
the Unicode locale data. Sentences about clocks are understood when typed: they are read backwards.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from babel import Locale
from babel.units import format_unit

from bot.domain.clock import DAY, TimeControl, Vacations
from bot.domain.clock_text import (
    KINDS,
    NONE,
    PRESETS,
    RULES,
    USUAL,
    kind_of,
    read_clock,
    times_of,
    write_clock,
)
from bot.domain.computers import is_computer
from bot.domain.match import Match, MatchStatus
from bot.domain.vacation import UserVacation
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.pages.components import Option, distinct
from bot.ui.pages.match_text import mention
from bot.ui.pages.typed_times import LONGEST, in_letters, locale_of, squeezed
from games.view import Text

_NO_BLANK = re.compile(r" (?=[\u3040-\u9fff])|(?<=[\u3040-\u9fff]) ")
"""Beside Japanese and Chinese characters, which stand without blanks."""
_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


def timestamp(at: datetime, style: str = "R") -> str:
    """An instant as Discord shows it; style R is relative to now, f a date with the time."""
    return f"<t:{int(at.timestamp())}:{style}>"


def duration(time: timedelta, language: Language, *, parts: int = 2) -> str:
    """A length of time in its ``parts`` largest units: ``2 days 5 hours``."""
    locale = locale_of(language)
    rest = max(0, int(time.total_seconds()))
    said: list[str] = []
    for unit, length in _UNITS:
        count, rest = divmod(rest, length)
        if count and len(said) < parts:
            said.append(_amount(count, f"duration-{unit}", locale))
        elif said:
            break
    words = " ".join(said) or _amount(0, "duration-second", locale)
    return _NO_BLANK.sub("", words)


def _amount(count: int, unit: str, locale: Locale) -> str:
    said = format_unit(count, unit, locale=locale)
    # Japanese has its long forms from the short ones, and Brazilian Portuguese some of them; Babel
    # does not look there, and writes its own key for the unit instead.
    return format_unit(count, unit, "short", locale=locale) if unit in said else said


def clock_words(control: TimeControl | None, language: Language) -> str:
    """A clock in one sentence, without its full stop."""
    if control is None:
        return language.say("no clock")
    said = _said(kind_of(control).sentence, control, language)
    for each in RULES:
        if each.applies(control):
            said = language(each.sentence.filled({"clock": said}))
    return said


def clock_line(control: TimeControl | None, language: Language) -> str:
    """The same as a line of a menu, which a phone cuts after some 35 letters.

    Vacation rules have a menu of their own.
    """
    if control is None:
        said = clock_words(None, language)
        return said[:1].upper() + said[1:]
    kind = kind_of(control)
    said = _said(kind.line or kind.sentence, control, language)
    for each in RULES:
        if each.line is not None and each.applies(control):
            said = language(each.line.filled({"clock": said}))
    return said


def _said(text: Text, control: TimeControl, language: Language) -> str:
    return language(text.filled(times_of(control, partial(duration, language=language, parts=4))))


# ---- read backwards ------------------------------------------------------------------------------

_REST = r"[,;·()]*"
"""Characters between a clock and its additions."""


def read_typed_clock(text: str, language: Language) -> TimeControl | None:
    """The clock of a text, in the reader's language or in English.

    Raises what :func:`~bot.domain.clock_text.read_clock` does.
    """
    try:
        return read_clock(text)
    except UserError as error:
        if error.code != "clock_unclear" or len(text) > LONGEST:
            raise
        for meant in _meant(text, language):
            try:
                return read_clock(meant)
            except UserError as other:
                if other.code != "clock_unclear":
                    raise
        raise


def _meant(text: str, language: Language) -> Iterator[str]:
    """The possible meanings of a text, as clocks are written."""
    plain, additions = squeezed(text), []
    for each in reversed(RULES):
        whole = _pattern(language(each.sentence.filled({"clock": "{clock}"}))).pattern
        brief = re.escape(squeezed(language(each.brief)))
        found = re.fullmatch(f"{whole}|(?P<before>.+?){_REST}{brief}", plain)
        if found is not None:
            plain = found["clock"] or found["before"]
            additions.append(each.written)
    if plain == squeezed(language.say("no clock")):
        yield NONE
    rest = "".join(f", {each}" for each in additions)
    for kind in KINDS:
        found = _pattern(language(kind.sentence.filled(_OPEN))).fullmatch(plain)
        if found is not None:
            times = {name: in_letters(said, language) for name, said in found.groupdict().items()}
            yield kind.written.format_map(times) + rest
    if not additions:
        yield in_letters(text, language)
    yield in_letters(plain, language) + rest


_OPEN = {name: f"{{{name}}}" for name in ("time", "more", "most")}


def _pattern(sentence: str) -> re.Pattern[str]:
    """A pattern of a sentence with anything in its places, which are letters between braces."""
    escaped = re.escape(squeezed(sentence))
    return re.compile(re.sub(r"\\\{([a-z]+)\\\}", r"(?P<\1>.+?)", escaped))


# ---- how much time is left -----------------------------------------------------------------------


def deadline_words(match: Match, language: Language) -> str:
    """Until when the player on turn has time; empty where no clock runs."""
    at = match.deadline
    if at is None:
        return ""
    when = {"time": timestamp(at), "date": timestamp(at, "f")}
    if match.counting_times != match.times:
        return language.say("Time for the first move runs out {time}: {date}.", **when)
    return language.say("Time runs out {time}: {date}.", **when)


def time_left(match: Match, language: Language) -> str:
    """The time left: of the player on turn until when, of the others how much.

    Where every move has the same time, only the deadline.
    """
    control, times = match.clock, match.times
    if control is None or times is None:
        return ""
    if match.status is not MatchStatus.RUNNING:
        return ""
    if times.is_paused:
        said = language.say("The clock is stopped.")
    else:
        said = deadline_words(match, language)
    if control.per_move:
        return said
    shown = [
        f"{mention(match.players[player], language)} {duration(left, language)}"
        for player, left in enumerate(times.left)
        if player not in match.retired
        and not is_computer(match.players[player])
        and (times.is_paused or player != times.running)
    ]
    if not shown:
        return said
    return said + " " + language.say("Time left: {times}", times=", ".join(shown))


def vacations(match: Match, vacations: tuple[UserVacation, ...], language: Language) -> str:
    """Vacations of players in a match, and its vacation rule, if it is not the usual."""
    if match.clock is None or match.status is not MatchStatus.RUNNING:
        return ""
    said = [
        language.say(
            "{player} is on vacation until {date}.",
            player=mention(each.user_id, language),
            date=timestamp(each.vacation.ends_at, "f"),
        )
        for each in vacations
        if each.user_id in match.players and match.clock.may_rest
    ]
    if match.clock.vacations is Vacations.AUTOMATIC:
        said.append("-# " + language.say("When time runs out, vacation starts by itself."))
    if match.clock.vacations is Vacations.NEVER:
        said.append("-# " + language.say("Vacation doesn't stop the clock here."))
    return "\n".join(said)


def read_default(
    text: str | None, default: TimeControl | None, language: Language
) -> TimeControl | None:
    """The clock that an offer asks for, or the default."""
    return default if text is None or not text.strip() else read_typed_clock(text, language)


_LONGEST = 100
_MOST_WORDS = 4
"""Words behind a clock, less one, that may be half typed."""


def _shown(control: TimeControl | None, label: str, language: Language) -> Option:
    words = clock_words(control, language)
    if control is not None and len(words) > _LONGEST:
        words = _short(control, language)
    return Option(write_clock(control), f"{words} · {label}" if label else words)


def _short(control: TimeControl, language: Language) -> str:
    """A clock in few words, with its additions behind."""
    bare = _said(kind_of(control).sentence, control, language)
    return " · ".join((bare, *(language(x.brief) for x in RULES if x.applies(control))))


def _variants(control: TimeControl | None) -> list[TimeControl]:
    """The same clock with one more rule."""
    if control is None or control.bank < DAY:
        return []
    taken = {each.field for each in RULES if each.applies(control)}
    more = (each for each in reversed(RULES) if each.field not in taken)
    return [replace(control, **{each.field: each.value}) for each in more]


def _begun(
    typed: str, words: Sequence[str], language: Language
) -> tuple[TimeControl | None, Sequence[str]] | None:
    """The clock that words begin with, and the words after it; None if they begin with none."""
    with suppress(UserError):
        return read_typed_clock(typed, language), ()
    for end in range(len(words), max(0, len(words) - _MOST_WORDS), -1):
        try:
            return read_typed_clock(" ".join(words[:end]), language), words[end:]
        except UserError:
            continue
    return None


def suggest_clocks(typed: str, language: Language) -> list[Option]:
    """The typed clock, if it is one, and the named clocks.

    With variants for weekends and vacations: of the typed clock, and of named ones where only the
    variant has what was typed.
    """
    words = re.split(r"[\s,;]+", unicodedata.normalize("NFKC", typed[:_LONGEST]).casefold().strip())
    words = [word for word in words if word]

    def fits(wanted: Sequence[str], option: Option, key: str = "") -> bool:
        plain = "".join((key + option.value + option.label).casefold().split())
        return all(word in plain for word in wanted)

    def variants(control: TimeControl | None) -> list[Option]:
        return [Option(write_clock(each), _short(each, language)) for each in _variants(control)]

    found: list[Option] = []
    begun = _begun(typed[:_LONGEST], words, language)
    if begun is not None:
        control, behind = begun
        if not behind:
            found.append(_shown(control, "", language))
        found += [each for each in variants(control) if fits(behind, each)]
    others = variants(USUAL.control) if not words else []
    for preset in PRESETS:
        base = _shown(preset.control, language(preset.label), language)
        if fits(words, base, preset.key):
            found.append(base)
        else:
            others += [each for each in variants(preset.control) if fits(words, each)]
    none = _shown(None, "", language)
    found += others
    if fits(words, none, NONE):
        found.append(none)
    return distinct(found)
