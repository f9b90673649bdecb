"""Playing histories through again."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from typing import Any, Self

import pytest

from bot.domain import hosted, managed, match_clock, offer_answers, play, request_rules, stalled
from bot.domain.clock import Span, TimeControl
from bot.domain.events import Event, EventKind, micros, moment
from bot.domain.game_state import board_view, player_on_turn
from bot.domain.history import HistoryError, check_chain, replay, verify
from bot.domain.ids import ChannelId
from bot.domain.playthrough import moves_of, play_through
from bot.domain.rating_range import RatingRange
from bot.domain.requests import RequestKind
from bot.errors import UserError
from tests.domain.people import DAY, accepted, at, offered, set_up
from tests.support.kit import ANN, BOB, CYD, person

THREE = {"players": 3, "size": 5}


class Line:
    """A match and all that happened to it."""

    def __init__(self, change: Any) -> None:
        self.events = [change.event]
        self.match = change.match

    def then(self, command: Callable[..., Any], *args: Any, **named: Any) -> Self:
        change = command(self.match, *args, **named)
        self.events.append(change.event)
        self.match = change.match
        return self

    def holds(self) -> bool:
        verify(self.match, self.events)
        return True


def sealed(events: list[Event], place: int, **fields: Any) -> list[Event]:
    """The history with one event changed and every seal from there on made anew."""
    changed = list(events)
    changed[place] = dataclasses.replace(changed[place], **fields)
    for number in range(place, len(changed)):
        before = changed[number - 1].hash if number else ""
        event = dataclasses.replace(changed[number], prev_hash=before)
        changed[number] = dataclasses.replace(event, hash=event.seal)
    check_chain(changed)
    return changed


def running() -> Line:
    return Line(offered(BOB)).then(accepted, BOB)


def test_every_kind_of_event_can_be_played_again() -> None:
    seen = set()
    declined = Line(offered(BOB)).then(offer_answers.decline, at(1), BOB)
    left = Line(offered(options=THREE)).then(accepted, CYD)
    left.then(offer_answers.withdraw, at(2), CYD).then(offer_answers.withdraw, at(3), ANN)
    expired = Line(offered(BOB)).then(offer_answers.expire, at(DAY.total_seconds()))
    drawn = running().then(request_rules.ask, at(1), ANN, RequestKind.DRAW)
    drawn.then(request_rules.answer, at(2), BOB, RequestKind.DRAW, accept=False)
    drawn.then(play.move, at(3), ANN, text="b2")
    drawn.then(request_rules.ask, at(4), BOB, RequestKind.DRAW)
    drawn.then(request_rules.answer, at(5), ANN, RequestKind.DRAW, accept=True)
    aborted = running().then(stalled.abort, at(1), ANN)
    three = Line(offered(BOB, CYD, options=THREE)).then(accepted, BOB).then(accepted, CYD)
    third = person(three.match.players[2])
    second = person(three.match.players[1])
    three.then(play.move, at(1), ANN, text="c3").then(play.resign, at(2), second)
    three.then(play.move, at(3), third, text="e5").then(play.move, at(4), ANN, text="c2")
    three.then(play.resign, at(5), ANN)
    clock = TimeControl(timedelta(days=3), per_move=True)
    late = Line(offered(BOB, clock=clock)).then(accepted, BOB)
    stopped_spans = (Span(at(4).at, at(3604).at),)
    late.then(match_clock.credit, dataclasses.replace(at(3605), stopped_spans=stopped_spans))
    late.then(play.move, at(3610), ANN, text="b2").then(play.move, at(3620), BOB, text="a1")
    late.then(play.flag, at(3620 + 3 * DAY.total_seconds()))
    asked = Line(offered(BOB, clock=clock)).then(accepted, BOB)
    asked.then(play.move, at(2), ANN, text="b2")
    for seconds, act, actor, wish, more in (
        (3, request_rules.ask, ANN, RequestKind.TAKEBACK, {}),
        (4, request_rules.answer, BOB, RequestKind.TAKEBACK, {"accept": False}),
        (5, request_rules.ask, ANN, RequestKind.TAKEBACK, {}),
        (6, request_rules.answer, BOB, RequestKind.TAKEBACK, {"accept": True}),
        (7, request_rules.ask, BOB, RequestKind.PAUSE, {}),
        (8, request_rules.withdraw, BOB, RequestKind.PAUSE, None),
        (9, request_rules.ask, BOB, RequestKind.PAUSE, {}),
        (10, request_rules.ask, ANN, RequestKind.PAUSE, {}),
    ):
        past = {} if more is None else {"past": tuple(asked.events), **more}
        asked.then(act, at(seconds), actor, wish, **past)
    asked.then(request_rules.resume, at(11), BOB)
    asked.then(request_rules.ask, at(12), ANN, RequestKind.DRAW, expires_at=at(60).at)
    asked.then(request_rules.lapse, at(60))
    decided = Line(set_up(clock=clock)).then(play.move, at(1), ANN, text="b2")
    decided.then(hosted.adjudicate, at(2), (Fraction(0), Fraction(1)), "director")
    decided.then(hosted.adjudicate, at(3), (Fraction(1, 2), Fraction(1, 2)), "corrected")
    silent = running().then(play.move, at(1), ANN, text="b2")
    nudged_at = 1 + stalled.SILENT.total_seconds()
    silent.then(stalled.nudge, at(nudged_at), ANN)
    answer_by = at(nudged_at + stalled.ANSWER.total_seconds())
    silent.then(stalled.claim, answer_by, ANN, past=tuple(silent.events))
    ended = running().then(play.move, at(1), ANN, text="b2").then(managed.end, at(2), "asleep")
    placed = running().then(managed.decide, at(2), (2, 1), "unfair", counts=False)
    gone = running().then(stalled.depart, at(1), 1)
    substituted = Line(set_up(clock=clock)).then(play.move, at(1), ANN, text="b2")
    newcomer = CYD.user_id
    substituted.then(hosted.substitute, at(2), 1, newcomer, past=tuple(substituted.events))
    assert substituted.match.players == (ANN.user_id, CYD.user_id)
    substituted.then(play.move, at(3), CYD, text="a1")
    redrawn = Line(set_up(clock=clock)).then(hosted.call_off, at(1), "a player was missing")
    kinds = (decided, declined, left, expired, drawn, aborted, three, late, asked, silent, ended)
    for line in (*kinds, gone, placed, substituted, redrawn):
        assert line.holds()
        seen |= {event.kind for event in line.events}
    assert seen == set(EventKind)


def test_draws_are_written_as_they_were_when_there_was_nothing_else_to_ask_for() -> None:
    """These seals were made by the release before; such a history can go on."""
    line = running().then(request_rules.ask, at(1), ANN, RequestKind.DRAW)
    line.then(request_rules.answer, at(2), BOB, RequestKind.DRAW, accept=False)
    line.then(play.move, at(3), ANN, text="b2").then(
        request_rules.ask, at(4), BOB, RequestKind.DRAW
    )
    line.then(request_rules.answer, at(5), ANN, RequestKind.DRAW, accept=True)
    sealed_then = "40b87bab5dcfab8a92eff5f75d0e38980eafcd107407771253d134d27a755de3"
    assert line.events[-1].hash == sealed_then
    three = Line(offered(BOB, CYD, options=THREE)).then(accepted, BOB).then(accepted, CYD)
    first, second, third = (person(user) for user in three.match.players)
    three.then(request_rules.ask, at(1), second, RequestKind.DRAW).then(
        request_rules.ask, at(2), third, RequestKind.DRAW
    )
    three.then(play.resign, at(3), first).then(play.move, at(4), second, text="b2")
    sealed_then = "88c5e63414187f2cf4d86df1a366d92dc6d74e5d5d643f7591629b72e7902f71"
    assert three.events[-1].hash == sealed_then
    assert three.holds()


def test_a_history_that_could_not_be_is_found_even_with_every_seal_in_place() -> None:
    line = running().then(play.move, at(1), ANN, text="b2").then(play.move, at(2), BOB, text="a1")
    events, invited = line.events, line.match.invited
    assert replay(events, invited) == line.match
    for place, fields in (
        (2, {"payload": {"move": "B2"}}),
        (3, {"payload": {"move": "b2"}}),
        (3, {"payload": {"move": 7}}),
        (3, {"payload": {}}),
        (2, {"user_id": BOB.user_id}),
        (2, {"user_id": None}),
        (2, {"player": 1}),
        (1, {"payload": {"state": "nonsense"}}),
        (1, {"user_id": CYD.user_id}),
        (0, {"payload": {**events[0].payload, "game": "ludo"}}),
        (0, {"payload": {**events[0].payload, "kept": [0, 0]}}),
        (0, {"payload": {**events[0].payload, "clock": "03d"}}),
        (0, {"payload": {**events[0].payload, "band": "1600 +"}}),
        (0, {"payload": {**events[0].payload, "band": "±150"}}),
        (0, {"payload": {**events[0].payload, "band": "strong"}}),
        (0, {"kind": EventKind.OFFERED, "player": None}),
        (0, {"kind": EventKind.MOVED}),
        (2, {"kind": EventKind.OFFERED}),
        (2, {"kind": EventKind.EXPIRED}),
    ):
        with pytest.raises(HistoryError) as caught:
            replay(sealed(events, place, **fields), invited)
        assert caught.value.code == "impossible", (place, fields)
    unknown = sealed(events, 0, payload={**events[0].payload, "game": "ludo"})
    with pytest.raises(HistoryError, match="the game ludo is not installed"):
        replay(unknown, invited)
    with pytest.raises(HistoryError, match="it has no events"):
        replay([], invited)
    assert str(HistoryError("gap", 3)) == "event 3 is not the one that comes next"


def test_every_kind_of_tampering_shows() -> None:
    line = running().then(play.move, at(1), ANN, text="b2").then(play.move, at(2), BOB, text="a1")
    match, events = line.match, line.events
    elsewhere = dataclasses.replace(events[2], prev_hash=events[0].hash)

    def changed(place: int, **fields: Any) -> list[Event]:
        return [*events[:place], dataclasses.replace(events[place], **fields), *events[place + 1 :]]

    for code, history in (
        ("empty", []),
        ("chain", changed(2, payload={"move": "c3"})),
        ("chain", changed(2, at=events[2].at + timedelta(microseconds=1))),
        ("chain", changed(3, player=0)),
        ("chain", changed(1, hash="0" * 64)),
        ("chain", changed(2, prev_hash="0" * 64)),
        ("chain", [*events[:2], dataclasses.replace(elsewhere, hash=elsewhere.seal)]),
        ("gap", [*events[:2], *events[3:]]),
        ("gap", [events[0], *events]),
        ("gap", events[1:]),
        ("head", events[:-1]),
    ):
        with pytest.raises(HistoryError) as caught:
            verify(match, history)
        assert caught.value.code == code
    for word, head in (("state", "x../.../... o"), ("players", match.players[::-1])):
        with pytest.raises(HistoryError, match=word):
            verify(dataclasses.replace(match, **{word: head}), events)


def test_instants_survive_to_the_microsecond_whatever_their_zone() -> None:
    for instant in (
        datetime(2026, 3, 29, 1, 59, 59, 999999, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 1, tzinfo=UTC),
        datetime(2026, 7, 1, 12, 0, 0, 123457, tzinfo=timezone(timedelta(hours=-9, minutes=-30))),
    ):
        assert moment(micros(instant)) == instant
        assert moment(micros(instant)).tzinfo is UTC


def test_seals_do_not_depend_on_the_order_of_keys() -> None:
    event = offered(BOB).event
    one = dataclasses.replace(event, payload={"a": 1, "b": [None, "é"]}).seal
    two = dataclasses.replace(event, payload={"b": [None, "é"], "a": 1}).seal
    assert one == two
    assert len(one) == 64


def test_what_is_changed_in_the_head_is_noticed_but_for_where_it_is_shown() -> None:
    line = Line(offered(band=RatingRange(1600, None)))
    for word, change in (("band", {"band": None}), ("options", {"options": {}})):
        with pytest.raises(HistoryError) as caught:
            verify(dataclasses.replace(line.match, **change), line.events)
        assert (caught.value.code, caught.value.detail) == ("head", word)
    verify(dataclasses.replace(line.match, home_id=ChannelId(77)), line.events)


# ---- matches played through for those who look back ----------------------------------------------


def test_a_playthrough_passes_through_every_state_that_the_match_had() -> None:
    line = Line(offered(BOB, options={"pie": "on"})).then(accepted, BOB)
    states = [line.match.state]
    for number, move in enumerate(("b2", "swap", "a1", "c3"), 1):
        player = person(line.match.players[player_on_turn(line.match)])
        line.then(play.move, at(number), player, text=move)
        states.append(line.match.state)
    found = play_through(line.match, line.events)
    game = found.table.game
    assert [game.encode(position) for position in found.positions] == states
    assert found.notations == ("b2", "swap", "a1", "c3")
    assert [found.at(ply).game.encode(found.at(ply).position) for ply in range(5)] == states
    assert found.view(0) == game.view(found.positions[0], None)
    assert found.view(4).marks == game.marks(found.positions[3], found.moves[3])


def test_the_last_position_shows_how_the_match_ended_and_no_other_does() -> None:
    line = (
        Line(offered(BOB, game="quax")).then(accepted, BOB).then(play.move, at(1), ANN, text="a1")
    )
    line.then(play.resign, at(2), BOB)
    found = play_through(line.match, line.events)
    assert found.view(1) == board_view(line.match)
    assert found.view(1).to_move is None
    assert found.view(0).to_move == 0
    assert found.view(0).result is None


def test_moves_played_for_a_player_who_left_are_part_of_it() -> None:
    line = Line(offered(BOB, CYD, options=THREE)).then(accepted, BOB).then(accepted, CYD)
    second, third = person(line.match.players[1]), person(line.match.players[2])
    line.then(play.move, at(1), ANN, text="c3").then(play.resign, at(2), second)
    line.then(play.move, at(3), third, text="e5").then(play.move, at(4), ANN, text="c2")
    found = play_through(line.match, line.events)
    assert found.plies == line.match.ply
    assert found.table.game.encode(found.positions[-1]) == line.match.state
    assert moves_of(line.events)[-len(line.match.recent) :] == line.match.recent


def test_what_has_not_started_has_no_positions() -> None:
    line = Line(offered(BOB)).then(offer_answers.decline, at(1), BOB)
    with pytest.raises(UserError, match="not_started"):
        play_through(line.match, line.events)
