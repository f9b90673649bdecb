"""What a tournament says at its end: who has won, and the games worth a look."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.pages.components import (
    Page,
    Part,
    Picture,
    container,
    gallery,
    rows,
    text,
)
from bot.ui.tournaments import words
from bot.ui.tournaments.home_page import podium
from bot.ui.tournaments.remarkable import remarkable
from bot.ui.tournaments.words import EventText

_GOLD = 0xD4A72C


def finished_page(event: EventText, picture: Picture | None = None) -> Page:
    """The champion, the table or bracket, and the games worth a look."""
    items: list[Part] = [text("\n".join([_heading(event), *podium(event)]))]
    if picture is not None:
        items.append(gallery(picture))
    games = _remarkable_lines(event)
    if games:
        items.append(text("\n".join([event.say("Games worth a look:"), *games])))
    buttons = [event.table_button(), event.button("tpairs"), event.button("tfiles")]
    return Page(container(*items, *rows(buttons), colour=_GOLD))


def _heading(event: EventText) -> str:
    cup = "🏆 " if event.view.champion else ""
    return f"## {cup}{champion_words(event)}"


def champion_words(event: EventText) -> str:
    """Who has won an event that is over; that it is over if nobody has."""
    champions = event.view.champion
    if not champions:
        return event.say("{event} is over.")
    if len(champions) == 1:
        return event.say("{player} wins {event}!", player=event.who(champions[0]))
    names = event.listed(event.who(each) for each in champions)
    return event.say("{players} share first place in {event}!", players=names)


def _remarkable_lines(event: EventText) -> Sequence[str]:
    lines = []
    for found in remarkable(event.view):
        played = event.t.games[found.game]
        board = words.board_link(event, found.game)
        where = f" · {board}" if board else ""
        result = words.result_of(event, played)
        lines.append(f"- {event(found.why)}: {result}{where}")
    return lines
