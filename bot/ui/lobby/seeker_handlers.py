"""The role that new open offers ping: players give it to themselves and take it off again."""

from __future__ import annotations

import discord

from bot.errors import UserError
from bot.logs import logger
from bot.ui.discord_api.rest import FAILURES
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import check_ping_role
from bot.ui.interaction.registry import Click, on_button
from bot.ui.lobby.lobby_page import seek_button
from bot.ui.pages.components import rows, text
from bot.ui.pages.reply import Page, Reply

_log = logger(__name__)


@on_button("seek")
async def seek(context: InteractionContext, click: Click) -> Reply:
    """**Tell me of new offers** in the lobby, and **Stop telling me** in the answer to it.

    Whether players may have the role is asked again: it may have been changed since it was chosen.
    """
    guild_id, language = context.place.guild_id, context.language
    if guild_id is None:
        raise UserError("server_only")
    role = (await context.services.preferences.server(guild_id)).seekers
    if role is None:
        raise UserError("ping_role_none")
    http, wanted = context.interaction.client.http, click.arg != "off"
    if wanted:
        check_ping_role(context.interaction.guild, role)
    change = http.add_role if wanted else http.remove_role
    try:
        await context.services.background.start(change(guild_id, context.user_id, role))
    except (discord.Forbidden, discord.NotFound) as error:
        _log.info("a role for new offers was refused", server=guild_id, code=error.code)
        raise UserError("ping_role_refused", role=role) from error
    except FAILURES as error:
        _log.info("a role for new offers was not changed", error=type(error).__name__)
        raise UserError("ping_role_failed") from error
    if wanted:
        said = language.say(
            "You have the role {role} now. New offers in the lobby ping it, at most once in half an"
            " hour.",
            role=f"<@&{role}>",
        )
        other = seek_button(language, on=False)
    else:
        said = language.say("New offers no longer ping you.")
        other = seek_button(language)
    return Reply(said, Page(text(said), *rows([other])))
