"""The effect of a clock on a match."""

from __future__ import annotations

import dataclasses
from datetime import datetime, timedelta
from random import Random

import pytest

from bot.domain import match_clock, play, request_rules, stalled
from bot.domain.clock import Span, TimeControl
from bot.domain.events import CommandContext, EventKind, OnVacation
from bot.domain.game_state import GameState, game_state_of, player_on_turn
from bot.domain.match import Actor, Ending, Match, MatchStatus
from bot.domain.requests import RequestKind
from games.pythagoras.position import Pin, Place
from tests.domain.people import accepted, at, offered, played, started
from tests.domain.test_history import Line
from tests.history.recorded import begun, play_at_random
from tests.support.kit import ANN, BOB, CYD, START, person
from tests.support.not_none import not_none

HOUR = timedelta(hours=1)
EACH = TimeControl(HOUR, per_move=True)
BANK = TimeControl(HOUR, timedelta(minutes=5))


def late(match: Match) -> CommandContext:
    return at((not_none(match.deadline) - START).total_seconds())


def test_of_two_players_the_other_wins_when_time_runs_out() -> None:
    match = played(started(BOB, clock=EACH), "b2 a1")
    change = not_none(play.flag(match, late(match)))
    assert change.event.kind is EventKind.FLAGGED
    assert (change.event.player, change.event.user_id) == (0, None)
    assert change.match.status is MatchStatus.FINISHED
    assert not_none(change.match.result).ending is Ending.TIME
    assert not_none(change.match.result).winners == (1,)
    assert change.match.deadline is None


def test_the_clock_of_an_offer_that_is_taken_late_begins_when_it_is_taken() -> None:
    match = accepted(offered(BOB, clock=BANK).match, BOB, seconds=30_000).match
    assert match.deadline == at(30_000).at + BANK.bank


def test_a_flag_does_not_fall_a_microsecond_early() -> None:
    match = played(started(BOB, clock=EACH), "b2 a1")
    act = late(match)
    assert play.flag(match, dataclasses.replace(act, at=act.at - timedelta.resolution)) is None
    assert play.flag(started(BOB), at(10**9)) is None
    assert play.flag(offered(BOB, clock=EACH).match, at(10**9)) is None


@pytest.mark.parametrize("moves", ["", "b2"])
def test_a_match_whose_first_moves_never_come_is_aborted(moves: str) -> None:
    match = played(started(BOB, clock=EACH), moves)
    change = not_none(play.flag(match, late(match)))
    assert change.match.status is MatchStatus.ABORTED
    assert change.match.result is None
    assert change.match.retired == ()
    assert change.match.too_late == player_on_turn(match)


def test_only_of_a_match_that_was_aborted_for_it_it_is_said_that_time_ran_out() -> None:
    begun_late = started(BOB, clock=EACH)
    assert begun_late.too_late is None
    assert stalled.abort(begun_late, at(5), BOB).match.too_late is None
    assert stalled.abort(started(BOB), at(10**9), BOB).match.too_late is None
    over = not_none(play.flag(played(begun_late, "b2 a1"), late(played(begun_late, "b2 a1")))).match
    assert over.too_late is None, "it had begun, and a player has lost"


def test_who_aborts_after_a_standstill_is_not_told_that_time_ran_out() -> None:
    line = Line(offered(BOB, clock=EACH)).then(accepted, BOB)
    act = dataclasses.replace(late(line.match), stopped_spans=(Span(at(10).at, at(3000).at),))
    line.then(stalled.abort, act, ANN)
    assert (line.match.status, line.match.too_late) == (MatchStatus.ABORTED, None)
    assert line.holds()


def test_of_three_players_the_one_out_of_time_leaves_and_the_others_play_on() -> None:
    line = Line(offered(BOB, CYD, options={"players": 3, "size": 5}, clock=BANK))
    line.then(accepted, BOB).then(accepted, CYD)
    for move in ("a1", "b1", "c1"):
        line.then(
            play.move, at(2), person(line.match.players[player_on_turn(line.match)]), text=move
        )
    out = player_on_turn(line.match)
    line.then(play.flag, late(line.match))
    assert line.match.status is MatchStatus.RUNNING
    assert line.match.retired == (out,)
    assert line.match.ply == 4, "the game itself knows what is played for a player who has left"
    assert line.match.times.running == player_on_turn(line.match) != out
    assert line.match.deadline == line.match.updated_at + HOUR + BANK.increment
    line.then(play.flag, late(line.match))
    assert line.match.status is MatchStatus.FINISHED
    assert line.match.result.ending is Ending.TIME
    assert len(line.match.result.winners) == 1
    assert line.holds()


