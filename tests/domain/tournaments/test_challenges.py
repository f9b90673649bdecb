"""Challenges on a ladder: who may make one when, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.tournaments import challenges, directing
from bot.domain.tournaments import facts as f
from bot.domain.tournaments.fold import add
from bot.domain.tournaments.formats.open_ended import ANSWER, INACTIVE
from bot.domain.tournaments.setup import FormatKey
from bot.errors import UserError
from tests.domain.tournaments.events_made import Event, a_setup

DAY = timedelta(days=1)


def _ladder(users: int = 4) -> Event:
    event = Event(a_setup(FormatKey.LADDER))
    event.begin(users)
    event.do(add, f.Drawn(1, (), (), event.t.finish))
    return event


def _refused(code: str, event: Event, decide: Callable[..., Any], *about: int) -> None:
    with pytest.raises(UserError, match=code):
        decide(event.t, event.act(), *about)


def test_a_challenge_is_made_once_and_answered_once() -> None:
    event = _ladder()
    made = challenges.challenge(event.t, event.act(), 3, 1)
    event.take(made)
    assert challenges.challenge(event.t, event.act(), 3, 1) is None
    _refused("no_challenge", event, challenges.accept, 1, 2)
    event.do(challenges.decline, 1, 3)
    _refused("no_challenge", event, challenges.decline, 1, 3)
    _refused("no_challenge", event, challenges.accept, 1, 3)
    event.do(challenges.challenge, 4, 3)
    event.do(challenges.accept, 3, 4)
    (drawn,) = event.t.pending
    assert set(drawn.game.players) == {3, 4}


def test_challenges_are_for_a_ladder_that_runs() -> None:
    other = Event(a_setup(FormatKey.ROUND_ROBIN))
    other.begin(3)
    _refused("not_a_ladder", other, challenges.challenge, 2, 1)
    event = Event(a_setup(FormatKey.LADDER))
    event.enter(101, 102)
    _refused("tournament_not_begun", event, challenges.challenge, 2, 1)
    event = _ladder()
    event.do(directing.pause)
    _refused("tournament_paused", event, challenges.challenge, 2, 1)
    event.do(directing.cancel)
    _refused("tournament_over", event, challenges.challenge, 2, 1)


def test_challenges_that_nobody_answers_count_as_declined_but_not_while_a_pause_lasts() -> None:
    event = _ladder()
    for rungs in ((1, 2, 3, 4), (2, 1, 4, 3)):
        for one, other in ((2, 1), (4, 3)):
            event.do(challenges.challenge, one, other)
        assert challenges.unanswered(event.t, event.act()) == ()
        event.do(directing.pause)
        event.at += ANSWER
        assert challenges.unanswered(event.t, event.act()) == ()
        event.do(directing.resume)
        event.at += ANSWER
        event.do(challenges.unanswered)
        assert (event.t.challenges, event.t.by_rung) == ((), rungs)


def test_who_has_not_played_sinks_but_not_while_a_pause_lasts_or_once_the_ladder_is_over() -> None:
    event = _ladder()
    last = dict.fromkeys((1, 2, 3), event.at) | {4: event.at + DAY}
    event.at += INACTIVE
    sunk = challenges.sink(event.t, event.act(), last)
    assert sunk is not None
    assert sunk.tournament.by_rung == (4, 1, 2, 3), "each who is idle, below the one who is not"
    assert challenges.sink(sunk.tournament, event.act(), dict.fromkeys(last, event.at)) is None
    event.do(directing.pause)
    assert challenges.sink(event.t, event.act(), last) is None
    event.do(directing.cancel)
    assert challenges.sink(event.t, event.act(), last) is None
