"""More time for games and rounds, and acts taken back: all is as it was, or it is refused."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from random import Random

import pytest

from bot.domain.ids import UserId
from bot.domain.tournaments import challenges, directing, registration, running, undoing
from bot.domain.tournaments import facts as f
from bot.domain.tournaments.fold import TournamentAct, add, replay
from bot.domain.tournaments.formats.knockout import misplaced, walkovers_in
from bot.domain.tournaments.formats.open_ended import ANSWER, Ladder
from bot.domain.tournaments.formats.swiss import forbidden_in
from bot.domain.tournaments.running import draw_games
from bot.domain.tournaments.setup import Decider, FormatKey
from bot.domain.tournaments.tournament import Tournament, TournamentStatus
from bot.errors import UserError
from tests.domain.tournaments.events_made import NOW, Event, a_setup

WIN, LOSS = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
DAY = timedelta(days=1)


def _act(event: Event) -> TournamentAct:
    """What a director does, each time a minute later."""
    event.at += timedelta(minutes=1)
    return TournamentAct(event.at, UserId(900))


def _undo(event: Event) -> None:
    last = event.events[-1].seq
    event.direct(undoing.undo, event.events, last)


def _begun(form: FormatKey, users: int, **about: object) -> Event:
    event = Event(a_setup(form, **about))
    event.begin(users)
    return event


def _ladder(users: int) -> Event:
    event = _begun(FormatKey.LADDER, users)
    event.do(add, f.Drawn(1, (), (), event.t.finish))
    return event


def _challenged(event: Event, challenger: int, challenged: int) -> None:
    """A challenge that was accepted: its game has not begun."""
    event.do(draw_games, Ladder().challenge(event.t, challenger, challenged))


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
    event.direct(directing.extend, 1, was + 2 * DAY, one)
    assert (event.t.games[one].until, event.t.games[other].until) == (was + 2 * DAY, was)
    alone = _days(event.t)
    event.direct(directing.extend, 1, was + DAY)
    # A game that has more time than the round by itself keeps it.
    assert (event.t.games[one].until, event.t.games[other].until) == (was + 2 * DAY, was + DAY)
    _undo(event)
    assert _days(event.t) == alone
    event.direct(directing.extend, 1, was + 3 * DAY)
    assert (event.t.games[one].until, event.t.games[other].until) == (was + 3 * DAY,) * 2
    _undo(event)
    assert _days(event.t) == alone
    first = next(each.seq for each in event.events if each.kind == "extended")
    event.direct(undoing.undo, event.events, first)
    assert _days(event.t) == before


def test_the_promised_day_moves_only_as_far_as_the_rounds_to_come_need() -> None:
    event = _begun(FormatKey.SWISS, 8, rounds=3, clock="20m+10s")
    promised = event.t.finish
    event.direct(directing.extend, 1, event.t.rounds[0].until + DAY)
    assert event.t.finish == promised
    # Two rounds are to come, of 46 minutes and 40 seconds at least.
    event.direct(directing.extend, 1, promised)
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

    event.direct(directing.extend, 1, was + DAY)
    first = event.events[-1].seq
    event.direct(directing.extend, 1, was + 2 * DAY)
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
    event.direct(directing.extend, 1, event.t.finish + DAY)
    assert event.t.finish == event.t.games[game].until == event.t.rounds[0].until
    _undo(event)
    assert _days(event.t) == before


def test_on_a_ladder_undoing_gives_back_the_rung() -> None:
    event = _ladder(5)
    event.direct(registration.withdraw, 1)
    assert event.t.by_rung == (2, 3, 4, 5)
    _undo(event)
    assert event.t.by_rung == (1, 2, 3, 4, 5)
    event.direct(registration.exclude, 2)
    excluded = event.events[-1].seq
    _challenged(event, 4, 3)
    game = next(iter(event.t.games))
    event.direct(directing.decide, game, LOSS)
    assert event.t.by_rung == (1, 4, 3, 5)
    # The game has not begun, so the decision is taken back, and the rungs with it.
    _undo(event)
    assert (event.t.by_rung, event.t.games[game].is_over) == ((1, 3, 4, 5), False)
    event.score(game, 0, 1)
    event.direct(undoing.undo, event.events, excluded)
    assert event.t.by_rung == (1, 2, 4, 3, 5), "where they stood, among those who moved since"


@pytest.mark.parametrize("out", [registration.withdraw, registration.exclude])
@pytest.mark.parametrize("left", [2, 3])
def test_on_a_ladder_undoing_brings_an_open_challenge_back(
    left: int, out: Callable[[Tournament, TournamentAct, int], undoing.Changes]
) -> None:
    event = _ladder(5)
    event.do(challenges.challenge, 3, 2)
    event.do(challenges.challenge, 5, 4)
    event.direct(out, left)
    assert [each.challenger for each in event.t.challenges] == [5]
    event.at += 2 * DAY
    _undo(event)
    back = next(each for each in event.t.challenges if each.challenger == 3)
    assert (back.challenged, back.until) == (2, event.at + ANSWER), "with the whole time"
    assert len(event.t.challenges) == 2
    event.do(challenges.accept, 2, 3)


def test_a_challenge_does_not_come_back_where_its_players_cannot_meet_any_more() -> None:
    def left(users: int = 6) -> Event:
        event = _ladder(users)
        event.do(challenges.challenge, 4, 1)
        event.direct(registration.withdraw, 1)
        return event

    busy = left()
    withdrawn = busy.events[-1].seq
    busy.do(challenges.challenge, 4, 3)
    gone = left()
    gone.do(registration.withdraw, 4)
    far = left()
    far.do(challenges.challenge, 5, 4)
    far.do(challenges.accept, 4, 5)
    (played,) = far.t.pending
    far.score(played.game.id, *(int(each == 5) for each in played.game.players))
    assert far.t.by_rung == (2, 3, 5, 4, 6)
    for event, still in ((busy, [4]), (gone, []), (far, [])):
        event.direct(undoing.undo, event.events, withdrawn)
        assert event.t.by_rung[0] == 1
        assert [each.challenger for each in event.t.challenges] == still


def test_registration_that_was_closed_early_stays_closed_when_a_cancellation_is_undone() -> None:
    event = Event(a_setup(FormatKey.SWISS))
    event.enter(1, 2)
    event.direct(registration.close)
    event.direct(directing.cancel)
    _undo(event)
    assert event.at < event.t.closes
    assert event.t.status is TournamentStatus.CLOSED


def test_a_withdrawal_from_a_cup_that_has_too_few_players_is_undone() -> None:
    event = Event(a_setup(FormatKey.KNOCKOUT))
    event.enter(1)
    event.direct(registration.withdraw, 1)
    _undo(event)
    assert event.t.entrants[0].is_active


def test_a_decision_stands_once_a_player_of_the_game_has_another() -> None:
    event = _ladder(3)
    _challenged(event, 2, 1)
    first = next(iter(event.t.games))
    event.direct(directing.decide, first, WIN)
    decided = event.events[-1].seq
    _challenged(event, 3, 2)
    with pytest.raises(UserError, match="undo_followed"):
        undoing.undo(event.t, _act(event), event.events, decided)


def test_an_act_is_taken_back_by_any_of_its_events_but_not_that_the_event_was_set_up() -> None:
    event = _begun(FormatKey.ROUND_ROBIN, 4)
    changes = event.direct(registration.exclude, 1)
    assert len(changes) > 2, "with the games they forfeit"
    whole = tuple(each.event for each in changes)
    assert all(undoing.group_of(event.events, each.seq) == whole for each in whole)
    for seq, code in ((1, "cannot_undo"), (0, "no_such_act"), (99, "no_such_act")):
        with pytest.raises(UserError, match=code):
            undoing.undo(event.t, _act(event), event.events, seq)
    event.direct(undoing.undo, event.events, whole[0].seq)
    assert event.t.entrants[0].is_active
    assert not any(each.is_over for each in event.t.games.values())


def _fits(t: Tournament) -> None:
    """No meeting has two open games, and nothing is drawn that the results do not call for."""
    in_meetings = Counter(each.game.tie for each in t.pending)
    assert max(in_meetings.values(), default=0) <= 1, "two open games of one meeting"
    assert not misplaced(t)
    for each in t.rounds:
        assert each.byes.keys() <= walkovers_in(t, each.number), "a bye that is none"


@pytest.mark.slow
@pytest.mark.parametrize("best_of", [2, 3])
@pytest.mark.parametrize("decider", Decider)
@pytest.mark.parametrize("about", [{}, {"third_place": True}, {"double": True}])
@pytest.mark.long
def test_no_decision_of_a_meeting_is_undone_once_a_game_was_drawn_from_it(
    about: dict[str, object], decider: Decider, best_of: int
) -> None:
    ties: set[str] = set()
    for seed in range(4):
        rng, decisions = Random(seed), list[int]()
        event = _begun(FormatKey.KNOCKOUT, 4, best_of=best_of, decider=decider, **about)
        while not event.t.status.is_final:
            before = event.t
            game = rng.choice(before.pending).game.id
            points = rng.choice([WIN, LOSS, (Fraction(1, 2), Fraction(1, 2))])
            event.take(directing.decide(before, _act(event), game, points))
            decisions.append(event.events[-1].seq)
            (undone,) = undoing.undo(event.t, _act(event), event.events, decisions[-1])
            assert _seen(undone.tournament) == _seen(before), "nothing was drawn from it"
            event.draw()
            ties |= {each.game.tie for each in event.t.games.values()}
            for seq in decisions:
                with contextlib.suppress(UserError):
                    (undone,) = undoing.undo(event.t, _act(event), event.events, seq)
                    _fits(undone.tournament)
                    assert running.draw(undone.tournament, event.act()) == ()
    assert {"F1", "F2"} <= ties if "double" in about else ("T" in ties) is bool(about)


def _seen(t: Tournament) -> object:
    """A tournament without what the log alone shows."""
    return replace(t, version=0, head_hash="", updated_at=NOW, climbs=())


def test_who_was_put_out_of_a_meeting_stays_out_once_the_other_has_gone_on() -> None:
    event = _begun(FormatKey.KNOCKOUT, 3, best_of=3, double=True)
    (played,) = event.t.pending
    event.do(running.begin_game, played.game.id)
    event.score(played.game.id, 0, 1)
    event.direct(registration.exclude, 2)
    _undo(event)
    assert event.t.entrants[1].is_active
    event.direct(registration.exclude, 2)
    excluded = event.events[-1].seq
    event.draw()
    # They are in round 2, with a bye in the lower bracket; the other plays in the upper.
    assert 2 in event.t.rounds[1].byes
    with pytest.raises(UserError, match="undo_followed"):
        undoing.undo(event.t, _act(event), event.events, excluded)


@pytest.mark.parametrize("form", [FormatKey.KNOCKOUT, FormatKey.ROUND_ROBIN, FormatKey.SWISS])
def test_a_game_without_its_result_is_forfeited_by_a_player_who_has_left_since(
    form: FormatKey,
) -> None:
    event = _begun(form, 4)
    played = event.t.in_round(1)[0]
    one, two = played.game.players
    event.direct(directing.decide, played.game.id, LOSS)
    decided = event.events[-1].seq
    event.direct(registration.withdraw, two)
    event.direct(undoing.undo, event.events, decided)
    assert (event.t.games[played.game.id].points, event.t.games[played.game.id].how) == (
        WIN,
        f.How.NO_SHOW,
    )
    event = _begun(form, 4)
    event.direct(registration.withdraw, one)
    left = next(each.seq for each in event.events if each.kind == "withdrawn")
    event.direct(registration.withdraw, two)
    event.direct(undoing.undo, event.events, left)
    assert event.t.games[played.game.id].points == WIN
    assert all(
        event.t.entrants[number - 1].is_active
        for each in event.t.pending
        for number in each.game.players
    )


def test_who_is_in_again_has_lost_no_game_on_time() -> None:
    event = _begun(FormatKey.ROUND_ROBIN, 4)
    for put_out in (registration.withdraw, registration.exclude):
        before = event.t
        event.direct(put_out, 2)
        assert event.t.entrants[1].time_losses == 3
        _undo(event)
        assert _seen(event.t) == _seen(before)


def test_a_player_who_had_left_before_they_were_excluded_does_not_come_back() -> None:
    event = _begun(FormatKey.ROUND_ROBIN, 4)
    event.direct(registration.withdraw, 2)
    event.direct(registration.exclude, 2)
    with pytest.raises(UserError, match="undo_followed"):
        _undo(event)


def test_a_later_act_about_the_same_player_stands() -> None:
    event = _begun(FormatKey.ROUND_ROBIN, 4)
    event.direct(registration.withdraw, 2)
    withdrawn = next(each.seq for each in event.events if each.kind == "withdrawn")
    event.direct(registration.exclude, 2)
    place = _begun(FormatKey.ROUND_ROBIN, 4)
    place.direct(registration.replace, 3, UserId(201))
    replaced = place.events[-1].seq
    place.direct(registration.replace, 3, UserId(202))
    entry = Event(a_setup(FormatKey.SWISS, rounds=3))
    entry.direct(registration.enter, UserId(1), by_director=True)
    added = entry.events[-1].seq
    entry.direct(registration.replace, 1, UserId(2))
    for had, seq in ((event, withdrawn), (place, replaced), (entry, added)):
        with pytest.raises(UserError, match="undo_followed"):
            undoing.undo(had.t, _act(had), had.events, seq)
    _undo(place)
    assert place.t.entrants[2].user_id == UserId(201)
    place.direct(undoing.undo, place.events, replaced)
    assert place.t.entrants[2].user_id == UserId(103)


def test_an_event_that_was_paused_when_it_was_cancelled_is_paused_again() -> None:
    event = _begun(FormatKey.ROUND_ROBIN, 4)
    event.direct(directing.pause)
    before = event.t
    event.direct(directing.cancel)
    _undo(event)
    assert _seen(event.t) == _seen(before)


def test_reopening_that_moved_the_beginning_is_not_undone() -> None:
    event = Event(a_setup(FormatKey.SWISS, rounds=3))
    event.enter(1, 2, 3)
    event.direct(registration.close)
    before = event.t
    event.direct(registration.reopen, event.t.begins - timedelta(hours=1))
    _undo(event)
    assert (event.t.status, event.t.begins) == (before.status, before.begins)
    event.direct(registration.reopen, event.t.begins + timedelta(hours=1))
    with pytest.raises(UserError, match="undo_followed"):
        _undo(event)


def test_more_time_for_a_game_that_is_gone_is_not_taken_back() -> None:
    event = _begun(FormatKey.KNOCKOUT, 2, best_of=3)
    for _ in range(2):
        event.score(event.t.pending[0].game.id, 1, 0)  # sides are exchanged: one win each
        event.draw()
    one, two, three = event.t.games
    event.direct(directing.extend, 1, event.t.rounds[0].until + DAY, three)
    extended = event.events[-1].seq
    event.direct(directing.correct, two, LOSS)
    assert list(event.t.games) == [one, two]
    with pytest.raises(UserError, match="undo_followed"):
        undoing.undo(event.t, _act(event), event.events, extended)


def test_players_are_kept_apart_from_the_next_round_on_until_a_director_changes_it() -> None:
    event = _begun(FormatKey.SWISS, 8, rounds=5)

    def met(number: int, *pair: int) -> bool:
        return any({*pair} == {*each.game.players} for each in event.t.in_round(number))

    def next_round() -> None:
        for played in event.t.pending:
            event.score(played.game.id, *((1, 0) if played.game.players[0] == 1 else (0, 1)))
        event.draw()

    pair = tuple(sorted(event.t.in_round(1)[0].game.players))
    event.direct(directing.part, pair[::-1], 2)
    assert directing.part(event.t, event.act(), pair, 2) is None
    assert met(1, *pair), "a round that is drawn stays"
    assert forbidden_in(event.t, 5) == ((2, 2, pair),)
    # Pairing the round again honours it.
    event.direct(directing.redraw)
    event.draw()
    assert not met(1, *pair)
    assert forbidden_in(event.t, 5) == ((1, 2, pair),)
    # What is undone is as it was before.
    event.direct(directing.part, pair, 0)
    assert forbidden_in(event.t, 5) == ((1, 5, pair),)
    _undo(event)
    assert forbidden_in(event.t, 5) == ((1, 2, pair),)
    event.direct(directing.rejoin, pair)
    assert forbidden_in(event.t, 5) == ((1, 1, pair),)
    _undo(event)
    assert forbidden_in(event.t, 5) == ((1, 2, pair),)
    seq = event.events[-1].seq
    next_round()
    with pytest.raises(UserError, match="undo_followed"):
        undoing.undo(event.t, _act(event), event.events, seq)
    next_round()
    assert not met(2, *pair)
    assert forbidden_in(event.t, 5) == ((1, 2, pair),)
    assert event.t.rounds[2].apart == ()
    assert replay(event.events) == event.t


def test_what_cannot_be_kept_apart_is_refused() -> None:
    event = _begun(FormatKey.SWISS, 4, rounds=3)

    def refused(code: str, entrants: tuple[int, ...], last: int = 0) -> None:
        with pytest.raises(UserError) as error:
            directing.part(event.t, event.act(), entrants, last)
        assert error.value.code == code

    refused("apart_players", (1, 1))
    refused("apart_players", tuple(range(1, 14)))
    refused("not_entered", (1, 5))
    refused("round_drawn", (1, 2), 1)
    refused("round_never", (1, 2), 4)
    event = _begun(FormatKey.ROUND_ROBIN, 4)
    refused("not_kept_apart", (1, 2))
