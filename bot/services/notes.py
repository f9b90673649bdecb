"""What players keep of matches for themselves alone: notes on moves, and favourites."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.domain.ids import MatchId, UserId
from bot.domain.match import Actor, Match
from bot.errors import UserError
from bot.services.matches import MatchService
from bot.services.ports import Clock, ask

LONGEST_NOTE = 500
"""Characters of a note."""
MOST_NOTES = 500
"""Notes of one person in one match."""
MOST_FAVOURITES = 500
"""Matches that one person can keep as favourites, of those that they see in one place."""


@dataclass(frozen=True, slots=True)
class MatchNotes:
    """What a person has kept of a match: whether it is a favourite, and notes by ply.

    Ply 0 is the start of the match.
    """

    is_favourite: bool = False
    notes: tuple[tuple[int, str], ...] = ()

    def note(self, ply: int) -> str:
        """The note on a ply, '' if there is none."""
        return dict(self.notes).get(ply, "")


class NoteStore(Protocol):
    """Where notes and favourites are kept. Every method is one transaction."""

    async def kept_of(self, user_id: UserId, match_id: MatchId) -> MatchNotes:
        """What a person has kept of a match."""
        ...

    async def keep_note(
        self,
        user_id: UserId,
        match_id: MatchId,
        ply: int,
        words: str,
        *,
        now: datetime,
        most: int,
    ) -> bool:
        """Put a note in the place of the one before, '' to drop it; False if there are so many."""
        ...

    async def keep_favourite(
        self, actor: Actor, match_id: MatchId, now: datetime, most: int, *, is_one: bool
    ) -> bool:
        """Add a match to a person's favourites or take it out; False if so many are listed there.

        What they cannot see where they are, and so cannot take out, does not count.
        """
        ...

    async def favourites(self, actor: Actor, limit: int, skipped: int) -> tuple[Match, ...]:
        """A person's favourites, the last added first: those they may see where they are."""
        ...


class NoteService:
    """What a person can keep of the matches that they may see."""

    def __init__(self, store: NoteStore, matches: MatchService, clock: Clock) -> None:
        self._store = store
        self._matches = matches
        self._clock = clock

    async def of(self, user_id: UserId, match_id: MatchId) -> MatchNotes:
        """What a person has kept of a match. Raises ``store_unavailable``."""
        return await ask(self._store.kept_of(user_id, match_id))

    async def write(self, actor: Actor, match_id: MatchId, ply: int, words: str) -> MatchNotes:
        """Write a note on a ply, or drop it with no words.

        Raises :exc:`~bot.errors.UserError`: ``no_such_match``, ``too_many_notes`` (``most``),
        ``store_unavailable``.
        """
        await self._matches.match(actor, match_id)
        plain = words.strip()[:LONGEST_NOTE]
        now = self._clock.now()
        keeping = self._store.keep_note(
            actor.user_id, match_id, ply, plain, now=now, most=MOST_NOTES
        )
        if not await ask(keeping):
            raise UserError("too_many_notes", most=MOST_NOTES)
        return await self.of(actor.user_id, match_id)

    async def favour(self, actor: Actor, match_id: MatchId, *, is_one: bool) -> MatchNotes:
        """Add a match to the favourites or take it out.

        Raises :exc:`~bot.errors.UserError`: ``no_such_match``, ``too_many_favourites`` (``most``),
        ``store_unavailable``.
        """
        await self._matches.match(actor, match_id)
        now = self._clock.now()
        keeping = self._store.keep_favourite(actor, match_id, now, MOST_FAVOURITES, is_one=is_one)
        if not await ask(keeping):
            raise UserError("too_many_favourites", most=MOST_FAVOURITES)
        return await self.of(actor.user_id, match_id)

    async def favourites(self, actor: Actor, limit: int, skipped: int = 0) -> tuple[Match, ...]:
        """A person's favourites, the last added first: those they may see where they are.

        A match of another server that they only watched is listed in that server, and not after
        Parlour has left it. Raises ``store_unavailable``.
        """
        return await ask(self._store.favourites(actor, limit, skipped))
