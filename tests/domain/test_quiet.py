"""Quiet hours and reminders by the clock on the wall, through summer time and back."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.quiet_hours import (
    QuietHours,
    find_zone,
    is_zone,
    next_at_hour,
    reminder_times,
    suggest_zones,
    zone_in_words,
    zones,
)
from bot.errors import UserError

BERLIN = "Europe/Berlin"
NIGHT = QuietHours(22, 7)


def at(text: str, zone: str = "UTC") -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


@pytest.mark.parametrize(
    ("hours", "now", "zone", "end"),
    [
        ((22, 7), "2026-01-10 23:30", BERLIN, "2026-01-11 07:00"),
        ((22, 7), "2026-01-11 06:59:59", BERLIN, "2026-01-11 07:00"),
        ((22, 7), "2026-01-11 07:00", BERLIN, None),
        ((22, 7), "2026-01-10 21:59:59", BERLIN, None),
        ((9, 17), "2026-01-10 12:15", BERLIN, "2026-01-10 17:00"),
        ((0, 6), "2026-01-10 00:00", "Asia/Kathmandu", "2026-01-10 06:00"),
        # Clocks are put forward: the night of 29 March is an hour shorter.
        ((22, 7), "2026-03-28 23:00", BERLIN, "2026-03-29 07:00"),
        # The end of quiet hours is skipped: they end when the clock jumps over it.
        ((23, 2), "2026-03-29 01:30", BERLIN, "2026-03-29 03:00"),
        # Clocks are put back: what is quiet between two and three is so both times.
        ((23, 3), "2026-10-25 01:30", BERLIN, "2026-10-25 03:00"),
        # By half an hour, and at midnight.
        ((22, 3), "2026-04-05 01:45", "Australia/Lord_Howe", "2026-04-05 03:00"),
        ((22, 2), "2026-10-04 01:45", "Australia/Lord_Howe", "2026-10-04 02:30"),
        ((23, 0), "2026-09-05 23:30", "America/Santiago", "2026-09-06 01:00"),
    ],
)
def test_quiet_hours_end_by_the_clock_on_the_wall(
    hours: tuple[int, ...], now: str, zone: str, end: str | None
) -> None:
    found = QuietHours(*hours).until(at(now, zone), zone)
    assert found == (None if end is None else at(end, zone))


def test_the_hour_that_comes_twice_is_quiet_twice() -> None:
    first = at("2026-10-25 00:30")
    quiet = QuietHours(2, 3)
    assert quiet.until(first, BERLIN) == at("2026-10-25 02:00")
    assert quiet.until(first + timedelta(hours=1), BERLIN) == at("2026-10-25 02:00")
    assert quiet.began(first + timedelta(hours=1), BERLIN) == at("2026-10-25 00:00")
    assert quiet.began(first + timedelta(hours=2), BERLIN) is None


_zones = st.sampled_from(
    [BERLIN, "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kathmandu", "UTC"]
)
_hours = st.tuples(st.integers(0, 23), st.integers(0, 23)).filter(lambda pair: pair[0] != pair[1])
_nights = st.sampled_from(["03-08", "03-29", "04-05", "09-06", "10-04", "10-25", "11-01", "06-01"])
_instants = st.builds(
    lambda night, seconds: at(f"2026-{night} 00:00") + timedelta(seconds=seconds),
    _nights,  # on most of them clocks change somewhere
    st.integers(-100_000, 100_000),
)


@given(_hours, _zones, _instants)
def test_quiet_hours_are_one_stretch(hours: Any, zone: Any, now: Any) -> None:
    quiet = QuietHours(*hours)
    end, began = quiet.until(now, zone), quiet.began(now, zone)
    begin, close = hours
    hour = now.astimezone(ZoneInfo(zone)).hour
    is_quiet = begin <= hour < close if begin < close else hour >= begin or hour < close
    assert (end is not None) == is_quiet == (began is not None)
    if end is None or began is None:
        return
    assert began <= now < end
    assert quiet.until(end, zone) is None
    assert quiet.until(began - timedelta(seconds=1), zone) is None
    for part in range(8):
        assert quiet.until(began + (end - began) * part / 8, zone) == end


@pytest.mark.parametrize("hours", [(22, 22), (-1, 5), (5, 24), (25, 3)])
def test_hours_that_are_none_cannot_be_quiet(hours: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=str(hours[0])):
        QuietHours(*hours)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Europe/Berlin", BERLIN),
        ("europe/berlin", BERLIN),
        ("  EUROPE/Berlin ", BERLIN),
        ("berlin", BERLIN),
        ("new york", "America/New_York"),
        ("São Paulo", "America/Sao_Paulo"),
        ("Istanbul", "Asia/Istanbul"),
        ("utc", "UTC"),
        ("UTC+2", "Etc/GMT-2"),
        ("gmt -3", "Etc/GMT+3"),
        ("+05:00", "Etc/GMT-5"),
        ("UTC+0", "UTC"),
    ],
)
def test_a_time_zone_is_found_as_people_write_it(text: str, zone: str) -> None:
    assert find_zone(text) == zone
    assert is_zone(zone)
    assert find_zone(zone_in_words(zone)) == zone, "it can be written as it is shown"


@pytest.mark.parametrize(
    "text",
    [
        "Europe/../../etc/passwd",
        "../../etc/passwd",
        "/etc/localtime",
        "localtime",
        "UTC+99",
        "UTC+5:30",
        "",
        "   ",
        "posixrules",
        "Atlantis",
        "\0",
        "[a](" * 1000,
        "B" * 100_000,
    ],
)
def test_what_is_no_time_zone_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="zone_unknown") as caught:
        find_zone(text)
    assert len(str(caught.value.params["text"])) <= 40
    assert not is_zone(text)


@given(st.text(alphabet="aberlinUTC+-/ _0129é.", max_size=12))
def test_any_text_finds_a_zone_or_is_refused_and_suggests_only_what_is_found(text: Any) -> None:
    with contextlib.suppress(UserError):
        assert is_zone(find_zone(text))
    found = suggest_zones(text)
    assert len(found) <= 25
    assert all(find_zone(each) == each for each in found)


def test_suggestions_begin_with_the_city_that_is_typed() -> None:
    assert BERLIN in suggest_zones("ber")
    assert suggest_zones("berlin")[0] == BERLIN
    assert suggest_zones("europe/ber") == [BERLIN]


@pytest.mark.parametrize(
    ("hour", "now", "then"),
    [
        (9, "2026-01-10 08:59", "2026-01-10 09:00"),
        (9, "2026-01-10 09:00", "2026-01-11 09:00"),
        (0, "2026-01-10 09:00", "2026-01-11 00:00"),
        (2, "2026-03-28 12:00", "2026-03-29 03:00"),
        (9, "2026-03-28 12:00", "2026-03-29 09:00"),
    ],
)
def test_a_digest_comes_at_its_hour_of_the_day(hour: int, now: str, then: str) -> None:
    assert next_at_hour(hour, BERLIN, at(now, BERLIN)) == at(then, BERLIN)


@given(st.integers(0, 23), _zones, _instants)
def test_a_digest_comes_within_a_day_and_a_bit(hour: Any, zone: Any, now: Any) -> None:
    then = next_at_hour(hour, zone, now)
    assert timedelta(0) < then - now <= timedelta(hours=25)


def test_reminders_come_so_many_hours_before_and_not_for_what_is_past() -> None:
    deadline, now = at("2026-01-12 12:00"), at("2026-01-10 13:00")
    found = reminder_times(deadline, (48, 12, 1), now, quiet=None, zone=BERLIN)
    assert found == ((12, at("2026-01-12 00:00")), (1, at("2026-01-12 11:00")))


def test_a_reminder_in_the_night_waits_for_the_morning_if_there_is_time_then() -> None:
    deadline = at("2026-01-12 15:00", BERLIN)
    found = reminder_times(deadline, (12,), at("2026-01-10 12:00"), quiet=NIGHT, zone=BERLIN)
    assert found == ((12, at("2026-01-12 07:00", BERLIN)),)


@pytest.mark.parametrize("deadline", ["2026-01-12 05:00", "2026-01-12 07:30"])
def test_a_reminder_of_a_deadline_in_the_night_comes_before_it(deadline: str) -> None:
    found = reminder_times(
        at(deadline, BERLIN), (6, 3), at("2026-01-10 12:00"), quiet=NIGHT, zone=BERLIN
    )
    assert found == ((3, at("2026-01-11 21:45", BERLIN)),)


@given(
    _hours,
    _zones,
    _instants,
    st.integers(1, 200),
    st.lists(st.sampled_from([1, 2, 3, 6, 12, 24, 48, 72]), unique=True),
)
def test_no_reminder_comes_in_quiet_hours_or_late_or_twice_at_once(
    hours: Any, zone: Any, now: Any, ahead: Any, chosen: Any
) -> None:
    deadline = now + timedelta(hours=ahead)
    quiet = QuietHours(*hours)
    found = reminder_times(deadline, tuple(chosen), now, quiet=quiet, zone=zone)
    times = [when for _, when in found]
    assert len(set(times)) == len(times)
    assert {each for each, _ in found} <= set(chosen)
    for when in times:
        assert now < when < deadline
        assert quiet.until(when, zone) is None


def test_a_name_that_several_zones_have_is_asked_about() -> None:
    with pytest.raises(UserError) as caught:
        find_zone("West")
    assert caught.value.code == "zone_unclear"
    assert caught.value.params["allowed"] == "Australia/West, Brazil/West"


def test_where_clocks_go_by_half_hours_quiet_hours_begin_when_their_hour_does() -> None:
    """On Lord Howe Island two o'clock comes at half past, when summer begins."""
    island = "Australia/Lord_Howe"
    began = QuietHours(2, 5).began(datetime(2026, 10, 3, 15, 45, tzinfo=UTC), island)
    assert began == datetime(2026, 10, 3, 15, 30, tzinfo=UTC)
    assert began.astimezone(ZoneInfo(island)).strftime("%H:%M") == "02:30"


