"""Between rows and what they mean."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType, SimpleNamespace
from typing import Any

from sqlalchemy import Row

from bot.domain.clock import TimeControl, Times
from bot.domain.clock_text import read_clock, write_clock
from bot.domain.events import Change, Event, EventKind, micros, moment
from bot.domain.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.domain.match import Ending, Match, MatchStatus, Place, Result, TournamentGame, Venue
from bot.domain.rating_range import RatingRange, format_rating_range, parse_rating_range
from bot.domain.requests import Request, RequestKind
from bot.errors import UserError
from games.api import OptionValue

_dump = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def _options(text: str) -> Mapping[str, OptionValue]:
    return MappingProxyType(json.loads(text))


def read_people(text: str) -> tuple[UserId | None, ...]:
    """Who sits where, or has a seat kept, by player index."""
    return tuple(None if value is None else UserId(value) for value in json.loads(text))


def _result(text: str) -> Result:
    value = json.loads(text)
    return Result(
        Ending(value["ending"]),
        value["reason"],
        tuple(value["scores"]),
        tuple(value["winners"]),
    )


def _result_text(result: Result) -> str:
    return _dump(
        {
            "ending": result.ending.value,
            "reason": result.reason,
            "scores": result.scores,
            "winners": result.winners,
        }
    )


def match_row(match: Match) -> dict[str, Any]:
    """A head as the columns of ``matches``."""
    return {
        "id": match.id,
        "version": match.version,
        "game": match.game,
        "options": _dump(dict(match.options)),
        "rules_version": match.rules_version,
        "status": match.status.value,
        "venue": match.venue.value,
        "guild_id": match.origin.guild_id,
        "channel_id": match.origin.channel_id,
        "home_id": match.home_id,
        "players": _dump(match.players),
        "invited": _dump(match.invited),
        "offered_by": match.offered_by,
        "created_at": micros(match.created_at),
        "rated": int(match.rated),
        "hints": int(match.hints),
        "clock": None if match.clock is None else write_clock(match.clock),
        "band": None if match.band is None else format_rating_range(match.band),
        "takebacks": int(match.takebacks),
        "rematch": int(match.is_rematch),
        "repeats": match.repeats,
        "continues": match.continues,
        "language": match.language,
        "tournament": None if match.tournament is None else _tournament_text(match.tournament),
        "set_aside_at": maybe_micros(match.set_aside_at),
        **changing_row(match),
    }


def _requests_text(requests: tuple[Request, ...]) -> str:
    return _dump(
        [
            [
                each.wish.value,
                each.agreed,
                each.version,
                maybe_micros(each.expires_at),
                each.ply,
            ]
            for each in requests
        ]
    )


def _requests(text: str) -> tuple[Request, ...]:
    if text == "[]":
        return ()
    return tuple(
        Request(RequestKind(wish), tuple(agreed), version, maybe_moment(expires), ply)
        for wish, agreed, version, expires, ply in json.loads(text)
    )


_MICROSECOND = timedelta(microseconds=1)


def _times_text(times: Times) -> str:
    left = [time // _MICROSECOND for time in times.left]
    return _dump([left, times.running, maybe_micros(times.since)])


def _times(text: str) -> Times:
    left, running, since = json.loads(text)
    return Times(tuple(time * _MICROSECOND for time in left), running, maybe_moment(since))


def _tournament_text(of: TournamentGame) -> str:
    no_show = of.no_show // _MICROSECOND
    return _dump([of.tournament_id, of.game, int(of.takebacks), no_show])


def _tournament(text: str) -> TournamentGame:
    tournament_id, game, takebacks, no_show = json.loads(text)
    return TournamentGame(tournament_id, game, bool(takebacks), no_show * _MICROSECOND)


def _clock(text: str) -> TimeControl | None:
    return read_clock(text)


def _band(text: str) -> RatingRange | None:
    found = parse_rating_range(text)
    return found if isinstance(found, RatingRange) else None


def players_row(match: Match) -> dict[str, Any]:
    """Who sits in a match, for :data:`bot.store.statements.SET_PLAYERS`."""
    return {"of_match": match.id, "players": _dump(match.players)}


def changing_row(match: Match) -> dict[str, Any]:
    """The columns of ``matches`` that an event may change; ``home_id`` is the outbox's."""
    return {
        "version": match.version,
        "state": match.state,
        "previous_state": match.previous_state,
        "last_move": match.last_move,
        "moved_by": match.moved_by,
        "recent": _dump(match.recent),
        "ply": match.ply,
        "position_since": match.position_since,
        "retired": _dump(match.retired),
        "departed": _dump(match.departed),
        "updated_at": micros(match.updated_at),
        "head_hash": match.head_hash,
        "status": match.status.value,
        "result": None if match.result is None else _result_text(match.result),
        "expires_at": maybe_micros(match.expires_at),
        "requests": _requests_text(match.requests),
        "verdict": match.verdict,
        "times": None if match.times is None else _times_text(match.times),
        **due_row(match),
    }


def due_row(match: Match) -> dict[str, Any]:
    """The columns of ``matches`` by which it is found when something in it comes to its end."""
    return {
        "deadline": maybe_micros(match.deadline),
        "lapses_at": None if match.set_aside_at is not None else maybe_micros(match.lapses_at),
    }


def maybe_micros(at: datetime | None) -> int | None:
    """An instant as it is stored, if there is one."""
    return None if at is None else micros(at)


_UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    TypeError,
    UserError,
    ValueError,
)
"""What reading a row may raise that was damaged on the disk."""
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
UNREADABLE = _LONG_AGO
"""Since when a head is set aside that cannot be read and of which nobody has taken note yet."""
_NO_RULES = -1


def match_of(row: Row[Any]) -> Match:
    """The head that a row of ``matches`` holds.

    One that cannot be read is set aside: what can be read of it is there, and nobody plays on.
    """
    try:
        return _whole_match(row)
    except _UNREADABLE:
        return _salvaged(row)


def _salvaged(row: Row[Any]) -> Match:
    """A head with something harmless in the place of what cannot be read.

    Should that be what stood there, the number of the rules still differs from what the history
    leads to.
    """
    values = row._asdict()
    for name, (read, harmless) in _HARMLESS.items():
        try:
            if values[name] is not None or harmless is not None:
                read(values[name])
        except _UNREADABLE:
            values[name] = harmless
    match = _whole_match(SimpleNamespace(**values))
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


def _whole_match(row: Any) -> Match:
    return Match(
        id=MatchId(row.id),
        version=row.version,
        game=row.game,
        options=_options(row.options),
        rules_version=row.rules_version,
        status=MatchStatus(row.status),
        venue=Venue(row.venue),
        origin=Place(
            None if row.guild_id is None else GuildId(row.guild_id), ChannelId(row.channel_id)
        ),
        players=read_people(row.players),
        invited=read_people(row.invited),
        offered_by=row.offered_by,
        state=row.state,
        previous_state=row.previous_state,
        last_move=row.last_move,
        moved_by=row.moved_by,
        recent=tuple(json.loads(row.recent)),
        ply=row.ply,
        position_since=row.position_since,
        retired=tuple(json.loads(row.retired)),
        departed=tuple(json.loads(row.departed)),
        requests=_requests(row.requests),
        result=None if row.result is None else _result(row.result),
        created_at=moment(row.created_at),
        updated_at=moment(row.updated_at),
        expires_at=maybe_moment(row.expires_at),
        head_hash=row.head_hash,
        home_id=None if row.home_id is None else ChannelId(row.home_id),
        rated=bool(row.rated),
        hints=bool(row.hints),
        clock=None if row.clock is None else _clock(row.clock),
        times=None if row.times is None else _times(row.times),
        band=None if row.band is None else _band(row.band),
        set_aside_at=maybe_moment(row.set_aside_at),
        tournament=None if row.tournament is None else _tournament(row.tournament),
        takebacks=bool(row.takebacks),
        is_rematch=bool(row.rematch),
        repeats=row.repeats,
        continues=None if row.continues is None else MatchId(row.continues),
        language=row.language,
        verdict=row.verdict,
    )


def maybe_moment(value: int | None) -> datetime | None:
    """The instant that is stored, if there is one."""
    return None if value is None else moment(value)


_HARMLESS: dict[str, tuple[Callable[[Any], object], Any]] = {
    **dict.fromkeys(("version", "position_since"), (int, 1)),
    **dict.fromkeys(("rules_version", "offered_by", "ply", "channel_id"), (int, 0)),
    **dict.fromkeys(("guild_id", "home_id", "moved_by"), (int, None)),
    **dict.fromkeys(("created_at", "updated_at"), (moment, 0)),
    **dict.fromkeys(("expires_at", "set_aside_at"), (moment, None)),
    **dict.fromkeys(("players", "invited"), (read_people, "[]")),
    **dict.fromkeys(
        ("recent", "retired", "departed"), (lambda text: tuple(json.loads(text)), "[]")
    ),
    "requests": (_requests, "[]"),
    "options": (_options, "{}"),
    "status": (MatchStatus, MatchStatus.RUNNING.value),
    "venue": (Venue, Venue.CHANNEL.value),
    "result": (_result, None),
    "clock": (_clock, None),
    "times": (_times, None),
    "band": (_band, None),
    "tournament": (_tournament, None),
}
"""How each column of ``matches`` is read, and what is put in its place if that fails."""


def event_row(change: Change) -> dict[str, Any]:
    """The event of a change as the columns of ``events``."""
    event = change.event
    return {
        "match_id": event.match_id,
        "seq": event.seq,
        "kind": event.kind.value,
        "player": event.player,
        "user_id": event.user_id,
        "payload": _dump(dict(event.payload)),
        "at": micros(event.at),
        "interaction_id": event.interaction_id,
        "prev_hash": event.prev_hash,
        "hash": event.hash,
    }


def event_of(row: Row[Any]) -> Event:
    """The event that a row of ``events`` holds.

    In the place of one that cannot be read is one without a hash, so that the chain breaks there.
    """
    try:
        return _whole_event(row)
    except _UNREADABLE:
        nothing: Mapping[str, Any] = MappingProxyType({})
        match_id, seq = MatchId(str(row.match_id)), int(row.seq)
        return Event(match_id, seq, EventKind.OFFERED, None, None, nothing, _LONG_AGO, None, "", "")


def _whole_event(row: Row[Any]) -> Event:
    interaction = row.interaction_id
    return Event(
        MatchId(row.match_id),
        row.seq,
        EventKind(row.kind),
        row.player,
        None if row.user_id is None else UserId(row.user_id),
        MappingProxyType(json.loads(row.payload)),
        moment(row.at),
        None if interaction is None else InteractionId(interaction),
        row.prev_hash,
        row.hash,
    )
