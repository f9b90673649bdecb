"""Looking back: any position of a match, and a reader's notes on it.

A match is played through from its events in a worker thread, and cached. The state of a page is in
its custom ids.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from typing import Any, Optional

import discord
from cachetools import LRUCache
from discord import app_commands

from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.playthrough import Playthrough
from bot.errors import UserError
from bot.history.ui.sources import ReplaySource, source_of, source_of_match
from bot.i18n import Language
from bot.store import notes
from bot.store.records import MatchNotes
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import (
    MATCH_COMMANDS,
    MATCH_FIELD,
    Sought,
    meant,
    suggest_matches,
)
from bot.ui.interaction.registry import (
    PRIVATE,
    Click,
    on_button,
    on_form,
    on_menu,
    on_text,
    one_field,
    opens_form,
    resumes,
)
from bot.ui.interaction.slash import LONGEST, command
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.display_names import escape
from games.view import Text

NOTHING_KEPT = MatchNotes()
_AROUND = 4
"""Moves listed before and after the present one."""
_LEAF = re.compile(r"(?P<ply>[0-9]{1,6}|end)\.(?P<look>[pw])[a-z]?", re.ASCII)


@dataclass(frozen=True, slots=True)
class HistoryState:
    """The position shown, by the number of moves (None: the last), as text or picture."""

    ply: int | None = None
    in_words: bool = False

    @classmethod
    def read(cls, arg: str) -> HistoryState:
        """The state in a control's argument. Raises ``out_of_date``."""
        found = _LEAF.fullmatch(arg)
        if found is None:
            raise UserError("out_of_date")
        ply = None if found["ply"] == "end" else int(found["ply"])
        return cls(ply, found["look"] == "w")

    def write(self, tag: str = "") -> str:
        """The state as an argument; ``tag`` distinguishes controls that lead to the same state."""
        return f"{'end' if self.ply is None else self.ply}.{'w' if self.in_words else 'p'}{tag}"


async def history_page(
    context: InteractionContext, source: ReplaySource, shown: HistoryState, *, lead: str = ""
) -> Reply:
    """A position of a match, with the moves around it, and its reader's note."""
    line, language = source.line, context.language
    ply = line.plies if shown.ply is None else min(shown.ply, line.plies)
    here = HistoryState(ply, shown.in_words)
    kept = None if source.recorded is not None else await _kept(context, source.match.id)
    board = await source.reader(context).part(
        source.match, line.view(ply), name="position", in_letters=shown.in_words
    )
    said = _where(source, ply, language)
    items: list[ui.Part] = [ui.text(source.heading(language, line.at(ply))), ui.text(said), board]
    around = _moves_around(line, ply, language)
    if around:
        items.append(ui.text(around))
    note = kept.note(ply) if kept is not None else ""
    if note:
        whose = language.say("Your note")
        items.append(ui.text(f"**{whose}**\n{escape(note, longest=notes.LONGEST_NOTE)}"))
    above = [ui.text(lead)] if lead else []
    controls = _controls(line, here, language, kept=kept)
    return source.carried(Reply(lead or said, Page(*above, ui.container(*items), *controls)))


def _side(source: ReplaySource, ply: int, language: Language) -> str:
    """The side and the player of a move, counted from 1."""
    line = source.line
    before, seat = line.at(ply - 1), line.seats[ply - 1]
    side = language(before.game.seats[seat].name)
    player = before.game.seating(before.position)[seat]
    if source.recorded is not None:
        return f"{side} ({escape(source.recorded.names[player])})"
    return f"{side} {match_text.mention(source.match.players[player], language)}"


def _where(source: ReplaySource, ply: int, language: Language) -> str:
    line = source.line
    if ply == 0:
        said = language.plural(
            "Start of the match ({count} move)",
            "Start of the match ({count} moves)",
            by="count",
            count=line.plies,
        )
    else:
        said = language.say(
            "Move {number} of {count}: {move} by {player}",
            number=ply,
            count=line.plies,
            move=match_text.move_words(source.match.game, line.notations[ply - 1], language),
            player=_side(source, ply, language),
        )
    said = f"**{said}**"
    return f"{said}\n{source.outcome(language)}".rstrip() if ply == line.plies else said


