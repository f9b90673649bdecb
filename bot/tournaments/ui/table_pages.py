"""Standings, crosstable and bracket: as pictures, as letters, page by page."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.i18n import Language
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.ui import words
from bot.tournaments.ui.event_lookup import event_of
from bot.tournaments.ui.tables import Sheet, kinds_of, sheets_of, unrated_lines
from bot.tournaments.ui.words import EventText, plainly
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import Click, on_button
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.presenter import BoardPresenter
from renderers import Style

_LAST = 1000
"""More pages than a table has."""


async def home_picture(presenter: BoardPresenter, event: EventText) -> ui.Picture | None:
    """The picture of a home message: the bracket of a knockout, else the head of the table."""
    sheet = await home_sheet(presenter, event)
    return None if sheet is None else await drawn(presenter, sheet, event.language)


async def home_sheet(presenter: BoardPresenter, event: EventText) -> Sheet | None:
    """The table in the picture of a home message, None before anything was drawn."""
    kinds = kinds_of(event.view)
    if not kinds:
        return None
    which = "tbracket" if "tbracket" in kinds else "tstand"
    # The final is on the last page of a bracket.
    is_decided = which == "tbracket" and event.t.status is TournamentStatus.FINISHED
    sheets = await named_sheets(presenter, event, which, page=_LAST if is_decided else 0)
    return sheets[-1 if is_decided else 0] if sheets else None


async def drawn(presenter: BoardPresenter, sheet: Sheet, language: Language) -> ui.Picture | None:
    """The picture of a page, None if it cannot be drawn now."""
    style = Style(theme=presenter.theme, locale=language.locale, translate=language)
    found = await presenter.pictures.drawn(lambda: sheet.draw(style))
    return None if found is None else ui.Picture(ui.File("table.png", found.png), found.alt_text)


async def named_sheets(
    presenter: BoardPresenter, event: EventText, which: str, *, page: int = 0
) -> tuple[Sheet, ...]:
    """All pages of a table; names are looked up for the page to show."""
    # The pages of many players take a while.
    blank = await asyncio.to_thread(sheets_of, event.called(lambda number: f"#{number}"), which)
    if not blank:
        return ()
    plain = await plainly(presenter, event, blank[min(page, len(blank) - 1)].numbers)
    return await asyncio.to_thread(sheets_of, plain, which)


def table_page(
    event: EventText,
    which: str,
    sheet: Sheet | None,
    *,
    page: int = 0,
    pages: int = 1,
    picture: ui.Picture | None = None,
    kinds: Sequence[str] = (),
) -> Reply:
    """Standings, crosstable or bracket (``which``), a page of it, as a picture or as letters.

    ``kinds`` are the tables to switch between.
    """
    t = event.t
    names = {
        "tstand": event.say("Standings"),
        "tcross": event.say("Crosstable"),
        "tbracket": event.say("Bracket"),
    }
    title = names[which]
    items: list[ui.Part] = [ui.text(event.heading(title))]
    if sheet is None:
        none = event.say("There's nothing to show before the first round.")
        return Reply(none, Page(*items, ui.text(none)))
    if picture is None:
        below = f"\n-# {sheet.legend}" if sheet.legend else ""
        items.append(ui.text(f"```\n{sheet.letters[:3500]}\n```{below}"))
    else:
        items.append(ui.gallery(picture))
    if which == "tstand":
        lines = unrated_lines(event, words.mentions_of(event.t, event.language))
        items += [ui.text("\n".join(f"-# {each}" for each in lines))] if lines else []
    if which == "tstand" and sheet.labels:
        options = [
            ui.Option(str(number), place, marks=words.entrant_marks(t, number))
            for number, place in list(zip(sheet.numbers, sheet.labels, strict=True))[:25]
        ]
        prompt = event.say("Why is a player in this place?")
        items.append(ui.menu(Control("twhyplace", t.id, page), prompt, options))
    shape, other = ("t", "p") if picture is None else ("p", "t")
    buttons = ui.paging(which, event.t.id, page, pages, event.language, arg=shape)
    label = event.say("Picture") if picture is None else event.say("Text version")
    buttons.append(ui.button(Control(which, t.id, page, other), label))
    buttons += [
        ui.button(Control(kind, t.id, 0, shape), names[kind]) for kind in kinds if kind != which
    ]
    buttons.append(event.button("tpairs"))
    if t.games:
        buttons.append(event.button("tfiles"))
    return Reply(title, Page(*items, *ui.rows(buttons)))


_WHICH = ("tstand", "tcross", "tbracket")


async def show_table(
    context: InteractionContext, event: EventText, which: str, page: int, *, as_text: bool
) -> Reply:
    """A page of a table."""
    kinds = kinds_of(event.view)
    if which not in kinds:
        which = kinds[0] if kinds else "tstand"
    sheets = await named_sheets(context.presenter, event, which, page=page)
    if not sheets:
        return table_page(event, which, None)
    page = min(page, len(sheets) - 1)
    sheet = sheets[page]
    picture = None if as_text else await drawn(context.presenter, sheet, event.language)
    return table_page(
        event, which, sheet, page=page, pages=len(sheets), picture=picture, kinds=kinds
    )


@on_button(*_WHICH)
async def table_of(context: InteractionContext, click: Click) -> Reply:
    """**Standings**, **Crosstable**, **Bracket**, a page of them, as a picture or as text."""
    event, as_text = await event_of(context, click), click.arg.startswith("t")
    return await show_table(context, event, click.action, click.version, as_text=as_text)
