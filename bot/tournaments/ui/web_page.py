"""A tournament as a document for a browser: tables, bracket, rounds, and every game to view."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import Any

from markupsafe import Markup

from bot.domain.playthrough import moves_of, play_through
from bot.errors import UserError
from bot.history.ui.replay import plain_outcome
from bot.i18n import Language
from bot.tournaments.domain.facts import How
from bot.tournaments.domain.setup import FormatKey
from bot.tournaments.domain.tournament import PlayedGame, TournamentStatus, sum_of
from bot.tournaments.services.views import EventView
from bot.tournaments.store.records import BegunGame
from bot.tournaments.ui import setup_words, words
from bot.tournaments.ui.home_page import champion_words, remarkable
from bot.tournaments.ui.tables import (
    bracket_of,
    cross_legend,
    cross_note,
    cross_table,
    divisions_of,
    kinds_of,
    standing_table,
    unrated_lines,
)
from bot.tournaments.ui.words import EventText
from bot.ui.pages import match_text
from bot.ui.pages.display_names import clean
from bot.ui.pages.reader import Reader
from bot.ui.web.document import Album, DrawnGame, day_words, document, drawn
from renderers import SharedLayers, Style

_MARKDOWN = re.compile(r"\*\*|\\(?=[^\w\s])")
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class WebGame:
    """A game whose match has begun: its moves, its end if any, and its board to step through."""

    moves: tuple[str, ...] = ()
    outcome: str = ""
    board: Markup | None = None


@dataclass(frozen=True, slots=True)
class _Side:
    name: str
    points: str
    won: bool


@dataclass(frozen=True, slots=True)
class EventDocument:
    """The sources of an event's document.

    ``games`` are by their id in the event; ``images`` are the pictures of their boards. ``home`` is
    the address of the page with all events, '' if there is none.
    """

    event: EventText
    now: datetime
    games: Mapping[str, WebGame] = field(default_factory=dict)
    images: Sequence[Markup] = ()
    home: str = ""

    def made(self) -> bytes:
        """The document. With hundreds of players and games it takes a second."""
        event, language = self.event, self.event.language
        view, t = event.view, event.t
        name = clean(t.setup.name, longest=_LONGEST_NAME)
        is_over = t.status is TournamentStatus.FINISHED
        kinds = kinds_of(view)
        bracket = bracket_of(event) if "tbracket" in kinds else None
        about: dict[str, Any] = {
            "name": name,
            "home": self.home,
            "terms": _MARKDOWN.sub("", setup_words.terms(t.setup, language)),
            "state": language(words.STATUS_WORDS[t.status]),
            "days": self._days(),
            "count": language.plural("{n} player", "{n} players", n=len(t.entrants)),
            "champion": champion_words(event.called(event.who, name))
            if is_over and view.champion
            else "",
            "brackets": [] if bracket is None else [bracket],
            "standings": self._tables(standing_table) if "tstand" in kinds else [],
            "unrated": unrated_lines(event, event.who),
            "crosstables": self._tables(cross_table) if "tcross" in kinds else [],
            "cross_legend": cross_note(language)
            if t.setup.format is FormatKey.SWISS
            else cross_legend(t.setup.format, language),
            "entrants": self._entrants(),
            "remarkable": self._remarkable() if is_over else [],
            "rounds": list(self._rounds()),
            "games": list(self._games()),
            "images": self.images,
            "said": self._said(),
        }
        about["sections"] = [
            {"id": key, "title": about["said"][key]}
            for key, there in (
                ("bracket", about["brackets"]),
                ("standings", about["standings"]),
                ("crosstable", about["crosstables"]),
                ("players", about["entrants"]),
                ("rounds", about["rounds"]),
                ("games", about["games"]),
            )
            if there
        ]
        return document("event.html", language, **about)

    def _said(self) -> dict[str, str]:
        language = self.event.language
        return {
            "all": language.say("All tournaments"),
            "contents": language.say("On this page"),
            "bracket": language.say("Bracket"),
            "standings": language.say("Standings"),
            "crosstable": language.say("Crosstable"),
            "rounds": language.say("Pairings"),
            "games": language.say("Games"),
            "worth": language.say("Games worth a look"),
            "board": language.say("Board"),
            "place": language.say("Place"),
            "player": language.say("Player"),
            "players": language.say("Players"),
            "result": language.say("Result"),
            "moves": language.say("Moves"),
            "no_pictures": language.say("Moves only: there was no room for pictures of this game."),
            "start": language.say("Start"),
            "first": language.say("First"),
            "back": language.say("Back"),
            "on": language.say("Next"),
            "last": language.say("Last"),
            "made": made_words(self.now, language),
        }

    def _days(self) -> str:
        t = self.event.t
        last = t.updated_at if t.status.is_final else t.finish
        first, end = (day_words(each.date(), self.event.language) for each in (t.begins, last))
        return first if first == end or last < t.begins else f"{first} – {end}"

    # ---- tables --------------------------------------------------------------------------------

    def _tables(self, make: Any) -> list[Any]:
        divisions = divisions_of(self.event.view)
        found = []
        for division, placings in divisions.items():
            table = make(self.event, division, placings)
            title = ""
            if len(divisions) > 1:
                title = self.event.say("Division {number}", number=division)
            found.append(replace(table, title=title))
        return found

    def _entrants(self) -> list[str]:
        """The players in the order of seeds, until a table shows them."""
        t = self.event.t
        if kinds_of(self.event.view):
            return []
        entrants = [t.entrants[number - 1] for number in t.seeding]
        return [
            self.event.who(each.number) + ("" if each.rating is None else f" ({each.rating})")
            for each in entrants
            if each.is_active
        ]

    # ---- games ---------------------------------------------------------------------------------

    def _rounds(self) -> Iterator[dict[str, Any]]:
        t = self.event.t
        for a_round in reversed(t.rounds):
            games = t.in_round(a_round.number)
            if not t.setup.format.facts.has_rounds:
                games = games[::-1]
            byes = [
                self.event.language.pair(self.event.who(number), self.event.bye(kind))
                for number, kind in sorted(a_round.byes.items())
            ]
            yield {
                "number": a_round.number,
                "title": self.event.round_name(a_round.number),
                "rows": [self._row(each) for each in t.pairings(games)],
                "byes": byes,
            }

    def _row(self, pairing: Sequence[PlayedGame]) -> dict[str, Any]:
        """One line of a round: a game, or the two of a pairing with their sum."""
        language, first = self.event.language, pairing[0]
        is_over = all(each.is_over for each in pairing)
        points: Sequence[Fraction] = ()
        if len(pairing) == 1:
            score, note = self._score(first)
        else:
            total = self.event.pairing_score(pairing)
            score, note = total.text, total.note
            points = sum_of(pairing) if is_over else ()
        found = [(each.game.id, self.games.get(each.game.id)) for each in pairing]
        begun = {_anchor(key): game for key, game in found if game is not None}
        if begun and not is_over:
            note = language.say("Running")
        name = words.meeting_name(self.event, first.game)
        return {
            "board": first.game.board,
            "sides": self._sides(first, points),
            "score": score,
            "note": " · ".join(each for each in (name, note) if each),
            "games": {href: _count(game, language) for href, game in begun.items()},
        }

    def _score(self, played: PlayedGame) -> tuple[str, str]:
        """The result of a game of two, and its reason where that matters."""
        if played.how is How.UNFINISHED and self.event.t.setup.format is FormatKey.ARENA:
            return "", self.event.say("not over at the end, so it doesn't count")
        found = self.event.score(played)
        return "" if played.is_table else found.text, found.note

    def _sides(self, played: PlayedGame, points: Sequence[Fraction] = ()) -> list[_Side]:
        """The players of a game, and the winner by these points, or by its own."""
        points = tuple(points or played.points or ())
        best = max(points, default=0)
        won = [each == best > 0 and points.count(each) == 1 for each in points]
        return [
            _Side(
                self.event.who(number),
                words.points(points[seat]) if points and played.is_table else "",
                bool(won) and won[seat],
            )
            for seat, number in enumerate(played.game.players)
        ]

    def _games(self) -> Iterator[dict[str, Any]]:
        """Games that have begun, the newest round first."""
        for played in shown_first(self.event.view):
            game = self.games.get(played.game.id)
            if game is None:
                continue
            score, note = self._score(played)
            where = [
                words.meeting_name(self.event, played.game)
                or self.event.round_name(played.game.round),
                _count(game, self.event.language),
                note,
            ]
            if not self.event.t.setup.format.facts.has_rounds:
                where[0] = f"#{played.game.board}"
            sides = self._sides(played)
            yield {
                "id": _anchor(played.game.id),
                "players": " – ".join(f"{each.name} {each.points}".rstrip() for each in sides),
                "score": score,
                "where": " · ".join(each for each in where if each),
                "board": game.board,
                "outcome": game.outcome,
                "moves": game.moves,
            }

    def _remarkable(self) -> list[dict[str, str]]:
        found = []
        for name, why in remarkable(self.event.view).items():
            played = self.event.t.games[name]
            players = self.event.players(played.game)
            score, _ = self._score(played)
            shown = f"{players} {score}".rstrip()
            href = _anchor(name) if name in self.games else ""
            found.append({"why": self.event(why), "players": shown, "href": href})
        return found


def shown_first(view: EventView) -> tuple[PlayedGame, ...]:
    """All games, the newest round first: without enough room, the oldest are left out."""
    t = view.tournament
    down = 1 if t.setup.format.facts.has_rounds else -1

    def order(each: PlayedGame) -> tuple[int, int, str]:
        return -each.game.round, down * each.game.board, each.game.id

    return tuple(sorted(t.games.values(), key=order))


def made_words(now: datetime, language: Language) -> str:
    """The line at the foot of a document."""
    return language.say("Made with Parlour on {date}.", date=day_words(now.date(), language))


def _count(game: WebGame, language: Language) -> str:
    return language.plural("{count} move", "{count} moves", by="count", count=len(game.moves))


def _anchor(game: str) -> str:
    return "g-" + re.sub(r"[^A-Za-z0-9.]", "-", game)


Run = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Does work in a thread; raises :exc:`~bot.errors.UserError` if it must not be done now."""


