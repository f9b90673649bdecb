"""What all slash commands have in common, and how they suggest while somebody types."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands

from bot.errors import UserError
from bot.logs import bug_id, logger
from bot.ui.answers import Acknowledgement, Reply
from bot.ui.desk import Visit
from bot.ui.door import Door
from bot.ui.options import Suggestion
from bot.ui.parts import CHOICES
from games.errors import GameError
from games.view import Text

__all__ = ["Ask", "command", "plain", "quiet", "said", "typing"]

_log = logger(__name__)

Ask = discord.Interaction[Any]


def said(text: Text) -> app_commands.locale_str:
    """A sentence that Discord is told in every language there is."""
    return app_commands.locale_str(text.message, sentence=True)


def command(
    name: str, description: Text, callback: Callable[..., Any]
) -> app_commands.Command[Any, ..., Any]:
    """A command for servers and direct messages."""
    made: app_commands.Command[Any, ..., Any] = app_commands.Command(
        name=name,
        description=said(description),
        callback=callback,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
    )
    return made


def plain(
    name: str, description: Text, door: Door, act: Callable[[Visit], Awaitable[Reply]]
) -> app_commands.Command[Any, ..., Any]:
    """A command without fields."""

    async def callback(interaction: Ask) -> None:
        await door.handle(interaction, Acknowledgement.PRIVATE, act)

    return command(name, description, callback)


async def quiet(door: Door, interaction: Ask) -> Visit | None:
    """Who types, or None where it is better to suggest nothing."""
    try:
        visit = door.desk.visit(interaction)
    except ValueError:
        return None
    return await door.desk.as_chosen(visit) if door.desk.typing.take(visit.user_id) else None


async def typing(
    door: Door, interaction: Ask, suggestions: Callable[[Visit], list[Suggestion]]
) -> list[app_commands.Choice[str]]:
    """What to suggest while somebody types; nothing is better than an error."""
    visit = await quiet(door, interaction)
    if visit is None:
        return []
    try:
        found = suggestions(visit)
    except (UserError, GameError):
        return []
    except Exception as error:
        _log.error("a bug while suggesting", bug=bug_id(), exc_info=error)
        return []
    return [app_commands.Choice(name=one.shown, value=one.value) for one in found[:CHOICES]]
