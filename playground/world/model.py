"""The things of the world. Plain mutable records; shapes.py turns them into Discord's JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

from playground.wire import Json


class ChannelType(IntEnum):
    """The kinds of channel that the playground has."""

    TEXT = 0
    DM = 1
    VOICE = 2
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15


THREADS = frozenset(
    {ChannelType.ANNOUNCEMENT_THREAD, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD}
)


class MessageType(IntEnum):
    """The kinds of message that the playground makes."""

    DEFAULT = 0
    PINNED = 6
    JOIN = 7
    THREAD_CREATED = 18
    REPLY = 19
    CHAT_INPUT_COMMAND = 20
    THREAD_STARTER = 21
    CONTEXT_MENU_COMMAND = 23


class MessageFlag(IntFlag):
    """https://docs.discord.com/developers/resources/message#message-object-message-flags."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


class InteractionType(IntEnum):
    """The kind of a person's action."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


@dataclass(slots=True)
class User:
    """A user: a person, or the bot. A ``scripted`` one is played by a program."""

    id: int
    name: str
    bot: bool = False
    locale: str = "en-US"
    accepts_dms: bool = True
    scripted: bool = False


@dataclass(slots=True)
class Role:
    """A role of a server; the one with the server's id is @everyone."""

    id: int
    guild_id: int
    name: str
    permissions: int
    position: int = 0
    managed: bool = False
    bot_id: int | None = None


@dataclass(slots=True)
class Guild:
    """A server."""

    id: int
    name: str
    owner_id: int
    locale: str = "en-GB"
    available: bool = True


@dataclass(slots=True)
class Member:
    """A user's membership in a server."""

    guild_id: int
    user_id: int
    joined: float
    nick: str | None = None
    roles: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Overwrite:
    """The permissions that a channel allows and denies to a role (``kind`` 0) or a member (1)."""

    id: int
    kind: int
    allow: int
    deny: int


@dataclass(slots=True)
class Channel:
    """A channel of a server, a thread, or a direct message."""

    id: int
    kind: ChannelType
    name: str = ""
    guild_id: int | None = None
    parent_id: int | None = None
    owner_id: int | None = None
    position: int = 0
    topic: str | None = None
    slowmode: int = 0
    overwrites: list[Overwrite] = field(default_factory=list)
    recipients: list[int] = field(default_factory=list)
    last_message_id: int | None = None
    last_pin: float | None = None
    # Threads only.
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    archive_minutes: int = 1440
    archive_changed: float = 0.0
    active: float = 0.0
    thread_members: dict[int, float] = field(default_factory=dict)
    message_count: int = 0
    total_sent: int = 0

    @property
    def is_thread(self) -> bool:
        """Whether this is a thread."""
        return self.kind in THREADS


@dataclass(slots=True)
class Attachment:
    """A file of a message; its bytes lie with the files of the world."""

    id: int
    filename: str
    size: int
    content_type: str
    description: str | None = None
    title: str | None = None
    width: int | None = None
    height: int | None = None
    spoiler: bool = False


@dataclass(slots=True)
class Reaction:
    """An emoji under a message and the users who put it there."""

    name: str
    emoji_id: int | None = None
    users: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Message:
    """A message, components and embeds already in Discord's own resolved form."""

    id: int
    channel_id: int
    author_id: int
    kind: MessageType = MessageType.DEFAULT
    content: str = ""
    flags: int = 0
    created: float = 0.0
    edited: float | None = None
    components: list[Json] = field(default_factory=list)
    embeds: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    #: Files that are shown through components only and so are not listed as attachments.
    hidden_files: list[Attachment] = field(default_factory=list)
    mentions: list[int] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    pinned: bool = False
    pinned_at: float | None = None
    tts: bool = False
    reference: Json | None = None
    reactions: list[Reaction] = field(default_factory=list)
    #: The nonce from its author, so that it is not sent twice; stored, as Discord outlives its
    #: bots.
    nonce: str | None = None
    #: The one person who sees this message, if it is ephemeral.
    only_for: int | None = None
    #: The interaction that this message answers.
    interaction_id: int | None = None
    interaction: Json | None = None
    interaction_metadata: Json | None = None

    def has(self, flag: MessageFlag) -> bool:
        """Whether ``flag`` is set."""
        return bool(self.flags & flag)


@dataclass(slots=True)
class ScheduledEvent:
    """An entry of a server's calendar for something outside of its channels; instants in seconds.

    ``status`` is 1 (scheduled), 2 (active), 3 (completed) or 4 (cancelled).
    """

    id: int
    guild_id: int
    creator_id: int
    name: str
    start: float
    end: float
    location: str
    description: str | None = None
    status: int = 1


@dataclass(slots=True)
class Command:
    """A command that the bot has registered; ``body`` is its whole Discord shape."""

    id: int
    guild_id: int | None
    kind: int
    name: str
    version: int
    body: Json


@dataclass(slots=True)
class Emoji:
    """An emoji of the application."""

    id: int
    name: str
    animated: bool = False


@dataclass(slots=True)
class Upload:
    """A file on its way: its name as sent and its bytes."""

    field: str
    filename: str
    data: bytes


@dataclass(slots=True)
class Interaction:
    """One action of a person and the bot's answers so far."""

    id: int
    token: str
    kind: InteractionType
    user_id: int
    channel_id: int
    guild_id: int | None
    created: float
    nonce: str
    data: Json
    metadata: Json
    command_name: str | None = None
    #: The message with the component that was used.
    message_id: int | None = None
    #: Callback type of the first answer; None until there is one.
    answered: int | None = None
    #: The message that ``@original`` stands for.
    original_id: int | None = None
    #: True while ``@original`` shows that the bot is thinking.
    thinking: bool = False
    failed: bool = False
    #: The modal that the bot opened in answer.
    modal: Json | None = None
