"""Pages of tournaments: what they say, and that the fullest of them fits into a message."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest

from bot.domain.ids import UserId
from bot.i18n import Languages
from bot.tournaments.domain import directing, registration, running
from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.formats.open_ended import Arena
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.ui.home_page import home_page, remarkable, state_line
from bot.tournaments.ui.player_pages import (
    current_round,
    event_rules_page,
    leave_page,
    mine_page,
    pairings_page,
    players_page,
)
from bot.tournaments.ui.setup_words import promise, rules_lines
from bot.tournaments.ui.tables import (
    bracket_of,
    cross_table,
    divisions_of,
    kinds_of,
    sheets_of,
    table_page,
)
from bot.tournaments.ui.web_page import EventDocument
from bot.tournaments.ui.words import EventText, mentions_of, points
from renderers import Style
from tests.support.not_none import not_none
from tests.tournaments.events_made import Event
from tests.tournaments.views import check, parts_of, setup_of, view_of, words_on

pytestmark = pytest.mark.slow

LANGUAGES = Languages()
EN = LANGUAGES.known()["en"]
FORMATS = list(FormatKey)


def _name(number: int) -> str:
    return f"Bartholomew Featherstonehaugh {number}"


def _event(form: FormatKey, users: int, **about: object) -> Event:
    event = Event(setup_of(form, **about))
    event.begin(users)
    if form is FormatKey.ARENA:
        rest = {each.number: event.at for each in event.t.active}
        drawn = Arena().pairs(event.t, rest, event.at)
        assert drawn is not None
        event.do(running.draw_games, drawn)
    return event


def test_the_table_of_a_rated_event_says_whose_rating_is_as_it_was_and_why() -> None:
    event = Event(setup_of(FormatKey.ROUND_ROBIN, rated=True))
    event.begin(4)
    event.play_out()
    view = view_of(event)
    assert view.unrated == {}
    short = {key: replace(link, ply=3) for key, link in view.matches.items()}
    forfeits = {
        key: replace(short[key], ply=0) if 1 in event.t.games[key].game.players else short[key]
        for key in short
    }
    view = replace(view, matches=forfeits)
    assert view.unrated == {1: False, 2: True, 3: True, 4: True}
    (sheet,) = sheets_of(EventText(view, EN), "tstand")
    said = words_on(table_page(EventText(view, EN), "tstand", sheet).page)
    assert "Not rated, no game played: <@101>\n" in said
    assert "Not rated, every game too short to count: <@102>" in said
    page = EventDocument(EventText(view, EN, _name), event.at).made().decode()
    assert f"Not rated, no game played: {_name(1)}<" in page
    one = {**forfeits, event.t.of_entrant(2)[0].game.id: replace(next(iter(short.values())), ply=4)}
    assert 2 not in replace(view, matches=one).unrated
    casual = Event(setup_of(FormatKey.ROUND_ROBIN))
    casual.begin(4)
    casual.play_out()
    assert replace(view_of(casual), matches={}).unrated == {}


def test_pairings_begin_with_the_round_that_is_played() -> None:
    event = _event(FormatKey.ROUND_ROBIN, 4)
    assert current_round(event.t) == 1
    for each in event.t.in_round(1):
        event.score(each.game.id, 1, 0)
    assert current_round(event.t) == 2
    event.play_out()
    assert current_round(event.t) == 3


@pytest.mark.parametrize(
    ("clock", "no_show", "said"),
    [
        ("2d/move", timedelta(days=3), "due within 2 days."),
        ("2d/move", timedelta(days=1), "due within 1 day."),
        ("20m+10s", timedelta(hours=1), "due within 20 minutes."),
        (None, timedelta(days=1), ""),
    ],
)
def test_a_first_move_is_due_when_the_clock_or_the_event_says_whichever_is_sooner(
    clock: str | None, no_show: timedelta, said: str
) -> None:
    setup = setup_of(FormatKey.SWISS, clock=clock, no_show=no_show)
    shown = "\n".join(rules_lines(setup, EN))
    if said:
        assert f"A first move is {said}" in shown
    else:
        assert "first move" not in shown
        assert "on time" not in shown


@pytest.mark.parametrize("locale", ["de", "ja", "pl"])
@pytest.mark.parametrize("form", FORMATS)
def test_the_fullest_pages_fit(form: FormatKey, locale: str) -> None:
    language = LANGUAGES.known()[locale]
    about = {"at_once": 2, "most": 256, "name": "Übernächstes " * 6}
    event = Event(setup_of(form, **about))
    size = 64
    event.enter(*(10**17 + number for number in range(size)))
    open_view = view_of(event)
    who = mentions_of(event.t, language)
    check(home_page(EventText(open_view, language, who)))
    check(players_page(EventText(open_view, language, who), 1).page)
    event.do(registration.close)
    check(home_page(EventText(view_of(event), language, who)))
    event.at = event.t.setup.begins
    event.draw()
    for played in list(event.t.games.values())[:40]:
        event.do(running.begin_game, played.game.id)
    view = view_of(event)
    who = mentions_of(event.t, language)
    check(home_page(EventText(view, language, who)))
    check(event_rules_page(EventText(view, language)).page)
    check(mine_page(EventText(view, language, who), event.t.entrants[0], lead="x" * 200).page)
    check(leave_page(EventText(view, language), event.t.entrants[0]).page)
    for page in range(4):
        check(pairings_page(EventText(view, language, who), 1, page, plain=_name).page)
    for which in kinds_of(view):
        sheets = sheets_of(EventText(view, language, _name), which)
        kinds, event_text = kinds_of(view), EventText(view, language)
        check(table_page(event_text, which, sheets[0], pages=len(sheets), kinds=kinds).page)


def test_a_crosstable_tells_opponents_apart_who_share_a_place() -> None:
    event = Event(setup_of(FormatKey.SWISS))
    event.begin(8)
    view = view_of(event)
    (placings,) = divisions_of(view).values()
    assert len({each.rank for each in placings}) < len(placings)
    table = cross_table(EventText(view, EN, _name), 0, placings)
    lines = [each.label for each in table.rows]
    for number in range(len(table.heads)):
        met = [row.cells[number].note.rstrip("+") for row in table.rows]
        assert sorted(met) == sorted(lines)


@pytest.mark.parametrize("form", FORMATS)
def test_every_table_of_an_event_can_be_drawn_and_its_letters_fit_a_phone(form: FormatKey) -> None:
    event = Event(setup_of(form, third_place=form is FormatKey.KNOCKOUT))
    event.begin(8)
    if form not in (FormatKey.ARENA, FormatKey.LADDER):
        event.play_out()
    view = view_of(event)
    for which in kinds_of(view):
        for sheet in sheets_of(EventText(view, EN, _name), which):
            assert sheet.draw(Style()).png
            assert all(len(line) <= 40 for line in sheet.letters.splitlines())


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(0), "0"),
        (Fraction(1, 2), "½"),
        (Fraction(5, 2), "2½"),
        (Fraction(7, 3), "2⅓"),
        (Fraction(7, 4), "1¾"),
        (Fraction(17, 7), "2.43"),
        (Fraction(10), "10"),
    ],
)
def test_points_are_written_as_players_write_them(value: Fraction, shown: str) -> None:
    assert points(value) == shown


def test_the_promise_names_games_pace_and_the_last_day() -> None:
    setup = setup_of(FormatKey.ROUND_ROBIN, most=10, at_once=3)
    setup = replace(setup, finish=setup.begins + timedelta(days=180))
    games = "At most 9 games for each player, 3 at a time, about a move a day."
    day = f"Over by <t:{int(setup.finish.timestamp())}:D> at the latest."
    assert promise(setup, EN) == f"{games} {day}"
    slow = replace(setup, most=3, finish=setup.begins + timedelta(days=200))
    assert "about a move every 5 days" in promise(slow, EN)


def test_the_games_worth_a_look() -> None:
    event = Event(setup_of(FormatKey.ROUND_ROBIN))
    event.enter(101, 102, 103, 104, ratings=(1900, 1700, 1500, 1300))
    event.do(registration.close)
    event.at = event.t.setup.begins
    event.draw()
    for played in list(event.t.games.values()):
        event.do(running.begin_game, played.game.id)
        one = played.game.players[0]
        event.score(
            played.game.id,
            int(one == 4 or 1 in played.game.players),
            int(not (one == 4 or 1 in played.game.players)),
        )
    view = view_of(event)
    found = {EN(why).partition(" ")[0]: game for game, why in remarkable(view).items()}
    assert "Surprise" in found
    surprise = event.t.games[found["Surprise"]]
    assert surprise.points is not None
    assert len(set(found.values())) == len(found), "each game once"


def test_an_entrant_whose_data_was_erased_is_a_number() -> None:
    event = _event(FormatKey.ROUND_ROBIN, 3)
    gone = replace(event.t.entrants[1], user_id=None)
    t = replace(event.t, entrants=(event.t.entrants[0], gone, event.t.entrants[2]))
    assert mentions_of(t, EN)(2) == "Player 2"
    assert mentions_of(t, EN)(1) == f"<@{UserId(101)}>"


def test_while_the_first_round_is_paired_again_no_round_is_counted() -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=3))
    event.begin(6)
    assert "Round 1 of 3" in state_line(EventText(view_of(event), EN))
    event.do(directing.redraw)
    again = EventText(view_of(event), EN)
    assert state_line(again) == "The first round is being paired."
    mine = words_on(mine_page(again, event.t.entrants[0]).page)
    assert "You have no game to play right now." in mine


@pytest.mark.parametrize("double", [False, True])
def test_a_bracket_names_its_matches_and_who_waits_names_one_of_them(*, double: bool) -> None:
    event = _event(FormatKey.KNOCKOUT, 6, double=double, third_place=not double)
    bracket = bracket_of(EventText(view_of(event), EN, _name))
    assert bracket is not None
    matches = [m for stage in bracket.stages for each in stage.rounds for m in each.matches]
    assert [each.label for each in matches if not each.label.startswith("Match ")] == []
    numbers = {each.label.removeprefix("Match ") for each in matches}
    waiting = [slot.name for match in matches for slot in match.slots if slot.waiting]
    assert waiting
    assert {each.rpartition(" ")[2] for each in waiting} <= numbers


def test_every_player_without_a_game_can_be_asked_about() -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=3, late_entry=True))
    event.enter(*range(101, 110))
    event.do(registration.ask_bye, 2, 1, Kind.HALF_BYE)
    event.do(registration.ask_bye, 3, 1, Kind.ZERO_BYE)
    event.do(registration.close)
    event.draw()
    event.enter(120)
    page = not_none(pairings_page(EventText(view_of(event), EN, str), 1, 0, plain=str).page)
    menus = (part for part in parts_of(page) if ":twhygame" in part.get("custom_id", ""))
    values = {option["value"] for menu in menus for option in menu["options"]}
    byes = event.t.rounds[0].byes
    assert {2, 3, 10} < set(byes)
    assert {f"b1.{each}" for each in byes} <= values
