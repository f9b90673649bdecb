"""Records of matches as files: downloading one, and opening one from elsewhere.

A file that a player sends is read once: nothing of it is stored, no address in it is opened, and
its name and media type don't count.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import discord
from discord import app_commands

from bot.domain.match import Match, MatchStatus
from bot.errors import UserError
from bot.history.domain import LARGEST, Record, RefusedInRecord, write_json, write_text
from bot.history.ui.positions import HistoryState, history_page
from bot.history.ui.sources import downloaded, read_file, record_of_match
from bot.i18n import Language
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import (
    MATCH_COMMANDS,
    MATCH_FIELD,
    Sought,
    match_button,
    meant,
    suggest_matches,
)
from bot.ui.interaction.registry import PRIVATE, resumes
from bot.ui.interaction.slash import LONGEST, command, text_choices
from bot.ui.pages import match_text
from bot.ui.pages.components import File, Page, Reply, attached, text
from bot.ui.pages.display_names import escape
from bot.ui.pages.refusal_text import TYPED, refusal
from games.view import Text

FORMATS: Mapping[str, Text] = {
    "text": Text.of("Text, for people"),
    "json": Text.of("JSON, for programs"),
}


_LONGEST_WORDS = 200


@command(
    "download",
    Text.of("Download a match as a file"),
    group=MATCH_COMMANDS,
    fields={"format": Text.of("Format (default: text)"), "match": MATCH_FIELD},
    choices={"format": text_choices(FORMATS)},
    suggest={"match": suggest_matches(Sought.SEEN)},
)
async def export_here(
    context: InteractionContext,
    format: str = "text",  # noqa: A002 - the name of the field
    match: app_commands.Range[str, 0, LONGEST] = "",
) -> Reply:
    """``/match download``: the record of a match."""
    found = await meant(context, f"export/{format}", Sought.SEEN, match)
    return await _export(context, found, (format,))


@resumes("export")
async def export_chosen(context: InteractionContext, match: Match, form: str) -> Reply:
    """``/match download`` of several matches."""
    return await _export(context, match, (form,))


@match_button("export", how=PRIVATE)
async def export(context: InteractionContext, match: Match) -> Reply:
    """**Download** under a finished board: the record in all its forms."""
    return await _export(context, match, tuple(FORMATS))


async def _export(context: InteractionContext, match: Match, forms: tuple[str, ...]) -> Reply:
    mine = match.index_of(context.user_id) is not None
    if match.status is MatchStatus.RUNNING and not mine:
        raise UserError("record_running")
    if not set(forms) <= FORMATS.keys():
        raise UserError("out_of_date")
    record, now = await record_of_match(context, match), context.services.clock.now()

    def written() -> tuple[File, ...]:
        return tuple(_file(record, form, now) for form in forms)

    files = await context.services.heavy.run(context.user_id, written)
    said = context.language.say("This {game} match as a file:", game=match_text.game_name(match))
    return Reply(said, Page(text(said), *map(attached, files)))


def _file(record: Record, form: str, now: datetime) -> File:
    stem = f"{record.game}-{record.match}"
    if form == "text":
        return File(f"{stem}.txt", write_text(record).encode())
    return File(f"{stem}.json", write_json(record, generated=now).encode())


@command(
    "open",
    Text.of("Open a match file and look through it"),
    fields={"file": Text.of("A match file, text or JSON, at most 256 KiB")},
    personal=True,
)
async def import_record(context: InteractionContext, file: discord.Attachment) -> Reply:
    """``/open``: play a record through and show its last position.

    A file that Discord sends no details of arrives as a bare object.
    """
    if isinstance(file, discord.Object):
        raise UserError("record_unreadable")
    data = await _download(context, file)
    try:
        source = await read_file(context, data)
    except UserError as error:
        return Reply(_refused(error, context.language))
    lead = _varied(source.record, context.language)
    return await history_page(context, source, HistoryState(), lead=lead)


def _varied(record: Record | None, language: Language) -> str:
    """A remark that a file has variations, which the page itself does not show."""
    if record is None or not record.tried:
        return ""
    return language.plural(
        "The file has {n} more move in variations. **Analyse** shows it.",
        "The file has {n} more moves in variations. **Analyse** shows them.",
        n=len(record.tried),
    )


async def _download(context: InteractionContext, attachment: discord.Attachment) -> bytes:
    """The bytes of an attachment, if it is small enough."""
    if type(attachment.size) is not int:
        raise UserError("record_unreadable")
    if attachment.size > LARGEST:
        raise UserError("record_too_large", limit=LARGEST // 1024)
    if attachment.size < 1:
        raise UserError("record_empty")
    return await downloaded(context, attachment.read())


def _refused(error: UserError, language: Language) -> str:
    """The reason of a refused file; none of its text can format the sentence."""
    said = _safe(refusal(error))
    if isinstance(error, RefusedInRecord):
        reason = language(_safe(refusal(error.error, error.game)))
        said = said.filled({**dict(said.params), "reason": reason})
    return language(said)


def _safe(text: Text) -> Text:
    """The text with its other parameters escaped too."""
    others = {
        name: escape(value, longest=_LONGEST_WORDS)
        for name, value in text.params
        if isinstance(value, str) and name not in TYPED
    }
    return text.filled({**dict(text.params), **others})
