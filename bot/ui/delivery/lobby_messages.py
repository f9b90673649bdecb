"""The lobby's messages on Discord."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import discord

from bot.domain.ids import ChannelId, GuildId, MessageId
from bot.domain.match import Match
from bot.services.lobby import Lobby, LobbyMessage, LobbyService
from bot.services.sending import Posted, Recipient, Retry
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.interaction.permissions import everybody_sees
from bot.ui.lobby.lobby_page import ON_PAGE, is_lobby, lobby_page

_UNKNOWN = 30.0
"""Seconds until a server may be there that Discord has not told us of yet."""


class DiscordLobby:
    """Posts and edits lobbies, by the ways of the outbox's messenger."""

    def __init__(
        self, client: discord.Client, messenger: DiscordMessenger, service: LobbyService
    ) -> None:
        self._client = client
        self._messenger = messenger
        self._service = service

    async def lobby_sheet(self, lobby: Lobby, offers: Sequence[Match]) -> LobbyMessage:
        """What a lobby is to say.

        Offers made where not everybody may look who sees the lobby are not told of.
        """
        guild = self._guild(lobby.guild_id)
        seen: dict[ChannelId, bool] = {}
        shown = []
        for match in offers:
            channel = match.origin.channel_id
            if channel not in seen:
                seen[channel] = everybody_sees(guild, lobby.channel_id, channel)
            if seen[channel]:
                shown.append(match)
        seeks = await self._service.described(shown[:ON_PAGE])
        language = await self._messenger.language_of(lobby.guild_id)
        page = lobby_page(seeks, len(shown) - len(seeks), language).components
        written = json.dumps(page, sort_keys=True, separators=(",", ":"))
        return LobbyMessage(page, hashlib.sha256(written.encode()).hexdigest())

    def _guild(self, guild_id: GuildId) -> discord.Guild:
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            raise Retry(_UNKNOWN)
        return guild

    async def post_lobby(self, lobby: Lobby, sheet: LobbyMessage) -> Posted:
        """Post it, silently."""
        page: list[Any] = list(sheet.components)
        to = Recipient(channel_id=lobby.channel_id)
        return await self._messenger.post_page(to, page, nonce=lobby.nonce)

    async def edit_lobby(self, posted: Posted, sheet: LobbyMessage) -> None:
        """Put it in the place of what a message says."""
        await self._messenger.edit_page(posted, list(sheet.components))

    async def find_lobby(self, lobby: Lobby, since: datetime) -> Posted | None:
        """Look for a lobby of ours."""
        for each in await self._messenger.since(Recipient(channel_id=lobby.channel_id), since):
            if is_lobby(each.get("components")):
                return Posted(lobby.channel_id, MessageId(int(each["id"])))
        return None

    async def see_lobby(self, posted: Posted) -> None:
        """Look whether a message is there."""
        await self._messenger.see(posted)

    async def erase(self, posted: Posted) -> None:
        """Delete a message of ours."""
        await self._messenger.erase(posted)
