"""Hours of the day in a time zone: a person's quiet hours, and the times of messages around them.

Pure functions over aware instants. A zone is an IANA name (``Europe/Berlin``); its rules come from
the machine, or from the package tzdata where the machine has none. Hours are those of the wall
clock: when clocks are put forward an hour may be missing, when they are put back one comes twice,
and quiet hours are shorter or longer by it, as the night is for the person who sleeps.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from bot.errors import UserError

SOON_AFTER = timedelta(hours=2)
"""A deadline so soon after quiet hours that a reminder at their end would leave too little time."""
BEFORE = timedelta(minutes=15)
"""How long before quiet hours an urgent reminder comes."""
_MINUTE = timedelta(minutes=1)
_LONGEST_NAME = 64
_OFFSET = re.compile(r"(?:utc|gmt)?\s*([+-])\s*(\d{1,2})(?::?00)?", re.ASCII)
_FEW = 25
_OTHER_SIGN = str.maketrans("+-", "-+")


@lru_cache(maxsize=1)
def zones() -> Mapping[str, str]:
    """The names of all time zones by a simple spelling: small letters, blanks."""
    good = (name for name in sorted(available_timezones()) if not name.startswith("SystemV/"))
    return {_plain(name): name for name in good if name != "localtime"}


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text[:200]).casefold()
    kept = "".join(each for each in folded if not unicodedata.combining(each))
    return " ".join(re.split(r"[\s_]+", kept)).strip()


def is_zone(name: str) -> bool:
    """Whether there is a time zone of exactly this name."""
    return len(name) <= _LONGEST_NAME and zones().get(_plain(name)) == name


def zone_of(name: str) -> ZoneInfo:
    """The zone of a name that was valid when chosen; UTC if the machine no longer has it."""
    return ZoneInfo(name if is_zone(name) else "UTC")


def find_zone(text: str) -> str:
    """The name of the time zone for a typed text.

    Takes the name in any case, with blanks for underscores, the city alone, or an offset in whole
    hours (``UTC+2``). Raises :exc:`~bot.errors.UserError` (``zone_unknown``, ``zone_unclear``).
    """
    wanted = _plain(text)
    found = zones().get(wanted)
    if found is not None:
        return found
    offset = _OFFSET.fullmatch(wanted)
    if offset is not None:
        # The names of fixed offsets count to the west, against common usage.
        hours = int(offset[2])
        name = f"Etc/GMT{'-' if offset[1] == '+' else '+'}{hours}" if hours else "UTC"
        if is_zone(name):
            return name
    cities = [name for plain, name in zones().items() if plain.rpartition("/")[2] == wanted]
    if not wanted or not cities:
        raise UserError("zone_unknown", text=text.strip()[:40])
    if len({_rules(name) for name in cities}) > 1:
        raise UserError("zone_unclear", text=text.strip()[:40], allowed=", ".join(cities[:5]))
    return cities[0]


def zone_in_words(name: str) -> str:
    """A time zone as people write it: ``America/New York``, and ``UTC-5`` for a fixed offset."""
    if name.startswith("Etc/GMT"):
        return f"UTC{name.removeprefix('Etc/GMT').translate(_OTHER_SIGN)}"
    return name.replace("_", " ")


def _rules(name: str) -> tuple[timedelta | None, ...]:
    """How far a zone is from UTC in winters and summers; some cities have names in two regions."""
    there = ZoneInfo(name)
    days = (datetime(year, month, 1, tzinfo=there) for year in (2000, 2026) for month in (1, 7))
    return tuple(day.utcoffset() for day in days)


def suggest_zones(typed: str) -> list[str]:
    """Up to 25 names of time zones that match the typed text, the nearest first."""
    wanted = _plain(typed)

    def rank(plain: str) -> int:
        city = plain.rpartition("/")[2]
        return 0 if city.startswith(wanted) else 1 if plain.startswith(wanted) else 2

    places = [plain for plain in zones() if "/" in plain and not plain.startswith("etc/")]
    fitting = [plain for plain in places if wanted in plain]
    try:
        exact = [find_zone(typed)]
    except UserError:
        exact = []
    near = (zones()[plain] for plain in sorted(fitting, key=lambda plain: (rank(plain), plain)))
    return list(dict.fromkeys([*exact, *near]))[:_FEW]


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From the begin of one hour (0 to 23) to that of another, through midnight if necessary."""

    begin: int
    end: int

    def __post_init__(self) -> None:
        if not (0 <= self.begin <= 23 and 0 <= self.end <= 23) or self.begin == self.end:
            raise ValueError(self.begin, self.end)

    def _covers(self, hour: int) -> bool:
        if self.begin < self.end:
            return self.begin <= hour < self.end
        return hour >= self.begin or hour < self.end

    def until(self, now: datetime, zone: str) -> datetime | None:
        """The instant at which the quiet hours around ``now`` end; None if there are none."""
        there = zone_of(zone)
        at = now
        while self._covers(at.astimezone(there).hour):
            at = _next_hour(at, there)
        return None if at == now else at

    def began(self, now: datetime, zone: str) -> datetime | None:
        """The instant at which the quiet hours around ``now`` began; None if there are none."""
        there = zone_of(zone)
        if not self._covers(now.astimezone(there).hour):
            return None
        at = now
        while True:
            hour = _hour_begin(at, there)
            if not self._covers((hour - _MINUTE).astimezone(there).hour):
                return hour
            at = hour - _MINUTE