def test_several_moves_of_one_turn_run_on_one_clock() -> None:
    found = begun("pythagoras", {}, clock=BANK)
    turns = 0
    for _ in range(60):
        before = found.match
        if before.status is not MatchStatus.RUNNING:
            break
        play_at_random(found, Random(turns), most=1)
        after = found.match
        if (
            after.status is MatchStatus.RUNNING
            and not_none(after.times).running == not_none(before.times).running
        ):
            assert not_none(after.times).since == not_none(before.times).since
            assert not_none(after.times).left == not_none(before.times).left
        elif after.status is MatchStatus.RUNNING:
            turns += 1
            assert not_none(after.times).since == after.updated_at
    assert turns > 5


def goes_on(table: GameState, move: Pin | Place) -> bool:
    """Whether the player on turn has another move with the same colour after this one."""
    game, before = table.game, table.position
    after = game.play(before, move)
    return game.to_move(after) is not None and game.turn(after) == game.turn(before)


def test_a_move_within_a_turn_ends_a_pause_and_the_turn_runs_on_with_what_was_left() -> None:
    found = begun("pythagoras", {"seats": 2}, clock=BANK)
    again = None
    while again is None:
        play_at_random(found, Random(1), most=1)
        table = game_state_of(found.match)
        legal = list(table.game.legal_moves(table.position))
        again = next((move for move in legal if goes_on(table, move)), None)
    mover = player_on_turn(found.match)
    began = found.match.times
    for player in found.match.players:
        act = at(3600 + (not_none(not_none(began).since) - START).total_seconds())
        if player == found.match.players[0]:
            found.then(request_rules.ask, act, person(not_none(player)), RequestKind.PAUSE)
        else:
            found.then(
                request_rules.answer, act, person(not_none(player)), RequestKind.PAUSE, accept=True
            )
    assert found.match.is_paused
    words = table.game.notation(table.position, again)
    found.then(
        play.move, at(10**6), person(not_none(found.match.players[not_none(mover)])), text=words
    )
    now = found.match.times
    assert (not_none(now).running, not_none(now).is_paused, not_none(now).since) == (
        mover,
        False,
        at(10**6).at,
    )
    assert not_none(now).left[not_none(mover)] == not_none(began).left[not_none(mover)] - HOUR, (
        "no increment: the turn is not over"
    )


def test_after_a_swap_the_clock_is_that_of_the_player_on_turn() -> None:
    match = played(started(BOB, options={"pie": "on"}, clock=BANK), "b2 swap")
    assert player_on_turn(match) == not_none(match.times).running
    assert not_none(match.times).running == 0, "the first player answers with the other side"
    assert min(not_none(match.times).left) > HOUR


def test_resigning_out_of_turn_does_not_stop_a_clock_of_others() -> None:
    match = started(BOB, CYD, options={"players": 3}, clock=BANK)
    other = person(not_none(match.players[2]))
    after = play.resign(match, at(30), other).match
    assert after.times == match.times


def test_only_what_stood_still_within_the_turn_is_kept_and_given_back() -> None:
    match = played(started(BOB, clock=BANK), "b2 a1")
    since = not_none(not_none(match.times).since)
    before = Span(since - HOUR, since - timedelta(seconds=1))
    within = Span(since + timedelta(minutes=10), since + timedelta(minutes=40))
    assert match_clock.credit(match, dataclasses.replace(at(9000), stopped_spans=(before,))) is None
    act = dataclasses.replace(at(9000), stopped_spans=(before, within))
    change = not_none(match_clock.credit(match, act))
    stopped_spans = change.event.payload["stood"]
    assert isinstance(stopped_spans, list)
    assert len(stopped_spans) == 1
    assert change.match.deadline == not_none(match.deadline) + timedelta(minutes=30)
    assert match_clock.credited(match, (before, within)).deadline == change.match.deadline
    assert match_clock.credited(match, ()) is match
    assert (
        match_clock.credit(started(BOB), dataclasses.replace(at(9), stopped_spans=(within,)))
        is None
    )


