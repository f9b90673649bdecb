"""Records of matches as files: taking one along, and looking at one from elsewhere.

A file that somebody sends is read once and forgotten: nothing of it is stored, no address in it is
opened, and neither its name nor what it is said to contain counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import discord

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
from bot.ui.interaction.context import InteractionContext, Services
from bot.ui.interaction.match_lookup import Acting
from bot.ui.interaction.responses import FAILURES, Page, Reply
from bot.ui.pages import match_text
from bot.ui.pages.components import TEXT, File, Part, Picture, attached, gallery, text
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.display_names import clean, escape
from games.view import Text
from renderers import Style, text_board

FORMATS: Mapping[str, Text] = {
    "text": Text.of("Text, for people"),
    "json": Text.of("JSON, for programs"),
}
"""What a record can be written as."""
_LONGEST_WORDS = 200
_DOWNLOAD = 10.0
"""Seconds that a file may take to come from Discord."""
_MATCH_ID = frozenset("abcdefghijklmnopqrstuvwxyz234567")


class Recording(Acting):
    """Acts about records."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._one_at_a_time = asyncio.Semaphore(1)

    async def export_here(self, context: InteractionContext, form: str, match_id: str) -> Reply:
        """``/export``: the record of the match that is meant, as a file for this person alone."""
        if match_id.strip():
            match = await self._match(context, match_id.strip().lower()[:40])
        else:
            try:
                match = await self._mine(context, f"export/{form}")
            except UserError as error:
                which = error.code == "no_match_here"
                raise UserError("record_which") if which else error from None
        return await self._export(context, match, (form,))

    async def export(self, context: InteractionContext, control: Control) -> Reply:
        """**Record** under a finished board: the record in all its forms."""
        match = await self._match(context, control.match)
        return await self._export(context, match, tuple(FORMATS))

    async def _export(
        self, context: InteractionContext, match: Match, forms: tuple[str, ...]
    ) -> Reply:
        mine = match.index_of(context.user_id) is not None
        if match.status is MatchStatus.RUNNING and not mine:
            raise UserError("record_running")
        events = await self.services.matches.history(context.actor, match.id)
        people = [await self._person(player, context.language) for player in match.players]
        record = record_of(match, events, people)
        now = self.services.clock.now()
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

    async def _person(self, player: UserId | None, language: Language) -> Person:
        if player is None:
            return Person("?")
        return Person(
            clean(await self.services.presenter.names.name(player, language)), str(player)
        )

    async def import_record(
        self, context: InteractionContext, attachment: discord.Attachment | discord.Object
    ) -> Reply:
        """``/import``: play a record through and show where it leads, to this person alone.

        A file of which Discord says nothing arrives as a bare object.
        """
        if isinstance(attachment, discord.Object):
            raise UserError("record_unreadable")
        data = await self._download(attachment)
        try:
            async with self._one_at_a_time:
                judged = await asyncio.to_thread(read_record, data)
        except UserError as error:
            return Reply(_refused(error, context.language))
        return await self._shown(context, judged)

    async def _download(self, attachment: discord.Attachment) -> bytes:
        """The bytes of a file that Discord keeps for us, if they are few enough."""
        if attachment.size > LARGEST:
            raise UserError("record_too_large", limit=LARGEST // 1024)
        if attachment.size < 1:
            raise UserError("record_empty")
        task = self.services.background.start(attachment.read())
        done, _ = await asyncio.wait({task}, timeout=_DOWNLOAD)
        if not done or isinstance(task.exception(), FAILURES):
            raise UserError("record_unreadable")
        return task.result()

    async def _shown(self, context: InteractionContext, judged: Judged) -> Reply:
        language = context.language
        record = _tidy(judged.record)
        game = judged.game
        view = game.view(judged.position, None)
        if judged.last is not None:
            view = view.with_marks(game.marks(judged.before, judged.last))
        names = tuple(person.name for person in record.players)
        presenter = context.presenter
        style = Style(
            theme=presenter.theme, names=names, locale=language.locale, translate=language
        )
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
