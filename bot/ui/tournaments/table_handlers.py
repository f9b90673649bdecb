"""Standings, crosstable and bracket: as pictures, as letters, page by page."""

from __future__ import annotations

from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, on_button
from bot.ui.pages.components import Reply
from bot.ui.tournaments.event_lookup import event_of
from bot.ui.tournaments.player_pages import table_page
from bot.ui.tournaments.table_pictures import drawn, named_sheets
from bot.ui.tournaments.tables import kinds_of
from bot.ui.tournaments.words import EventText

_WHICH = ("tstand", "tcross", "tbracket")


async def show_table(
    context: InteractionContext, event: EventText, which: str, page: int, *, as_text: bool
) -> Reply:
    """A page of a table."""
    if which not in _WHICH:
        raise UserError("out_of_date")
    kinds = kinds_of(event.view)
    if which not in kinds:
        which = kinds[0] if kinds else "tstand"
    sheets = await named_sheets(context.presenter, event, which, page=page)
    if not sheets:
        return table_page(event, which, kinds=kinds)
    page = min(page, len(sheets) - 1)
    sheet = sheets[page]
    picture = None if as_text else await drawn(context.presenter, sheet, event.language)
    return table_page(
        event,
        which,
        page=page,
        pages=len(sheets),
        picture=picture,
        letters=sheet.letters,
        legend=sheet.legend,
        people=tuple(zip(sheet.numbers, sheet.labels, strict=False)),
        kinds=kinds,
    )


@on_button(*_WHICH)
async def table_of(context: InteractionContext, click: Click) -> Reply:
    """**Standings**, **Crosstable**, **Bracket**, a page of them, as a picture or as text."""
    event, as_text = await event_of(context, click), click.arg.startswith("t")
    return await show_table(context, event, click.action, click.version, as_text=as_text)
