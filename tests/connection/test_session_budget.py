"""However a bot fails, it begins fewer sessions in a day than Discord permits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.connection.domain.session_budget import (
    BUDGET,
    DEPOSIT,
    GIVEN_BACK,
    SessionBudget,
    ask_turn,
    latest,
    queue_of,
)

START = datetime(2026, 3, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)
NOTHING = timedelta()


class Starts:
    """Session starts as fast as they are allowed, over some days."""

    def __init__(self, *, total: int = 1000, by_hand: bool = False) -> None:
        self.budget = SessionBudget(total)
        self.by_hand = by_hand
        self.now = START
        self.full_at: datetime | None = None
        self.made: list[datetime] = []

    def make(self, cost: int, given_back: int = 0) -> None:
        self.now = self.budget.free_at(self.full_at, self.now, cost, by_hand=self.by_hand)
        self.full_at = self.budget.spend(self.full_at, self.now, cost)
        self.made.append(self.now)
        if given_back:
            self.full_at = self.budget.spend(self.full_at, self.now, -given_back)

    def most_in_a_day(self) -> int:
        return max(
            sum(first <= each < first + DAY for each in self.made[number:])
            for number, first in enumerate(self.made)
        )


def test_a_process_that_dies_before_it_is_ready_begins_fewer_than_100_sessions_a_day() -> None:
    starts = Starts()
    while starts.now < START + 4 * DAY:
        starts.make(DEPOSIT)
        starts.now += SECOND
    assert starts.most_in_a_day() < 100
    assert len(starts.made) > 4 * 40, "and yet it is tried again and again"


@pytest.mark.parametrize("by_hand", [False, True])
def test_starts_over_and_over_leave_some_sessions(by_hand: bool) -> None:
    starts = Starts(by_hand=by_hand)
    while starts.now < START + 3 * DAY:
        starts.make(DEPOSIT, GIVEN_BACK)
        starts.now += 5 * SECOND
    assert starts.most_in_a_day() <= (950 if by_hand else 900)


def test_a_gateway_that_refuses_for_hours_is_asked_twice_a_minute() -> None:
    starts = Starts()
    starts.make(DEPOSIT)
    while starts.now < START + timedelta(hours=4):
        before = starts.now + 30 * SECOND
        starts.now = before
        starts.make(1)
        assert starts.now == before, "it need not wait for the budget"
    while starts.now < START + 3 * DAY:
        starts.now += 30 * SECOND
        starts.make(1)
    assert starts.most_in_a_day() <= 900


def test_a_start_by_hand_finds_something_left() -> None:
    starts = Starts()
    for _ in range(60):
        starts.make(DEPOSIT)
    now, full_at = starts.now, starts.full_at
    assert starts.budget.left(full_at, now) == 0
    assert starts.budget.free_at(full_at, now, DEPOSIT) > now
    assert starts.budget.left(full_at, now, by_hand=True) >= 5 * DEPOSIT - 1
    assert starts.budget.free_at(full_at, now, DEPOSIT, by_hand=True) == now


def test_a_larger_bot_may_begin_more() -> None:
    assert SessionBudget(4000).left(None, START) == 4 * SessionBudget(1000).left(None, START)


def test_an_instant_of_a_clock_that_was_put_back_is_not_waited_for() -> None:
    budget = SessionBudget()
    far = START + 400 * DAY
    assert budget.free_at(far, START, 1) - START <= budget.each
    assert budget.free_at(far, START, 1, by_hand=True) == START
    assert budget.spend(far, START, 1) <= START + budget.size * budget.each
    moments, turn = ask_turn(
        {"queue 0": far}, START, budget, cost=1, queue="queue 0", between=6 * SECOND
    )
    assert turn.is_granted
    assert turn.at == START
    assert moments["queue 0"] == START + 6 * SECOND


@given(
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(1, DEPOSIT)), max_size=200),
    st.booleans(),
)
def test_what_may_be_spent_is_granted(steps: list[tuple[int, int]], by_hand: bool) -> None:
    budget, now, full_at = SessionBudget(100), START, None
    spent: list[tuple[datetime, int]] = []
    for seconds, cost in steps:
        now += timedelta(seconds=seconds)
        at = budget.free_at(full_at, now, cost, by_hand=by_hand)
        assert at >= now
        if at > now:
            assert budget.left(full_at, now, by_hand=by_hand) < cost
            # An instant is whole microseconds.
            now = at + timedelta(microseconds=1)
            assert budget.left(full_at, now, by_hand=by_hand) >= cost
        full_at = budget.spend(full_at, now, cost)
        spent.append((now, cost))
    for first, _ in spent:
        day = sum(cost for at, cost in spent if first <= at < first + DAY)
        assert day <= (95 if by_hand else 90)


def test_turns_of_one_queue_are_apart_and_others_do_not_wait() -> None:
    between = 6 * SECOND
    moments: dict[str, datetime] = {}
    turns = []
    for shard in range(6):
        moments, turn = ask_turn(  # type: ignore[assignment]
            moments, START, SessionBudget(), cost=1, queue=queue_of(shard, 2), between=between
        )
        turns.append(turn.at - START)
    assert turns == [NOTHING, NOTHING, between, between, 2 * between, 2 * between]
    assert BUDGET not in moments, "a turn costs nothing until it is taken"


def test_while_the_budget_is_used_up_there_are_no_turns() -> None:
    budget = SessionBudget()
    used = {BUDGET: START + budget.size * budget.each}
    moments, turn = ask_turn(used, START, budget, cost=1, queue="queue 0", between=SECOND)
    assert not turn.is_granted
    assert turn.at == budget.free_at(used[BUDGET], START, 1) > START
    assert moments == used


def test_what_is_remembered_in_two_places_is_the_later_of_both() -> None:
    one = {"a": START, "b": START + SECOND}
    other = {"b": START, "c": START}
    assert latest(one, other) == {"a": START, "b": START + SECOND, "c": START}
