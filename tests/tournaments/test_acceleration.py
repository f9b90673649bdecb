"""The Baku method: who has how many points more, in which rounds."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bot.domain.ids import UserId
from bot.tournaments.domain import registration, running
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.formats.base import Ask
from bot.tournaments.domain.formats.swiss import Swiss, accelerated_in, acceleration
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.why import why_pairing
from tests.tournaments.events_made import Event, a_setup

ONE, HALF = Fraction(1), Fraction(1, 2)


def _event(users: int, **about: object) -> Event:
    event = Event(a_setup(FormatKey.SWISS, accelerated=True, **about))
    event.enter(*range(1, users + 1), ratings=[2400 - 2 * each for each in range(users)])
    return event


@pytest.mark.parametrize(
    ("users", "rounds", "told"),
    [
        # The examples of the handbook: 82 of 161, and three and two of nine rounds.
        (161, 9, ((ONE, 1, 3, 1, 82), (HALF, 4, 5, 1, 82))),
        (10, 3, ((ONE, 1, 1, 1, 6), (HALF, 2, 2, 1, 6))),
        (8, 5, ((ONE, 1, 2, 1, 4), (HALF, 3, 3, 1, 4))),
    ],
)
def test_the_upper_half_has_more_points_in_the_first_half_of_the_rounds(
    users: int, rounds: int, told: object
) -> None:
    assert accelerated_in(_event(users, rounds=rounds).t, rounds) == told


def test_the_last_of_the_upper_half_stays_whoever_comes_and_goes() -> None:
    event = _event(10, late_entry=True)
    event.do(registration.withdraw, 10, by=1)
    event.do(registration.ask_bye, 9, 1, Kind.ZERO_BYE, by=9)
    spans = ((ONE, 1, 1), (HALF, 2, 2))

    def upper(last: int) -> object:
        return tuple((*each, 1, last) for each in spans)

    rounds = Swiss().most_rounds(event.t)
    # Nine start; six are in the upper half.
    assert [each[4] for each in accelerated_in(event.t, rounds)] == [6, 6]
    event.do(registration.close)
    event.at = event.t.setup.begins
    before = accelerated_in(event.t, rounds)
    event.draw()
    assert accelerated_in(event.t, rounds) == before
    # A newcomer above the last of them is one of them, one below is not.
    for user, rating in ((50, 2395), (51, 900)):
        event.do(registration.enter, UserId(user), rating=rating)
    assert [each[4] for each in accelerated_in(event.t, rounds)] == [7, 7]
    event.do(registration.withdraw, 1, by=1)
    assert [each[4] for each in accelerated_in(event.t, rounds)] == [7, 7]


def test_a_reason_counts_the_points_that_the_pairing_counted() -> None:
    event = _event(8, rounds=5)
    event.do(registration.close)
    asked = running.draw(event.t, event.act())
    assert isinstance(asked, Ask)
    assert asked.request.report.accelerated == ((ONE, 1, 2, 1, 4), (HALF, 3, 3, 1, 4))
    event.draw()
    for game in event.t.in_round(1):
        one, two = game.game.players
        why = why_pairing(event.t.crosstable(), 1, one, two, acceleration(event.t))
        assert why.bonus == 1
        for player in (why.first, why.second):
            assert player.points == (player.number <= 4)
