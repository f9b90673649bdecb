"""Clocks in words: how one works, how much time is left, and what can be chosen.

Instants are written as Discord's timestamps, which everybody sees in their own time zone. Lengths
of time are put into words by the Unicode locale data, which know every language's plurals. What is
said of a clock is understood when it is typed: its sentences are read backwards.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from babel import Locale
from babel.units import format_unit

from bot.domain.clock import DAY, TimeControl, Vacations
from bot.domain.clock_text import NONE, PRESETS, USUAL, read_clock, write_clock
from bot.domain.computers import is_computer
from bot.domain.match import Match, MatchStatus
from bot.domain.vacation import UserVacation
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.pages.components import Suggestion
from bot.ui.pages.match_text import cut, mention
from bot.ui.pages.typed_times import LONGEST, in_letters, locale_of, squeezed

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
    return " ".join(said) or _amount(0, "duration-second", locale)


def _amount(count: int, unit: str, locale: Locale) -> str:
    said = format_unit(count, unit, locale=locale)
    # Japanese has its long forms from the short ones, and Brazilian Portuguese some of them; Babel
    # does not look there, and writes its own key for the unit instead.
    return format_unit(count, unit, "short", locale=locale) if unit in said else said


def clock_words(control: TimeControl | None, language: Language) -> str:
    """How a clock works, in one sentence without its full stop."""
    if control is None:
        return language.say("No clock")
    bank = duration(control.bank, language, parts=4)
    added = duration(control.increment, language, parts=4)
    if control.per_move:
        said = language.say("{time} for each move", time=bank)
    elif not control.increment:
        said = language.say("{time} for the whole match", time=bank)
    elif control.cap is None:
        said = language.say("{time}, plus {more} after each move", time=bank, more=added)
    else:
        said = language.say(
            "{time}, plus {more} after each move, {most} at most",
            time=bank,
            more=added,
            most=duration(control.cap, language, parts=4),
        )
    if control.weekends_off:
        said = language.say("{clock}; stopped on Saturday and Sunday (UTC)", clock=said)
    if control.vacations is Vacations.AUTOMATIC:
        said = language.say("{clock}; vacation starts by itself when time runs out", clock=said)
    if control.vacations is Vacations.NEVER:
        said = language.say("{clock}; vacation doesn't stop it", clock=said)
    return said


def clock_line(control: TimeControl | None, language: Language) -> str:
    """The same as a line of a menu, which a phone cuts after some 35 letters.

    What vacations do to a clock has a menu of its own.
    """
    if control is None:
        return clock_words(None, language)
    time = duration(control.bank, language, parts=4)
    more = duration(control.increment, language, parts=4)
    if control.per_move or not control.increment:
        bare = replace(control, weekends_off=False, vacations=Vacations.ALLOWED)
        said = clock_words(bare, language)
    elif control.cap is None:
        said = language.say("{time} + {more} a move", time=time, more=more)
    else:
        most = duration(control.cap, language, parts=4)
        said = language.say("{time} + {more} a move, max {most}", time=time, more=more, most=most)
    return language.say("{clock}, Mon–Fri", clock=said) if control.weekends_off else said


# ---- read backwards ------------------------------------------------------------------------------

_REST = r"[,;·()]*"
"""What may stand between a clock and when it stops."""


def read_typed_clock(text: str, language: Language) -> TimeControl | None:
    """The clock that a text means, in the reader's language or in English.

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
    """What a text may mean, as clocks are written."""
    plain, additions = squeezed(text), []
    for addition, pattern in _additions(language):
        found = pattern.fullmatch(plain)
        if found is not None:
            plain = found["clock"] or found["before"]
            additions.append(addition)
    if plain == squeezed(language.say("No clock")):
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


def _pattern(sentence: str) -> re.Pattern[str]:
    """What a sentence says with anything in its places, which are letters between braces."""
    escaped = re.escape(squeezed(sentence))
    return re.compile(re.sub(r"\\\{([a-z]+)\\\}", r"(?P<\1>.+?)", escaped))


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
        ways = f"{_pattern(sentence).pattern}|(?P<before>.+?){_REST}{re.escape(squeezed(brief))}"
        found.append((addition, re.compile(ways)))
    return tuple(found)


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
    """What everybody has left: the one on turn until when, the others how much.

    Where every move has the same time, only the deadline says something.
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
    """Who at the table is on vacation and until when; and what vacation does, if not the usual."""
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
    """The clock that an offer asks for; the host's own where they have said nothing."""
    return default if text is None or not text.strip() else read_typed_clock(text, language)


_LONGEST = 100
_MOST_WORDS = 4
"""How many words behind a clock, less one, may be half typed and no part of it yet."""


def _shown(control: TimeControl | None, label: str, language: Language) -> Suggestion:
    words = clock_words(control, language)
    if control is not None and len(words) > _LONGEST:
        words = _short(control, language)
    return Suggestion(cut(f"{words} · {label}" if label else words, _LONGEST), write_clock(control))


def _short(control: TimeControl, language: Language) -> str:
    """A clock in few words, with when it stops behind them."""
    bare = replace(control, weekends_off=False, vacations=Vacations.ALLOWED)
    return " · ".join((clock_words(bare, language), *_rests(control, language)))


def _rests(control: TimeControl, language: Language) -> list[str]:
    said = []
    if control.weekends_off:
        said.append(language.say("Weekends don't count"))
    if control.vacations is Vacations.AUTOMATIC:
        said.append(language.say("Vacation starts by itself"))
    if control.vacations is Vacations.NEVER:
        said.append(language.say("No vacation in this match"))
    return said


def _variants(control: TimeControl | None) -> list[TimeControl]:
    """The same clock with one thing more said of when it stops."""
    if control is None or control.bank < DAY:
        return []
    found = []
    if control.vacations is Vacations.ALLOWED:
        found += [
            replace(control, vacations=rule) for rule in (Vacations.AUTOMATIC, Vacations.NEVER)
        ]
    if not control.weekends_off:
        found.append(replace(control, weekends_off=True))
    return found


def _begun(
    typed: str, words: Sequence[str], language: Language
) -> tuple[TimeControl | None, Sequence[str]] | None:
    """The clock that words begin with, and the words behind it; None if they begin with none."""
    with suppress(UserError):
        return read_typed_clock(typed, language), ()
    for end in range(len(words), max(0, len(words) - _MOST_WORDS), -1):
        try:
            return read_typed_clock(" ".join(words[:end]), language), words[end:]
        except UserError:
            continue
    return None


def suggest_clocks(typed: str, language: Language) -> list[Suggestion]:
    """What has been typed, if it is a clock, and the clocks that have names.

    Of both also the variants that stand still on weekends or treat vacation otherwise: those of
    what was typed, and of the named ones those that alone have what was typed.
    """
    words = re.split(r"[\s,;]+", unicodedata.normalize("NFKC", typed[:_LONGEST]).casefold().strip())
    words = [word for word in words if word]

    def fits(wanted: Sequence[str], suggestion: Suggestion, key: str = "") -> bool:
        plain = "".join((key + suggestion.value + suggestion.shown).casefold().split())
        return all(word in plain for word in wanted)

    def variants(control: TimeControl | None) -> list[Suggestion]:
        return [
            Suggestion(cut(_short(each, language), _LONGEST), write_clock(each))
            for each in _variants(control)
        ]

    found: list[Suggestion] = []
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
    distinct: dict[str, Suggestion] = {}
    for each in found:
        distinct.setdefault(each.value, each)
    return list(distinct.values())
