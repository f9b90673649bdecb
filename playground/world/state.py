"""The state of the world, its storage, and the listeners to its changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from cachetools import TTLCache

from playground import errors
from playground.clock import Clock, Snowflakes, SystemClock
from playground.wire import Json
from playground.world.model import (
    Attachment,
    Channel,
    Command,
    Emoji,
    Guild,
    Interaction,
    Member,
    Message,
    Role,
    ScheduledEvent,
    User,
)
from playground.world.permissions import Permission, permissions_in

#: The kinds of thing that are kept between runs.
Kind: TypeAlias = Literal[
    "user",
    "guild",
    "role",
    "member",
    "channel",
    "message",
    "command",
    "emoji",
    "scheduled_event",
    "file",
]
Record: TypeAlias = (
    User
    | Guild
    | Role
    | Member
    | Channel
    | Message
    | Command
    | Emoji
    | ScheduledEvent
    | bytes
    | str
)


class Journal(Protocol):
    """Stores the world between runs."""

    def put(self, kind: Kind, key: str, record: Record) -> None:
        """Store ``record`` under ``kind`` and ``key``."""
        ...

    def drop(self, kind: Kind, key: str) -> None:
        """Delete the record there."""
        ...


class _Forgetful:
    """Stores nothing: a world in memory."""

    def put(self, kind: Kind, key: str, record: Record) -> None:
        """Do nothing."""

    def drop(self, kind: Kind, key: str) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class GatewayEvent:
    """An event for clients: a gateway event and the people it concerns."""

    name: str
    data: Json
    guild_id: int | None = None
    channel_id: int | None = None
    #: The one person who is told, or None for all who see the channel or are in the server.
    only_for: int | None = None
    to_bot: bool = True
    to_people: bool = True


@dataclass(frozen=True, slots=True)
class Limits:
    """The numbers of Discord's rules. Tests may make them smaller."""

    answer_seconds: float = 3.0
    token_seconds: float = 900.0
    file_bytes: int = 10 * 1024 * 1024
    request_bytes: int = 25 * 1024 * 1024
    active_threads: int = 1000
    old_message_seconds: float = 3600.0
    old_edits: int = 3
    old_edit_window: float = 6.0
    nonce_seconds: float = 300.0
    command_creates_a_day: int = 200


@dataclass(frozen=True, slots=True)
class ApplicationInfo:
    """The bot's application: its ids, its name and whether it may ask for privileged intents.

    In an empty place the page offers to begin with the ``first_command``, if one is named.
    """

    id: int
    bot_id: int
    name: str
    privileged_intents: bool = False
    first_command: str = ""


