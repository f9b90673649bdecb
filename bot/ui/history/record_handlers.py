"""Records of matches as files: taking one along, and looking at one from elsewhere.

A file that a player sends is read once and forgotten: nothing of it is stored, no address in it is
opened, and neither its name nor what it is said to contain counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import discord
from discord import app_commands

from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.records import (
    LARGEST,
    Conclusion,
    Judged,
    Person,
    Record,
    RefusedInRecord,
    read_record,
    record_of,
    write_json,
    write_text,
)
from bot.errors import UserError
from bot.i18n import Language
from bot.i18n.sentences import refusal
from bot.ui.discord_api.background import FAILURES
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import (
    MATCH_COMMANDS,
    MATCH_FIELD,
    Sought,
    find_match,
    meant,
    suggest_matches,
)
from bot.ui.interaction.registry import PRIVATE, Click, on_button, resumes
from bot.ui.interaction.slash import LONGEST, command
from bot.ui.interaction.slash import said as translated
from bot.ui.pages import match_text
from bot.ui.pages.components import TEXT, File, Part, Picture, attached, gallery, text
from bot.ui.pages.display_names import clean, escape
from bot.ui.pages.reply import Page, Reply
from games.view import Text
from renderers import Style, text_board

FORMATS: Mapping[str, Text] = {
    "text": Text.of("Text, for people"),
    "json": Text.of("JSON, for programs"),
}
"""What a record can be written as."""


def _formats() -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=translated(words), value=form) for form, words in FORMATS.items()
    ]


_LONGEST_WORDS = 200
_DOWNLOAD = 10.0
"""Seconds that a file may take to come from Discord."""
_MATCH_ID = frozenset("abcdefghijklmnopqrstuvwxyz234567")


@dataclass
class _Memory:
    """Files are read one at a time."""

    one_at_a_time: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))


@command(
    "download",
    Text.of("Download a match as a file"),
    group=MATCH_COMMANDS,
    fields={"format": Text.of("Format (default: text)"), "match": MATCH_FIELD},
    choices={"format": _formats},
    suggest={"match": suggest_matches(Sought.SEEN)},
)
async def export_here(
    context: InteractionContext,
    format: str = "text",  # noqa: A002 - the name of the field
    match: app_commands.Range[str, 0, LONGEST] = "",
) -> Reply:
    """``/match download``: the record of the match that is meant, for this person alone."""
    found = await meant(context, f"export/{format}", Sought.SEEN, match)
    return await _export(context, found, (format,))


@resumes("export")
async def export_chosen(context: InteractionContext, match: Match, form: str) -> Reply:
    """``/match download`` of several matches."""
    return await _export(context, match, (form,))


@on_button("export", how=PRIVATE)
async def export(context: InteractionContext, click: Click) -> Reply:
    """**Record** under a finished board: the record in all its forms."""
    match = await find_match(context, click.match)
    return await _export(context, match, tuple(FORMATS))


async def _export(context: InteractionContext, match: Match, forms: tuple[str, ...]) -> Reply:
    mine = match.index_of(context.user_id) is not None
    if match.status is MatchStatus.RUNNING and not mine:
        raise UserError("record_running")
    events = await context.services.matches.history(context.actor, match.id)
    people = [await _person(context, player) for player in match.players]
    record = record_of(match, events, people)
    now = context.services.clock.now()
    stem = f"{match.game}-{match.id}"
    files = []
    for form in forms:
        if form == "text":
            files.append(File(f"{stem}.txt", write_text(record).encode()))
        elif form == "json":
            files.append(File(f"{stem}.json", write_json(record, generated=now).encode()))
        else:
            raise UserError("out_of_date")
    said = context.language.say("This {game} match as a file:", game=_name(match))
    return Reply(said, _page([said], None, tuple(files)), tuple(files))


async def _person(context: InteractionContext, player: UserId | None) -> Person:
    if player is None:
        return Person("?")
    return Person(clean(await context.presenter.names.name(player, context.language)), str(player))


@command(
    "open",
    Text.of("Open a match file and look through it"),
    fields={"file": Text.of("A match file, text or JSON, at most 256 KiB")},
    personal=True,
)
async def import_record(context: InteractionContext, file: discord.Attachment) -> Reply:
    """``/open``: play a record through and show where it leads, to this person alone.

    A file of which Discord says nothing arrives as a bare object.
    """
    if isinstance(file, discord.Object):
        raise UserError("record_unreadable")
    data = await _download(context, file)
    try:
        async with context.services.memory(_Memory).one_at_a_time:
            judged = await asyncio.to_thread(read_record, data)
    except UserError as error:
        return Reply(_refused(error, context.language))
    return await _shown(context, judged)


async def _download(context: InteractionContext, attachment: discord.Attachment) -> bytes:
    """The bytes of a file that Discord keeps for us, if they are few enough."""
    if attachment.size > LARGEST:
        raise UserError("record_too_large", limit=LARGEST // 1024)
    if attachment.size < 1:
        raise UserError("record_empty")
    task = context.services.background.start(attachment.read())
    done, _ = await asyncio.wait({task}, timeout=_DOWNLOAD)
    if not done or isinstance(task.exception(), FAILURES):
        raise UserError("record_unreadable")
    return task.result()


async def _shown(context: InteractionContext, judged: Judged) -> Reply:
    language = context.language
    record = _tidy(judged.record)
    game = judged.game
    view = game.view(judged.position, None)
    if judged.last is not None:
        view = view.with_marks(game.marks(judged.before, judged.last))
    names = tuple(person.name for person in record.players)
    presenter = context.presenter
    style = Style(theme=presenter.theme, names=names, locale=language.locale, translate=language)
    drawn = await presenter.pictures.picture(view, style)
    picture = None if drawn is None else Picture(File("record.png", drawn.png), drawn.alt_text)
    lines = [
        f"### {game.info.name}",
        match_text.options(game.info, record.options, language, brief=True),
        " · ".join(escape(name) for name in names),
        _outcome(judged, language),
        language.plural("{count} move", "{count} moves", by="count", count=len(record.moves)),
    ]
    said = "\n".join(line for line in lines if line)
    board = [] if picture is not None else [text_board(view, style)[: TEXT - len(said)]]
    file = File("record.txt", write_text(record).encode())
    files = (file,) if picture is None else (picture.file, file)
    return Reply(said, _page([said, *board], picture, (file,)), files)


def _name(match: Match) -> str:
    return match_text.game_name(match)


def _page(texts: list[str], picture: Picture | None, files: tuple[File, ...]) -> Page:
    items: list[Part] = [text(each) for each in texts]
    if picture is not None:
        items.append(gallery(picture))
    items += [attached(file) for file in files]
    return Page(*items)


def _tidy(record: Record) -> Record:
    """The record with everything that its writer chose freely made fit to be shown."""
    is_id = 0 < len(record.match) <= 40 and set(record.match) <= _MATCH_ID
    return replace(
        record,
        players=tuple(Person(clean(person.name)) for person in record.players),
        site=clean(record.site),
        match=record.match if is_id else "",
    )


def _outcome(judged: Judged, language: Language) -> str:
    """How the recorded game ended, players by their names."""
    record = judged.record
    names = [escape(person.name) for person in record.players]
    if record.conclusion is Conclusion.ABORTED:
        return language.say("This match was aborted. It has no result.")
    if record.conclusion is Conclusion.UNFINISHED:
        return language.say("The game is not over.")
    winners = ", ".join(names[player] for player in record.winners)
    if not record.winners:
        said = language.say("Draw.")
    elif len(record.winners) == 1:
        said = language.say("{player} wins!", player=winners)
    else:
        said = language.say("{players} share the win!", players=winners)
    if record.conclusion is Conclusion.AGREEMENT:
        return said + " " + language.say("The players agreed to a draw.")
    if record.conclusion is Conclusion.RESIGNATION:
        gone = ", ".join(names[each.player] for each in record.resignations)
        return said + " " + language.say("{player} resigned.", player=gone)
    reason = language(judged.game.info.reasons[record.reason])
    points = ""
    if any(score not in (0, 0.5, 1) for score in record.scores):
        scores = zip(names, record.scores, strict=True)
        points = " · ".join(f"{name} {score:g}" for name, score in scores)
    return f"{said} {reason} {points}".rstrip()


def _refused(error: UserError, language: Language) -> str:
    """What is wrong with a file; nothing that it holds can format the sentence."""
    said = _safe(refusal(error))
    if isinstance(error, RefusedInRecord):
        reason = language(_safe(refusal(error.error, error.game)))
        said = said.filled({**dict(said.params), "reason": reason})
    return language(said)


def _safe(text: Text) -> Text:
    """The text with everything escaped that its placeholders are filled with."""
    return text.filled(
        {
            name: escape(value, longest=_LONGEST_WORDS) if isinstance(value, str) else value
            for name, value in text.params
        }
    )
