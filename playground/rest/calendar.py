"""Routes of scheduled events."""

from __future__ import annotations

from playground.rest.call import Call, Reply, Route, ok
from playground.wire import Json
from playground.world import shapes
from playground.world.model import ScheduledEvent

_EVENTS = "/guilds/{guild_id}/scheduled-events"
_EVENT = f"{_EVENTS}/{{guild_scheduled_event_id}}"


def _shape(call: Call, event: ScheduledEvent) -> Json:
    return shapes.scheduled_event(call.world.state, event)


def _event(call: Call) -> ScheduledEvent:
    return call.world.calendar.find(call.guild_id(), call.id("guild_scheduled_event_id"))


def _list(call: Call) -> Reply:
    return ok([_shape(call, each) for each in call.world.calendar.of(call.guild_id())])


def _create(call: Call) -> Reply:
    return ok(_shape(call, call.world.calendar.create(call.guild_id(), call.me, call.body)))


def _read(call: Call) -> Reply:
    return ok(_shape(call, _event(call)))


def _change(call: Call) -> Reply:
    event = _event(call)
    call.world.calendar.change(event, call.me, call.body)
    return ok(_shape(call, event))


def _remove(call: Call) -> Reply:
    call.world.calendar.remove(_event(call), call.me)
    return Reply()


ROUTES = (
    Route("GET", _EVENTS, _list),
    Route("POST", _EVENTS, _create),
    Route("GET", _EVENT, _read),
    Route("PATCH", _EVENT, _change),
    Route("DELETE", _EVENT, _remove),
)
