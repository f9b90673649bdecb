"""Tables of a tournament with names, and as pictures."""

from __future__ import annotations

import asyncio

from bot.domain.ids import UserId
from bot.domain.tournaments.tournament import TournamentStatus
from bot.i18n import Language
from bot.services.tournaments.views import EventView
from bot.ui.pages.components import File, Picture
from bot.ui.pages.display_names import clean
from bot.ui.pages.presenter import BoardPresenter
from bot.ui.tournaments.tables import Sheet, kinds_of, sheets_of
from renderers import Style

_LAST = 1000
"""More pages than a table has."""


async def home_picture(
    presenter: BoardPresenter, view: EventView, language: Language
) -> Picture | None:
    """The picture of a home message: the bracket of a knockout, else the head of the table."""
    sheet = await home_sheet(presenter, view, language)
    return None if sheet is None else await drawn(presenter, sheet, language)


async def home_sheet(
    presenter: BoardPresenter, view: EventView, language: Language
) -> Sheet | None:
    """What the picture of a home message shows, None before anything was drawn."""
    kinds = kinds_of(view)
    if not kinds:
        return None
    which = "tbracket" if "tbracket" in kinds else "tstand"
    # The final is on the last page of a bracket.
    is_decided = which == "tbracket" and view.tournament.status is TournamentStatus.FINISHED
    sheets = await named_sheets(presenter, view, which, language, page=_LAST if is_decided else 0)
    return sheets[-1 if is_decided else 0] if sheets else None


async def drawn(presenter: BoardPresenter, sheet: Sheet, language: Language) -> Picture | None:
    """The picture of a page, None if it cannot be drawn now."""
    style = Style(theme=presenter.theme, locale=language.locale, translate=language)
    found = await presenter.pictures.drawn(lambda: sheet.draw(style))
    return None if found is None else Picture(File("table.png", found.png), found.alt_text)


async def named_sheets(
    presenter: BoardPresenter, view: EventView, which: str, language: Language, *, page: int = 0
) -> tuple[Sheet, ...]:
    """All pages of a table; the names of those on the page that is to be shown are looked up."""
    t = view.tournament
    # The pages of many players take a while.
    blank = await asyncio.to_thread(sheets_of, view, which, language, lambda number: f"#{number}")
    if not blank:
        return ()
    wanted = blank[min(page, len(blank) - 1)].numbers
    names: dict[int, str] = {}
    for number in wanted:
        entrant = t.entrant(number)
        if entrant is not None and entrant.user_id is not None:
            name = await presenter.names.name(UserId(entrant.user_id), language)
            names[number] = clean(name, longest=40)
    return await asyncio.to_thread(
        sheets_of, view, which, language, lambda number: names.get(number, f"#{number}")
    )
