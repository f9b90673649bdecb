"""The pages of settings: on a phone, the menus say all that is chosen."""

from __future__ import annotations

import unicodedata
from dataclasses import fields
from datetime import UTC, datetime

import pytest

from bot.domain.events import JsonValue
from bot.domain.ids import GuildId, UserId
from bot.domain.preferences import NoticeWay, Preferences, ServerSettings
from bot.domain.quiet_hours import QuietHours
from bot.i18n import Languages
from bot.servers.end_match import Verdict, end_match_page
from bot.servers.log import log_line
from bot.servers.settings import server_page
from bot.services.pairing import Limits
from bot.store.records import AuditEntry
from bot.ui.pages.components import Page, walk
from bot.ui.settings.panel import SettingChoices
from bot.ui.settings.person_settings import person_panel
from bot.ui.settings.server_panel import LOGGED
from renderers import THEMES
from tests.domain.people import started

LANGUAGES = Languages()
_COLUMNS = 36
"""Letters of a chosen line that a menu shows on a phone of 400 pixels; wide ones count as two."""


def _labels(page: Page | None) -> set[str]:
    assert page is not None
    found = set()
    for part in walk(page.components):
        options = part.get("options") or ()
        found |= {str(each["label"]) for each in options}
        if not any(each.get("default") for each in options):
            found.add(str(part.get("placeholder") or ""))
    return found


def _columns(label: str) -> int:
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in label)


@pytest.mark.parametrize("locale", LANGUAGES.known())
def test_no_menu_of_settings_is_cut_on_a_phone(locale: str) -> None:
    language = LANGUAGES.of(locale)
    labels: set[str] = set()
    for theme in THEMES:
        for threads in (True, False):
            choices = SettingChoices(tuple(LANGUAGES.known()), theme, Limits(), threads)
            labels |= _labels(server_page(ServerSettings(), (), choices, language).page)
    verdict = Verdict(started(), ("Anna", "Ben"))
    labels |= _labels(end_match_page(verdict, None, language).page)
    for person in (Preferences(), Preferences(quiet=QuietHours(22, 8), way=NoticeWay.DIGEST)):
        labels |= _labels(Page(*person_panel(choices).parts(person, language)))
    assert {each for each in labels if _columns(each) > _COLUMNS} == set()


def test_the_log_has_words_for_every_setting() -> None:
    assert {each.name for each in fields(ServerSettings)} == {*LOGGED, "kept_out"}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"language": "es"}, "Language: — → Español"),
        ({"theme": "contrast"}, "Pictures: — → high contrast"),
        ({"game": "quax"}, "Default game of /play: — → Quax"),
        ({"clock": "3d"}, "Clock: — → 3 days for each move"),
        ({"options": [["quax", [["size", "7"]]]]}, "Size and rules: — → Quax, Board size: 7"),
        ({"takebacks": False}, "Takebacks: — → off"),
        ({"lasts": "2d"}, "Expires after: — → 2 days"),
        ({"band": "-1500"}, "Rating range: — → ≤ 1500"),
        ({"side": "2"}, "Side: — → Red / Black / North"),
        ({"stakes": "hints"}, "Rated or casual: — → hints allowed"),
    ],
)
def test_the_log_says_values_in_the_words_of_the_menus(
    changed: dict[str, JsonValue], said: str
) -> None:
    entry = AuditEntry(
        datetime(2026, 11, 27, tzinfo=UTC),
        GuildId(1),
        UserId(2),
        "settings",
        dict.fromkeys(changed),
        changed,
    )
    assert said in log_line(entry, Languages().of("en"))
