"""**Files**: the report for rating officers, the table, the records of all games."""

from __future__ import annotations

from bot.domain.ids import TournamentId
from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import PRIVATE, Click, on_button
from bot.ui.pages.components import (
    PRIMARY,
    Control,
    File,
    Page,
    Reply,
    attached,
    button,
    rows,
    text,
)
from bot.ui.tournaments.event_lookup import event_of, plain_names, visitor_of
from bot.ui.tournaments.page_parts import title_of

_LARGEST = 10 << 20
"""Bytes that Discord takes where it says nothing else."""


@on_button("tfiles")
async def files(context: InteractionContext, click: Click) -> Reply:
    """**Files**: which there are."""
    view = await event_of(context, click)
    t, language = view.tournament, context.language
    title = language.say("Files")
    said = [
        title_of(view, title),
        language.say("Records: every game in one file."),
        language.say("CSV: the table for a spreadsheet."),
        language.say("Web page: tables and every game, to link outside Discord."),
    ]
    buttons = [
        button(Control("tfile", t.id, arg="records"), language.say("Records"), PRIMARY),
        button(Control("tfile", t.id, arg="csv"), "CSV"),
        button(Control("tweb", t.id), language.say("Web page")),
    ]
    if t.setup.format.facts.report:
        said.append(language.say("TRF: the report format of FIDE, for other pairing programs."))
        buttons += [
            button(Control("tfile", t.id, arg="2026"), "TRF 2026"),
            button(Control("tfile", t.id, arg="2016"), "TRF 2016"),
        ]
    return Reply(title, Page(text("\n".join(said)), *rows(buttons)))


@on_button("tfile", how=PRIVATE)
async def download(context: InteractionContext, click: Click) -> Reply:
    """A file."""
    view = await event_of(context, click)
    t, service, visitor = view.tournament, context.services.tournaments, visitor_of(context)
    names = dict(await plain_names(context, t, [each.number for each in t.entrants]))
    tournament_id = TournamentId(t.id)
    match click.arg:
        case "records":
            found = await service.export_records(visitor, tournament_id, names)
        case "csv":
            found = await service.export_csv(visitor, tournament_id, names)
        case "2016" | "2026":
            year = int(click.arg)
            found = await service.export_trf(visitor, tournament_id, names, year=year)
        case _:
            raise UserError("out_of_date")
    if len(found.content) > _LARGEST:
        raise UserError("file_too_large")
    file = File(found.name, found.content)
    said = context.language.say("Here's the file.")
    return Reply(said, Page(text(said), attached(file)))
