"""Ratings, as players ask for them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta

from bot.clock import Clock
from bot.domain.computers import about_as_strong
from bot.domain.ids import GuildId, UserId
from bot.domain.match import Match
from bot.domain.ratings.rated import RatingRecord, counts, system_of
from bot.store import Store, rating_lists
from bot.store.records import PlayerRating, RatedMatch, RatingChange

ACTIVE_FOR = timedelta(days=365)
"""A player who has not played a rated match for so long is not on the leaderboard."""
_GRAPH = 200


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's ratings, the most played first, with the matches of one of them.

    ``start`` is the rating before them, None where there were earlier ones.
    """

    standings: tuple[PlayerRating, ...]
    graph: tuple[RatedMatch, ...]
    start: int | None = None


class RatingService:
    """Looks up ratings. They change with the matches alone."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def profile(self, user_id: UserId, game: str | None = None) -> Profile:
        """A player's ratings, with the graph of ``game`` or else of the most played one."""
        standings = await self._of(user_id)
        shown = game or (standings[0].game if standings else None)
        if shown is None:
            return Profile(standings, ())
        graph = await self._store.read(rating_lists.placings_of, user_id, shown, _GRAPH)
        system = system_of(shown)
        start = system.shown(system.newcomer) if len(graph) < _GRAPH else None
        return Profile(standings, graph, start)

    async def standing(self, user_id: UserId, game: str) -> PlayerRating:
        """A player's rating in a game; that of a newcomer if they have none yet."""
        for each in await self._of(user_id):
            if each.game == game:
                return each
        system = system_of(game)
        record = RatingRecord(system.newcomer)
        return PlayerRating(user_id, game, system.shown(system.newcomer), True, record)

    async def computer_for(self, user_id: UserId, game: str) -> int:
        """The level of the computer to suggest to a person. Raises ``store_unavailable``."""
        last = await self._store.read(rating_lists.last_against_computer, user_id, game)
        standing = await self.standing(user_id, game)
        return about_as_strong(game, None if standing.is_provisional else standing.points, last)

    async def leaderboard(
        self, game: str, guild_id: GuildId | None, limit: int
    ) -> tuple[PlayerRating, ...]:
        """The best in a game, overall or in a server; provisional ratings come last."""
        certain = system_of(game).certain
        now = self._clock.now()
        found: tuple[PlayerRating, ...] = ()
        for deviations in ((0.0, certain), (certain, math.inf)):
            found += await self._store.read(
                rating_lists.leaders,
                game,
                guild_id,
                deviations=deviations,
                since=now - ACTIVE_FOR,
                now=now,
                limit=limit - len(found),
            )
        return found

    async def place(self, user_id: UserId, game: str, guild_id: GuildId | None) -> int | None:
        """A player's place on the leaderboard from 1; None if they are not on it."""
        since = self._clock.now() - ACTIVE_FOR
        mine = await self.standing(user_id, game)
        if mine.record.last_at is None or mine.record.last_at < since:
            return None
        certain = system_of(game).certain
        is_certain = mine.record.rating.deviation <= certain
        bands = [((0.0, certain), mine if is_certain else None), ((certain, math.inf), mine)]
        place = 1
        for deviations, before in bands[:1] if is_certain else bands:
            place += await self._store.read(
                rating_lists.ahead,
                game,
                guild_id,
                deviations=deviations,
                since=since,
                before=before,
            )
        return place

    async def gains(self, match: Match) -> tuple[RatingChange, ...]:
        """The rating changes of a match, none if it does not count."""
        if not counts(match):
            return ()
        system = system_of(match.game)
        newcomer = system.shown(system.newcomer)
        return await self._store.read(rating_lists.gains, match.id, newcomer)

    async def _of(self, user_id: UserId) -> tuple[PlayerRating, ...]:
        return await self._store.read(rating_lists.ratings_of, user_id, self._clock.now())
