"""Whole events of every format, and histories that cannot be."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest

from bot.domain.history import HistoryError
from bot.domain.ids import UserId
from bot.tournaments.domain import facts as f
from bot.tournaments.domain import registration, running
from bot.tournaments.domain.crosstable import Kind, Side
from bot.tournaments.domain.fold import add, apply, read_fact, replay
from bot.tournaments.domain.formats.base import Ask
from bot.tournaments.domain.formats.catalog import FORMATS
from bot.tournaments.domain.results import OnBoard
from bot.tournaments.domain.setup import FormatKey, Unfinished
from tests.tournaments.events_made import NOW, Event, a_setup
from tests.tournaments.scenario import Scenario, points_in

WHOLE = """
round_robin 2
round_robin 5 double
round_robin 23
swiss 7 rounds=3
swiss 12 rounds=4
swiss 3 rounds=5
swiss 7 rounds=3 both_sides
round_robin 5 both_sides
knockout 7 both_sides best_of=2 third_place
knockout 5 best_of=3 third_place
knockout 11 double best_of=2
knockout 2
tables 16 rounds=5 final_table least=4
tables 6 rounds=3 least=4
"""


@pytest.mark.parametrize("text", WHOLE.strip().splitlines())
def test_an_event_goes_from_the_first_round_to_a_winner_and_every_game_counts_once(
    text: str,
) -> None:
    event = Scenario(f"{text} | play | ? t.status.value == 'finished' | draw -> nothing")
    form, size = event.t.setup.format, len(event.t.entrants)
    places = FORMATS[form].places(event.t)
    assert sorted(each.number for each in places) == list(range(1, size + 1))
    assert places[0].number == 1 or form is FormatKey.TABLES
    assert places[0].rank == 1
    effort = FORMATS[form].effort(event.t.setup, size)
    assert len(event.t.rounds) <= effort.rounds
    assert all(len(event.t.of_entrant(number)) <= effort.games for number in range(1, size + 1))
    again = next(iter(event.t.games.values()))
    assert event.score(again.game.id, *(again.points or ())) == []
    drawn = [each.fact for each in event.events if isinstance(each.fact, f.Drawn)]
    byes = [(fact.round, bye.entrant) for fact in drawn for bye in fact.byes]
    assert len(byes) == len(set(byes)), "each is told once that they go on without a game"


@pytest.mark.parametrize(
    ("one", "two", "worth"),
    [
        ("1:0", "0:1", "1:0"),
        ("1:0", "1:0", "1/2:1/2"),
        ("1/2:1/2", "0:1", "1:0"),
        ("0:0", "1:0", "0:1"),
        ("0:0", "0:0", "0:0"),
    ],
)
def test_two_games_at_once_are_one_result_by_their_sum(one: str, two: str, worth: str) -> None:
    event = Scenario("swiss 2 rounds=3 both_sides | ? len(startable(t)) == 2")
    names = [each.game.id for each in event.t.in_round(1)]
    first, second = (event.t.games[each].game.players for each in names)
    assert first == second[::-1]

    def lines() -> list[tuple[Fraction, Side | None, Kind]]:
        found = [event.t.crosstable().competitors[number].lines for number in first]
        return [(line.points, line.side, line.kind) for (line,) in found]

    event.score(names[0], *points_in(one))
    assert {kind for *_, kind in lines()} == {Kind.PENDING}, "one of them is no result"
    assert event.draw() == []
    event.score(names[1], *points_in(two))
    sides = (Side.FIRST, Side.SECOND)
    wanted = zip(points_in(worth), sides, strict=True)
    assert lines() == [(points, side, Kind.PLAYED) for points, side in wanted]


def test_at_a_table_of_four_the_score_as_it_stands_can_decide() -> None:
    event = Scenario("tables 8 rounds=1 least=4 unfinished=score | until finish")
    one, two = event.t.pending
    board = OnBoard((5.0, 9.0, 5.0, 0.0))
    event.do(running.overdue, {one.game.id: board})
    assert event.t.games[one.game.id].points == points_in("3/2:4:3/2:0")
    assert event.t.games[two.game.id].points == points_in("7/4:7/4:7/4:7/4")
    assert running.unfinished_points(event.t, one, replace(board, left=(1,))) == (3, 0, 3, 1)
    played = replace(one, game=replace(one.game, players=(1, 2)))
    for scores, points in (((3.0, 1.0), "1:0"), ((1.0, 1.0), "1/2:1/2")):
        assert running.unfinished_points(event.t, played, OnBoard(scores)) == points_in(points)


@pytest.mark.parametrize("rule", Unfinished)
@pytest.mark.parametrize("left", [(), (2,), (0, 3), (0, 1, 3)])
def test_who_left_an_unfinished_table_of_four_has_nothing_whatever_decides(
    rule: Unfinished, left: tuple[int, ...]
) -> None:
    event = Scenario("tables 4 rounds=1 least=4 | until finish", unfinished=rule)
    (one,) = event.t.pending
    event.do(running.overdue, {one.game.id: OnBoard(left=left)})
    share = Fraction(sum((4, 2, 1, 0)[: 4 - len(left)]), 4 - len(left))
    points = tuple(Fraction(0) if seat in left else share for seat in range(4))
    assert event.t.games[one.game.id].points == points


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
    month = NOW + timedelta(days=29)
    games = at_once * (1 + both_sides)
    event = Scenario(f"round_robin {players}", at_once=games, finish=month, both_sides=both_sides)
    ends = [(each.until - event.t.begins) / timedelta(days=1) for each in event.t.rounds]
    assert ends == pytest.approx(days)


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
    about = {"options": {"size": 11, "swap": "yes"}}
    return Scenario("swiss 4 rounds=3 | 1.1 1:0 | begin 1.2", **about)


@pytest.mark.parametrize(
    "fact",
    [
        f.Created(a_setup(FormatKey.SWISS), 1),
        f.Entered(9, None),
        f.Entered(1, None),  # somebody else comes back
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
        f.Challenged(2, 1, NOW),
        f.Parted((1, 9)),
        f.Unpaired(("1.1",)),
    ],
)
def test_an_event_that_cannot_be_the_next_breaks_the_history(fact: f.Fact) -> None:
    event = _running()
    with pytest.raises(ValueError, match=r"."):
        add(event.t, event.act(), fact)
    with pytest.raises(ValueError, match="asked for"):
        registration.ask_bye(event.t, event.act(), 1, 2, Kind.FULL_BYE)


def test_a_round_that_grows_keeps_its_byes_and_takes_those_that_come_with_more_games() -> None:
    event = Scenario("swiss 5 rounds=3")
    later = f.Drawn(1, (), (f.Bye(1, Kind.PAIRING_BYE),), NOW)
    after = add(event.t, event.act(), later).tournament
    assert after.rounds[0].byes.keys() == {*event.t.rounds[0].byes, 1}


def test_a_history_that_was_altered_or_cannot_be_does_not_hold() -> None:
    event = _running()
    assert event.t.setup.options == {"size": 11, "swap": "yes"}
    first, *rest, last = event.events
    cases = [
        ([], "empty"),
        ([*rest, last], "gap"),
        ([first, *rest, replace(last, kind="closed")], "chain"),
    ]
    for kind, payload in (("resumed", {}), ("nonsense", {}), ("begun", {"game": 5})):
        false = replace(last, kind=kind, payload=payload)
        cases.append(([first, *rest, replace(false, hash=false.seal)], "impossible"))
    for broken, code in cases:
        with pytest.raises(HistoryError) as error:
            replay(broken)
        assert error.value.code == code
        assert code != "impossible" or error.value.seq == last.seq
    with pytest.raises(ValueError, match="no fact"):
        read_fact("nonsense", {})
    with pytest.raises(ValueError, match="create"):
        apply(None, last, f.Closed())
    # Who it was may be replaced by a pseudonym, and the note be erased.
    other = replace(rest[0], user_id=UserId(-5), subject_id=UserId(-5), note="")
    assert replay([first, other, *rest[1:], last]).entrants[0].user_id == -5
