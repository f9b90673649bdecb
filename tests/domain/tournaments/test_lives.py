"""Whole events of every format, and what players and directors may do to them."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.domain.tournaments import directing, registration, running
from bot.domain.tournaments.crosstable import DRAW as HALF
from bot.domain.tournaments.crosstable import LOSS, Kind, Side
from bot.domain.tournaments.facts import Drawn, Entered, Fixture, How, Leaving
from bot.domain.tournaments.fold import HistoryBroken, add, replay
from bot.domain.tournaments.formats.base import Ask, Draw
from bot.domain.tournaments.formats.catalog import FORMATS
from bot.domain.tournaments.formats.open_ended import REMATCH, Arena, Ladder
from bot.domain.tournaments.formats.tables import PLACES
from bot.domain.tournaments.results import OnBoard
from bot.domain.tournaments.setup import FormatKey, Unfinished
from bot.domain.tournaments.tournament import TournamentStatus
from bot.errors import UserError
from tests.domain.tournaments.events_made import NOW, Event, a_setup

WHOLE = [
    (FormatKey.ROUND_ROBIN, 2, {}),
    (FormatKey.ROUND_ROBIN, 5, {"double": True}),
    (FormatKey.ROUND_ROBIN, 23, {}),
    (FormatKey.SWISS, 7, {"rounds": 3}),
    (FormatKey.SWISS, 12, {"rounds": 4}),
    (FormatKey.SWISS, 3, {"rounds": 5}),
    (FormatKey.SWISS, 7, {"rounds": 3, "both_sides": True}),
    (FormatKey.ROUND_ROBIN, 5, {"both_sides": True}),
    (FormatKey.KNOCKOUT, 7, {"both_sides": True, "best_of": 2, "third_place": True}),
    (FormatKey.KNOCKOUT, 5, {"best_of": 3, "third_place": True}),
    (FormatKey.KNOCKOUT, 11, {"double": True, "best_of": 2}),
    (FormatKey.KNOCKOUT, 2, {}),
    (FormatKey.TABLES, 16, {"rounds": 5, "final_table": True, "least": 4}),
    (FormatKey.TABLES, 6, {"rounds": 3, "least": 4}),
]


@pytest.mark.parametrize(("form", "size", "about"), WHOLE)
def test_an_event_goes_from_the_first_round_to_a_winner_and_every_game_counts_once(
    form: FormatKey, size: int, about: dict[str, Any]
) -> None:
    event = Event(a_setup(form, **about))
    event.begin(size)
    event.play_out()
    assert event.t.status is TournamentStatus.FINISHED
    places = FORMATS[form].places(event.t)
    assert sorted(each.number for each in places) == list(range(1, size + 1))
    assert places[0].number == 1 or form is FormatKey.TABLES
    assert places[0].rank == 1
    effort = FORMATS[form].effort(event.t.setup, size)
    assert len(event.t.rounds) <= effort.rounds
    assert len(event.t.games) <= effort.total
    assert replay(event.events) == event.t
    again = event.t.games[next(iter(event.t.games))]
    assert event.score(again.game.id, *(again.points or ())) == []
    assert event.draw() == []
    byes = [
        (fact.round, bye.entrant)
        for fact in (each.fact for each in event.events)
        if isinstance(fact, Drawn)
        for bye in fact.byes
    ]
    assert len(byes) == len(set(byes)), "each is told once that they go on without a game"


@pytest.mark.parametrize(
    ("results", "worth"),
    [
        (((1, 0), (0, 1)), (1, 0)),
        (((1, 0), (1, 0)), (HALF, HALF)),
        (((HALF, HALF), (0, 1)), (1, 0)),
        (((0, 0), (1, 0)), (0, 1)),
        (((0, 0), (0, 0)), (0, 0)),
    ],
)
def test_two_games_at_once_are_one_result_by_their_sum(
    results: tuple[tuple[Fraction, Fraction], ...], worth: tuple[Fraction, ...]
) -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3, both_sides=True))
    event.begin(2)
    one, two = event.t.in_round(1)
    assert one.game.players == two.game.players[::-1]
    assert {each.id for each in running.startable(event.t)} == {one.game.id, two.game.id}
    event.score(one.game.id, *results[0])
    lines = [each.lines[-1] for each in event.t.crosstable().competitors.values()]
    assert {each.kind for each in lines} == {Kind.PENDING}, "one of them is no result"
    assert event.draw() == []
    event.score(two.game.id, *results[1])
    for number, points, side in zip(
        one.game.players, worth, (Side.FIRST, Side.SECOND), strict=True
    ):
        (line,) = event.t.crosstable().competitors[number].lines
        assert (line.points, line.side, line.kind) == (points, side, Kind.PLAYED)


def test_a_history_that_was_altered_does_not_hold() -> None:
    event = Event(a_setup(FormatKey.ROUND_ROBIN))
    event.begin(3)
    for broken, code in (
        ([], "empty"),
        (event.events[1:], "gap"),
        ([*event.events[:2], replace(event.events[2], kind="closed"), *event.events[3:]], "chain"),
    ):
        with pytest.raises(HistoryBroken) as error:
            replay(broken)
        assert error.value.code == code
    # Who it was may be replaced by a pseudonym, and the note be erased.
    other = replace(event.events[1], user_id=UserId(-5), subject_id=UserId(-5), note="")
    assert replay([event.events[0], other, *event.events[2:]]).entrants[0].user_id == -5


def _refused(code: str, decide: Any, *args: Any, **about: Any) -> None:
    with pytest.raises(UserError) as error:
        decide(*args, **about)
    assert error.value.code == code


def test_registration_opens_closes_and_refuses() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3, most=5, rating_from=1000, rating_to=2000))
    enter = registration.enter
    event.enter(1, 2, ratings=(1500, 1600))
    event.enter(1, ratings=(1500,))
    assert len(event.t.entrants) == 2
    for rating in (None, 900, 2100):
        _refused("rating_not_allowed", enter, event.t, event.act(), UserId(3), rating=rating)
    event.enter(3, 4, 5, ratings=(1000, 2000, 1200))
    _refused("tournament_full", enter, event.t, event.act(), UserId(6), rating=1500)
    event.do(registration.withdraw, 5)
    assert registration.withdraw(event.t, event.act(), 5) == ()
    event.enter(5, ratings=(1300,))
    assert [each.number for each in event.t.active] == [1, 2, 3, 4, 5]
    assert event.t.entrants[-1].rating == 1300
    event.do(registration.exclude, 5)
    assert registration.exclude(event.t, event.act(), 5) == ()
    _refused("entrant_excluded", enter, event.t, event.act(), UserId(5), rating=1200)
    event.do(registration.close)
    assert registration.close(event.t, event.act()) is None
    _refused("registration_closed", enter, event.t, event.act(), UserId(9), rating=1200)
    for until, code in ((event.at, "date_past"), (event.t.finish, "dates_order")):
        _refused(code, registration.reopen, event.t, event.act(), until)
    event.do(registration.reopen, event.t.closes + timedelta(days=1))
    assert registration.reopen(event.t, event.act(), event.t.closes + timedelta(days=1)) is None
    event.do(registration.replace, 4, UserId(44))
    assert registration.replace(event.t, event.act(), 4, UserId(44)) is None
    (replaced,) = [each for each in event.t.entrants if each.number == 4]
    assert (replaced.user_id, replaced.rating) == (44, 2000)
    _refused("already_entered", registration.replace, event.t, event.act(), 4, UserId(1))
    _refused("not_entered", registration.replace, event.t, event.act(), 5, UserId(7))
    _refused("not_entered", registration.withdraw, event.t, event.act(), 99)


def test_once_the_last_round_is_paired_it_is_too_late_to_enter() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3, late_entry=True))
    event.begin(6)
    for number in (7, 8):
        for played in event.t.pending:
            event.score(played.game.id, 1, 0)
        assert event.t.is_open
        event.enter(number)
        event.draw()
    assert len(event.t.rounds) == 3
    _refused("registration_closed", registration.enter, event.t, event.act(), UserId(9))


def test_byes_are_asked_for_before_their_round_and_late_entrants_have_them() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=4, late_entry=True))
    event.enter(1, 2, 3, 4, 5)
    bye = registration.ask_bye
    event.do(bye, 5, 1, Kind.HALF_BYE)
    assert bye(event.t, event.act(), 5, 1, Kind.HALF_BYE) is None
    _refused("byes_used", bye, event.t, event.act(), 5, 2, Kind.HALF_BYE)
    event.do(bye, 5, 2, Kind.ZERO_BYE)
    event.do(registration.close)
    event.draw()
    assert event.t.rounds[0].byes == {5: Kind.HALF_BYE}
    _refused("round_drawn", bye, event.t, event.act(), 4, 1, Kind.ZERO_BYE)
    _refused("round_drawn", registration.reopen, event.t, event.act(), event.t.finish)
    with pytest.raises(ValueError, match="asked for"):
        bye(event.t, event.act(), 4, 3, Kind.FULL_BYE)
    event.enter(6)
    assert event.t.rounds[0].byes == {5: Kind.HALF_BYE, 6: Kind.HALF_BYE}
    for played in event.t.pending:
        event.score(played.game.id, 1, 0)
    event.draw()
    event.enter(7)
    assert event.t.rounds[1].byes[7] is Kind.ZERO_BYE
    assert event.t.rounds[0].byes[7] is Kind.ZERO_BYE
    event.play_out()
    assert replay(event.events) == event.t


def test_who_leaves_forfeits_what_has_not_begun_and_who_is_put_out_everything() -> None:
    event = Event(a_setup(FormatKey.ROUND_ROBIN))
    event.begin(4)
    mine = [each.game for each in event.t.of_entrant(2)]
    event.do(running.begin_game, mine[0].id)
    assert running.begin_game(event.t, event.act(), mine[0].id) is None
    substituted = registration.replace(event.t, event.act(), 2, UserId(9))
    assert substituted is not None, "what the match says of it is looked at beside"
    assert substituted.tournament.entrants[1].user_id == 9
    event.do(registration.withdraw, 2, Leaving.LEFT_SERVER)
    assert not event.t.games[mine[0].id].is_over
    for game in mine[1:]:
        played = event.t.games[game.id]
        assert played.how is How.NO_SHOW
        assert (played.points or ())[game.players.index(2)] == 0
        assert sum(played.points or ()) == 1
    still_in = next(x for x in mine[1].players if x != 2)
    _refused("game_begun", registration.replace, event.t, event.act(), still_in, UserId(9))
    event.do(registration.exclude, 2)
    assert event.t.games[mine[0].id].how is How.DIRECTOR
    # All leave: games of two who have both left are lost by both.
    for number in (1, 3, 4):
        event.do(registration.withdraw, number)
    event.draw()
    assert event.t.status is TournamentStatus.FINISHED
    assert replay(event.events) == event.t


def test_too_few_entrants_cancel_the_event() -> None:
    for form, few in ((FormatKey.SWISS, 1), (FormatKey.TABLES, 3), (FormatKey.KNOCKOUT, 0)):
        event = Event(a_setup(form, least=4 if form is FormatKey.TABLES else 2))
        event.begin(few)
        assert event.t.status is TournamentStatus.CANCELLED
        _refused("tournament_over", registration.enter, event.t, event.act(), UserId(1))
        assert event.draw() == []


def test_twice_lost_on_time_is_out_after_a_warning() -> None:
    event = Event(a_setup(FormatKey.ROUND_ROBIN))
    event.begin(5)
    games = [each.game for each in event.t.of_entrant(3)]

    def lose(index: int, how: How) -> None:
        seats = games[index].players
        event.score(games[index].id, *(int(each != 3) for each in seats), how=how)

    lose(0, How.PLAYED)
    assert not event.t.entrants[2].is_warned
    lose(1, How.TIME)
    assert event.t.entrants[2].is_warned
    assert event.t.entrants[2].is_active
    lose(2, How.NO_SHOW)
    assert not event.t.entrants[2].is_active
    assert all(each.is_over for each in event.t.of_entrant(3))
    assert replay(event.events) == event.t


@pytest.mark.parametrize("how", [How.TIME, How.NO_SHOW, How.PLAYED, How.UNFINISHED])
def test_who_resigned_from_a_table_that_others_lose_on_time_is_not_warned(how: How) -> None:
    event = Event(a_setup(FormatKey.TABLES, game="pythagoras", rounds=2, least=4))
    event.begin(4)
    resigned, late = event.t.games["1.1"].game.players[1:3]
    event.score("1.1", 4, 0, 0, 2, how=how, late=(2,))
    assert event.t.games["1.1"].lost_on_time == (late,)
    assert [each.number for each in event.t.entrants if each.is_warned] == [late]
    event.do(directing.correct, "1.1", PLACES)
    points = (PLACES[0], LOSS, LOSS, PLACES[1])
    event.do(directing.correct, "1.1", points, how)
    losses = {each.number: each.time_losses for each in event.t.entrants}
    assert (losses[resigned], losses[late]) == (0, 1)
    assert replay(event.events) == event.t


def test_what_is_unfinished_on_the_last_day_is_decided_by_the_stated_rule() -> None:
    event = Event(a_setup(FormatKey.ROUND_ROBIN, at_once=1))
    event.begin(4)
    first, *rest = event.t.in_round(1)
    event.do(directing.decide, first.game.id, (Fraction(1), Fraction(0)))
    event.do(directing.extend, 1, event.t.finish, rest[0].game.id)
    event.at = event.t.rounds[0].until
    event.do(running.overdue)
    assert [each.is_over for each in event.t.in_round(1)] == [True, False]
    event.at = event.t.finish
    event.do(running.overdue)
    assert running.overdue(event.t, event.act()) == ()
    assert event.t.games[rest[0].game.id].points == (Fraction(1, 2), Fraction(1, 2))
    assert event.t.games[first.game.id].points == (Fraction(1), Fraction(0))
    event.draw()
    assert event.t.status is TournamentStatus.FINISHED


def test_at_a_table_of_four_the_score_as_it_stands_can_decide() -> None:
    event = Event(a_setup(FormatKey.TABLES, rounds=1, least=4, unfinished=Unfinished.SCORE))
    event.begin(8)
    one, two = event.t.pending
    event.at = event.t.finish
    board = OnBoard((5.0, 9.0, 5.0, 0.0))
    event.do(running.overdue, {one.game.id: board})
    assert event.t.games[one.game.id].points == tuple(map(Fraction, ("3/2", "4", "3/2", "0")))
    assert event.t.games[two.game.id].points == (Fraction(7, 4),) * 4
    left = replace(board, left=(1,))
    assert running.unfinished_points(event.t, one, left) == (3, 0, 3, 1)
    played = replace(one, game=replace(one.game, players=(1, 2)))
    assert running.unfinished_points(event.t, played, OnBoard((3.0, 1.0))) == (1, 0)
    assert running.unfinished_points(event.t, played, OnBoard((1.0, 1.0))) == (
        Fraction(1, 2),
        Fraction(1, 2),
    )


@pytest.mark.parametrize("rule", Unfinished)
@pytest.mark.parametrize("left", [(), (2,), (0, 3), (0, 1, 3)])
def test_who_left_an_unfinished_table_of_four_has_nothing_whatever_decides(
    rule: Unfinished, left: tuple[int, ...]
) -> None:
    event = Event(a_setup(FormatKey.TABLES, rounds=1, least=4, unfinished=rule))
    event.begin(4)
    (one,) = event.t.pending
    event.at = event.t.finish
    event.do(running.overdue, {one.game.id: OnBoard(left=left)})
    points = event.t.games[one.game.id].points
    share = Fraction(sum((4, 2, 1, 0)[: 4 - len(left)]), 4 - len(left))
    assert points == tuple(Fraction(0) if seat in left else share for seat in range(4))


def test_no_shows_lose_and_if_neither_comes_both_do() -> None:
    event = Event(a_setup(FormatKey.KNOCKOUT))
    event.begin(4)
    one, two = event.t.pending
    event.do(running.no_show, one.game.id, one.game.players[:1])
    event.do(running.no_show, two.game.id, two.game.players)
    event.draw()
    assert event.t.status is TournamentStatus.FINISHED
    assert FORMATS[FormatKey.KNOCKOUT].places(event.t)[0].number == one.game.players[1]


def test_games_begin_as_many_at_once_as_the_event_says() -> None:
    event = Event(a_setup(FormatKey.ROUND_ROBIN, at_once=2))
    event.begin(6)
    games = running.startable(event.t)
    assert len(games) == 6
    for game in games:
        event.do(running.begin_game, game.id)
    assert running.startable(event.t) == ()
    event.score(games[0].id, 1, 0)
    event.score(games[1].id, 1, 0)
    assert all(
        sum(number in each.players for each in running.startable(event.t)) <= 1
        for number in range(1, 7)
    )
    event.do(directing.pause)
    assert running.startable(event.t) == ()
    assert running.draw(event.t, event.act()) == ()
    assert running.overdue(event.t, event.act()) == ()


@pytest.mark.parametrize(
    ("at_once", "players", "days"),
    [
        (0, 10, (28,) * 9),
        (1, 5, (5.6, 11.2, 16.8, 22.4, 28)),
        (3, 10, (28 / 3,) * 3 + (56 / 3,) * 3 + (28,) * 3),
        (2, 5, (28 / 3,) + (56 / 3,) * 2 + (28,) * 2),
        (8, 9, (28,) * 9),
    ],
)
@pytest.mark.parametrize("both_sides", [False, True])
def test_games_that_are_played_at_the_same_time_have_the_same_last_day(
    at_once: int, players: int, days: tuple[float, ...], both_sides: bool
) -> None:
    begins = NOW + timedelta(days=1)
    month = begins + timedelta(days=28)
    games = at_once * (1 + both_sides)
    setup = a_setup(FormatKey.ROUND_ROBIN, at_once=games, finish=month, both_sides=both_sides)
    event = Event(setup)
    event.begin(players)
    ends = [(each.until - begins) / timedelta(days=1) for each in event.t.rounds]
    assert ends == pytest.approx(days)


def test_a_pause_moves_all_days_still_to_come() -> None:
    event = Event(a_setup(FormatKey.ROUND_ROBIN))
    event.begin(3)
    before = event.t
    event.do(directing.pause)
    assert directing.pause(event.t, event.act()) is None
    event.at += timedelta(days=2)
    event.do(directing.resume)
    assert directing.resume(event.t, event.act()) is None
    assert event.t.finish == before.finish + timedelta(days=2)
    assert event.t.pending[0].until == before.pending[0].until + timedelta(days=2)
    assert event.t.rounds[0].until == before.rounds[0].until + timedelta(days=2)


def test_a_correction_undoes_a_round_that_nobody_has_begun_and_no_other() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3))
    event.begin(6)
    games = [each.game.id for each in event.t.in_round(1)]
    _refused("not_decided", directing.correct, event.t, event.act(), games[0], (0, 1))
    for game in games:
        event.score(game, 1, 0)
    event.draw()
    _refused("game_decided", directing.decide, event.t, event.act(), games[0], (0, 1))
    assert directing.decide(event.t, event.act(), games[0], (Fraction(1), Fraction(0))) is None
    _refused("points_wrong", directing.correct, event.t, event.act(), games[0], (1, 1))
    zero_one = (Fraction(0), Fraction(1))
    event.do(directing.correct, games[0], zero_one)
    assert directing.correct(event.t, event.act(), games[0], zero_one) == ()
    assert len(event.t.rounds) == 1
    event.draw()
    game = event.t.in_round(2)[0].game.id
    event.do(running.begin_game, game)
    # A match that is there is not begun yet: its players have to move.
    one_zero = (Fraction(1), Fraction(0))
    assert [
        each.event.kind for each in directing.correct(event.t, event.act(), games[0], one_zero)
    ] == ["undrawn", "corrected"]
    event.do(directing.correct, games[0], one_zero, moved={game})
    assert len(event.t.rounds) == 2
    event.do(directing.redraw)
    assert len(event.t.rounds) == 1
    event.draw()
    assert event.t.rounds[1].drawn == event.t.version, "other matches than before"
    event.score(event.t.in_round(2)[0].game.id, 1, 0)
    _refused("round_begun", directing.redraw, event.t, event.act())
    assert replay(event.events) == event.t


def test_a_round_of_forfeits_is_undone_with_what_they_cost() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3))
    event.begin(6)
    played = event.t.in_round(1)[0]
    event.do(registration.withdraw, played.game.players[0])
    assert event.t.entrants[played.game.players[0] - 1].time_losses == 1
    event.do(directing.redraw)
    assert event.t.games == {}
    assert [each.time_losses for each in event.t.entrants] == [0] * 6
    event.draw()
    assert event.t.rounds[0].byes
    assert replay(event.events) == event.t


def test_in_a_knockout_a_result_that_was_followed_cannot_change_the_winner() -> None:
    event = Event(a_setup(FormatKey.KNOCKOUT))
    event.begin(4)
    for played in event.t.pending:
        event.score(played.game.id, 1, 0)
    event.draw()
    first = event.t.in_round(1)[0].game.id
    changes = event.do(directing.correct, first, (Fraction(0), Fraction(1)))
    assert [each.event.kind for each in changes] == ["undrawn", "corrected"]
    event.draw()
    final = event.t.in_round(2)[0].game.id
    event.do(running.begin_game, final)
    with pytest.raises(UserError, match="has_followed"):
        directing.correct(event.t, event.act(), first, (Fraction(1), Fraction(0)), moved={final})
    event.do(directing.correct, first, (Fraction(1), Fraction(0)))
    assert len(event.t.rounds) == 1


def test_in_a_knockout_only_the_games_that_follow_from_a_corrected_result_are_paired_again() -> (
    None
):
    event = Event(a_setup(FormatKey.KNOCKOUT, least=8))
    event.begin(8)
    for played in event.t.pending:
        event.score(played.game.id, 1, 0)
    event.draw()
    first = event.t.in_round(1)[0]
    follows, other = event.t.in_round(2)
    for each in (follows, other):
        event.do(running.begin_game, each.game.id)
    moved = {other.game.id}
    zero_one = (Fraction(0), Fraction(1))
    changes = event.do(directing.correct, first.game.id, zero_one, moved=moved)
    assert [each.event.kind for each in changes] == ["unpaired", "corrected"]
    assert event.t.games[other.game.id].has_begun
    assert follows.game.id not in event.t.games
    event.draw()
    again = event.t.games[follows.game.id]
    assert first.game.players[1] in again.game.players
    assert not again.has_begun
    assert again.drawn == event.t.version, "another match than before"
    assert len(event.t.rounds) == 2
    # Nothing of it can be changed once a player has moved there too.
    with pytest.raises(UserError, match="has_followed"):
        directing.correct(
            event.t,
            event.act(),
            first.game.id,
            (Fraction(1), Fraction(0)),
            moved={*moved, follows.game.id},
        )
    event.play_out()
    assert event.t.status is TournamentStatus.FINISHED
    assert replay(event.events) == event.t


def test_a_further_game_of_a_meeting_that_is_decided_after_all_goes_if_nobody_has_begun_it() -> (
    None
):
    event = Event(a_setup(FormatKey.KNOCKOUT, best_of=3))
    event.begin(2)
    event.score(event.t.pending[0].game.id, 1, 0)
    event.draw()
    event.score(event.t.pending[0].game.id, 1, 0)  # sides were exchanged: one win each
    event.draw()
    one, two, three = event.t.games.values()
    zero_one = (Fraction(0), Fraction(1))
    with pytest.raises(UserError, match="has_followed"):
        directing.correct(event.t, event.act(), two.game.id, zero_one, moved={three.game.id})
    changes = event.do(directing.correct, two.game.id, zero_one)
    assert [each.event.kind for each in changes] == ["unpaired", "corrected"]
    event.draw()
    assert event.t.status is TournamentStatus.FINISHED
    assert list(event.t.games) == [one.game.id, two.game.id]
    assert replay(event.events) == event.t


def _until_the_final(event: Event, *points: int) -> None:
    """All of a double elimination of four until the winner and the loser of the final are known."""
    event.begin(4)
    while "F1.1" not in event.t.games:
        for played in event.t.pending:
            first = int(played.game.players[0] < played.game.players[1])
            event.score(played.game.id, first, 1 - first)
        event.draw()
    event.score("F1.1", *points)
    event.draw()


def test_a_deciding_final_goes_with_the_result_that_made_it_necessary() -> None:
    event = Event(a_setup(FormatKey.KNOCKOUT, double=True))
    _until_the_final(event, 0, 1)
    assert "F2.1" in event.t.games
    one_zero = (Fraction(1), Fraction(0))
    with pytest.raises(UserError, match="has_followed"):
        directing.correct(event.t, event.act(), "F1.1", one_zero, moved={"F2.1"})
    changes = event.do(directing.correct, "F1.1", one_zero)
    assert [each.event.kind for each in changes] == ["undrawn", "corrected"]
    event.draw()
    assert event.t.status is TournamentStatus.FINISHED
    assert "F2.1" not in event.t.games
    assert replay(event.events) == event.t


def test_no_correction_after_the_end_makes_a_deciding_final_necessary() -> None:
    event = Event(a_setup(FormatKey.KNOCKOUT, double=True))
    _until_the_final(event, 1, 0)
    assert event.t.status is TournamentStatus.FINISHED
    with pytest.raises(UserError, match="meeting_open"):
        directing.correct(event.t, event.act(), "F1.1", (Fraction(0), Fraction(1)))


@pytest.mark.parametrize("entrants", [3, 5, 6, 7, 8])
@pytest.mark.parametrize("double", [False, True])
def test_whichever_result_of_a_knockout_is_corrected_it_ends_and_all_is_whole(
    entrants: int, double: bool
) -> None:
    for rounds in range(1, 4):
        for which in range(4):
            event = Event(a_setup(FormatKey.KNOCKOUT, double=double, least=2))
            event.begin(entrants)
            for _ in range(rounds):
                for played in event.t.pending:
                    event.score(played.game.id, 1, 0)
                event.draw()
            over = [each for each in event.t.games.values() if each.is_over]
            played = over[which % len(over)]
            moved = {each.game.id for each in event.t.pending[1::2]}
            with contextlib.suppress(UserError):  # it has been followed by a game that began
                event.do(directing.correct, played.game.id, (Fraction(0), Fraction(1)), moved=moved)
            assert moved <= event.t.games.keys()
            event.draw()
            for done in event.t.rounds:
                there = [x for each in event.t.in_round(done.number) for x in each.game.players]
                there += done.byes
                assert len(there) == len(set(there)), "nobody plays twice, or has a bye and plays"
            event.play_out()
            assert event.t.status is TournamentStatus.FINISHED
            assert replay(event.events) == event.t


def test_in_a_round_robin_an_arena_and_on_a_ladder_no_pairing_follows_from_a_result() -> None:
    event = Event(a_setup(FormatKey.ROUND_ROBIN))
    event.begin(4)
    event.score("1.1", 1, 0)
    changes = event.do(directing.correct, "1.1", (Fraction(0), Fraction(1)))
    assert [each.event.kind for each in changes] == ["corrected"]
    assert len(event.t.rounds) == 3


def test_directors_extend_redraw_and_cancel() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3))
    _refused("no_round", directing.redraw, event.t, event.act())
    event.begin(4)
    event.do(directing.redraw)
    event.draw()
    later = event.t.finish + timedelta(days=1)
    extend = directing.extend
    event.do(extend, 1, later)
    assert extend(event.t, event.act(), 1, later) is None
    # Two rounds are to come, each of two and a half days at least.
    assert event.t.finish == later + timedelta(days=5)
    assert {each.until for each in event.t.pending} == {later}
    _refused("date_past", extend, event.t, event.act(), 1, NOW)
    _refused("no_round", extend, event.t, event.act(), 2, later)
    _refused("no_such_game", extend, event.t, event.act(), 1, later, "9.9")
    _refused("round_unfinished", running.end, event.t, event.act())
    event.do(directing.cancel)
    assert directing.cancel(event.t, event.act()) is None
    assert running.end(event.t, event.act()) is None
    _refused("tournament_over", directing.pause, event.t, event.act())


def test_in_an_arena_free_players_play_and_it_ends_on_its_day() -> None:
    begins = NOW + timedelta(hours=1)
    setup = a_setup(
        FormatKey.ARENA, closes=begins, begins=begins, finish=begins + timedelta(hours=1)
    )
    event = Event(setup)
    event.begin(5)
    arena = Arena()
    free = dict.fromkeys(range(1, 6), event.at)
    drawn = arena.pairs(event.t, free, event.at)
    assert drawn is not None
    event.do(running.draw_games, drawn)
    assert len(event.t.pending) == 2
    assert arena.pairs(event.t, free, event.at) is None
    for played in event.t.pending:
        event.score(played.game.id, 1, 0)
    second = arena.pairs(event.t, free, event.at)
    assert second is not None
    assert {frozenset(each.players) for each in second.games}.isdisjoint(
        {frozenset(each.players) for each in drawn.games}
    )
    event.do(running.draw_games, second)
    event.at = event.t.finish
    event.do(running.overdue)
    assert event.t.status is TournamentStatus.FINISHED
    # What is not over on the minute does not count: two wins, 2 points each.
    assert [each.points for each in arena.places(event.t)] == [2, 2, 0, 0, 0]
    assert replay(event.events) == event.t


def test_players_who_come_back_have_their_points_and_missed_rounds_are_byes() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=5, late_entry=True))
    event.enter(1, 2, 3, 4, 5, 6, ratings=(1900, 1800))
    event.do(registration.close)
    event.draw()
    first = event.t.of_entrant(1)[0].game
    event.score(first.id, *(int(each == 1) for each in first.players))
    event.do(registration.withdraw, 1)
    for played in event.t.pending:
        event.score(played.game.id, 1, 0)
    event.draw()
    event.enter(1, ratings=(2000,))
    assert (event.t.active[0].number, event.t.active[0].rating) == (1, 1900)
    assert len(event.t.entrants) == 6
    event.play_out()
    lines = event.t.crosstable().competitors[1].lines
    assert [each.kind for each in lines[:3]] == [Kind.PLAYED, Kind.ZERO_BYE, Kind.PLAYED]
    assert replay(event.events) == event.t


def test_only_the_player_who_withdrew_comes_back() -> None:
    event = Event(a_setup(FormatKey.LADDER))
    event.enter(1, 2)
    for user, number in ((1, 1), (2, 1)):
        with pytest.raises(ValueError, match="come back"):
            add(event.t, event.act(), Entered(number, None), UserId(user))


def test_a_game_that_an_arena_cuts_short_is_none_where_fewer_games_decide() -> None:
    begins = NOW + timedelta(hours=1)
    event = Event(
        a_setup(FormatKey.ARENA, closes=begins, begins=begins, finish=begins + timedelta(hours=1))
    )
    event.begin(5)
    drawn = Arena().pairs(event.t, dict.fromkeys(range(1, 6), event.at), event.at)
    assert drawn is not None
    event.do(running.draw_games, drawn)
    for played in event.t.pending:
        event.score(played.game.id, 1, 0)
    one, two = (each.players[0] for each in drawn.games)
    last = Draw(1, (Fixture("1.3", 1, 3, (one, 5)),))
    event.do(running.draw_games, last)
    event.at = event.t.finish
    event.do(running.overdue)
    first = [each.number for each in Arena().places(event.t) if each.rank == 1]
    assert sorted(first) == sorted((one, two))


def test_in_an_arena_two_who_just_met_wait_for_others_who_still_play() -> None:
    begins = NOW + timedelta(hours=1)
    event = Event(
        a_setup(FormatKey.ARENA, closes=begins, begins=begins, finish=begins + timedelta(hours=1))
    )
    event.begin(4)
    free = dict.fromkeys(range(1, 5), event.at)
    drawn = Arena().pairs(event.t, free, event.at)
    assert drawn is not None
    event.do(running.draw_games, drawn)
    one, two = event.t.pending
    event.at += timedelta(minutes=5)
    event.score(one.game.id, 1, 0)
    free |= dict.fromkeys(one.game.players, event.at)
    assert Arena().pairs(event.t, free, event.at) is None
    # No other game ends within a minute: they meet again, sides exchanged.
    again = Arena().pairs(event.t, free, event.at + REMATCH)
    assert again is not None
    assert [each.players for each in again.games] == [one.game.players[::-1]]
    # One does end: each meets another.
    event.score(two.game.id, 1, 0)
    free |= dict.fromkeys(two.game.players, event.at)
    other = Arena().pairs(event.t, free, event.at)
    assert other is not None
    met = {frozenset(each.players) for each in drawn.games}
    assert len(other.games) == 2
    assert met.isdisjoint(frozenset(each.players) for each in other.games)


def test_on_a_ladder_a_win_over_a_higher_rung_takes_it() -> None:
    event = Event(a_setup(FormatKey.LADDER, reach=2, late_entry=True))
    event.begin(5)
    ladder = Ladder()
    assert event.t.by_rung == (1, 2, 3, 4, 5)
    _refused("challenge_far", ladder.challenge, event.t, 5, 1)
    _refused("challenge_up", ladder.challenge, event.t, 1, 2)
    _refused("not_entered", ladder.challenge, event.t, 9, 2)
    event.do(running.draw_games, ladder.challenge(event.t, 5, 3))
    _refused("challenge_busy", ladder.challenge, event.t, 4, 3)
    event.score(event.t.pending[0].game.id, 0, 1)
    assert event.t.by_rung == (1, 2, 5, 3, 4)
    event.enter(200)
    event.do(registration.withdraw, 2)
    assert event.t.by_rung == (1, 5, 3, 4, 6)
    assert [each.number for each in ladder.places(event.t)] == [1, 5, 3, 4, 6]
    event.enter(102)
    assert event.t.by_rung == (1, 5, 3, 4, 6, 2)
    assert replay(event.events) == event.t


def test_a_swiss_round_is_asked_of_an_engine_with_seeds_by_rating() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3), lots=2)
    event.enter(1, 2, 3, 4, ratings=(None, 1200, 1900, 1500))
    event.do(registration.close)
    asked = running.draw(event.t, event.act())
    assert isinstance(asked, Ask)
    assert asked.numbers == (3, 4, 2, 1)
    assert [each.rating for each in asked.request.report.players] == [1900, 1500, 1200, None]
    assert asked.request.report.planned == 3


def test_who_went_on_from_a_meeting_that_broke_off_stays_in_the_bracket_when_they_leave_too() -> (
    None
):
    event = Event(a_setup(FormatKey.KNOCKOUT, best_of=2))
    event.begin(8)
    broken = next(each.game for each in event.t.pending if 1 in each.game.players)
    other = next(each for each in broken.players if each != 1)
    event.score(broken.id, *(int(each == other) for each in broken.players))
    event.do(registration.withdraw, 1)
    for _ in range(40):
        final = [each for each in event.t.games.values() if each.game.round == 3]
        if final:
            break
        if not event.t.pending:
            event.draw()
            continue
        game = event.t.pending[0].game
        wins = other if other in game.players else min(game.players)
        event.score(game.id, *(int(each == wins) for each in game.players))
    game = final[0].game
    assert other in game.players
    opponent = next(each for each in game.players if each != other)
    event.score(game.id, *(int(each == opponent) for each in game.players))
    event.do(registration.withdraw, other)
    event.draw()
    assert event.t.status is TournamentStatus.FINISHED
    assert [each.game.id for each in event.t.in_round(3)] == [game.id]
    assert FORMATS[FormatKey.KNOCKOUT].places(event.t)[0].number == opponent


def test_who_lost_a_meeting_that_is_open_again_does_not_go_on_from_it_in_the_other_bracket() -> (
    None
):
    event = Event(a_setup(FormatKey.KNOCKOUT, best_of=3, double=True))
    event.begin(4)
    event.do(registration.withdraw, 4)
    while len(event.t.rounds) == 1:
        for played in event.t.pending:
            event.score(played.game.id, *(int(each == 3) for each in played.game.players))
        event.draw()
    event.do(registration.exclude, 3)
    last = event.t.games["W1.2.2"].game.id
    event.do(directing.correct, last, (Fraction(0), Fraction(0)))
    event.draw()
    assert event.t.games["F1.1"].game.players in ((1, 2), (2, 1)), "from the lower bracket"
    event.play_out()
    assert event.t.status is TournamentStatus.FINISHED
    assert list(event.t.games) == ["W1.1.1", "W1.2.1", "W1.2.2", "W2.1.1", "F1.1", "F1.2"]


def test_a_correction_cannot_send_others_into_meetings_that_have_begun() -> None:
    event = Event(a_setup(FormatKey.KNOCKOUT, double=True))
    event.begin(4)
    first = event.t.pending[0].game.id
    for played in event.t.pending:
        event.score(played.game.id, 1, 0)
    event.draw()
    moved = {event.t.in_round(2)[0].game.id}
    with pytest.raises(UserError, match="has_followed"):
        directing.correct(event.t, event.act(), first, (Fraction(0), Fraction(1)), moved=moved)


def test_a_correction_cannot_leave_a_meeting_open_that_others_have_gone_on_from() -> None:
    event = Event(a_setup(FormatKey.KNOCKOUT, best_of=3))
    event.begin(4)
    while len(event.t.rounds) == 1:
        for played in event.t.pending:
            wins = min(played.game.players)
            event.score(played.game.id, *(int(each == wins) for each in played.game.players))
        event.draw()
    moved = {event.t.in_round(2)[0].game.id}
    one = min(event.t.in_round(2)[0].game.players)
    game = next(each.game for each in event.t.in_round(1) if one in each.game.players)
    turned = [Fraction(int(each != one)) for each in game.players]
    _refused("meeting_open", directing.correct, event.t, event.act(), game.id, turned, moved=moved)
    # The same when the player who has gone on is excluded: 1 to 1 sends the other nowhere.
    event.do(registration.exclude, one)
    _refused("meeting_open", directing.correct, event.t, event.act(), game.id, turned, moved=moved)


def test_a_correction_after_the_end_cannot_leave_the_final_open() -> None:
    event = Event(a_setup(FormatKey.KNOCKOUT, best_of=3))
    event.begin(2)
    while not event.t.status.is_final:
        for played in event.t.pending:
            event.score(played.game.id, *(int(each == 1) for each in played.game.players))
        event.draw()
    for name, played in event.t.games.items():
        turned = [Fraction(int(each != 1)) for each in played.game.players]
        _refused("meeting_open", directing.correct, event.t, event.act(), name, turned)
