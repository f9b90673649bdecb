"""Agreements of players: draws, takebacks, pauses."""

from __future__ import annotations

import dataclasses
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.domain import match_clock, play, request_rules
from bot.domain.clock import Span, TimeControl
from bot.domain.game_state import player_on_turn
from bot.domain.history import HistoryError, replay, verify
from bot.domain.match import Actor, Ending, Match, MatchStatus
from bot.domain.playthrough import moves_of, play_through
from bot.domain.requests import Request, RequestKind, find
from tests.domain.people import accepted, at, offered, played, started
from tests.domain.test_history import Line, sealed
from tests.domain.test_offers import refused
from tests.domain.test_play import three_players
from tests.sixth_game import Rows
from tests.support.kit import ANN, BOB, CYD, START, person
from tests.support.not_none import not_none

DRAW, TAKEBACK, PAUSE = RequestKind.DRAW, RequestKind.TAKEBACK, RequestKind.PAUSE
HOUR = timedelta(hours=1)
BANK = TimeControl(timedelta(days=1), increment=HOUR)
EACH = TimeControl(timedelta(days=3), per_move=True)


class Club(Line):
    """A match of two or three with its history, and short words for what is asked."""

    def __init__(self, moves: str = "", *others: Any, **more: Any) -> None:
        others = others or (BOB,)
        super().__init__(offered(*others, **more))
        for other in others:
            self.then(accepted, other)
        self.people = [person(user) for user in self.match.players]
        self.play(moves)

    def play(self, moves: str) -> Club:
        for seconds, text in enumerate(moves.split()):
            who = self.people[not_none(player_on_turn(self.match))]
            self.then(play.move, at(10 + seconds), who, text=text)
        return self

    def ask(
        self, actor: Actor, wish: RequestKind, seconds: float = 100.0, **more: datetime
    ) -> Club:
        return self.then(
            request_rules.ask, at(seconds), actor, wish, past=tuple(self.events), **more
        )

    def answer(
        self,
        actor: Actor,
        wish: RequestKind,
        seconds: float = 200.0,
        *,
        accept: bool = True,
        **more: Any,
    ) -> Club:
        past = tuple(self.events)
        return self.then(
            request_rules.answer, at(seconds), actor, wish, accept=accept, past=past, **more
        )

    def take_back(self, actor: Actor, seconds: float = 100.0) -> Club:
        self.ask(actor, TAKEBACK, seconds)
        for other in self.people:
            left = self.match.index_of(other.user_id) in self.match.retired
            if other != actor and not left:
                self.answer(other, TAKEBACK, seconds + 1)
        return self


def agreed(match: Match, wish: RequestKind) -> tuple[int, ...]:
    request = find(match.requests, wish)
    return () if request is None else request.agreed


# ---- draws -----------------------------------------------------------------------------------


def test_a_draw_by_agreement() -> None:
    match = played(started(), "a1")
    offer = request_rules.ask(match, at(1), ANN, DRAW).match
    assert offer.requests == (Request(DRAW, (0,), match.version + 1),)
    refused("request_pending", request_rules.ask, offer, at(2), ANN, DRAW)
    refused("own_request", request_rules.answer, offer, at(2), ANN, DRAW, accept=True)
    refused("not_a_player", request_rules.answer, offer, at(2), CYD, DRAW, accept=True)
    for agree in (
        request_rules.answer(offer, at(2), BOB, DRAW, accept=True),
        request_rules.ask(offer, at(2), BOB, DRAW),
    ):
        after = agree.match
        assert agree.event.code == "draw_agreed"
        assert after.status is MatchStatus.FINISHED
        assert after.result is not None
        assert (after.result.ending, after.result.scores, after.result.winners) == (
            Ending.AGREEMENT,
            (0.5, 0.5),
            (),
        )
        assert after.requests == ()
    declined = request_rules.answer(offer, at(2), BOB, DRAW, accept=False).match
    assert (declined.status, declined.requests) == (MatchStatus.RUNNING, ())
    refused("request_gone", request_rules.answer, declined, at(3), BOB, DRAW, accept=True)


def test_a_draw_offer_lapses_when_the_other_moves_and_not_when_its_maker_does() -> None:
    match = played(started(), "a1")
    offer = request_rules.ask(match, at(1), BOB, DRAW).match
    own = play.move(offer, at(2), BOB, text="b2").match
    assert agreed(own, DRAW) == (1,)
    other = play.move(own, at(3), ANN, text="c3").match
    assert other.requests == ()


