"""Pairing and points of an arena; the rungs of a ladder."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

from bot.tournaments.domain import challenges, directing, registration, undoing
from bot.tournaments.domain.crosstable import DRAW, LOSS, WIN
from bot.tournaments.domain.formats.open_ended import (
    INACTIVE,
    Waiting,
    after_decline,
    after_inactivity,
    after_result,
    arena_places,
    arena_points,
    pair_free,
)
from tests.tournaments.events_made import NOW
from tests.tournaments.scenario import Scenario


def _waits(number: int, points: int = 0, last: int | None = None, **about: int) -> Waiting:
    return Waiting(number, points, NOW + timedelta(seconds=number), last, **about)


def test_the_free_are_paired_near_in_score_and_not_just_met() -> None:
    # 1 and 2 have just met, as 3 and 4.
    free = [_waits(1, 4, 2), _waits(2, 4, 1), _waits(3, 2, 4), _waits(4, 2, 3), _waits(5, 0)]
    assert pair_free(free) == ((3, 1), (4, 2))
    assert pair_free([_waits(1, 4), _waits(2, 0), _waits(3, 3)]) == ((3, 1),)
    # Of equals who has waited longest; the one with fewer first moves begins.
    assert pair_free([_waits(1, 4), _waits(5, 2), _waits(4, 2)]) == ((4, 1),)
    assert pair_free([_waits(1, 4, firsts=-1), _waits(4, 2, firsts=1)]) == ((1, 4),)
    # Two alone play again; a third who can play neither waits.
    assert pair_free([_waits(1, 4, 2), _waits(2, 2, 1)]) == ((2, 1),)
    assert pair_free([_waits(1, 4, 2), _waits(2, 2, 1), _waits(3, 0, 1)]) == ((3, 2),)
    assert pair_free([_waits(1)]) == ()


def test_two_wins_running_double_what_follows_until_a_game_is_not_won() -> None:
    found = arena_points([WIN, WIN, WIN, DRAW, WIN, LOSS, WIN, WIN])
    assert found == (2, 2, 4, 2, 2, 0, 2, 2)
    assert arena_places(
        {1: arena_points([WIN]), 2: arena_points([WIN, LOSS]), 3: arena_points([WIN])}
    ) == ((1, 1), (1, 3), (3, 2))


def test_results_refusals_and_idleness_move_the_rungs() -> None:
    rungs = (1, 2, 3, 4)
    win, loss, half = Fraction(1), Fraction(0), Fraction(1, 2)
    assert after_result(rungs, (2, 4), (loss, win)) == (1, 4, 2, 3)
    assert after_result(rungs, (4, 2), (win, loss)) == (1, 4, 2, 3)
    assert after_result(rungs, (2, 4), (win, loss)) == rungs
    assert after_result(rungs, (2, 4), (half, half)) == rungs
    assert after_result(rungs, (2, 9), (loss, win)) == rungs
    assert after_decline(rungs, 3, 1, 1) == rungs
    assert after_decline(rungs, 3, 1, 2) == (3, 1, 2, 4)
    idle = {1: NOW - INACTIVE, 2: NOW, 3: NOW - INACTIVE, 4: NOW - INACTIVE}
    assert after_inactivity(rungs, idle, NOW) == (2, 1, 3, 4)
    assert after_inactivity(rungs, {}, NOW) == rungs


def test_who_has_not_played_sinks_but_not_while_a_pause_lasts_or_once_the_ladder_is_over() -> None:
    event = Scenario("ladder 4")
    entered = challenges.last_played(event.events)
    last = dict.fromkeys((1, 2, 3), event.at) | {4: event.at + timedelta(days=1)}
    event.at += INACTIVE
    sunk = challenges.sink(event.t, event.act(), last)
    assert sunk is not None
    assert sunk.tournament.by_rung == (4, 1, 2, 3), "each who is idle, below the one who is not"
    assert challenges.sink(sunk.tournament, event.act(), dict.fromkeys(last, event.at)) is None
    event.direct(registration.withdraw, 2)
    event.direct(undoing.undo, list(event.events), len(event.events))
    assert challenges.last_played(event.events) == {**entered, 2: event.at}
    for stop in (directing.pause, directing.cancel):
        event.do(stop)
        assert challenges.sink(event.t, event.act(), last) is None