def test_no_time_runs_out_after_the_end_whatever_stood_still() -> None:
    match = played(started(BOB, clock=EACH), "b2 a1")
    over = play.resign(match, at(20), ANN).match
    stopped_spans = (Span(at(3).at, at(30).at),)
    assert match_clock.runs_out(match, stopped_spans) is not None
    assert match_clock.runs_out(over, stopped_spans) is None


def test_a_match_without_a_clock_has_the_events_it_always_had() -> None:
    match = played(started(BOB), "b2 a1")
    assert (match.clock, match.times, match.deadline) == (None, None, None)
    stopped_spans = (Span(START, START + HOUR),)
    change = play.move(
        match, dataclasses.replace(at(9), stopped_spans=stopped_spans), ANN, text="c3"
    )
    assert change.event.payload == {"move": "c3"}
    assert "clock" not in offered(BOB).event.payload


def test_a_standstill_of_no_length_gives_nothing_back() -> None:
    match = played(started(BOB, clock=EACH), "b2")
    instant = START + timedelta(minutes=5)
    act = dataclasses.replace(at(400), stopped_spans=(Span(instant, instant),))
    assert match_clock.credit(match, act) is None
    moved = play.move(match, act, BOB, text="a1")
    assert "stood" not in moved.event.payload


# ---- vacations: clocks that allow them, and their effect on a clock ------------------------------


DAY = timedelta(days=1)
SLOW = TimeControl(3 * DAY, per_move=True)


def away(act: CommandContext, actor: Actor, until: datetime) -> CommandContext:
    return dataclasses.replace(act, away=(OnVacation(actor.user_id, until),))


def under_way(clock: TimeControl = SLOW) -> Line:
    """A match in which Bob is on turn."""
    line = Line(offered(BOB, clock=clock)).then(accepted, BOB)
    return (
        line.then(play.move, at(10), ANN, text="a1")
        .then(play.move, at(20), BOB, text="b2")
        .then(play.move, at(30), ANN, text="c3")
    )


BACK = START + 10 * DAY


def test_a_clock_that_comes_to_a_player_on_vacation_stands_until_its_end() -> None:
    line = under_way().then(play.move, away(at(3600), ANN, BACK), BOB, text="a2")
    assert line.match.times.since == BACK
    assert line.match.deadline == BACK + SLOW.bank
    assert line.holds()
    other = under_way().then(play.move, away(at(3600), BOB, BACK), BOB, text="a2")
    assert other.match.times.since == at(3600).at, "who has moved does not keep the clock"
    assert other.holds()


def test_a_vacation_that_ends_sooner_lets_the_clock_run_from_then_on() -> None:
    line = under_way().then(play.move, away(at(3600), ANN, BACK), BOB, text="a2")
    sooner = START + 4 * DAY
    line.then(match_clock.credit, away(at(7200), ANN, sooner))
    assert line.events[-1].kind is EventKind.CREDITED
    assert line.match.deadline == sooner + SLOW.bank
    assert match_clock.credit(line.match, away(at(7300), ANN, sooner)) is None, "nothing new"
    line.then(match_clock.credit, at(8000))
    assert line.match.deadline == at(8000).at + SLOW.bank, "it is over at once"
    assert match_clock.credit(line.match, at(9000)) is None
    assert line.holds()


def test_a_vacation_that_begins_after_the_time_had_run_out_saves_nothing() -> None:
    match = under_way().match
    late = match.deadline + HOUR
    act = CommandContext(late + HOUR, stopped_spans=(Span(late, late + 9 * DAY),))
    assert match_clock.credit(match, act) is None


def test_when_a_pause_ends_the_clock_of_a_player_on_vacation_stands() -> None:
    line = under_way()
    line.then(request_rules.ask, at(100), ANN, RequestKind.PAUSE)
    line.then(request_rules.answer, at(200), BOB, RequestKind.PAUSE, accept=True)
    line.then(request_rules.resume, away(at(300), BOB, BACK), ANN)
    assert line.match.times.since == BACK
    assert line.holds()


def test_who_stands_beside_a_match_stops_no_clock_of_it_by_a_vacation() -> None:
    line = under_way().then(play.move, away(at(3600), CYD, BACK), BOB, text="a2")
    assert line.match.times.since == at(3600).at
    assert line.holds()
