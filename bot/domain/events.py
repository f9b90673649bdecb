"""The history of a match: an append-only list of events, each sealed by a hash.

The hash of an event covers its match, number, kind, player, payload and time and the hash of the
event before it, as canonical JSON. It does not cover ``user_id`` and ``interaction_id``: a person
may have their id replaced by a pseudonym, and the chain must still hold afterwards. The person
behind a player index is part of the head, not of the sealed history.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any

from bot.domain.clock import Span
from bot.domain.clock_text import write_clock
from bot.domain.ids import InteractionId, MatchId, UserId
from bot.domain.match import Match
from bot.domain.requests import RequestKind

JsonValue = str | int | None | list["JsonValue"] | dict[str, "JsonValue"]

GENESIS = ""
"""The hash before the first event."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_canonical = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode


class EventKind(Enum):
    """The kind of an event, with the payload that it has."""

    OFFERED = "offered"
    """The terms of the offer.

    ``game``, ``options``, ``rules``, ``venue``, ``guild``, ``channel``, ``expires`` (µs), ``kept``:
    for each player index whether the chair is reserved; ``rated`` (1) if the result counts;
    ``clock``, ``band``: its canonical text, if any; ``start``: the first position, if it is not the
    game's own; ``hints`` (1) if they are allowed; ``takebacks`` (0) if they are not allowed;
    ``rematch`` (1) if it is one; ``repeats``: how many more matches the offer may start after this
    one, if any; ``language``: the locale of the match's public messages, if its maker chose one.

    Any event at which a clock is computed has ``stood``, if not empty: the spans in which the clock
    was stopped, as pairs of instants (µs), because nobody could move or its player was on vacation.
    It has ``until`` (µs) if the player whose clock runs after it is on vacation until then.
    """
    JOINED = "joined"
    """A chair was taken, others are still free. No payload."""
    STARTED = "started"
    """The last chair was taken: ``state``, the position at the start.

    As the first event, by the host: a game of a tournament, with all fields of OFFERED but
    ``expires``, and ``tournament``, ``pairing``, ``takebacks``, ``no_show`` (µs).
    """
    LEFT = "left"
    """A chair was given up before the start. No payload."""
    DECLINED = "declined"
    """``why``, if the player gave a reason: a :class:`~bot.domain.offer_answers.DeclineReason`."""
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    MOVED = "moved"
    """``move`` in canonical notation."""
    RESIGNED = "resigned"
    """``moves``: those then played for retired players, in canonical notation."""
    ABORTED = "aborted"
    """By a player, or for another reason.

    With ``unreached`` (1), by the host, because the player on turn could not be reached for too
    long; with ``managed`` (1) and ``why``, by a manager of the server; with ``redrawn`` (1) and
    ``why``, by a director who pairs its round again.
    """
    DRAW_OFFERED = "draw_offered"
    """``expires`` (µs) if it expires by time; so for ASKED."""
    DRAW_ACCEPTED = "draw_accepted"
    DRAW_DECLINED = "draw_declined"
    ASKED = "asked"
    """A player has asked the others.

    ``wish`` is the kind; ``ply``, for a takeback, is how many moves would remain.
    """
    AGREED = "agreed"
    """``wish``. The last agreement to a takeback has ``undone``, how many of the last moves are
    taken back, and ``state``, the position then."""
    REFUSED = "refused"
    """``wish``; so for RETRACTED, by the player who had asked."""
    RETRACTED = "retracted"
    LAPSED = "lapsed"
    """The host saw that requests had not been answered in time: ``wishes`` has their kinds."""
    RESUMED = "resumed"
    """A pause was ended. No payload."""
    FLAGGED = "flagged"
    """The host saw that the time of ``player`` had run out. ``moves`` as for RESIGNED."""
    NUDGED = "nudged"
    """A player reminded the one on turn after a long silence in a match without a clock.

    No payload.
    """
    CLAIMED = "claimed"
    """A player claimed the match: ``player`` stayed silent or has left the server, and leaves it.

    ``moves`` as for RESIGNED.
    """
    DEPARTED = "departed"
    """The host saw that ``player`` has left the server of the match. No payload."""
    ADJUDICATED = "adjudicated"
    """The match got a result by decision, in place of an earlier one if any.

    In a tournament, by a director or the rule of the last day: ``points`` by player index, as
    fractions, and ``why``. With ``managed`` (1), by a manager of the server: ``places`` by player
    index, from 1, ``counts`` (0) if ratings stay as they are, and ``why``.
    """
    SUBSTITUTED = "substituted"
    """In a match of a tournament a substitute, the person of the event, took a player's seat.

    ``player`` is the one who gave up the seat and had not moved. No payload.
    """
    CREDITED = "credited"
    """The host gave back time in which the clock was stopped, to ``player``.

    With ``until`` alone, a vacation ended at another time than expected.
    """


