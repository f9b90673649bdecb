"""**Files**: the report for rating officers, the table, all records, and a web page to link."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from bot.domain.ids import UserId
from bot.errors import UserError
from bot.history.domain import Person, record_of, write_text
from bot.tournaments.domain.crosstable import Placing, TieBreak
from bot.tournaments.domain.formats.catalog import FORMATS
from bot.tournaments.domain.formats.swiss import report_of
from bot.tournaments.domain.planning import event_plan
from bot.tournaments.domain.tournament import Tournament
from bot.tournaments.domain.trf_writing import Edition, write_csv, write_trf
from bot.tournaments.services.service import TournamentService
from bot.tournaments.store.records import BegunGame
from bot.tournaments.ui.event_lookup import event_of, visitor_of
from bot.tournaments.ui.web_page import EventDocument, write_document
from bot.tournaments.ui.words import EventText, event_title, plain_names, plainly
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import PRIVATE, Click, on_button
from bot.ui.pages.components import PRIMARY, Control, File, Page, Reply, attached, button, text
from bot.ui.pages.display_names import escape

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
    names = await plain_names(context.reader, event)
    match click.arg:
        case "records":
            service = context.services.of(TournamentService)
            begun = await service.games_begun(visitor_of(context), t.id)
            found = await asyncio.to_thread(records_of, t, begun, names)
        case "csv":
            found = csv_of(t, event.view.standings, names)
        case "2016" | "2026":
            found = trf_of(t, names, Edition(click.arg))
        case _:
            raise UserError("out_of_date")
    if len(found.data) > _LARGEST:
        raise UserError("file_too_large")
    said = event.say("Here's the file.")
    return Reply(said, Page(text(said), attached(found)))


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
    plain = await plainly(everyone.reader, EventText(event.view, everyone.language))

    patience = [_PATIENCE]

    async def run(work: Callable[[], Any]) -> Any:
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
    written = await write_document(document, begun, everyone.reader, run, limit)
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


Names = Mapping[int, str]


def file_name(t: Tournament, ending: str) -> str:
    """A name for a file about a tournament: plain letters only."""
    plain = re.sub(r"[^a-z0-9]+", "-", t.setup.name.casefold()).strip("-")[:40]
    return f"{plain or 'tournament'}-{t.id}.{ending}"


def trf_of(t: Tournament, names: Names, edition: Edition) -> File:
    """The report. Raises ``no_trf`` where it cannot express the event."""
    rounds = [
        (number, games[0].game.round)
        for games in t.pairings(t.games.values())
        for number in games[0].game.players
    ]
    if not t.setup.format.facts.report or max(Counter(rounds).values(), default=0) > 1:
        raise UserError("no_trf")
    report, numbers = report_of(t, _rounds(t))
    players = zip(numbers, report.players, strict=True)
    seed = {number: place for place, number in enumerate(numbers, 1)}
    report = replace(
        report,
        players=tuple(replace(each, name=names.get(number, "")) for number, each in players),
        starts=t.begins.date(),
        ends=t.updated_at.date() if t.status.is_final else t.finish.date(),
        byes={},
        ranks={seed[each.number]: each.rank for each in FORMATS[t.setup.format].places(t)},
    )
    return File(file_name(t, f"{edition.value}.trf"), write_trf(report, edition).encode())


def _rounds(t: Tournament) -> int:
    """The number of rounds; after an early end, as many as were drawn."""
    if t.status.is_final:
        return len(t.rounds)
    return max(event_plan(t.setup, len(t.entrants)).rounds, len(t.rounds))


def csv_of(t: Tournament, places: Sequence[Placing], names: Names) -> File:
    """The table: places, points, tie-breaks by their codes."""
    kinds = [value.tie_break for value in places[0].values] if places else []
    # Points have a column of their own already, in every format.
    codes = [each.value for each in kinds if each is not TieBreak.POINTS]
    header = ["Place", "Division", "Player", "Rating", "Points", *codes]
    rows: list[list[str | int | Fraction | None]] = [
        [
            each.rank,
            each.division or None,
            names.get(each.number, f"Player {each.number}"),
            t.entrants[each.number - 1].rating,
            each.points,
            *(
                value.total if value.compares else None
                for value in each.values
                if value.tie_break is not TieBreak.POINTS
            ),
        ]
        for each in places
    ]
    return File(file_name(t, "csv"), ("\ufeff" + write_csv(header, rows)).encode())


def records_of(t: Tournament, played: Sequence[BegunGame], names: Names) -> File:
    """The records of games, one after another; those without installed rules are left out."""
    texts = []
    for each in played:
        people = [
            Person(names.get(number, f"Player {number}"))
            for number in t.games[each.id].game.players
        ]
        try:
            record = record_of(each.match, each.events, people)
        except UserError:
            continue
        texts.append(write_text(replace(record, event=t.setup.name, round=each.id)))
    return File(file_name(t, "txt"), "\n".join(texts).encode())
