"""Servers, channels, direct messages, people and their permissions."""

from __future__ import annotations

from dataclasses import dataclass

from playground import errors
from playground.errors import FormErrors
from playground.wire import Json
from playground.world import shapes
from playground.world.model import (
    Channel,
    ChannelType,
    Guild,
    Member,
    Overwrite,
    Role,
    User,
)
from playground.world.permissions import BOT, EVERYONE, Permission, guild_permissions
from playground.world.state import GatewayEvent, State
from playground.world.threads import Threads


@dataclass(slots=True)
class Places:
    """The actions on servers, channels and members."""

    state: State
    threads: Threads

    # People.

    def add_user(
        self, name: str, *, locale: str = "en-GB", bot: bool = False, scripted: bool = False
    ) -> User:
        """A new user."""
        made = User(self.state.ids.next(), name, bot=bot, locale=locale, scripted=scripted)
        self.state.users[made.id] = made
        self.state.keep(made)
        return made

    def join(self, guild_id: int, user_id: int) -> Member:
        """Let a user into a server, the bot with a role of its own; tell."""
        guild = self.state.guild(guild_id)
        user = self.state.user(user_id)
        if (guild_id, user_id) in self.state.members:
            return self.state.members[guild_id, user_id]
        made = Member(guild_id, user_id, joined=self.state.clock.now())
        if user_id == self.state.bot_id:
            role = self.add_role(guild_id, user.name, BOT)
            role.managed, role.bot_id = True, user_id
            self.state.keep(role)
            made.roles.append(role.id)
        self.state.members[guild_id, user_id] = made
        self.state.keep(made)
        data = shapes.member(self.state, made) | {"guild_id": str(guild_id)}
        self.state.tell(
            GatewayEvent("GUILD_MEMBER_ADD", data, guild_id, to_bot=user_id != self.state.bot_id)
        )
        if user_id == self.state.bot_id:
            self._tell_guild(guild)
        return made

    def leave(self, guild_id: int, user_id: int) -> None:
        """Take a user out of a server; tell. The bot learns that the server is gone."""
        self.state.member(guild_id, user_id)
        user = self.state.user(user_id)
        del self.state.members[guild_id, user_id]
        self.state.journal.drop("member", f"{guild_id}:{user_id}")
        for channel in list(self.state.channels_of(guild_id)):
            if channel.is_thread:
                self.threads.remove_member(channel, user_id)
        is_bot = user_id == self.state.bot_id
        data = {"guild_id": str(guild_id), "user": shapes.user(user)}
        self.state.tell(GatewayEvent("GUILD_MEMBER_REMOVE", data, guild_id, to_bot=not is_bot))
        if is_bot:
            gone = {"id": str(guild_id), "unavailable": False}
            self.state.tell(GatewayEvent("GUILD_DELETE", gone, guild_id, to_people=False))
            for command in [c for c in self.state.commands.values() if c.guild_id == guild_id]:
                del self.state.commands[command.id]
                self.state.journal.drop("command", str(command.id))

    # Servers and roles.

    def add_guild(self, name: str, owner_id: int) -> Guild:
        """A new server with one text channel and its owner in it."""
        made = Guild(id=self.state.ids.next(), name=name, owner_id=owner_id)
        self.state.guilds[made.id] = made
        self.state.keep(made)
        everyone = Role(made.id, made.id, "@everyone", EVERYONE)
        self.state.roles[made.id] = everyone
        self.state.keep(everyone)
        self.add_channel(made.id, "general")
        self.join(made.id, owner_id)
        return made

    def _tell_guild(self, guild: Guild) -> None:
        """Tell the bot about a server that is there."""
        data = shapes.guild_create(self.state, guild, all_members=False)
        self.state.tell(GatewayEvent("GUILD_CREATE", data, guild.id, to_people=False))

    def set_available(self, guild_id: int, *, available: bool) -> None:
        """Begin or end an outage of a server."""
        guild = self.state.guild(guild_id)
        guild.available = available
        if available:
            self._tell_guild(guild)
        else:
            gone = {"id": str(guild_id), "unavailable": True}
            self.state.tell(GatewayEvent("GUILD_DELETE", gone, guild_id, to_people=False))

    def add_role(self, guild_id: int, name: str, permissions: int) -> Role:
        """A new role; tell."""
        position = max((each.position for each in self.state.roles_of(guild_id)), default=0) + 1
        made = Role(self.state.ids.next(), guild_id, name, permissions, position)
        self.state.roles[made.id] = made
        self.state.keep(made)
        data = {"guild_id": str(guild_id), "role": shapes.role(made)}
        self.state.tell(GatewayEvent("GUILD_ROLE_CREATE", data, guild_id))
        return made

    def set_role_permissions(self, role_id: int, permissions: int) -> None:
        """Change the permissions of a role; tell."""
        role = self.state.roles.get(role_id)
        if role is None:
            raise errors.unknown("Role")
        role.permissions = permissions
        self.state.keep(role)
        data = {"guild_id": str(role.guild_id), "role": shapes.role(role)}
        self.state.tell(GatewayEvent("GUILD_ROLE_UPDATE", data, role.guild_id))

    def set_member_roles(self, guild_id: int, user_id: int, roles: list[int]) -> None:
        """Give a member these roles and no others; tell."""
        member = self.state.member(guild_id, user_id)
        if any(role not in self.state.roles for role in roles):
            raise errors.unknown("Role")
        member.roles = list(roles)
        self.state.keep(member)
        data = shapes.member(self.state, member) | {"guild_id": str(guild_id)}
        self.state.tell(GatewayEvent("GUILD_MEMBER_UPDATE", data, guild_id))

    def give_role(self, guild_id: int, by: int, user_id: int, role_id: int) -> None:
        """Give a member a role below all those of the member who gives it, and tell."""
        self._check_roles(guild_id, by, role_id)
        member = self.state.member(guild_id, user_id)
        if role_id not in member.roles:
            self.set_member_roles(guild_id, user_id, [*member.roles, role_id])

    def take_role(self, guild_id: int, by: int, user_id: int, role_id: int) -> None:
        """Take a role from a member; tell."""
        self._check_roles(guild_id, by, role_id)
        member = self.state.member(guild_id, user_id)
        rest = [each for each in member.roles if each != role_id]
        if rest != member.roles:
            self.set_member_roles(guild_id, user_id, rest)

    def _check_roles(self, guild_id: int, by: int, role_id: int) -> None:
        role = self.state.roles.get(role_id)
        if role is None or role.guild_id != guild_id:
            raise errors.unknown("Role")
        granted = guild_permissions(self.state, guild_id, by)
        own = [self.state.roles[each].position for each in self.state.member(guild_id, by).roles]
        is_owner = self.state.guild(guild_id).owner_id == by
        if not granted & Permission.MANAGE_ROLES or role.managed or role_id == guild_id:
            raise errors.missing_permissions()
        if not is_owner and role.position >= max(own, default=0):
            raise errors.missing_permissions()

    # Channels.

    def add_channel(
        self,
        guild_id: int,
        name: str,
        *,
        kind: ChannelType = ChannelType.TEXT,
    ) -> Channel:
        """A new channel; tell."""
        self.state.guild(guild_id)
        faults = FormErrors()
        faults.check_length("name", name, 1, 100)
        faults.check()
        there = [each for each in self.state.channels_of(guild_id) if not each.is_thread]
        if len(there) >= 500:
            raise errors.maximum(30013, "Maximum number of guild channels reached (500)")
        made = Channel(
            id=self.state.ids.next(),
            kind=kind,
            name=name,
            guild_id=guild_id,
            position=len(there),
        )
        self.state.channels[made.id] = made
        self.state.keep(made)
        self._tell("CHANNEL_CREATE", made)
        return made

    def change_channel(self, channel: Channel, user_id: int, body: Json) -> None:
        """Rename a channel or change its topic; tell. Threads have their own rules."""
        if channel.is_thread:
            self.threads.change(channel, user_id, body)
            return
        if channel.guild_id is None:
            raise errors.wrong_channel_type()
        self.state.require(channel, user_id, Permission.MANAGE_CHANNELS)
        faults = FormErrors()
        if body.get("name") is not None:
            faults.check_length("name", body["name"], 1, 100)
        faults.check()
        if body.get("name") is not None:
            channel.name = body["name"]
        if "topic" in body:
            channel.topic = body["topic"]
        if body.get("rate_limit_per_user") is not None:
            channel.slowmode = int(body["rate_limit_per_user"])
        self.state.keep(channel)
        self._tell("CHANNEL_UPDATE", channel)

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel with its threads and messages; tell."""
        for thread in [
            each for each in self.state.channels.values() if each.parent_id == channel.id
        ]:
            self.remove_channel(thread)
        if channel.is_thread:
            name, data = (
                "THREAD_DELETE",
                {
                    "id": str(channel.id),
                    "guild_id": str(channel.guild_id),
                    "parent_id": str(channel.parent_id),
                    "type": int(channel.kind),
                },
            )
        else:
            name, data = "CHANNEL_DELETE", shapes.channel(self.state, channel)
        # Told before it goes, while its viewers can still be determined.
        self.state.tell(GatewayEvent(name, data, channel.guild_id, channel.id))
        for message in self.state.messages.pop(channel.id, {}).values():
            self.state.journal.drop("message", str(message.id))
            for each in (*message.attachments, *message.hidden_files):
                self.state.drop_file(each.id)
        del self.state.channels[channel.id]
        self.state.journal.drop("channel", str(channel.id))

    def set_overwrite(self, channel: Channel, overwrite: Overwrite) -> None:
        """Set the overwrite of a role or a member in a channel; tell."""
        channel.overwrites = [each for each in channel.overwrites if each.id != overwrite.id]
        channel.overwrites.append(overwrite)
        self.state.keep(channel)
        self._tell("CHANNEL_UPDATE", channel)

    def drop_overwrite(self, channel: Channel, target_id: int) -> None:
        """Remove such an overwrite; tell."""
        channel.overwrites = [each for each in channel.overwrites if each.id != target_id]
        self.state.keep(channel)
        self._tell("CHANNEL_UPDATE", channel)

    def direct(self, one: int, other: int) -> Channel:
        """The direct messages of two users, opened if necessary."""
        self.state.user(other)
        if one == other:
            raise errors.maximum(50007, "Cannot send messages to this user")
        for channel in self.state.channels.values():
            if channel.kind is ChannelType.DM and set(channel.recipients) == {one, other}:
                return channel
        made = Channel(id=self.state.ids.next(), kind=ChannelType.DM, recipients=[one, other])
        self.state.channels[made.id] = made
        self.state.keep(made)
        self._tell("CHANNEL_CREATE", made)
        return made

    def _tell(self, name: str, channel: Channel) -> None:
        data = shapes.channel(self.state, channel)
        # In a direct message each side gets the other as recipient; the listener asks for its own
        # shape.
        self.state.tell(GatewayEvent(name, data, channel.guild_id, channel.id))
