"""How days of vacation are counted, held against going through them one by one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import hypothesis.strategies as st
from hypothesis import given

from bot.domain.vacation import DAY, Vacation, days_left, longest, used

NEW_YEAR = datetime(2027, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)

hours = st.integers(-60 * 24, 60 * 24).map(lambda count: NEW_YEAR + timedelta(hours=count))
lengths = st.integers(0, 24 * 40).map(lambda count: timedelta(hours=count))


@st.composite
def lives(draw: Any) -> Any:
    """Vacations of a player, one after another."""
    at, found = draw(hours), []
    for _ in range(draw(st.integers(0, 4))):
        end = at + draw(lengths)
        found.append(Vacation(at, end))
        at = end + draw(lengths)
    return found, at


@given(lives())
def test_each_day_that_has_begun_counts_for_the_year_in_which_it_begins(life: Any) -> None:
    vacations, _ = life
    counted = used(vacations)
    for year in (2026, 2027):
        days = 0
        for each in vacations:
            day = each.began_at
            while day < each.ends_at:
                days += day.year == year
                day += DAY
        assert counted[year] == days
        assert days_left(vacations, 30, datetime(year, 6, 1, tzinfo=UTC)) == max(0, 30 - days)


@given(lives(), st.integers(0, 60))
def test_the_longest_vacation_takes_what_is_left(life: Any, allowance: Any) -> None:
    vacations, at = life
    days = longest(vacations, allowance, at)
    before = used(vacations)
    if days:
        after = used([*vacations, Vacation(at, at + days * DAY)])
        assert all(after[year] <= max(allowance, before[year]) for year in after)
    more = used([*vacations, Vacation(at, at + (days + 1) * DAY)])
    assert any(more[year] > allowance for year in more) or days > allowance


def test_one_is_on_vacation_from_its_first_instant_to_its_last() -> None:
    vacation = Vacation(NEW_YEAR, NEW_YEAR + 2 * DAY)
    last = NEW_YEAR + 2 * DAY - timedelta.resolution
    assert vacation.lasts(last)
    assert not vacation.lasts(NEW_YEAR + 2 * DAY)
    assert vacation.lasts(NEW_YEAR - DAY), "nobody plans one: the machine's clock was put back"
    assert vacation.covers(NEW_YEAR)
    assert vacation.covers(last)
    assert not vacation.covers(NEW_YEAR + 2 * DAY)
    assert not vacation.covers(NEW_YEAR - timedelta.resolution)


def test_a_day_ended_early_counts_and_one_not_begun_does_not() -> None:
    assert Vacation(NEW_YEAR, NEW_YEAR + DAY + SECOND).days == 2
    assert Vacation(NEW_YEAR, NEW_YEAR + DAY).days == 1
    assert Vacation(NEW_YEAR, NEW_YEAR + SECOND).days == 1
    assert Vacation(NEW_YEAR, NEW_YEAR).days == 0
    assert Vacation(NEW_YEAR, NEW_YEAR - DAY).days == 0


def test_a_vacation_over_new_year_takes_days_of_both_years() -> None:
    begins = NEW_YEAR - 10 * DAY
    assert longest([], 30, begins) == 10 + 30
    spent = [Vacation(begins - 30 * DAY, begins)]
    assert longest(spent, 30, begins) == 0
    assert longest(spent, 30, NEW_YEAR) == 30
    assert longest([], 0, begins) == 0
    honolulu = datetime(2026, 12, 31, 20, tzinfo=timezone(timedelta(hours=-10)))
    assert used([Vacation(honolulu, honolulu + DAY)]) == {2027: 1}, "years are those of UTC"


def test_nobody_is_on_vacation_for_ever_where_every_day_is_one() -> None:
    assert 366 < longest([], 366, NEW_YEAR) < 1000
