"""Looking back: any position of a match, and a reader's notes on it.

A match is played through from its events in a thread, and cached. Everything a page needs to go on
is in its custom ids.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Optional

import discord
from cachetools import LRUCache
from discord import app_commands

from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match
from bot.domain.playthrough import Playthrough
from bot.errors import UserError
from bot.store import plans
from bot.store.records import MatchNotes
from bot.ui.history.history_page import (
    NOTHING_KEPT,
    HistoryState,
    history_page,
)
from bot.ui.history.sources import ReplaySource, source_of, source_of_match
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import (
    MATCH_COMMANDS,
    MATCH_FIELD,
    Sought,
    meant,
    suggest_matches,
)
from bot.ui.interaction.registry import (
    FIELD,
    PRIVATE,
    Click,
    Field,
    form,
    on_button,
    on_form,
    on_menu,
    one_field,
    opens_form,
    resumes,
)
from bot.ui.interaction.slash import LONGEST, command
from bot.ui.pages.components import Control, Reply
from bot.ui.pages.display_names import escape
from games.view import Text

_MOST_MOVES = 100_000
_MOST_KEPT = 1000
_UNSEEN = "u"
"""Tags the form of a note that opened without the earlier text: if empty it removes nothing."""


@dataclass
class _Memory:
    """Lasts from one click to the next."""

    kept: LRUCache[tuple[UserId, MatchId], MatchNotes] = field(
        default_factory=lambda: LRUCache(_MOST_KEPT)
    )
    """Notes of readers, to fill forms with."""


@command(
    "history",
    Text.of("Show any position of a match, only to you"),
    group=MATCH_COMMANDS,
    fields={"move": Text.of("Move number (default: latest)"), "match": MATCH_FIELD},
    suggest={"match": suggest_matches(Sought.SEEN)},
)
async def history_here(
    context: InteractionContext,
    move: Optional[app_commands.Range[int, 0, _MOST_MOVES]] = None,  # noqa: UP045
    match: app_commands.Range[str, 0, LONGEST] = "",
) -> Reply:
    """``/match history``: a position of a match."""
    number = "" if move is None else str(move)
    found = await meant(context, f"history/{number}", Sought.SEEN, match)
    return await _history(context, found, number)


@on_button("history", how=PRIVATE)
async def history(context: InteractionContext, click: Click) -> Reply:
    """**History** under a finished board."""
    return await _page(context, await source_of(context, click.match), HistoryState())


@on_button("past")
@on_menu("leaf")
async def turn_to(context: InteractionContext, click: Click) -> Reply:
    """A button or a menu of the page: another position.

    Whatever number a click sends, the page stays within the match.
    """
    shown = HistoryState.read(click.arg)
    if click.value:
        shown = HistoryState(HistoryState.read(f"{click.value}.p").ply, shown.in_words)
    source = await source_of(context, click.match)
    if shown.ply is not None:
        shown = HistoryState(min(shown.ply, source.line.plies), shown.in_words)
    return await _page(context, source, shown)


@on_form("numbered")
async def turn_to_number(context: InteractionContext, click: Click) -> Reply:
    """The form of the page: the number of a move, as a player types it."""
    shown = HistoryState.read(click.arg)
    source = await source_of(context, click.match)
    line, lead = source.line, ""
    try:
        shown = HistoryState(_number(click.text, line), shown.in_words)
    except UserError as error:
        lead = context.why(error)
        shown = HistoryState(min(shown.ply or 0, line.plies), shown.in_words)
    return await _page(context, source, shown, lead=lead)


@opens_form("jot", "jotted")
def note_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """**Note**: the form of a note on a move."""
    language, ply = context.language, 0
    with contextlib.suppress(UserError):  # a control of another's making; refused when submitted
        ply = HistoryState.read(control.arg).ply or 0
    known = context.services.memory(_Memory).kept
    kept = known.get((context.user_id, MatchId(control.match)))
    tag = _UNSEEN if kept is None and control.arg[-1:] in ("p", "w") else ""
    kept = kept or NOTHING_KEPT
    return form(
        Control("jotted", control.match, control.version, f"{control.arg[:20]}{tag}"),
        language.say("Your note on move {number}", number=ply)
        if ply
        else language.say("Your note on the start"),
        [
            Field(
                FIELD,
                language.say("Note"),
                plans.LONGEST_NOTE,
                kept.note(ply),
                hint=language.say("Only you can see it. Leave it empty to remove it."),
                long=True,
                required=False,
            )
        ],
    )


@on_form("jotted")
async def jotted(context: InteractionContext, click: Click) -> Reply:
    """The form of a note."""
    services, shown = context.services, HistoryState.read(click.arg)
    source = await _of_match(context, click)
    match = source.match
    shown = HistoryState(min(shown.ply or 0, source.line.plies), shown.in_words)
    lead = ""
    if click.arg.endswith(_UNSEEN) and not click.text.strip():
        return await _page(context, source, shown)
    try:
        await services.store.write(
            plans.keep_note,
            context.user_id,
            match.id,
            shown.ply or 0,
            click.text,
            now=services.clock.now(),
        )
    except UserError as error:
        if error.code != "too_many_notes":
            raise
        lead = context.why(error)
    return await _page(context, source, shown, lead=lead)


@on_button("favour")
async def favour(context: InteractionContext, click: Click) -> Reply:
    """**Favourite**, on and off."""
    services, shown = context.services, HistoryState.read(click.arg)
    source = await _of_match(context, click)
    await services.store.write(
        plans.keep_favourite,
        context.actor,
        source.match.id,
        services.clock.now(),
        is_one=click.version == 1,
    )
    shown = HistoryState(min(shown.ply or 0, source.line.plies), shown.in_words)
    return await _page(context, source, shown)


async def _of_match(context: InteractionContext, click: Click) -> ReplaySource:
    """The match of a click; nothing is kept of a game that was not played here."""
    source = await source_of(context, click.match)
    if source.recorded is not None:
        raise UserError("out_of_date")
    return source


@resumes("history")
async def _history(context: InteractionContext, match: Match, rest: str) -> Reply:
    source = await source_of_match(context, match)
    shown = HistoryState(_number(rest, source.line) if rest else None)
    return await _page(context, source, shown)


@on_button("sample", how=PRIVATE)
@on_menu("sample", how=PRIVATE)
async def sample(context: InteractionContext, click: Click) -> Reply:
    """A sample game of the rules page, from its start."""
    source = await source_of(context, click.value or click.match)
    return await _page(context, source, HistoryState(0))


async def _page(
    context: InteractionContext, source: ReplaySource, shown: HistoryState, *, lead: str = ""
) -> Reply:
    kept = NOTHING_KEPT if source.recorded is not None else await _kept(context, source.match.id)
    return await history_page(
        source.match,
        source.line,
        shown,
        context.presenter,
        context.language,
        kept=kept,
        lead=lead,
        recorded=source.recorded,
    )


async def _kept(context: InteractionContext, match_id: MatchId) -> MatchNotes:
    kept = await context.services.store.read(plans.notes_of, context.user_id, match_id)
    context.services.memory(_Memory).kept[context.user_id, match_id] = kept
    return kept


@opens_form("number", "numbered")
def number_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form for the number of a move."""
    language = context.language
    return one_field(
        Control("numbered", control.match, control.version, control.arg[:20]),
        language.say("Go to move"),
        language.say("Move number, 0 for the start"),
        longest=6,
    )


def _number(text: str, line: Playthrough) -> int:
    """The ply that a player typed. Raises ``no_such_ply``."""
    said = text.strip()
    if said.isdecimal() and len(said) <= 6 and int(said) <= line.plies:
        return int(said)
    raise UserError("no_such_ply", number=escape(said, longest=20), count=line.plies)