def test_of_three_all_must_agree_on_a_draw() -> None:
    match, (first, second, third) = three_players()
    match = request_rules.ask(match, at(1), first, DRAW).match
    assert agreed(play.resign(match, at(2), third).match, DRAW) == (0,), "the second can answer"
    match = request_rules.ask(match, at(1), second, DRAW).match
    assert (match.status, agreed(match, DRAW)) == (MatchStatus.RUNNING, (0, 1))
    assert request_rules.ask(match, at(1), third, DRAW).match.status is MatchStatus.FINISHED
    stays = request_rules.ask(three_players()[0], at(1), first, DRAW).match
    assert play.resign(stays, at(2), first).match.requests == ()


def test_when_nobody_is_left_to_answer_it_can_be_asked_for_anew() -> None:
    match, (first, second, third) = three_players()
    for actor in (first, second):
        match = request_rules.ask(match, at(1), actor, DRAW).match
    match = play.resign(match, at(2), third).match
    assert match.requests == ()
    match = request_rules.ask(match, at(3), second, DRAW).match
    assert request_rules.ask(match, at(4), first, DRAW).match.status is MatchStatus.FINISHED


def test_no_draw_is_offered_where_the_rules_know_none(monkeypatch: pytest.MonkeyPatch) -> None:
    match = started()
    monkeypatch.setattr(Rows, "info", dataclasses.replace(Rows.info, allows_draw_offer=False))
    assert refused("no_draws", request_rules.ask, match, at(1), ANN, DRAW) == {"game": "Rows"}


# ---- what all requests have in common --------------------------------------------------------


@pytest.mark.parametrize("wish", list(RequestKind))
def test_only_who_has_asked_can_withdraw_and_then_nobody_can_agree(wish: RequestKind) -> None:
    club = Club("a1 b2", clock=BANK).ask(ANN, wish)
    refused("nothing_to_withdraw", request_rules.withdraw, club.match, at(150), BOB, wish)
    stale = club.match.requests[0].version
    club.then(request_rules.withdraw, at(150), ANN, wish, version=stale)
    assert club.match.requests == ()
    refused("nothing_to_withdraw", request_rules.withdraw, club.match, at(151), ANN, wish)
    code = "request_gone"
    refused(code, request_rules.answer, club.match, at(152), BOB, wish, accept=True)
    assert club.ask(ANN, wish, 160).holds()
    for accept in (True, False):
        answer = (request_rules.answer, club.match, at(170), BOB, wish)
        refused(code, *answer, accept=accept, version=stale)


@pytest.mark.parametrize("wish", list(RequestKind))
def test_a_request_lapses_at_its_time_and_not_before(wish: RequestKind) -> None:
    until = START + HOUR
    club = Club("a1 b2", clock=BANK).ask(ANN, wish, expires_at=until)
    assert club.match.lapses_at == until
    assert request_rules.lapse(club.match, at(3599)) is None
    late = at(3600)
    code = "request_gone"
    refused(code, request_rules.answer, club.match, late, BOB, wish, accept=True, past=club.events)
    club.then(request_rules.lapse, late)
    assert (club.match.requests, club.match.lapses_at) == ((), None)
    assert club.events[-1].payload == {"wishes": [wish.value]}
    assert request_rules.lapse(club.match, at(9999)) is None
    assert club.holds()


def test_a_player_who_asks_after_the_time_of_anothers_request_asks_anew() -> None:
    club = Club("a1 b2").ask(ANN, DRAW, expires_at=START + HOUR)
    club.ask(BOB, DRAW, 3600)
    assert agreed(club.match, DRAW) == (1,)
    assert club.match.status is MatchStatus.RUNNING
    assert club.holds()


def test_different_requests_stand_side_by_side_until_the_match_is_over() -> None:
    club = Club("a1 b2", clock=BANK).ask(ANN, DRAW).ask(BOB, PAUSE, 101).ask(BOB, TAKEBACK, 102)
    assert [each.wish for each in club.match.requests] == [DRAW, PAUSE, TAKEBACK]
    paused = Club("a1 b2", clock=BANK).ask(ANN, DRAW).ask(BOB, PAUSE, 101).ask(ANN, PAUSE, 102)
    assert paused.match.is_paused
    assert agreed(paused.match, DRAW) == (0,)
    club.answer(BOB, DRAW)
    assert (club.match.status, club.match.requests) == (MatchStatus.FINISHED, ())
    for wish in RequestKind:
        refused("match_over", request_rules.ask, club.match, at(300), BOB, wish, past=club.events)
    assert club.holds()
    assert paused.holds()


