"""Routes by which a bot answers interactions."""

from __future__ import annotations

from playground.rest.call import Call, Reply, Route, ok
from playground.world import message_shapes

_WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"
_TRUE = frozenset({"1", "true"})


def _callback(call: Call) -> Reply:
    body = call.world.interactions.answer(
        call.id("interaction_id"), call.path["interaction_token"], call.body, call.uploads
    )
    if call.query.get("with_response", "").lower() in _TRUE:
        return ok(body)
    return Reply()


def _follow_up(call: Call) -> Reply:
    made = call.world.interactions.follow_up(
        call.id("webhook_id"), call.path["webhook_token"], call.body, call.uploads
    )
    return ok(message_shapes.message(call.world.state, made))


def _read(call: Call) -> Reply:
    found = call.world.interactions.read(
        call.id("webhook_id"), call.path["webhook_token"], call.path.get("message_id", "@original")
    )
    return ok(message_shapes.message(call.world.state, found))


def _edit(call: Call) -> Reply:
    made = call.world.interactions.edit(
        call.id("webhook_id"),
        call.path["webhook_token"],
        call.path.get("message_id", "@original"),
        call.body,
        call.uploads,
    )
    return ok(message_shapes.message(call.world.state, made))


def _delete(call: Call) -> Reply:
    call.world.interactions.delete(
        call.id("webhook_id"), call.path["webhook_token"], call.path.get("message_id", "@original")
    )
    return Reply()


ROUTES = (
    Route(
        "POST", "/interactions/{interaction_id}/{interaction_token}/callback", _callback, open=True
    ),
    Route("POST", _WEBHOOK, _follow_up, open=True),
    *(
        route
        for path in (f"{_WEBHOOK}/messages/@original", f"{_WEBHOOK}/messages/{{message_id}}")
        for route in (
            Route("GET", path, _read, open=True),
            Route("PATCH", path, _edit, open=True),
            Route("DELETE", path, _delete, open=True),
        )
    ),
)