@dataclass(frozen=True, slots=True)
class Written:
    """A document, and the games in it that have no pictures, by id."""

    content: bytes
    without: tuple[str, ...]


async def write_document(
    document: EventDocument,
    begun: Sequence[BegunGame],
    reader: Reader,
    run: Run,
    limit: int,
) -> Written:
    """The document of an event in at most ``limit`` bytes, with boards of as many games as fit.

    Games are drawn one by one, the newest round first. If ``run`` refuses one, or there is no room
    for its pictures, it has its moves alone. Raises ``file_too_large`` if not even the words fit,
    and the errors of ``run`` before the first game.
    """
    by_id = {each.id: each for each in begun}
    order = [
        by_id[each.game.id] for each in shown_first(document.event.view) if each.game.id in by_id
    ]
    language, games, styles = document.event.language, {}, {}
    for each in order:
        style = styles[each.id] = await reader.style(each.match)
        said = match_text.turn(each.match, language)
        outcome = plain_outcome(each.match, said, style.names, language)
        games[each.id] = WebGame(moves_of(each.events), outcome)
    bare: bytes = await run(replace(document, games=games).made)
    if len(bare) > limit:
        raise UserError("file_too_large")
    album, shared = Album(limit - len(bare)), SharedLayers()
    for each in order:
        try:
            found: DrawnGame | None = await run(partial(_drawn, each, styles[each.id], shared))
        except UserError:
            break
        board = None if found is None else album.add(found)
        games[each.id] = replace(games[each.id], board=board)
    whole = replace(document, games=games, images=album.images)
    content = await asyncio.to_thread(whole.made) if album.images else bare
    without = tuple(name for name, game in games.items() if game.moves and game.board is None)
    return Written(content, without)


def _drawn(game: BegunGame, style: Style, shared: SharedLayers) -> DrawnGame | None:
    """The boards of a game; None if they cannot be drawn, as after a change of its rules."""
    try:
        return drawn(play_through(game.match, game.events), style, shared)
    except UserError:
        return None
