"""Where a match can be played, who may be invited to it, and who is still in a server."""

from __future__ import annotations

from typing import Any

import discord

from bot.domain.ids import ChannelId, GuildId, RoleId, UserId, is_id
from bot.domain.match import Actor, Match, Venue
from bot.domain.preferences import ServerSettings
from bot.errors import UserError
from bot.ui.pages.display_names import escape
from bot.ui.private_parts import role_ids
from bot.ui.rest import FAILURES, for_threads, has_threads, permissions
from games.view import Text

_WITHOUT_MESSAGES = frozenset(
    {discord.ChannelType.category, discord.ChannelType.forum, discord.ChannelType.media}
)


def described(person: discord.User | discord.Member | discord.Object) -> UserId:
    """The player that a field of a command names. Raises ``player_unknown``.

    A user that Discord says nothing about arrives as a bare object.
    """
    if isinstance(person, discord.Object) or not is_id(person.id):
        raise UserError("player_unknown")
    return UserId(person.id)


def guest(
    interaction: discord.Interaction[Any], person: discord.User | discord.Member | discord.Object
) -> Actor:
    """An invited player; in a server they must be a member, or they could not see the match."""
    if isinstance(person, discord.Object):
        raise UserError("not_in_server", name=escape(str(person.id), longest=20))
    if interaction.guild_id is not None and not isinstance(person, discord.Member):
        raise UserError("not_in_server", name=escape(person.display_name))
    guild = interaction.guild_id
    return Actor(described(person), None if guild is None else GuildId(guild), person.bot)


def venue_of(interaction: discord.Interaction[Any], *, threads: bool) -> Venue:
    """Where a match offered here can be played, by Parlour's permissions in this channel.

    Raises ``no_messages_here``, ``cannot_post_here`` and ``no_parlour_here``.
    """
    if interaction.guild_id is None:
        return Venue.DIRECT
    if not interaction.is_guild_integration():
        raise UserError("no_parlour_here")
    may = interaction.app_permissions
    channel = interaction.channel
    kind = getattr(channel, "type", None)
    if kind in _WITHOUT_MESSAGES:
        raise UserError("no_messages_here")
    lacking = permissions(may, in_thread=isinstance(channel, discord.Thread))
    if lacking:
        raise UserError("cannot_post_here", permissions=tuple(lacking), count=len(lacking))
    if threads and has_threads(kind) and not for_threads(may):
        return Venue.THREAD
    return Venue.CHANNEL


def threads_lacking(interaction: discord.Interaction[Any]) -> list[Text] | None:
    """The permissions that the channel lacks for threads; None if it lacks none.

    Empty where no permission helps: the kind of channel has no threads.
    """
    if not has_threads(getattr(interaction.channel, "type", None)):
        return []
    return for_threads(interaction.app_permissions) or None


def is_manager(interaction: discord.Interaction[Any]) -> bool:
    """Whether the user may manage the server, as the interaction itself says.

    Not by cached roles, and not by which commands Discord shows: both can be out of date.
    """
    may = interaction.permissions
    return interaction.guild_id is not None and (may.manage_guild or may.administrator)


def managed(interaction: discord.Interaction[Any]) -> GuildId:
    """The server, if the user manages it. Raises ``server_only`` and ``not_manager``."""
    if interaction.guild_id is None:
        raise UserError("server_only")
    if not is_manager(interaction):
        raise UserError("not_manager")
    return GuildId(interaction.guild_id)


def arranged(interaction: discord.Interaction[Any], chosen: ServerSettings) -> GuildId:
    """The server, if the user manages it or has the role it has chosen for that.

    Raises ``server_only``, ``not_manager`` and ``not_an_arranger``.
    """
    if chosen.arrangers is None or interaction.guild_id is None or is_manager(interaction):
        return managed(interaction)
    if not _has_role(interaction, chosen.arrangers):
        raise UserError("not_an_arranger", role=chosen.arrangers)
    return GuildId(interaction.guild_id)


def check_arranging(interaction: discord.Interaction[Any], chosen: ServerSettings) -> None:
    """Refuse users who may not hold tournaments, where the server has chosen a role for that."""
    if chosen.arrangers is not None:
        arranged(interaction, chosen)


