"""The world in Discord's JSON."""

from __future__ import annotations

from urllib.parse import quote

from playground.clock import snowflake_time
from playground.wire import Json, iso
from playground.world.model import (
    Attachment,
    Channel,
    ChannelType,
    Emoji,
    Guild,
    Interaction,
    Member,
    Message,
    MessageFlag,
    MessageType,
    Reaction,
    Role,
    User,
)
from playground.world.permissions import guild_permissions, permissions_in
from playground.world.state import State


def user(record: User) -> Json:
    """A user object."""
    body: Json = {
        "id": str(record.id),
        "username": record.name.lower().replace(" ", "_"),
        "global_name": None if record.bot else record.name,
        "discriminator": "0001" if record.bot else "0",
        "avatar": None,
        "banner": None,
        "accent_color": None,
        "avatar_decoration_data": None,
        "collectibles": None,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }
    if record.bot:
        body["username"] = record.name
        body["bot"] = True
    return body


def own_user(record: User) -> Json:
    """The bot's user object as the bot itself sees it."""
    return user(record) | {
        "mfa_enabled": False,
        "locale": record.locale,
        "premium_type": 0,
        "email": None,
        "verified": True,
    }


def member(state: State, record: Member, *, with_user: bool = True) -> Json:
    """A member object."""
    body: Json = {
        "nick": record.nick,
        "avatar": None,
        "banner": None,
        "roles": [str(role) for role in record.roles],
        "joined_at": iso(record.joined),
        "premium_since": None,
        "communication_disabled_until": None,
        "pending": False,
        "flags": 0,
        "mute": False,
        "deaf": False,
    }
    if with_user:
        body["user"] = user(state.users[record.user_id])
    return body


