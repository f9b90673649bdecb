"""The API of the page and of test users.

Everything has Discord's shapes. A person identifies themselves by ``Authorization: person <user
id>`` (the websocket: ``/page/gateway?user=<user id>``). There are no passwords: the playground
listens to its own machine alone, and answers no other pages (:mod:`playground.doors`).

Websocket ``/page/gateway?user=``: frames ``{"op": 0, "t": name, "s": n, "d": data}``:

- READY ``{user, guilds: [{id, name, owner_id, channels, threads, members, roles}],
  private_channels, application: {id, name, bot, first_command}, presences, time}``; guild channels
  carry ``permissions``, the person's own, as a decimal string.
- MESSAGE_CREATE, MESSAGE_UPDATE (whole message), MESSAGE_DELETE ``{id, channel_id, guild_id?}``.
  Flags: 64 only you see this, 128 the bot is thinking, 4096 silent, 32768 components of the second
  version. Types: 0 ordinary, 6 pin, 18 thread started (``content`` is its name,
  ``message_reference.channel_id`` the thread), 19 reply, 20 answer to a slash command, 21 first
  message of a thread begun from a message, 23 answer to a context menu command.
- CHANNEL_CREATE / UPDATE / DELETE, THREAD_CREATE / UPDATE / DELETE / MEMBERS_UPDATE,
  CHANNEL_PINS_UPDATE, MESSAGE_REACTION_ADD / REMOVE, TYPING_START ``{channel_id, user_id,
  timestamp}``, GUILD_MEMBER_ADD / UPDATE / REMOVE, GUILD_ROLE_CREATE / UPDATE, GUILD_CREATE (shaped
  as in READY) for a server that the person has joined, PRESENCE_UPDATE of the bot ``{user: {id},
  status}``.
- INTERACTION_CREATE ``{id, nonce}``, INTERACTION_SUCCESS ``{id, nonce}``, INTERACTION_FAILURE
  ``{id, nonce, reason_code}`` ("This interaction failed"), INTERACTION_MODAL_CREATE
  ``{id, nonce, custom_id, title, components, channel_id, application}``,
  APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE ``{id, nonce, choices: [{name, value}]}``.

REST; errors are ``{code, message, errors?}`` with Discord's codes:

- ``GET /page/people`` -> users with ``scripted``; ``POST /page/people {name, locale?, scripted?}``
  -> user, a member of the first server. A scripted one cannot be chosen on the page.
- ``GET|PATCH /page/api/users/@me`` ``{locale?, accepts_dms?}``;
  ``POST /page/api/users/@me/channels {recipient_id}`` -> direct messages with a person.
- ``GET /page/api/channels/{id}/messages?before=&after=&around=&limit=`` newest first, one's own
  ephemeral ones among them; ``POST`` ``{content, nonce?, message_reference?}`` (or multipart);
  ``DELETE /page/api/channels/{id}/messages/{message}`` (also dismisses an ephemeral message);
  ``PATCH`` one's own ``{content}``; ``PUT|DELETE .../reactions/{emoji}/@me``;
  ``GET .../pins`` newest first, ``PUT|DELETE .../pins/{message}``;
  ``POST /page/api/channels/{id}/typing``.
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

Permissions are Discord's: a person is a plain member, the first person owns the first server.
``@bot`` stands for the bot's id wherever a user id is asked for.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from playground import errors
from playground.errors import DiscordError, form_error
from playground.page.asks import TABLE, Ask
from playground.page.hub import Hub
from playground.rest.call import Call, Reply
from playground.rest.front import read_body, respond
from playground.wire import read_id
from playground.world import shapes
from playground.world.world import World


@dataclass(slots=True, repr=False)
class PageApi:
    """Serves the page's side."""

    world: World
    hub: Hub
    #: Waits until all changes are safe on disk.
    settle: Callable[[], Awaitable[None]]

    def routes(self) -> list[web.RouteDef]:
        """The routes for aiohttp."""
        return [
            web.get("/page/gateway", self._gateway),
            web.get("/page/people", self._people),
            web.post("/page/people", self._add_person),
            *(web.route(method, path, self._serve(handler)) for method, path, handler in TABLE),
        ]

    def _serve(
        self, handler: Callable[[Ask], Reply]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def serve(request: web.Request) -> web.StreamResponse:
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

    async def _people(self, _: web.Request) -> web.StreamResponse:
        people = [each for each in self.world.state.users.values() if not each.bot]
        found = [shapes.user(each) | {"scripted": each.scripted} for each in people]
        return respond(200, found, {})

    async def _add_person(self, request: web.Request) -> web.StreamResponse:
        try:
            content, _ = await read_body(request)
            body: Any = content if isinstance(content, dict) else {}
            name = str(body.get("name") or "").strip()
            if not 1 <= len(name) <= 32:
                raise form_error(
                    "name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 32 in length."
                )
            locale, scripted = str(body.get("locale") or "en-GB"), body.get("scripted") is True
            made = self.world.places.add_user(name, locale=locale, scripted=scripted)
            self.world.places.join(self.world.home.id, made.id)
            await self.settle()
        except DiscordError as error:
            return respond(error.status, error.body(), error.headers)
        return respond(201, shapes.user(made), {})

    async def _gateway(self, request: web.Request) -> web.StreamResponse:
        user_id = read_id(request.query.get("user"))
        user = self.world.state.users.get(user_id or -1)
        if user is None or user.bot:
            return respond(401, errors.unauthorized().body(), {})
        return await self.hub.serve(request, user.id)
