"""Tables of a tournament with names, and as pictures."""

from __future__ import annotations

import asyncio

from bot.domain.tournaments.tournament import TournamentStatus
from bot.i18n import Language
from bot.ui.pages.components import File, Picture
from bot.ui.pages.presenter import BoardPresenter
from bot.ui.tournaments.tables import Sheet, kinds_of, sheets_of
from bot.ui.tournaments.words import EventText, plainly
from renderers import Style

_LAST = 1000
"""More pages than a table has."""


async def home_picture(presenter: BoardPresenter, event: EventText) -> Picture | None:
    """The picture of a home message: the bracket of a knockout, else the head of the table."""
    sheet = await home_sheet(presenter, event)
    return None if sheet is None else await drawn(presenter, sheet, event.language)


async def home_sheet(presenter: BoardPresenter, event: EventText) -> Sheet | None:
    """What the picture of a home message shows, None before anything was drawn."""
    kinds = kinds_of(event.view)
    if not kinds:
        return None
    which = "tbracket" if "tbracket" in kinds else "tstand"
    # The final is on the last page of a bracket.
    is_decided = which == "tbracket" and event.t.status is TournamentStatus.FINISHED
    sheets = await named_sheets(presenter, event, which, page=_LAST if is_decided else 0)
    return sheets[-1 if is_decided else 0] if sheets else None


async def drawn(presenter: BoardPresenter, sheet: Sheet, language: Language) -> Picture | None:
    """The picture of a page, None if it cannot be drawn now."""
    style = Style(theme=presenter.theme, locale=language.locale, translate=language)
    found = await presenter.pictures.drawn(lambda: sheet.draw(style))
    return None if found is None else Picture(File("table.png", found.png), found.alt_text)


async def named_sheets(
    presenter: BoardPresenter, event: EventText, which: str, *, page: int = 0
) -> tuple[Sheet, ...]:
    """All pages of a table; the names of those on the page that is to be shown are looked up."""
    # The pages of many players take a while.
    blank = await asyncio.to_thread(sheets_of, event.called(lambda number: f"#{number}"), which)
    if not blank:
        return ()
    plain = await plainly(presenter, event, blank[min(page, len(blank) - 1)].numbers)
    return await asyncio.to_thread(sheets_of, plain, which)