def test_nothing_is_asked_for_before_the_start_or_by_others() -> None:
    offer = offered(BOB)
    for wish in RequestKind:
        refused("not_started", request_rules.ask, offer.match, at(1), ANN, wish, past=[offer.event])
        refused("not_a_player", request_rules.ask, started(), at(1), CYD, wish)


# ---- takebacks -------------------------------------------------------------------------------


def test_a_takeback_leads_back_to_the_askers_own_last_move() -> None:
    for asker, left in ((ANN, "a1 b2"), (BOB, "a1 b2 c3")):
        club = Club("a1 b2 c3 b1").take_back(asker)
        fresh = Club(left)
        assert moves_of(club.events) == tuple(left.split())
        for name in ("state", "previous_state", "last_move", "moved_by", "recent", "ply"):
            assert getattr(club.match, name) == getattr(fresh.match, name), name
        assert club.match.players[player_on_turn(club.match)] == asker.user_id
        assert club.match.position_since == club.match.version == len(club.events)
        assert club.events[-1].payload["undone"] == 4 - len(left.split())
        assert club.holds()
        club.play("a3 a2")
        assert play_through(club.match, club.events).notations == (*left.split(), "a3", "a2")
        assert club.holds()


def test_everything_can_be_taken_back_up_to_the_start_and_no_further() -> None:
    club = Club("a1 b2")
    start = club.events[1].payload["state"]
    club.take_back(BOB).take_back(ANN, 110)
    assert (club.match.state, club.match.ply, club.match.recent) == (start, 0, ())
    assert (club.match.previous_state, club.match.last_move) == ("", "")
    assert club.match.moved_by is None
    for actor in (ANN, BOB):
        command = (request_rules.ask, club.match, at(120), actor, TAKEBACK)
        refused("nothing_to_take_back", *command, past=club.events)
    assert club.play("c1").take_back(ANN, 130).play("c2 c1").holds()


def test_a_takeback_needs_everybody_and_no_move_in_between() -> None:
    club = Club("a1 b2 c3", BOB, CYD, options={"players": 3, "size": 5})
    first, second, third = club.people
    club.ask(first, TAKEBACK).answer(second, TAKEBACK)
    assert club.match.ply == 3
    refused("request_pending", request_rules.ask, club.match, at(201), second, TAKEBACK)
    declined = request_rules.answer(club.match, at(201), third, TAKEBACK, accept=False).match
    assert (declined.ply, declined.requests) == (3, ())
    moved = play.move(club.match, at(202), first, text="d4").match
    assert moved.requests == (), "the asker's own move ends it too"
    club.answer(third, TAKEBACK, 203)
    assert moves_of(club.events) == ()
    assert club.holds()


def test_two_who_want_their_own_moves_back_do_not_want_the_same() -> None:
    club = Club("a1 b2 c3").ask(BOB, TAKEBACK)
    refused(
        "takeback_first", request_rules.ask, club.match, at(101), ANN, TAKEBACK, past=club.events
    )
    club.answer(ANN, TAKEBACK)
    assert moves_of(club.events) == ("a1",)


def test_the_swap_can_be_taken_back_with_the_seats_it_exchanged() -> None:
    club = Club("b2 swap", options={"pie": "on"})
    seats = Club("b2", options={"pie": "on"}).match.state
    assert club.take_back(BOB).match.state == seats
    assert club.play("a1").holds()


def test_who_has_left_does_not_come_back_with_a_takeback() -> None:
    club = Club("a1 b2 c3", BOB, CYD, options={"players": 3, "size": 5})
    first, second, _ = club.people
    club.play("d4").then(play.resign, at(50), second).play("e5 a2")
    before = club.match
    club.take_back(first)
    assert club.match.retired == (1,)
    assert club.match.ply == before.ply - 2
    assert player_on_turn(club.match) == 0
    club.play("a3")
    assert club.match.last_move != "a3", "what the rules play for who has left is played again"
    assert club.holds()


