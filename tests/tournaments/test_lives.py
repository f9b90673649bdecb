"""Whole events of every format, and what players and directors may do to them."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.tournaments.domain import directing, registration, running
from bot.tournaments.domain import facts as f
from bot.tournaments.domain.crosstable import DRAW as HALF
from bot.tournaments.domain.crosstable import Kind, Side
from bot.tournaments.domain.facts import Drawn, Entered
from bot.tournaments.domain.fold import HistoryBroken, add, apply, read_fact, replay, seal
from bot.tournaments.domain.formats.base import Ask
from bot.tournaments.domain.formats.catalog import FORMATS
from bot.tournaments.domain.results import OnBoard
from bot.tournaments.domain.setup import FormatKey, Unfinished
from bot.tournaments.domain.tournament import TournamentStatus
from tests.tournaments.events_made import NOW, Event, a_setup

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
    assert all(len(event.t.of_entrant(number)) <= effort.games for number in range(1, size + 1))
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


@pytest.mark.long
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


def test_only_the_player_who_withdrew_comes_back_and_nobody_asks_for_a_full_point() -> None:
    event = Event(a_setup(FormatKey.LADDER))
    event.enter(1, 2)
    for user, number in ((1, 1), (2, 1)):
        with pytest.raises(ValueError, match="come back"):
            add(event.t, event.act(), Entered(number, None), UserId(user))
    swiss = Event(a_setup(FormatKey.SWISS))
    swiss.enter(1)
    with pytest.raises(ValueError, match="asked for"):
        registration.ask_bye(swiss.t, swiss.act(), 1, 2, Kind.FULL_BYE)


def test_a_swiss_round_is_asked_of_an_engine_with_seeds_by_rating() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3), lots=2)
    event.enter(1, 2, 3, 4, ratings=(None, 1200, 1900, 1500))
    event.do(registration.close)
    asked = running.draw(event.t, event.act())
    assert isinstance(asked, Ask)
    assert asked.numbers == (3, 4, 2, 1)
    assert [each.rating for each in asked.request.report.players] == [1900, 1500, 1200, None]
    assert asked.request.report.planned == 3


def _running() -> Event:
    event = Event(a_setup(FormatKey.SWISS, rounds=3, options={"size": 11, "swap": "yes"}))
    event.begin(4)
    event.score("1.1", 1, 0)
    return event


@pytest.mark.parametrize(
    "fact",
    [
        f.Created(a_setup(FormatKey.SWISS), 1),
        f.Entered(9, None),
        f.Withdrawn(9, f.Leaving.ASKED),
        f.Drawn(2, (f.Fixture("1.1", 2, 1, (1, 2)),), (), NOW),
        f.Drawn(3, (), (), NOW),
        f.Undrawn(2),
        f.Scored("1.1", (Fraction(1), Fraction(0)), f.How.PLAYED),
        f.Decided("1.2", (Fraction(1),)),
        f.Resumed(),
        f.Invited(),
        f.Seeded((), ()),
        f.Fact(),
        f.Appointed(),
        f.Moved((1, 2)),
        f.Parted((1, 9)),
        f.Unpaired(("1.1",)),
    ],
)
def test_an_event_that_cannot_be_the_next_breaks_the_history(fact: f.Fact) -> None:
    event = _running()
    event.do(running.begin_game, "1.2")
    with pytest.raises(ValueError, match=r"."):
        add(event.t, event.act(), fact)


def test_a_round_that_grows_keeps_its_byes_and_takes_those_that_come_with_more_games() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3))
    event.begin(5)
    (had,) = event.t.rounds[0].byes
    later = f.Bye(1, Kind.PAIRING_BYE)
    after = add(event.t, event.act(), f.Drawn(1, (), (later,), NOW)).tournament
    assert after.rounds[0].byes.keys() == {had, 1}


def test_a_sealed_history_of_what_cannot_be_is_told_from_a_broken_chain() -> None:
    event = _running()
    assert replay(event.events) == event.t
    assert event.t.setup.options == {"size": 11, "swap": "yes"}
    last = event.events[-1]
    for kind, payload in (("resumed", {}), ("nonsense", {}), ("begun", {"game": 5})):
        false = replace(last, kind=kind, payload=payload)
        false = replace(false, hash=seal(false))
        with pytest.raises(HistoryBroken) as error:
            replay([*event.events[:-1], false])
        assert (error.value.code, error.value.seq) == ("impossible", last.seq)
    with pytest.raises(ValueError, match="no fact"):
        read_fact("nonsense", {})
    with pytest.raises(ValueError, match="create"):
        apply(None, last, f.Closed())
