"""The context of every handler: the services, and the interaction with its user."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

import discord
from cachetools import LRUCache
from discord import app_commands

from bot.clock import Clock
from bot.domain.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.domain.match import Actor, Match, MatchStatus, Place
from bot.domain.preferences import Preferences
from bot.errors import UserError
from bot.i18n import Language, Languages
from bot.services.blocked import Blocked
from bot.services.heavy_work import HeavyWork
from bot.services.lost_answers import LostAnswers
from bot.services.matches import MatchService
from bot.services.pairing import Limits
from bot.services.preferences import PreferenceService
from bot.services.rate_limits import Cooldowns
from bot.services.ratings import RatingService
from bot.services.vacations import VacationService
from bot.settings import Settings
from bot.shutdown import Shutdown
from bot.store import Store
from bot.ui.interaction.answer_lifecycle import AnswerLifecycle
from bot.ui.pages.reader import Reader
from bot.ui.pages.refusal_text import refusal
from bot.ui.rest import Background
from games.errors import GameError

_COMMAND = re.compile(r"\*\*/([a-z -]+)\*\*|(?<![\w/<`:*])/([a-z][a-z-]*)(?: ([a-z][a-z-]*))?")


def paths(commands: Iterable[app_commands.AppCommand]) -> dict[str, int]:
    """The ids of commands by their paths: ``play``, ``match resign``."""
    found: dict[str, int] = {}
    for command in commands:
        groups = [
            option for option in command.options if isinstance(option, app_commands.AppCommandGroup)
        ]
        for name in [f"{command.name} {group.name}" for group in groups] or [command.name]:
            found[name] = command.id
    return found


class CommandMentions:
    """Turns commands in a text into mentions."""

    def __init__(self) -> None:
        self._ids: Mapping[str, int] = {}

    def learn(self, ids: Mapping[str, int]) -> None:
        """Take the ids of all commands, as :func:`paths` gives them."""
        self._ids = ids

    def put_into(self, text: str) -> str:
        """The text with a mention in place of each command in it, bold or not."""
        return _COMMAND.sub(self._mention, text) if "/" in text else text

    def _mention(self, found: re.Match[str]) -> str:
        bold, name, word = found.groups()
        for path, rest in ((bold, ""), (f"{name} {word}", ""), (name, f" {word}" if word else "")):
            if path in self._ids:
                return f"</{path}:{self._ids[path]}>{rest}"
        return found[0]


T = TypeVar("T")

_PATIENCE = 1.0
"""Seconds to wait for a user's settings: some responses are due in three."""


@dataclass(frozen=True, slots=True)
class InteractionContext:
    """One interaction: its user and place, and the reader of its answer."""

    services: Services
    interaction: discord.Interaction[Any]
    actor: Actor
    place: Place
    reader: Reader
    touched: set[MatchId] = field(default_factory=set, compare=False)
    """The matches that this is about."""
    refused: list[UserError | GameError] = field(default_factory=list, compare=False)
    """Refusals of typed text that a page shows."""

    def why(self, error: UserError | GameError, game: str | None = None) -> str:
        """The words for a refusal of typed text, for a page that goes on.

        If it was typed into a form, the form has it when it opens again.
        """
        self.refused.append(error)
        return self.language(refusal(error, game))

    def parts(self) -> list[dict[str, Any]]:
        """The components of the page that was used, as Discord writes them."""
        if self.interaction.message is None:
            raise UserError("out_of_date")
        return [dict(each.to_dict()) for each in self.interaction.message.components]

    @property
    def server(self) -> GuildId:
        """The server. Raises ``server_only`` in direct messages."""
        if self.place.guild_id is None:
            raise UserError("server_only")
        return self.place.guild_id

    @property
    def id(self) -> InteractionId:
        """Makes a repeated delivery recognisable."""
        return InteractionId(self.interaction.id)

    @property
    def user_id(self) -> UserId:
        """The user."""
        return self.actor.user_id

    @property
    def language(self) -> Language:
        """The reader's language."""
        return self.reader.language


