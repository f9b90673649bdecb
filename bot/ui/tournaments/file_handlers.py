"""**Files**: the report for rating officers, the table, the records of all games."""

from __future__ import annotations

import asyncio

from bot.domain.tournaments.trf_writing import Edition
from bot.errors import UserError
from bot.services.tournaments import exports
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
from bot.ui.tournaments.event_lookup import event_of, visitor_of
from bot.ui.tournaments.words import plain_names

_LARGEST = 10 << 20
"""Bytes that Discord takes where it says nothing else."""


@on_button("tfiles")
async def files(context: InteractionContext, click: Click) -> Reply:
    """**Files**: which there are."""
    event = await event_of(context, click)
    t, title = event.t, event.say("Files")
    said = [
        event.heading(title),
        event.say("Records: every game in one file."),
        event.say("CSV: the table for a spreadsheet."),
        event.say("Web page: tables and every game, to link outside Discord."),
    ]
    buttons = [
        button(Control("tfile", t.id, arg="records"), event.say("Records"), PRIMARY),
        button(Control("tfile", t.id, arg="csv"), "CSV"),
        button(Control("tweb", t.id), event.say("Web page")),
    ]
    if t.setup.format.facts.report:
        said.append(event.say("TRF: the report format of FIDE, for other pairing programs."))
        buttons += [
            button(Control("tfile", t.id, arg="2026"), "TRF 2026"),
            button(Control("tfile", t.id, arg="2016"), "TRF 2016"),
        ]
    return Reply(title, Page(text("\n".join(said)), *rows(buttons)))


@on_button("tfile", how=PRIVATE)
async def download(context: InteractionContext, click: Click) -> Reply:
    """A file."""
    event = await event_of(context, click)
    t = event.t
    names = await plain_names(context.presenter, event)
    match click.arg:
        case "records":
            service = context.services.tournaments
            begun = await service.games_begun(visitor_of(context), t.id)
            found = await asyncio.to_thread(exports.records_of, t, begun, names)
        case "csv":
            found = exports.csv_of(t, event.view.standings, names)
        case "2016" | "2026":
            found = exports.trf_of(t, names, Edition(click.arg))
        case _:
            raise UserError("out_of_date")
    if len(found.content) > _LARGEST:
        raise UserError("file_too_large")
    file = File(found.name, found.content)
    said = event.say("Here's the file.")
    return Reply(said, Page(text(said), attached(file)), (file,))