def _moves_around(line: Playthrough, ply: int, language: Language) -> str:
    first, last = max(ply - _AROUND, 0), min(ply + _AROUND, line.plies)
    told = []
    for number in range(first, last + 1):
        move = (
            match_text.numbered(number, line.match.game, line.notations[number - 1], language)
            if number
            else language.say("Start")
        )
        told.append(f"**{move}**" if number == ply else move)
    before, after = "… " if first else "", " …" if last < line.plies else ""
    return match_text.cut(before + " · ".join(told) + after, ui.TEXT // 4)


def _controls(
    line: Playthrough, here: HistoryState, language: Language, *, kept: MatchNotes | None
) -> list[ui.Row]:
    match, ply, count = line.match, here.ply or 0, line.plies
    over = kept is None or match.status is not MatchStatus.RUNNING

    def control(action: str, shown: HistoryState, tag: str = "") -> Control:
        return Control(action, match.id, match.version, shown.write(tag))

    def to(
        ply: int | None, tag: str, label: str, style: Any = ui.SECONDARY, *, off: bool
    ) -> ui.Button:
        there = control("past", HistoryState(ply, here.in_words), tag)
        return ui.button(there, label, style, disabled=off)

    is_last = ply == count and over
    turning = [
        to(0, "f", language.say("First"), off=ply == 0),
        to(max(ply - 1, 0), "b", language.say("Previous"), off=ply == 0),
        to(ply + 1, "n", language.say("Next"), ui.PRIMARY, off=is_last),
        to(None, "l", language.say("Last"), off=is_last),
        ui.button(control("number", here), language.say("Go to move")),
    ]
    look = language.say("Picture") if here.in_words else language.say("Text board")
    others = [ui.button(control("past", HistoryState(ply, not here.in_words), "w"), look)]
    if count:
        others.append(ui.button(Control("replay", match.id, match.version), language.say("Replay")))
    if over:
        here_at = Control("analyse", match.id, arg=str(ply))
        others.append(ui.button(here_at, language.say("Analyse")))
    if kept is not None:
        others.append(ui.button(control("jot", here), language.say("Note")))
        favour = Control("favour", match.id, int(not kept.is_favourite), here.write())
        star = "★ " if kept.is_favourite else ""
        others.append(ui.button(favour, star + language.say("Favourite")))
    first = max(min(ply - ui.CHOICES // 2, count - ui.CHOICES + 1), 0)
    options = [
        ui.Option(
            str(number),
            f"{number} {match_text.move_words(match.game, line.notations[number - 1], language)}"
            if number
            else language.say("Start"),
            (kept and kept.note(number)) or None,
            chosen=number == ply,
        )
        for number in range(first, min(first + ui.CHOICES, count + 1))
    ]
    made = ui.rows(turning)
    if len(options) > 1:
        made.append(ui.menu(control("leaf", here), language.say("Go to move"), options))
    return [*made, *ui.rows(others)]


_MOST_MOVES = 100_000
_MOST_KEPT = 1000
_UNSEEN = "u"
"""Tags the form of a note that opened without the earlier text: if empty it removes nothing."""


@dataclass
class _Memory:
    """Data that is kept between clicks."""

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
    return await history_page(context, await source_of(context, click.match), HistoryState())


@on_button("past")
@on_menu("leaf")
async def turn_to(context: InteractionContext, click: Click) -> Reply:
    """A button or a menu of the page: another position.

    Whatever number a click sends, the page stays within the match.
    """
    shown = HistoryState.read(click.arg)
    if click.value:
        shown = HistoryState(HistoryState.read(f"{click.value}.p").ply, shown.in_words)
    return await history_page(context, await source_of(context, click.match), shown)


@on_text("number", "numbered", Text.of("Go to move"), Text.of("Move number, 0 for the start"), 6)
async def turn_to_number(context: InteractionContext, click: Click) -> Reply:
    """The form of the page: the number of a move, as a player types it."""
    shown = HistoryState.read(click.arg)
    source = await source_of(context, click.match)
    lead = ""
    try:
        shown = HistoryState(_number(click.text, source.line), shown.in_words)
    except UserError as error:
        lead = context.why(error)
    return await history_page(context, source, shown, lead=lead)


@opens_form("jot", "jotted")
def note_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """**Note**: the form of a note on a move."""
    language, ply = context.language, 0
    with contextlib.suppress(UserError):  # a control that is not ours; refused when submitted
        ply = HistoryState.read(control.arg).ply or 0
    known = context.services.memory(_Memory).kept
    kept = known.get((context.user_id, MatchId(control.match)))
    tag = _UNSEEN if kept is None and control.arg[-1:] in ("p", "w") else ""
    kept = kept or NOTHING_KEPT
    title = (
        language.say("Your note on move {number}", number=ply)
        if ply
        else language.say("Your note on the start")
    )
    return one_field(
        Control("jotted", control.match, control.version, f"{control.arg[:20]}{tag}"),
        title,
        language.say("Note"),
        longest=notes.LONGEST_NOTE,
        value=kept.note(ply),
        hint=language.say("Only you can see it. Leave it empty to remove it."),
        required=False,
    )


@on_form("jotted")
async def jotted(context: InteractionContext, click: Click) -> Reply:
    """The form of a note."""
    services, shown = context.services, HistoryState.read(click.arg)
    source = await _of_match(context, click)
    ply, lead = min(shown.ply or 0, source.line.plies), ""
    if click.arg.endswith(_UNSEEN) and not click.text.strip():
        return await history_page(context, source, shown)
    try:
        await services.store.write(
            notes.keep_note,
            context.user_id,
            source.match.id,
            ply,
            click.text,
            now=services.clock.now(),
        )
    except UserError as error:
        if error.code != "too_many_notes":
            raise
        lead = context.why(error)
    return await history_page(context, source, shown, lead=lead)


@on_button("favour")
async def favour(context: InteractionContext, click: Click) -> Reply:
    """**Favourite**, on and off."""
    services, shown = context.services, HistoryState.read(click.arg)
    source = await _of_match(context, click)
    await services.store.write(
        notes.keep_favourite,
        context.actor,
        source.match.id,
        services.clock.now(),
        is_one=click.version == 1,
    )
    return await history_page(context, source, shown)


async def _of_match(context: InteractionContext, click: Click) -> ReplaySource:
    """The match of a click; games that were not played here have no notes."""
    source = await source_of(context, click.match)
    if source.recorded is not None:
        raise UserError("out_of_date")
    return source


@resumes("history")
async def _history(context: InteractionContext, match: Match, rest: str) -> Reply:
    source = await source_of_match(context, match)
    shown = HistoryState(_number(rest, source.line) if rest else None)
    return await history_page(context, source, shown)


@on_button("sample", how=PRIVATE)
@on_menu("sample", how=PRIVATE)
async def sample(context: InteractionContext, click: Click) -> Reply:
    """A sample game of the rules page, from its start."""
    source = await source_of(context, click.value or click.match)
    return await history_page(context, source, HistoryState(0))


async def _kept(context: InteractionContext, match_id: MatchId) -> MatchNotes:
    kept = await context.services.store.read(notes.notes_of, context.user_id, match_id)
    context.services.memory(_Memory).kept[context.user_id, match_id] = kept
    return kept


def _number(text: str, line: Playthrough) -> int:
    """The ply that a player typed. Raises ``no_such_ply``."""
    said = text.strip()
    if said.isdecimal() and len(said) <= 6 and int(said) <= line.plies:
        return int(said)
    raise UserError("no_such_ply", number=escape(said, longest=20), count=line.plies)
