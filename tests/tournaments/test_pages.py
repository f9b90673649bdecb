"""Pages of tournaments beside their words, which are golden: what is on them, and that they fit."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest

from bot.domain.ids import UserId
from bot.domain.match import MatchStatus
from bot.errors import UserError
from bot.i18n import Languages
from bot.tournaments.domain import acts
from bot.tournaments.domain.crosstable import SWISS, TieBreak, standings
from bot.tournaments.domain.notices import MessageKind
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.posts import Message
from bot.tournaments.services.rehearsal import Rehearsed
from bot.tournaments.services.views import Preview
from bot.tournaments.store.records import MatchLink
from bot.tournaments.ui.home_page import home_page, medal_in
from bot.tournaments.ui.managing import (
    ask,
    confirm_page,
    manage_page,
    possible,
    read_act,
    read_points,
    typed_points,
    write_act,
    write_points,
)
from bot.tournaments.ui.player_pages import (
    current_round,
    event_rules_page,
    leave_page,
    log_page,
    mine_page,
    pairings_page,
    players_page,
)
from bot.tournaments.ui.rehearsal_page import step_page, steps_of
from bot.tournaments.ui.setup_words import first_move_time, rules_lines
from bot.tournaments.ui.tables import (
    bracket_of,
    cross_table,
    divisions_of,
    kinds_of,
    sheets_of,
    table_page,
)
from bot.tournaments.ui.web_page import EventDocument
from bot.tournaments.ui.why_pages import why_place_page
from bot.tournaments.ui.words import mentions_of, points
from bot.ui.pages.components import walk
from renderers import Style
from tests.support.not_none import not_none
from tests.tournaments.views import (
    EN,
    Told,
    check,
    log_of,
    name_of,
    parts_of,
    setup_of,
    view_of,
    words_on,
)

pytestmark = pytest.mark.slow

FORMATS = list(FormatKey)
ROUNDS = {FormatKey.SWISS: "rounds=3", FormatKey.TABLES: "rounds=3"}
ACTS = """close reopen:1798135200 add:1000000000000000000 withdraw:256 exclude:3 rejoin:1~256 redraw
    replace:3:1000000000000000000 part:1~17~256:3 part:9988~9989~9990~9991~9992~9993~9994~9995:0
    decide:W1.2.1:1~0 correct:3.128:7.3~7.3~7.3~0 extend:3::1798135200 extend:3:3.12:1798135200
    pause resume cancel appoint:5 dismiss:5 undo:12345 seed:3:1"""
NO_ACTS = """close:1 add:x add:-5 decide:1.1 decide:1.1:1~ extend:1::x fly undo: part:1~x:0 part:1~2
    extend:3:1798135200: extend:3:1798135200:3.12 reopen:99999999999999 withdraw:9999999999
    correct:1.1:1.0~0 part:0~1~2~3~4~5~6~7~8~9~10~11~12:0"""


def _name(number: int) -> str:
    return f"Bartholomew Featherstonehaugh {number}"


@pytest.mark.parametrize("text", ACTS.split())
def test_every_act_is_read_from_a_control_as_it_was_written(text: str) -> None:
    act = read_act(text)
    assert act.key == text.partition(":")[0]
    assert write_act(act) == text


@pytest.mark.parametrize("text", ["", *NO_ACTS.split()])
def test_what_is_no_act_is_out_of_date(text: str) -> None:
    with pytest.raises(UserError, match="out_of_date"):
        read_act(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("4 2 1 0", "4~2~1~0"),
        ("3½, 3½; 0 / 0", "7.2~7.2~0~0"),
        ("7/3 7/3 7/3 0", "7.3~7.3~7.3~0"),
        ("2.5 2.5 1 1", "5.2~5.2~1~1"),
    ],
)
def test_points_are_read_as_typed(text: str, written: str) -> None:
    assert write_points(typed_points(text)) == written
    assert read_points(written) == typed_points(text)
    with pytest.raises(UserError):
        typed_points("all to me")


@pytest.mark.parametrize(
    ("text", "are", "are_not"),
    [
        ("swiss 0 rounds=3 | enter 1 2", "close add seed cancel", "decide redraw reopen"),
        ("swiss 8 rounds=3", "redraw decide extend pause cancel", "correct resume close add"),
        ("swiss 8 rounds=3 | 1.1 1:0", "correct decide", "redraw"),
        ("swiss 8 rounds=3 | pause", "resume", "pause"),
        ("swiss 8 rounds=3 | cancel", "", "cancel correct resume"),
        ("round_robin 4", "extend", "redraw add"),  # the pairs would be the same; it is too late
    ],
)
def test_the_acts_that_make_sense(text: str, are: str, are_not: str) -> None:
    found = {*possible(view_of(Told(text)))}
    assert {*are.split()} <= found
    assert not found & {*are_not.split()}


@pytest.mark.parametrize("ply", [0, 1])
def test_a_round_with_a_move_is_not_paired_again(ply: int) -> None:
    links = {"1.1": MatchLink(MatchStatus.RUNNING, ply, None)}
    view = view_of(Told("swiss 8 rounds=3 | begin 1.1"), matches=links)
    assert ("redraw" in possible(view)) is not ply


@pytest.mark.parametrize(
    ("text", "purpose", "first", "count"),
    [
        # First the games that are played now.
        ("round_robin 4 at_once=1 | begin 1.2", "decide", ["1.2", "1.1", "2.1"], 6),
        ("round_robin 4 at_once=1 | begin 1.2", "extend", ["1:", "2:", "3:"], 9),
        # Who has played is not replaced.
        ("swiss 4 rounds=3 | 1.1 1:0", "replace", ["3"], 2),
        ("swiss 4 rounds=3 | 1.1 1:0", "withdraw", ["1"], 4),
    ],
)
def test_a_director_is_asked_for_what_can_be_chosen(
    text: str, purpose: str, first: list[str], count: int
) -> None:
    page = not_none(ask(Told(text).text(name_of), purpose).page)
    (menu,) = (each for each in walk(page.components) if "options" in each)
    values = [each["value"].removeprefix(f"{purpose}:") for each in menu["options"]]
    assert values[: len(first)] == first
    assert len(values) == count


@pytest.mark.parametrize("locale", ["de", "ja", "pl"])
@pytest.mark.parametrize("form", FORMATS)
def test_the_fullest_pages_fit(form: FormatKey, locale: str) -> None:
    language = Languages().known()[locale]
    about = {"at_once": 2, "most": 256, "name": "Übernächstes " * 6}
    event = Told(f"{form.value} 0 {ROUNDS.get(form, '')}", **about)
    event.enter(*(10**17 + number for number in range(64)))
    check(home_page(event.text(language=language)))
    check(players_page(event.text(language=language), 1).page)
    event._act("close")
    check(home_page(event.text(language=language)))
    event.at = event.t.setup.begins
    event.draw()
    for each in list(event.t.games)[:40]:
        event._act("begin", each)
    called, plain = event.text(language=language), event.text(_name, language=language)
    check(home_page(called))
    check(event_rules_page(called).page)
    check(mine_page(called, event.t.entrants[0], lead="x" * 200).page)
    check(leave_page(called, event.t.entrants[0]).page)
    check(manage_page(called, log_of(event), lead="x" * 300).page)
    for page in range(4):
        check(pairings_page(called, 1, page, plain=_name).page)
        check(log_page(called, [*log_of(event)] * 2, page).page)
    for purpose, page in (("withdraw", 2), ("exclude", 2), ("replace", 2), ("decide", 1)):
        check(ask(plain, purpose, page=page).page)
    games = tuple(event.t.games)
    for game in games[:1]:
        check(ask(called, f"decide:{game}", plain=plain).page)
        check(ask(plain, "extend", page=1).page)
    preview = Preview(9, (), games, games[:50], (2,), games[:50], 200, can_undo=False)
    check(confirm_page(called, acts.Exclude(1), preview, lead="x" * 200).page)
    kinds = kinds_of(event.text().view)
    for which in kinds:
        sheets = sheets_of(plain, which)
        check(table_page(called, which, sheets[0], pages=len(sheets), kinds=kinds).page)


@pytest.mark.parametrize("form", FORMATS)
def test_every_table_of_an_event_can_be_drawn_and_its_letters_fit_a_phone(form: FormatKey) -> None:
    text = f"{form.value} 8 {'| play' if form.facts.has_rounds else ''}"
    event = Told(text, third_place=form is FormatKey.KNOCKOUT)
    for which in kinds_of(event.text().view):
        for sheet in sheets_of(event.text(_name), which):
            assert sheet.draw(Style()).png
            assert all(len(line) <= 40 for line in sheet.letters.splitlines())


def test_a_rating_that_is_as_it_was_is_told_with_its_reason() -> None:
    event = Told("round_robin 4 rated | play")
    view = view_of(event)
    assert view.unrated == {}
    short = {key: replace(link, ply=3) for key, link in view.matches.items()}
    mine = {each.game.id: replace(short[each.game.id], ply=0) for each in event.t.of_entrant(1)}
    view = replace(view, matches={**short, **mine})
    assert view.unrated == {1: False, 2: True, 3: True, 4: True}
    page = EventDocument(event.text(_name, matches=view.matches), event.at).made().decode()
    assert f"Not rated, no game played: {_name(1)}<" in page
    long = next(each.game.id for each in event.t.of_entrant(2) if each.game.id not in mine)
    moved = {**view.matches, long: replace(short[long], ply=4)}
    assert 2 not in replace(view, matches=moved).unrated
    assert view_of(Told("round_robin 4 | play"), matches={}).unrated == {}


def test_pairings_begin_with_the_round_that_is_played() -> None:
    for text, number in (("", 1), ("| 1.1 1:0 | 1.2 1:0", 2), ("| play", 3)):
        assert current_round(Told(f"round_robin 4 {text}").t) == number


@pytest.mark.parametrize(
    ("clock", "no_show", "due"),
    [
        ("2d/move", timedelta(days=3), timedelta(days=2)),
        ("2d/move", timedelta(days=1), timedelta(days=1)),
        ("20m+10s", timedelta(hours=1), timedelta(minutes=20)),
        (None, timedelta(days=1), None),
    ],
)
def test_a_first_move_is_due_when_the_clock_or_the_event_says_whichever_is_sooner(
    clock: str | None, no_show: timedelta, due: timedelta | None
) -> None:
    setup = setup_of(FormatKey.SWISS, clock=clock, no_show=no_show)
    if due is not None:
        assert first_move_time(setup) == due
    assert ("on time" in "\n".join(rules_lines(setup, EN))) is (due is not None)


def test_a_crosstable_tells_opponents_apart_who_share_a_place() -> None:
    event = Told("swiss 8")
    (placings,) = divisions_of(event.text().view).values()
    assert len({each.rank for each in placings}) < len(placings)
    table = cross_table(event.text(_name), 0, placings)
    lines = sorted(each.label for each in table.rows)
    for number in range(len(table.heads)):
        assert sorted(row.cells[number].note.rstrip("+") for row in table.rows) == lines


@pytest.mark.parametrize(
    ("value", "shown"),
    [("0", "0"), ("1/2", "½"), ("7/3", "2⅓"), ("7/4", "1¾"), ("17/7", "2.43"), ("10", "10")],
)
def test_points_are_written_as_players_write_them(value: str, shown: str) -> None:
    assert points(Fraction(value)) == shown


def test_an_entrant_whose_data_was_erased_is_a_number() -> None:
    t = Told("round_robin 3").t
    gone = replace(t.entrants[1], user_id=None)
    who = mentions_of(replace(t, entrants=(t.entrants[0], gone, t.entrants[2])), EN)
    assert (who(1), who(2)) == ("<@101>", "Player 2")


@pytest.mark.parametrize("choice", ["double", "third_place"])
def test_a_bracket_names_its_matches_and_who_waits_names_one_of_them(choice: str) -> None:
    bracket = not_none(bracket_of(Told(f"knockout 6 {choice}").text(_name)))
    matches = [m for stage in bracket.stages for each in stage.rounds for m in each.matches]
    assert [each.label for each in matches if not each.label.startswith("Match ")] == []
    numbers = {each.label.removeprefix("Match ") for each in matches}
    waiting = [slot.name for match in matches for slot in match.slots if slot.waiting]
    assert waiting
    assert {each.rpartition(" ")[2] for each in waiting} <= numbers


def test_every_player_without_a_game_can_be_asked_about() -> None:
    event = Told("""swiss 0 rounds=3 late_entry
        enter 101 102 103 104 105 106 107 108 109 | bye 2 1 half | bye 3 1 zero | close | draw
        enter 120""")
    page = not_none(pairings_page(event.text(), 1, 0, plain=str).page)
    menus = (part for part in parts_of(page) if ":twhygame" in part.get("custom_id", ""))
    values = {option["value"] for menu in menus for option in menu["options"]}
    byes = event.t.rounds[0].byes
    assert {2, 3, 10} < set(byes)
    assert {f"b1.{each}" for each in byes} <= values


def test_without_a_point_there_is_no_medal() -> None:
    event = Told("arena 4 | pair | all 1:0 | until finish | end")
    medals = [medal_in(view_of(event), not_none(each.user_id)) for each in event.t.entrants]
    assert sorted(each.rank for each in medals if each is not None) == [1, 1]


@pytest.mark.parametrize(("most", "is_told"), [(2, False), (3, False), (4, True)])
def test_a_match_for_third_place_takes_four_players(most: int, is_told: bool) -> None:
    match = "There's a match for third place."
    setup = setup_of(FormatKey.KNOCKOUT, third_place=True, most=most)
    assert (match in rules_lines(setup, EN)) is is_told
    many = replace(setup, most=16)
    assert (match in rules_lines(many, EN, entrants=most)) is is_told


@pytest.mark.parametrize("tie_break", SWISS)
def test_a_place_opens_to_the_sum_of_each_number(tie_break: TieBreak) -> None:
    event = Told("""swiss 0 rounds=5 late_entry
        enter 101 102 103 104 105 106 107 108 109 | bye 3 2 half | close | until begins | draw
        leaves 9 | play""")
    found = standings(event.t.crosstable(), SWISS)
    for place, shown in zip(found, event.text().view.standings, strict=True):
        page = why_place_page(event.text(), shown, tie_break).page
        check(page)
        said, value = words_on(page), not_none(place.value(tie_break))
        if not value.compares:
            assert not value.terms
            continue
        assert said.rpartition("Sum: **")[2].partition("**")[0] == points(value.total)
        rest = said.partition("Sum")[0].rpartition("\n**")[2].splitlines()
        assert sum(line.startswith("- ") for line in rest) == len(value.terms)


def test_a_rehearsal_shows_each_message_once_and_its_controls_do_nothing() -> None:
    event = Told("swiss 0 rounds=3")
    event.enter(*range(-1007, -999))
    before = Rehearsed(Message(MessageKind.HOME, 1), view_of(event))
    for act in ("close", "until begins", "draw"):
        event._step(act)
    home = Rehearsed(before.message, view_of(event))
    notices = [Message(MessageKind.ROUND, 12, n, UserId(n - 1008)) for n in range(1, 9)]
    told = [Rehearsed(each, home.view) for each in notices]
    steps = steps_of([before, home, home, *told, home])
    kinds = [(each.message.kind.value, each.people) for each in steps]
    assert kinds == [("home", 0), ("home", 0), ("round", 8), ("home", 0)]
    assert steps[0] is before, "first the message that players join by"
    for number, step in enumerate(steps):
        page = not_none(step_page(step, number, len(steps), EN, None).page)
        check(page)
        assert "Computer" not in words_on(page)
        for part in parts_of(page):
            if part["type"] == 2:
                _, _, _, action, arg = part["custom_id"].split(":", 4)
                # Back from the first and on from the last lead nowhere.
                nowhere = (number, arg) in ((0, "b"), (len(steps) - 1, "n"))
                mine = action in ("trehearse", "trehover")
                assert part["disabled"] is (nowhere or not mine)
