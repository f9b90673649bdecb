"""The lobby: one message in a server that lists its open offers.

What changes an open offer has the server's lobby shown anew in the same transaction; it is a
message that is edited in place (:mod:`bot.services.outbox.standing`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.services.outgoing import Key, id_in, key_of
from bot.services.ports import Clock, StoreUnavailable
from bot.services.ratings import PlayerRating, RatingService
from bot.services.sending import Posted

LOBBY = "lobby"
"""The kind of its message."""
CALL = "call"
"""The kind of a line that pings the role for new offers, and what its key is about."""
CALL_GAP = timedelta(minutes=30)
"""The least time between two such lines in a server, and how long one stands."""
_MOST = 200


def lobby_key(guild_id: GuildId, channel_id: ChannelId) -> Key:
    """The key of the lobby that a server has in a channel."""
    return key_of(LOBBY, f"{guild_id}.{channel_id}")


def call_key(guild_id: GuildId) -> Key:
    """The key of what pings a server's role for new offers."""
    return key_of(CALL, guild_id)


def server_of(key: Key) -> GuildId:
    """The server whose lobby a key stands for, or whose role it is about."""
    return GuildId(int(id_in(key).partition(".")[0]))


@dataclass(frozen=True, slots=True)
class LobbyNote:
    """What is to be known of a lobby: where it is, and a word for why it cannot be shown, if so."""

    channel_id: ChannelId
    posted: Posted | None
    trouble: str | None

    @property
    def is_given_up(self) -> bool:
        """Whether Discord will not have it there, so that a manager has to do something."""
        return self.trouble is not None and self.trouble.startswith(("refused", "gone"))


@dataclass(frozen=True, slots=True)
class Seek:
    """An open offer and what is known of who makes it: the number shown, and if it is uncertain."""

    match: Match
    points: int
    is_provisional: bool


def is_listed(lobby: LobbyNote | None, match: Match) -> bool:
    """Whether an offer stands in the lobby of the very channel where it was made."""
    return (
        lobby is not None
        and match.is_open
        and not any(match.invited)
        and lobby.channel_id == match.origin.channel_id
        and lobby.trouble is None
    )


class LobbyStore(Protocol):
    """Where lobbies are kept. Every method is one transaction.

    Which channel a server has chosen is one of its settings, and kept together with them.
    """

    async def open_offers(self, guild_id: GuildId, now: datetime, limit: int) -> tuple[Match, ...]:
        """The offers of a server with a chair for anybody, the newest first."""
        ...

    async def lobby_of(self, guild_id: GuildId) -> LobbyNote | None:
        """The lobby of a server, None if it has none."""
        ...


class LobbyService:
    """What can be asked about the open offers of a server."""

    def __init__(self, store: LobbyStore, ratings: RatingService, clock: Clock) -> None:
        self._store = store
        self._ratings = ratings
        self._clock = clock

    async def offers(self, guild_id: GuildId) -> tuple[Match, ...]:
        """The open offers of a server, the newest first."""
        return await self._store.open_offers(guild_id, self._clock.now(), _MOST)

    async def described(self, matches: Sequence[Match]) -> tuple[Seek, ...]:
        """The same offers with what is known of those who make them."""
        seeks = []
        for match in matches:
            host = match.players[match.offered_by]
            assert host is not None  # noqa: S101 - an offer that is open has its host
            standing = await self._ratings.standing(host, match.game)
            seeks.append(Seek(match, standing.points, standing.is_provisional))
        return tuple(seeks)

    async def closed_to(
        self, user_id: UserId, matches: Sequence[Match]
    ) -> Mapping[MatchId, PlayerRating]:
        """The offers that a player's rating does not fit, each with that rating."""
        found = {}
        for match in matches:
            band = match.band_for(user_id)
            if band is not None and match.index_of(user_id) is None:
                standing = await self._ratings.standing(user_id, match.game)
                if standing.points not in band:
                    found[match.id] = standing
        return found

    async def note(self, guild_id: GuildId) -> LobbyNote | None:
        """The lobby of a server, None if it has none."""
        return await self._store.lobby_of(guild_id)

    async def shows(self, match: Match) -> bool:
        """Whether an offer stands in the lobby of the very channel where it was made.

        Then it needs no message of its own there.
        """
        guild_id = match.origin.guild_id
        if guild_id is None:
            return False
        try:
            lobby = await self._store.lobby_of(guild_id)
        except StoreUnavailable:
            return False
        return is_listed(lobby, match)
