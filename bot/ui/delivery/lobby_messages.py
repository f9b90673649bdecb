"""The lobby's messages on Discord."""

from __future__ import annotations

from datetime import datetime

import discord

from bot.domain.ids import ChannelId, GuildId, RoleId
from bot.domain.match import Match
from bot.services.lobby import LobbyService
from bot.services.outbox.standing import StandingMessage, StandingPage
from bot.services.preferences import PreferenceService
from bot.services.sending import Posted, Recipient, Retry
from bot.ui.delivery.find_message import is_line, posted_at
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.delivery.standing_messages import DiscordStanding, sheet_of
from bot.ui.interaction.permissions import everybody_sees
from bot.ui.lobby.lobby_page import ON_PAGE, is_lobby, lobby_page
from bot.ui.pages import match_text

_UNKNOWN = 30.0
"""Seconds until a server may be there that Discord has not told us of yet."""


class DiscordLobby(DiscordStanding):
    """Shows lobbies, and pings the roles for new offers in them."""

    def __init__(
        self,
        client: discord.Client,
        messenger: DiscordMessenger,
        service: LobbyService,
        preferences: PreferenceService,
    ) -> None:
        super().__init__(messenger)
        self._client = client
        self._service = service
        self._preferences = preferences

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
        chosen = await self._preferences.server(standing.guild_id)
        page = lobby_page(
            seeks, len(shown) - len(seeks), language, has_role=chosen.seekers is not None
        )
        return sheet_of(page.components)

    def is_it(self, standing: StandingMessage, components: object) -> bool:  # noqa: ARG002
        """Whether a message is a lobby."""
        return is_lobby(components)

    def shows(self, guild_id: GuildId, channel: ChannelId, match: Match) -> bool:
        """Whether all who see the channel of a lobby may hear of an offer."""
        return everybody_sees(self._guild(guild_id), channel, match.origin.channel_id)

    async def call(
        self, match: Match, channel: ChannelId, role: RoleId, *, nonce: str, since: datetime | None
    ) -> Posted:
        """Ping a role for an offer, unless an attempt ``since`` then has done so."""
        assert match.origin.guild_id is not None  # noqa: S101 - a lobby is a server's
        language = await self._messenger.language_of(match.origin.guild_id)
        said = language.say(
            "{role}: {player} offers a match of {game}. Accept it in the lobby.",
            role=f"<@&{role}>",
            player=match_text.mention(match.players[match.offered_by], language),
            game=match_text.game_name(match),
        )
        to = Recipient(channel_id=channel)
        if since is not None:
            for each in await self._messenger.since(to, since):
                if is_line(each, said):
                    return posted_at(each)
        return await self._messenger.post_line(to, said, nonce=nonce, roles=(role,))

    def _guild(self, guild_id: GuildId) -> discord.Guild:
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            raise Retry(_UNKNOWN)
        return guild
