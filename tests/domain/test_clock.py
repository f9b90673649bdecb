"""The arithmetic of clocks, held against counting every minute by itself."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given, settings

from bot.domain.clock import (
    LONGEST,
    Span,
    TimeControl,
    Times,
    Vacations,
    begin,
    credit,
    deadline,
    hand,
    lived,
    merged,
    pause,
    rest,
    resume,
    spent,
    switch,
)
from tests.support.not_none import not_none

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
FRIDAY = datetime(2026, 3, 6, 12, tzinfo=UTC)

instants = st.integers(0, 60 * 24 * 40).map(lambda count: FRIDAY - 10 * DAY + count * MINUTE)
spans = st.builds(lambda a, b: Span(min(a, b), max(a, b)), instants, instants)
standstills = st.lists(spans, max_size=4).map(tuple)
lengths = st.integers(1, 60 * 24 * 14).map(lambda count: count * MINUTE)


@st.composite
def controls(draw: Any) -> Any:
    bank = draw(lengths)
    weekends = bank >= DAY and draw(st.booleans())
    rule = draw(st.sampled_from(Vacations)) if bank >= DAY else Vacations.ALLOWED
    if draw(st.booleans()):
        return TimeControl(bank, per_move=True, weekends_off=weekends, vacations=rule)
    cap = draw(st.none() | st.integers(0, 5000).map(lambda count: bank + count * MINUTE))
    return TimeControl(bank, draw(lengths), cap, weekends_off=weekends, vacations=rule)


def counts(control: TimeControl, at: datetime, stopped_spans: tuple[Span, ...]) -> bool:
    """Whether the minute that begins at an instant counts."""
    if control.weekends_off and at.weekday() >= 5:
        return False
    return not any(span.start <= at < span.end for span in stopped_spans)


def counted(
    control: TimeControl, start: datetime, end: datetime, stopped_spans: tuple[Span, ...]
) -> int:
    minutes = int((end - start) / MINUTE)
    return sum(counts(control, start + number * MINUTE, stopped_spans) for number in range(minutes))


def running(control: TimeControl, start: datetime, left: timedelta | None = None) -> Times:
    return Times((control.bank if left is None else left, control.bank), 0, start)


@settings(max_examples=60)
@given(controls(), instants, st.integers(0, 3000), standstills)
def test_the_time_that_counts_is_that_of_every_minute_outside_weekends_and_standstills(
    control: Any, start: Any, minutes: Any, stopped_spans: Any
) -> None:
    end = start + minutes * MINUTE
    assert (
        spent(control, start, end, stopped_spans)
        == counted(control, start, end, stopped_spans) * MINUTE
    )


@pytest.mark.long
@given(instants, instants, standstills)
def test_what_is_lived_is_all_but_standstills(start: Any, end: Any, stopped_spans: Any) -> None:
    assume(start <= end)
    everything = TimeControl(DAY, per_move=True)
    assert (
        lived(start, end, stopped_spans) == counted(everything, start, end, stopped_spans) * MINUTE
    )


@given(controls(), instants, standstills)
def test_a_deadline_is_when_all_has_been_used(control: Any, start: Any, stopped_spans: Any) -> None:
    times = running(control, start)
    at = not_none(deadline(control, times, stopped_spans))
    assert spent(control, start, at, stopped_spans) == control.bank
    # Or the end of a standstill that began just then.
    first = spent(control, start, at - timedelta(microseconds=1), stopped_spans) < control.bank
    assert first or at in {span.end for span in merged(stopped_spans)}


def test_a_standstill_that_begins_at_the_deadline_puts_it_off() -> None:
    control = TimeControl(10 * MINUTE, per_move=True)
    at = FRIDAY + 10 * MINUTE
    away = Span(at, at + HOUR)
    assert deadline(control, running(control, FRIDAY), (away,)) == at + HOUR
    later = Span(at + MINUTE, at + HOUR)
    assert deadline(control, running(control, FRIDAY), (later,)) == at
    over = Span(FRIDAY - HOUR, FRIDAY)
    assert deadline(control, running(control, FRIDAY), (over, away)) == at + HOUR


@given(controls(), instants, standstills)
def test_standstills_only_put_deadlines_off(control: Any, start: Any, stopped_spans: Any) -> None:
    times = running(control, start)
    plain = not_none(deadline(control, times))
    later = not_none(deadline(control, times, stopped_spans))
    longest = sum((span.end - span.start for span in merged(stopped_spans)), timedelta())
    assert plain <= later
    assert control.weekends_off or later <= plain + longest


def test_a_standstill_from_when_the_time_ran_out_gives_back_what_was_overdrawn() -> None:
    # Time ran out a second before an outage, and vacation began by itself there after it.
    control, up, second = TimeControl(2 * DAY, per_move=True), FRIDAY, timedelta(seconds=1)
    times = running(control, up, -second)
    over = deadline(control, times)
    assert over == up - second
    vacation = Span(over, up + 2 * DAY)
    assert deadline(control, times, [vacation]) == vacation.end
    assert credit(control, times, [vacation]) == running(control, vacation.end, timedelta())
    later = Span(over + second / 2, vacation.end)
    assert deadline(control, times, [later]) == over
    longer = Span(up - DAY, up + second)  # The outage again, which was not over yet.
    assert credit(control, times, [longer]) == running(control, longer.end, -second)
    assert credit(control, times, [longer, vacation]) == running(control, vacation.end, timedelta())


@given(controls(), instants, standstills)
def test_giving_back_moves_the_deadline(control: Any, start: Any, stopped_spans: Any) -> None:
    times = running(control, start)
    wanted = deadline(control, times, stopped_spans)
    back = credit(control, times, stopped_spans)
    assume(not stopped_spans or wanted > max(span.end for span in stopped_spans))
    assert deadline(control, back) == wanted
    assert credit(control, back, stopped_spans) == back, "what was given back is not given twice"


@given(controls(), instants, lengths, standstills)
def test_a_turn_costs_and_earns(control: Any, start: Any, took: Any, stopped_spans: Any) -> None:
    times = running(control, start)
    after = switch(control, times, start + took, 1, stopped_spans)
    assert after.running == 1
    assert after.since == start + took
    assert after.left[1] == control.bank, "whose turn it is not is not touched"
    if control.per_move:
        assert after.left[0] == control.bank
        return
    used = spent(control, start, start + took, stopped_spans)
    rest = max(timedelta(), control.bank - used)
    assert after.left[0] == min(rest + control.increment, control.cap or LONGEST)
    assert after.left[0] <= control.most


@given(controls(), instants, lengths, lengths)
def test_a_pause_costs_nothing(control: Any, start: Any, before: Any, pausing: Any) -> None:
    times = running(control, start)
    assume(before < spent(control, start, start + before) + MINUTE)
    assume(before < control.bank)
    stopped = pause(control, times, start + before)
    assert stopped.is_paused
    assert deadline(control, stopped) is None
    assert pause(control, stopped, start + before + pausing) == stopped
    again = resume(stopped, start + before + pausing)
    assert again.running == 0
    late = deadline(control, again)
    assert spent(control, start + before + pausing, not_none(late)) == stopped.left[0]
    assert switch(control, stopped, start + before + pausing, 1).left == (
        switch(control, times, start + before, 1).left
    )


@given(controls(), instants, lengths)
def test_a_clock_put_back_takes_nothing(control: Any, start: Any, back: Any) -> None:
    times = running(control, start)
    assert spent(control, start, start - back) == timedelta()
    assert switch(control, times, start - back, 1).left == switch(control, times, start, 1).left
    assert deadline(control, times) > start - back


@given(standstills)
def test_merged_spans_are_in_order_apart_and_hold_the_same_minutes(stopped_spans: Any) -> None:
    found = merged(stopped_spans)
    for first, second in itertools.pairwise(found):
        assert first.end < second.start
    for span in stopped_spans:
        if span.start < span.end:
            assert any(each.start <= span.start and span.end <= each.end for each in found)
    edges = {span.start for span in stopped_spans} | {span.end for span in stopped_spans}
    assert {each.start for each in found} | {each.end for each in found} <= edges


def test_a_weekend_ends_a_friday_and_begins_a_monday() -> None:
    control = TimeControl(DAY, per_move=True, weekends_off=True)
    assert deadline(control, running(control, FRIDAY)) == FRIDAY + 3 * DAY
    monday = datetime(2026, 3, 9, tzinfo=UTC)
    for hours in (0, 13, 30, 47):
        within = monday - timedelta(hours=hours)
        assert deadline(control, running(control, within)) == monday + DAY
    thursday = datetime(2026, 3, 5, tzinfo=UTC)
    assert deadline(control, running(control, thursday + DAY)) == thursday + 2 * DAY


def test_summer_time_neither_gives_nor_takes_an_hour() -> None:
    control = TimeControl(DAY, per_move=True)
    berlin = ZoneInfo("Europe/Berlin")
    for start in (
        datetime(2026, 3, 28, 20, tzinfo=berlin),
        datetime(2026, 10, 24, 20, tzinfo=berlin),
    ):
        at = deadline(control, running(control, start.astimezone(UTC)))
        assert not_none(at) - start.astimezone(UTC) == DAY
        assert not_none(at).astimezone(berlin).hour in (19, 21)


def test_everybody_begins_with_the_bank_and_one_clock_runs() -> None:
    control = TimeControl(DAY, HOUR)
    assert begin(control, 3, 1, FRIDAY) == Times((DAY, DAY, DAY), 1, FRIDAY)
    assert begin(control, 2, None, FRIDAY) == Times((DAY, DAY))
    assert deadline(control, begin(control, 2, None, FRIDAY)) is None


def test_where_no_clock_runs_nothing_is_taken_or_given_back() -> None:
    control = TimeControl(HOUR, MINUTE)
    still = Times((HOUR, MINUTE), None, None)
    stopped_spans = (Span(FRIDAY, FRIDAY + DAY),)
    assert credit(control, still, stopped_spans) == still
    begun = switch(control, still, FRIDAY, 1)
    assert begun == Times((HOUR, MINUTE), 1, FRIDAY)


def test_after_the_end_no_clock_runs() -> None:
    control = TimeControl(DAY, HOUR)
    over = switch(control, running(control, FRIDAY), FRIDAY + HOUR, None)
    assert (over.running, over.since, deadline(control, over)) == (None, None, None)
    assert over.left[0] == DAY


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"bank": 59 * timedelta(seconds=1)}, "range"),
        ({"bank": timedelta()}, "range"),
        ({"bank": -DAY}, "range"),
        ({"bank": LONGEST + DAY}, "range"),
        ({"bank": 91 * DAY, "per_move": True}, "range"),
        ({"bank": DAY, "increment": -HOUR}, "range"),
        ({"bank": DAY, "increment": 31 * DAY}, "range"),
        ({"bank": DAY, "increment": HOUR, "per_move": True}, "range"),
        ({"bank": DAY, "cap": DAY, "per_move": True}, "range"),
        ({"bank": DAY + timedelta(microseconds=1)}, "range"),
        ({"bank": DAY, "cap": HOUR}, "cap"),
        ({"bank": DAY, "cap": LONGEST + DAY}, "range"),
        ({"bank": HOUR, "weekends_off": True}, "weekends"),
    ],
)
def test_a_clock_that_cannot_be_is_refused(fields: dict[str, Any], code: str) -> None:
    with pytest.raises(ValueError, match=f"^{code}$"):
        TimeControl(**fields)


# ---- vacations: standstills that are known before they are over ----------------------------------


@given(controls(), instants, lengths, lengths)
def test_a_vacation_leaves_what_was_left(control: Any, start: Any, used: Any, lasts: Any) -> None:
    times = running(control, start)
    at = min(start + used, deadline(control, times))
    left = control.bank - spent(control, start, at)
    away = credit(control, times, (Span(at, at + lasts),))
    assert away.since == at + lasts
    assert away.left[0] == left
    assert deadline(control, away) == max(
        at + lasts, deadline(control, running(control, at + lasts, left))
    )


@given(controls(), instants, lengths, st.integers(0, 60 * 24 * 14), standstills)
def test_a_clock_that_stands_ahead_loses_nothing_however_the_turn_goes_on(
    control: Any, start: Any, lasts: Any, minutes: Any, stopped_spans: Any
) -> None:
    at = start + minutes * MINUTE
    away = rest(running(control, start), start, start + lasts)
    for later in (
        pause(control, away, at, stopped_spans),
        switch(control, away, at, 1, stopped_spans),
    ):
        counts_from = max(start + lasts, start)
        used = spent(control, counts_from, at, stopped_spans)
        left = max(timedelta(), control.bank - used)
        added = control.bank if control.per_move else min(left + control.increment, control.most)
        assert later.left[0] == (added if later.running == 1 else left)


@given(controls(), instants, lengths, lengths)
def test_back_early_a_clock_runs_on(control: Any, start: Any, lasts: Any, comes_back: Any) -> None:
    away = rest(running(control, start), start, start + lasts)
    at = start + comes_back
    back = rest(away, at, at)
    assert back == running(control, at)
    assert rest(away, start, start + lasts) == away


def test_a_clock_that_nobody_has_or_that_is_paused_does_not_rest() -> None:
    control = TimeControl(DAY)
    for times in (
        begin(control, 2, None, FRIDAY),
        pause(control, running(control, FRIDAY), FRIDAY),
    ):
        assert rest(times, FRIDAY, FRIDAY + DAY) == times


def test_a_vacation_that_ends_on_a_saturday_leaves_the_weekend() -> None:
    control = TimeControl(2 * DAY, per_move=True, weekends_off=True)
    friday = FRIDAY.replace(hour=0)
    away = rest(running(control, friday), friday, friday + 1.5 * DAY)
    assert deadline(control, away) == friday + 5 * DAY


def test_vacations_are_for_clocks_that_begin_with_a_day_or_more() -> None:
    assert TimeControl(DAY).may_rest
    assert TimeControl(DAY, vacations=Vacations.AUTOMATIC).may_rest
    assert not TimeControl(DAY, vacations=Vacations.NEVER).may_rest
    assert not TimeControl(DAY - MINUTE).may_rest
    with pytest.raises(ValueError, match="vacation"):
        TimeControl(DAY - MINUTE, vacations=Vacations.AUTOMATIC)


def test_a_clock_handed_to_its_own_player_goes_on_though_every_turn_has_its_own_time() -> None:
    control = TimeControl(DAY, per_move=True)
    handed = hand(control, running(control, FRIDAY), FRIDAY + HOUR, 0)
    assert handed.left[0] == DAY - HOUR
