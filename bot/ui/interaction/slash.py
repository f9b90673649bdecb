"""Slash commands: registration, checks and autocomplete.

A room writes a command as a function of the context of the interaction and of its fields::

    @command("board", Text.of("Show the board of the match here, only to you"))
    async def board_here(context: InteractionContext) -> Reply: ...

:func:`build` puts them into the library's tree, whose errors all end in an answer.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cache
from typing import Any

import discord
from discord import app_commands

from bot import metrics
from bot.errors import UserError
from bot.i18n import Languages
from bot.logs import bug_id, logger
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.responses import Acknowledgement
from bot.ui.pages.components import CHOICES, Option, Reply, distinct
from bot.ui.pages.match_text import own_name
from bot.ui.rest import FAILURES
from games import catalog
from games.errors import GameError
from games.view import Text

_log = logger(__name__)

AnyInteraction = discord.Interaction[Any]


_KINDS = {
    discord.AppCommandOptionType.string: str,
    discord.AppCommandOptionType.integer: int,
    discord.AppCommandOptionType.boolean: bool,
}
"""The Python type of a field, by Discord's type."""


_WIDEST = 1 << 53
"""Discord's own limit of a number."""
LONGEST = 200
"""Characters that a field takes; Discord itself would allow 6000."""
_PLACES = {
    False: app_commands.AppCommandContext(guild=True, dm_channel=True),
    True: app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
}
_INSTALLS = {
    personal: app_commands.AppInstallationType(guild=True, user=personal)
    for personal in (False, True)
}
"""Where a command is there, by whether players can add it to their own account."""
_MANAGED = app_commands.AppCommandContext(guild=True)
_MANAGERS = discord.Permissions(manage_guild=True)
_ADMINISTRATORS = discord.Permissions(administrator=True)


class _Command(app_commands.Command[Any, ..., Any]):
    """A command that checks what Discord sends, and survives failed suggestions."""

    async def _invoke_with_namespace(
        self, interaction: AnyInteraction, namespace: app_commands.Namespace
    ) -> Any:
        """Run it, unless a field has the wrong type, or a number is out of range.

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
        self, interaction: AnyInteraction, name: str, namespace: app_commands.Namespace
    ) -> None:
        """Suggest something for what has been typed into a text field.

        Suggestions may come too late, or twice. Typing goes on, so that is no error.
        """
        if not any(each.name == name and each.autocomplete for each in self.parameters):
            _log.info("suggestions for no field of a command", interaction=interaction.id)
            return
        typed = vars(namespace)
        typed[name] = value if isinstance(value := typed.get(name), str) else ""
        try:
            await super()._invoke_autocomplete(interaction, name, namespace)
        except (*FAILURES, RuntimeError) as error:
            # A bot that stops has closed the session that the answer would take.
            if isinstance(error, RuntimeError) and not interaction.client.is_closed():
                raise
            _log.info(
                "suggestions were not taken", interaction=interaction.id, error=type(error).__name__
            )


def said(text: Text) -> app_commands.locale_str:
    """A sentence that Discord is told in every language there is."""
    return app_commands.locale_str(text.message, sentence=True)


@dataclass(frozen=True, slots=True)
class Group:
    """A command of several parts, such as ``/match``; Discord shows its parts alone.

    ``personal`` as for :func:`command`; one for ``managers`` is shown to those who may manage the
    server, unless the server has chosen others. Each part checks its user itself.
    """

    name: str
    description: Text
    personal: bool = False
    managers: bool = False

    def made(self) -> app_commands.Group:
        """The library's group, still empty."""
        return app_commands.Group(
            name=self.name,
            description=said(self.description),
            allowed_contexts=_MANAGED if self.managers else _PLACES[self.personal],
            allowed_installs=_INSTALLS[self.personal],
            default_permissions=_MANAGERS if self.managers else None,
        )


Suggester = Callable[[InteractionContext, str], Awaitable[list[Option]] | list[Option]]
"""Suggests something for a field, given what has been typed into it."""
CommandHandler = Callable[..., Awaitable[Reply]]
PersonHandler = Callable[[InteractionContext, discord.User], Awaitable[Reply]]


@cache
def _fields(handler: CommandHandler) -> tuple[inspect.Parameter, ...]:
    """The parameters of a command after the context.

    Reading the annotations of all commands takes 20 ms, and tests make them a thousand times.
    """
    _context, *rest = inspect.signature(handler, eval_str=True).parameters.values()
    return tuple(rest)


