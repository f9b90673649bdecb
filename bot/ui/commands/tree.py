"""The command tree: all registered commands, whose errors all end in an answer."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

import bot.ui.rooms  # noqa: F401 - which registers all commands
from bot.errors import UserError
from bot.logs import logger
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.responses import Acknowledgement
from bot.ui.interaction.slash import COMMANDS, PERSON_MENUS, AnyInteraction
from bot.ui.pages.reply import Reply

_log = logger(__name__)
_PRIVATE = Acknowledgement.PRIVATE


class Tree(app_commands.CommandTree[Any]):
    """The library's tree, which also answers commands that Discord should not have sent."""

    handler: InteractionHandler

    async def _call(self, interaction: AnyInteraction) -> None:
        """Find and run a command; fields that the library stumbles over are an old command."""
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            # What goes wrong in a command itself arrives wrapped: this is about its fields.
            mismatch = app_commands.AppCommandError(repr(error))
            await self._refuse(interaction, mismatch, expected=True)

    async def on_error(
        self, interaction: AnyInteraction, error: app_commands.AppCommandError, /
    ) -> None:
        """Answer what went wrong before a command could begin: an old command, an odd value."""
        expected = isinstance(
            error,
            app_commands.CommandNotFound
            | app_commands.CommandSignatureMismatch
            | app_commands.TransformerError
            | app_commands.CheckFailure,
        )
        await self._refuse(interaction, error, expected=expected)

    async def _refuse(
        self, interaction: AnyInteraction, error: app_commands.AppCommandError, *, expected: bool
    ) -> None:
        async def act(context: InteractionContext) -> Reply:
            if expected:
                raise UserError("old_command")
            return self.handler.bug(context, getattr(error, "original", error))

        if expected:
            _log.info("a command that does not fit", interaction=interaction.id)
        if interaction.type is not discord.InteractionType.autocomplete:
            await self.handler.handle(interaction, _PRIVATE, act)


def build(tree: Tree, handler: InteractionHandler) -> None:
    """Put all commands into the tree."""
    tree.handler = handler
    groups: dict[str, app_commands.Group] = {}
    for each in COMMANDS.values():
        if each.group is None:
            tree.add_command(each.made(handler))
            continue
        if each.group.name not in groups:
            groups[each.group.name] = each.group.made()
            tree.add_command(groups[each.group.name])
        groups[each.group.name].add_command(each.made(handler))
    for entry in PERSON_MENUS.values():
        tree.add_command(entry.made(handler))