def test_a_history_that_claims_another_position_after_a_takeback_does_not_hold() -> None:
    club = Club("a1 b2 c3").take_back(ANN)
    for change in ({"undone": 2}, {"state": "...|...|... x"}, {"wish": "pause"}):
        payload = {**club.events[-1].payload, **change}
        forged = sealed(club.events, len(club.events) - 1, payload=payload)
        with pytest.raises(HistoryError, match="cannot have happened"):
            replay(forged, club.match.invited)
    verify(club.match, club.events)


# ---- pauses ----------------------------------------------------------------------------------


def test_only_a_running_clock_can_be_paused_and_only_a_paused_one_goes_on() -> None:
    refused("no_clock", request_rules.ask, played(started(), "a1"), at(1), ANN, PAUSE)
    club = Club("a1 b2", clock=BANK)
    refused("not_paused", request_rules.resume, club.match, at(100), ANN)
    club.ask(ANN, PAUSE)
    assert club.match.deadline is not None, "asking alone stops nothing"
    club.answer(BOB, PAUSE)
    refused("paused_already", request_rules.ask, club.match, at(300), BOB, PAUSE)
    assert (club.match.is_paused, club.match.deadline) == (True, None)
    assert play.flag(club.match, at(10**7)) is None
    assert (
        match_clock.credit(club.match, dataclasses.replace(at(400), stopped_spans=(span(1, 2),)))
        is None
    )
    assert club.holds()


def span(start: int, end: int) -> Span:
    return Span(START + start * HOUR, START + end * HOUR)


@pytest.mark.parametrize("who", [ANN, BOB])
def test_either_player_ends_a_pause_and_the_time_in_it_costs_nobody_anything(who: Actor) -> None:
    club = Club("a1 b2", clock=BANK).ask(ANN, PAUSE, 3600).answer(BOB, PAUSE, 7200)
    left = club.match.times.left
    club.then(request_rules.resume, at(10**6), who)
    assert club.match.times.left == left
    assert club.match.deadline == START + timedelta(seconds=10**6) + left[0]
    assert left[0] < BANK.bank + HOUR, "what was used before the pause stays used"
    assert club.holds()


def test_a_move_ends_a_pause() -> None:
    club = Club("a1 b2", clock=BANK).ask(BOB, PAUSE, 3600).ask(ANN, PAUSE, 7200)
    left = club.match.times.left
    club.then(play.move, at(10**6), ANN, text="c3")
    assert club.match.times.left == (left[0] + HOUR, left[1])
    assert (club.match.times.running, club.match.is_paused) == (1, False)
    assert club.holds()


def test_downtime_before_a_pause_does_not_count() -> None:
    club = Club("a1 b2", clock=EACH).ask(ANN, PAUSE)
    stopped_spans = (span(1, 3),)
    club.then(
        request_rules.answer,
        dataclasses.replace(at(4 * 3600), stopped_spans=stopped_spans),
        BOB,
        PAUSE,
        accept=True,
    )
    assert EACH.bank - club.match.times.left[0] < 2 * HOUR
    assert club.holds()


# ---- takebacks with a clock ------------------------------------------------------------------


def test_the_time_that_was_used_stays_used_when_moves_are_taken_back() -> None:
    club = Club("a1 b2", clock=BANK)
    before = club.match.times
    club.ask(BOB, TAKEBACK, 3600).answer(ANN, TAKEBACK, 7200)
    now = club.match.times
    assert (now.running, now.since) == (1, START + 2 * HOUR)
    assert now.left[1] == before.left[1]
    used = START + 2 * HOUR - before.since
    assert now.left[0] == before.left[0] - used
    assert club.holds()


def test_with_a_fixed_time_for_each_move_the_turn_begins_anew() -> None:
    club = Club("a1 b2", clock=EACH).take_back(BOB, 7200)
    assert club.match.times.left[1] == EACH.bank
    assert club.match.deadline == START + timedelta(seconds=7201) + EACH.bank
    own = Club("a1 b2", clock=EACH).take_back(ANN, 7200)
    assert own.match.times.left[0] < EACH.bank, "it was the asker's turn: their time runs on"
    assert own.holds()


def test_a_pause_outlasts_a_takeback() -> None:
    club = Club("a1 b2", clock=BANK).ask(ANN, PAUSE, 3600).answer(BOB, PAUSE, 3700)
    club.take_back(BOB, 3800)
    assert club.match.is_paused
    assert club.match.times.running == 1
    assert club.holds()
