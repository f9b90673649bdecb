"""The lobby's messages on Discord."""

from __future__ import annotations

import discord

from bot.domain.ids import ChannelId, GuildId
from bot.services.lobby import LobbyService
from bot.services.outbox.standing import StandingMessage, StandingPage
from bot.services.sending import Retry
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.delivery.standing_messages import DiscordStanding, sheet_of
from bot.ui.interaction.permissions import everybody_sees
from bot.ui.lobby.lobby_page import ON_PAGE, is_lobby, lobby_page

_UNKNOWN = 30.0
"""Seconds until a server may be there that Discord has not told us of yet."""


class DiscordLobby(DiscordStanding):
    """Shows lobbies."""

    def __init__(
        self, client: discord.Client, messenger: DiscordMessenger, service: LobbyService
    ) -> None:
        super().__init__(messenger)
        self._client = client
        self._service = service

    async def sheet(self, standing: StandingMessage) -> StandingPage:
        """What a lobby is to say.

        Offers made where not everybody may look who sees the lobby are not told of.
        """
        guild = self._guild(standing.guild_id)
        seen: dict[ChannelId, bool] = {}
        shown = []
        for match in await self._service.offers(standing.guild_id):
            channel = match.origin.channel_id
            if channel not in seen:
                seen[channel] = everybody_sees(guild, standing.channel_id, channel)
            if seen[channel]:
                shown.append(match)
        seeks = await self._service.described(shown[:ON_PAGE])
        language = await self._messenger.language_of(standing.guild_id)
        return sheet_of(lobby_page(seeks, len(shown) - len(seeks), language).components)

    def is_it(self, standing: StandingMessage, components: object) -> bool:  # noqa: ARG002
        """Whether a message is a lobby."""
        return is_lobby(components)

    def _guild(self, guild_id: GuildId) -> discord.Guild:
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            raise Retry(_UNKNOWN)
        return guild
