"""More time for games and rounds, and acts taken back: all is as it was, or it is refused."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

import pytest

from bot.domain.ids import UserId
from bot.domain.tournaments import directing, registration, undoing
from bot.domain.tournaments import facts as f
from bot.domain.tournaments.fold import TournamentAct, add
from bot.domain.tournaments.formats.open_ended import Ladder
from bot.domain.tournaments.running import draw_games
from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.tournament import Tournament
from bot.errors import UserError
from tests.domain.tournaments.events_made import Event, a_setup

WIN, LOSS = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
DAY = timedelta(days=1)


def _act(event: Event) -> TournamentAct:
    """What a director does, each time a minute later."""
    event.at += timedelta(minutes=1)
    return TournamentAct(event.at, UserId(900))


def _undo(event: Event) -> None:
    last = event.events[-1].seq
    event.take(undoing.undo(event.t, _act(event), event.events, last))


def _begun(form: FormatKey, users: int, **about: object) -> Event:
    event = Event(a_setup(form, **about))
    event.begin(users)
    return event


def _ladder(users: int) -> Event:
    event = _begun(FormatKey.LADDER, users)
    event.take(add(event.t, event.act(), f.Drawn(1, (), (), event.t.finish)))
    return event


def _challenged(event: Event, challenger: int, challenged: int) -> None:
    """A challenge that was accepted: its game has not begun."""
    event.take(
        draw_games(event.t, event.act(), Ladder().challenge(event.t, challenger, challenged))
    )


def _days(t: Tournament) -> object:
    return t.finish, [each.until for each in t.rounds], {k: v.until for k, v in t.games.items()}


def _refused(code: str, event: Event, *about: object) -> None:
    with pytest.raises(UserError) as error:
        directing.extend(event.t, _act(event), *about)  # type: ignore[arg-type]
    assert error.value.code == code


@pytest.mark.parametrize(
    ("form", "users", "about"),
    [
        (FormatKey.ROUND_ROBIN, 4, {}),
        (FormatKey.SWISS, 4, {"rounds": 3}),
        (FormatKey.KNOCKOUT, 4, {}),
        (FormatKey.TABLES, 8, {"game": "pythagoras", "rounds": 2, "final_table": True, "least": 4}),
    ],
)
def test_a_game_and_a_round_are_given_more_time_and_have_it_taken_back(
    form: FormatKey, users: int, about: dict[str, object]
) -> None:
    event = _begun(form, users, **about)
    before = _days(event.t)
    one, other = (each.game.id for each in event.t.in_round(1))
    was = event.t.rounds[0].until
    _refused("not_later", event, 1, was - DAY)
    _refused("not_later", event, 1, was - DAY, one)
    event.take(directing.extend(event.t, _act(event), 1, was + 2 * DAY, one))
    assert (event.t.games[one].until, event.t.games[other].until) == (was + 2 * DAY, was)
    alone = _days(event.t)
    event.take(directing.extend(event.t, _act(event), 1, was + DAY))
    # A game that has more time than the round by itself keeps it.
    assert (event.t.games[one].until, event.t.games[other].until) == (was + 2 * DAY, was + DAY)
    _undo(event)
    assert _days(event.t) == alone
    event.take(directing.extend(event.t, _act(event), 1, was + 3 * DAY))
    assert (event.t.games[one].until, event.t.games[other].until) == (was + 3 * DAY,) * 2
    _undo(event)
    assert _days(event.t) == alone
    first = next(each.seq for each in event.events if each.kind == "extended")
    event.take(undoing.undo(event.t, _act(event), event.events, first))
    assert _days(event.t) == before


def test_the_promised_day_moves_only_as_far_as_the_rounds_to_come_need() -> None:
    event = _begun(FormatKey.SWISS, 8, rounds=3, clock="20m+10s")
    promised = event.t.finish
    event.take(directing.extend(event.t, _act(event), 1, event.t.rounds[0].until + DAY))
    assert event.t.finish == promised
    # Two rounds are to come, of 46 minutes and 40 seconds at least.
    event.take(directing.extend(event.t, _act(event), 1, promised))
    assert event.t.finish == promised + 2 * timedelta(minutes=46, seconds=40)
    _undo(event)
    assert event.t.finish == promised
    _refused("tournament_long", event, 1, promised + 366 * DAY)


def test_more_time_is_not_taken_back_once_something_rests_on_it() -> None:
    event = _begun(FormatKey.SWISS, 4, rounds=3)
    was = event.t.rounds[0].until

    def refused(seq: int) -> None:
        with pytest.raises(UserError, match="undo_followed"):
            undoing.undo(event.t, _act(event), event.events, seq)

    event.take(directing.extend(event.t, _act(event), 1, was + DAY))
    first = event.events[-1].seq
    event.take(directing.extend(event.t, _act(event), 1, was + 2 * DAY))
    refused(first)
    last = event.events[-1].seq
    event.at = was + DAY
    refused(last)
    for game in ("1.1", "1.2"):
        event.score(game, 1, 0)
    event.draw()
    refused(last)


def test_an_arena_and_a_ladder_have_one_last_day_for_all_their_games() -> None:
    event = _ladder(4)
    _challenged(event, 3, 1)
    game = next(iter(event.t.games))
    before = _days(event.t)
    _refused("no_round", event, 1, event.t.finish + DAY, game)
    event.take(directing.extend(event.t, _act(event), 1, event.t.finish + DAY))
    assert event.t.finish == event.t.games[game].until == event.t.rounds[0].until
    _undo(event)
    assert _days(event.t) == before


def test_on_a_ladder_undoing_gives_back_the_rung() -> None:
    event = _ladder(5)
    event.take(registration.withdraw(event.t, _act(event), 1))
    assert event.t.by_rung == (2, 3, 4, 5)
    _undo(event)
    assert event.t.by_rung == (1, 2, 3, 4, 5)
    event.take(registration.exclude(event.t, _act(event), 2))
    excluded = event.events[-1].seq
    _challenged(event, 4, 3)
    game = next(iter(event.t.games))
    event.take(directing.decide(event.t, _act(event), game, LOSS))
    assert event.t.by_rung == (1, 4, 3, 5)
    # The game has not begun, so the decision is taken back, and the rungs with it.
    _undo(event)
    assert (event.t.by_rung, event.t.games[game].is_over) == ((1, 3, 4, 5), False)
    event.score(game, 0, 1)
    event.take(undoing.undo(event.t, _act(event), event.events, excluded))
    assert event.t.by_rung == (1, 2, 4, 3, 5), "where they stood, among those who moved since"


def test_a_decision_stands_once_a_player_of_the_game_has_another() -> None:
    event = _ladder(3)
    _challenged(event, 2, 1)
    first = next(iter(event.t.games))
    event.take(directing.decide(event.t, _act(event), first, WIN))
    decided = event.events[-1].seq
    _challenged(event, 3, 2)
    with pytest.raises(UserError, match="undo_followed"):
        undoing.undo(event.t, _act(event), event.events, decided)


def test_an_act_is_taken_back_by_any_of_its_events_but_not_that_the_event_was_set_up() -> None:
    event = _begun(FormatKey.ROUND_ROBIN, 4)
    changes = event.take(registration.exclude(event.t, _act(event), 1))
    assert len(changes) > 2, "with the games they forfeit"
    whole = tuple(each.event for each in changes)
    assert all(undoing.group_of(event.events, each.seq) == whole for each in whole)
    for seq, code in ((1, "cannot_undo"), (0, "no_such_act"), (99, "no_such_act")):
        with pytest.raises(UserError, match=code):
            undoing.undo(event.t, _act(event), event.events, seq)
    event.take(undoing.undo(event.t, _act(event), event.events, whole[0].seq))
    assert event.t.entrants[0].is_active
    assert not any(each.is_over for each in event.t.games.values())
