"""The season of a league that follows on one."""

from __future__ import annotations

from bot.domain.ids import UserId, season_id
from bot.tournaments.domain import directing, registration
from bot.tournaments.domain.seasons import is_league, next_season
from bot.tournaments.domain.setup import FormatKey
from tests.tournaments.events_made import ID, Event, a_setup


def _league() -> Event:
    event = Event(a_setup(FormatKey.ROUND_ROBIN, division=3, promoted=1))
    event.begin(6)
    return event


def test_directors_stay_who_left_does_not_and_the_best_come_first() -> None:
    event = _league()
    for director in (901, -(2**52)):  # one who had themselves erased since
        event.do(directing.appoint, UserId(director), by=900)
    event.do(registration.withdraw, 6, by=106)
    assert not is_league(event.t)
    event.play_out()
    assert is_league(event.t)
    new = next_season(event.t, event.act(), season_id(ID))[-1].tournament
    assert (new.setup.season, new.directors) == (event.t.setup.season + 1, (901,))
    # The last of the first division and the first of the second have changed places.
    assert [each.user_id for each in new.entrants] == [101, 102, 104, 103, 105]


def test_there_is_no_season_for_nobody() -> None:
    event = _league()
    for number in range(1, 7):
        event.do(registration.withdraw, number, by=100 + number)
    event.draw()
    assert event.t.status.is_final
    assert next_season(event.t, event.act(), season_id(ID)) == ()
