"""Messages, files and interactions in Discord's JSON."""

from __future__ import annotations

from urllib.parse import quote

from playground.wire import Json, iso
from playground.world import shapes
from playground.world.model import (
    Attachment,
    Interaction,
    Message,
    MessageFlag,
    MessageType,
    Reaction,
)
from playground.world.permissions import permissions_in
from playground.world.state import State


def file_url(state: State, channel_id: int, file_id: int, filename: str) -> str:
    """The address of a file. Signed and short-lived in Discord, so bots must not store it."""
    return f"{state.cdn_url}/attachments/{channel_id}/{file_id}/{quote(filename)}"


def attachment(state: State, channel_id: int, record: Attachment) -> Json:
    """An attachment object."""
    url = file_url(state, channel_id, record.id, record.filename)
    body: Json = {
        "id": str(record.id),
        "filename": record.filename,
        "size": record.size,
        "url": url,
        "proxy_url": url,
        "content_type": record.content_type,
    }
    if record.width is not None and record.height is not None:
        body |= {"width": record.width, "height": record.height}
    if record.description is not None:
        body["description"] = record.description
    if record.title is not None:
        body["title"] = record.title
    return body


def reaction_emoji(record: Reaction) -> Json:
    """The emoji of a reaction."""
    return {"id": shapes.id_or_none(record.emoji_id), "name": record.name}


def message(state: State, record: Message, viewer: int | None = None) -> Json:
    """A message object in REST's form; ``viewer`` decides which reactions are "me"."""
    body = _message_without_reference(state, record, viewer)
    if record.reference is not None:
        body["message_reference"] = record.reference
        if record.kind in {MessageType.REPLY, MessageType.THREAD_STARTER}:
            channel_id = int(record.reference["channel_id"])
            referenced = state.messages.get(channel_id, {}).get(
                int(record.reference.get("message_id", 0))
            )
            body["referenced_message"] = (
                None
                if referenced is None
                else _message_without_reference(state, referenced, viewer)
            )
    return body


def _message_without_reference(state: State, record: Message, viewer: int | None) -> Json:
    me = viewer if viewer is not None else state.bot_id
    body: Json = {
        "id": str(record.id),
        "channel_id": str(record.channel_id),
        "type": int(record.kind),
        "content": record.content,
        "author": shapes.user(state.users[record.author_id]),
        "mentions": [
            shapes.user(state.users[each]) for each in record.mentions if each in state.users
        ],
        "mention_roles": [str(each) for each in record.mention_roles],
        "mention_everyone": record.mention_everyone,
        "attachments": [attachment(state, record.channel_id, each) for each in record.attachments],
        "embeds": record.embeds,
        "components": record.components,
        "timestamp": iso(record.created),
        "edited_timestamp": shapes.iso_or_none(record.edited),
        "flags": record.flags,
        "pinned": record.pinned,
        "tts": record.tts,
    }
    if record.reactions:
        body["reactions"] = [
            {
                "emoji": reaction_emoji(each),
                "count": len(each.users),
                "count_details": {"burst": 0, "normal": len(each.users)},
                "burst_colors": [],
                "me_burst": False,
                "me": me in each.users,
            }
            for each in record.reactions
        ]
    if record.interaction_id is not None:
        body["application_id"] = body["webhook_id"] = str(state.application.id)
    if record.interaction is not None:
        body["interaction"] = record.interaction
    if record.interaction_metadata is not None:
        body["interaction_metadata"] = record.interaction_metadata
    if record.flags & MessageFlag.HAS_THREAD and record.id in state.channels:
        body["thread"] = shapes.thread(state.channels[record.id])
    return body


def message_event(state: State, record: Message) -> Json:
    """A message object in the gateway's form: with the server and the author's membership."""
    body = message(state, record)
    guild_id = state.channels[record.channel_id].guild_id
    if guild_id is not None:
        body["guild_id"] = str(guild_id)
        author = state.members.get((guild_id, record.author_id))
        if author is not None:
            body["member"] = shapes.member(state, author, with_user=False)
    return body


def interaction(state: State, record: Interaction) -> Json:
    """INTERACTION_CREATE for the bot."""
    where = state.channels[record.channel_id]
    who = state.users[record.user_id]
    body: Json = {
        "id": str(record.id),
        "application_id": str(state.application.id),
        "type": int(record.kind),
        "token": record.token,
        "version": 1,
        "data": record.data,
        "channel_id": str(where.id),
        "channel": shapes.partial_channel(state, where, who.id),
        "app_permissions": str(permissions_in(state, where, state.bot_id)),
        "locale": who.locale,
        "entitlements": [],
        "authorizing_integration_owners": record.metadata["authorizing_integration_owners"],
        "attachment_size_limit": state.limits.file_bytes,
    }
    if record.guild_id is None:
        body |= {"user": shapes.user(who), "context": 1}
    else:
        guild_record = state.guilds[record.guild_id]
        body |= {
            "guild_id": str(guild_record.id),
            "guild": {
                "id": str(guild_record.id),
                "locale": guild_record.locale,
                "features": [],
            },
            "guild_locale": guild_record.locale,
            "member": shapes.member(state, state.members[guild_record.id, who.id])
            | {"permissions": str(permissions_in(state, where, who.id))},
            "context": 0,
        }
    if record.message_id is not None:
        source = state.messages[where.id][record.message_id]
        body["message"] = message(state, source)
    return body
