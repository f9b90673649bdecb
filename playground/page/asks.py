"""Requests of a person to the playground; api.py describes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playground import errors
from playground.errors import form_error
from playground.rest.call import Call, Reply
from playground.wire import Json, read_id
from playground.world import message_shapes, shapes
from playground.world.commands import shape as command_shape
from playground.world.model import ChannelType, Message, Overwrite
from playground.world.permissions import Permission, guild_permissions
from playground.world.world import World


@dataclass(frozen=True, slots=True)
class Ask:
    """A request and the person who makes it."""

    call: Call
    user_id: int

    @property
    def world(self) -> World:
        """The world."""
        return self.call.world

    @property
    def body(self) -> Json:
        """The body."""
        return self.call.body

    def id(self, name: str) -> int:
        """The snowflake in the address; ``@bot`` is the bot's."""
        if self.call.path[name] == "@bot":
            return self.world.state.bot_id
        return self.call.id(name)

    def shape(self, message: Message) -> Json:
        """A message as this person sees it."""
        return message_shapes.message(self.world.state, message, self.user_id)


def _messages(ask: Ask) -> Reply:
    found = ask.world.messages.history(
        ask.id("channel_id"),
        ask.user_id,
        before=ask.call.moment("before"),
        after=ask.call.moment("after"),
        around=ask.call.moment("around"),
        limit=ask.call.limit(50, 100),
    )
    return Reply(200, [ask.shape(each) for each in found])


def _send(ask: Ask) -> Reply:
    body: Json = {
        key: ask.body[key]
        for key in ("content", "nonce", "message_reference", "attachments", "flags")
        if key in ask.body
    }
    made = ask.world.messages.send(ask.id("channel_id"), ask.user_id, body, ask.call.uploads)
    return Reply(200, ask.shape(made))


def _edit(ask: Ask) -> Reply:
    body: Json = {"content": ask.body.get("content")}
    made = ask.world.messages.edit(ask.id("channel_id"), ask.id("message_id"), ask.user_id, body)
    return Reply(200, ask.shape(made))


def _delete(ask: Ask) -> Reply:
    ask.world.messages.delete(ask.id("channel_id"), ask.id("message_id"), ask.user_id)
    return Reply()


def _typing(ask: Ask) -> Reply:
    ask.world.messages.typing(ask.id("channel_id"), ask.user_id)
    return Reply()


def _react(ask: Ask) -> Reply:
    ask.world.marks.react(
        ask.id("channel_id"), ask.id("message_id"), ask.user_id, ask.call.path["emoji"]
    )
    return Reply()


def _unreact(ask: Ask) -> Reply:
    ask.world.marks.unreact(
        ask.id("channel_id"), ask.id("message_id"), ask.user_id, ask.call.path["emoji"]
    )
    return Reply()


def _pin(ask: Ask) -> Reply:
    ask.world.marks.pin(ask.id("channel_id"), ask.id("message_id"), ask.user_id, pinned=True)
    return Reply()


def _unpin(ask: Ask) -> Reply:
    ask.world.marks.pin(ask.id("channel_id"), ask.id("message_id"), ask.user_id, pinned=False)
    return Reply()


def _pins(ask: Ask) -> Reply:
    found = ask.world.marks.pins(ask.id("channel_id"), ask.user_id)
    return Reply(200, [ask.shape(each) for each in found])


def _commands(ask: Ask) -> Reply:
    channel_id = ask.call.moment("channel_id")
    if channel_id is None:
        raise form_error("channel_id", "BASE_TYPE_REQUIRED", "This field is required")
    found = ask.world.user_actions.offered(channel_id, ask.user_id)
    application_id = ask.world.state.application.id
    return Reply(200, [command_shape(each, application_id) for each in found])


def _interact(ask: Ask) -> Reply:
    ask.world.user_actions.do(ask.user_id, ask.body)
    ask.world.interactions.forget_old()
    return Reply()


def _attach(ask: Ask) -> Reply:
    if len(ask.call.uploads) != 1:
        raise form_error("files", "BASE_TYPE_BAD_LENGTH", "Must be 1 in length.")
    made = ask.world.user_actions.upload(ask.call.uploads[0])
    return Reply(200, message_shapes.attachment(ask.world.state, 0, made))


def _me(ask: Ask) -> Reply:
    user = ask.world.state.users[ask.user_id]
    return Reply(200, shapes.user(user) | {"locale": user.locale, "accepts_dms": user.accepts_dms})


def _edit_me(ask: Ask) -> Reply:
    user = ask.world.state.users[ask.user_id]
    if isinstance(ask.body.get("locale"), str):
        user.locale = ask.body["locale"]
    if isinstance(ask.body.get("accepts_dms"), bool):
        user.accepts_dms = ask.body["accepts_dms"]
    ask.world.state.keep(user)
    return _me(ask)


def _direct(ask: Ask) -> Reply:
    wanted = ask.body.get("recipient_id")
    other = ask.world.state.bot_id if wanted == "@bot" else read_id(wanted)
    if other is None:
        raise form_error("recipient_id", "BASE_TYPE_REQUIRED", "This field is required")
    made = ask.world.places.direct(ask.user_id, other)
    return Reply(200, shapes.channel(ask.world.state, made, ask.user_id))


def _guild_for(ask: Ask, guild_id: int, needed: int) -> int:
    guild = ask.world.state.guild(guild_id)
    granted = guild_permissions(ask.world.state, guild.id, ask.user_id)
    if not granted:
        raise errors.missing_access()
    if granted & needed != needed:
        raise errors.missing_permissions()
    return guild.id


