"""What a tournament says at its end: who has won, and the games worth a look."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import Language
from bot.services.tournaments.views import EventView
from bot.ui.pages.components import (
    Control,
    Page,
    Part,
    Picture,
    button,
    container,
    gallery,
    rows,
    text,
)
from bot.ui.tournaments import words
from bot.ui.tournaments.home_page import podium
from bot.ui.tournaments.page_parts import table_button
from bot.ui.tournaments.remarkable import remarkable
from bot.ui.tournaments.words import Who

_GOLD = 0xD4A72C


def finished_page(
    view: EventView, language: Language, who: Who, picture: Picture | None = None
) -> Page:
    """The champion, the table or bracket, and the games worth a look."""
    t = view.tournament
    items: list[Part] = [
        text("\n".join([_heading(view, language, who), *podium(view, language, who)]))
    ]
    if picture is not None:
        items.append(gallery(picture))
    games = _remarkable_lines(view, language, who)
    if games:
        items.append(text("\n".join([language.say("Games worth a look:"), *games])))
    buttons = [
        table_button(t, language),
        button(Control("tpairs", t.id), language.say("Pairings")),
        button(Control("tfiles", t.id), language.say("Files")),
    ]
    return Page(container(*items, *rows(buttons), colour=_GOLD))


def _heading(view: EventView, language: Language, who: Who) -> str:
    cup = "🏆 " if view.champion else ""
    event = words.event_title(view.tournament.setup)
    return f"## {cup}{champion_words(view, language, who, event)}"


def champion_words(view: EventView, language: Language, who: Who, event: str) -> str:
    """Who has won an event that is over, which is called ``event``; that it is over if nobody."""
    champions = view.champion
    if not champions:
        return language.say("{event} is over.", event=event)
    if len(champions) == 1:
        return language.say("{player} wins {event}!", player=who(champions[0]), event=event)
    names = language.listed(who(each) for each in champions)
    return language.say("{players} share first place in {event}!", players=names, event=event)


def _remarkable_lines(view: EventView, language: Language, who: Who) -> Sequence[str]:
    lines = []
    for found in remarkable(view):
        played = view.tournament.games[found.game]
        board = words.board_link(view, found.game, language)
        where = f" · {board}" if board else ""
        result = words.result_of(played, language, who)
        lines.append(f"- {language(found.why)}: {result}{where}")
    return lines
