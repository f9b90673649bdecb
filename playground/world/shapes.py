"""People, servers and channels in Discord's JSON."""

from __future__ import annotations

from playground.clock import snowflake_time
from playground.wire import Json, iso
from playground.world.model import (
    Channel,
    ChannelType,
    Emoji,
    Guild,
    Member,
    Role,
    ScheduledEvent,
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
    """The bot's user object for the bot itself."""
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


def scheduled_event(state: State, record: ScheduledEvent) -> Json:
    """A scheduled event outside of the server's channels."""
    return {
        "id": str(record.id),
        "guild_id": str(record.guild_id),
        "channel_id": None,
        "creator_id": str(record.creator_id),
        "creator": user(state.users[record.creator_id]),
        "name": record.name,
        "description": record.description,
        "image": None,
        "scheduled_start_time": iso(record.start),
        "scheduled_end_time": iso(record.end),
        "status": record.status,
        "entity_type": 3,
        "entity_id": None,
        "entity_metadata": {"location": record.location},
        "recurrence_rule": None,
        "privacy_level": 2,
        "guild_scheduled_event_exceptions": [],
    }


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
    """The data of GUILD_CREATE: members are all, or the bot alone."""
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
        "guild_scheduled_events": [
            scheduled_event(state, each)
            for each in state.scheduled_events.values()
            if each.guild_id == record.id and each.status < 3  # scheduled, or active
        ],
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
    """A channel object of any kind; for a direct message, ``viewer`` is left out."""
    if record.kind is ChannelType.DM:
        shown = viewer if viewer is not None else state.bot_id
        return {
            "id": str(record.id),
            "type": int(record.kind),
            "flags": 0,
            "last_message_id": id_or_none(record.last_message_id),
            "last_pin_timestamp": iso_or_none(record.last_pin),
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
        "parent_id": id_or_none(record.parent_id),
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
        "last_message_id": id_or_none(record.last_message_id),
        "rate_limit_per_user": record.slowmode,
        "topic": record.topic,
    }
    if record.kind in {ChannelType.VOICE, ChannelType.STAGE}:
        body |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    else:
        body["last_pin_timestamp"] = iso_or_none(record.last_pin)
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
        "last_message_id": id_or_none(record.last_message_id),
        "last_pin_timestamp": iso_or_none(record.last_pin),
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
    """The channel in the form for interactions: with the permissions of the person in it."""
    return channel(state, record, state.bot_id) | {
        "permissions": str(permissions_in(state, record, user_id))
    }


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


def application(state: State) -> Json:
    """The application object for its own bot; the first server's owner has it."""
    bot = state.users[state.bot_id]
    owner = state.users[next(iter(state.guilds.values())).owner_id]
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


def id_or_none(value: int | None) -> str | None:
    """An id as text, or null."""
    return None if value is None else str(value)


def iso_or_none(value: float | None) -> str | None:
    """A moment as text, or null."""
    return None if value is None else iso(value)
