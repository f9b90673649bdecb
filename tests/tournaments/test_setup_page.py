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

from bot.domain.match import Venue
from bot.errors import UserError
from bot.i18n import Language, Languages
from bot.services.pairing import Limits
from bot.tournaments.domain.setup import PRESETS, Decider, FormatKey, Unfinished
from bot.tournaments.ui.setup_menus import PICK, TABS, games_for, panel_of
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
    panels = [panel_of(tab, CHOICES) for tab in (*TABS, draft.tab)]
    fitting = (
        panel
        for panel in panels
        if any(field in (each.id, each.name) for each in panel.settings(draft.chosen))
    )
    panel = next(fitting, panels[-1])
    return replace(draft, chosen=panel.changed(draft.chosen, Click(PICK, arg=field, values=values)))


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_each_preset_is_ready_as_it_is(preset: str) -> None:
    draft = _draft(preset)
    draft.check(NOW)
    assert draft.chosen.closes > NOW
    assert _carried(draft) == draft


@pytest.mark.parametrize("name", ["*Star* Cup*", "n" * 80, "a_b \\ c"])
def test_the_list_of_kinds_carries_the_name_given_with_the_command(name: str) -> None:
    assert name_shown(not_none(presets_page(EN, name=name).page).components) == name


@pytest.mark.parametrize(
    ("preset", "at", "begins"),
    [
        ("weekend_swiss", "2026-11-24 11:30", "2026-11-28 09:00"),  # Saturday at ten
        ("weekend_swiss", "2026-11-28 09:00", "2026-12-05 09:00"),
        ("evening_arena", "2026-11-24 11:30", "2026-11-24 18:00"),  # today at seven
        ("evening_arena", "2026-11-24 17:30", "2026-11-25 18:00"),  # there must be time to join
    ],
)
def test_days_are_those_that_people_expect(preset: str, at: str, begins: str) -> None:
    now, first = (datetime.fromisoformat(f"{each}+00:00") for each in (at, begins))
    assert first_draft(preset, now, "Europe/Berlin").chosen.begins == first


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


@pytest.mark.parametrize(
    ("preset", "game", "is_offered"),
    [("cup", "quax", False), ("cup", "", False), ("table_night", "pythagoras", True)],
)
def test_a_score_decides_unfinished_games_only_where_the_board_has_one(
    preset: str, game: str, is_offered: bool
) -> None:
    chosen = _draft(preset).choosing(game=game).chosen
    fields = [each.name for each in panel_of("time", CHOICES).settings(chosen)]
    assert ("unfinished" in fields) is is_offered


@pytest.mark.parametrize(
    ("preset", "lasts", "clock", "offered"),
    [
        ("cup", timedelta(days=60), "5m+3s", ["60", "180", "300"]),
        ("cup", timedelta(days=60), "-", []),
        # Nor is one due after the event is over.
        ("club_ladder", timedelta(hours=30), "2d/move", [..., "86400"]),
        ("club_ladder", timedelta(hours=5), "2d/move", [..., "3600"]),
        ("club_ladder", timedelta(days=90), "2d/move", [..., "172800"]),
    ],
)
def test_the_time_for_a_first_move_is_at_most_what_the_clock_gives(
    preset: str, lasts: timedelta, clock: str, offered: list[Any]
) -> None:
    draft = _draft(preset, tab="time")
    draft = _choose(draft.choosing(finish=draft.chosen.begins + lasts), "clock", clock)
    menus = (each for each in walk(_page(draft).components) if "options" in each)
    options = [
        x for each in menus if each["custom_id"].endswith(":no_show") for x in each["options"]
    ]
    values = [each["value"] for each in options]
    assert values == offered or [..., *values[-1:]] == offered
    assert [each["value"] for each in options if each.get("default")] == values[-1:]
    assert preset == "cup" or draft.setup.no_show <= timedelta(seconds=int(values[-1]))


def _told(text: str) -> TournamentDraft:
    """A preset after choices, each carried by the page: ``cup | best_of 3 | roles 123 456``."""
    preset, *choices = text.split(" | ")
    draft = _draft(preset)
    for each in choices:
        draft = _carried(_choose(draft, *each.split()))
    return draft


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("cup | best_of 3 | decider higher_seed", {"best_of": 3, "decider": Decider.HIGHER_SEED}),
        ("cup | third_place off | clock 2d/move", {"third_place": False, "clock": "2d/move"}),
        ("cup | no_show 3600 | venue direct", {"no_show": timedelta(hours=1)}),
        ("cup | venue direct | winner_role 789", {"venue": Venue.DIRECT, "winner_role": 789}),
        ("cup | venue direct | roles 123 456", {"venue": Venue.DIRECT, "roles": (123, 456)}),
        ("weekend_swiss | accelerated on", {"accelerated": True}),
        ("table_night | unfinished draw", {"unfinished": Unfinished.DRAW}),
        # Two games at once are a meeting of two.
        ("cup | best_of 2b", {"best_of": 2, "both_sides": True}),
        ("cup | best_of 2b | best_of 1", {"best_of": 1, "both_sides": False}),
        ("cup | rating_from 1400 | rating_to 1700", {"rating_from": 1400, "rating_to": 1700}),
        ("cup | rating_from 1400 | rating_from -", {"rating_from": None}),
    ],
)
def test_choices_are_taken_and_carried_on(text: str, about: dict[str, Any]) -> None:
    setup = _told(text).setup
    assert {key: getattr(setup, key) for key in about} == about


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cup | least 8 | most 8", "\n-# 8 players"),
        ("cup | rating_from 1400", "Rating range: ≥ 1400"),
        ("cup | rating_from 1400 | rating_to 1700", "Rating range: 1400–1700"),
        ("cup | rating_from 1400 | rating_to 1300", "Not ready yet: "),
    ],
)
def test_a_choice_is_said(text: str, said: str) -> None:
    assert said in words_on(_page(_told(text)))


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
