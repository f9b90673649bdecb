"""Routes of channels, threads, servers, members and users."""

from __future__ import annotations

from playground import errors
from playground.errors import form_error
from playground.rest.call import Call, Reply, Route, ok
from playground.wire import Json, read_id
from playground.world import shapes
from playground.world.model import Channel, ChannelType
from playground.world.permissions import Permission

_CHANNEL = "/channels/{channel_id}"
_GUILD = "/guilds/{guild_id}"


def _channel(call: Call) -> Channel:
    return call.world.state.visible_channel(call.id("channel_id"), call.me)


def _shape(call: Call, channel: Channel) -> Json:
    return shapes.channel(call.world.state, channel, call.me)


def _read_channel(call: Call) -> Reply:
    channel = _channel(call)
    call.world.threads.refresh(channel)
    return ok(_shape(call, channel))


def _edit_channel(call: Call) -> Reply:
    channel = _channel(call)
    call.world.places.change_channel(channel, call.me, call.body)
    return ok(_shape(call, channel))


def _delete_channel(call: Call) -> Reply:
    channel = _channel(call)
    body = _shape(call, channel)
    if channel.kind is not ChannelType.DM:
        needed = Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS
        call.world.state.require(channel, call.me, needed)
        call.world.places.remove_channel(channel)
    return ok(body)


def _thread_from_message(call: Call) -> Reply:
    thread = call.world.start_thread(
        call.id("channel_id"), call.me, call.body, message_id=call.id("message_id")
    )
    return Reply(201, _shape(call, thread))


def _thread(call: Call) -> Reply:
    thread = call.world.start_thread(call.id("channel_id"), call.me, call.body)
    return Reply(201, _shape(call, thread))


def _thread_members(call: Call) -> Reply:
    thread = _channel(call)
    return ok([shapes.thread_member(thread, each) for each in thread.thread_members])


def _thread_member(call: Call) -> Reply:
    thread, user_id = _channel(call), _member_of_path(call)
    if user_id not in thread.thread_members:
        raise errors.unknown("Member")
    return ok(shapes.thread_member(thread, user_id))


def _member_of_path(call: Call) -> int:
    return call.me if call.path.get("user_id", "@me") == "@me" else call.id("user_id")


def _join_thread(call: Call) -> Reply:
    thread, user_id = _channel(call), _member_of_path(call)
    if not thread.is_thread:
        raise errors.wrong_channel_type()
    call.world.threads.refresh(thread)
    if thread.archived:
        raise errors.thread_archived()
    call.world.threads.add_member(thread, user_id)
    return Reply()


def _leave_thread(call: Call) -> Reply:
    thread, user_id = _channel(call), _member_of_path(call)
    if user_id != call.me:
        call.world.state.require(thread, call.me, Permission.MANAGE_THREADS)
    call.world.threads.remove_member(thread, user_id)
    return Reply()


def _archived(kind: ChannelType) -> Route:
    def handler(call: Call) -> Reply:
        parent = _channel(call)
        state = call.world.state
        found = [
            each
            for each in state.channels.values()
            if each.parent_id == parent.id and each.kind is kind
        ]
        for each in found:
            call.world.threads.refresh(each)
        return ok(_threads_body(call, [each for each in found if each.archived]))

    name = "public" if kind is ChannelType.PUBLIC_THREAD else "private"
    return Route("GET", f"{_CHANNEL}/threads/archived/{name}", handler)


def _threads_body(call: Call, threads: list[Channel]) -> Json:
    return {
        "threads": [_shape(call, each) for each in threads],
        "members": [
            shapes.thread_member(each, call.me)
            for each in threads
            if call.me in each.thread_members
        ],
        "has_more": False,
    }


def _active(call: Call) -> Reply:
    body = _threads_body(call, call.world.threads.active(call.guild_id()))
    del body["has_more"]
    return ok(body | {"has_more": False})


def _read_guild(call: Call) -> Reply:
    state = call.world.state
    guild = state.guilds[call.guild_id()]
    body = shapes.guild(state, guild)
    if call.query.get("with_counts", "").lower() in {"1", "true"}:
        count = sum(1 for _ in state.members_of(guild.id))
        body |= {"approximate_member_count": count, "approximate_presence_count": count}
    return ok(body)


def _guild_channels(call: Call) -> Reply:
    there = call.world.state.channels_of(call.guild_id())
    return ok([_shape(call, each) for each in there if not each.is_thread])


def _guild_roles(call: Call) -> Reply:
    return ok([shapes.role(each) for each in call.world.state.roles_of(call.guild_id())])


