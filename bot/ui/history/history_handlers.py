"""Looking back: any position of a match, and the whole of it as a moving picture.

A match is played through from its events in a thread, and kept for as long as people leaf through
it. Everything a page needs to go on is in its custom ids, so it goes on after a restart.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Optional

import discord
from discord import app_commands

from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.domain.playthrough import Playthrough, play_through
from bot.errors import UserError
from bot.i18n.refusals import REFUSALS
from bot.i18n.sentences import refusal
from bot.ui.discord_api import rest
from bot.ui.discord_api.background import FAILURES
from bot.ui.history.history_page import HistoryState, history_page, replay_page
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import (
    MATCH_COMMANDS,
    MATCH_FIELD,
    Sought,
    find_match,
    meant,
    suggest_matches,
)
from bot.ui.interaction.registry import (
    PRIVATE,
    Click,
    on_button,
    on_form,
    on_menu,
    one_field,
    opens_form,
    resumes,
)
from bot.ui.interaction.slash import LONGEST, command
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.display_names import escape
from bot.ui.pages.presenter import Film
from bot.ui.pages.reply import Reply
from games.view import Text

_LARGEST = 10 * 1024 * 1024
"""Bytes of a replay at most, even where Discord would take more."""
_KEPT = 32
_MOST_MOVES = 100_000
_SHARED = 1000
_SHARING = 20.0
"""Seconds that Discord may take to show a shared replay."""


@dataclass
class _Memory:
    """Matches played through, newest last, and the replays that were shared already."""

    lines: OrderedDict[tuple[MatchId, int], Playthrough] = field(default_factory=OrderedDict)
    shared: OrderedDict[int, None] = field(default_factory=OrderedDict)


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
    """``/match history``: a position of the match that is meant, to this person alone."""
    number = "" if move is None else str(move)
    found = await meant(context, f"history/{number}", Sought.SEEN, match)
    return await _history(context, found, number)


@on_button("history", how=PRIVATE)
async def history(context: InteractionContext, click: Click) -> Reply:
    """**History** under a finished board."""
    return await _history(context, await find_match(context, click.match), "")


@on_button("past")
@on_menu("leaf")
async def turn_to(context: InteractionContext, click: Click) -> Reply:
    """A button or a menu of the page: show another leaf in its place.

    Whatever number a click sends, the page stays within the match.
    """
    leaf = HistoryState.read(click.arg)
    if click.value:
        leaf = HistoryState(HistoryState.read(f"{click.value}.p").ply, leaf.in_words)
    match = await find_match(context, click.match)
    line = await _line(context, match)
    if leaf.ply is not None:
        leaf = HistoryState(min(leaf.ply, line.plies), leaf.in_words)
    return await history_page(match, line, leaf, context.presenter, context.language)


@on_form("numbered")
async def turn_to_number(context: InteractionContext, click: Click) -> Reply:
    """The form of the page: the number of a move, as a person writes it."""
    leaf = HistoryState.read(click.arg)
    match = await find_match(context, click.match)
    line = await _line(context, match)
    lead = ""
    try:
        leaf = HistoryState(_number(click.text, line), leaf.in_words)
    except UserError as error:
        lead = context.language(refusal(error))
        leaf = HistoryState(min(leaf.ply or 0, line.plies), leaf.in_words)
    return await history_page(match, line, leaf, context.presenter, context.language, lead=lead)


@resumes("history")
async def _history(context: InteractionContext, match: Match, rest: str) -> Reply:
    line = await _line(context, match)
    leaf = HistoryState(_number(rest, line) if rest else None)
    return await history_page(match, line, leaf, context.presenter, context.language)


@command(
    "replay",
    Text.of("Replay a match as an animation"),
    group=MATCH_COMMANDS,
    fields={"match": MATCH_FIELD},
    suggest={"match": suggest_matches(Sought.SEEN)},
)
async def replay_here(
    context: InteractionContext, match: app_commands.Range[str, 0, LONGEST] = ""
) -> Reply:
    """``/match replay``: the match that is meant as a moving picture, to this person alone."""
    return await _replay(context, await meant(context, "replay", Sought.SEEN, match))


@on_button("replay", how=PRIVATE)
async def replay(context: InteractionContext, click: Click) -> Reply:
    """**Replay** under a finished board or a position."""
    return await _replay(context, await find_match(context, click.match))


@resumes("replay")
async def _replay(context: InteractionContext, match: Match, _rest: str = "") -> Reply:
    line, film = await _film(context, match)
    return await replay_page(match, line, film, context.presenter, context.language)


@on_button("share")
async def share(context: InteractionContext, click: Click) -> Reply:
    """**Share here** on a private replay: for everybody in this channel, once."""
    page = context.interaction.message
    if page is None or not page.flags.ephemeral:
        raise UserError("out_of_date")
    match = await find_match(context, click.match)
    line, film = await _film(context, match)
    presenter, language = context.presenter, context.language
    if not _may_write(context.interaction):
        note = language(REFUSALS["may_not_share"])
        return await replay_page(match, line, film, presenter, language, note=note)
    shared = context.services.memory(_Memory).shared
    if page.id not in shared:
        shared[page.id] = None
        while len(shared) > _SHARED:
            shared.popitem(last=False)
        public = await replay_page(match, line, film, presenter, language, private=False)
        if not await _post(context, public):
            shared.pop(page.id, None)
            note = language(REFUSALS["not_shared"])
            return await replay_page(match, line, film, presenter, language, note=note)
    note = language.say("Shared: everyone here can see this replay now.")
    return await replay_page(match, line, film, presenter, language, note=note, may_share=False)


async def _post(context: InteractionContext, reply: Reply) -> bool:
    """Follow up with a message for everybody, which pings nobody; whether Discord took it."""
    if reply.page is None:
        return False
    files = [file.open() for file in reply.files]
    said = rest.message(components=reply.page.components, files=files)
    task = context.services.background.start(rest.follow_up(context.interaction, said))
    done, _ = await asyncio.wait({task}, timeout=_SHARING)
    return bool(done) and not isinstance(task.exception(), FAILURES)


async def _line(context: InteractionContext, match: Match) -> Playthrough:
    """The match played through, from memory if it has been looked at already."""
    key = (match.id, match.version)
    lines = context.services.memory(_Memory).lines
    kept = lines.get(key)
    if kept is None:
        events = await context.services.matches.history(context.actor, match.id)
        known = events[: match.version]
        kept = await asyncio.to_thread(play_through, match, known)
        lines[key] = kept
        while len(lines) > _KEPT:
            lines.popitem(last=False)
    lines.move_to_end(key)
    return kept


async def _film(context: InteractionContext, match: Match) -> tuple[Playthrough, Film]:
    line = await _line(context, match)
    if not line.plies:
        raise UserError("no_moves_yet")
    presenter = context.presenter
    film = await presenter.pictures.film(
        (match.id, match.position_since, match.status),
        lambda: [line.view(ply) for ply in range(line.plies + 1)],
        await presenter.style(match, context.language),
        min(_LARGEST, context.interaction.filesize_limit),
    )
    if film is None:
        raise UserError("no_film")
    return line, film


@opens_form("number")
def number_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form to type the number of a move into."""
    language = context.language
    return one_field(
        Control("numbered", control.match, control.version, control.arg[:20]),
        language.say("Go to move"),
        language.say("Move number, 0 for the start"),
        longest=6,
    )


def _number(text: str, line: Playthrough) -> int:
    """The ply that a player typed; :exc:`~bot.errors.UserError` (``no_such_ply``)."""
    said = text.strip()
    if said.isdecimal() and len(said) <= 6 and int(said) <= line.plies:
        return int(said)
    raise UserError("no_such_ply", number=escape(said, longest=20), count=line.plies)


def _may_write(interaction: discord.Interaction) -> bool:
    """Whether the person who asks may write here themselves."""
    if interaction.guild_id is None:
        return True
    may = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    return may.send_messages_in_threads if in_thread else may.send_messages
