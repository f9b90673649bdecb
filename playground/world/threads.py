"""Threads: starting, writing in, archiving and locking them, and their members.

https://docs.discord.com/developers/topics/threads
"""

from __future__ import annotations

from dataclasses import dataclass

from playground import errors
from playground.errors import FormErrors
from playground.wire import Json
from playground.world import shapes
from playground.world.model import Channel, ChannelType, Message, MessageFlag, MessageType
from playground.world.permissions import Permission, permissions_in
from playground.world.state import GatewayEvent, State

_ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
_KINDS = {
    ChannelType.TEXT: (ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD),
    ChannelType.ANNOUNCEMENT: (ChannelType.ANNOUNCEMENT_THREAD,),
}
#: The kinds of thread that a channel may hold; one on a message is of the first.


@dataclass(slots=True)
class Threads:
    """The actions on threads."""

    state: State

    def start(
        self, parent: Channel, owner_id: int, body: Json, *, starter: Message | None = None
    ) -> Channel:
        """Start a thread, from a message or by itself, and tell; the owner is its first member."""
        if parent.kind not in _KINDS:
            raise errors.wrong_channel_type()
        kind = self._read_kind(parent, body, starter)
        needed = (
            Permission.CREATE_PRIVATE_THREADS
            if kind is ChannelType.PRIVATE_THREAD
            else Permission.CREATE_PUBLIC_THREADS
        )
        self.state.require(parent, owner_id, needed)
        faults = FormErrors()
        faults.check_length("name", body.get("name"), 1, 100)
        minutes = body.get("auto_archive_duration") or 1440
        if minutes not in _ARCHIVE_MINUTES:
            faults.add(
                "auto_archive_duration",
                "BASE_TYPE_CHOICES",
                "Value must be one of {60, 1440, 4320, 10080}.",
            )
        faults.check()
        if starter is not None and starter.id in self.state.channels:
            raise errors.thread_exists()
        self._check_room(parent.guild_id)
        now = self.state.clock.now()
        thread = Channel(
            id=starter.id if starter is not None else self.state.ids.next(),
            kind=kind,
            name=body["name"],
            guild_id=parent.guild_id,
            parent_id=parent.id,
            owner_id=owner_id,
            slowmode=body.get("rate_limit_per_user") or 0,
            archive_minutes=minutes,
            archive_changed=now,
            active=now,
            invitable=body.get("invitable") is not False,
            thread_members={owner_id: now},
        )
        self.state.channels[thread.id] = thread
        self.state.keep(thread)
        if starter is not None:
            starter.flags |= MessageFlag.HAS_THREAD
            self.state.keep(starter)
        data = shapes.thread(thread, self.state.bot_id) | {"newly_created": True}
        self._tell("THREAD_CREATE", thread, data)
        return thread

    def opening(
        self, parent: Channel, thread: Channel, owner_id: int, starter: Message | None
    ) -> Message | None:
        """The system message of a new thread: inside it, or in its parent channel."""
        if starter is None and thread.kind is ChannelType.PRIVATE_THREAD:
            return None
        reference: Json = {
            "type": 0,
            "channel_id": str(parent.id if starter else thread.id),
            "guild_id": str(thread.guild_id),
        }
        if starter is not None:
            reference["message_id"] = str(starter.id)
        return Message(
            id=self.state.ids.next(),
            channel_id=thread.id if starter else parent.id,
            author_id=owner_id,
            kind=MessageType.THREAD_STARTER if starter else MessageType.THREAD_CREATED,
            content="" if starter else thread.name,
            created=self.state.clock.now(),
            reference=reference,
        )

    def refresh(self, channel: Channel) -> None:
        """Archive a thread whose time has run out without a message."""
        if not channel.is_thread or channel.archived:
            return
        if self.state.clock.now() - channel.active >= channel.archive_minutes * 60:
            channel.archived = True
            channel.archive_changed = self.state.clock.now()
            self.updated(channel)

    def reopen_by_writing(self, thread: Channel, author_id: int) -> None:
        """Reopen an archived thread by a message, unless locked and the author no moderator."""
        self.refresh(thread)
        moderator = permissions_in(self.state, thread, author_id) & Permission.MANAGE_THREADS
        if thread.locked and not moderator:
            raise errors.thread_locked()
        if thread.archived:
            self._check_room(thread.guild_id)
            thread.archived = False
            thread.archive_changed = self.state.clock.now()
            self.updated(thread)
        if author_id not in thread.thread_members:
            self.add_member(thread, author_id)

    def count_message(self, thread: Channel, message: Message) -> None:
        """Note that a message was written in a thread, and add the users that it mentions."""
        thread.active = self.state.clock.now()
        if message.kind is not MessageType.THREAD_STARTER:
            thread.message_count += 1
            thread.total_sent += 1
        for user_id in message.mentions:
            member = (
                thread.guild_id is not None and (thread.guild_id, user_id) in self.state.members
            )
            if member and user_id not in thread.thread_members:
                self.add_member(thread, user_id)

    def change(self, thread: Channel, user_id: int, body: Json) -> None:
        """Rename, archive, reopen, lock or unlock a thread."""
        granted = permissions_in(self.state, thread, user_id)
        moderator = bool(granted & Permission.MANAGE_THREADS)
        self.refresh(thread)
        if thread.archived and body.get("archived") is not False:
            raise errors.thread_archived()
        allowed = moderator or (thread.owner_id == user_id and not thread.locked)
        if body.get("archived") is False and not thread.locked:
            allowed = True
        if not allowed or (body.get("locked") is not None and not moderator):
            raise errors.missing_permissions()
        faults = FormErrors()
        if body.get("name") is not None:
            faults.check_length("name", body["name"], 1, 100)
        minutes = body.get("auto_archive_duration")
        if minutes is not None and minutes not in _ARCHIVE_MINUTES:
            faults.add("auto_archive_duration", "BASE_TYPE_CHOICES", "Value is not offered.")
        faults.check()
        now = self.state.clock.now()
        if body.get("archived") is False and thread.archived:
            self._check_room(thread.guild_id)
            thread.active = now
        if body.get("archived") is not None and body["archived"] != thread.archived:
            thread.archived = bool(body["archived"])
            thread.archive_changed = now
        if body.get("locked") is not None:
            thread.locked = bool(body["locked"])
        if body.get("name") is not None:
            thread.name = body["name"]
        if minutes is not None:
            thread.archive_minutes = minutes
            thread.archive_changed = now
        if body.get("rate_limit_per_user") is not None:
            thread.slowmode = int(body["rate_limit_per_user"])
        if body.get("invitable") is not None:
            thread.invitable = bool(body["invitable"])
        self.updated(thread)

    def add_member(self, thread: Channel, user_id: int) -> None:
        """Put a member of the server into a thread."""
        if thread.guild_id is None or (thread.guild_id, user_id) not in self.state.members:
            raise errors.unknown("Member")
        if user_id in thread.thread_members:
            return
        thread.thread_members[user_id] = self.state.clock.now()
        self.state.keep(thread)
        self._tell_members(thread, added=[user_id], removed=[])

    def remove_member(self, thread: Channel, user_id: int) -> None:
        """Take a member out of a thread."""
        if thread.thread_members.pop(user_id, None) is not None:
            self.state.keep(thread)
            self._tell_members(thread, added=[], removed=[user_id])

    def active(self, guild_id: int) -> list[Channel]:
        """The threads of a server that are not archived."""
        found = [each for each in self.state.channels_of(guild_id) if each.is_thread]
        for each in found:
            self.refresh(each)
        return [each for each in found if not each.archived]

    def updated(self, thread: Channel) -> None:
        """Store a changed thread and tell."""
        self.state.keep(thread)
        self._tell("THREAD_UPDATE", thread, shapes.thread(thread, self.state.bot_id))

    def _tell(self, name: str, thread: Channel, data: Json) -> None:
        self.state.tell(GatewayEvent(name, data, thread.guild_id, thread.id))

    def _tell_members(self, thread: Channel, *, added: list[int], removed: list[int]) -> None:
        guild_id = thread.guild_id
        if guild_id is None:
            return
        data: Json = {
            "id": str(thread.id),
            "guild_id": str(guild_id),
            "member_count": min(len(thread.thread_members), 50),
        }
        if added:
            data["added_members"] = [
                shapes.thread_member(thread, each)
                | {
                    "member": shapes.member(self.state, self.state.member(guild_id, each)),
                    "presence": None,
                }
                for each in added
            ]
        if removed:
            data["removed_member_ids"] = [str(each) for each in removed]
        self._tell("THREAD_MEMBERS_UPDATE", thread, data)

    def _read_kind(self, parent: Channel, body: Json, starter: Message | None) -> ChannelType:
        kinds = _KINDS[parent.kind]
        if starter is not None:
            return kinds[0]
        given = body.get("type", ChannelType.PRIVATE_THREAD)
        if given not in kinds:
            offered = ", ".join(str(int(kind)) for kind in kinds)
            raise errors.form_error(
                "type", "BASE_TYPE_CHOICES", f"Value must be one of {{{offered}}}."
            )
        return ChannelType(given)

    def _check_room(self, guild_id: int | None) -> None:
        if guild_id is not None and len(self.active(guild_id)) >= self.state.limits.active_threads:
            raise errors.too_many_threads()
