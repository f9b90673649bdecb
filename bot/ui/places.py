"""Where a match can be played, and whom one may invite to it."""

from __future__ import annotations

from typing import Any

import discord

from bot.domain.ids import GuildId, UserId
from bot.domain.match import Actor, Venue
from bot.errors import UserError
from bot.ui.names import escape

__all__ = ["guest", "venue_of"]


def guest(interaction: discord.Interaction[Any], person: discord.User | discord.Member) -> Actor:
    """An invited person; in a server they must belong to it, or they could not see the match."""
    if interaction.guild_id is not None and not isinstance(person, discord.Member):
        raise UserError("not_in_server", name=escape(person.display_name))
    guild = interaction.guild_id
    return Actor(UserId(person.id), None if guild is None else GuildId(guild), person.bot)


def venue_of(interaction: discord.Interaction[Any], *, threads: bool) -> Venue:
    """Where a match offered here can be played, by what we may do in this channel.

    Raises :exc:`~bot.errors.UserError` (``cannot_post_here``) where we may not even post.
    """
    if interaction.guild_id is None:
        return Venue.DIRECT
    may = interaction.app_permissions
    channel = interaction.channel
    in_thread = isinstance(channel, discord.Thread)
    wanted = {
        "View Channel": may.view_channel,
        "Send Messages": may.send_messages_in_threads if in_thread else may.send_messages,
        "Attach Files": may.attach_files,
    }
    missing = [name for name, given in wanted.items() if not given]
    if missing:
        raise UserError("cannot_post_here", permissions=", ".join(missing))
    kind = getattr(channel, "type", None)
    may_thread = may.create_public_threads and may.send_messages_in_threads
    if threads and may_thread and kind in (discord.ChannelType.text, discord.ChannelType.news):
        return Venue.THREAD
    return Venue.CHANNEL
