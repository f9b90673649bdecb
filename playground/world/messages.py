"""Messages: sending, editing, deleting, reading, and the sign of typing."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from playground import errors
from playground.errors import DiscordError
from playground.wire import Json, read_id
from playground.world import message_shapes, shapes
from playground.world.drafts import Draft, read_draft
from playground.world.model import (
    Channel,
    ChannelType,
    Message,
    MessageFlag,
    MessageType,
    Upload,
)
from playground.world.permissions import Permission, can_send
from playground.world.state import GatewayEvent, State
from playground.world.threads import Threads


@dataclass(slots=True)
class Messages:
    """The actions on messages; every method takes the acting user."""

    state: State
    threads: Threads
    _old_edits: dict[int, deque[float]] = field(default_factory=dict)

    def send(
        self, channel_id: int, author_id: int, body: Json, uploads: Sequence[Upload] = ()
    ) -> Message:
        """Post an ordinary message; with enforce_nonce, a repeat gives the first one back."""
        channel = self.state.visible_channel(channel_id, author_id)
        nonce = self._read_nonce(body)
        if nonce is not None and body.get("enforce_nonce"):
            earlier = self._sent_with(author_id, channel_id, nonce)
            if earlier is not None:
                return earlier
        self._check_may_send(channel, author_id, uploads)
        body = {key: value for key, value in body.items() if value is not None}
        draft = read_draft(self.state, channel, author_id, body, uploads)
        if draft.is_ephemeral:
            raise errors.form_error(
                "flags", "MESSAGE_INVALID_FLAGS", "Ephemeral answers need an interaction"
            )
        reference, replied = self._read_reference(channel, body)
        if channel.is_thread:
            self.threads.reopen_by_writing(channel, author_id)
        made = self._make(channel, author_id, draft)
        if reference is not None:
            made.kind, made.reference = MessageType.REPLY, reference
            allowed = body.get("allowed_mentions")
            pings = True if allowed is None else bool(allowed.get("replied_user"))
            if replied is not None and pings and replied not in made.mentions:
                made.mentions.append(replied)
        made.nonce = nonce
        self.post(made, nonce=nonce)
        return made

    def answer(self, channel: Channel, draft: Draft, *, only_for: int | None) -> Message:
        """A message of the bot that answers an interaction; not posted yet."""
        made = self._make(channel, self.state.bot_id, draft)
        made.only_for = only_for
        return made

    def post(self, message: Message, *, nonce: str | None = None) -> None:
        """Put a finished message into its channel and tell all who can see it."""
        channel = self.state.channels[message.channel_id]
        self.state.messages.setdefault(channel.id, {})[message.id] = message
        self.state.keep(message)
        if message.only_for is None:
            channel.last_message_id = message.id
            if channel.is_thread:
                self.threads.count_message(channel, message)
            self.state.keep(channel)
        data = message_shapes.message_event(self.state, message)
        if nonce is not None:
            data["nonce"] = nonce
        self._tell("MESSAGE_CREATE", message, data)

    def edit(
        self,
        channel_id: int,
        message_id: int,
        author_id: int,
        body: Json,
        uploads: Sequence[Upload] = (),
    ) -> Message:
        """Edit one's own ordinary message."""
        channel = self.state.visible_channel(channel_id, author_id)
        message = self.seen(channel_id, message_id, author_id)
        if message.author_id != author_id:
            raise errors.another_users_message()
        if message.only_for is not None:
            raise errors.unknown("Message")
        if message.kind not in {
            MessageType.DEFAULT,
            MessageType.REPLY,
            MessageType.CHAT_INPUT_COMMAND,
            MessageType.CONTEXT_MENU_COMMAND,
        }:
            raise errors.system_message()
        self.threads.refresh(channel)
        if channel.archived:
            raise errors.thread_archived()
        self._check_old_edit(channel, message)
        self.change(message, body, uploads)
        return message

    def change(
        self, message: Message, body: Json, uploads: Sequence[Upload] = (), *, prefix: str = ""
    ) -> None:
        """Apply an allowed edit, and tell. The message is no longer loading."""
        channel = self.state.channels[message.channel_id]
        draft = read_draft(
            self.state, channel, message.author_id, body, uploads, existing=message, prefix=prefix
        )
        loading = message.has(MessageFlag.LOADING)
        self._store(draft, lasting=message.only_for is None)
        before = {each.id for each in (*message.attachments, *message.hidden_files)}
        after = {each.id for each in (*draft.attachments, *draft.hidden_files)}
        for file_id in before - after:
            self.state.drop_file(file_id)
        message.content = draft.content
        message.embeds = draft.embeds
        message.components = draft.components
        message.attachments = draft.attachments
        message.hidden_files = draft.hidden_files
        message.mentions = draft.mentions.users
        message.mention_roles = draft.mentions.roles
        message.mention_everyone = draft.mentions.everyone
        message.flags = draft.flags & ~MessageFlag.LOADING
        if not loading:
            message.edited = self.state.clock.now()
        self.updated(message)

    def updated(self, message: Message) -> None:
        """Store a changed message and tell."""
        self.state.keep(message)
        self._tell("MESSAGE_UPDATE", message, message_shapes.message_event(self.state, message))

    def delete(self, channel_id: int, message_id: int, user_id: int) -> None:
        """Delete one's own message, dismiss an ephemeral one, or moderate."""
        channel = self.state.visible_channel(channel_id, user_id)
        message = self.seen(channel_id, message_id, user_id)
        if user_id not in {message.author_id, message.only_for}:
            self.state.require(channel, user_id, Permission.MANAGE_MESSAGES)
        self.remove(message)

    def remove(self, message: Message) -> None:
        """Remove a message and tell."""
        del self.state.messages[message.channel_id][message.id]
        for each in (*message.attachments, *message.hidden_files):
            self.state.drop_file(each.id)
        self.state.journal.drop("message", str(message.id))
        channel = self.state.channels[message.channel_id]
        if channel.is_thread and message.only_for is None:
            channel.message_count = max(0, channel.message_count - 1)
        data: Json = {"id": str(message.id), "channel_id": str(message.channel_id)}
        if channel.guild_id is not None:
            data["guild_id"] = str(channel.guild_id)
        self._tell("MESSAGE_DELETE", message, data)

    def seen(self, channel_id: int, message_id: int, user_id: int) -> Message:
        """The message, if that user sees it; an ephemeral one exists for its owner alone."""
        message = self.state.message(channel_id, message_id)
        if message.only_for is not None and message.only_for != user_id:
            raise errors.unknown("Message")
        return message

    def history(
        self,
        channel_id: int,
        user_id: int,
        *,
        before: int | None = None,
        after: int | None = None,
        around: int | None = None,
        limit: int = 50,
    ) -> list[Message]:
        """Up to ``limit`` messages that the user sees, newest first."""
        channel = self.state.visible_channel(channel_id, user_id)
        self.state.require(channel, user_id, Permission.READ_MESSAGE_HISTORY)
        there = [
            each
            for each in self.state.messages.get(channel_id, {}).values()
            if each.only_for in {None, user_id}
        ]
        if around is not None:
            older = [each for each in there if each.id <= around][-(limit // 2 + 1) :]
            newer = [each for each in there if each.id > around][: limit // 2]
            return (older + newer)[::-1][:limit]
        if after is not None:
            return [each for each in there if each.id > after][:limit][::-1]
        if before is not None:
            there = [each for each in there if each.id < before]
        return there[-limit:][::-1]

    def typing(self, channel_id: int, user_id: int) -> None:
        """Say that a person is writing."""
        channel = self.state.visible_channel(channel_id, user_id)
        if not can_send(self.state, channel, user_id):
            raise errors.missing_permissions()
        data: Json = {
            "channel_id": str(channel.id),
            "user_id": str(user_id),
            "timestamp": int(self.state.clock.now()),
        }
        if channel.guild_id is not None:
            data["guild_id"] = str(channel.guild_id)
            data["member"] = shapes.member(self.state, self.state.member(channel.guild_id, user_id))
        self.state.tell(GatewayEvent("TYPING_START", data, channel.guild_id, channel.id))

    # The common part of these.

    def _make(self, channel: Channel, author_id: int, draft: Draft) -> Message:
        self._store(draft, lasting=not draft.is_ephemeral)
        return Message(
            id=self.state.ids.next(),
            channel_id=channel.id,
            author_id=author_id,
            content=draft.content,
            flags=draft.flags,
            created=self.state.clock.now(),
            components=draft.components,
            embeds=draft.embeds,
            attachments=draft.attachments,
            hidden_files=draft.hidden_files,
            mentions=draft.mentions.users,
            mention_roles=draft.mentions.roles,
            mention_everyone=draft.mentions.everyone,
            tts=draft.tts,
        )

    def _store(self, draft: Draft, *, lasting: bool) -> None:
        for file_id, data in draft.new_files.items():
            self.state.keep_file(file_id, data, lasting=lasting)

    def _tell(self, name: str, message: Message, data: Json) -> None:
        channel = self.state.channels[message.channel_id]
        self.state.tell(
            GatewayEvent(
                name,
                data,
                channel.guild_id,
                channel.id,
                only_for=message.only_for,
                # A bot learns about its ephemeral answers by the answer alone.
                to_bot=message.only_for is None,
            )
        )

    def _check_may_send(self, channel: Channel, author_id: int, uploads: Sequence[Upload]) -> None:
        if channel.kind in {ChannelType.CATEGORY, ChannelType.FORUM}:
            raise errors.wrong_channel_type()
        if channel.kind is ChannelType.DM:
            self._check_direct(channel, author_id)
            return
        self.threads.refresh(channel)
        if not can_send(self.state, channel, author_id):
            raise errors.missing_permissions()
        if uploads:
            self.state.require(channel, author_id, Permission.ATTACH_FILES)

    def _check_direct(self, channel: Channel, author_id: int) -> None:
        if author_id != self.state.bot_id:
            return
        other = next(each for each in channel.recipients if each != author_id)
        mutual = any(
            (guild, other) in self.state.members and (guild, author_id) in self.state.members
            for guild in self.state.guilds
        )
        if not mutual:
            raise errors.no_mutual_guild()
        if not self.state.users[other].accepts_dms:
            raise errors.cannot_message_user()

    def _read_nonce(self, body: Json) -> str | None:
        given = body.get("nonce")
        if given is None:
            return None
        nonce = str(given)
        if len(nonce) > 25:
            raise errors.form_error(
                "nonce", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length."
            )
        return nonce

    def _sent_with(self, author_id: int, channel_id: int, nonce: str) -> Message | None:
        """The message that its author sent with that nonce a short while ago, as it is now."""
        oldest = self.state.clock.now() - self.state.limits.nonce_seconds
        for message in reversed(self.state.messages.get(channel_id, {}).values()):
            if message.created < oldest:
                break
            if message.nonce == nonce and message.author_id == author_id:
                return message
        return None

    def _read_reference(self, channel: Channel, body: Json) -> tuple[Json | None, int | None]:
        given = body.get("message_reference")
        if not isinstance(given, dict):
            return None, None
        wanted = read_id(given.get("message_id"))
        found = self.state.messages.get(channel.id, {}).get(wanted or 0)
        if found is None or found.only_for is not None:
            if given.get("fail_if_not_exists") is False:
                return None, None
            raise errors.form_error(
                "message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message"
            )
        reference: Json = {
            "type": 0,
            "channel_id": str(channel.id),
            "message_id": str(found.id),
        }
        if channel.guild_id is not None:
            reference["guild_id"] = str(channel.guild_id)
        return reference, found.author_id

    def _check_old_edit(self, channel: Channel, message: Message) -> None:
        limits, now = self.state.limits, self.state.clock.now()
        if now - message.created <= limits.old_message_seconds:
            return
        recent = self._old_edits.setdefault(channel.id, deque())
        while recent and recent[0] <= now - limits.old_edit_window:
            recent.popleft()
        if len(recent) >= limits.old_edits:
            wait = round(recent[0] + limits.old_edit_window - now, 3)
            raise DiscordError(
                429,
                30046,
                "Maximum number of edits to messages older than 1 hour reached. Try again later.",
                extra={"retry_after": wait, "global": False},
                headers={"Retry-After": str(int(wait) + 1), "X-RateLimit-Scope": "shared"},
            )
        recent.append(now)
