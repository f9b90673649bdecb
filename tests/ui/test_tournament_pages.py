"""Pages of tournaments: what they say, and that the fullest of them fits into a message."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest

from bot.domain.ids import UserId
from bot.domain.tournaments import directing, registration, running
from bot.domain.tournaments.arena import REMATCH
from bot.domain.tournaments.formats.base import Placing
from bot.domain.tournaments.formats.open_ended import Arena
from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.tables import PLACES
from bot.domain.tournaments.tiebreaks import TieBreak
from bot.domain.tournaments.tournament import TournamentStatus
from bot.i18n import Languages
from bot.services.tournaments.reasons import why_game
from bot.ui.tournaments.bracket_data import bracket_of
from bot.ui.tournaments.director_pages import ask
from bot.ui.tournaments.finished_page import remarkable
from bot.ui.tournaments.home_page import home_page, state_line
from bot.ui.tournaments.player_pages import (
    current_round,
    event_rules_page,
    leave_page,
    mine_page,
    pairings_page,
    players_page,
)
from bot.ui.tournaments.table_pages import table_page
from bot.ui.tournaments.tables import kinds_of, sheets_of
from bot.ui.tournaments.why_pairing_page import why_game_page
from bot.ui.tournaments.why_place_page import why_place_page
from bot.ui.tournaments.words import (
    EventText,
    has_final,
    mentions_of,
    points,
    promise,
    rounds_of,
    rules_lines,
)
from renderers import Style
from tests.domain.tournaments.events_made import Event
from tests.not_none import not_none
from tests.ui.tournament_views import check, parts_of, setup_of, view_of, words_on

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
        event.take(running.draw_games(event.t, event.act(), drawn))
    return event


def test_meetings_keep_their_numbers_in_the_bracket_where_the_best_have_none() -> None:
    event = _event(FormatKey.KNOCKOUT, 6)
    page = pairings_page(EventText(view_of(event), EN), 1, 0, plain=_name).page
    assert "\n2\\. <@104> – <@105>" in words_on(page)
    assert "\n4\\. <@103> – <@106>" in words_on(page)


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
    said = words_on(table_page(EventText(view, EN), "tstand", letters="x").page)
    assert "Not rated, no game played: <@101>\n" in said
    assert "Not rated, every game too short to count: <@102>" in said
    one = {**forfeits, event.t.of_entrant(2)[0].game.id: replace(next(iter(short.values())), ply=4)}
    assert 2 not in replace(view, matches=one).unrated
    casual = Event(setup_of(FormatKey.ROUND_ROBIN))
    casual.begin(4)
    casual.play_out()
    assert replace(view_of(casual), matches={}).unrated == {}


def test_why_an_arenas_game_is_paired_counts_as_the_arena_does() -> None:
    event = _event(FormatKey.ARENA, 2)
    for number in (1, 2, 3):
        if number > 1:
            rest = {each.number: event.at for each in event.t.active}
            event.at += REMATCH
            drawn = not_none(Arena().pairs(event.t, rest, event.at))
            event.take(running.draw_games(event.t, event.act(), drawn))
        (game,) = event.t.pending
        players = game.game.players
        event.score(game.game.id, *(int(each == 1) for each in players))
    who = mentions_of(event.t, EN)
    first, *_, last = event.t.games
    said = words_on(why_game_page(EventText(view_of(event), EN, who), why_game(event.t, last)).page)
    assert "<@101> 4" in said, "two wins"
    assert "They had just met" in said
    said = words_on(
        why_game_page(EventText(view_of(event), EN, who), why_game(event.t, first)).page
    )
    assert "They had just met" not in said
    mine = words_on(mine_page(EventText(view_of(event), EN, who), event.t.entrants[0]).page)
    assert "You're free. Your next game starts by itself." in mine


def test_a_place_at_tables_of_four_opens_to_its_tables() -> None:
    event = _event(FormatKey.TABLES, 6, rounds=2, final_table=True)
    for _ in range(3):
        (table,) = event.t.pending
        order = sorted(table.game.players)
        event.score(table.game.id, *(PLACES[order.index(each)] for each in table.game.players))
        event.draw()
    assert event.t.status is TournamentStatus.FINISHED
    view = view_of(event)
    first, *_, last = view.standings

    def why(number: int) -> str:
        place = Placing(1, number, Fraction(0), ())
        return words_on(why_place_page(EventText(view, EN), place, None).page)

    won = why(first.number)
    assert won.count("- Round ") == 2
    assert "- Final table · " in won
    assert "The final table decides places 1 to 4." in won
    assert "the player above has" not in won
    assert "the player above has" in why(last.number)
    total = event.t.points_of(last.number)
    byes = sum(last.number in each.byes for each in event.t.rounds)
    assert f"1. Points **{points(total + byes * Fraction(7, 4))}**" in why(last.number)
    assert why(last.number).count("for 1¾ points") == byes


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


def test_games_of_an_arena_are_numbered_and_the_newest_comes_first() -> None:
    event = _event(FormatKey.ARENA, 4)
    for played in event.t.pending:
        event.score(played.game.id, 1, 0)
    free = {each.number: event.at for each in event.t.active}
    drawn = Arena().pairs(event.t, free, event.at)
    assert drawn is not None
    event.take(running.draw_games(event.t, event.act(), drawn))
    who = mentions_of(event.t, EN)
    page = pairings_page(EventText(view_of(event), EN, who), 1, 0, plain=_name).page
    numbers = [line[:3] for line in words_on(page).splitlines() if line[1:4] == "\\. "]
    assert numbers == ["4\\.", "3\\.", "2\\.", "1\\."], "no list, which Discord counts upwards"
    assert page is not None
    (menu,) = (part for part in parts_of(page) if part["type"] == 3)
    assert [each["label"][:3] for each in menu["options"]] == ["4. ", "3. ", "2. ", "1. "]
    event.at = event.t.finish
    event.take(running.overdue(event.t, event.act()))
    over = pairings_page(EventText(view_of(event), EN, who), 1, 0, plain=_name).page
    last = next(line for line in words_on(over).splitlines() if line.startswith("4\\. "))
    assert last.endswith("> (not over at the end, so it doesn't count)"), "and has no result"
    reply = ask(EventText(view_of(event), EN, _name), "correct")
    assert reply.page is not None
    (menu,) = (part for part in parts_of(reply.page) if part["type"] == 3)
    assert [each["label"][:3] for each in menu["options"]] == ["4. ", "3. ", "2. ", "1. "]


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
    event.take(registration.close(event.t, event.act()))
    check(home_page(EventText(view_of(event), language, who)))
    event.at = event.t.setup.begins
    event.draw()
    for played in list(event.t.games.values())[:40]:
        event.take(running.begin_game(event.t, event.act(), played.game.id))
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
        shown = tuple(zip(sheets[0].numbers, sheets[0].labels, strict=False))
        check(
            table_page(
                EventText(view, language),
                which,
                pages=len(sheets),
                letters=sheets[0].letters,
                people=shown,
                kinds=kinds_of(view),
            ).page
        )


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
    said = promise(setup, EN)
    assert said[0] == "At most 9 games for each player, 3 at a time, about a move a day."
    assert said[1] == f"Over by <t:{int(setup.finish.timestamp())}:D> at the latest."
    slow = replace(setup, most=3, finish=setup.begins + timedelta(days=200))
    assert "about a move every 5 days" in promise(slow, EN)[0]


def test_the_promise_counts_a_final_table_for_its_four_players_only() -> None:
    final = setup_of(FormatKey.TABLES, rounds=3, final_table=True)
    (games, *_) = promise(final, EN, entrants=16)
    assert games.startswith(
        "At most 3 games for each player, and one more for the four at the final table, 1 at a time"
    )
    (games, *_) = promise(replace(final, final_table=False), EN, entrants=16)
    assert games.startswith("At most 3 games for each player, 1 at a time")


def _arena_of(*results: tuple[int, int]) -> str:
    """Why? of the place of the first entrant after these results of theirs."""
    event = _event(FormatKey.ARENA, 2)
    for mine, other in results:
        (played,) = event.t.pending
        seats = (mine, other) if played.game.players[0] == 1 else (other, mine)
        event.score(played.game.id, *seats)
        free = {each.number: event.at for each in event.t.active}
        drawn = Arena().pairs(event.t, free, event.at)
        assert drawn is not None
        event.take(running.draw_games(event.t, event.act(), drawn))
    view = view_of(event)
    place = next(each for each in view.standings if each.number == 1)
    assert place.points == sum(Arena().score(event.t, 1))
    standing = Placing(place.rank, 1, place.points, ())
    return words_on(why_place_page(EventText(view, EN), standing, None).page)


def test_the_points_of_an_arena_are_told_game_by_game_with_what_a_streak_doubles() -> None:
    won, lost = (1, 0), (0, 1)
    said = _arena_of(won, won, won, lost, won)
    assert "8 points." not in said
    assert "10 points." in said
    assert "After two wins in a row games count double" in said
    for line in (
        "2. <@102>: **2**",
        "3. <@102>: **4** = 2 × 2",
        "4. <@102>: **0**",
        "5. <@102>: **2**",
    ):
        assert f"{line}\n" in f"{said}\n"
    many = _arena_of(*[won] * 16)
    assert "Game by game, those that count double in bold: 2 + 2 + **4** + **4**" in many
    assert "3. <@102>" not in many
    assert "Game by game" not in _arena_of()


def test_the_games_worth_a_look() -> None:
    event = Event(setup_of(FormatKey.ROUND_ROBIN))
    event.enter(101, 102, 103, 104, ratings=(1900, 1700, 1500, 1300))
    event.take(registration.close(event.t, event.act()))
    event.at = event.t.setup.begins
    event.draw()
    for played in list(event.t.games.values()):
        event.take(running.begin_game(event.t, event.act(), played.game.id))
        one = played.game.players[0]
        event.score(
            played.game.id,
            int(one == 4 or 1 in played.game.players),
            int(not (one == 4 or 1 in played.game.players)),
        )
    view = view_of(event)
    found = {EN(each.why).partition(" ")[0]: each.game for each in remarkable(view)}
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


def test_a_final_table_is_not_counted_as_a_round() -> None:
    event = Event(setup_of(FormatKey.TABLES, rounds=3, final_table=True))
    event.begin(8)
    assert "Round 1 of 3, until" in state_line(EventText(view_of(event), EN))
    event.play_out()
    assert has_final(event.t.setup, len(event.t.rounds))
    assert rounds_of(view_of(event)) == 3


def test_while_the_first_round_is_paired_again_no_round_is_counted() -> None:
    event = Event(setup_of(FormatKey.SWISS, rounds=3))
    event.begin(6)
    assert "Round 1 of 3" in state_line(EventText(view_of(event), EN))
    event.take(directing.redraw(event.t, event.act()))
    assert state_line(EventText(view_of(event), EN)) == "The first round is being paired."


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


def test_a_direct_encounter_that_nobody_needed_is_a_dash() -> None:
    event = _event(FormatKey.ROUND_ROBIN, 3)
    while event.t.pending:
        for each in event.t.pending:
            stronger = min(each.game.players)
            event.score(each.game.id, *(int(one == stronger) for one in each.game.players))
        if event.t.status is not TournamentStatus.FINISHED:
            event.draw()
    view = view_of(event)
    standing = Placing(1, 1, event.t.points_of(1), view.standings[0].values)
    page = why_place_page(EventText(view, EN), standing, TieBreak.DIRECT_ENCOUNTER).page
    said = words_on(page)
    assert "Direct encounter **—**" in said
    assert "No games between players who are tied up to here." in said
    (sheet,) = sheets_of(EventText(view, EN, _name), "tstand")
    assert "—" in sheet.letters