DRAWS = {
    EventKind.ASKED: EventKind.DRAW_OFFERED,
    EventKind.AGREED: EventKind.DRAW_ACCEPTED,
    EventKind.REFUSED: EventKind.DRAW_DECLINED,
}
"""Draw offers existed before the other requests, and keep their own words in the store."""
_OF_DRAWS = {drawn: kind for kind, drawn in DRAWS.items()}


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to a match; ``seq`` counts from 1.

    ``player`` is the index of the acting player, None if nobody at the table acted; ``user_id`` is
    the person, None for the host.
    """

    match_id: MatchId
    seq: int
    kind: EventKind
    player: int | None
    user_id: UserId | None
    payload: Mapping[str, JsonValue] = field(hash=False)
    at: datetime
    interaction_id: InteractionId | None
    prev_hash: str
    hash: str

    @property
    def seal(self) -> str:
        """The hash that it must have."""
        about = (self.match_id, self.seq, self.kind.value, self.player)
        return digest(self.prev_hash, *about, dict(self.payload), micros(self.at))

    @property
    def step(self) -> EventKind:
        """Its kind, which for a draw is that of any other request."""
        return _OF_DRAWS.get(self.kind, self.kind)

    @property
    def wish(self) -> RequestKind | None:
        """The kind of request that it is about, if it is."""
        if self.kind in _OF_DRAWS:
            return RequestKind.DRAW
        return RequestKind(self.payload["wish"]) if "wish" in self.payload else None

    @property
    def code(self) -> str:
        """The event in one word: its kind, for requests together with what was wanted."""
        wish = self.wish
        return self.kind.value if wish is None else f"{wish.value}_{self.step.value}"


def micros(at: datetime) -> int:
    """An aware instant in whole microseconds since 1970, UTC."""
    return (at - _EPOCH) // _MICROSECOND


def moment(value: int) -> datetime:
    """The instant that lies this many microseconds after the begin of 1970, UTC."""
    return _EPOCH + value * _MICROSECOND


def digest(*record: object) -> str:
    """The hash of a record: SHA-256 over canonical JSON, 64 hexadecimal digits."""
    return hashlib.sha256(_canonical(record).encode("ascii")).hexdigest()


# ---- one step ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OnVacation:
    """A player's vacation until an instant; None is the player whose clock runs then."""

    user_id: UserId | None
    until: datetime


@dataclass(frozen=True, slots=True)
class CommandContext:
    """The time and the interaction of a command (None: by the host itself).

    ``stopped_spans`` are the spans since the running clock began in which it was stopped: nobody
    could move, or its player was on vacation. ``away`` are the players at the table who are on
    vacation now.
    """

    at: datetime
    interaction_id: InteractionId | None = None
    stopped_spans: tuple[Span, ...] = ()
    away: tuple[OnVacation, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """An event, and the match after it; ``before`` is the match that the decision was based on."""

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
    """The event that follows the head of a match."""
    event = Event(
        match_id=match.id,
        seq=match.version + 1,
        kind=kind,
        player=player,
        user_id=user_id,
        payload=payload,
        at=act.at,
        interaction_id=act.interaction_id,
        prev_hash=match.head_hash or GENESIS,
        hash="",
    )
    return replace(event, hash=event.seal)


def begin(
    match: Match, act: CommandContext, *, user_id: UserId | None, payload: dict[str, JsonValue]
) -> Change:
    """The first event of a match with its terms, by its maker, or by the host that starts it."""
    is_hosted = bool(match.state)
    event = _event(
        match,
        act,
        EventKind.STARTED if is_hosted else EventKind.OFFERED,
        player=None if is_hosted else match.offered_by,
        user_id=user_id,
        payload=terms_of(match) | payload,
    )
    return Change(None, event, replace(match, version=1, head_hash=event.hash))


def terms_of(match: Match) -> dict[str, JsonValue]:
    """The terms of a match that its first event has, however it begins."""
    terms: dict[str, JsonValue] = {
        "game": match.game,
        "options": dict(match.options),
        "rules": match.rules_version,
        "venue": match.venue.value,
        "guild": match.origin.guild_id,
        "channel": match.origin.channel_id,
    }
    if match.rated:
        terms["rated"] = 1
    if match.clock is not None:
        terms["clock"] = write_clock(match.clock)
    return terms


def advance(
    match: Match,
    act: CommandContext,
    kind: EventKind,
    *,
    player: int | None = None,
    user_id: UserId | None = None,
    payload: Mapping[str, JsonValue] | None = None,
    **changes: Any,
) -> Change:
    """The next event of a match; ``changes`` are the fields of the head that change.

    The host acts where nobody does. A match that is over has no open requests.
    """
    if changes.get("status", match.status).is_final:
        changes["requests"] = ()
    event = _event(match, act, kind, player=player, user_id=user_id, payload=payload or {})
    after = replace(match, version=event.seq, head_hash=event.hash, updated_at=act.at, **changes)
    return Change(match, event, after)
