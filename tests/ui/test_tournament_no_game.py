"""Why? where no game was played: byes, forfeits, decisions and exclusions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from bot.domain.ids import UserId
from bot.domain.tournaments import directing, registration, running
from bot.domain.tournaments.crosstable import Kind
from bot.domain.tournaments.facts import How, Leaving
from bot.domain.tournaments.formats.base import Placing
from bot.domain.tournaments.formats.catalog import placings
from bot.domain.tournaments.setup import FormatKey, Unfinished
from bot.domain.tournaments.swiss_pairing import Paired
from bot.i18n import Languages
from bot.services.tournaments.reasons import why_game, why_left_over
from bot.ui.tournaments.player_pages import pairings_page
from bot.ui.tournaments.why_pairing_page import why_game_page, why_no_game_page
from bot.ui.tournaments.why_place_page import why_place_page
from bot.ui.tournaments.words import EventText, mentions_of
from tests.domain.tournaments.events_made import Event
from tests.ui.tournament_views import check, parts_of, setup_of, view_of, words_on

EN = Languages().known()["en"]


def _why_none(event: Event, entrant: int, number: int = 1) -> str:
    assert why_left_over(event.t, number, entrant) is None
    who = mentions_of(event.t, EN)
    reply = why_no_game_page(EventText(view_of(event), EN, who), number, entrant)
    check(reply.page)
    return words_on(reply.page)


def _why(event: Event, game: str) -> str:
    reply = why_game_page(EventText(view_of(event), EN), why_game(event.t, game))
    check(reply.page)
    return words_on(reply.page)


def test_every_player_without_a_game_can_be_asked_about() -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=3, late_entry=True))
    for user in range(101, 110):
        event.take(registration.enter(event.t, event.act(), UserId(user)))
    event.take(registration.ask_bye(event.t, event.act(), 2, 1, Kind.HALF_BYE))
    event.take(registration.ask_bye(event.t, event.act(), 3, 1, Kind.ZERO_BYE))
    event.take(registration.close(event.t, event.act()))
    event.draw()
    event.take(registration.enter(event.t, event.act(), UserId(120)))
    view, who = view_of(event), mentions_of(event.t, EN)
    page = pairings_page(EventText(view, EN, who), 1, 0, plain=str).page
    assert page is not None
    options = {
        option["value"]
        for part in parts_of(page)
        if ":twhygame" in part.get("custom_id", "")
        for option in part["options"]
    }
    byes = event.t.rounds[0].byes
    assert {2, 3, 10} < set(byes)
    assert {f"b1.{each}" for each in byes} <= options
    (left_over,) = (each for each, kind in byes.items() if kind is Kind.PAIRING_BYE)
    assert why_left_over(event.t, 1, left_over) is not None
    assert "<@102> asked for a bye in this round.\nIt's worth half a point." in _why_none(event, 2)
    assert "<@103> asked for a bye in this round.\nIt's worth nothing." in _why_none(event, 3)
    assert "<@120> joined after this round was paired.\nIt's worth half a" in _why_none(event, 10)
    event.take(registration.withdraw(event.t, event.act(), 1))
    for played in event.t.pending:
        event.score(played.game.id, 1, 0)
    event.draw()
    assert "<@101> had left before this round was paired." in _why_none(event, 1, 2)


def test_a_player_who_sits_out_because_nobody_may_have_the_bye_is_told_why() -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=3))
    event.enter(*range(101, 106))
    event.take(registration.close(event.t, event.act()))
    event.at = event.t.setup.begins
    event.take(running.draw(event.t, event.act(), Paired(((1, 2), (3, 4)), out=5)))  # type: ignore[arg-type]
    out = event.t.seeding[4]
    assert event.t.rounds[0].byes == {out: Kind.HALF_BYE}
    said = _why_none(event, out)
    assert "The rules didn't allow a pairing of all players, so one sat out" in said
    assert "It's worth half a point." in said


def test_a_bye_of_each_format_has_its_reason() -> None:
    for form, users, words in (
        (FormatKey.KNOCKOUT, 5, "<@101> is seed 1."),
        (FormatKey.ROUND_ROBIN, 5, "each sits out one round"),
        (FormatKey.TABLES, 5, "worth 1¾ points"),
    ):
        event = Event(setup_of(form, rounds=2 if form is FormatKey.TABLES else None))
        event.begin(users)
        entrant = min(event.t.rounds[0].byes)
        assert words in _why_none(event, entrant), form


def test_an_unfinished_table_says_who_had_left_it() -> None:
    event = Event(setup_of(FormatKey.TABLES, rounds=1, unfinished=Unfinished.DRAW))
    event.begin(4)
    (played,) = event.t.pending
    share, name = Fraction(7, 3), f"<@{100 + played.game.players[1]}>"
    event.take(running.begin_game(event.t, event.act(), "1.1"))
    points = (share, Fraction(0), share, share)
    event.take(running.record(event.t, event.act(), "1.1", points, How.UNFINISHED))
    said = _why(event, "1.1")
    assert f"{name} had left the table, so the other players share the points." in said


def test_players_of_a_table_who_had_all_met_are_told_of_in_one_sentence() -> None:
    event = Event(setup_of(FormatKey.TABLES, rounds=3))
    event.begin(4)
    assert "No two players of this table had met before." in _why(event, "1.1")
    for name, times in (("1.1", ""), ("2.1", "once"), ("3.1", "2 times")):
        said = _why(event, name)
        assert (f"All players of this table had met each other {times} before." in said) is bool(
            times
        )
        assert "had met once" not in said
        event.score(name, 4, 2, 1, 0)
        event.draw()


def test_players_of_a_table_who_had_met_are_told_of_in_a_line_for_each_number_of_times() -> None:
    event = Event(setup_of(FormatKey.TABLES, rounds=3))
    event.begin(4)
    one, two, three, four = (f"<@{each}>" for each in (101, 102, 103, 104))
    met = {(1, 2): 2, (1, 3): 1, (2, 3): 0, (3, 4): 1, (1, 4): 0, (2, 4): 0}
    found = replace(why_game(event.t, "1.1"), met=met)
    said = words_on(why_game_page(EventText(view_of(event), EN), found).page)
    assert f"{one} and {two} had met 2 times before." in said
    assert f"Had met once before: {one} – {three}, {three} – {four}." in said


def test_a_table_that_time_ended_says_who_had_resigned_and_who_was_excluded() -> None:
    event = Event(setup_of(FormatKey.TABLES, rounds=2))
    event.begin(4)
    name = {seat: f"<@{100 + each}>" for seat, each in enumerate(event.t.pending[0].game.players)}
    event.take(running.begin_game(event.t, event.act(), "1.1"))
    event.take(registration.exclude(event.t, event.act(), event.t.pending[0].game.players[3]))
    event.score("1.1", 4, 0, 0, 0, how=How.TIME, late=(2,))
    said = _why(event, "1.1")
    assert f"Time ran out for {name[2]}." in said
    assert f"Resigned before that: {name[1]}." in said
    assert f"Excluded before that: {name[3]}." in said


def test_a_table_that_was_played_to_the_end_says_whose_time_ran_out() -> None:
    event = Event(setup_of(FormatKey.TABLES, rounds=2))
    event.begin(8)
    late = f"<@{100 + event.t.games['1.1'].game.players[2]}>"
    event.score("1.1", 4, 2, 0, 1, late=(2,))
    assert f"Time ran out for {late}." in _why(event, "1.1")
    event.score("1.2", 4, 2, 0, 1)
    assert "The result" not in _why(event, "1.2"), "the last of four has nothing either"


def test_a_game_that_was_not_played_says_how_it_got_its_result() -> None:
    event = Event(setup_of(FormatKey.ROUND_ROBIN, unfinished=Unfinished.DRAW))
    event.begin(6)
    assert "The result" not in _why(event, "1.1")
    event.score("1.1", 1, 0)
    assert "The result" not in _why(event, "1.1"), "it was played"
    names = [each for each in event.t.games if each != "1.1"]

    def take(how: How, *, begun: bool) -> str:
        name = names.pop()
        if begun:
            event.take(running.begin_game(event.t, event.act(), name))
        points = (Fraction(1), Fraction(0))
        event.take(running.record(event.t, event.act(), name, points, how))
        return _why(event, name)

    assert "didn't make a first move in time." in take(How.NO_SHOW, begun=True)
    assert "Time ran out for <@" in take(How.TIME, begun=True)
    assert "By the rules of this event the points are shared" in take(How.UNFINISHED, begun=True)
    by_score = replace(event.t.setup, unfinished=Unfinished.SCORE)
    event.t = replace(event.t, setup=by_score)
    assert "so the score on the board decided" in take(How.UNFINISHED, begun=True)
    name = names[-1]
    event.take(directing.decide(event.t, event.act(), name, (Fraction(1), Fraction(0))))
    assert "A director decided it. The log has the reason." in _why(event, name)
    event.take(registration.withdraw(event.t, event.act(), 5, Leaving.ASKED))
    mine = [each for each in event.t.of_entrant(5) if each.how is How.NO_SHOW]
    assert any("<@105> had left before the game began." in _why(event, x.game.id) for x in mine)


@pytest.mark.parametrize("form", [FormatKey.ROUND_ROBIN, FormatKey.SWISS, FormatKey.KNOCKOUT])
def test_an_excluded_player_is_told_why_they_come_last(form: FormatKey) -> None:
    event = Event(setup_of(form, rounds=3 if form is FormatKey.SWISS else None))
    event.begin(4)
    played = event.t.of_entrant(1)[0]
    seat = played.game.players.index(1)
    event.score(played.game.id, 1 - seat, seat)
    game = event.t.in_round(1)[-1].game.id
    event.take(running.begin_game(event.t, event.act(), game))
    out = event.t.games[game].game.players[0]
    event.take(registration.exclude(event.t, event.act(), out))
    view = replace(view_of(event), standings=placings(event.t))
    last = view.standings[-1]
    assert last.number == out
    standing = Placing(last.rank, last.number, last.points, last.values)
    page = why_place_page(EventText(view, EN), standing, None).page
    said = words_on(page)
    assert f"A director excluded <@{100 + out}>, who comes after all others" in said
    assert "the player above has" not in said, "no number decided that"
    assert "A director excluded" in _why(event, game)
