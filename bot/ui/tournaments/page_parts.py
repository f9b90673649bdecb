"""What pages of a tournament have in common: heading, lines that fit, the way to other pages."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import Language
from bot.services.tournaments.views import EventView
from bot.ui.pages.components import Button, Control, button
from bot.ui.tournaments import words


def paging(
    action: str, view: EventView, page: int, pages: int, language: Language, *, arg: str = ""
) -> list[Button]:
    """Back and Next; the number of a page is the version of the control."""
    if pages < 2:
        return []
    back = Control(action, view.tournament.id, (page - 1) % pages, f"{arg}.b")
    onward = Control(action, view.tournament.id, (page + 1) % pages, f"{arg}.n")
    return [button(back, language.say("Back")), button(onward, language.say("Next"))]


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
