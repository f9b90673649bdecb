"""What hardly ever happens to a tournament, and what never can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest

from bot.domain.tournaments import directing, registration, running
from bot.domain.tournaments import facts as f
from bot.domain.tournaments.crosstable import Competitor, Kind, Side
from bot.domain.tournaments.fold import HistoryBroken, add, apply, replay, seal
from bot.domain.tournaments.formats.catalog import FORMATS, placings
from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.swiss_pairing import Paired, first_side_of, paired_in
from bot.domain.tournaments.tournament import TournamentStatus
from bot.domain.tournaments.trf import read_trf
from bot.domain.tournaments.trf_writing import Edition, write_trf
from bot.domain.tournaments.writing import read_fact
from bot.errors import UserError
from tests.domain.tournaments.events_made import NOW, Event, a_setup

ONE, NONE = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))


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
        f.Scored("1.1", ONE, f.How.PLAYED),
        f.Decided("1.2", (Fraction(1),)),
        f.Resumed(),
        f.Revived(),
        f.Appointed(),
        f.Moved((1, 2)),
        f.Parted((1, 9)),
        f.Unpaired(("1.1",)),
        f.Annulled("1.2"),
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


def test_directors_are_refused_what_makes_no_sense() -> None:
    event = _running()

    def refused(code: str, decide: Callable[..., object], *args: object) -> None:
        with pytest.raises(UserError) as error:
            decide(event.t, event.act(), *args)
        assert error.value.code == code

    half = Fraction(1, 4)
    refused("points_wrong", directing.correct, "1.1", (half, half))
    refused("points_wrong", directing.decide, "1.2", (Fraction(1),))
    refused("game_decided", directing.extend, 1, event.t.finish, "1.1")
    until = event.t.games["1.2"].until
    assert directing.extend(event.t, event.act(), 1, until, "1.2") is None
    event.do(directing.cancel)
    refused("tournament_cancelled", directing.correct, "1.1", NONE)


def test_after_the_end_a_result_is_corrected_for_the_record() -> None:
    event = Event(a_setup(FormatKey.ROUND_ROBIN))
    event.begin(3)
    event.play_out()
    changes = event.do(directing.correct, "1.1", NONE)
    assert [each.event.kind for each in changes] == ["corrected"]
    assert event.t.status is TournamentStatus.FINISHED
    swiss = Event(a_setup(FormatKey.SWISS, rounds=3))
    swiss.begin(4)
    swiss.play_out()
    assert len(swiss.do(directing.correct, "1.1", NONE)) == 1


def test_a_correction_that_changes_no_winner_is_allowed_though_it_was_followed() -> None:
    event = Event(a_setup(FormatKey.KNOCKOUT))
    event.begin(4)
    event.play_out()
    first = event.t.in_round(1)[0]
    assert first.points is not None
    event.do(directing.correct, first.game.id, first.points, f.How.DIRECTOR)
    assert event.t.games[first.game.id].how is f.How.DIRECTOR


def test_a_corrected_table_undoes_the_final_table_but_no_round_of_a_design() -> None:
    event = Event(a_setup(FormatKey.TABLES, rounds=2, least=4, final_table=True))
    event.begin(8)
    reverse = (Fraction(0), Fraction(1), Fraction(2), Fraction(4))

    def finish_round() -> None:
        for played in event.t.pending:
            event.score(played.game.id, 4, 2, 1, 0)
        event.draw()

    finish_round()
    changes = event.do(directing.correct, "1.1", reverse)
    assert [each.event.kind for each in changes] == ["corrected"]
    finish_round()
    assert len(event.t.in_round(3)) == 1
    best = (Fraction(4), Fraction(2), Fraction(1), Fraction(0))
    changes = event.do(directing.correct, "1.1", best)
    assert [each.event.kind for each in changes] == ["undrawn", "corrected"]
    # No game of two is in a crosstable of tables.
    assert all(not each.lines for each in event.t.crosstable().competitors.values())


def _ranks(event: Event) -> list[int]:
    return [each.rank for each in FORMATS[event.t.setup.format].places(event.t)]


def test_who_is_level_at_the_final_table_as_before_shares_a_place() -> None:
    event = Event(a_setup(FormatKey.TABLES, rounds=1, least=4, final_table=True))
    event.begin(8)

    def play_round() -> None:
        """Number 1 beats three who give up; at the other table all share the places."""
        for played in event.t.pending:
            if 1 in played.game.players:
                event.score(played.game.id, *(4 * (x == 1) for x in played.game.players))
            else:
                event.score(played.game.id, *[Fraction(7, 4)] * 4)
        event.draw()

    play_round()
    assert _ranks(event) == [1, 2, 2, 2, 2, 6, 6, 6]
    play_round()
    assert _ranks(event) == [1, 2, 2, 2, 5, 6, 6, 6]


def test_who_leaves_a_table_of_four_leaves_the_places_to_the_others() -> None:
    event = Event(a_setup(FormatKey.TABLES, rounds=1, least=4))
    event.begin(8)
    one, two = event.t.pending
    gone = one.game.players[2]
    event.do(registration.withdraw, gone)
    shared = Fraction(7, 3)
    assert event.t.games[one.game.id].points == (shared, shared, 0, shared)
    absent = two.game.players[:2]
    event.do(running.no_show, two.game.id, absent)
    assert event.t.games[two.game.id].points == (0, 0, 3, 3)


def test_who_leaves_a_meeting_half_way_loses_it_without_another_game() -> None:
    event = Event(a_setup(FormatKey.KNOCKOUT, best_of=3))
    event.begin(4)
    for played in event.t.pending:
        event.score(played.game.id, 1, 0)
    winner = event.t.in_round(1)[0].game.players[0]
    event.do(registration.withdraw, winner)
    event.draw()
    other = event.t.in_round(1)[0].game.players[1]
    assert sum(winner in each.game.players for each in event.t.games.values()) == 1
    event.play_out()
    assert event.t.status is TournamentStatus.FINISHED
    finalists = {each for played in event.t.in_round(2) for each in played.game.players}
    assert other in finalists


def test_a_round_in_which_all_but_one_have_asked_for_byes_has_no_games() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3))
    event.enter(1, 2, 3)
    for number in (2, 3):
        event.do(registration.ask_bye, number, 1, Kind.HALF_BYE)
    event.do(registration.close)
    event.draw()
    kinds = {2: Kind.HALF_BYE, 3: Kind.HALF_BYE, 1: Kind.FULL_BYE}
    assert event.t.rounds[0].byes == kinds
    assert len(event.t.rounds) == 1


def test_a_knockout_that_everybody_left_before_it_began_has_no_bracket() -> None:
    form = FORMATS[FormatKey.KNOCKOUT]
    event = Event(a_setup(FormatKey.KNOCKOUT))
    event.enter(1)
    assert [each.number for each in form.places(event.t)] == [1]
    assert form.step(event.t).name == "OVER"  # type: ignore[union-attr]


def test_reports_without_ranks_rounds_or_a_player_in_a_round() -> None:
    rows = ("001    1", "001    2".ljust(91) + "   3 w 1", "001    3".ljust(91) + "   2 b 0")
    report = read_trf("\n".join(rows))
    assert not report.ranks
    assert first_side_of(report.players) is Side.FIRST
    assert paired_in(report, 1) == Paired(((2, 3),))
    assert "XXR" not in write_trf(report, Edition.OF_2016)
    assert Competitor(1).points == 0


def test_what_is_asked_for_too_early_or_of_nobody() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3))
    event.enter(1, 2)
    # Registration is open: nothing is drawn, whatever the hour.
    assert running.draw(event.t, event.act()) == ()
    event.do(registration.withdraw, 2)
    for code, decide, args in (
        ("not_entered", registration.ask_bye, (2, 1, Kind.ZERO_BYE)),
        ("no_such_game", running.begin_game, ("1.1",)),
    ):
        with pytest.raises(UserError) as error:
            decide(event.t, event.act(), *args)
        assert error.value.code == code


def test_an_event_that_the_rules_let_go_no_further_ends_as_it_stands() -> None:
    event = _running()
    event.score("1.2", 1, 0)
    event.do(running.end)
    assert event.t.status is TournamentStatus.FINISHED
    assert running.draw(event.t, event.act()) == ()
    assert sorted(each.points for each in FORMATS[FormatKey.SWISS].places(event.t)) == [0, 0, 1, 1]


def test_who_has_left_is_neither_warned_nor_put_out_and_time_may_cost_nothing() -> None:
    event = _running()
    event.do(running.begin_game, "1.2")
    first = event.t.games["1.2"].game.players[0]
    event.do(registration.withdraw, first)
    assert len(event.score("1.2", 0, 1, how=f.How.TIME)) == 1
    patient = Event(a_setup(FormatKey.SWISS, rounds=3, time_losses=0))
    patient.begin(2)
    assert len(patient.score("1.1", 0, 1, how=f.How.TIME)) == 1
    strict = Event(a_setup(FormatKey.SWISS, rounds=3, time_losses=1))
    strict.begin(2)
    kinds = [each.event.kind for each in strict.score("1.1", 0, 1, how=f.How.TIME)]
    assert kinds == ["scored", "withdrawn"]


def test_standings_of_a_round_that_runs_count_what_is_over() -> None:
    places = FORMATS[FormatKey.SWISS].places(_running().t)
    assert [each.points for each in places] == [1, 0, 0, 0]


@pytest.mark.parametrize("form", [FormatKey.ROUND_ROBIN, FormatKey.KNOCKOUT, FormatKey.SWISS])
def test_a_first_round_that_was_undone_is_drawn_once_more(form: FormatKey) -> None:
    event = Event(a_setup(form, rounds=3 if form is FormatKey.SWISS else None))
    event.begin(2)
    event.do(directing.redraw)
    assert not event.t.games
    event.draw()
    assert [each.game.players for each in event.t.pending] == [(1, 2)]
    event.do(directing.redraw)
    event.do(registration.reopen, event.t.closes + timedelta(days=1))
    event.enter(103)
    event.do(registration.close)
    event.draw()
    assert len(event.t.active) == 3
    assert event.t.games


def test_a_player_who_was_excluded_forfeits_a_game_that_is_paired_again() -> None:
    event = Event(a_setup(FormatKey.ROUND_ROBIN))
    event.begin(3)
    event.do(registration.exclude, 1)
    event.do(directing.redraw)
    event.draw()
    again = event.t.games["3.1"]
    assert again.game.players == (3, 1)
    assert again.points == (1, 0)


def test_who_was_excluded_wins_nothing_and_who_left_unplayed_has_no_place() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3))
    event.enter(105)
    event.do(registration.withdraw, 1, by=900)
    event.begin(4)
    for each in event.t.in_round(1):
        event.score(each.game.id, 1, 0)
    before = placings(event.t)
    assert sorted(each.number for each in before) == [2, 3, 4, 5]
    first = before[0]
    event.do(registration.exclude, first.number, by=900)
    after = placings(event.t)
    assert [each.number for each in after] == [*(each.number for each in before[1:]), first.number]
    assert (after[0].rank, after[-1].rank) == (1, 4)
    assert after[-1].points == first.points
