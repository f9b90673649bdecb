"""Parlour's own texts of clocks and lengths of time are understood when typed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.domain.clock_text import OFFERED, PRESETS, parse_offer_expiry, read_clock, write_clock
from bot.domain.preferences import read_reminders
from bot.errors import UserError
from bot.i18n import Languages
from bot.ui.offers.offer_terms import suggest_lasting
from bot.ui.pages.clock_text import clock_words, duration, read_typed_clock, suggest_clocks
from bot.ui.pages.typed_times import in_letters

LANGUAGES = Languages().known()
_CLOCKS = (
    *(write_clock(each.control) for each in PRESETS),
    *("none", "1d12h", "10m+0", "7d+1d", "90m+30s", "3d, automatic vacation", "3d, no vacation"),
    *("7d+1d max 14d, weekends off, automatic vacation", "2d, weekends off, no vacation"),
)


@pytest.mark.parametrize("locale", sorted(LANGUAGES))
@pytest.mark.parametrize("clock", _CLOCKS)
def test_a_clock_is_typed_as_it_is_said_in_every_language(locale: str, clock: str) -> None:
    language, control = LANGUAGES[locale], read_clock(clock)
    said = clock_words(control, language)
    for typed in (said, said.upper(), said.replace(" ", "  ")):
        assert write_clock(read_typed_clock(typed, language)) == write_clock(control), typed
    if len(said) <= 100:  # Discord takes no longer value for a field
        assert write_clock(control) in [each.value for each in suggest_clocks(said, language)]
    assert write_clock(read_typed_clock(clock, language)) == write_clock(control)


@pytest.mark.parametrize(
    ("locale", "typed", "meant"),
    [
        ("de", "3 Tage", "3d/move"),
        ("de", "7 Tage + 1 Tag max 14 Tage", "7d+1d max 14d"),
        ("de", "10 Min. + 5 Sek.", "10m+5s"),
        ("de", "2 Tage, Wochenenden zählen nicht", "2d/move, weekends off"),
        ("fr", "3 jours", "3d/move"),
        ("fr", "2 semaines", "14d/move"),
        ("es", "1 día 12 horas", "1d12h/move"),
        ("ja", "3日", "3d/move"),
        ("ja", "７日＋１日", "7d+1d"),
        ("pl", "5 dni + 12 godzin", "5d+12h"),
        ("pt-BR", "2 dias", "2d/move"),
        ("en", "7 days, plus 1 day after each move", "7d+1d"),
    ],
)
def test_units_and_additions_are_typed_in_the_readers_language(
    locale: str, typed: str, meant: str
) -> None:
    assert write_clock(read_typed_clock(typed, LANGUAGES[locale])) == meant
    assert suggest_clocks(typed, LANGUAGES[locale])[0].value == meant


@pytest.mark.parametrize("locale", sorted(LANGUAGES))
def test_an_offers_time_is_typed_as_menus_say_it(locale: str) -> None:
    language, usual = LANGUAGES[locale], timedelta(hours=48)
    for time in (*OFFERED, timedelta(days=1, hours=12), timedelta(minutes=90)):
        said = duration(time, language)
        assert parse_offer_expiry(in_letters(said, language), usual) == time
        assert suggest_lasting(said, usual, language)[0].label == said


def test_reminders_are_typed_in_the_readers_language() -> None:
    typed = {"de": "2 Tage, 12 Stunden, 3", "fr": "2 jours, 12 heures, 3h", "ja": "2日、12時間、3"}
    for locale, text in typed.items():
        assert read_reminders(in_letters(text, LANGUAGES[locale])) == (48, 12, 3), locale


@pytest.mark.parametrize("locale", sorted(LANGUAGES))
@pytest.mark.parametrize(
    "typed", ["", "soon", "3 Wochenenden", "+", "1 x", "{time}", "9" * 300, "400 Tage"]
)
def test_what_means_no_clock_is_refused_as_ever(locale: str, typed: str) -> None:
    with pytest.raises(UserError) as refused:
        read_typed_clock(typed, LANGUAGES[locale])
    assert refused.value.code in ("clock_unclear", "clock_range")