def check_player(interaction: discord.Interaction[Any], chosen: ServerSettings) -> None:
    """Refuse users who may not play in this server (``kept_out``, ``not_a_role_player``)."""
    if interaction.guild_id is None:
        return
    if interaction.user.id in chosen.kept_out:
        raise UserError("kept_out")
    if chosen.players is None or is_manager(interaction):
        return
    if not _has_role(interaction, chosen.players):
        raise UserError("not_a_role_player", role=chosen.players)


def _has_role(interaction: discord.Interaction[Any], role: RoleId) -> bool:
    return role in role_ids(interaction.user)


def check_ping_role(guild: discord.Guild | None, role_id: RoleId) -> None:
    """Refuse a role that players must not give themselves, or that Parlour can't give or ping.

    Raises ``not_its_role`` and all that begin with ``ping_role_``.
    """
    role = None if guild is None else guild.get_role(role_id)
    if guild is None or role is None:
        raise UserError("not_its_role")
    if role.is_default():
        raise UserError("ping_role_everyone")
    if role.managed:
        raise UserError("ping_role_managed", role=role_id)
    if role.permissions.value:
        raise UserError("ping_role_permissions", role=role_id)
    may = guild.me.guild_permissions
    if not may.manage_roles:
        raise UserError("ping_role_not_ours")
    if role >= guild.me.top_role:
        raise UserError("ping_role_above", role=role_id)
    if not role.mentionable and not may.mention_everyone:
        raise UserError("ping_role_silent", role=role_id)


def check_offering(interaction: discord.Interaction[Any], chosen: ServerSettings) -> None:
    """Refuse an offer in the wrong channel or by the wrong player; managers need no role.

    Raises ``not_offered_here``, ``not_an_offerer``, and what :func:`check_player` raises.
    """
    if interaction.guild_id is None:
        return
    check_player(interaction, chosen)
    around = {interaction.channel_id, getattr(interaction.channel, "parent_id", None)}
    at_lobby = chosen.lobby is not None and chosen.lobby in around
    if chosen.channels and around.isdisjoint(chosen.channels) and not at_lobby:
        shown = tuple(f"<#{channel}>" for channel in chosen.channels[:10])
        raise UserError("not_offered_here", channels=shown)
    if chosen.offerers is None or is_manager(interaction):
        return
    if not _has_role(interaction, chosen.offerers):
        raise UserError("not_an_offerer", role=chosen.offerers)


def _open_channel(guild: discord.Guild, channel_id: ChannelId) -> discord.abc.GuildChannel | None:
    """The channel of that id; of a public thread, its parent."""
    found = guild.get_channel_or_thread(channel_id)
    if isinstance(found, discord.Thread):
        return None if found.is_private() else found.parent
    return found


def may_see(guild: discord.Guild, member: discord.Member, channel_id: ChannelId) -> bool:
    """Whether a member can view a channel; False if unknown."""
    channel = _open_channel(guild, channel_id)
    return channel is not None and channel.permissions_for(member).view_channel


def may_write(
    guild: discord.Guild, member: discord.Member | discord.User, channel_id: ChannelId
) -> bool:
    """Whether a member may write in a channel; False if unknown."""
    channel = guild.get_channel(channel_id)
    if channel is None or not isinstance(member, discord.Member):
        return False
    may = channel.permissions_for(member)
    return may.view_channel and may.send_messages


def sees_match(interaction: discord.Interaction[Any], match: Match) -> bool:
    """Whether the user plays in a match, or may view its channel."""
    guild, member = interaction.guild, interaction.user
    if match.index_of(UserId(member.id)) is not None:
        return True
    return (
        guild is not None
        and isinstance(member, discord.Member)
        and may_see(guild, member, match.home_id or match.origin.channel_id)
    )


def everybody_sees(guild: discord.Guild, among: ChannelId, channel_id: ChannelId) -> bool:
    """Whether everyone who can view one channel can view another, as far as roles tell."""
    if among == channel_id:
        return True
    here, there = guild.get_channel(among), _open_channel(guild, channel_id)
    if here is None or there is None:
        return False
    return here == there or all(
        there.permissions_for(role).view_channel
        for role in guild.roles
        if here.permissions_for(role).view_channel
    )


async def is_member(client: discord.Client, guild_id: GuildId, user_id: UserId) -> bool | None:
    """Ask Discord whether a user is in a server: no intent tells Parlour when one leaves.

    None if Discord doesn't say.
    """
    guild = client.get_guild(guild_id)
    if guild is None or guild.unavailable:
        return None
    try:
        await guild.fetch_member(user_id)
    except discord.NotFound:
        return False
    except FAILURES:
        return None
    return True
