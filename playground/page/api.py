"""What the page and test users may ask for.

Everything has Discord's shapes. A person says who they are by ``Authorization: person <user id>``
(the websocket: ``/page/gateway?user=<user id>``). There are no passwords: the playground listens to
its own machine alone, and these routes answer only requests whose Host and Origin are loopback.

Websocket ``/page/gateway?user=``: frames ``{"op": 0, "t": name, "s": n, "d": data}``:

- READY ``{user, guilds: [{id, name, owner_id, channels, threads, members, roles}],
  private_channels, application: {id, name, bot}, presences, time}``; guild channels carry
  ``permissions``, the person's own, as a decimal string.
- MESSAGE_CREATE, MESSAGE_UPDATE (whole message), MESSAGE_DELETE ``{id, channel_id, guild_id?}``.
  Flags: 64 only you see this, 128 the bot is thinking, 4096 silent, 32768 components of the second
  version. Types: 0 ordinary, 6 pin, 18 thread started (``content`` is its name,
  ``message_reference.channel_id`` the thread), 19 reply, 20 answer to a slash command, 21 first
  message of a thread begun from a message, 23 answer to a context menu command.
- CHANNEL_CREATE / UPDATE / DELETE, THREAD_CREATE / UPDATE / DELETE / MEMBERS_UPDATE,
  CHANNEL_PINS_UPDATE, MESSAGE_REACTION_ADD / REMOVE, TYPING_START ``{channel_id, user_id,
  timestamp}``, GUILD_MEMBER_ADD / REMOVE, GUILD_ROLE_CREATE / UPDATE, GUILD_CREATE (shaped as in
  READY) for a server one has joined, PRESENCE_UPDATE of the bot ``{user: {id}, status}``.
- INTERACTION_CREATE ``{id, nonce}``, INTERACTION_SUCCESS ``{id, nonce}``, INTERACTION_FAILURE
  ``{id, nonce, reason_code}`` ("This interaction failed"), INTERACTION_MODAL_CREATE
  ``{id, nonce, custom_id, title, components, channel_id, application}``,
  APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE ``{id, nonce, choices: [{name, value}]}``.

REST; errors are ``{code, message, errors?}`` with Discord's codes:

- ``GET /page/people``; ``POST /page/people {name, locale?}`` -> user, a member of the first server.
- ``GET|PATCH /page/api/users/@me`` ``{locale?, accepts_dms?}``;
  ``POST /page/api/users/@me/channels {recipient_id}`` -> direct messages with somebody.
- ``GET /page/api/channels/{id}/messages?before=&after=&around=&limit=`` newest first, one's own
  ephemeral ones among them; ``POST`` ``{content, nonce?, message_reference?}`` (or multipart);
  ``DELETE /page/api/channels/{id}/messages/{message}`` (also dismisses an ephemeral message);
  ``PATCH`` one's own ``{content}``; ``PUT|DELETE .../reactions/{emoji}/@me``;
  ``PUT|DELETE .../pins/{message}``; ``POST /page/api/channels/{id}/typing``.
- ``GET /page/api/application-commands?channel_id=`` -> the commands that can be used there, with
  ``id``, ``version``, ``type``, ``name``, ``description``, ``options``, localisations.
- ``POST /page/api/interactions {type: 2|3|4|5, channel_id, guild_id?, message_id?, nonce, data}``
  -> 204. ``data`` of a command (2) or of autocomplete (4): ``{id, version?, name, type, options:
  [{type, name, value | options, focused?}], target_id?}``; of a component (3): ``{component_type,
  custom_id, values?}``; of a modal (5): ``{id: <that of INTERACTION_MODAL_CREATE>, custom_id,
  components: [{type: 1, components: [{type: 4, custom_id, value}]} | {type: 18, component: {type,
  custom_id, value | values}}]}``.
- ``POST /page/api/attachments`` (multipart, one file) -> attachment; its id is the value of a file
  option or of a modal's file upload.
- ``POST /page/api/channels {guild_id, name}`` -> channel; ``PATCH /page/api/channels/{id}``
  ``{name?, topic?, archived?, locked?, auto_archive_duration?}``;
  ``DELETE /page/api/channels/{id}``; ``POST /page/api/channels/{id}/threads {name, type}``.
- ``PUT /page/api/channels/{id}/permissions/{target} {type: 0|1, allow, deny}`` and ``DELETE``.
- ``POST /page/api/guilds {name}``; ``PUT|DELETE /page/api/guilds/{id}/members/{user|@bot}``.

Only those who may do such a thing in Discord may do it here: a person is a plain member, the first
person owns the first server. ``@bot`` stands for the bot's id wherever a user id is asked for.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from playground import errors
from playground.errors import DiscordError, form_error
from playground.page.hub import Hub
from playground.rest.call import Call, Reply
from playground.rest.front import read_body, respond
from playground.wire import Json, read_id
from playground.world import shapes
from playground.world.commands import shape as command_shape
from playground.world.model import Message, Overwrite
from playground.world.permissions import Permission, guild_permissions
from playground.world.world import World


@dataclass(frozen=True, slots=True)
class Ask:
    """A call and the person who makes it."""

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
        return shapes.message(self.world.state, message, self.user_id)


def _messages(ask: Ask) -> Reply:
    found = ask.world.messages.history(
        ask.id("channel_id"),
        ask.user_id,
        before=ask.call.moment("before"),
        after=ask.call.moment("after"),
        around=ask.call.moment("around"),
        limit=ask.call.number("limit", 50, 1, 100),
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
    ask.world.messages.react(
        ask.id("channel_id"), ask.id("message_id"), ask.user_id, ask.call.path["emoji"]
    )
    return Reply()


def _unreact(ask: Ask) -> Reply:
    ask.world.messages.unreact(
        ask.id("channel_id"), ask.id("message_id"), ask.user_id, ask.call.path["emoji"]
    )
    return Reply()


def _pin(ask: Ask) -> Reply:
    ask.world.messages.pin(ask.id("channel_id"), ask.id("message_id"), ask.user_id, pinned=True)
    return Reply()


def _unpin(ask: Ask) -> Reply:
    ask.world.messages.pin(ask.id("channel_id"), ask.id("message_id"), ask.user_id, pinned=False)
    return Reply()


def _commands(ask: Ask) -> Reply:
    channel_id = ask.call.moment("channel_id")
    if channel_id is None:
        raise form_error("channel_id", "BASE_TYPE_REQUIRED", "This field is required")
    found = ask.world.deeds.offered(channel_id, ask.user_id)
    application_id = ask.world.state.application.id
    return Reply(200, [command_shape(each, application_id) for each in found])


def _interact(ask: Ask) -> Reply:
    ask.world.deeds.do(ask.user_id, ask.body)
    ask.world.interactions.forget_old()
    return Reply()


def _attach(ask: Ask) -> Reply:
    if len(ask.call.uploads) != 1:
        raise form_error("files", "BASE_TYPE_BAD_LENGTH", "Must be 1 in length.")
    made = ask.world.deeds.upload(ask.call.uploads[0])
    return Reply(200, shapes.attachment(ask.world.state, 0, made))


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
    made = ask.world.start_thread(
        ask.id("channel_id"),
        ask.user_id,
        {"type": 11, **ask.body},
        message_id=read_id(ask.body.get("message_id")),
    )
    return Reply(201, shapes.thread(made, ask.user_id))


def _overwrite(ask: Ask) -> Reply:
    channel = ask.world.state.visible_channel(ask.id("channel_id"), ask.user_id)
    ask.world.state.require(channel, ask.user_id, Permission.MANAGE_ROLES)
    allow, deny = read_id(ask.body.get("allow", 0)), read_id(ask.body.get("deny", 0))
    kind = ask.body.get("type")
    if allow is None or deny is None or kind not in {0, 1}:
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
_TABLE: tuple[tuple[str, str, Callable[[Ask], Reply]], ...] = (
    ("GET", f"{_CHANNEL}/messages", _messages),
    ("POST", f"{_CHANNEL}/messages", _send),
    ("PATCH", _MESSAGE, _edit),
    ("DELETE", _MESSAGE, _delete),
    ("PUT", f"{_MESSAGE}/reactions/{{emoji}}/@me", _react),
    ("DELETE", f"{_MESSAGE}/reactions/{{emoji}}/@me", _unreact),
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


@dataclass(slots=True, repr=False)
class PageApi:
    """Serves the page's side."""

    world: World
    hub: Hub
    #: Waits until what has changed is safe on disk.
    settle: Callable[[], Awaitable[None]]

    def routes(self) -> list[web.RouteDef]:
        """What aiohttp is to serve."""
        return [
            web.get("/page/gateway", self._gateway),
            web.get("/page/people", self._people),
            web.post("/page/people", self._add_person),
            *(web.route(method, path, self._serve(handler)) for method, path, handler in _TABLE),
        ]

    def _serve(
        self, handler: Callable[[Ask], Reply]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def serve(request: web.Request) -> web.StreamResponse:
            check_origin(request)
            try:
                content, uploads = await read_body(request)
                user_id = self._person(request)
                call = Call(self.world, request.match_info, request.query, content, uploads)
                reply = handler(Ask(call, user_id))
                await self.settle()
            except DiscordError as error:
                return respond(error.status, error.body(), error.headers)
            return respond(reply.status, reply.content, {})

        return serve

    def _person(self, request: web.Request) -> int:
        kind, _, number = request.headers.get("Authorization", "").partition(" ")
        user_id = read_id(number.strip())
        user = self.world.state.users.get(user_id or -1)
        if kind.lower() != "person" or user is None or user.bot:
            raise errors.unauthorized()
        return user.id

    async def _people(self, request: web.Request) -> web.StreamResponse:
        check_origin(request)
        people = [each for each in self.world.state.users.values() if not each.bot]
        return respond(200, [shapes.user(each) for each in people], {})

    async def _add_person(self, request: web.Request) -> web.StreamResponse:
        check_origin(request)
        try:
            content, _ = await read_body(request)
            body: Any = content if isinstance(content, dict) else {}
            name = str(body.get("name") or "").strip()
            if not 1 <= len(name) <= 32:
                raise form_error(
                    "name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 32 in length."
                )
            made = self.world.places.add_user(name, locale=str(body.get("locale") or "en-GB"))
            self.world.places.join(self.world.home.id, made.id)
            await self.settle()
        except DiscordError as error:
            return respond(error.status, error.body(), error.headers)
        return respond(201, shapes.user(made), {})

    async def _gateway(self, request: web.Request) -> web.StreamResponse:
        check_origin(request)
        user_id = read_id(request.query.get("user"))
        user = self.world.state.users.get(user_id or -1)
        if user is None or user.bot:
            return respond(401, errors.unauthorized().body(), {})
        return await self.hub.serve(request, user.id)


def check_origin(request: web.Request) -> None:
    """Refuse what does not come from this machine's own page: other hosts' pages, rebound names."""
    if not is_loopback(f"//{request.host}"):
        raise web.HTTPForbidden(text="The playground answers to its own machine alone.")
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise web.HTTPForbidden(text="The playground answers to its own page alone.")


def is_loopback(url: str) -> bool:
    """Whether the host of an address is this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
