"""What pages of a tournament have in common: heading, lines that fit, the way to other pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from bot.domain.tournaments.setup import FormatKey
from bot.domain.tournaments.tournament import Tournament
from bot.i18n import Language
from bot.services.tournaments.views import EventView
from bot.ui.pages.components import PRIMARY, Button, Control, button
from bot.ui.tournaments import words

T = TypeVar("T")


def paging(
    action: str, view: EventView, page: int, pages: int, language: Language, *, arg: str = ""
) -> list[Button]:
    """Previous and Next; the number of a page is the version of the control."""
    if pages < 2:
        return []
    back = Control(action, view.tournament.id, (page - 1) % pages, f"{arg}.b")
    onward = Control(action, view.tournament.id, (page + 1) % pages, f"{arg}.n")
    return [button(back, language.say("Previous")), button(onward, language.say("Next"))]


def table_button(t: Tournament, language: Language) -> Button:
    """The way to the table that tells most: the bracket of a knockout, else the standings."""
    if t.setup.format is FormatKey.KNOCKOUT:
        return button(Control("tbracket", t.id), language.say("Bracket"), PRIMARY)
    return button(Control("tstand", t.id), language.say("Standings"), PRIMARY)


def cut_to_page(lines: Sequence[T], page: int, on_page: int) -> tuple[Sequence[T], int, int]:
    """The lines of a page, its number from 0, kept within the pages there are, and their count."""
    pages = max(1, -(-len(lines) // on_page))
    page = min(page, pages - 1)
    return lines[page * on_page : (page + 1) * on_page], page, pages


def page_note(page: int, pages: int, language: Language) -> list[str]:
    """The line that says which page this is, where there are several."""
    if pages < 2:
        return []
    return ["-# " + language.say("Page {number} of {count}", number=page + 1, count=pages)]


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
