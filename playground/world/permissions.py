"""Permissions in servers and channels.

https://docs.discord.com/developers/topics/permissions#permission-hierarchy
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntFlag
from typing import Protocol

from playground.world.model import Channel, ChannelType, Guild, Member, Role


class Rolls(Protocol):
    """The facts that permissions follow from: members and their roles."""

    @property
    def members(self) -> Mapping[tuple[int, int], Member]:
        """Members by server and user."""
        ...

    @property
    def roles(self) -> Mapping[int, Role]:
        """Roles; that of everyone has the server's id."""
        ...

    @property
    def channels(self) -> Mapping[int, Channel]:
        """Channels and threads."""
        ...

    def guild(self, guild_id: int) -> Guild:
        """The server; 10004 if there is none."""
        ...


class Permission(IntFlag):
    """The permissions that the playground checks."""

    KICK_MEMBERS = 1 << 1
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    SEND_TTS_MESSAGES = 1 << 12
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_EVENTS = 1 << 33
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    CREATE_EVENTS = 1 << 44
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51
    BYPASS_SLOWMODE = 1 << 52


ALL = (1 << 53) - 1

#: The permissions of @everyone in a new server.
EVERYONE = int(
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.MENTION_EVERYONE
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CHANGE_NICKNAME
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.USE_EXTERNAL_APPS
)

#: The permissions of the bot's own role when it is invited.
BOT = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.MANAGE_THREADS
    | Permission.CREATE_EVENTS
)

#: The permissions of both sides in a direct message.
DIRECT = int(
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.MENTION_EVERYONE
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.USE_EXTERNAL_APPS
    | Permission.PIN_MESSAGES
)


def guild_permissions(rolls: Rolls, guild_id: int, user_id: int) -> int:
    """The permissions of a user in a server, without those of channels."""
    guild = rolls.guild(guild_id)
    member = rolls.members.get((guild_id, user_id))
    if member is None:
        return 0
    if guild.owner_id == user_id:
        return ALL
    granted = rolls.roles[guild_id].permissions
    for role_id in member.roles:
        granted |= rolls.roles[role_id].permissions
    return ALL if granted & Permission.ADMINISTRATOR else granted


def permissions_in(rolls: Rolls, channel: Channel, user_id: int) -> int:
    """The permissions of a user in a channel; a thread has those of its parent channel."""
    if channel.guild_id is None:
        return DIRECT if user_id in channel.recipients else 0
    if channel.is_thread and channel.parent_id is not None:
        parent = rolls.channels[channel.parent_id]
        granted = permissions_in(rolls, parent, user_id)
        if (
            channel.kind is ChannelType.PRIVATE_THREAD
            and user_id not in channel.thread_members
            and not granted & Permission.MANAGE_THREADS
        ):
            return 0
        return granted
    granted = guild_permissions(rolls, channel.guild_id, user_id)
    if granted == ALL:
        return ALL
    member = rolls.members.get((channel.guild_id, user_id))
    if member is None:
        return 0
    by_id = {overwrite.id: overwrite for overwrite in channel.overwrites}
    everyone = by_id.get(channel.guild_id)
    if everyone is not None:
        granted = granted & ~everyone.deny | everyone.allow
    allow = deny = 0
    for role_id in member.roles:
        if role_id in by_id:
            allow |= by_id[role_id].allow
            deny |= by_id[role_id].deny
    granted = granted & ~deny | allow
    if user_id in by_id:
        granted = granted & ~by_id[user_id].deny | by_id[user_id].allow
    return granted if granted & Permission.VIEW_CHANNEL else 0


def can_send(rolls: Rolls, channel: Channel, user_id: int) -> bool:
    """Whether a user may write in a channel, or, in a thread, may write in threads."""
    needed = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
    return bool(permissions_in(rolls, channel, user_id) & needed)