@dataclass(slots=True)
class command:  # noqa: N801 - it is used as a decorator
    """Registers a slash command for servers and direct messages.

    Its fields are the parameters of the function after the context, described by ``fields``;
    ``choices`` and those to ``leave_out`` are looked up when the commands are made; ``suggest`` has
    the autocomplete of each field. A ``personal`` command is also there, in every server, for
    players who have added Parlour to their account. One for the ``owner`` is there in a server of
    theirs alone, where Discord shows it to administrators; the command checks its user.
    """

    name: str
    description: Text
    _: KW_ONLY
    group: Group | None = None
    fields: Mapping[str, Text] = field(default_factory=dict)
    choices: Mapping[str, Callable[[], list[app_commands.Choice[str]]]] = field(
        default_factory=dict
    )
    leave_out: Callable[[], Collection[str]] = tuple
    suggest: Mapping[str, Suggester] = field(default_factory=dict)
    personal: bool = False
    owner: bool = False
    handler: CommandHandler = field(init=False)

    def __call__(self, handler: CommandHandler) -> CommandHandler:
        """Register the function."""
        key = ("" if self.group is None else self.group.name, self.name)
        if key in COMMANDS:
            raise ValueError(key)
        self.handler = handler
        COMMANDS[key] = self
        return handler

    def made(self, handler: InteractionHandler) -> app_commands.Command[Any, ..., Any]:
        """The library's command, whose interactions go through ``handler``."""

        async def callback(interaction: AnyInteraction, **given: Any) -> None:
            async def act(context: InteractionContext) -> Reply:
                return await self.handler(context, **given)

            game = given.get("game")
            await handler.handle(interaction, Acknowledgement.PRIVATE, act, game=game)

        left_out = self.leave_out()
        rest = _fields(self.handler)
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [
            inspect.Parameter("interaction", kind, annotation=discord.Interaction),
            *(each.replace(kind=kind) for each in rest if each.name not in left_out),
        ]
        callback.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        described = {name: said(text) for name, text in self.fields.items() if name not in left_out}
        app_commands.describe(**described)(callback)
        app_commands.choices(**{name: found() for name, found in self.choices.items()})(callback)
        is_global = self.group is None and not self.owner
        made = _Command(
            name=self.name,
            description=said(self.description),
            callback=callback,
            allowed_contexts=_PLACES[self.personal] if is_global else None,
            allowed_installs=_INSTALLS[self.personal] if is_global else None,
        )
        if self.owner:
            made.default_permissions = _ADMINISTRATORS
        for name, suggester in self.suggest.items():
            made.autocomplete(name)(_autocomplete(handler, suggester))
        return made


COMMANDS: dict[tuple[str, str], command] = {}
"""By the name of the group, '' for none, and of the command."""


@dataclass(slots=True)
class on_person:  # noqa: N801 - it is used as a decorator
    """Registers an entry of the menu that Discord shows on a user, by its English name."""

    name: Text
    handler: PersonHandler = field(init=False)

    def __call__(self, handler: PersonHandler) -> PersonHandler:
        """Register the function."""
        if self.name.message in PERSON_MENUS:
            raise ValueError(self.name.message)
        self.handler = handler
        PERSON_MENUS[self.name.message] = self
        return handler

    def made(self, handler: InteractionHandler) -> app_commands.ContextMenu:
        """The library's entry, whose interactions go through ``handler``."""

        async def callback(interaction: AnyInteraction, person: discord.User) -> None:
            async def act(context: InteractionContext) -> Reply:
                return await self.handler(context, person)

            await handler.handle(interaction, Acknowledgement.PRIVATE, act)

        callback.__annotations__ = {"interaction": discord.Interaction, "person": discord.User}
        return app_commands.ContextMenu(
            name=said(self.name),
            callback=callback,
            allowed_contexts=_PLACES[False],
            allowed_installs=_INSTALLS[False],
        )


PERSON_MENUS: dict[str, on_person] = {}


def game_choices() -> list[app_commands.Choice[str]]:
    """Every game, for a field of a command."""
    return [
        app_commands.Choice(name=kind.info.name, value=key)
        for key, kind in list(catalog.GAMES.items())[:CHOICES]
    ]


def text_choices(words: Mapping[str, Text]) -> Callable[[], list[app_commands.Choice[str]]]:
    """Some values with their words, for a field of a command."""
    return lambda: [
        app_commands.Choice(name=said(text), value=value) for value, text in words.items()
    ]


def language_choices() -> list[app_commands.Choice[str]]:
    """Every language by its own name, for a field of a command."""
    return [
        app_commands.Choice(name=own_name(locale), value=locale)
        for locale in list(Languages().known())[:CHOICES]
    ]


def _autocomplete(
    handler: InteractionHandler, suggester: Suggester
) -> Callable[[AnyInteraction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    async def suggested(interaction: AnyInteraction, typed: str) -> list[app_commands.Choice[str]]:
        try:
            context = handler.services.context(interaction)
        except ValueError:
            return []
        if not handler.services.typing.take(context.user_id):
            return []
        kind = interaction.type.name
        try:
            with metrics.ANSWER_SECONDS.labels(kind).time():
                context = await handler.services.as_chosen(context)
                found = suggester(context, typed)
                found = found if isinstance(found, list) else await found
        except (UserError, GameError, UnicodeEncodeError):
            metrics.INTERACTIONS.labels(kind, "refused").inc()
            return []
        except Exception as error:
            metrics.INTERACTIONS.labels(kind, "bug").inc()
            _log.error("a bug while suggesting", bug=bug_id(), exc_info=error)
            return []
        metrics.INTERACTIONS.labels(kind, "done").inc()
        return [
            app_commands.Choice(name=one.label, value=one.value)
            for one in distinct(found)[:CHOICES]
        ]

    return suggested


# ---- the tree of all commands --------------------------------------------------------------------

_PRIVATE = Acknowledgement.PRIVATE


class Tree(app_commands.CommandTree[Any]):
    """The library's tree, which also answers commands that Discord should not have sent."""

    handler: InteractionHandler

    async def _call(self, interaction: AnyInteraction) -> None:
        """Run a command; fields that the library stumbles over mean an old command."""
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            # An error in a command itself arrives wrapped: this is about its fields.
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


def build(tree: Tree, handler: InteractionHandler, *, owner_server: int | None = None) -> None:
    """Put all commands into the tree; the owner's for one server, or not at all."""
    tree.handler = handler
    groups: dict[str, app_commands.Group] = {}
    for each in COMMANDS.values():
        if each.owner:
            if owner_server is not None:
                tree.add_command(each.made(handler), guild=discord.Object(owner_server))
            continue
        if each.group is None:
            tree.add_command(each.made(handler))
            continue
        if each.group.name not in groups:
            groups[each.group.name] = each.group.made()
            tree.add_command(groups[each.group.name])
        groups[each.group.name].add_command(each.made(handler))
    for entry in PERSON_MENUS.values():
        tree.add_command(entry.made(handler))
