"""Days and times as organisers write them."""

from __future__ import annotations

from datetime import UTC, datetime, time

import pytest

from bot.errors import UserError
from bot.i18n import Languages
from bot.tournaments.ui.moments import read_moment, write_moment

LANGUAGES = Languages()
NOW = datetime(2026, 11, 24, 11, 30, tzinfo=UTC)
"""A Tuesday; 12:30 in Berlin."""


def _read(text: str, locale: str = "en", zone: str = "Europe/Berlin") -> str:
    found = read_moment(text, NOW, zone, LANGUAGES.known()[locale], usual=time(18))
    return write_moment(found, zone)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("2026-12-24 19:30", "2026-12-24 19:30"),
        ("24.12. 19:30", "2026-12-24 19:30"),
        ("24.12.2027", "2027-12-24 18:00"),
        ("24 December, 7pm", "2026-12-24 19:00"),
        ("Dec 24 at 7:15 p.m.", "2026-12-24 19:15"),
        ("14 March", "2027-03-14 18:00"),
        ("14th of March 2027", "2027-03-14 18:00"),
        ("Sat 10:00", "2026-11-28 10:00"),
        ("Sat, 28 Nov, 10:00", "2026-11-28 10:00"),
        ("Tuesday", "2026-12-01 18:00"),
        ("tomorrow 8pm", "2026-11-25 20:00"),
        ("today 12:31", "2026-11-24 12:31"),
        ("20:00", "2026-11-24 20:00"),
        ("9am", "2026-11-25 09:00"),
        ("12am", "2026-11-25 00:00"),
        ("in 3 days", "2026-11-27 12:30"),
        ("+2h", "2026-11-24 14:30"),
        ("2 weeks", "2026-12-08 12:30"),
        ("13/4 18:00", "2027-04-13 18:00"),
        ("29 February", "2028-02-29 18:00"),
        ("2026-03-14", "2026-03-14 18:00"),
    ],
)
def test_what_organisers_write(text: str, means: str) -> None:
    assert _read(text) == means


@pytest.mark.parametrize(
    ("text", "locale", "means"),
    [
        ("14. März um 18 Uhr", "de", "2027-03-14 18:00"),
        ("morgen 20:00", "de", "2026-11-25 20:00"),
        ("samedi 18h30", "fr", "2026-11-28 18:30"),
        ("3/4", "fr", "2027-04-03 18:00"),
        ("3/4", "ja", "2027-03-04 18:00"),
        ("12月24日 18時", "ja", "2026-12-24 18:00"),
        ("14 de marzo 20:00", "es", "2027-03-14 20:00"),
        ("14 marca, 20:00", "pl", "2027-03-14 20:00"),
        ("14 March", "de", "2027-03-14 18:00"),
        ("18h", "fr", "2026-11-24 18:00"),
        ("1er mars", "fr", "2027-03-01 18:00"),
        ("１２月２４日", "ja", "2026-12-24 18:00"),
        ("in 3 Tagen", "de", "2026-11-27 12:30"),
        ("in 1 Woche", "de", "2026-12-01 12:30"),
        ("dans 30 minutes", "fr", "2026-11-24 13:00"),
        ("dentro de 2 horas", "es", "2026-11-24 14:30"),
        ("em 3 dias", "pt-BR", "2026-11-27 12:30"),
        ("za 3 dni", "pl", "2026-11-27 12:30"),
        ("3日後", "ja", "2026-11-27 12:30"),
    ],
)
def test_in_other_languages(text: str, locale: str, means: str) -> None:
    assert _read(text, locale) == means


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "3/4",
        "31 April",
        "25:00",
        "13pm",
        "2026-02-30",
        "99.99.",
        "0000-00-00",
        "1" * 500,
        "\u202e",
        "Ma",
        "10",
    ],
)
def test_what_has_no_one_meaning_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UserError) as refused:
        _read(text)
    assert refused.value.code == "moment_unclear"
    assert refused.value.params["example"] == "2026-12-01 12:30"


def test_the_hour_that_summer_time_leaves_out_is_still_an_instant() -> None:
    assert _read("2027-03-28 02:30") == "2027-03-28 03:30"


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/New_York", "Etc/GMT-14", "UTC"])
@pytest.mark.parametrize(
    "text", ["9999-12-31 23:59", "0001-01-01", "1.1.0001", "in 9999 weeks", "2037-01-01"]
)
def test_a_day_that_no_zone_can_reckon_with_is_refused(text: str, zone: str) -> None:
    with pytest.raises(UserError) as refused:
        _read(text, zone=zone)
    assert refused.value.code == "day_too_far"