@dataclass(slots=True)
class Services:
    """The services and tools behind every command and control."""

    store: Store
    matches: MatchService
    owed: LostAnswers
    ratings: RatingService
    reader: Reader
    """All readers are made from this one."""
    languages: Languages
    clock: Clock
    preferences: PreferenceService
    vacations: VacationService
    blocked: Blocked
    answers: AnswerLifecycle
    heavy: HeavyWork
    commands: Cooldowns
    typing: Cooldowns
    settings: Settings
    started_at: datetime
    updated_from: str | None = None
    """The version before this one, if this start was the first of this one."""
    end: Callable[[Shutdown], None] = lambda _: None
    """Ends this process, once all open interactions are answered."""
    limits: Limits = field(default_factory=Limits)
    background: Background = field(default_factory=Background)
    mentions: CommandMentions = field(default_factory=CommandMentions)
    features: Mapping[type, Any] = field(default_factory=dict)
    """The service of each feature beside the match, and each sender of notices, by its type."""
    memories: dict[type, Any] = field(default_factory=dict)
    locales: LRUCache[UserId, str] = field(default_factory=lambda: LRUCache(20_000))
    """The language of Discord of users seen since the start; it is stored for few."""

    def of(self, feature: type[T]) -> T:
        """The service of a feature."""
        found: T = self.features[feature]
        return found

    def memory(self, kind: type[T]) -> T:
        """The memory of a room while the bot runs, made when first asked for."""
        found: T = self.memories.setdefault(kind, kind())
        return found

    def context(self, interaction: discord.Interaction[Any]) -> InteractionContext:
        """The context of an interaction, with the settings of its user if cached.

        Raises :exc:`ValueError` for an interaction that names no user or no channel.
        """
        user = interaction.user
        channel_id = interaction.channel_id
        if not isinstance(user, discord.User | discord.Member) or channel_id is None:
            raise ValueError("an interaction without a user or a channel")
        self.reader.names.note(UserId(user.id), user.display_name)
        self.locales[UserId(user.id)] = str(interaction.locale)
        guild_id = None if interaction.guild_id is None else GuildId(interaction.guild_id)
        context = InteractionContext(
            self,
            interaction,
            Actor(UserId(user.id), guild_id, user.bot),
            Place(guild_id, ChannelId(channel_id)),
            replace(
                self.reader,
                language=self.languages.of(interaction.locale),
                viewer=UserId(user.id),
            ),
        )
        known = self.preferences.known(context.user_id)
        return context if known is None else self._as_chosen(context, known)

    async def as_chosen(self, context: InteractionContext) -> InteractionContext:
        """The same in the language and theme of the user's settings.

        Unchanged if the store takes longer than :data:`_PATIENCE`.
        """
        if self.preferences.known(context.user_id) is not None:
            return context
        try:
            async with asyncio.timeout(_PATIENCE):
                return self._as_chosen(context, await self.preferences.of(context.user_id))
        except TimeoutError:
            return context

    def _as_chosen(self, context: InteractionContext, chosen: Preferences) -> InteractionContext:
        if chosen == Preferences():
            return context
        language = self.languages.chosen(chosen.language, context.language)
        reader = context.reader.chosen_by(context.user_id, chosen)
        return replace(context, reader=replace(reader, language=language))

    async def for_everyone(
        self, context: InteractionContext, match: Match | None = None
    ) -> InteractionContext:
        """The same in the language and theme of the server, or in that of the ``match``."""
        guild_id, locale = context.place.guild_id, context.interaction.guild_locale
        if guild_id is None:
            return context
        chosen = await self.preferences.server(guild_id)
        usual = self.languages.chosen(chosen.language, self.languages.of(locale))
        language = self.languages.chosen(None if match is None else match.language, usual)
        reader = self.reader.in_theme(chosen.theme)
        return replace(context, reader=replace(reader, language=language))

    async def note_language(self, context: InteractionContext, *, anywhere: bool = False) -> None:
        """Keep the language of a user's Discord for messages sent while they are away.

        Offers and boards in direct messages have one reader; that this user uses Parlour there is
        kept as well, since others may then challenge them there. If it can't be kept now, the next
        interaction tries again. Elsewhere it is kept only for users who ask for direct messages
        (``anywhere``).
        """
        if context.place.guild_id is not None and not anywhere:
            return
        locale = self.languages.of(context.interaction.locale).locale
        direct = context.interaction.context.dm_channel
        chosen = await self.preferences.of(context.user_id)
        is_known = locale == (chosen.locale or self.languages.default.locale)
        if not is_known or (direct and not chosen.direct):
            with contextlib.suppress(UserError):
                await self.preferences.change(
                    context.user_id,
                    lambda before: replace(before, locale=locale, direct=direct or before.direct),
                )

    async def around(self, context: InteractionContext) -> tuple[Match, ...]:
        """The running matches of a user in this channel, else in this server, else anywhere."""
        here = await self.matches.running_in(context.actor, context.place.channel_id)
        mine = tuple(match for match in here if match.index_of(context.user_id) is not None)
        if mine:
            return mine
        everywhere = await self.matches.matches_of(context.user_id)
        running = tuple(
            match
            for match in everywhere
            if match.status is MatchStatus.RUNNING and match.index_of(context.user_id) is not None
        )
        guild = context.place.guild_id
        return tuple(match for match in running if match.origin.guild_id == guild) or running
