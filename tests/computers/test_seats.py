"""Computers as players: their numbers, their seats, and what is asked of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from bot.computers.domain.turns import awaited, seed_of, sits
from bot.domain import match_clock, offer_answers, play, request_rules
from bot.domain.clock import TimeControl
from bot.domain.computers import (
    PlayedComputer,
    about_as_strong,
    computer,
    is_computer,
    is_erased,
    level_of,
    levels_for,
    made_up,
    number_made_up,
    number_of,
    told_apart,
)
from bot.domain.events import Change, CommandContext
from bot.domain.history import replay, verify
from bot.domain.ids import UserId
from bot.domain.match import Actor, Match, MatchStatus, Venue
from bot.domain.offers import starts_at_once
from bot.domain.requests import RequestKind
from bot.errors import UserError
from bot.posts.deliveries import deliveries_for
from bot.posts.notices import NoticeKind
from bot.posts.sending import DeliveryKind
from engines import levels
from engines.catalog import engine_for
from games import catalog
from tests.domain.people import DAY, offered
from tests.support.kit import ANN, BOB, GUILD, START
from tests.support.not_none import not_none

FIRST, SECOND = (Actor(computer(level), GUILD) for level in (1, 2))
SOON = START + timedelta(seconds=5)
ROWS = {"players": 3, "size": 5}


def begun(*opponents: Actor, **more: Any) -> list[Change]:
    """The changes until all computers have their seats."""
    first = offered(*opponents, **more)
    return [first, *sits(first)]


def test_numbers_of_computers_are_none_of_discords() -> None:
    for level in (1, 7, 99):
        for number in range(9):
            user = computer(level, number)
            assert user < 0
            assert is_computer(user)
            assert not is_erased(user)
            assert (level_of(user), number_of(user)) == (level, number)
    assert not is_computer(None)
    assert not is_computer(UserId(1))
    assert is_erased(UserId(-(2**52)))
    assert not is_erased(made_up(1))
    assert not is_computer(made_up(1))
    with pytest.raises(ValueError, match="level 0"):
        computer(0)


def test_the_made_up_players_of_a_rehearsal_are_numbered_from_1_to_1000() -> None:
    for number in (1, 1000):
        assert number_made_up(made_up(number)) == number
    for number in (0, 1001):
        with pytest.raises(ValueError, match=f"number {number}"):
            made_up(number)
    for other in (UserId(1), computer(9), UserId(-(2**52))):
        assert number_made_up(other) is None


def test_the_same_level_several_times_at_a_table_is_told_apart() -> None:
    apart = told_apart((computer(2), UserId(5), computer(2), computer(3), computer(2)))
    assert len(set(apart)) == 5
    assert [level_of(each) for each in apart if each < 0] == [2, 2, 3, 2]


def test_a_computer_sits_at_once_and_the_match_starts() -> None:
    changes = begun(FIRST)
    match = changes[-1].match
    assert [each.event.kind.value for each in changes] == ["offered", "started"]
    assert match.status is MatchStatus.RUNNING
    assert match.players == (ANN.user_id, FIRST.user_id)
    assert starts_at_once(match)
    events = [each.event for each in changes]
    verify(match, events)


def test_of_three_seats_two_computers_leave_one_to_a_person() -> None:
    changes = begun(FIRST, FIRST, options=ROWS)
    assert changes[-1].match.status is MatchStatus.RUNNING
    assert len(set(changes[-1].match.players)) == 3
    changes = begun(FIRST, options=ROWS)
    match = changes[-1].match
    assert match.status is MatchStatus.OFFERED
    assert not starts_at_once(match)
    assert match.is_open
    then = offer_answers.accept(
        match, CommandContext(START), BOB, initial=lambda g: g.encode(g.initial(Random(1)))
    )
    assert then.match.status is MatchStatus.RUNNING
    verify(then.match, [*(each.event for each in changes), then.event])


@pytest.mark.parametrize("game", sorted(catalog.GAMES))
def test_the_start_is_the_same_however_often_it_is_worked_out(game: str) -> None:
    opponents = (FIRST, SECOND, FIRST)[: len(catalog.GAMES[game]().seats) - 1]
    one, two = begun(*opponents, game=game), begun(*opponents, game=game)
    assert one[-1].match == two[-1].match
    events = [each.event for each in one]
    assert replay(events, one[-1].match.invited) == one[-1].match


def test_matches_against_computers_are_casual_and_at_a_level_that_is_there() -> None:
    with pytest.raises(UserError, match="rated_computer"):
        offered(FIRST, rated=True, seat=None)
    with pytest.raises(UserError) as caught:
        offered(Actor(computer(8), GUILD))
    assert caught.value.code == "no_such_level"
    assert caught.value.params == {"levels": 6}


def test_nobody_is_asked_or_called_where_only_computers_were_invited() -> None:
    first, started = begun(FIRST)
    assert deliveries_for(first) == ()
    kinds = [each.kind for each in deliveries_for(started)]
    assert kinds == [DeliveryKind.BOARD]
    direct = begun(FIRST, venue=Venue.DIRECT)[-1]
    assert [(each.kind, each.audience) for each in deliveries_for(direct)] == [
        (DeliveryKind.BOARD, 0)
    ]


def moved(match: Match, actor: Actor, text: str, when: datetime) -> Change:
    return play.move(match, CommandContext(when), actor, text=text)


def test_the_person_is_called_only_if_the_computer_took_long() -> None:
    match = begun(FIRST)[-1].match
    one = moved(match, ANN, "a1", SOON)
    shown = [DeliveryKind.BOARD, DeliveryKind.OFFER]
    assert [each.kind for each in deliveries_for(one)] == shown
    quick = moved(one.match, FIRST, "a2", SOON + timedelta(seconds=8))
    assert [each.kind for each in deliveries_for(quick)] == shown
    slow = moved(one.match, FIRST, "a2", SOON + timedelta(minutes=4))
    told = [each for each in deliveries_for(slow) if each.kind is DeliveryKind.NOTICE]
    assert [(each.notice, each.audience) for each in told] == [(NoticeKind.TURN, 0)]


def test_no_clock_runs_for_a_computer() -> None:
    clock = TimeControl(timedelta(minutes=10), timedelta(seconds=5))
    match = begun(FIRST, clock=clock)[-1].match
    assert match.deadline == START + timedelta(minutes=10)
    one = moved(match, ANN, "a1", START + timedelta(minutes=2)).match
    assert one.deadline is None
    assert play.flag(one, CommandContext(START + 9 * DAY)) is None
    two = moved(one, FIRST, "a2", START + 3 * DAY).match
    assert two.deadline == START + 3 * DAY + timedelta(minutes=8, seconds=5)
    assert not_none(two.times).left[1] == clock.bank
    with pytest.raises(UserError) as caught:
        request_rules.ask(one, CommandContext(START), ANN, RequestKind.PAUSE)
    assert caught.value.code == "computer_on_turn"
    back = match_clock.credit(one, CommandContext(START + DAY))
    assert back is None


def test_what_a_match_waits_for_a_computer_to_do() -> None:
    match = begun(FIRST)[-1].match
    assert awaited(match) is None
    one = moved(match, ANN, "a1", START).match
    assert awaited(one) == 1
    assert awaited(replace(one, set_aside_at=START)) is None
    asked = request_rules.ask(
        moved(one, FIRST, "a2", START).match, CommandContext(START), ANN, RequestKind.DRAW
    )
    assert awaited(asked.match) == 1
    assert seed_of(one) != seed_of(match)
    gone = play.resign(one, CommandContext(START), ANN).match
    assert awaited(gone) is None


@pytest.mark.parametrize("game", sorted(catalog.GAMES))
def test_the_levels_that_are_offered_are_those_of_the_engine(game: str) -> None:
    engine = engine_for(catalog.create(game, {}))
    assert len(levels_for(game)) == len(engine.levels)
    ratings = [each.rating for each in levels_for(game)]
    measured = [each for each in ratings if each is not None]
    assert measured == sorted(measured)
    assert ratings[2] in (levels.ANCHOR, None)


def test_about_my_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "STEPS", {"quax": (levels.Step(3, 0, 1),) * 5})
    assert about_as_strong("quax", None, None) == 2
    assert about_as_strong("rows", 2000, None) == 2
    assert about_as_strong("quax", 1500, None) == 3
    assert about_as_strong("quax", 5000, None) == 6
    for last, level in ((1.0, 5), (0.5, 4), (0.0, 3)):
        assert about_as_strong("quax", 1500, PlayedComputer(4, last)) == level
    assert about_as_strong("quax", None, PlayedComputer(1, 0.0)) == 1
    assert about_as_strong("quax", None, PlayedComputer(6, 1.0)) == 6
