"""The page on which a tournament is set up: what it carries, what it says, what it refuses."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.errors import UserError
from bot.i18n import Language, Languages
from bot.services.pairing import Limits
from bot.tournaments.domain.planning import PRESETS
from bot.tournaments.domain.setup import FormatKey, Unfinished
from bot.tournaments.ui.moments import read_moment
from bot.tournaments.ui.setup_menus import PICK, TABS, games_for
from bot.tournaments.ui.setup_page import (
    CARRIER,
    TournamentDraft,
    draft_page,
    first_draft,
    name_shown,
    presets_page,
    read_tournament_draft,
    write_draft,
)
from bot.ui.interaction.registry import Click
from bot.ui.pages.components import Page, walk
from bot.ui.pages.refusal_text import refusal
from bot.ui.settings.panel import SettingChoices
from games import catalog
from games.api import IntOption
from tests.support.not_none import not_none
from tests.tournaments.views import check, parts_of, words_on

pytestmark = pytest.mark.slow

LANGUAGES = Languages()
EN = LANGUAGES.known()["en"]
NOW = datetime(2026, 11, 24, 11, 30, tzinfo=UTC)
"""A Tuesday."""


ROLES = frozenset({123, 456, 789})
GUILD: Any = SimpleNamespace(get_role=lambda role: role if role in ROLES else None)
CHOICES = SettingChoices((), "dark", Limits(), guild=GUILD)


def _draft(preset: str, tab: str = "game", game: str = "", **chosen: Any) -> TournamentDraft:
    game = game or games_for(PRESETS[preset].format)[0]
    draft = first_draft(preset, NOW, "Europe/Berlin", name="Winter Cup", game=game)
    return replace(draft, tab=tab).choosing(**chosen)


def _page(draft: TournamentDraft, language: Language = EN, refused: str = "") -> Page:
    return not_none(draft_page(draft, CHOICES, language, draft.problem(NOW), refused=refused).page)


def _carried(draft: TournamentDraft) -> TournamentDraft:
    return read_tournament_draft(_page(draft).components)


def _choose(draft: TournamentDraft, field: str, *values: str) -> TournamentDraft:
    """The draft after a choice on one of the tabs."""
    panels = [
        panel
        for panel in TABS.values()
        if any(field in (each.id, each.name) for each in panel.of(draft.chosen))
    ]
    click = Click(PICK, arg=field, values=values)
    return replace(draft, chosen=(panels or [draft.panel])[0].changed(draft.chosen, click, CHOICES))


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_each_preset_is_ready_as_it_is(preset: str) -> None:
    draft = _draft(preset)
    draft.check(NOW)
    assert draft.chosen.closes > NOW
    assert _carried(draft) == draft


@pytest.mark.parametrize("name", ["*Star* Cup*", "n" * 80, "a_b \\ c"])
def test_the_list_of_kinds_carries_the_name_given_with_the_command(name: str) -> None:
    assert name_shown(not_none(presets_page(EN, name=name).page).components) == name


def test_days_are_those_that_people_expect() -> None:
    weekend = first_draft("weekend_swiss", NOW, "Europe/Berlin")
    assert weekend.chosen.begins == datetime(2026, 11, 28, 9, tzinfo=UTC), "Saturday at ten"
    evening = first_draft("evening_arena", NOW, "Europe/Berlin")
    assert evening.chosen.begins == datetime(2026, 11, 24, 18, tzinfo=UTC), "today at seven"
    late = first_draft("evening_arena", NOW + timedelta(hours=6), "Europe/Berlin").chosen
    assert late.begins == datetime(2026, 11, 25, 18, tzinfo=UTC), "there must be time to join"
    saturday = datetime(2026, 11, 28, 8, tzinfo=UTC)
    assert first_draft("weekend_swiss", saturday, "UTC").chosen.begins.date().day == 5


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
        draft = _draft(preset, tab=tab, game=game, name="名" * 80, **choices)
        page = _page(draft, language, "x" * 300)
        check(page)
        assert read_tournament_draft(page.components) == draft
    check(presets_page(language, name="n" * 80).page)


def test_only_games_that_fit_are_offered() -> None:
    for form, seats in ((FormatKey.TABLES, 4), (FormatKey.SWISS, 2)):
        found = [key for key in catalog.GAMES if len(catalog.create(key).seats) == seats]
        assert list(games_for(form)) == found
    error = _draft("cup").choosing(game="pythagoras", options={}).problem(NOW)
    assert error is not None
    assert error.code == "tournament_game"


def test_a_score_decides_unfinished_games_only_where_the_board_has_one() -> None:
    for preset, game, is_offered in (
        ("cup", "quax", False),
        ("cup", "", False),
        ("table_night", "pythagoras", True),
    ):
        fields = [each.name for each in TABS["time"].of(_draft(preset).choosing(game=game).chosen)]
        assert ("unfinished" in fields) is is_offered


def test_the_time_for_a_first_move_is_at_most_what_the_clock_gives() -> None:
    for clock, offered in (("5m+3s", ["60", "180", "300"]), ("-", [])):
        page = _page(_choose(_draft("cup", tab="time"), "clock", clock))
        menus = (each for each in walk(page.components) if "options" in each)
        found = [each for each in menus if each["custom_id"].endswith(":no_show")]
        values = [option["value"] for each in found for option in each["options"]]
        assert values == offered
        picked = [x["value"] for each in found for x in each["options"] if x.get("default")]
        assert picked == offered[-1:]


def test_an_event_for_a_fixed_number_of_players_says_one_number() -> None:
    draft = _choose(_choose(_draft("cup"), "least", "8"), "most", "8")
    assert "\n-# 8 players" in words_on(_page(draft))


def test_choices_are_taken_and_carried_on() -> None:
    draft = _draft("cup")
    for field, *values in (
        ("best_of", "3"),
        ("decider", "higher_seed"),
        ("third_place", "off"),
        ("no_show", "3600"),
        ("clock", "2d/move"),
        ("venue", "direct"),
        ("roles", "123", "456"),
        ("winner_role", "789"),
    ):
        draft = _carried(_choose(draft, field, *values))
    setup = draft.setup
    assert (setup.best_of, setup.third_place, setup.clock) == (3, False, "2d/move")
    assert setup.no_show == timedelta(hours=1)
    assert (setup.roles, setup.winner_role) == ((123, 456), 789)
    assert setup.venue.value == "direct"
    assert _carried(_choose(_draft("weekend_swiss"), "accelerated", "on")).setup.accelerated
    drawn = _carried(_choose(_draft("table_night"), "unfinished", "draw"))
    assert drawn.setup.unfinished is Unfinished.DRAW


def test_two_games_at_once_are_a_meeting_of_two() -> None:
    both = _carried(_choose(_draft("cup"), "best_of", "2b"))
    assert (both.setup.best_of, both.setup.both_sides) == (2, True)
    one = _choose(both, "best_of", "1").setup
    assert (one.best_of, one.both_sides) == (1, False)


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
    draft = draft.choosing(finish=draft.chosen.begins + lasts)
    (menu,) = [each for each in parts_of(_page(draft)) if "no_show" in str(each.get("custom_id"))]
    (default,) = [each["label"] for each in menu["options"] if each.get("default")]
    assert default == words
    assert menu["options"][-1]["value"] == str(int(longest.total_seconds()))
    assert draft.setup.no_show <= longest


def test_a_rating_band_is_chosen_said_and_checked() -> None:
    draft = _choose(_draft("cup"), "rating_from", "1400")
    assert "Rating range: ≥ 1400" in words_on(_page(draft))
    draft = _carried(_choose(draft, "rating_to", "1700"))
    assert (draft.setup.rating_from, draft.setup.rating_to) == (1400, 1700)
    assert "Rating range: 1400–1700" in words_on(_page(draft))
    problem = not_none(_choose(draft, "rating_to", "1300").problem(NOW))
    assert problem.code == "tournament_ratings"
    anyone = _choose(_choose(draft, "rating_from", "-"), "rating_to", "-").setup
    assert (anyone.rating_from, anyone.rating_to) == (None, None)


def test_another_game_has_options_of_its_own() -> None:
    draft = _draft("cup")
    option = next(each for each in not_none(draft.info).options if isinstance(each, IntOption))
    value = next(each for each in option.suggested if each != option.default)
    draft = _carried(_choose(draft, f"option/{option.key}", str(value)))
    assert draft.setup.options[option.key] == value
    assert _choose(draft, "game", draft.chosen.game) == draft
    other = _choose(draft, "game", games_for(FormatKey.KNOCKOUT)[1])
    assert other.setup.options == not_none(other.info).resolve({})


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("best_of", "4", "out_of_date"),
        ("most", "10000", "out_of_date"),
        ("rating_from", "-5", "out_of_date"),
        ("game", "chess", "out_of_date"),
        ("option/nothing", "1", "out_of_date"),
        ("rounds", "5", "out_of_date"),  # which a cup does not have
        ("roles", "999", "not_its_role"),
    ],
)
def test_what_no_menu_offers_is_refused(field: str, value: str, code: str) -> None:
    with pytest.raises(UserError, match=code):
        _choose(_draft("cup"), field, value)


def test_an_event_that_cannot_be_says_why_and_cannot_be_created() -> None:
    draft = _draft("monthly_round_robin", at_once=1, double=True)
    error = not_none(draft.problem(NOW))
    assert error.code == "finish_early_days"
    page = _page(draft)
    assert "Not ready yet: " + EN(refusal(error)) in words_on(page)
    (create,) = (part for part in parts_of(page) if part.get("label") == "Create")
    assert create["disabled"]


def test_a_page_that_was_tampered_with_is_out_of_date() -> None:
    parts = write_draft(_draft("cup"))
    another_release = ["cup", "Winter Cup", "quax", {}, {}, 1, 2, 3, "game"]
    packed = base64.urlsafe_b64encode(zlib.compress(json.dumps(another_release).encode(), 9))
    for broken in ("", "!", "AAAA", parts[0][:-3], "x" * 80, packed.decode()):
        components = [{"type": 2, "custom_id": f"p1:-:0:{CARRIER}game:{broken}"}]
        with pytest.raises(UserError) as refused:
            read_tournament_draft(components)
        assert refused.value.code == "out_of_date"


def test_the_name_is_made_fit_to_be_shown() -> None:
    said = words_on(_page(_draft("cup", name="**@everyone** <#1>")))
    assert "@everyone" not in said.replace("\\@everyone", "")
    assert "Tournament without a name" in words_on(_page(_draft("cup", name="")))


def test_a_day_is_read_in_the_organisers_zone() -> None:
    found = read_moment("28.11. 10:00", NOW, "America/New_York", EN, usual=NOW.time())
    assert found == datetime(2026, 11, 28, 15, tzinfo=UTC)
