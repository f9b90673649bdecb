"""Clocks and lifetimes of offers as people write them.

The canonical text is short and can be read back: ``3d/move``, ``7d+1d max 14d``, ``10m+5s``,
``3d/move, weekends off``, ``3d/move, automatic vacation``; ``none`` is no clock. Many other texts
mean the same: ``3 days a move``, ``7 days + 1 day, at most 14``, ``10+5`` (minutes and seconds, as
chess players write it), the name of a preset.

Offers expire after ``6h``, ``2 days``, ``1d12h``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from bot.domain.clock import (
    LONGEST,
    LONGEST_INCREMENT,
    LONGEST_MOVE,
    SHORTEST,
    ZERO,
    TimeControl,
    Vacations,
)
from bot.errors import UserError
from games.view import Text

NONE = "none"
"""The text for no clock."""


@dataclass(frozen=True, slots=True)
class ClockPreset:
    """A clock with a name. ``key`` can be typed, ``label`` says what it is good for."""

    key: str
    label: Text
    control: TimeControl


_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)

PRESETS: tuple[ClockPreset, ...] = (
    ClockPreset("daily", Text.of("A move every day"), TimeControl(_DAY, per_move=True)),
    ClockPreset("usual", Text.of("Time to think"), TimeControl(3 * _DAY, per_move=True)),
    ClockPreset("slow", Text.of("For busy people"), TimeControl(7 * _DAY, per_move=True)),
    ClockPreset(
        "workdays",
        Text.of("Weekends don't count"),
        TimeControl(2 * _DAY, per_move=True, weekends_off=True),
    ),
    ClockPreset(
        "bank", Text.of("Move fast, save days"), TimeControl(7 * _DAY, _DAY, cap=14 * _DAY)
    ),
    ClockPreset(
        "live", Text.of("In one sitting"), TimeControl(10 * _MINUTE, timedelta(seconds=10))
    ),
    ClockPreset(
        "long", Text.of("In one evening"), TimeControl(30 * _MINUTE, timedelta(seconds=30))
    ),
)
"""The clocks suggested first."""

USUAL = PRESETS[1]
"""The most common clock; its variants are suggested too."""

_UNITS = {"w": 7 * 86400, "d": 86400, "h": 3600, "m": 60, "s": 1}
_UNIT = r"w(?:eeks?|ks?)?|d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?"
_PART = rf"(\d{{1,6}})\s*({_UNIT})(?![a-z])"
_DURATION = rf"{_PART}(?:\s*(?:and|,)?\s*{_PART})*"
_PER_MOVE = re.compile(r"\s*(?:(?:/|per|a|an|each|every|for (?:a|each|every))\s*(?:move|turn)s?)$")
_CAP = re.compile(
    r"[\s,;]*\(?(?:,?\s*(?:max(?:imum)?\.?|cap(?:ped)?(?: at)?|at most|up to|no more than|≤|<=))\s*"
    r"(?P<cap>[^()+]+)\)?$"
)
_OFF = frozenset({NONE, "no", "off", "no clock", "without", "without clock", "unlimited", "-", "∞"})
_LONGEST_TEXT = 100


@dataclass(frozen=True, slots=True)
class ClockKind:
    """A way in which clocks work, in words with ``{time}``, ``{more}`` and ``{most}``.

    ``written`` can be read back; ``line`` is for menus, if the sentence is too long for them.
    """

    applies: Callable[[TimeControl], bool]
    written: str
    sentence: Text
    line: Text | None = None


KINDS: tuple[ClockKind, ...] = (
    ClockKind(
        lambda control: control.cap is not None,
        "{time}+{more} max {most}",
        Text.of("{time}, plus {more} after each move, {most} at most"),
        Text.of("{time} + {more} a move, max {most}"),
    ),
    ClockKind(
        lambda control: bool(control.increment),
        "{time}+{more}",
        Text.of("{time}, plus {more} after each move"),
        Text.of("{time} + {more} a move"),
    ),
    ClockKind(lambda control: control.per_move, "{time}/move", Text.of("{time} for each move")),
    ClockKind(lambda _: True, "{time}+0s", Text.of("{time} for the whole match")),
)
"""The first that applies to a clock has its words; the longest sentences come first."""


@dataclass(frozen=True, slots=True)
class ClockRule:
    """A value of a field of a clock that goes behind its time: as written, and in words."""

    field: str
    value: Any
    written: str
    typed: re.Pattern[str]
    """All forms of it behind a clock."""
    sentence: Text
    brief: Text
    line: Text | None = None
    """As in a menu that shows it with the clock."""

    def applies(self, control: TimeControl) -> bool:
        """Whether a clock has it."""
        return bool(getattr(control, self.field) == self.value)


RULES: tuple[ClockRule, ...] = (
    ClockRule(
        "weekends_off",
        True,
        "weekends off",
        re.compile(
            r"[\s,;]*(?:\(?(?:no|without|not? (?:on|at|over)|free|excluding)\s+weekends?\)?"
            r"|weekends?\s+(?:off|free|stop)|weekdays only|work(?:ing )?days only)$"
        ),
        Text.of("{clock}; stopped on Saturday and Sunday (UTC)"),
        Text.of("Weekends don't count"),
        Text.of("{clock}, Mon–Fri"),
    ),
    ClockRule(
        "vacations",
        Vacations.NEVER,
        "no vacation",
        re.compile(r"[\s,;]*(?:\(?(?:no|without|excluding) vacations?\)?|vacations? off)$"),
        Text.of("{clock}; vacation doesn't stop it"),
        Text.of("No vacation in this match"),
    ),
    ClockRule(
        "vacations",
        Vacations.AUTOMATIC,
        "automatic vacation",
        re.compile(
            r"[\s,;]*(?:\(?(?:with )?auto(?:matic)? vacations?\)?|vacations? (?:auto|automatic)"
            r"|vacations? begins? by (?:itself|themselves))$"
        ),
        Text.of("{clock}; vacation starts by itself when time runs out"),
        Text.of("Vacation starts by itself"),
    ),
)
"""In the order in which they follow a clock."""
_USUAL_VACATIONS = re.compile(r"[\s,;]*(?:\(?with vacations?\)?|vacations? allowed)$")
_TYPED = (
    *((each.typed, each.field, each.value) for each in RULES),
    (_USUAL_VACATIONS, "vacations", Vacations.ALLOWED),
)


def kind_of(control: TimeControl) -> ClockKind:
    """The kind of a clock."""
    return next(each for each in KINDS if each.applies(control))


def times_of(control: TimeControl, said: Callable[[timedelta], str]) -> dict[str, str]:
    """The times of a clock, as its kind names them."""
    found = {"time": control.bank, "more": control.increment, "most": control.cap or ZERO}
    return {name: said(time) for name, time in found.items()}


def write_duration(time: timedelta) -> str:
    """A length of time in the shortest text that can be read back: ``1d12h``, ``90s`` is 1m30s."""
    rest = int(time.total_seconds())
    parts = []
    for unit in ("d", "h", "m", "s"):
        count, rest = divmod(rest, _UNITS[unit])
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"


def write_clock(control: TimeControl | None) -> str:
    """The canonical text of a clock."""
    if control is None:
        return NONE
    said = kind_of(control).written.format_map(times_of(control, write_duration))
    return said + "".join(f", {each.written}" for each in RULES if each.applies(control))


def read_clock(text: str) -> TimeControl | None:
    """The clock that a text means; None for no clock.

    A single length is the time for a move. Raises :exc:`~bot.errors.UserError` (``clock_unclear``,
    ``clock_range``, ``clock_cap``, ``clock_weekends``, ``clock_vacation``).
    """
    shown = text.strip()[:40]
    if len(text) > _LONGEST_TEXT:
        raise UserError("clock_unclear", text=shown)
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if plain in _OFF:
        return None
    for preset in PRESETS:
        if plain == preset.key:
            return preset.control
    plain, rules = _without_rules(plain)
    try:
        return _read(plain, rules)
    except ValueError as error:
        code = str(error)
        if code == "range":
            raise UserError(
                "clock_range",
                text=shown,
                least=write_duration(SHORTEST),
                per_move=write_duration(LONGEST_MOVE),
                increment=write_duration(LONGEST_INCREMENT),
                most=write_duration(LONGEST),
            ) from None
        if code == "cap":
            raise UserError("clock_cap", text=shown) from None
        if code == "weekends":
            raise UserError("clock_weekends", text=shown) from None
        if code == "vacation":
            raise UserError("clock_vacation", text=shown) from None
        raise UserError("clock_unclear", text=shown) from None


def _without_rules(plain: str) -> tuple[str, dict[str, Any]]:
    """Split the rules, in any order, off the end of a text: their values by field."""
    rules: dict[str, Any] = {}
    while True:
        said = ((pattern.search(plain), field, value) for pattern, field, value in _TYPED)
        found, field, value = next((x for x in said if x[0] and x[1] not in rules), (None, "", 0))
        if found is None:
            return plain, rules
        rules[field] = value
        plain = plain[: found.start()].strip()


def _read(plain: str, rules: Mapping[str, Any]) -> TimeControl:
    """The clock of a text.

    Raises :exc:`ValueError`: one of our codes, or anything if unreadable.
    """
    bank, plus, rest = plain.partition("+")
    if not plus:
        moves = _PER_MOVE.search(bank)
        each = read_duration(bank[: moves.start()] if moves is not None else bank)
        return TimeControl(each, per_move=True, **_fitting(each, rules))
    cap = _CAP.search(rest)
    increment = rest if cap is None else rest[: cap.start()]
    moves = _PER_MOVE.search(increment)
    increment = (increment if moves is None else increment[: moves.start()]).strip()
    if bank.strip().isdecimal() and increment.isdecimal():
        # The notation of chess players.
        begins, added = _number(bank) * _MINUTE, timedelta(seconds=_number(increment))
    else:
        begins = read_duration(bank)
        added = ZERO if increment in ("0", "") else read_duration(increment)
        if not increment:
            raise ValueError("unclear")
    most = None if cap is None else _cap(cap["cap"], begins)
    return TimeControl(begins, added, cap=most, **_fitting(begins, rules))


def _fitting(bank: timedelta, rules: Mapping[str, Any]) -> dict[str, Any]:
    """The rules; no vacation is the default where a clock begins with less than a day."""
    needless = bank < _DAY and rules.get("vacations") is Vacations.NEVER
    return {key: value for key, value in rules.items() if key != "vacations" or not needless}


def _cap(text: str, bank: timedelta) -> timedelta:
    """The cap; a number without a unit is in days where the bank is."""
    if text.strip().isdecimal():
        return _number(text) * (_DAY if bank >= _DAY else _HOUR if bank >= _HOUR else _MINUTE)
    return read_duration(text)


def _number(text: str) -> int:
    digits = text.strip()
    if len(digits) > 6:
        raise ValueError("range")
    return int(digits)


def read_duration(text: str) -> timedelta:
    """A length such as ``3d``, ``1 day 12 hours``: each unit once, the larger first.

    Raises :exc:`ValueError` with the word ``range`` or ``unclear``.
    """
    plain = text.strip()
    if re.fullmatch(rf"\d{{7,}}\s*(?:{_UNIT})", plain, re.ASCII):
        raise ValueError("range")
    if re.fullmatch(_DURATION, plain, re.ASCII) is None:
        raise ValueError("unclear")
    seconds = 0
    last = 8 * 86400
    for count, word in re.findall(_PART, plain, re.ASCII):
        unit = _UNITS[word[0]]
        if unit >= last:
            raise ValueError("unclear")
        last = unit
        seconds += int(count) * unit
    if seconds > LONGEST.total_seconds():
        raise ValueError("range")
    return timedelta(seconds=seconds)


# ---- how long an offer is open -------------------------------------------------------------------

SHORTEST_OFFER = timedelta(minutes=5)
LONGEST_OFFER = timedelta(days=30)
_LONGEST_EXPIRY = 60

OFFERED = tuple(timedelta(hours=hours) for hours in (1, 6, 24, 48, 7 * 24, 14 * 24))
"""Suggested in menus."""


def parse_offer_expiry(text: str, usual: timedelta) -> timedelta:
    """The lifetime that a text means, the usual one if it is empty.

    Raises :exc:`~bot.errors.UserError` (``lasting_unclear``, ``lasting_range``).
    """
    plain = " ".join(unicodedata.normalize("NFKC", text[:_LONGEST_EXPIRY]).casefold().split())
    if not plain:
        return usual
    try:
        found = read_duration(plain)
        is_within = SHORTEST_OFFER <= found <= LONGEST_OFFER
    except ValueError as error:
        if str(error) != "range":
            raise UserError("lasting_unclear", text=text.strip()[:40]) from None
        is_within = False
    if not is_within:
        raise UserError(
            "lasting_range",
            text=text.strip()[:40],
            least=write_duration(SHORTEST_OFFER),
            most=write_duration(LONGEST_OFFER),
        )
    return found
