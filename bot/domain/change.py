"""One step of a match: the event, and the match after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from bot.domain.clock import Span
from bot.domain.events import GENESIS, Event, EventKind, JsonValue, seal
from bot.domain.ids import InteractionId, UserId
from bot.domain.match import Match


@dataclass(frozen=True, slots=True)
class OnVacation:
    """A player is on vacation until an instant; None is the player whose clock runs then."""

    user_id: UserId | None
    until: datetime


@dataclass(frozen=True, slots=True)
class CommandContext:
    """When something was asked for, and by which interaction (None: by the host itself).

    ``stood`` are the spans since the running clock began in which it stood: nobody could have
    moved, or its player was on vacation. ``away`` are those at the table who are on vacation now.
    """

    at: datetime
    interaction_id: InteractionId | None = None
    stood: tuple[Span, ...] = ()
    away: tuple[OnVacation, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """An event and the match after it; ``before`` is the match it was decided on."""

    before: Match | None
    event: Event
    match: Match


def _event(
    match: Match,
    act: CommandContext,
    kind: EventKind,
    *,
    player: int | None,
    user_id: UserId | None,
    payload: Mapping[str, JsonValue],
) -> Event:
    """The event that follows on the head of a match."""
    seq = match.version + 1
    prev_hash = match.head_hash or GENESIS
    sealed = seal(
        match_id=match.id,
        seq=seq,
        kind=kind,
        player=player,
        payload=payload,
        at=act.at,
        prev_hash=prev_hash,
    )
    return Event(
        match.id, seq, kind, player, user_id, payload, act.at, act.interaction_id, prev_hash, sealed
    )


def begin(
    match: Match, act: CommandContext, *, user_id: UserId | None, payload: Mapping[str, JsonValue]
) -> Change:
    """The first event of a match, made by ``match.offered_by``, or by the host, who starts it."""
    if match.state:
        event = _event(match, act, EventKind.STARTED, player=None, user_id=None, payload=payload)
        return Change(None, event, replace(match, version=1, head_hash=event.hash))
    event = _event(
        match, act, EventKind.OFFERED, player=match.offered_by, user_id=user_id, payload=payload
    )
    return Change(None, event, replace(match, version=1, head_hash=event.hash))


def advance(
    match: Match,
    act: CommandContext,
    kind: EventKind,
    *,
    player: int | None,
    user_id: UserId | None,
    payload: Mapping[str, JsonValue] | None = None,
    **changes: Any,
) -> Change:
    """The next event of a match; ``changes`` are the fields of the head that it alters.

    Of a match that is over nobody asks anything any more.
    """
    if changes.get("status", match.status).is_final:
        changes["requests"] = ()
    event = _event(match, act, kind, player=player, user_id=user_id, payload=payload or {})
    after = replace(match, version=event.seq, head_hash=event.hash, updated_at=act.at, **changes)
    return Change(match, event, after)
