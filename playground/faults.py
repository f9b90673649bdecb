r"""Faults to order, for tests alone: their kind, place and number, before or after the action.

    faults.rest("POST", r"/channels/\d+/messages", Status(502), when="after", times=1)
    faults.event("INTERACTION_CREATE", copies=3)

A playground made for people never holds a :class:`Faults` that has rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from playground.wire import Json

When: TypeAlias = Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class Status:
    """Answer with a status and an error body; ``html`` replaces it with a proxy's page."""

    status: int
    code: int = 0
    message: str = "fault"
    html: bool = False


@dataclass(frozen=True, slots=True)
class Junk:
    """Answer 200 with an invalid body: a page of a proxy, or JSON of another shape."""

    body: str = "<html>Welcome</html>"
    content_type: str = "text/html"


@dataclass(frozen=True, slots=True)
class TooMany:
    """Answer 429. Without ``via`` a client takes it for a ban; ``bare`` leaves keys out."""

    retry_after: float = 1.0
    is_global: bool = False
    via: bool = True
    html: bool = False
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Delay:
    """Wait for a number of seconds, then go on."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Drop:
    """Close the connection without an answer; with ``reset``, by a TCP reset."""

    reset: bool = False


@dataclass(frozen=True, slots=True)
class Hang:
    """Never answer."""


Fault: TypeAlias = Status | Junk | TooMany | Delay | Drop | Hang


@dataclass(slots=True)
class RestRule:
    """One ordered fault of the REST API; ``hits`` counts how often it struck."""

    method: str | None
    path: re.Pattern[str]
    fault: Fault
    when: When
    times: int | None
    skip: int
    hits: int = 0

    def strikes(self, method: str, path: str, when: When) -> bool:
        """Whether this rule applies now; counts if so."""
        if self.when != when or self.method not in {None, method}:
            return False
        if not self.path.fullmatch(path):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.times is not None and self.hits >= self.times:
            return False
        self.hits += 1
        return True


@dataclass(slots=True)
class EventRule:
    """One ordered fault of the gateway's events."""

    name: str
    times: int | None
    copies: int
    delay: float
    hold: bool
    change: Callable[[Json], Json] | None
    hits: int = 0


@dataclass(slots=True)
class Faults:
    """The rules in force."""

    rest_rules: list[RestRule] = field(default_factory=list)
    event_rules: list[EventRule] = field(default_factory=list)

    def rest(
        self,
        method: str | None,
        path: str,
        fault: Fault,
        *,
        when: When = "before",
        times: int | None = 1,
        skip: int = 0,
    ) -> RestRule:
        """Order a fault for requests whose path (after /api/v10) matches the pattern ``path``.

        It strikes ``times`` times (None: for ever), after letting ``skip`` requests pass.
        """
        rule = RestRule(method, re.compile(path), fault, when, times, skip)
        self.rest_rules.append(rule)
        return rule

    def event(
        self,
        name: str,
        *,
        times: int | None = 1,
        copies: int = 1,
        delay: float = 0.0,
        hold: bool = False,
        change: Callable[[Json], Json] | None = None,
    ) -> EventRule:
        """Order a fault for events: 0 ``copies`` drops, ``hold`` lets the next event overtake."""
        rule = EventRule(name, times, copies, delay, hold, change)
        self.event_rules.append(rule)
        return rule

    def clear(self) -> None:
        """Remove all faults."""
        self.rest_rules.clear()
        self.event_rules.clear()

    def find_rest(self, method: str, path: str, when: When) -> list[Fault]:
        """The faults that strike this request now."""
        return [rule.fault for rule in self.rest_rules if rule.strikes(method, path, when)]

    def find_event(self, name: str) -> EventRule | None:
        """The rule for this event, counted, if there is one."""
        for rule in self.event_rules:
            if rule.name == name and (rule.times is None or rule.hits < rule.times):
                rule.hits += 1
                return rule
        return None
