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
from dataclasses import dataclass
from datetime import timedelta

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
_WEEKENDS = re.compile(
    r"[\s,;]*(?:\(?(?:no|without|not? (?:on|at|over)|free|excluding)\s+weekends?\)?"
    r"|weekends?\s+(?:off|free|stop)|weekdays only|work(?:ing )?days only)$"
)
_VACATIONS = (
    (
        Vacations.AUTOMATIC,
        re.compile(
            r"[\s,;]*(?:\(?(?:with )?auto(?:matic)? vacations?\)?|vacations? (?:auto|automatic)"
            r"|vacations? begins? by (?:itself|themselves))$"
        ),
    ),
    (
        Vacations.NEVER,
        re.compile(r"[\s,;]*(?:\(?(?:no|without|excluding) vacations?\)?|vacations? off)$"),
    ),
    (Vacations.ALLOWED, re.compile(r"[\s,;]*(?:\(?with vacations?\)?|vacations? allowed)$")),
)
_CAP = re.compile(
    r"[\s,;]*\(?(?:,?\s*(?:max(?:imum)?\.?|cap(?:ped)?(?: at)?|at most|up to|no more than|≤|<=))\s*"
    r"(?P<cap>[^()+]+)\)?$"
)
_SAID = {
    Vacations.ALLOWED: "",
    Vacations.AUTOMATIC: ", automatic vacation",
    Vacations.NEVER: ", no vacation",
}
_OFF = frozenset({NONE, "no", "off", "no clock", "without", "without clock", "unlimited", "-", "∞"})
_LONGEST_TEXT = 100


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
    if control.per_move:
        said = f"{write_duration(control.bank)}/move"
    else:
        said = f"{write_duration(control.bank)}+{write_duration(control.increment)}"
        if control.cap is not None:
            said += f" max {write_duration(control.cap)}"
    if control.weekends_off:
        said += ", weekends off"
    return said + _SAID[control.vacations]


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
    plain, weekends_off, vacations = _without_rests(plain)
    try:
        return _read(plain, weekends_off=weekends_off, vacations=vacations)
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


def _without_rests(plain: str) -> tuple[str, bool, Vacations]:
    """Split the remarks on weekends and vacations, in any order, off the end of a text."""
    weekends_off, vacations = False, Vacations.ALLOWED
    while True:
        found = _WEEKENDS.search(plain)
        if found is not None and not weekends_off:
            weekends_off = True
        else:
            said = ((rule, pattern.search(plain)) for rule, pattern in _VACATIONS)
            rule, found = next((each for each in said if each[1] is not None), (vacations, None))
            if found is None:
                return plain, weekends_off, vacations
            vacations = rule
        plain = plain[: found.start()].strip()


def _read(plain: str, *, weekends_off: bool, vacations: Vacations) -> TimeControl:
    """The clock of a text.

    Raises :exc:`ValueError`: one of our codes, or anything if unreadable.
    """
    bank, plus, rest = plain.partition("+")
    if not plus:
        moves = _PER_MOVE.search(bank)
        each = read_duration(bank[: moves.start()] if moves is not None else bank)
        rule = _fitting(each, vacations)
        return TimeControl(each, per_move=True, weekends_off=weekends_off, vacations=rule)
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
    rule = _fitting(begins, vacations)
    return TimeControl(begins, added, cap=most, weekends_off=weekends_off, vacations=rule)


def _fitting(bank: timedelta, vacations: Vacations) -> Vacations:
    """The effect of vacations; NEVER is the default where a clock begins with less than a day."""
    needless = bank < _DAY and vacations is Vacations.NEVER
    return Vacations.ALLOWED if needless else vacations


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
