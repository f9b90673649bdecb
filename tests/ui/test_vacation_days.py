"""Days as people write and look for them."""

from __future__ import annotations

from datetime import date

import pytest

from bot.errors import UserError
from bot.i18n import Languages
from bot.ui.settings.vacations import read_day, suggest_days

TODAY = date(2026, 11, 22)
LANGUAGES = Languages()


@pytest.mark.parametrize(
    ("locale", "typed"),
    [
        ("en", "2026-12-24"),
        ("en", "24 dec"),
        ("en", "Dec 24"),
        ("en", "Thursday, December 24, 2026"),
        ("de", "24. Dez"),
        ("fr", "24 décembre"),
        ("es", "24 de diciembre"),
        ("pl", "24 grudnia"),
        ("pt-BR", "24 de dezembro de 2026"),
        ("ja", "１２月24日"),
    ],
)
def test_a_day_is_suggested_and_read_as_people_write_it(locale: str, typed: str) -> None:
    language = LANGUAGES.of(locale)
    assert "2026-12-24" in [each.value for each in suggest_days(typed, TODAY, language)]
    assert read_day(typed, TODAY, language) == date(2026, 12, 24)


@pytest.mark.parametrize(
    ("locale", "typed", "day"),
    [
        ("en", "tomorrow", date(2026, 11, 23)),
        ("de", "morgen", date(2026, 11, 23)),
        ("ja", "明日", date(2026, 11, 23)),
        ("en", "Thursday", date(2026, 11, 26)),
        ("en", "fri", date(2026, 11, 27)),
        ("de", "Sonntag", date(2026, 11, 29)),
        ("fr", "lundi", date(2026, 11, 23)),
    ],
)
def test_days_of_the_coming_week_have_names(locale: str, typed: str, day: date) -> None:
    language = LANGUAGES.of(locale)
    assert suggest_days(typed, TODAY, language)[0].value == day.isoformat()
    assert read_day(typed, TODAY, language) == day


@pytest.mark.parametrize(
    "typed", ["", "dec", "2027", "24", "t", "today", "24 dec 2027", "31 feb", "…", "x" * 400]
)
def test_what_fits_no_day_or_several_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(UserError) as caught:
        read_day(typed, TODAY, LANGUAGES.default)
    assert caught.value.code == "day_unclear"
    assert caught.value.params["example"] == "2026-12-06"


def test_while_one_types_the_days_that_may_be_meant_are_shown_the_nearest_first() -> None:
    found = [each.value for each in suggest_days("2 jan", TODAY, LANGUAGES.default)]
    assert "2027-01-02" in found
    assert found == sorted(found)
    assert all(each.startswith("2027-01") for each in found)
    assert [each.value for each in suggest_days("2027-01-0", TODAY, LANGUAGES.default)] == [
        f"2027-01-{day:02}" for day in range(1, 10)
    ]
    assert len(suggest_days("", TODAY, LANGUAGES.default)) == 25
    assert suggest_days("zzz", TODAY, LANGUAGES.default) == []


@pytest.mark.parametrize("typed", ["9999-12-31", "0001-01-01", "2037-01-01"])
def test_a_day_that_no_zone_can_reckon_with_is_refused(typed: str) -> None:
    with pytest.raises(UserError) as caught:
        read_day(typed, TODAY, LANGUAGES.of("en"))
    assert caught.value.code == "day_too_far"
