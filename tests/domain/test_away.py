"""Who is away: what a vacation takes of a year, how a clock is for it, what it does to one."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain import match_clock, play, request_rules
from bot.domain.clock import Span, TimeControl, Times, Vacations, rest
from bot.domain.clock_text import read_clock, write_clock
from bot.domain.events import CommandContext, EventKind, OnVacation
from bot.domain.match import Actor
from bot.domain.requests import RequestKind
from bot.domain.vacation import Vacation, days_left, longest, used
from bot.errors import UserError
from tests.domain.people import accepted, at, offered
from tests.domain.test_history import Line
from tests.kit import ANN, BOB, CYD, START

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
CHRISTMAS = datetime(2026, 12, 24, 18, tzinfo=UTC)
SUMMER = datetime(2026, 7, 1, tzinfo=UTC)
EACH = TimeControl(3 * DAY, per_move=True)

instants = st.integers(0, 800 * 24).map(lambda hours: START + hours * HOUR)
vacations = st.lists(
    st.builds(
        lambda begin, hours: Vacation(begin, begin + hours * HOUR), instants, st.integers(0, 999)
    ),
    max_size=4,
)


def of(began_at: datetime, days: int) -> Vacation:
    return Vacation(began_at, began_at + days * DAY)


# ---- days --------------------------------------------------------------------------------------


def test_one_is_on_vacation_from_its_first_instant_to_its_last() -> None:
    vacation = of(SUMMER, 2)
    assert vacation.lasts(SUMMER + 2 * DAY - timedelta.resolution)
    assert not vacation.lasts(SUMMER + 2 * DAY)
    assert vacation.lasts(SUMMER - HOUR), "nobody plans one: the machine's clock was put back"
    assert vacation.covers(SUMMER)
    assert vacation.covers(SUMMER + 2 * DAY - timedelta.resolution)
    assert not vacation.covers(SUMMER + 2 * DAY)
    assert not vacation.covers(SUMMER - timedelta.resolution)


@pytest.mark.parametrize(
    ("length", "days"),
    [
        (timedelta(), 0),
        (-DAY, 0),
        (timedelta.resolution, 1),
        (DAY, 1),
        (DAY + timedelta.resolution, 2),
        (30 * DAY, 30),
    ],
)
def test_a_day_counts_once_it_has_begun(length: timedelta, days: int) -> None:
    assert Vacation(SUMMER, SUMMER + length).days == days


def test_a_day_counts_for_the_year_in_which_it_begins_in_utc() -> None:
    assert used([of(CHRISTMAS, 10)]) == {2026: 8, 2027: 2}
    honolulu = datetime(2026, 12, 31, 20, tzinfo=timezone(timedelta(hours=-10)))
    assert used([of(honolulu, 1)]) == {2027: 1}
    assert used([of(SUMMER, 3), of(CHRISTMAS, 10), of(SUMMER, 0)]) == {2026: 11, 2027: 2}


def test_what_is_left_of_a_year_is_not_carried_over_and_never_less_than_nothing() -> None:
    taken = [of(CHRISTMAS, 10)]
    assert days_left(taken, 30, SUMMER) == 22
    assert days_left(taken, 30, CHRISTMAS + 20 * DAY) == 28
    assert days_left(taken, 5, SUMMER) == 0, "the host has given fewer since"
    assert days_left(taken, 30, SUMMER + 800 * DAY) == 30


def test_a_vacation_goes_on_into_the_next_year_if_the_days_of_this_one_last_until_then() -> None:
    assert longest([], 30, SUMMER) == 30
    assert longest([], 30, CHRISTMAS) == 8 + 30
    assert longest([of(SUMMER, 25)], 30, CHRISTMAS) == 5
    assert longest([], 0, SUMMER) == 0


def test_whose_year_is_all_vacation_still_has_an_end_to_it() -> None:
    assert 366 < longest([], 366, SUMMER) < 1000


@given(vacations, st.integers(0, 40), instants)
def test_the_longest_vacation_takes_no_more_than_there_is_and_one_day_more_would(
    taken: Any, allowance: Any, began_at: Any
) -> None:
    days = longest(taken, allowance, began_at)
    before = used(taken)

    def fits(count: Any) -> Any:
        whole = used([*taken, of(began_at, count)])
        return all(whole[year] <= max(allowance, before[year]) for year in whole)

    assert fits(days)
    assert not fits(days + 1)


# ---- clocks ------------------------------------------------------------------------------------


def test_a_vacation_stops_the_clocks_of_correspondence_unless_it_is_ruled_out() -> None:
    assert EACH.may_rest
    assert TimeControl(DAY, HOUR, vacations=Vacations.AUTOMATIC).may_rest
    assert not TimeControl(DAY, HOUR, vacations=Vacations.NEVER).may_rest
    assert not TimeControl(DAY - HOUR, HOUR).may_rest, "that is for one sitting"
    for rule in (Vacations.NEVER, Vacations.AUTOMATIC):
        with pytest.raises(ValueError, match="vacation"):
            TimeControl(HOUR, vacations=rule)


def test_a_clock_that_is_paused_stays_so_while_its_player_is_away() -> None:
    paused = Times((DAY, DAY), 0, None)
    assert rest(paused, SUMMER, SUMMER + 3 * DAY) == paused


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("3d, no vacation", "3d/move, no vacation"),
        ("3 days without vacations", "3d/move, no vacation"),
        ("7d+1d max 14d automatic vacation", "7d+1d max 14d, automatic vacation"),
        ("3d vacations begin by themselves", "3d/move, automatic vacation"),
        ("3d with vacation", "3d/move"),
        ("3d, vacation off, weekends off", "3d/move, weekends off, no vacation"),
        ("3d no weekends (no vacation)", "3d/move, weekends off, no vacation"),
        ("10m+5s no vacation", "10m+5s"),  # there is none in one sitting anyway
    ],
)
def test_people_may_say_with_the_clock_what_vacations_do_to_it(typed: str, meant: str) -> None:
    assert write_clock(read_clock(typed)) == meant
    assert write_clock(read_clock(meant)) == meant


def test_a_vacation_cannot_begin_by_itself_in_one_sitting() -> None:
    with pytest.raises(UserError) as caught:
        read_clock("2h with automatic vacation")
    assert caught.value.code == "clock_vacation"


def away(act: CommandContext, actor: Actor, until: datetime) -> CommandContext:
    return dataclasses.replace(act, away=(OnVacation(actor.user_id, until),))


def begun(clock: Any = EACH) -> Line:
    """A match in which Bob is on turn."""
    line = Line(offered(BOB, clock=clock)).then(accepted, BOB)
    return (
        line.then(play.move, at(10), ANN, text="a1")
        .then(play.move, at(20), BOB, text="b2")
        .then(play.move, at(30), ANN, text="c3")
    )


BACK = START + 10 * DAY


def test_a_clock_that_comes_to_a_player_on_vacation_stands_until_its_end() -> None:
    line = begun().then(play.move, away(at(3600), ANN, BACK), BOB, text="a2")
    assert line.match.times.since == BACK
    assert line.match.deadline == BACK + EACH.bank
    assert line.holds()
    other = begun().then(play.move, away(at(3600), BOB, BACK), BOB, text="a2")
    assert other.match.times.since == at(3600).at, "who has moved does not keep the clock"
    assert other.holds()


def test_a_vacation_that_is_over_already_stops_nothing() -> None:
    act = away(at(3600), ANN, START + timedelta(seconds=3600))
    line = begun().then(play.move, act, BOB, text="a2")
    assert line.match.times.since == act.at
    assert line.holds()


def test_a_vacation_that_ends_sooner_lets_the_clock_run_from_then_on() -> None:
    line = begun().then(play.move, away(at(3600), ANN, BACK), BOB, text="a2")
    sooner = START + 4 * DAY
    line.then(match_clock.credit, away(at(7200), ANN, sooner))
    assert line.events[-1].kind is EventKind.CREDITED
    assert line.match.deadline == sooner + EACH.bank
    assert match_clock.credit(line.match, away(at(7300), ANN, sooner)) is None, "nothing new"
    line.then(match_clock.credit, at(8000))
    assert line.match.deadline == at(8000).at + EACH.bank, "it is over at once"
    assert match_clock.credit(line.match, at(9000)) is None
    assert line.holds()


def test_a_vacation_that_begins_while_the_clock_runs_is_given_back_at_once() -> None:
    line = begun()
    before = line.match.deadline
    vacation = Span(at(3600).at, at(3600).at + 7 * DAY)
    line.then(match_clock.credit, dataclasses.replace(at(3600), stopped_spans=(vacation,)))
    assert line.match.deadline == before + 7 * DAY
    assert line.holds()


def test_a_vacation_that_begins_after_the_time_had_run_out_saves_nothing() -> None:
    match = begun().match
    late = match.deadline + HOUR
    act = at((late + HOUR - START).total_seconds())
    assert (
        match_clock.credit(
            match, dataclasses.replace(act, stopped_spans=(Span(late, late + 9 * DAY),))
        )
        is None
    )


def test_when_a_pause_ends_the_clock_of_a_player_on_vacation_stands() -> None:
    line = begun()
    line.then(request_rules.ask, at(100), ANN, RequestKind.PAUSE)
    line.then(request_rules.answer, at(200), BOB, RequestKind.PAUSE, accept=True)
    line.then(request_rules.resume, away(at(300), BOB, BACK), ANN)
    assert line.match.times.since == BACK
    assert line.holds()


def test_who_stands_beside_a_match_stops_no_clock_of_it_by_a_vacation() -> None:
    line = begun().then(play.move, away(at(3600), CYD, BACK), BOB, text="a2")
    assert line.match.times.since == at(3600).at
    assert line.holds()
