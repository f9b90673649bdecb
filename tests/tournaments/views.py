"""Tournaments as pages are given them, and what every page must keep to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.domain.ids import ChannelId, GuildId, MessageId
from bot.domain.match import MatchStatus
from bot.i18n import Language, Languages
from bot.tournaments.domain.formats.catalog import placings
from bot.tournaments.domain.planning import event_plan
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.tournament import Tournament
from bot.tournaments.services.service import audit_of
from bot.tournaments.services.views import AuditLine, EventView
from bot.tournaments.store.records import Home, MatchLink
from bot.tournaments.ui.words import EventText, mentions_of
from bot.ui.pages.components import Page, walk
from tests.tournaments.events_made import Event, a_setup
from tests.tournaments.scenario import Scenario

EN = Languages().known()["en"]
HOME = Home(GuildId(1), ChannelId(2), MessageId(3))
GAMES = {FormatKey.TABLES: "pythagoras"}


def setup_of(form: FormatKey, **about: Any) -> Setup:
    usual: dict[str, Any] = {"game": GAMES.get(form, "quax"), "clock": "2d/move"}
    if form is FormatKey.TABLES:
        usual["least"] = 4
    if form is FormatKey.ARENA:
        usual["clock"] = "5m+3s"
        usual["finish"] = a_setup(form).begins + timedelta(hours=2)
    return a_setup(form, **{**usual, **about})


def view_of(event: Event | Tournament, **about: Any) -> EventView:
    """A tournament as the service shows it."""
    t = event if isinstance(event, Tournament) else event.t
    links = {
        key: MatchLink(
            MatchStatus.FINISHED if each.is_over else MatchStatus.RUNNING,
            10 + number % 40,
            ChannelId(1 << 60),
        )
        for number, (key, each) in enumerate(t.games.items())
        if each.has_begun or each.is_over
    }
    last = None if isinstance(event, Tournament) else event.events[-1]
    fact = None if last is None else last.fact
    plan = event_plan(t.setup, len(t.entrants))
    return replace(EventView(t, HOME, placings(t), plan, links, last, fact), **about)


class Told(Scenario):
    """A tournament that a text tells, for pages."""

    make = staticmethod(setup_of)

    def text(
        self, who: Callable[[int], str] | None = None, *, language: Language = EN, **about: Any
    ) -> EventText:
        """As it is said now; players are mentioned unless they have names."""
        view = view_of(self, **about)
        return EventText(view, language, who or mentions_of(view.tournament, language))


def name_of(number: int) -> str:
    return f"Name {number}"


def log_of(event: Event) -> Sequence[AuditLine]:
    """The log of all events, the newest first."""
    return audit_of(event.events, None)


def parts_of(page: Page) -> list[Any]:
    return list(walk(page.components))


def words_on(page: Page | None) -> str:
    assert page is not None
    return "\n".join(part["content"] for part in parts_of(page) if "content" in part)


def check(page: Page | None) -> None:
    """Discord's own limits for a message of components."""
    assert page is not None
    parts = parts_of(page)
    assert len(parts) <= 40
    assert 0 < sum(len(part.get("content", "")) for part in parts) <= 4000
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(ids) == len(set(ids)), "no control is there twice"
    for part in parts:
        assert len(part.get("label", "")) <= 80
        assert len(part.get("components", "12345")) <= 40
        if part["type"] == 1:
            assert 1 <= len(part["components"]) <= 5
        options = part.get("options")
        if options is not None:
            assert 1 <= len(options) <= 25
            values = [option["value"] for option in options]
            assert len(values) == len(set(values))
            for option in options:
                assert 1 <= len(option["label"]) <= 100
                assert len(option["value"]) <= 100
                assert len(option.get("description") or "") <= 100
