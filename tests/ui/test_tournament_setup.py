"""The page on which a tournament is set up: what it carries, what it says, what it refuses."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.domain.clock_text import NONE
from bot.errors import UserError
from bot.i18n import Languages
from bot.i18n.sentences import refusal
from bot.tournaments.domain.planning import PRESETS
from bot.tournaments.domain.setup import FormatKey, Unfinished
from bot.tournaments.ui.moments import read_moment
from bot.tournaments.ui.setup_menus import TABS
from bot.tournaments.ui.setup_page import (
    CARRIER,
    TournamentDraft,
    chosen,
    draft_page,
    first_draft,
    games_for,
    presets_page,
    read_tournament_draft,
    write_draft,
)
from bot.ui.pages.components import walk
from games import catalog
from tests.not_none import not_none
from tests.ui.tournament_views import check, parts_of, words_on

LANGUAGES = Languages()
EN = LANGUAGES.known()["en"]
NOW = datetime(2026, 11, 24, 11, 30, tzinfo=UTC)
"""A Tuesday."""


def _draft(preset: str = "cup", **about: Any) -> TournamentDraft:
    game = games_for(PRESETS[preset].format)[0]
    draft = first_draft(preset, NOW, "Europe/Berlin", name="Winter Cup", game=game)
    return replace(draft, **about)


def _carried(draft: TournamentDraft) -> TournamentDraft:
    page = draft_page(draft, EN, draft.problem(NOW)).page
    assert page is not None
    return read_tournament_draft(page.components)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_each_preset_is_ready_as_it_is(preset: str) -> None:
    draft = _draft(preset)
    draft.check(NOW)
    assert draft.closes > NOW
    assert _carried(draft) == draft


def test_days_are_those_that_people_expect() -> None:
    weekend = first_draft("weekend_swiss", NOW, "Europe/Berlin")
    assert weekend.begins == datetime(2026, 11, 28, 9, tzinfo=UTC), "Saturday at ten"
    evening = first_draft("evening_arena", NOW, "Europe/Berlin")
    assert evening.begins == datetime(2026, 11, 24, 18, tzinfo=UTC), "today at seven"
    late = first_draft("evening_arena", NOW + timedelta(hours=6), "Europe/Berlin")
    assert late.begins == datetime(2026, 11, 25, 18, tzinfo=UTC), "there must be time to join"
    saturday = datetime(2026, 11, 28, 8, tzinfo=UTC)
    assert first_draft("weekend_swiss", saturday, "UTC").begins.date().day == 5


@pytest.mark.parametrize("locale", ["de", "ja", "pl"])
@pytest.mark.parametrize("tab", TABS)
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_fullest_page_fits(preset: str, tab: str, locale: str) -> None:
    language = LANGUAGES.known()[locale]
    roles = tuple((1 << 62) + number for number in range(3))
    choices = {
        "roles": roles,
        "director_roles": roles[:2],
        "winner_role": roles[0],
        "rating_from": 1234,
        "rating_to": 2345,
    }
    for game in games_for(PRESETS[preset].format):
        draft = _draft(preset, tab=tab, game=game, name="名" * 80, choices=choices)
        page = draft_page(draft, language, draft.problem(NOW), refused="x" * 300).page
        check(page)
        assert page is not None
        assert read_tournament_draft(page.components) == draft
    check(presets_page(language, name="n" * 80).page)


def test_only_games_that_fit_are_offered() -> None:
    for form, seats in ((FormatKey.TABLES, 4), (FormatKey.SWISS, 2)):
        found = [key for key in catalog.GAMES if len(catalog.create(key).seats) == seats]
        assert list(games_for(form)) == found
    error = _draft("cup", game="pythagoras").problem(NOW)
    assert error is not None
    assert error.code == "tournament_game"


def test_a_score_decides_unfinished_games_only_where_the_board_has_one() -> None:
    for preset, game, is_offered in (
        ("cup", "quax", False),
        ("cup", "", False),
        ("table_night", "pythagoras", True),
    ):
        draft = replace(_draft(preset, game=game), tab="time")
        page = draft_page(draft, EN, None).page
        assert page is not None
        menus = [each.get("custom_id", "") for each in walk(page.components)]
        assert any(each.endswith(":unfinished") for each in menus) is is_offered


def test_the_time_for_a_first_move_is_at_most_what_the_clock_gives() -> None:
    for clock, offered in (("5m+3s", ["60", "180", "300"]), (NONE, [])):
        draft = replace(chosen(_draft("cup"), "clock", (clock,), EN), tab="time")
        page = draft_page(draft, EN, None).page
        assert page is not None
        menus = (each for each in walk(page.components) if "options" in each)
        found = [each for each in menus if each["custom_id"].endswith(":no_show")]
        values = [option["value"] for each in found for option in each["options"]]
        assert values == offered
        picked = [x["value"] for each in found for x in each["options"] if x.get("default")]
        assert picked == offered[-1:]


def test_an_event_for_a_fixed_number_of_players_says_one_number() -> None:
    draft = chosen(chosen(_draft("cup"), "least", ("8",), EN), "most", ("8",), EN)
    assert "\n-# 8 players" in words_on(draft_page(draft, EN, None).page)


def test_options_are_written_as_each_language_writes_a_colon() -> None:
    for locale, colon in (("en", ": "), ("fr", "\N{NO-BREAK SPACE}: "), ("ja", "："), ("de", ": ")):
        page = draft_page(_draft("cup"), LANGUAGES.known()[locale], None).page
        assert page is not None
        labels = [x["label"] for each in walk(page.components) for x in each.get("options", ())]
        assert any(label.endswith(f"{colon}11") for label in labels), locale


def test_choices_are_taken_and_carried_on() -> None:
    draft = _draft("cup")
    for field, values in (
        ("best_of", ("3",)),
        ("decider", ("higher_seed",)),
        ("third_place", ("0",)),
        ("no_show", ("3600",)),
        ("clock", ("2d/move",)),
        ("unfinished", ("score",)),
        ("venue", ("direct",)),
        ("roles", ("123", "456")),
        ("winner_role", ("789",)),
    ):
        draft = _carried(chosen(draft, field, values, EN))
    setup = draft.setup()
    assert (setup.best_of, setup.third_place, setup.clock) == (3, False, "2d/move")
    assert setup.no_show == timedelta(hours=1)
    assert setup.unfinished is Unfinished.SCORE
    assert (setup.roles, setup.winner_role) == ((123, 456), 789)
    assert setup.venue.value == "direct"
    assert _carried(chosen(_draft("weekend_swiss"), "accelerated", ("1",), EN)).setup().accelerated


@pytest.mark.parametrize(
    ("lasts", "words", "longest"),
    [
        (timedelta(hours=30), "First move within 1 day", timedelta(days=1)),
        (timedelta(hours=5), "First move within 1 hour", timedelta(hours=1)),
        # Here the clock, 2 days a move, is what leaves no more.
        (timedelta(days=90), "First move within 2 days", timedelta(days=2)),
    ],
)
def test_no_first_move_is_due_after_the_event_is_over(
    lasts: timedelta, words: str, longest: timedelta
) -> None:
    draft = _draft("club_ladder", tab="time")
    draft = replace(draft, finish=draft.begins + lasts)
    page = draft_page(draft, EN, draft.problem(NOW)).page
    assert page is not None
    (menu,) = [each for each in parts_of(page) if "no_show" in str(each.get("custom_id"))]
    (default,) = [each["label"] for each in menu["options"] if each.get("default")]
    assert default == words
    assert menu["options"][-1]["value"] == str(int(longest.total_seconds()))
    assert draft.setup().no_show <= longest


def test_a_rating_band_is_chosen_said_and_checked() -> None:
    draft = chosen(_draft("cup"), "rating_from", ("1400",), EN)
    assert "Rating range: ≥ 1400" in words_on(draft_page(draft, EN, None).page)
    draft = _carried(chosen(draft, "rating_to", ("1700",), EN))
    assert (draft.setup().rating_from, draft.setup().rating_to) == (1400, 1700)
    assert "Rating range: 1400–1700" in words_on(draft_page(draft, EN, None).page)
    problem = chosen(draft, "rating_to", ("1300",), EN).problem(NOW)
    assert problem is not None
    assert problem.code == "tournament_ratings"
    for value in ("9999", "x", "-5"):
        with pytest.raises(UserError):
            chosen(draft, "rating_from", (value,), EN)
    anyone = chosen(chosen(draft, "rating_from", ("-",), EN), "rating_to", ("-",), EN).setup()
    assert (anyone.rating_from, anyone.rating_to) == (None, None)


def test_another_game_has_options_of_its_own() -> None:
    draft = _draft("cup")
    info = draft.info
    assert info is not None
    option = info.options[0]
    key = chosen(draft, "option", (f"{option.key}:{option.default}",), EN)
    assert dict(key.options)[option.key] == str(option.default)
    other = games_for(FormatKey.KNOCKOUT)[1]
    assert chosen(key, "game", (other,), EN).options == ()


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("best_of", ("4",)),
        ("best_of", ("-1",)),
        ("best_of", ()),
        ("most", ("10000",)),
        ("least", ("1",)),
        ("rounds", ("40",)),
        ("decider", ("coin",)),
        ("game", ("chess",)),
        ("option", ("nothing:1",)),
        ("no_such_field", ("1",)),
        ("roles", ("x",)),
        ("venue", ("channel",)),
    ],
)
def test_what_no_menu_offers_is_out_of_date(field: str, values: tuple[str, ...]) -> None:
    with pytest.raises(UserError) as refused:
        chosen(_draft("cup"), field, values, EN)
    assert refused.value.code == "out_of_date"


def test_an_event_that_cannot_be_says_why_and_cannot_be_created() -> None:
    draft = _draft("monthly_round_robin", choices={"at_once": 1, "double": True})
    error = not_none(draft.problem(NOW))
    assert error.code == "finish_early_days"
    page = not_none(draft_page(draft, EN, error).page)
    assert "Not ready yet: " + EN(refusal(error)) in words_on(page)
    (create,) = (part for part in parts_of(page) if part.get("label") == "Create")
    assert create["disabled"]


def test_a_page_that_was_tampered_with_is_out_of_date() -> None:
    parts = write_draft(_draft("cup"))
    for broken in ("", "!", "AAAA", parts[0][:-3], "x" * 80):
        components = [{"type": 2, "custom_id": f"p1:-:0:{CARRIER}game:{broken}"}]
        with pytest.raises(UserError) as refused:
            read_tournament_draft(components)
        assert refused.value.code == "out_of_date"


def test_the_name_is_made_fit_to_be_shown() -> None:
    draft = _draft("cup", name="a")
    said = words_on(draft_page(replace(draft, name="**@everyone** <#1>"), EN, None).page)
    assert "@everyone" not in said.replace("\\@everyone", "")
    assert "Tournament without a name" in words_on(
        draft_page(replace(draft, name=""), EN, None).page
    )


def test_a_day_is_read_in_the_organisers_zone() -> None:
    found = read_moment("28.11. 10:00", NOW, "America/New_York", EN, usual=NOW.time())
    assert found == datetime(2026, 11, 28, 15, tzinfo=UTC)
