"""What all slash commands have in common, and how they suggest while somebody types."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands

from bot.errors import UserError
from bot.logs import bug_id, logger
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.responses import FAILURES, Acknowledgement, Reply
from bot.ui.offers.option_text import Suggestion
from bot.ui.pages.components import CHOICES
from games.errors import GameError
from games.view import Text

_log = logger(__name__)

Ask = discord.Interaction[Any]


_KINDS = {
    discord.AppCommandOptionType.string: str,
    discord.AppCommandOptionType.integer: int,
    discord.AppCommandOptionType.boolean: bool,
}
"""What Discord sends for a field, by its type, where the library takes it as it is."""


_WIDEST = 1 << 53
"""How far from zero Discord lets a number be where a field says nothing else."""


class _Command(app_commands.Command[Any, ..., Any]):
    """A command that takes nothing on trust: what it is sent, and what its suggestions came to."""

    async def _invoke_with_namespace(
        self, interaction: Ask, namespace: app_commands.Namespace
    ) -> Any:
        """Run it, unless a field has a value of another kind, or a number out of its range.

        Discord's own clients send neither, except for an older form of the command.
        """
        given = vars(namespace)
        for each in self.parameters:
            kind = _KINDS.get(each.type)
            if kind is None or each.name not in given:
                continue
            value = given[each.name]
            if type(value) is not kind:
                raise app_commands.CommandSignatureMismatch(self)
            if each.type is discord.AppCommandOptionType.integer:
                least = -_WIDEST if each.min_value is None else int(each.min_value)
                most = _WIDEST if each.max_value is None else int(each.max_value)
                if value not in range(least, most + 1):
                    raise app_commands.CommandSignatureMismatch(self)
        return await super()._invoke_with_namespace(interaction, namespace)

    async def _invoke_autocomplete(
        self, interaction: Ask, name: str, namespace: app_commands.Namespace
    ) -> None:
        """Suggest something for what has been typed into a field, which is to be text.

        Suggestions may come too late, or twice. Typing goes on, so that is no error.
        """
        typed = vars(namespace)
        typed[name] = value if isinstance(value := typed.get(name), str) else ""
        try:
            await super()._invoke_autocomplete(interaction, name, namespace)
        except FAILURES as error:
            _log.info(
                "suggestions were not taken", interaction=interaction.id, error=type(error).__name__
            )


def said(text: Text) -> app_commands.locale_str:
    """A sentence that Discord is told in every language there is."""
    return app_commands.locale_str(text.message, sentence=True)


def command(
    name: str, description: Text, callback: Callable[..., Any]
) -> app_commands.Command[Any, ..., Any]:
    """A command for servers and direct messages."""
    return _Command(
        name=name,
        description=said(description),
        callback=callback,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
    )


def plain(
    name: str,
    description: Text,
    handler: InteractionHandler,
    act: Callable[[InteractionContext], Awaitable[Reply]],
) -> app_commands.Command[Any, ..., Any]:
    """A command without fields."""

    async def callback(interaction: Ask) -> None:
        await handler.handle(interaction, Acknowledgement.PRIVATE, act)

    return command(name, description, callback)


async def quiet(handler: InteractionHandler, interaction: Ask) -> InteractionContext | None:
    """Who types, or None where it is better to suggest nothing."""
    try:
        context = handler.services.context(interaction)
    except ValueError:
        return None
    return (
        await handler.services.as_chosen(context)
        if handler.services.typing.take(context.user_id)
        else None
    )


async def typing(
    handler: InteractionHandler,
    interaction: Ask,
    suggestions: Callable[[InteractionContext], list[Suggestion]],
) -> list[app_commands.Choice[str]]:
    """What to suggest while somebody types; nothing is better than an error."""
    context = await quiet(handler, interaction)
    if context is None:
        return []
    try:
        found = suggestions(context)
    except (UserError, GameError):
        return []
    except Exception as error:
        _log.error("a bug while suggesting", bug=bug_id(), exc_info=error)
        return []
    return [app_commands.Choice(name=one.shown, value=one.value) for one in found[:CHOICES]]
