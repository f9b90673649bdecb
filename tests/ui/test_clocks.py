"""Clocks in words."""

from __future__ import annotations

import gettext
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bot.domain.clock_text import PRESETS, read_clock, write_clock
from bot.errors import UserError
from bot.i18n import Language, Languages
from bot.i18n.refusals import REFUSALS
from bot.settings import Settings
from bot.tournaments.ui.setup_menus import CLOCKS
from bot.ui.pages.clock_text import clock_line, duration, suggest_clocks
from games.view import Text

LANGUAGE = Languages().default


@pytest.mark.parametrize("locale", Languages().known())
def test_the_clocks_that_are_offered_fit_a_menu_on_a_phone(locale: str) -> None:
    language = Languages().of(locale)
    offered = [*CLOCKS, *(write_clock(each.control) for each in PRESETS)]
    shown = [clock_line(read_clock(each), language) for each in offered]
    assert [each for each in shown if len(each) > 37] == []


def test_lengths_are_in_the_plurals_of_each_language() -> None:
    time = timedelta(days=2, hours=5, minutes=59, seconds=59)
    said = {name: duration(time, _speaking(name)) for name in ("en", "de", "pl", "ja", "pt-BR")}
    assert said["en"] == "2 days 5 hours"
    assert said["de"] == "2 Tage 5 Stunden"
    assert said["pl"] == "2 dni 5 godzin"
    assert len(set(said.values())) == 5
    assert duration(timedelta(seconds=-3), LANGUAGE) == "0 seconds"
    assert duration(timedelta(days=1, seconds=5), LANGUAGE) == "1 day"
    assert duration(time, _speaking("xx-nowhere")) == "2 days 5 hours"


@pytest.mark.parametrize("locale", Languages().known())
@pytest.mark.parametrize("unit", ["days", "hours", "minutes", "seconds"])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_every_unit_of_time_has_its_word_in_every_language_spoken(
    locale: str, unit: str, count: int
) -> None:
    assert "duration" not in duration(timedelta(**{unit: count}), _speaking(locale))


def _speaking(locale: str) -> Language:
    return Language(locale, gettext.NullTranslations)


def values(typed: str, language: Any = LANGUAGE) -> list[str]:
    return [each.value for each in suggest_clocks(typed, language)]


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("5d", ["5d/move", "5d/move, automatic vacation", "5d/move, no vacation"]),
        ("5d vac", ["5d/move, automatic vacation", "5d/move, no vacation"]),
        ("5 days, no v", ["5d/move, no vacation"]),
        ("7d+2d max 14d, auto", ["7d+2d max 14d, automatic vacation"]),
        ("5d, no vacation", ["5d/move, no vacation", "5d/move, weekends off, no vacation"]),
        ("5d week", ["5d/move, weekends off"]),
        ("10+5", ["10m+5s"]),
    ],
)
def test_a_clock_is_suggested_with_what_it_does_on_weekends_and_vacations(
    typed: str, wanted: list[str]
) -> None:
    assert values(typed)[: len(wanted)] == wanted
    assert not [each for each in values(typed) if each.startswith("10m") and "vacation" in each]


@pytest.mark.parametrize("locale", Languages().known())
@pytest.mark.parametrize("typed", ["", "vacation", "7d+1d max 14d", "90d no weekends", "a", "1"])
def test_suggested_clocks_are_whole_and_few_enough_for_discord_in_every_language(
    locale: str, typed: str
) -> None:
    found = suggest_clocks(typed, Languages().of(locale))
    assert found
    assert len(found) <= 25
    assert len({each.value for each in found}) == len(found)
    for each in found:
        assert len(each.label) <= 100
        assert not each.label.endswith("…")
        assert write_clock(read_clock(each.value)) == each.value


@pytest.mark.parametrize("locale", Languages().known())
def test_what_the_refusal_of_a_clock_names_is_understood_in_every_language(locale: str) -> None:
    with pytest.raises(UserError) as refused:
        read_clock("2d vac")
    sentence = REFUSALS[refused.value.code]
    said = Languages().of(locale)(Text.of(sentence.message, **refused.value.params))
    assert "2d vac" in said
    for clock in ("3d", "7d+1d", "7d+1d max 14d", "none"):
        assert clock in said
        read_clock(clock)
    for addition in ("weekends off", "no vacation", "automatic vacation"):
        assert addition in said
        assert addition in write_clock(read_clock(f"3d, {addition}"))


def test_a_host_may_choose_the_usual_clock_and_is_told_what_is_none(tmp_path: Path) -> None:
    assert Settings(_env_file=None, data=tmp_path).clock == "3d/move"
    assert Settings(_env_file=None, data=tmp_path, clock="3 days a move").clock == "3d/move"
    with pytest.raises(ValidationError, match="write it as 3d"):
        Settings(_env_file=None, data=tmp_path, clock="1d1d")
