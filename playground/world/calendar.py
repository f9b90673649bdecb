"""The scheduled events of servers that take place outside of their channels.

https://docs.discord.com/developers/resources/guild-scheduled-event
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from playground import errors
from playground.errors import FormErrors
from playground.wire import Json
from playground.world import shapes
from playground.world.model import ScheduledEvent
from playground.world.permissions import Permission, guild_permissions
from playground.world.state import GatewayEvent, State

_MOST = 100
"""The most scheduled and running events of a server."""
_OPEN = (1, 2)
_STEPS = {1: (1, 2, 4), 2: (2, 3), 3: (), 4: ()}
"""The possible changes of each status."""


@dataclass(slots=True)
class Calendar:
    """The actions on scheduled events."""

    state: State

    def of(self, guild_id: int) -> list[ScheduledEvent]:
        """The events of a server that are not over."""
        return [
            each
            for each in self.state.scheduled_events.values()
            if each.guild_id == guild_id and each.status in _OPEN
        ]

    def find(self, guild_id: int, event_id: int) -> ScheduledEvent:
        """An event of a server; 10070 if there is none."""
        found = self.state.scheduled_events.get(event_id)
        if found is None or found.guild_id != guild_id:
            raise errors.unknown("Guild Scheduled Event")
        return found

    def create(self, guild_id: int, user_id: int, body: Json) -> ScheduledEvent:
        """Create an event; tell."""
        self._require(guild_id, user_id, Permission.CREATE_EVENTS)
        if len(self.of(guild_id)) >= _MOST:
            raise errors.maximum(
                30038, f"Maximum number of guild scheduled events reached ({_MOST})"
            )
        faults = FormErrors()
        if body.get("entity_type") != 3:
            faults.add("entity_type", "BASE_TYPE_CHOICES", "Value must be one of {3}.")
        if body.get("privacy_level") != 2:
            faults.add("privacy_level", "BASE_TYPE_CHOICES", "Value must be one of {2}.")
        made = ScheduledEvent(self.state.ids.next(), guild_id, user_id, "", 0.0, 0.0, "")
        self._write(made, body, faults, is_new=True)
        faults.check()
        self._keep(made, "GUILD_SCHEDULED_EVENT_CREATE")
        return made

    def change(self, event: ScheduledEvent, user_id: int, body: Json) -> None:
        """Change an event, or its status; tell."""
        self._require_own(event, user_id)
        faults = FormErrors()
        changed = ScheduledEvent(**{key: getattr(event, key) for key in event.__slots__})
        self._write(changed, body, faults, is_new=False)
        faults.check()
        status = body.get("status")
        if status is not None:
            if status not in _STEPS[event.status]:
                raise errors.form_error(
                    "status", "GUILD_SCHEDULED_EVENT_STATUS", "Invalid Guild Scheduled Event Status"
                )
            changed.status = int(status)
        for key in event.__slots__:
            setattr(event, key, getattr(changed, key))
        self._keep(event, "GUILD_SCHEDULED_EVENT_UPDATE")

    def remove(self, event: ScheduledEvent, user_id: int) -> None:
        """Delete an event; tell."""
        self._require_own(event, user_id)
        del self.state.scheduled_events[event.id]
        self.state.journal.drop("scheduled_event", str(event.id))
        data = shapes.scheduled_event(self.state, event)
        self.state.tell(GatewayEvent("GUILD_SCHEDULED_EVENT_DELETE", data, event.guild_id))

    def _keep(self, event: ScheduledEvent, name: str) -> None:
        self.state.scheduled_events[event.id] = event
        self.state.keep(event)
        data = shapes.scheduled_event(self.state, event)
        self.state.tell(GatewayEvent(name, data, event.guild_id))

    def _require(self, guild_id: int, user_id: int, needed: int) -> None:
        granted = guild_permissions(self.state, guild_id, user_id)
        if not granted & (needed | Permission.MANAGE_EVENTS):
            raise errors.missing_permissions()

    def _require_own(self, event: ScheduledEvent, user_id: int) -> None:
        """The creator may change an event with the permission to create one; others need more."""
        is_own = event.creator_id == user_id
        needed = Permission.CREATE_EVENTS if is_own else Permission.MANAGE_EVENTS
        self._require(event.guild_id, user_id, needed)

    def _write(
        self, event: ScheduledEvent, body: Json, faults: FormErrors, *, is_new: bool
    ) -> None:
        """Write the values of a body into an event."""
        if is_new or "name" in body:
            faults.check_length("name", body.get("name"), 1, 100)
            event.name = str(body.get("name"))
        if body.get("description") is not None:
            faults.check_length("description", body["description"], 1, 1000)
            event.description = str(body["description"])
        about = body.get("entity_metadata")
        place = about.get("location") if isinstance(about, dict) else None
        if is_new or "entity_metadata" in body:
            faults.check_length("entity_metadata.location", place, 1, 100)
            event.location = str(place)
        start = _seconds(body, "scheduled_start_time", faults, required=is_new)
        end = _seconds(body, "scheduled_end_time", faults, required=is_new)
        if start is not None:
            if start <= self.state.clock.now():
                faults.add(
                    "scheduled_start_time",
                    "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST",
                    "Cannot schedule event in the past.",
                )
            event.start = start
        if end is not None:
            event.end = end
        if event.end <= event.start and not faults:
            faults.add(
                "scheduled_end_time",
                "GUILD_SCHEDULED_EVENT_END_BEFORE_START",
                "Cannot schedule event to end before its start.",
            )


def _seconds(body: Json, key: str, faults: FormErrors, *, required: bool) -> float | None:
    text = body.get(key)
    if text is None:
        if required:
            faults.required(key)
        return None
    try:
        return datetime.fromisoformat(str(text)).timestamp()
    except ValueError:
        faults.add(key, "DATE_TIME_TYPE_PARSE", f"Could not parse {text}.")
        return None