@dataclass(slots=True, repr=False)
class State:
    """The whole state. Services change it and report that by :meth:`keep` and :meth:`tell`."""

    application: ApplicationInfo
    clock: Clock = field(default_factory=SystemClock)
    limits: Limits = field(default_factory=Limits)
    journal: Journal = field(default_factory=_Forgetful)
    #: Where files are served, without a slash at the end.
    cdn_url: str = "http://127.0.0.1/cdn"
    ids: Snowflakes = field(init=False)
    users: dict[int, User] = field(default_factory=dict)
    guilds: dict[int, Guild] = field(default_factory=dict)
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[tuple[int, int], Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    #: Messages of each channel, oldest first.
    messages: dict[int, dict[int, Message]] = field(default_factory=dict)
    commands: dict[int, Command] = field(default_factory=dict)
    emojis: dict[int, Emoji] = field(default_factory=dict)
    scheduled_events: dict[int, ScheduledEvent] = field(default_factory=dict)
    interactions: dict[int, Interaction] = field(default_factory=dict)
    interactions_by_token: dict[str, Interaction] = field(default_factory=dict)
    #: The bytes of files; a store takes those that last over from here.
    files: dict[int, bytes] = field(default_factory=dict)
    #: Files of which nothing tells any more. Discord serves those for a while, too: a page that is
    #: just loading one must not find it gone.
    dropped: TTLCache[int, bytes] = field(default_factory=lambda: TTLCache(200, ttl=10.0))
    #: Files that people sent along with commands and modals.
    uploads: dict[int, Attachment] = field(default_factory=dict)
    #: Whether at least one gateway session of the bot is connected.
    bot_online: bool = False
    _listeners: list[Callable[[GatewayEvent], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ids = Snowflakes(self.clock)

    # Listeners and the journal.

    def listen(self, listener: Callable[[GatewayEvent], None]) -> None:
        """Call ``listener`` with every event from now on."""
        self._listeners.append(listener)

    def tell(self, happening: GatewayEvent) -> None:
        """Tell all listeners."""
        for listener in self._listeners:
            listener(happening)

    def keep(
        self,
        record: User | Guild | Role | Member | Channel | Message | Command | ScheduledEvent,
    ) -> None:
        """Store ``record`` between runs; an ephemeral message is not stored, as in Discord."""
        match record:
            case User():
                self.journal.put("user", str(record.id), record)
            case Guild():
                self.journal.put("guild", str(record.id), record)
            case Role():
                self.journal.put("role", str(record.id), record)
            case Member():
                self.journal.put("member", f"{record.guild_id}:{record.user_id}", record)
            case Channel():
                self.journal.put("channel", str(record.id), record)
            case Message():
                if record.only_for is None:
                    self.journal.put("message", str(record.id), record)
            case Command():
                self.journal.put("command", str(record.id), record)
            case ScheduledEvent():
                self.journal.put("scheduled_event", str(record.id), record)

    def keep_file(self, file_id: int, data: bytes, *, lasting: bool = True) -> None:
        """Store the bytes of a file, between runs too if ``lasting``."""
        self.files[file_id] = data
        if lasting:
            self.journal.put("file", str(file_id), data)

    def drop_file(self, file_id: int) -> None:
        """Forget the bytes of a file, in a moment."""
        data = self.files.pop(file_id, None)
        if data is not None:
            self.dropped[file_id] = data
        self.journal.drop("file", str(file_id))

    # Looking up.

    @property
    def bot_id(self) -> int:
        """The bot's user id."""
        return self.application.bot_id

    def user(self, user_id: int) -> User:
        """The user; 10013 if there is none."""
        try:
            return self.users[user_id]
        except KeyError:
            raise errors.unknown("User") from None

    def guild(self, guild_id: int) -> Guild:
        """The server; 10004 if there is none."""
        try:
            return self.guilds[guild_id]
        except KeyError:
            raise errors.unknown("Guild") from None

    def member(self, guild_id: int, user_id: int) -> Member:
        """The member; 10007 if there is none."""
        try:
            return self.members[guild_id, user_id]
        except KeyError:
            raise errors.unknown("Member") from None

    def channel(self, channel_id: int) -> Channel:
        """The channel; 10003 if there is none."""
        try:
            return self.channels[channel_id]
        except KeyError:
            raise errors.unknown("Channel") from None

    def visible_channel(self, channel_id: int, user_id: int) -> Channel:
        """The channel, if that user sees it; else 10003 or 50001."""
        channel = self.channel(channel_id)
        if not permissions_in(self, channel, user_id) & Permission.VIEW_CHANNEL:
            raise errors.missing_access()
        return channel

    def message(self, channel_id: int, message_id: int) -> Message:
        """The message, also for people who may not see it; 10008 if there is none."""
        try:
            return self.messages[channel_id][message_id]
        except KeyError:
            raise errors.unknown("Message") from None

    def members_of(self, guild_id: int) -> Iterator[Member]:
        """The members of a server."""
        return (member for (guild, _), member in self.members.items() if guild == guild_id)

    def channels_of(self, guild_id: int) -> Iterator[Channel]:
        """The channels of a server, threads too."""
        return (channel for channel in self.channels.values() if channel.guild_id == guild_id)

    def roles_of(self, guild_id: int) -> Iterator[Role]:
        """The roles of a server."""
        return (role for role in self.roles.values() if role.guild_id == guild_id)

    def require(self, channel: Channel, user_id: int, needed: int) -> None:
        """Raise 50001 or 50013 unless the user sees the channel and has all of ``needed``."""
        granted = permissions_in(self, channel, user_id)
        if not granted & Permission.VIEW_CHANNEL:
            raise errors.missing_access()
        if granted & needed != needed:
            raise errors.missing_permissions()
