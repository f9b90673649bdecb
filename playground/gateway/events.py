"""The readers of each event: intents, shards, and the messages that a bot may read."""

from __future__ import annotations

from enum import IntFlag

from playground.wire import Json, without
from playground.world.model import ChannelType
from playground.world.permissions import Permission, permissions_in
from playground.world.state import GatewayEvent, State


class Intent(IntFlag):
    """https://docs.discord.com/developers/events/gateway#gateway-intents."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_REACTIONS = 1 << 10
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_REACTIONS = 1 << 13
    DIRECT_MESSAGE_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15
    GUILD_SCHEDULED_EVENTS = 1 << 16


PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT
#: All intents there are: bits 0-16, 20, 21, 24 and 25.
ALL = 0b11_0011_0001_1111_1111_1111_1111

_GUILDS = (
    "GUILD_CREATE",
    "GUILD_UPDATE",
    "GUILD_DELETE",
    "GUILD_ROLE_CREATE",
    "GUILD_ROLE_UPDATE",
    "GUILD_ROLE_DELETE",
    "CHANNEL_CREATE",
    "CHANNEL_UPDATE",
    "CHANNEL_DELETE",
    "CHANNEL_PINS_UPDATE",
    "THREAD_CREATE",
    "THREAD_UPDATE",
    "THREAD_DELETE",
)
#: The intent needed in servers and the one needed in direct messages.
_NEEDED: dict[str, tuple[int, int]] = {
    **dict.fromkeys(_GUILDS, (Intent.GUILDS, Intent.DIRECT_MESSAGES)),
    **dict.fromkeys(
        ("GUILD_MEMBER_ADD", "GUILD_MEMBER_UPDATE", "GUILD_MEMBER_REMOVE"),
        (Intent.GUILD_MEMBERS, 0),
    ),
    "PRESENCE_UPDATE": (Intent.GUILD_PRESENCES, 0),
    **dict.fromkeys(
        (
            "GUILD_SCHEDULED_EVENT_CREATE",
            "GUILD_SCHEDULED_EVENT_UPDATE",
            "GUILD_SCHEDULED_EVENT_DELETE",
        ),
        (Intent.GUILD_SCHEDULED_EVENTS, 0),
    ),
    **dict.fromkeys(
        ("MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE"),
        (Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES),
    ),
    **dict.fromkeys(
        ("MESSAGE_REACTION_ADD", "MESSAGE_REACTION_REMOVE"),
        (Intent.GUILD_MESSAGE_REACTIONS, Intent.DIRECT_MESSAGE_REACTIONS),
    ),
    "TYPING_START": (Intent.GUILD_MESSAGE_TYPING, Intent.DIRECT_MESSAGE_TYPING),
}
_WITH_WORDS = frozenset({"MESSAGE_CREATE", "MESSAGE_UPDATE"})
_IN_CHANNEL = _WITH_WORDS | {
    "MESSAGE_DELETE",
    "MESSAGE_REACTION_ADD",
    "MESSAGE_REACTION_REMOVE",
    "TYPING_START",
}


def shard_of(guild_id: int | None, shards: int) -> int:
    """The shard of a server; direct messages go to the first."""
    return 0 if guild_id is None else (guild_id >> 22) % shards


def is_told(state: State, happening: GatewayEvent, intents: int, shard: int, shards: int) -> bool:
    """Whether a session with these intents on this shard gets the event."""
    if not happening.to_bot or shard_of(happening.guild_id, shards) != shard:
        return False
    name = happening.name
    if name == "INTERACTION_CREATE":
        return True
    guild_id = happening.guild_id
    if guild_id is not None and name != "GUILD_DELETE":
        is_member = (guild_id, state.bot_id) in state.members
        if not is_member or not state.guilds[guild_id].available:
            return False
    channel = None if happening.channel_id is None else state.channels.get(happening.channel_id)
    if channel is not None and guild_id is None and state.bot_id not in channel.recipients:
        return False
    if name == "CHANNEL_CREATE" and channel is not None and channel.kind is ChannelType.DM:
        return False
    if name in _IN_CHANNEL and channel is not None:
        granted = permissions_in(state, channel, state.bot_id)
        if not granted & Permission.VIEW_CHANNEL:
            return False
    if name == "GUILD_MEMBER_UPDATE" and happening.data["user"]["id"] == str(state.bot_id):
        # A bot gets events about itself without any intent.
        return True
    if name == "THREAD_MEMBERS_UPDATE":
        own = str(state.bot_id)
        touched = [each["user_id"] for each in happening.data.get("added_members", [])]
        touched += happening.data.get("removed_member_ids", [])
        return bool(intents & (Intent.GUILD_MEMBERS if own not in touched else Intent.GUILDS))
    in_guild, in_direct = _NEEDED.get(name, (Intent.GUILDS, 0))
    return bool(intents & (in_direct if guild_id is None else in_guild))


def shown(state: State, happening: GatewayEvent, intents: int) -> Json:
    """The event's data for a session: without message texts of others, if it may not read them."""
    data = happening.data
    if happening.name not in _WITH_WORDS or intents & Intent.MESSAGE_CONTENT:
        return data
    if happening.guild_id is None or data["author"]["id"] == str(state.bot_id):
        return data
    if any(each["id"] == str(state.bot_id) for each in data["mentions"]):
        return data
    return without(data, ("poll",)) | {
        "content": "",
        "embeds": [],
        "attachments": [],
        "components": [],
    }
