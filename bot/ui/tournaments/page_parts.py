"""What pages of a tournament have in common: heading, lines that fit, the way to other pages."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.tournament import Tournament
from bot.i18n import Language
from bot.services.tournaments.views import EventView
from bot.ui.pages.components import PRIMARY, Button, Control, button
from bot.ui.tournaments import words


def table_button(t: Tournament, language: Language) -> Button:
    """The way to the table that tells most: the bracket of a knockout, else the standings."""
    if t.setup.format is FormatKey.KNOCKOUT:
        return button(Control("tbracket", t.id), language.say("Bracket"), PRIMARY)
    return button(Control("tstand", t.id), language.say("Standings"), PRIMARY)


def title_of(view: EventView, what: str) -> str:
    """A heading: what the page shows, of which tournament."""
    return f"### {words.event_title(view.tournament.setup)}\n**{what}**"


def fitting(lines: Sequence[str], longest: int = 3900) -> str:
    """Lines as one text, as many as there is room for in a message."""
    kept: list[str] = []
    room = longest
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            kept.append("…")
            break
        kept.append(line)
    return "\n".join(kept)
