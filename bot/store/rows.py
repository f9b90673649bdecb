"""Between rows of matches and events, and the objects that they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Row, Select

from bot.domain.events import Event, EventKind
from bot.domain.match import Match, MatchStatus, Place, Venue
from bot.store.tables import matches
from bot.store.tables.base import CHANGING, DAMAGED, NEVER

_FIELDS = [each.name for each in fields(Match) if each.name not in ("origin", "is_rematch")]
"""The fields of a match that are columns of the same names."""
T = TypeVar("T")
_CHANGING = [each.key for each in matches.columns if each.info == CHANGING]


def made(kind: type[T], row: Row[Any], **others: Any) -> T:
    """A record of the columns that its fields name, and of ``others``."""
    names = (each.name for each in fields(cast(Any, kind)) if each.name not in others)
    return kind(**{name: getattr(row, name) for name in names}, **others)


def values_of(record: Any) -> dict[str, Any]:
    """A record as the columns that its fields name."""
    return {each.name: getattr(record, each.name) for each in fields(record)}


def match_row(match: Match) -> dict[str, Any]:
    """A head as the columns of ``matches``."""
    return {
        **{name: getattr(match, name) for name in _FIELDS},
        "guild_id": match.origin.guild_id,
        "channel_id": match.origin.channel_id,
        "rematch": match.is_rematch,
        **due_row(match),
    }


def changing_row(match: Match) -> dict[str, Any]:
    """The columns of ``matches`` that an event may change."""
    row = match_row(match)
    return {name: row[name] for name in _CHANGING}


def due_row(match: Match) -> dict[str, Any]:
    """The columns of ``matches`` by which it is found when something in it comes to its end."""
    return {
        "deadline": match.deadline,
        "lapses_at": None if match.set_aside_at is not None else match.lapses_at,
    }


UNREADABLE = NEVER
"""Since when a head is set aside that cannot be read and of which nobody has taken note yet."""
_NO_RULES = -1
_HARMLESS: Mapping[str, Any] = {
    **dict.fromkeys(("version", "position_since"), 1),
    **dict.fromkeys(("rules_version", "offered_by", "ply", "channel_id"), 0),
    **dict.fromkeys(("created_at", "updated_at"), NEVER),
    **dict.fromkeys(("players", "invited", "recent", "retired", "departed", "requests"), ()),
    "options": MappingProxyType({}),
    "status": MatchStatus.RUNNING,
    "venue": Venue.CHANNEL,
}
"""The values that take the place of damaged ones; None takes that of others."""


def match_of(row: Row[Any]) -> Match:
    """The head that a row of ``matches`` holds.

    One that cannot be read is set aside: what can be read of it is there, and nobody plays on.
    """
    values = row._asdict()
    if any(values[name] is DAMAGED for name in _FIELDS):
        return _salvaged(values)
    return _match(values)


def matches_in(connection: Connection, statement: Select[Any], **given: Any) -> tuple[Match, ...]:
    """The heads that a statement finds."""
    return tuple(map(match_of, connection.execute(statement, given).all()))


def _salvaged(values: Mapping[str, Any]) -> Match:
    """A head with something harmless in the place of what cannot be read.

    Should that be what stood there, the number of the rules still differs from what the history
    leads to.
    """
    match = _match({name: _harmless(name, value) for name, value in values.items()})
    seats = max(2, len(match.players), len(match.invited))
    return replace(
        match,
        set_aside_at=match.set_aside_at or UNREADABLE,
        rules_version=_NO_RULES,
        players=(*match.players, *(None,) * (seats - len(match.players))),
        invited=(*match.invited, *(None,) * (seats - len(match.invited))),
        offered_by=match.offered_by if match.offered_by in range(seats) else 0,
        moved_by=match.moved_by if match.moved_by in range(seats) else None,
    )


def _harmless(name: str, value: Any) -> Any:
    harmless = _HARMLESS.get(name)
    is_no_number = isinstance(harmless, int) and not isinstance(value, int)
    return harmless if value is DAMAGED or is_no_number else value


def _match(values: Mapping[str, Any]) -> Match:
    return Match(
        origin=Place(values["guild_id"], values["channel_id"]),
        is_rematch=values["rematch"],
        **{name: values[name] for name in _FIELDS},
    )


def event_of(row: Row[Any]) -> Event:
    """The event that a row of ``events`` holds.

    In the place of one that cannot be read is one without a hash, so that the chain breaks there.
    """
    event = made(Event, row)
    if any(each is DAMAGED for each in values_of(event).values()):
        nothing: Mapping[str, Any] = MappingProxyType({})
        match_id, seq = row.match_id, int(row.seq)
        return Event(match_id, seq, EventKind.OFFERED, None, None, nothing, NEVER, None, "", "")
    return event
