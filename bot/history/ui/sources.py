"""Sources of the pages that look back: a match, a sample of a game, or the page's own file.

Samples and files have names in place of a match id, which no match id can equal. So stepping,
replays and analysis work for them as well.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from typing import Any

from bot.domain.game_state import GameState
from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.domain.playthrough import Playthrough, play_through
from bot.errors import UserError
from bot.history.domain import (
    LARGEST,
    Conclusion,
    Judged,
    Person,
    Record,
    read_record,
    record_of,
    write_text,
)
from bot.history.domain.playback import playback, record_in, sample_line
from bot.i18n import Language
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match
from bot.ui.pages import board_page, match_text
from bot.ui.pages.components import File, Page, Reply, attached, walk
from bot.ui.pages.display_names import clean, escape
from bot.ui.pages.reader import Reader
from bot.ui.rest import FAILURES
from games import catalog
from games.api import GameInfo, SampleGame

FILE = "file0"
"""Stands for the file of the page."""
_SAMPLE = re.compile(r"s0(?P<game>[a-z]{1,16})0(?P<number>[0-9])", re.ASCII)
_FILE_COMPONENT = 13
REPLAY = "replay.gif"
_DOWNLOAD = 10.0
"""Seconds before a download fails."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game from a file, or a sample: its origin, its players by player index, its result.

    ``file`` travels with the page and is read again at the next click.
    """

    title: str
    names: tuple[str, ...]
    outcome: str
    file: File | None = None


@dataclass(frozen=True, slots=True)
class ReplaySource:
    """A match played through; ``recorded`` and ``record`` for a game that was not played here."""

    line: Playthrough
    recorded: Recorded | None = None
    record: Record | None = None

    @property
    def match(self) -> Match:
        """The match, with an id that names the source."""
        return self.line.match

    def reader(self, context: InteractionContext) -> Reader:
        """The reader, who knows the players of a game from elsewhere by name."""
        if self.recorded is None:
            return context.reader
        return replace(context.reader, players=self.recorded.names)

    def heading(self, language: Language, table: GameState | None = None) -> str:
        """The heading of a page about a position, by default the last."""
        if self.recorded is None:
            return board_page.title(self.match, language, table)
        players = " – ".join(escape(each) for each in self.recorded.names)
        parts = (match_text.game_name(self.match), self.recorded.title)
        return f"### {' · '.join(filter(None, parts))}\n{players}"

    def outcome(self, language: Language) -> str:
        """How the match ended, or how it stands."""
        if self.recorded is not None:
            return self.recorded.outcome
        return match_text.turn(self.match, language)

    def carried(self, reply: Reply) -> Reply:
        """A page with the file of the game, if it is from one."""
        return carrying(reply, None if self.recorded is None else self.recorded.file)


def carrying(reply: Reply, file: File | None) -> Reply:
    """A page with a file, if there is one, which the next click on it brings along."""
    if file is None or reply.page is None:
        return reply
    return replace(reply, page=Page(*reply.page.components, attached(file)))


def sample_name(game: str, number: int) -> str:
    """The name of a sample in place of a match id."""
    return f"s0{game}0{number}"


async def source_of(context: InteractionContext, name: str) -> ReplaySource:
    """The source named by a control. Raises :exc:`~bot.errors.UserError`."""
    if name == FILE:
        data = await carried(context)
        if data is None:
            raise UserError("out_of_date")
        return await read_file(context, data)
    found = _SAMPLE.fullmatch(name)
    if found is not None:
        return await _sample(context, found["game"], int(found["number"]), name)
    return await source_of_match(context, await find_match(context, name))


async def source_of_match(context: InteractionContext, match: Match) -> ReplaySource:
    """A match played through."""
    events = await context.services.matches.history(context.actor, match.id)
    known = events[: match.version]
    played = await context.services.heavy.run(context.user_id, play_through, match, known)
    return ReplaySource(played)


async def _sample(context: InteractionContext, game: str, number: int, name: str) -> ReplaySource:
    kind = catalog.GAMES.get(game)
    if kind is None or number >= len(kind.info.samples):
        raise UserError("out_of_date")
    info, sample = kind.info, kind.info.samples[number]
    line = await context.services.heavy.run(context.user_id, sample_line, info, sample, name)
    recorded = _of_sample(context, info, sample, line)
    record = record_in(line, tuple(map(Person, recorded.names)))
    return ReplaySource(line, recorded, record)


def _of_sample(
    context: InteractionContext, info: GameInfo, sample: SampleGame, line: Playthrough
) -> Recorded:
    language = context.language
    names = tuple(language(each) for each in sample.players)
    result = line.match.result
    assert result is not None  # noqa: S101 - a sample is a whole game
    said = match_text.won_by([names[each] for each in result.winners], language)
    if sample.resigned is not None:
        gone = language.say("{player} resigned.", player=names[sample.resigned])
        return Recorded(language(sample.title), names, f"{said} {gone}")
    why = language(info.reasons[result.reason])
    end = f"{said} {why} {match_text.points(names, result.scores)}".rstrip()
    return Recorded(language(sample.title), names, end)


async def read_file(context: InteractionContext, data: bytes) -> ReplaySource:
    """The game in the bytes of a file."""
    judged, line, tidied = await context.services.heavy.run(context.user_id, _read, data)
    title = match_text.options(judged.game.info, judged.record.options, context.language)
    names = tuple(person.name for person in judged.record.players)
    recorded = Recorded(title, names, _outcome(judged, context.language), tidied)
    return ReplaySource(line, recorded, judged.record)


def _read(data: bytes) -> tuple[Judged, Playthrough, File]:
    """The record in a file, played through, and a tidy copy of the file."""
    judged = read_record(data)
    judged = replace(judged, record=_tidy(judged.record))
    copy = File("record.txt", write_text(judged.record).encode())
    return judged, playback(judged, FILE), copy


async def record_of_match(context: InteractionContext, match: Match) -> Record:
    """The record of a match, with names of players."""
    events = await context.services.matches.history(context.actor, match.id)
    people = [await person_of(context, player) for player in match.players]
    return await context.services.heavy.run(context.user_id, record_of, match, events, people)


async def person_of(context: InteractionContext, player: UserId | None) -> Person:
    """A player as records have them."""
    if player is None:
        return Person("?")
    return Person(clean(await context.reader.name(player)), str(player))


async def downloaded(context: InteractionContext, reading: Coroutine[Any, Any, bytes]) -> bytes:
    """The bytes of a file on Discord. Raises ``record_unreadable``."""
    task = context.services.background.start(reading)
    done, _ = await asyncio.wait({task}, timeout=_DOWNLOAD)
    if not done or isinstance(task.exception(), FAILURES):
        raise UserError("record_unreadable")
    return task.result()


async def carried(context: InteractionContext) -> bytes | None:
    """The bytes of the clicked page's file; None if it has none."""
    parts = [] if context.interaction.message is None else context.parts()
    urls = [
        str((each.get("file") or {}).get("url") or "")
        for each in walk(parts)
        if each.get("type") == _FILE_COMPONENT
    ]
    urls = [each for each in urls if f"/{REPLAY}" not in each]
    if not urls:
        return None
    if len(urls) != 1 or not urls[0].startswith(("https://", "http://")):
        raise UserError("out_of_date")
    data = await downloaded(context, context.interaction.client.http.get_from_cdn(urls[0]))
    if len(data) > LARGEST:
        raise UserError("record_unreadable")
    return data


