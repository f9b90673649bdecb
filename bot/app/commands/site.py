"""``parlour site``: tournaments and leaderboard as a static web site."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

import aiohttp
import discord

from bot.app.commands import counted, tell
from bot.app.playground.child import point_at
from bot.app.wiring import create_bot
from bot.clock import SystemClock
from bot.i18n import Languages
from bot.settings import Settings
from bot.site.writer import FolderRefused, Site
from bot.store import open_reader
from bot.ui.pages.display_names import NameBook


async def write(given: Namespace, settings: Settings) -> int:
    """Write tournaments and leaderboard as a static site, with names from Discord."""
    languages, folder = Languages(), given.folder
    language = languages.nearest(given.language)
    if language is None:
        known = ", ".join(languages.known())
        tell(f"There is no language {given.language}. There are: {known}.")
        return 1
    token = settings.discord_token()
    if token is None and settings.playground is not None and settings.playground_token is not None:
        point_at(settings.playground)
        token = settings.playground_token.get_secret_value()
    try:
        async with await open_reader(settings.database_url()) as store:
            bot = create_bot(settings, store=store)
            async with bot.client:
                reader = replace(bot.services.reader, language=language)
                if token is None:
                    reader = replace(reader, names=NameBook())
                else:
                    await bot.client.login(token)
                written = await Site(store, reader, SystemClock(), folder).written()
    except FolderRefused as refused:
        tell(str(refused))
        return 1
    except (discord.DiscordException, aiohttp.ClientError) as error:
        tell(f"Discord could not be asked for names: {error}. Try: parlour doctor")
        return 1
    tell(f"The site is in {folder}, with {counted(written.events, 'tournament')}.")
    if written.without:
        tell(f"Games without pictures: {written.without}.")
    if not written.events:
        tell("A server's managers choose in /server settings that its tournaments are on it.")
    if token is None:
        tell("There is no DISCORD_TOKEN, so players have numbers instead of names.")
    return 0
