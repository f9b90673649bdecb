"""The lobby: one message in a server that lists its open offers.

A change of an open offer updates the server's lobby in the same transaction; it is a message that
is edited in place (:mod:`bot.store.standing`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.clock import Clock
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.lobby import store as lobbies
from bot.lobby.store import LobbyNote
from bot.posts.outgoing import Key, id_in
from bot.services.ratings import PlayerRating, RatingService
from bot.store import Store

_MOST = 200


def server_of(key: Key) -> GuildId:
    """The server of a lobby, or of a role, by its key."""
    return GuildId(int(id_in(key).partition(".")[0]))


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """An open offer with its maker's rating; the rating may be provisional."""

    match: Match
    points: int
    is_provisional: bool


class LobbyService:
    """Looks up open offers of a server."""

    def __init__(self, store: Store, ratings: RatingService, clock: Clock) -> None:
        self._store = store
        self._ratings = ratings
        self._clock = clock

    async def offers(self, guild_id: GuildId) -> tuple[Match, ...]:
        """The open offers of a server, the newest first."""
        return await self._store.read(lobbies.open_offers, guild_id, self._clock.now(), _MOST)

    async def described(self, matches: Sequence[Match]) -> tuple[OpenOffer, ...]:
        """The offers with the ratings of their makers."""
        open_offers = []
        for match in matches:
            host = match.players[match.offered_by]
            assert host is not None  # noqa: S101 - an offer that is open has its host
            standing = await self._ratings.standing(host, match.game)
            open_offers.append(OpenOffer(match, standing.points, standing.is_provisional))
        return tuple(open_offers)

    async def closed_to(
        self, user_id: UserId, matches: Sequence[Match]
    ) -> Mapping[MatchId, PlayerRating]:
        """The offers that a player's rating excludes, each with that rating."""
        found = {}
        for match in matches:
            band = match.band_for(user_id)
            if band is not None and match.index_of(user_id) is None:
                standing = await self._ratings.standing(user_id, match.game)
                if standing.points not in band:
                    found[match.id] = standing
        return found

    async def note(self, guild_id: GuildId) -> LobbyNote | None:
        """The state of a lobby, None if the server has none."""
        return await self._store.read(lobbies.note, guild_id)
