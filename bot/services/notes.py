"""What players keep of matches for themselves alone: notes on moves, and favourites."""

from __future__ import annotations

from bot.clock import Clock
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Actor, Match
from bot.errors import UserError
from bot.services.matches import MatchService
from bot.store import Store, plans
from bot.store.records import MatchNotes

LONGEST_NOTE = 500
"""Characters of a note."""
MOST_NOTES = 500
"""Notes of one person in one match."""
MOST_FAVOURITES = 500
"""Matches that one person can keep as favourites, of those that they see in one place."""


class NoteService:
    """What a person can keep of the matches that they may see."""

    def __init__(self, store: Store, matches: MatchService, clock: Clock) -> None:
        self._store = store
        self._matches = matches
        self._clock = clock

    async def of(self, user_id: UserId, match_id: MatchId) -> MatchNotes:
        """What a person has kept of a match. Raises ``store_unavailable``."""
        return await self._store.read(plans.notes_of, user_id, match_id)

    async def write(self, actor: Actor, match_id: MatchId, ply: int, words: str) -> MatchNotes:
        """Write a note on a ply, or drop it with no words.

        Raises :exc:`~bot.errors.UserError`: ``no_such_match``, ``too_many_notes`` (``most``),
        ``store_unavailable``.
        """
        await self._matches.match(actor, match_id)
        plain = words.strip()[:LONGEST_NOTE]
        now = self._clock.now()
        keeping = self._store.write(
            plans.keep_note, actor.user_id, match_id, ply, plain, now=now, most=MOST_NOTES
        )
        if not await keeping:
            raise UserError("too_many_notes", most=MOST_NOTES)
        return await self.of(actor.user_id, match_id)

    async def favour(self, actor: Actor, match_id: MatchId, *, is_one: bool) -> MatchNotes:
        """Add a match to the favourites or take it out.

        Raises :exc:`~bot.errors.UserError`: ``no_such_match``, ``too_many_favourites`` (``most``),
        ``store_unavailable``.
        """
        await self._matches.match(actor, match_id)
        now = self._clock.now()
        keeping = self._store.write(
            plans.keep_favourite, actor, match_id, now, MOST_FAVOURITES, is_one=is_one
        )
        if not await keeping:
            raise UserError("too_many_favourites", most=MOST_FAVOURITES)
        return await self.of(actor.user_id, match_id)

    async def favourites(self, actor: Actor, limit: int, skipped: int = 0) -> tuple[Match, ...]:
        """A person's favourites, the last added first: those they may see where they are.

        A match of another server that they only watched is listed in that server, and not after
        Parlour has left it. Raises ``store_unavailable``.
        """
        return await self._store.read(plans.favourites_of, actor, limit, skipped)
