"""What Parlour says in a server that it has just joined: one message, in its system channel."""

from __future__ import annotations

import discord

from bot.domain.ids import ChannelId
from bot.i18n import Languages
from bot.logs import logger
from bot.ui.discord_api import rest
from bot.ui.discord_api.rest import FAILURES
from bot.ui.interaction.permissions import may_post
from bot.ui.overview.help_page import welcome_page
from bot.ui.pages.command_mentions import CommandMentions

_log = logger(__name__)


async def welcome(
    client: discord.Client, guild: discord.Guild, languages: Languages, mentions: CommandMentions
) -> None:
    """Say in a new server what to do first, if there is a place where that is welcome."""
    channel = guild.system_channel
    if channel is None or not may_post(guild, ChannelId(channel.id)):
        return
    page = welcome_page(languages.of(guild.preferred_locale))
    for text in page.texts():
        text["content"] = mentions.put_into(text["content"])
    try:
        await rest.post(client.http, channel.id, rest.message(components=page.components))
    except FAILURES as error:
        _log.info("a new server was not welcomed", error=type(error).__name__)
