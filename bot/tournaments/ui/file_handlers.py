"""**Files**: the report for rating officers, the table, all records, and a web page to link."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.tournaments.domain.trf_writing import Edition
from bot.tournaments.services import exports
from bot.tournaments.services.exports import file_name
from bot.tournaments.services.service import TournamentService
from bot.tournaments.ui.event_lookup import event_of, visitor_of
from bot.tournaments.ui.web_page import EventDocument, write_document
from bot.tournaments.ui.words import EventText, event_title, plain_names, plainly
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import PRIVATE, Click, on_button
from bot.ui.pages.components import PRIMARY, Control, File, Page, Reply, attached, button, text
from bot.ui.pages.display_names import escape

T = TypeVar("T")
_LARGEST = 10 << 20
"""The most bytes that Discord takes without a stated limit."""


@on_button("tfiles")
async def files(context: InteractionContext, click: Click) -> Reply:
    """**Files**: the list of them."""
    event = await event_of(context, click)
    t, title = event.t, event.say("Files")
    said = [
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
    return event.page(title, said, buttons=buttons)


@on_button("tfile", how=PRIVATE)
async def download(context: InteractionContext, click: Click) -> Reply:
    """A file."""
    event = await event_of(context, click)
    t = event.t
    names = await plain_names(context.presenter, event)
    match click.arg:
        case "records":
            service = context.services.of(TournamentService)
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
    return Reply(said, Page(text(said), attached(file)))


_LARGEST_PAGE = 10_000_000
"""The most bytes of a page, even where Discord would take more."""
_PATIENCE = 120
"""Seconds for which a page waits in all until this person may use the processor again."""
_AT_ONCE = 3
"""Concurrent pages: each keeps its pictures in memory, some 30 MB."""
_NAMED = 20
"""Games without pictures that are named before the rest are counted."""


class _Makers(set[UserId]):
    """The people whose page is being made."""


@on_button("tweb", how=PRIVATE)
async def web_page_here(context: InteractionContext, click: Click) -> Reply:
    """**Web page** among the files of a tournament."""
    return await web_page(context, await event_of(context, click))


async def web_page(context: InteractionContext, event: EventText) -> Reply:
    """The page of a tournament as a file, in the language and the look of the server.

    Raises ``too_much_work`` during another page of this person, or at the limit of pages.
    """
    makers = context.services.memory(_Makers)
    if context.user_id in makers or len(makers) >= _AT_ONCE:
        raise UserError("too_much_work", seconds=_PATIENCE // 2)
    makers.add(context.user_id)
    try:
        return await _made(context, event)
    finally:
        makers.discard(context.user_id)


async def _made(context: InteractionContext, event: EventText) -> Reply:
    services, t = context.services, event.t
    begun = await services.of(TournamentService).games_begun(visitor_of(context), t.id)
    everyone = await services.for_everyone(context)
    plain = await plainly(everyone.presenter, EventText(event.view, everyone.language))

    patience = [_PATIENCE]

    async def run(work: Callable[[], T], /) -> T:
        while True:
            try:
                return await services.heavy.run(context.user_id, work)
            except UserError as error:
                wait = int(str(error.params.get("seconds", _PATIENCE)))
                if error.code != "too_much_work" or wait > patience[0]:
                    raise
                patience[0] -= wait
                await asyncio.sleep(wait)

    document = EventDocument(plain, services.clock.now())
    limit = min(_LARGEST_PAGE, context.interaction.filesize_limit)
    written = await write_document(document, begun, everyone.presenter, run, limit)
    file = File(file_name(t, "html"), written.content)
    said = [
        event.say(
            "Here's the page of **{tournament}**: one file for any browser, with everything inside."
            " Put it on a web server to link it.",
            tournament=event_title(t.setup),
        )
    ]
    if written.without:
        games = [
            escape(plain.players(t.games[each].game)) + f" ({t.games[each].game.round})"
            for each in written.without
        ]
        said.append(
            event.plural(
                "There was no room for pictures of {n} game, which has its moves alone: {games}.",
                "There was no room for pictures of {n} games, which have their moves alone:"
                " {games}.",
                n=len(games),
                games=event.some(games, _NAMED),
            )
        )
    whole = "\n".join(said)
    return Reply(whole, Page(text(whole), attached(file)))