_MATCH_ID = frozenset("abcdefghijklmnopqrstuvwxyz234567")


def _tidy(record: Record) -> Record:
    """The record with all free text cleaned for display."""
    is_id = 0 < len(record.match) <= 40 and set(record.match) <= _MATCH_ID
    return replace(
        record,
        players=tuple(Person(clean(person.name)) for person in record.players),
        site=clean(record.site),
        match=record.match if is_id else "",
    )


def _outcome(judged: Judged, language: Language) -> str:
    record = judged.record
    names = [escape(person.name) for person in record.players]
    if record.conclusion is Conclusion.ABORTED:
        return language.say("This match was aborted. It has no result.")
    if record.conclusion is Conclusion.UNFINISHED:
        return language.say("The game is not over.")
    said = match_text.won_by([names[player] for player in record.winners], language)
    if record.conclusion is Conclusion.AGREEMENT:
        return said + " " + language.say("The players agreed to a draw.")
    if record.conclusion is Conclusion.RESIGNATION:
        gone = (names[each.player] for each in record.resignations)
        told = [language.say("{player} resigned.", player=each) for each in gone]
        return " ".join([said, *told])
    reason = language(judged.game.info.reasons[record.reason])
    return f"{said} {reason} {match_text.points(names, record.scores)}".rstrip()
