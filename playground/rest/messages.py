"""Routes of messages, reactions, pins and typing."""

from __future__ import annotations

from playground.rest.call import Call, Reply, Route, ok
from playground.wire import Json, iso
from playground.world import message_shapes
from playground.world.model import Message

_MESSAGES = "/channels/{channel_id}/messages"
_MESSAGE = f"{_MESSAGES}/{{message_id}}"
_REACTION = f"{_MESSAGE}/reactions/{{emoji_name}}"


def _shape(call: Call, message: Message) -> Json:
    return message_shapes.message(call.world.state, message, call.me)


def _list(call: Call) -> Reply:
    found = call.world.messages.history(
        call.id("channel_id"),
        call.me,
        before=call.moment("before"),
        after=call.moment("after"),
        around=call.moment("around"),
        limit=call.limit(50, 100),
    )
    return ok([_shape(call, each) for each in found])


def _send(call: Call) -> Reply:
    made = call.world.messages.send(call.id("channel_id"), call.me, call.body, call.uploads)
    body = _shape(call, made)
    if call.body.get("nonce") is not None:
        body["nonce"] = call.body["nonce"]
    return ok(body)


def _read(call: Call) -> Reply:
    channel = call.world.state.visible_channel(call.id("channel_id"), call.me)
    found = call.world.state.message(channel.id, call.id("message_id"))
    # An ephemeral message can be reached through its interaction alone.
    if found.only_for is not None:
        found = call.world.messages.seen(channel.id, found.id, call.me)
    return ok(_shape(call, found))


def _edit(call: Call) -> Reply:
    made = call.world.messages.edit(
        call.id("channel_id"), call.id("message_id"), call.me, call.body, call.uploads
    )
    return ok(_shape(call, made))


def _delete(call: Call) -> Reply:
    call.world.messages.delete(call.id("channel_id"), call.id("message_id"), call.me)
    return Reply()


def _typing(call: Call) -> Reply:
    call.world.messages.typing(call.id("channel_id"), call.me)
    return Reply()


def _react(call: Call) -> Reply:
    call.world.marks.react(
        call.id("channel_id"), call.id("message_id"), call.me, call.path["emoji_name"]
    )
    return Reply()


def _unreact(call: Call) -> Reply:
    call.world.marks.unreact(
        call.id("channel_id"), call.id("message_id"), call.me, call.path["emoji_name"]
    )
    return Reply()


def _reactors(call: Call) -> Reply:
    return ok(
        call.world.marks.reactors(
            call.id("channel_id"), call.id("message_id"), call.me, call.path["emoji_name"]
        )
    )


def _pin(call: Call) -> Reply:
    call.world.marks.pin(call.id("channel_id"), call.id("message_id"), call.me, pinned=True)
    return Reply()


def _unpin(call: Call) -> Reply:
    call.world.marks.pin(call.id("channel_id"), call.id("message_id"), call.me, pinned=False)
    return Reply()


def _pins(call: Call) -> Reply:
    found = call.world.marks.pins(call.id("channel_id"), call.me)
    items = [
        {"pinned_at": iso(each.pinned_at or 0), "message": _shape(call, each)} for each in found
    ]
    return ok({"items": items, "has_more": False})


def _old_pins(call: Call) -> Reply:
    found = call.world.marks.pins(call.id("channel_id"), call.me)
    return ok([_shape(call, each) for each in found])


ROUTES = (
    Route("GET", f"{_MESSAGES}/pins", _pins),
    Route("PUT", f"{_MESSAGES}/pins/{{message_id}}", _pin),
    Route("DELETE", f"{_MESSAGES}/pins/{{message_id}}", _unpin),
    Route("GET", "/channels/{channel_id}/pins", _old_pins),
    Route("PUT", "/channels/{channel_id}/pins/{message_id}", _pin),
    Route("DELETE", "/channels/{channel_id}/pins/{message_id}", _unpin),
    Route("GET", _MESSAGES, _list),
    Route("POST", _MESSAGES, _send),
    Route("GET", _MESSAGE, _read),
    Route("PATCH", _MESSAGE, _edit),
    Route("DELETE", _MESSAGE, _delete),
    Route("GET", _REACTION, _reactors),
    Route("PUT", f"{_REACTION}/@me", _react),
    Route("DELETE", f"{_REACTION}/@me", _unreact),
    Route("POST", "/channels/{channel_id}/typing", _typing),
)
