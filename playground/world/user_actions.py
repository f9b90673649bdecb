"""Actions of people: run commands, use components, send modals, ask for suggestions.

A :class:`UserActions` checks each action as Discord's own client and server do, makes the
interaction and tells the bot. In raw mode (for tests alone) nothing is checked.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from playground import errors
from playground.clock import snowflake_time
from playground.errors import form_error
from playground.wire import Json, read_id
from playground.world import message_shapes, shapes
from playground.world.commands import CHAT_INPUT, MESSAGE, USER, read_filled
from playground.world.controls import SELECTS, ComponentType, find_custom_id
from playground.world.media import content_type, picture_size, safe_filename
from playground.world.modals import check_choice, read_submission
from playground.world.model import (
    Attachment,
    Channel,
    Command,
    Interaction,
    InteractionType,
    Message,
    Upload,
)
from playground.world.permissions import Permission, guild_permissions, permissions_in
from playground.world.state import GatewayEvent, State
from playground.world.threads import Threads

_RESOLVED = {6: "users", 7: "channels", 8: "roles", 9: "mentionable", 11: "attachments"}
_SELECT_RESOLVED = {5: "users", 6: "roles", 7: "mentionable", 8: "channels"}


@dataclass(slots=True)
class UserActions:
    """Makes interactions."""

    state: State
    threads: Threads

    def offered(self, channel_id: int, user_id: int) -> list[Command]:
        """The commands that a person can use in a channel."""
        channel = self.state.visible_channel(channel_id, user_id)
        found: list[Command] = []
        for command in self.state.commands.values():
            if command.guild_id not in {None, channel.guild_id}:
                continue
            if channel.guild_id is None:
                if 1 in command.body["contexts"]:
                    found.append(command)
                continue
            if (channel.guild_id, self.state.bot_id) not in self.state.members:
                continue
            needed = command.body["default_member_permissions"]
            granted = guild_permissions(self.state, channel.guild_id, user_id)
            if needed is not None and not granted & Permission.ADMINISTRATOR:
                mask = int(needed)
                if mask == 0 or granted & mask != mask:
                    continue
            if 0 in command.body["contexts"]:
                found.append(command)
        return found

    def upload(self, upload: Upload) -> Attachment:
        """Take a file that a person will send with a command or a modal."""
        if len(upload.data) > self.state.limits.file_bytes:
            raise errors.too_large()
        name = safe_filename(upload.filename)
        size = picture_size(upload.data)
        made = Attachment(
            id=self.state.ids.next(),
            filename=name,
            size=len(upload.data),
            content_type=content_type(name),
            width=size[0] if size else None,
            height=size[1] if size else None,
        )
        self.state.keep_file(made.id, upload.data, lasting=False)
        self.state.uploads[made.id] = made
        return made

    def do(self, user_id: int, body: Json) -> Interaction:
        """An action in the form of Discord's client, checked."""
        kind = _read_type(body)
        channel = self._read_channel(user_id, body)
        if read_id(body.get("application_id")) not in {None, self.state.application.id}:
            raise errors.unknown("Application")
        given = body.get("data")
        data: Json = given if isinstance(given, dict) else {}
        self.threads.refresh(channel)
        if channel.archived and kind is not InteractionType.MODAL:
            raise errors.thread_archived()
        match kind:
            case InteractionType.COMMAND | InteractionType.AUTOCOMPLETE:
                made = self._command(kind, channel, user_id, data)
            case InteractionType.COMPONENT:
                made = self._component(channel, user_id, body, data)
            case InteractionType.MODAL:
                made = self._modal(channel, user_id, data)
        made.nonce = str(body.get("nonce") or made.id)
        self.deliver(made)
        return made

    def deliver(self, record: Interaction, *, copies: int = 1) -> None:
        """Register an interaction, tell the bot (``copies`` times) and the person."""
        self.state.interactions[record.id] = record
        self.state.interactions_by_token[record.token] = record
        told = {"id": str(record.id), "nonce": record.nonce}
        self.state.tell(
            GatewayEvent(
                "INTERACTION_CREATE",
                told,
                record.guild_id,
                record.channel_id,
                only_for=record.user_id,
                to_bot=False,
            )
        )
        data = message_shapes.interaction(self.state, record)
        for _ in range(copies):
            self.state.tell(
                GatewayEvent(
                    "INTERACTION_CREATE",
                    data,
                    record.guild_id,
                    record.channel_id,
                    to_people=False,
                )
            )

    def raw(
        self,
        *,
        kind: InteractionType,
        channel_id: int,
        user_id: int,
        data: Json,
        message_id: int | None = None,
        age: float = 0.0,
        copies: int = 1,
    ) -> Interaction:
        """Deliver any interaction as given, unchecked; ``age`` seconds old. For tests alone."""
        channel = self.state.channel(channel_id)
        source = None if message_id is None else self.state.message(channel_id, message_id)
        made = self._make(kind, channel, user_id, data, source=source, age=age)
        made.command_name = data.get("name") if kind is InteractionType.COMMAND else None
        self.deliver(made, copies=copies)
        return made

    # The kinds of action.

    def _command(
        self, kind: InteractionType, channel: Channel, user_id: int, data: Json
    ) -> Interaction:
        command_id = read_id(data.get("id"))
        command = next(
            (each for each in self.offered(channel.id, user_id) if each.id == command_id), None
        )
        if command is None:
            raise errors.unknown("application command")
        if not permissions_in(self.state, channel, user_id) & Permission.USE_APPLICATION_COMMANDS:
            raise errors.missing_permissions()
        version = data.get("version")
        if version is not None and str(version) != str(command.version):
            raise form_error(
                "data.version",
                "INTERACTION_APPLICATION_COMMAND_INVALID_VERSION",
                "This command is outdated, please try again in a few minutes",
            )
        filled: Json = {"id": str(command.id), "name": command.name, "type": command.kind}
        if command.guild_id is not None:
            filled["guild_id"] = str(command.guild_id)
        resolved: Json = {}
        if command.kind == CHAT_INPUT:
            filled["options"] = read_filled(
                command.body.get("options", []),
                data.get("options"),
                typing=kind is InteractionType.AUTOCOMPLETE,
            )
            for option in _leaves(filled["options"]):
                wanted = _RESOLVED.get(option["type"])
                if wanted is not None and not option.get("focused"):
                    option["value"] = str(option["value"])
                    self._resolve(wanted, option["value"], channel, user_id, resolved)
        else:
            self._target(command.kind, channel, user_id, data, filled=filled, resolved=resolved)
        if resolved:
            filled["resolved"] = resolved
        made = self._make(kind, channel, user_id, filled)
        made.command_name = _full_name(command.name, filled.get("options", []))
        return made

    def _target(
        self,
        kind: int,
        channel: Channel,
        user_id: int,
        data: Json,
        *,
        filled: Json,
        resolved: Json,
    ) -> None:
        target = read_id(data.get("target_id"))
        if target is None:
            raise form_error("data.target_id", "BASE_TYPE_REQUIRED", "This field is required")
        filled["target_id"] = str(target)
        if kind == USER:
            self._resolve("users", str(target), channel, user_id, resolved)
        elif kind == MESSAGE:
            message = self.state.message(channel.id, target)
            resolved["messages"] = {str(target): message_shapes.message(self.state, message)}

    def _component(self, channel: Channel, user_id: int, body: Json, data: Json) -> Interaction:
        message = self.state.message(channel.id, read_id(body.get("message_id")) or 0)
        if message.only_for not in {None, user_id}:
            raise errors.unknown("Message")
        found = find_custom_id(message.components, str(data.get("custom_id")))
        if (
            found is None
            or found.get("disabled")
            or message.author_id != self.state.bot_id
            or data.get("component_type") != found["type"]
        ):
            raise form_error(
                "data.custom_id", "COMPONENT_VALIDATION_FAILED", "Component validation failed"
            )
        filled: Json = {
            "custom_id": found["custom_id"],
            "component_type": found["type"],
            "id": found["id"],
        }
        if found["type"] in SELECTS:
            filled["values"] = check_choice(found, data.get("values"))
            resolved: Json = {}
            wanted = _SELECT_RESOLVED.get(found["type"])
            if wanted is not None:
                for value in filled["values"]:
                    self._resolve(wanted, value, channel, user_id, resolved)
            if resolved:
                filled["resolved"] = resolved
        return self._make(InteractionType.COMPONENT, channel, user_id, filled, source=message)

    def _modal(self, channel: Channel, user_id: int, data: Json) -> Interaction:
        opener = self.state.interactions.get(read_id(data.get("id")) or 0)
        if (
            opener is None
            or opener.modal is None
            or opener.user_id != user_id
            or opener.modal["custom_id"] != data.get("custom_id")
        ):
            raise form_error("data.custom_id", "MODAL_UNKNOWN", "This modal is not open")
        filled: Json = {
            "custom_id": opener.modal["custom_id"],
            "components": read_submission(opener.modal, data.get("components")),
        }
        resolved: Json = {}
        for row in filled["components"]:
            control = row.get("component", {})
            wanted = _SELECT_RESOLVED.get(control.get("type", 0))
            if control.get("type") == ComponentType.FILE_UPLOAD:
                wanted = "attachments"
            if wanted is not None:
                for value in control.get("values", []):
                    self._resolve(wanted, value, channel, user_id, resolved)
        if resolved:
            filled["resolved"] = resolved
        source = None
        if opener.message_id is not None:
            source = self.state.messages.get(channel.id, {}).get(opener.message_id)
        return self._make(
            InteractionType.MODAL, channel, user_id, filled, source=source, opener=opener
        )

    # The common part of these.

    def _read_channel(self, user_id: int, body: Json) -> Channel:
        channel_id = read_id(body.get("channel_id"))
        if channel_id is None:
            raise form_error("channel_id", "BASE_TYPE_REQUIRED", "This field is required")
        return self.state.visible_channel(channel_id, user_id)

    def _make(
        self,
        kind: InteractionType,
        channel: Channel,
        user_id: int,
        data: Json,
        *,
        source: Message | None = None,
        opener: Interaction | None = None,
        age: float = 0.0,
    ) -> Interaction:
        made_id = self.state.ids.next(age=age)
        owner = "0" if channel.guild_id is None else str(channel.guild_id)
        metadata: Json = {
            "id": str(made_id),
            "type": int(kind),
            "user": shapes.user(self.state.user(user_id)),
            "authorizing_integration_owners": {"0": owner},
        }
        if kind is InteractionType.COMPONENT and source is not None:
            metadata["interacted_message_id"] = str(source.id)
        if kind is InteractionType.MODAL:
            # A modal that was forged by a test claims that a command of the same moment opened it.
            opened_by = {**metadata, "type": int(InteractionType.COMMAND)}
            metadata["triggering_interaction_metadata"] = (
                opened_by if opener is None else opener.metadata
            )
        return Interaction(
            id=made_id,
            token=secrets.token_urlsafe(48),
            kind=kind,
            user_id=user_id,
            channel_id=channel.id,
            guild_id=channel.guild_id,
            created=snowflake_time(made_id),
            nonce=str(made_id),
            data=data,
            metadata=metadata,
            message_id=None if source is None else source.id,
        )

    def _resolve(
        self, what: str, value: object, channel: Channel, user_id: int, resolved: Json
    ) -> None:
        wanted = read_id(value)
        if wanted is None:
            raise errors.unknown("User")
        key = str(wanted)
        guild_id = channel.guild_id
        if what == "mentionable":
            what = "roles" if wanted in self.state.roles else "users"
        if what == "users":
            user = self.state.user(wanted)
            resolved.setdefault("users", {})[key] = shapes.user(user)
            member = None if guild_id is None else self.state.members.get((guild_id, wanted))
            if member is not None:
                resolved.setdefault("members", {})[key] = shapes.member(
                    self.state, member, with_user=False
                ) | {"permissions": str(permissions_in(self.state, channel, wanted))}
        elif what == "roles":
            role = self.state.roles.get(wanted)
            if role is None or role.guild_id != guild_id:
                raise errors.unknown("Role")
            resolved.setdefault("roles", {})[key] = shapes.role(role)
        elif what == "channels":
            other = self.state.visible_channel(wanted, user_id)
            resolved.setdefault("channels", {})[key] = shapes.partial_channel(
                self.state, other, user_id
            )
        else:
            upload = self.state.uploads.get(wanted)
            if upload is None:
                raise form_error(
                    "data.attachments", "ATTACHMENT_NOT_FOUND", "The attachment was not found"
                )
            resolved.setdefault("attachments", {})[key] = message_shapes.attachment(
                self.state, channel.id, upload
            ) | {"ephemeral": True}


def _read_type(body: Json) -> InteractionType:
    try:
        return InteractionType(body.get("type", 0))
    except ValueError:
        raise form_error(
            "type", "BASE_TYPE_CHOICES", "Value must be one of {2, 3, 4, 5}."
        ) from None


def _leaves(options: Sequence[Json]) -> Iterator[Json]:
    for option in options:
        if "options" in option:
            yield from _leaves(option["options"])
        else:
            yield option


def _full_name(name: str, options: Sequence[Json]) -> str:
    for option in options:
        if "options" in option:
            return _full_name(f"{name} {option['name']}", option["options"])
    return name