def _hour_begin(at: datetime, zone: ZoneInfo) -> datetime:
    """When the hour of the wall clock around an instant began.

    Clocks are put forward and back at whole minutes only, so it counts minutes: an hour that is
    shortened or lengthened begins at an odd one.
    """
    local = at.astimezone(zone)
    whole = at.astimezone(UTC) - timedelta(
        minutes=local.minute, seconds=local.second, microseconds=local.microsecond
    )
    if whole.astimezone(zone).hour == local.hour:
        return whole
    minute = at.astimezone(UTC).replace(second=0, microsecond=0)
    while (minute - _MINUTE).astimezone(zone).hour == local.hour:
        minute -= _MINUTE
    return minute


def _next_hour(at: datetime, zone: ZoneInfo) -> datetime:
    """The first instant after this one at which a new hour of the wall clock begins."""
    local = at.astimezone(zone)
    rest = timedelta(hours=1) - timedelta(
        minutes=local.minute, seconds=local.second, microseconds=local.microsecond
    )
    after = at.astimezone(UTC) + rest
    if after.astimezone(zone).utcoffset() == local.utcoffset():
        return after
    # The clock was put forward or back on the way.
    minute = at.astimezone(UTC).replace(second=0, microsecond=0) + _MINUTE
    while minute.astimezone(zone).hour == local.hour and minute < after:
        minute += _MINUTE
    return minute


def next_at_hour(hour: int, zone: str, now: datetime) -> datetime:
    """The next instant after ``now`` at which it is that hour in the zone.

    Where clocks are put forward over the hour, it is the instant just after.
    """
    there = zone_of(zone)
    date = now.astimezone(there).date()
    while True:
        wall = datetime.combine(date, time(hour))
        # Where clocks jump over it, one of the two offsets gives an instant before the jump.
        at = min(wall.replace(tzinfo=there, fold=fold).astimezone(UTC) for fold in (0, 1))
        while at.astimezone(there).replace(tzinfo=None) < wall:
            at = _next_hour(at, there)
        if at > now:
            return at
        date += timedelta(days=1)


def reminder_times(
    deadline: datetime,
    hours: tuple[int, ...],
    now: datetime,
    *,
    quiet: QuietHours | None,
    zone: str,
) -> tuple[tuple[int, datetime], ...]:
    """The reminders of a deadline, each as the hours before it and an instant.

    None lies in quiet hours: it moves to their end if that leaves enough time to answer, else to
    before their begin. A reminder already due is left out: the turn has only just begun, and its
    player has just been notified. No two come at the same instant.
    """
    times: dict[datetime, int] = {}
    for each in sorted(hours, reverse=True):
        at = deadline - timedelta(hours=each)
        end = None if quiet is None else quiet.until(at, zone)
        if end is not None and quiet is not None:
            has_time = end + SOON_AFTER <= deadline
            at = end if has_time else (quiet.began(at, zone) or at) - BEFORE
        if at > now:
            times[at] = each
    return tuple((each, at) for at, each in sorted(times.items()))