def _add_channel(ask: Ask) -> Reply:
    guild_id = _guild_for(ask, read_id(ask.body.get("guild_id")) or 0, Permission.MANAGE_CHANNELS)
    made = ask.world.places.add_channel(guild_id, str(ask.body.get("name") or ""))
    return Reply(201, shapes.channel(ask.world.state, made, ask.user_id))


def _edit_channel(ask: Ask) -> Reply:
    channel = ask.world.state.visible_channel(ask.id("channel_id"), ask.user_id)
    ask.world.places.change_channel(channel, ask.user_id, ask.body)
    return Reply(200, shapes.channel(ask.world.state, channel, ask.user_id))


def _delete_channel(ask: Ask) -> Reply:
    channel = ask.world.state.visible_channel(ask.id("channel_id"), ask.user_id)
    if channel.guild_id is None:
        raise errors.wrong_channel_type()
    needed = Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS
    ask.world.state.require(channel, ask.user_id, needed)
    ask.world.places.remove_channel(channel)
    return Reply()


def _thread(ask: Ask) -> Reply:
    channel = ask.world.state.visible_channel(ask.id("channel_id"), ask.user_id)
    is_news = channel.kind is ChannelType.ANNOUNCEMENT
    kind = ChannelType.ANNOUNCEMENT_THREAD if is_news else ChannelType.PUBLIC_THREAD
    made = ask.world.start_thread(
        channel.id,
        ask.user_id,
        {"type": int(kind), **ask.body},
        message_id=read_id(ask.body.get("message_id")),
    )
    return Reply(201, shapes.thread(made, ask.user_id))


def _overwrite(ask: Ask) -> Reply:
    channel = ask.world.state.visible_channel(ask.id("channel_id"), ask.user_id)
    ask.world.state.require(channel, ask.user_id, Permission.MANAGE_ROLES)
    allow, deny = read_id(ask.body.get("allow", 0)), read_id(ask.body.get("deny", 0))
    kind = ask.body.get("type")
    if allow is None or deny is None or kind not in (0, 1):
        raise form_error("type", "BASE_TYPE_REQUIRED", "type, allow and deny are required")
    ask.world.places.set_overwrite(channel, Overwrite(ask.id("target_id"), kind, allow, deny))
    return Reply()


def _drop_overwrite(ask: Ask) -> Reply:
    channel = ask.world.state.visible_channel(ask.id("channel_id"), ask.user_id)
    ask.world.state.require(channel, ask.user_id, Permission.MANAGE_ROLES)
    ask.world.places.drop_overwrite(channel, ask.id("target_id"))
    return Reply()


def _add_guild(ask: Ask) -> Reply:
    name = str(ask.body.get("name") or "")
    if not 2 <= len(name) <= 100:
        raise form_error("name", "BASE_TYPE_BAD_LENGTH", "Must be between 2 and 100 in length.")
    made = ask.world.places.add_guild(name, ask.user_id)
    return Reply(201, shapes.guild(ask.world.state, made))


def _add_member(ask: Ask) -> Reply:
    guild_id = _guild_for(ask, ask.id("guild_id"), 0)
    made = ask.world.places.join(guild_id, ask.id("user_id"))
    return Reply(201, shapes.member(ask.world.state, made))


def _remove_member(ask: Ask) -> Reply:
    user_id = ask.id("user_id")
    needed = 0 if user_id == ask.user_id else Permission.KICK_MEMBERS
    ask.world.places.leave(_guild_for(ask, ask.id("guild_id"), needed), user_id)
    return Reply()


_API = "/page/api"
_CHANNEL = f"{_API}/channels/{{channel_id}}"
_MESSAGE = f"{_CHANNEL}/messages/{{message_id}}"
TABLE: tuple[tuple[str, str, Callable[[Ask], Reply]], ...] = (
    ("GET", f"{_CHANNEL}/messages", _messages),
    ("POST", f"{_CHANNEL}/messages", _send),
    ("PATCH", _MESSAGE, _edit),
    ("DELETE", _MESSAGE, _delete),
    ("PUT", f"{_MESSAGE}/reactions/{{emoji}}/@me", _react),
    ("DELETE", f"{_MESSAGE}/reactions/{{emoji}}/@me", _unreact),
    ("GET", f"{_CHANNEL}/pins", _pins),
    ("PUT", f"{_CHANNEL}/pins/{{message_id}}", _pin),
    ("DELETE", f"{_CHANNEL}/pins/{{message_id}}", _unpin),
    ("POST", f"{_CHANNEL}/typing", _typing),
    ("GET", f"{_API}/application-commands", _commands),
    ("POST", f"{_API}/interactions", _interact),
    ("POST", f"{_API}/attachments", _attach),
    ("GET", f"{_API}/users/@me", _me),
    ("PATCH", f"{_API}/users/@me", _edit_me),
    ("POST", f"{_API}/users/@me/channels", _direct),
    ("POST", f"{_API}/channels", _add_channel),
    ("PATCH", _CHANNEL, _edit_channel),
    ("DELETE", _CHANNEL, _delete_channel),
    ("POST", f"{_CHANNEL}/threads", _thread),
    ("PUT", f"{_CHANNEL}/permissions/{{target_id}}", _overwrite),
    ("DELETE", f"{_CHANNEL}/permissions/{{target_id}}", _drop_overwrite),
    ("POST", f"{_API}/guilds", _add_guild),
    ("PUT", f"{_API}/guilds/{{guild_id}}/members/{{user_id}}", _add_member),
    ("DELETE", f"{_API}/guilds/{{guild_id}}/members/{{user_id}}", _remove_member),
)