def role(record: Role) -> Json:
    """A role object."""
    body: Json = {
        "id": str(record.id),
        "name": record.name,
        "permissions": str(record.permissions),
        "position": record.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": record.managed,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    if record.bot_id is not None:
        body["tags"] = {"bot_id": str(record.bot_id)}
    return body


def guild(state: State, record: Guild) -> Json:
    """A guild object without channels and members."""
    return {
        "id": str(record.id),
        "name": record.name,
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": str(record.owner_id),
        "application_id": None,
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": [role(item) for item in state.roles_of(record.id)],
        "default_message_notifications": 0,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 250_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": record.locale,
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
    }


def guild_create(state: State, record: Guild, *, all_members: bool) -> Json:
    """What GUILD_CREATE carries: members are all, or the bot alone."""
    members = [
        member(state, item)
        for item in state.members_of(record.id)
        if all_members or item.user_id == state.bot_id
    ]
    own = state.members.get((record.id, state.bot_id))
    seen = [
        item
        for item in state.channels_of(record.id)
        if not item.is_thread or permissions_in(state, item, state.bot_id)
    ]
    return guild(state, record) | {
        "joined_at": iso(own.joined if own else state.clock.now()),
        "large": False,
        "unavailable": False,
        "member_count": sum(1 for _ in state.members_of(record.id)),
        "voice_states": [],
        "members": members,
        "channels": [channel(state, item) for item in seen if not item.is_thread],
        "threads": [
            thread(item, state.bot_id) for item in seen if item.is_thread and not item.archived
        ],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def my_guild(state: State, record: Guild) -> Json:
    """A guild in the list of the bot's own guilds."""
    return {
        "id": str(record.id),
        "name": record.name,
        "icon": None,
        "banner": None,
        "owner": record.owner_id == state.bot_id,
        "permissions": str(guild_permissions(state, record.id, state.bot_id)),
        "features": [],
    }


def channel(state: State, record: Channel, viewer: int | None = None) -> Json:
    """A channel object of whatever kind; for a direct message, ``viewer`` is left out."""
    if record.kind is ChannelType.DM:
        shown = viewer if viewer is not None else state.bot_id
        return {
            "id": str(record.id),
            "type": int(record.kind),
            "flags": 0,
            "last_message_id": _id_or_none(record.last_message_id),
            "last_pin_timestamp": _iso_or_none(record.last_pin),
            "recipients": [user(state.users[each]) for each in record.recipients if each != shown],
        }
    if record.is_thread:
        return thread(record, viewer)
    body: Json = {
        "id": str(record.id),
        "type": int(record.kind),
        "flags": 0,
        "guild_id": str(record.guild_id),
        "name": record.name,
        "position": record.position,
        "parent_id": _id_or_none(record.parent_id),
        "permission_overwrites": [
            {
                "id": str(item.id),
                "type": item.kind,
                "allow": str(item.allow),
                "deny": str(item.deny),
            }
            for item in record.overwrites
        ],
        "nsfw": False,
    }
    if record.kind is ChannelType.CATEGORY:
        return body
    body |= {
        "last_message_id": _id_or_none(record.last_message_id),
        "rate_limit_per_user": record.slowmode,
        "topic": record.topic,
    }
    if record.kind in {ChannelType.VOICE, ChannelType.STAGE}:
        body |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    else:
        body["last_pin_timestamp"] = _iso_or_none(record.last_pin)
        body["default_auto_archive_duration"] = 1440
    if record.kind is ChannelType.FORUM:
        body |= {
            "available_tags": [],
            "default_reaction_emoji": None,
            "default_sort_order": None,
            "default_forum_layout": 0,
        }
    return body


def thread(record: Channel, viewer: int | None = None) -> Json:
    """A thread object; with ``viewer``, that user's membership in it."""
    body: Json = {
        "id": str(record.id),
        "type": int(record.kind),
        "flags": 0,
        "guild_id": str(record.guild_id),
        "parent_id": str(record.parent_id),
        "owner_id": str(record.owner_id),
        "name": record.name,
        "last_message_id": _id_or_none(record.last_message_id),
        "last_pin_timestamp": _iso_or_none(record.last_pin),
        "rate_limit_per_user": record.slowmode,
        "thread_metadata": {
            "archived": record.archived,
            "archive_timestamp": iso(record.archive_changed),
            "auto_archive_duration": record.archive_minutes,
            "locked": record.locked,
            "create_timestamp": iso(snowflake_time(record.id)),
        },
        "message_count": record.message_count,
        "member_count": min(len(record.thread_members), 50),
        "total_message_sent": record.total_sent,
    }
    if record.kind is ChannelType.PRIVATE_THREAD:
        body["thread_metadata"]["invitable"] = record.invitable
    if viewer is not None and viewer in record.thread_members:
        body["member"] = thread_member(record, viewer)
    return body


def thread_member(record: Channel, user_id: int) -> Json:
    """A thread member object."""
    return {
        "id": str(record.id),
        "user_id": str(user_id),
        "join_timestamp": iso(record.thread_members[user_id]),
        "flags": 1,
    }


def partial_channel(state: State, record: Channel, user_id: int) -> Json:
    """The channel as interactions carry it: with the permissions of the person in it."""
    return channel(state, record, state.bot_id) | {
        "permissions": str(permissions_in(state, record, user_id))
    }


def file_url(state: State, channel_id: int, file_id: int, filename: str) -> str:
    """Where a file is served. Signed and short-lived in Discord, so bots must not keep it."""
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


def emoji(record: Emoji, owner: User) -> Json:
    """An emoji object."""
    return {
        "id": str(record.id),
        "name": record.name,
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": record.animated,
        "available": True,
        "user": user(owner),
    }


def reaction_emoji(record: Reaction) -> Json:
    """The emoji of a reaction."""
    return {"id": _id_or_none(record.emoji_id), "name": record.name}


def message(state: State, record: Message, viewer: int | None = None) -> Json:
    """A message object as REST answers it; ``viewer`` decides whose reactions are "me"."""
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
        "author": user(state.users[record.author_id]),
        "mentions": [user(state.users[each]) for each in record.mentions if each in state.users],
        "mention_roles": [str(each) for each in record.mention_roles],
        "mention_everyone": record.mention_everyone,
        "attachments": [attachment(state, record.channel_id, each) for each in record.attachments],
        "embeds": record.embeds,
        "components": record.components,
        "timestamp": iso(record.created),
        "edited_timestamp": _iso_or_none(record.edited),
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
        body["thread"] = thread(state.channels[record.id])
    return body


def message_event(state: State, record: Message) -> Json:
    """A message object as the gateway sends it: with the server and the author's membership."""
    body = message(state, record)
    guild_id = state.channels[record.channel_id].guild_id
    if guild_id is not None:
        body["guild_id"] = str(guild_id)
        author = state.members.get((guild_id, record.author_id))
        if author is not None:
            body["member"] = member(state, author, with_user=False)
    return body


def interaction(state: State, record: Interaction) -> Json:
    """INTERACTION_CREATE as the bot sees it."""
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
        "channel": partial_channel(state, where, who.id),
        "app_permissions": str(permissions_in(state, where, state.bot_id)),
        "locale": who.locale,
        "entitlements": [],
        "authorizing_integration_owners": record.metadata["authorizing_integration_owners"],
        "attachment_size_limit": state.limits.file_bytes,
    }
    if record.guild_id is None:
        body |= {"user": user(who), "context": 1}
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
            "member": member(state, state.members[guild_record.id, who.id])
            | {"permissions": str(permissions_in(state, where, who.id))},
            "context": 0,
        }
    if record.message_id is not None:
        source = state.messages[where.id][record.message_id]
        body["message"] = message(state, source)
    return body


def application(state: State) -> Json:
    """The application object as its own bot sees it."""
    bot = state.users[state.bot_id]
    owner = User(id=state.application.id + 1, name="Owner")
    return {
        "id": str(state.application.id),
        "name": state.application.name,
        "icon": None,
        "description": "A bot in a Discord of your own.",
        "type": None,
        "bot": user(bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": user(owner),
        "approximate_guild_count": len(state.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "integration_types_config": {"0": {}},
        "eligible_oauth2_scopes": [],
    }


def _id_or_none(value: int | None) -> str | None:
    return None if value is None else str(value)


def _iso_or_none(value: float | None) -> str | None:
    return None if value is None else iso(value)
