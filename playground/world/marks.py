"""Marks of people on messages: reactions and pins."""

from __future__ import annotations

from dataclasses import dataclass

from playground import errors
from playground.wire import Json, iso, read_id
from playground.world import message_shapes, shapes
from playground.world.messages import Messages
from playground.world.model import Message, Reaction
from playground.world.permissions import Permission
from playground.world.state import GatewayEvent, State


@dataclass(slots=True)
class Marks:
    """The actions on reactions and pins; every method takes the acting user."""

    state: State
    messages: Messages

    def react(self, channel_id: int, message_id: int, user_id: int, emoji: str) -> None:
        """Put an emoji under a message."""
        channel = self.state.visible_channel(channel_id, user_id)
        message = self.messages.seen(channel_id, message_id, user_id)
        name, emoji_id = self._read_emoji(emoji)
        found = next(
            (r for r in message.reactions if (r.name, r.emoji_id) == (name, emoji_id)), None
        )
        if found is None:
            self.state.require(channel, user_id, Permission.ADD_REACTIONS)
            if len(message.reactions) >= 20:
                raise errors.maximum(30010, "Maximum number of reactions reached (20)")
            found = Reaction(name, emoji_id)
            message.reactions.append(found)
        if user_id in found.users:
            return
        found.users.append(user_id)
        self.state.keep(message)
        self._tell_reaction("MESSAGE_REACTION_ADD", message, user_id, found)

    def unreact(self, channel_id: int, message_id: int, user_id: int, emoji: str) -> None:
        """Take one's own emoji away."""
        self.state.visible_channel(channel_id, user_id)
        message = self.messages.seen(channel_id, message_id, user_id)
        name, emoji_id = self._read_emoji(emoji)
        for found in message.reactions:
            if (found.name, found.emoji_id) == (name, emoji_id) and user_id in found.users:
                found.users.remove(user_id)
                if not found.users:
                    message.reactions.remove(found)
                self.state.keep(message)
                self._tell_reaction("MESSAGE_REACTION_REMOVE", message, user_id, found)
                return

    def reactors(self, channel_id: int, message_id: int, user_id: int, emoji: str) -> list[Json]:
        """The users who put that emoji under a message."""
        self.state.visible_channel(channel_id, user_id)
        message = self.messages.seen(channel_id, message_id, user_id)
        wanted = self._read_emoji(emoji)
        for found in message.reactions:
            if (found.name, found.emoji_id) == wanted:
                return [shapes.user(self.state.users[each]) for each in found.users]
        return []

    def pin(self, channel_id: int, message_id: int, user_id: int, *, pinned: bool) -> None:
        """Pin a message or take the pin away."""
        channel = self.state.visible_channel(channel_id, user_id)
        message = self.messages.seen(channel_id, message_id, user_id)
        self.state.require(channel, user_id, Permission.PIN_MESSAGES)
        if message.pinned == pinned:
            return
        if pinned and len(self.pins(channel_id, user_id)) >= 250:
            raise errors.maximum(30003, "Maximum number of pinned messages reached (250)")
        message.pinned = pinned
        message.pinned_at = self.state.clock.now() if pinned else None
        channel.last_pin = message.pinned_at or channel.last_pin
        self.state.keep(channel)
        self.messages.updated(message)
        data: Json = {
            "channel_id": str(channel.id),
            "last_pin_timestamp": None if channel.last_pin is None else iso(channel.last_pin),
        }
        if channel.guild_id is not None:
            data["guild_id"] = str(channel.guild_id)
        self.state.tell(GatewayEvent("CHANNEL_PINS_UPDATE", data, channel.guild_id, channel.id))

    def pins(self, channel_id: int, user_id: int) -> list[Message]:
        """The pinned messages, newest pin first."""
        self.state.visible_channel(channel_id, user_id)
        there = [each for each in self.state.messages.get(channel_id, {}).values() if each.pinned]
        return sorted(there, key=lambda each: each.pinned_at or 0, reverse=True)

    def _tell_reaction(self, name: str, message: Message, user_id: int, found: Reaction) -> None:
        channel = self.state.channels[message.channel_id]
        data: Json = {
            "user_id": str(user_id),
            "channel_id": str(channel.id),
            "message_id": str(message.id),
            "emoji": message_shapes.reaction_emoji(found),
            "burst": False,
            "type": 0,
        }
        if channel.guild_id is not None:
            data["guild_id"] = str(channel.guild_id)
            if name == "MESSAGE_REACTION_ADD":
                data["member"] = shapes.member(
                    self.state, self.state.member(channel.guild_id, user_id)
                )
                data["message_author_id"] = str(message.author_id)
        self.state.tell(
            GatewayEvent(name, data, channel.guild_id, channel.id, only_for=message.only_for)
        )

    def _read_emoji(self, text: str) -> tuple[str, int | None]:
        name, _, number = text.partition(":")
        if number:
            emoji_id = read_id(number)
            if emoji_id is None or emoji_id not in self.state.emojis:
                raise errors.unknown("Emoji")
            return name, emoji_id
        if not name or name.isascii():
            raise errors.unknown("Emoji")
        return name, None
