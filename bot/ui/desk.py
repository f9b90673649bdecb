"""What every act of the user interface works with, and the one who asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import discord

from bot.domain.ids import ChannelId, GuildId, InteractionId, UserId
from bot.domain.match import Actor, Match, MatchStatus, Place
from bot.i18n import Language, Languages
from bot.services.matches import MatchService
from bot.services.ports import Clock
from bot.ui.answers import Background
from bot.ui.heads import Heads
from bot.ui.limits import Buckets
from bot.ui.scene import Stage

__all__ = ["Desk", "Visit"]


@dataclass(frozen=True, slots=True)
class Visit:
    """One interaction: who asks, where, in which language."""

    interaction: discord.Interaction[Any]
    actor: Actor
    place: Place
    language: Language

    @property
    def id(self) -> InteractionId:
        """What makes a repeated delivery recognisable."""
        return InteractionId(self.interaction.id)

    @property
    def user_id(self) -> UserId:
        """Who asks."""
        return self.actor.user_id


@dataclass(slots=True)
class Desk:
    """The services and tools behind every command and control."""

    matches: MatchService
    stage: Stage
    languages: Languages
    clock: Clock
    commands: Buckets
    typing: Buckets
    threads: bool = True
    offers_last: timedelta = timedelta(hours=48)
    heads: Heads = field(default_factory=Heads)
    background: Background = field(default_factory=Background)

    def visit(self, interaction: discord.Interaction[Any]) -> Visit:
        """Read who asks, and remember what they are called.

        Raises :exc:`ValueError` for an interaction that names no person or no channel.
        """
        user = interaction.user
        channel_id = interaction.channel_id
        if not isinstance(user, discord.User | discord.Member) or channel_id is None:
            raise ValueError("an interaction of nobody or nowhere")
        self.stage.names.note(UserId(user.id), user.display_name)
        guild_id = None if interaction.guild_id is None else GuildId(interaction.guild_id)
        return Visit(
            interaction,
            Actor(UserId(user.id), guild_id, user.bot),
            Place(guild_id, ChannelId(channel_id)),
            self.languages.of(interaction.locale),
        )

    async def around(self, visit: Visit) -> tuple[Match, ...]:
        """The running matches of a person in this channel, or else wherever they are."""
        here = await self.matches.running_in(visit.actor, visit.place.channel_id)
        mine = tuple(match for match in here if match.index_of(visit.user_id) is not None)
        if mine:
            return mine
        everywhere = await self.matches.matches_of(visit.user_id)
        running = tuple(
            match
            for match in everywhere
            if match.status is MatchStatus.RUNNING and match.index_of(visit.user_id) is not None
        )
        guild = visit.place.guild_id
        return tuple(match for match in running if match.origin.guild_id == guild) or running
