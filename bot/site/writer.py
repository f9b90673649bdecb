"""``parlour site``: public tournaments as files for any web server.

Only servers whose managers have agreed (``/server settings``) are on it. A file in the folder marks
it as a site; nothing is written to a folder with other files in it. Each run replaces the whole
site: an erased player is a number in it, and the pages of events that are no longer public go.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bot.clock import Clock
from bot.domain.ids import GuildId, TournamentId, UserId
from bot.errors import UserError
from bot.services.ratings import RatingService
from bot.site.pages import index_page, leaderboard_document
from bot.store import Store, people
from bot.store.records import PlayerRating
from bot.tournaments.domain.tournament import TournamentStatus
from bot.tournaments.services.views import games_of, viewed
from bot.tournaments.store import reading
from bot.tournaments.ui.web_page import EventDocument, write_document
from bot.tournaments.ui.words import EventText, plainly
from bot.ui.pages.display_names import clean
from bot.ui.pages.reader import Reader
from games import catalog

_MARK = ".parlour-site"
_EVENTS = "events"
_PAGE = re.compile(r"[a-z0-9]{1,40}\.html")
_MOST_EVENTS = 1_000
"""The most events of a server, the newest first."""
_LARGEST = 50_000_000
"""The most bytes of a page."""
_BEST = 100
_FOR_ALL, _FOLDER = 0o644, 0o755
"""The web server runs as another user."""


class FolderRefused(Exception):
    """A folder that must not be written to; ``str()`` has the reason."""


@dataclass(frozen=True, slots=True)
class SiteWritten:
    """The number of events of a site, and of games without pictures."""

    events: int
    without: int


@dataclass(frozen=True, slots=True)
class Site:
    """A site in a folder, to be written."""

    store: Store
    reader: Reader
    clock: Clock
    folder: Path

    async def written(self) -> SiteWritten:
        """Write it. Raises :exc:`FolderRefused`, :exc:`OSError`."""
        await asyncio.to_thread(_prepare, self.folder)
        servers = await self.store.read(people.on_website)
        listed: list[tuple[EventText, str]] = []
        without = 0
        for guild_id in servers:
            found = await self.store.read(reading.of_server, guild_id, "", None, _MOST_EVENTS)
            for summary in found:
                if summary.status is TournamentStatus.CANCELLED:
                    continue
                page = await self._event(summary.id)
                if page is not None:
                    listed.append(page[:2])
                    without += page[2]
        listed.sort(key=lambda each: each[0].t.begins, reverse=True)
        listed.sort(key=lambda each: each[0].t.status.is_final)
        now = self.clock.now()
        index = await asyncio.to_thread(index_page, listed, self.reader.language, now)
        board = await self._leaderboard(servers)
        await asyncio.to_thread(_write, self.folder / "leaderboard.html", board)
        await asyncio.to_thread(_write, self.folder / "index.html", index)
        kept = {href.rpartition("/")[2] for _, href in listed}
        await asyncio.to_thread(_sweep, self.folder / _EVENTS, kept)
        return SiteWritten(len(listed), without)

    async def _event(self, tournament_id: TournamentId) -> tuple[EventText, str, int] | None:
        """Write the page of an event: its entry for the list, and its games without pictures."""
        stored = await self.store.read(reading.stored, tournament_id)
        if stored is None or stored.set_aside_at is not None:
            return None
        view = await viewed(self.store, stored)
        event = await plainly(self.reader, EventText(view, self.reader.language))
        href = f"{_EVENTS}/{tournament_id}.html"
        document = EventDocument(event, self.clock.now(), home="../index.html")
        begun = await games_of(self.store, stored)
        try:
            made = await write_document(document, begun, self.reader, asyncio.to_thread, _LARGEST)
        except UserError:
            return None  # Tables of more than 50 MB: no event of ours is that large.
        await asyncio.to_thread(_write, self.folder / href, made.content)
        return event, href, len(made.without)

    async def _leaderboard(self, servers: Iterable[GuildId]) -> bytes:
        """The best players of these servers."""
        ratings = RatingService(self.store, self.clock)
        best: dict[str, list[PlayerRating]] = {}
        for game in catalog.GAMES:
            found: dict[UserId, PlayerRating] = {}
            for guild_id in servers:
                for each in await ratings.leaderboard(game, guild_id, _BEST):
                    found[each.user_id] = each
            order = sorted(
                found.values(), key=lambda each: (each.is_provisional, -each.points, each.user_id)
            )
            best[game] = order[:_BEST]
        names = {
            each.user_id: clean(await self.reader.name(each.user_id), longest=40)
            for players in best.values()
            for each in players
        }
        now = self.clock.now()
        return await asyncio.to_thread(leaderboard_document, best, names, self.reader.language, now)


def _prepare(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise FolderRefused(f"{folder} is not a folder.")
    is_ours = (folder / _MARK).exists()
    if folder.exists() and not is_ours and any(folder.iterdir()):
        raise FolderRefused(
            f"{folder} has files in it that are not of a site of Parlour. Name an empty folder."
        )
    for each in (folder, folder / _EVENTS):
        each.mkdir(parents=True, exist_ok=True)
        each.chmod(_FOLDER)
    (folder / _MARK).touch()


def _write(path: Path, content: bytes) -> None:
    """Replace a file atomically, readable for all."""
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(content)
    beside.chmod(_FOR_ALL)
    beside.replace(path)


def _sweep(folder: Path, kept: set[str]) -> None:
    """Remove the pages of events that are no longer on the site."""
    for path in folder.iterdir():
        if _PAGE.fullmatch(path.name) and path.name not in kept:
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