def _guild_members(call: Call) -> Reply:
    guild_id = call.guild_id()
    if not call.world.state.application.privileged_intents:
        # Listing members needs the privileged intent of that name.
        raise errors.missing_access()
    after = call.moment("after") or 0
    there = sorted(call.world.state.members_of(guild_id), key=lambda each: each.user_id)
    found = [each for each in there if each.user_id > after]
    found = found[: call.limit(1, 1000)]
    return ok([shapes.member(call.world.state, each) for each in found])


def _search_members(call: Call) -> Reply:
    guild_id = call.guild_id()
    wanted = call.query.get("query", "").casefold()
    state = call.world.state
    found = [
        each
        for each in state.members_of(guild_id)
        if (each.nick or state.users[each.user_id].name).casefold().startswith(wanted)
    ]
    found = found[: call.limit(1, 1000)]
    return ok([shapes.member(state, each) for each in found])


def _guild_member(call: Call) -> Reply:
    found = call.world.state.member(call.guild_id(), call.id("user_id"))
    return ok(shapes.member(call.world.state, found))


def _give_role(call: Call) -> Reply:
    call.world.places.give_role(call.guild_id(), call.me, call.id("user_id"), call.id("role_id"))
    return Reply()


def _take_role(call: Call) -> Reply:
    call.world.places.take_role(call.guild_id(), call.me, call.id("user_id"), call.id("role_id"))
    return Reply()


def _me(call: Call) -> Reply:
    return ok(shapes.own_user(call.world.state.users[call.me]))


def _user(call: Call) -> Reply:
    return ok(shapes.user(call.world.state.user(call.id("user_id"))))


def _my_guilds(call: Call) -> Reply:
    state = call.world.state
    after = call.moment("after") or 0
    mine = sorted(
        each for each in state.guilds if each > after and (each, call.me) in state.members
    )
    mine = mine[: call.limit(200, 200)]
    return ok([shapes.my_guild(state, state.guilds[each]) for each in mine])


def _leave_guild(call: Call) -> Reply:
    call.world.places.leave(call.guild_id(), call.me)
    return Reply()


def _direct(call: Call) -> Reply:
    other = read_id(call.body.get("recipient_id"))
    if other is None:
        raise form_error("recipient_id", "BASE_TYPE_REQUIRED", "This field is required")
    return ok(_shape(call, call.world.places.direct(call.me, other)))


def _application(call: Call) -> Reply:
    return ok(shapes.application(call.world.state))


ROUTES = (
    Route("GET", _CHANNEL, _read_channel),
    Route("PATCH", _CHANNEL, _edit_channel),
    Route("DELETE", _CHANNEL, _delete_channel),
    Route("POST", f"{_CHANNEL}/messages/{{message_id}}/threads", _thread_from_message),
    Route("POST", f"{_CHANNEL}/threads", _thread),
    _archived(ChannelType.PUBLIC_THREAD),
    _archived(ChannelType.PRIVATE_THREAD),
    Route("GET", f"{_CHANNEL}/thread-members", _thread_members),
    Route("PUT", f"{_CHANNEL}/thread-members/@me", _join_thread),
    Route("DELETE", f"{_CHANNEL}/thread-members/@me", _leave_thread),
    Route("GET", f"{_CHANNEL}/thread-members/{{user_id}}", _thread_member),
    Route("PUT", f"{_CHANNEL}/thread-members/{{user_id}}", _join_thread),
    Route("DELETE", f"{_CHANNEL}/thread-members/{{user_id}}", _leave_thread),
    Route("GET", _GUILD, _read_guild),
    Route("GET", f"{_GUILD}/channels", _guild_channels),
    Route("GET", f"{_GUILD}/roles", _guild_roles),
    Route("GET", f"{_GUILD}/threads/active", _active),
    Route("GET", f"{_GUILD}/members", _guild_members),
    Route("GET", f"{_GUILD}/members/search", _search_members),
    Route("GET", f"{_GUILD}/members/{{user_id}}", _guild_member),
    Route("PUT", f"{_GUILD}/members/{{user_id}}/roles/{{role_id}}", _give_role),
    Route("DELETE", f"{_GUILD}/members/{{user_id}}/roles/{{role_id}}", _take_role),
    Route("GET", "/users/@me", _me),
    Route("GET", "/users/@me/guilds", _my_guilds),
    Route("DELETE", "/users/@me/guilds/{guild_id}", _leave_guild),
    Route("POST", "/users/@me/channels", _direct),
    Route("GET", "/users/{user_id}", _user),
    Route("GET", "/oauth2/applications/@me", _application),
    Route("GET", "/applications/@me", _application),
)
