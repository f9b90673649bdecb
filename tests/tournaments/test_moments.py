"""Days and times as organisers write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time

import pytest

from bot.errors import UserError
from bot.i18n import Languages
from bot.tournaments.ui.moments import read_moment, write_moment

LANGUAGES = Languages().known()
NOW = datetime(2026, 11, 24, 11, 30, tzinfo=UTC)
"""A Tuesday; 12:30 in Berlin."""
WRITTEN = """
en 2026-12-24 19:30 = 2026-12-24 19:30
en 24.12. 19:30 = 2026-12-24 19:30
en 24.12.2027 = 2027-12-24 18:00
en 24 December, 7pm = 2026-12-24 19:00
en Dec 24 at 7:15 p.m. = 2026-12-24 19:15
en 14 March = 2027-03-14 18:00
en 14th of March 2027 = 2027-03-14 18:00
en Sat 10:00 = 2026-11-28 10:00
en Sat, 28 Nov, 10:00 = 2026-11-28 10:00
en Tuesday = 2026-12-01 18:00
en tomorrow 8pm = 2026-11-25 20:00
en today 12:31 = 2026-11-24 12:31
en 20:00 = 2026-11-24 20:00
en 9am = 2026-11-25 09:00
en 12am = 2026-11-25 00:00
en in 3 days = 2026-11-27 12:30
en +2h = 2026-11-24 14:30
en 2 weeks = 2026-12-08 12:30
en 13/4 18:00 = 2027-04-13 18:00
en 29 February = 2028-02-29 18:00
en 2026-03-14 = 2026-03-14 18:00
en 2027-03-28 02:30 = 2027-03-28 03:30
de 14. März um 18 Uhr = 2027-03-14 18:00
de morgen 20:00 = 2026-11-25 20:00
de Sa 10:00 = 2026-11-28 10:00
pl pt. 20:00 = 2026-11-27 20:00
fr samedi 18h30 = 2026-11-28 18:30
fr 3/4 = 2027-04-03 18:00
ja 3/4 = 2027-03-04 18:00
ja 12月24日 18時 = 2026-12-24 18:00
es 14 de marzo 20:00 = 2027-03-14 20:00
pl 14 marca, 20:00 = 2027-03-14 20:00
de 14 March = 2027-03-14 18:00
fr 18h = 2026-11-24 18:00
fr 1er mars = 2027-03-01 18:00
ja １２月２４日 = 2026-12-24 18:00
de in 3 Tagen = 2026-11-27 12:30
de in 1 Woche = 2026-12-01 12:30
fr dans 30 minutes = 2026-11-24 13:00
es dentro de 2 horas = 2026-11-24 14:30
pt-BR em 3 dias = 2026-11-27 12:30
pl za 3 dni = 2026-11-27 12:30
ja 3日後 = 2026-11-27 12:30
"""
"""A language, the text, its meaning. The hour that summer time leaves out is still an instant."""
UNCLEAR = "soon | 3/4 | 31 April | 25:00 | 13pm | 2026-02-30 | 99.99. | 0000-00-00 | Ma | 10"
TOO_FAR = "9999-12-31 23:59 | 0001-01-01 | 1.1.0001 | in 9999 weeks | 2037-01-01"


def _read(text: str, locale: str = "en", zone: str = "Europe/Berlin") -> str:
    found = read_moment(text, NOW, zone, LANGUAGES[locale], usual=time(18))
    return write_moment(found, zone)


@pytest.mark.parametrize("line", WRITTEN.strip().splitlines())
def test_what_organisers_write(line: str) -> None:
    written, _, means = line.partition(" = ")
    locale, _, text = written.partition(" ")
    assert _read(text, locale) == means


@pytest.mark.parametrize("locale", LANGUAGES)
def test_what_the_form_gives_as_examples_is_understood(locale: str) -> None:
    hint = LANGUAGES[locale].say("For example: Sat 10:00, in 3 days ({zone})", zone="")
    examples = re.split("[:：]", hint, maxsplit=1)[1]
    day, days = re.split("[,、]", re.sub("[()（）]", "", examples))
    assert _read(day.strip(), locale) == "2026-11-28 10:00"
    assert _read(days.strip(), locale) == "2026-11-27 12:30"


@pytest.mark.parametrize("text", ["", "1" * 500, "\u202e", *UNCLEAR.split(" | ")])
def test_what_has_no_one_meaning_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UserError) as refused:
        _read(text)
    assert refused.value.code == "moment_unclear"
    assert refused.value.params["example"] == "2026-12-01 12:30"


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/New_York", "Etc/GMT-14", "UTC"])
@pytest.mark.parametrize("text", TOO_FAR.split(" | "))
def test_a_day_that_no_zone_can_reckon_with_is_refused(text: str, zone: str) -> None:
    with pytest.raises(UserError, match="day_too_far"):
        _read(text, zone=zone)
