"""The part of the store that is about ratings; see its protocol for what is promised."""

from __future__ import annotations

from datetime import datetime

from bot.domain.ids import GuildId, MatchId, UserId
from bot.services.ratings import Entry, HeadToHead, Placing
from bot.store import ratings
from bot.store.database import Database


class SqlRatings:
    """:class:`bot.services.ratings.RatingStore` on a :class:`~bot.store.database.Database`."""

    _database: Database

    async def ratings_of(self, user_id: UserId) -> tuple[Entry, ...]:
        """Somebody's records."""
        return await self._database.look(lambda c: ratings.ratings_of(c, user_id))

    async def placings_of(self, user_id: UserId, game: str, limit: int) -> tuple[Placing, ...]:
        """Somebody's last rated matches of a game."""
        return await self._database.read(lambda c: ratings.placings_of(c, user_id, game, limit))

    async def leaders(
        self,
        game: str,
        guild_id: GuildId | None,
        *,
        deviations: tuple[float, float],
        since: datetime,
        limit: int,
    ) -> tuple[Entry, ...]:
        """The highest rated in a game."""
        return await self._database.read(
            lambda c: ratings.leaders(
                c, game, guild_id, deviations=deviations, since=since, limit=limit
            )
        )

    async def encounters(self, one: UserId, other: UserId, limit: int) -> tuple[HeadToHead, ...]:
        """The rated matches in which two people met."""
        return await self._database.read(lambda c: ratings.encounters(c, one, other, limit))

    async def gains(self, match_id: MatchId) -> tuple[tuple[UserId, int | None, int], ...]:
        """What a match did to the numbers of its players."""
        return await self._database.look(lambda c: ratings.gains(c, match_id))

    async def rebuild_ratings(self) -> tuple[int, int]:
        """Compute every rating anew."""
        return await self._database.write(ratings.rebuild)