_DAY_OF_MINUTES = 24 * 60
_QUARTER = timedelta(minutes=15)


@cache
def _changes() -> tuple[tuple[str, datetime], ...]:
    """Every change of a clock in 2026 and 2027 once, with a zone that makes it."""
    found: dict[tuple[object, ...], tuple[str, datetime]] = {}
    quarters = [datetime(2026, 1, 1, tzinfo=UTC) + each * _QUARTER for each in range(2 * 365 * 96)]
    days = quarters[::96]
    for name in zones().values():
        there = ZoneInfo(name)
        for begin, end in pairwise(days):
            was, will = begin.astimezone(there).utcoffset(), end.astimezone(there).utcoffset()
            if was == will:
                continue
            first = next(
                begin + each * _QUARTER
                for each in range(1, 97)
                if (begin + each * _QUARTER).astimezone(there).utcoffset() != was
            )
            found.setdefault((first, was, will), (name, first))
    return tuple(found.values())


@pytest.mark.slow
@pytest.mark.long
def test_quiet_hours_of_every_night_in_which_a_clock_changes_go_by_the_clock() -> None:
    """Looked at minute by minute, in every zone that there is."""
    assert len({name for name, _ in _changes()}) > 20
    for name, change in _changes():
        there = ZoneInfo(name)
        start = change.replace(second=0) - timedelta(days=1)
        wall = [
            (start + timedelta(minutes=each)).astimezone(there)
            for each in range(3 * _DAY_OF_MINUTES)
        ]
        hours = [each.hour for each in wall]
        for hour in range(24):
            for length in (1, 2, 9):
                quiet, end = QuietHours(hour, (hour + length) % 24), (hour + length) % 24
                covered = {(hour + each) % 24 for each in range(length)}
                for minute in (0, 20, 59):
                    now = _DAY_OF_MINUTES - 60 + minute
                    if hours[now] not in covered:
                        continue
                    over = next(at for at in range(now, len(hours)) if hours[at] not in covered)
                    began = next(at for at in range(now, -1, -1) if hours[at] not in covered) + 1
                    asked = start + timedelta(minutes=now)
                    told = (name, change, hour, end, minute)
                    assert quiet.until(asked, name) == start + timedelta(minutes=over), told
                    assert quiet.began(asked, name) == start + timedelta(minutes=began), told


@pytest.mark.slow
@pytest.mark.long
def test_an_hour_of_every_day_on_which_a_clock_changes_comes_when_the_clock_reaches_it() -> None:
    for name, change in _changes():
        there = ZoneInfo(name)
        start = change - timedelta(hours=12)
        now = start.astimezone(there)
        minutes = [
            (start + timedelta(minutes=each)).astimezone(there)
            for each in range(1, 2 * _DAY_OF_MINUTES + 120)
        ]
        for hour in range(24):
            day = now.date() if now.hour < hour else now.date() + timedelta(days=1)
            expected = next(
                each
                for each in minutes
                if each.date() > day or (each.date() == day and each.hour >= hour)
            )
            assert next_at_hour(hour, name, start) == expected.astimezone(UTC), (name, change, hour)
