"""The host's messages to the managers of all servers.

Discord has a channel with news for managers of community servers. Where there is none, or Parlour
may not post there, the system channel takes its place, as for the welcome.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.domain.ids import ChannelId, GuildId
from bot.i18n import Language
from bot.logs import logger
from bot.posts.outgoing import HOST, Claim, Done, Handler, id_in
from bot.posts.sending import Gone, Recipient, Refused, Retry
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.delivery.poster import Json
from bot.ui.pages.components import Page, text, walk
from bot.ui.rest import may_post

_log = logger(__name__)

_AWAY = 60.0
"""Seconds until a server that is unavailable may be back."""


def managers_channel(client: discord.Client, guild: discord.Guild) -> ChannelId | None:
    """The channel for messages to a server's managers; None if there is none."""
    for channel in (guild.public_updates_channel, guild.system_channel):
        if channel is not None and may_post(client, GuildId(guild.id), ChannelId(channel.id)):
            return ChannelId(channel.id)
    return None


def host_page(words: str, language: Language, *, number: int | None = None) -> Page:
    """The message; ``number`` identifies it."""
    title = language.say("A message from the host of Parlour")
    return Page(text(f"### {title}"), text(words, number=number))


@dataclass(eq=False)
class DiscordHostMessages(Handler):
    """Posts each of them once in each server."""

    kinds = frozenset({HOST})

    client: discord.Client
    messenger: DiscordMessenger

    async def make(self, claim: Claim) -> Done:
        """Post a message in the managers' channel; one that is refused is given up.

        A server that has removed Parlour gets none.
        """
        guild = self.client.get_guild(int(id_in(claim.key)))
        if guild is not None and guild.unavailable:
            raise Retry(_AWAY)
        channel = None if guild is None else managers_channel(self.client, guild)
        if guild is None or channel is None:
            return Done()
        to, number = Recipient(channel_id=channel), claim.id % (1 << 31) or 1
        try:

            def is_it(message: Json) -> bool:
                parts = walk(message.get("components") or ())
                return any(part.get("id") == number for part in parts)

            if await self.messenger.find(to, claim.tried_at, is_it):
                return Done()
            language = await self.messenger.language_of(GuildId(guild.id))
            page = host_page(str(claim.payload["words"]), language, number=number)
            await self.messenger.post(to, page.components, nonce=f"h{claim.id:x}")
        except (Gone, Refused) as trouble:
            _log.info("a server was not told", server=guild.id, error=str(trouble))
        return Done()
