"""Who is in a server, asked one by one: no intent tells Parlour who leaves."""

from __future__ import annotations

import discord

from bot.domain.ids import GuildId, UserId
from bot.ui.discord_api.rest import FAILURES


class DiscordMembership:
    """Asks Discord for a member."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def is_member(self, guild_id: GuildId, user_id: UserId) -> bool | None:
        """Whether a person is in a server; None if Discord does not say."""
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return None
        try:
            await guild.fetch_member(user_id)
        except discord.NotFound:
            return False
        except FAILURES:
            return None
        return True
