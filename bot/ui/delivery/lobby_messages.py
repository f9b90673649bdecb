"""Messages that are kept up to date in place, and a server's lobby, which is one."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from datetime import datetime
from typing import Any

import discord

from bot.domain.ids import ChannelId, GuildId, MessageId, RoleId
from bot.domain.match import Match
from bot.posts.sending import Posted, Recipient, Retry
from bot.services.lobby import LobbyService
from bot.services.outbox.standing import StandingPage
from bot.services.preferences import PreferenceService
from bot.store.standing import StandingMessage
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.delivery.poster import is_line, posted_at
from bot.ui.interaction.permissions import everybody_sees
from bot.ui.lobby import ON_PAGE, is_lobby, lobby_page
from bot.ui.pages import match_text


def sheet_of(components: list[Any]) -> StandingPage:
    """What a message is to say."""
    written = json.dumps(components, sort_keys=True, separators=(",", ":"))
    return StandingPage(components, hashlib.sha256(written.encode()).hexdigest())


class DiscordStanding(ABC):
    """Posts and edits messages of one kind, by the ways of the outbox's messenger."""

    def __init__(self, messenger: DiscordMessenger) -> None:
        self._messenger = messenger

    @abstractmethod
    async def sheet(self, standing: StandingMessage) -> StandingPage:
        """What a message is to say now."""

    @abstractmethod
    def is_it(self, standing: StandingMessage, components: object) -> bool:
        """Whether a message of ours with these components is the one."""

    async def post(self, standing: StandingMessage, sheet: StandingPage, *, nonce: str) -> Posted:
        """Post it, silently."""
        page: list[Any] = list(sheet.components)
        to = Recipient(channel_id=standing.channel_id)
        return await self._messenger.post_page(to, page, nonce=nonce)

    async def edit(self, posted: Posted, sheet: StandingPage) -> None:
        """Put it in the place of what a message says."""
        await self._messenger.edit_page(posted, list(sheet.components))

    async def find(self, standing: StandingMessage, since: datetime) -> Posted | None:
        """Look for one of ours."""
        place = Recipient(channel_id=standing.channel_id)
        for each in await self._messenger.since(place, since):
            if self.is_it(standing, each.get("components")):
                return Posted(standing.channel_id, MessageId(int(each["id"])))
        return None

    async def look(self, posted: Posted) -> None:
        """Look whether a message is there."""
        await self._messenger.see(posted)

    async def erase(self, posted: Posted) -> None:
        """Delete a message of ours."""
        await self._messenger.erase(posted)


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
        open_offers = await self._service.described(shown[:ON_PAGE])
        language = await self._messenger.language_of(standing.guild_id)
        chosen = await self._preferences.server(standing.guild_id)
        page = lobby_page(
            open_offers,
            len(shown) - len(open_offers),
            language,
            has_role=chosen.seekers is not None,
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
