"""The part of the store that is about lobbies; see its protocol for what is promised."""

from __future__ import annotations

import secrets
from datetime import datetime

from bot.domain.ids import ChannelId, GuildId
from bot.domain.match import Match
from bot.services.lobby import Lobby, LobbyNote
from bot.services.sending import Posted
from bot.store import lobbies
from bot.store.database import Database


class SqlLobbies:
    """:class:`bot.services.lobby.LobbyStore` on a :class:`~bot.store.database.Database`."""

    _database: Database

    async def open_offers(self, guild_id: GuildId, now: datetime, limit: int) -> tuple[Match, ...]:
        """The open offers of a server."""
        return await self._database.read(lambda c: lobbies.open_offers(c, guild_id, now, limit))

    async def lobby_of(self, guild_id: GuildId) -> LobbyNote | None:
        """The lobby of a server."""
        return await self._database.look(lambda c: lobbies.note(c, guild_id))

    async def lobbies_due(self, now: datetime) -> tuple[tuple[ChannelId, GuildId], ...]:
        """Lobbies to be shown now."""
        return await self._database.look(lambda c: lobbies.due(c, now))

    async def claim_lobby(
        self, channel_id: ChannelId, now: datetime, lease_until: datetime
    ) -> Lobby | None:
        """Take a lobby to show it."""
        lease = secrets.token_hex(8)
        return await self._database.write(
            lambda c: lobbies.claim(c, channel_id, now, lease, lease_until)
        )

    async def lobby_shown(
        self,
        lobby: Lobby,
        posted: Posted,
        digest: str,
        *,
        now: datetime,
        ready_at: datetime,
    ) -> None:
        """Note which message shows a lobby."""
        await self._database.write(
            lambda c: lobbies.shown(c, lobby, posted, digest, now=now, ready_at=ready_at)
        )

    async def lobby_put_off(
        self, lobby: Lobby, until: datetime, trouble: str, *, certain: bool
    ) -> None:
        """Try again then."""
        await self._database.write(
            lambda c: lobbies.put_off(c, lobby, until, trouble, certain=certain)
        )

    async def lobby_closed(self, lobby: Lobby) -> None:
        """Forget a lobby."""
        await self._database.write(lambda c: lobbies.closed(c, lobby))

    async def look_at_lobbies(self, since: datetime | None) -> None:
        """Have lobbies shown again."""
        await self._database.write(lambda c: lobbies.look_again(c, since))
