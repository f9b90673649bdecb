"""Slash commands: registered where they are written, checked, and suggested while a player types.

A room writes a command as a function of the context of the interaction and of its fields::

    @command("board", Text.of("Show the board of the match here, only to you"))
    async def board_here(context: InteractionContext) -> Reply: ...
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

import discord
from discord import app_commands

from bot.errors import UserError
from bot.logs import bug_id, logger
from bot.ui.discord_api.background import FAILURES
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.responses import Acknowledgement
from bot.ui.pages.components import CHOICES
from bot.ui.pages.reply import Reply
from bot.ui.pages.suggestion import Suggestion
from games import catalog
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
LONGEST = 200
"""How much text a field takes; Discord itself would allow 6000 characters."""
_EVERYWHERE = app_commands.AppCommandContext(guild=True, dm_channel=True)
_IN_SERVERS = app_commands.AppInstallationType(guild=True, user=False)


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


@dataclass(frozen=True, slots=True)
class Group:
    """A command of several parts, such as ``/settings``; Discord shows its parts alone."""

    name: str
    description: Text


Suggester = Callable[[InteractionContext, str, app_commands.Namespace], Awaitable[list[Suggestion]]]
"""What to suggest: who types, what stands in the field, and what the other fields hold."""
Handler = Callable[..., Awaitable[Reply]]


@dataclass(slots=True)
class SlashCommand:
    """A command as its room registered it; :meth:`made` makes the library's object of it."""

    name: str
    description: Text
    handler: Handler
    group: Group | None = None
    fields: Mapping[str, Text] = field(default_factory=dict)
    choices: Mapping[str, Callable[[], list[app_commands.Choice[str]]]] = field(
        default_factory=dict
    )
    leave_out: Callable[[], Collection[str]] = tuple
    suggesters: dict[str, Suggester] = field(default_factory=dict)

    def made(self, handler: InteractionHandler) -> app_commands.Command[Any, ..., Any]:
        """The command for a tree, whose interactions go through ``handler``."""

        async def callback(interaction: Ask, **given: Any) -> None:
            async def act(context: InteractionContext) -> Reply:
                return await self.handler(context, **given)

            game = given.get("game")
            await handler.handle(interaction, Acknowledgement.PRIVATE, act, game=game)

        left_out = self.leave_out()
        _context, *rest = inspect.signature(self.handler, eval_str=True).parameters.values()
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [
            inspect.Parameter("interaction", kind, annotation=discord.Interaction),
            *(each.replace(kind=kind) for each in rest if each.name not in left_out),
        ]
        callback.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        described = {name: said(text) for name, text in self.fields.items() if name not in left_out}
        app_commands.describe(**described)(callback)
        app_commands.choices(**{name: found() for name, found in self.choices.items()})(callback)
        made = _Command(
            name=self.name,
            description=said(self.description),
            callback=callback,
            allowed_contexts=_EVERYWHERE,
            allowed_installs=_IN_SERVERS,
        )
        for name, suggester in self.suggesters.items():
            made.autocomplete(name)(_autocomplete(handler, suggester))
        return made


COMMANDS: dict[tuple[str, str], SlashCommand] = {}
"""Every command by the name of its group, '' for none, and its own."""


def command(
    name: str,
    description: Text,
    *,
    group: Group | None = None,
    fields: Mapping[str, Text] | None = None,
    choices: Mapping[str, Callable[[], list[app_commands.Choice[str]]]] | None = None,
    leave_out: Callable[[], Collection[str]] = tuple,
) -> Callable[[Handler], Handler]:
    """Register a slash command for servers and direct messages.

    Its fields are the parameters of the function after the context, described by ``fields``;
    ``choices`` and the fields to ``leave_out`` are looked up when the commands are made.
    """
    key = ("" if group is None else group.name, name)
    if key in COMMANDS:
        raise ValueError(key)

    def register(handler: Handler) -> Handler:
        COMMANDS[key] = SlashCommand(
            name, description, handler, group, fields or {}, choices or {}, leave_out
        )
        return handler

    return register


def suggests(name: str, field_name: str, *, group: str = "") -> Callable[[Suggester], Suggester]:
    """Register what is suggested while a player types into a field of a command."""

    def register(suggester: Suggester) -> Suggester:
        COMMANDS[group, name].suggesters[field_name] = suggester
        return suggester

    return register


def game_choices() -> list[app_commands.Choice[str]]:
    """Every game, for a field of a command."""
    return [
        app_commands.Choice(name=kind.info.name, value=key)
        for key, kind in list(catalog.GAMES.items())[:CHOICES]
    ]


def _autocomplete(
    handler: InteractionHandler, suggester: Suggester
) -> Callable[[Ask, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    async def suggested(interaction: Ask, typed: str) -> list[app_commands.Choice[str]]:
        """What to suggest while somebody types; nothing is better than an error."""
        try:
            context = handler.services.context(interaction)
        except ValueError:
            return []
        if not handler.services.typing.take(context.user_id):
            return []
        try:
            context = await handler.services.as_chosen(context)
            found = await suggester(context, typed, interaction.namespace)
        except (UserError, GameError):
            return []
        except Exception as error:
            _log.error("a bug while suggesting", bug=bug_id(), exc_info=error)
            return []
        return [app_commands.Choice(name=one.shown, value=one.value) for one in found[:CHOICES]]

    return suggested
