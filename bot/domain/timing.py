"""What the clock of a match does to it: start, change over, stand still, run out, be given back.

A match without a clock passes through here without being touched.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.domain import clock
from bot.domain.change import Act, Change, advance
from bot.domain.clock import Span, Times
from bot.domain.events import EventKind, JsonValue, micros, moment
from bot.domain.match import Match, MatchStatus
from bot.domain.table import Table, keep, player_at
from games.api import Game

__all__ = [
    "credit",
    "credited",
    "first_times",
    "next_times",
    "paused",
    "read_spans",
    "resumed",
    "rewound_times",
    "runs_out",
    "stood_payload",
]


def first_times(match: Match, game: Game[Any, Any], state: str, at: datetime) -> dict[str, Any]:
    """The field of the head that changes when a match with a clock starts in this position."""
    if match.clock is None:
        return {}
    table = Table(game, game.decode(state))
    keep(game, state, table.position)
    return {"times": clock.begin(match.clock, len(match.players), _on_turn(table), at)}


def next_times(
    match: Match, act: Act, before: Table, after: Table, *, interrupted: bool = False
) -> dict[str, Any]:
    """The field of the head that changes when play has gone on from one position to another.

    Several moves of one player with one colour are one turn, and its clock runs on, also if it was
    paused; ``interrupted`` says that others had turns in between.
    """
    if match.clock is None or match.times is None:
        return {}
    to = _on_turn(after)
    same = (
        not interrupted
        and to is not None
        and to == match.times.running == _on_turn(before)
        and before.game.turn(before.position) == after.game.turn(after.position)
    )
    if same and match.times.is_paused:
        return {"times": clock.resume(match.times, act.at)}
    if same:
        return {"times": clock.credit(match.clock, match.times, _met(match, act.stood))}
    return {"times": clock.switch(match.clock, match.times, act.at, to, _met(match, act.stood))}


def paused(match: Match, act: Act) -> Times:
    """The clocks of a match that has some when they have been stopped for now."""
    assert match.clock is not None  # noqa: S101 - nobody can ask for a pause without a clock
    assert match.times is not None  # noqa: S101 - it is set for as long as there is one
    return clock.pause(match.clock, match.times, act.at, _met(match, act.stood))


def resumed(match: Match, act: Act) -> Times | None:
    """The clocks when they run on after a pause."""
    return None if match.times is None else clock.resume(match.times, act.at)


def rewound_times(match: Match, act: Act, after: Table) -> dict[str, Any]:
    """The field of the head that changes when moves have been taken back to a position."""
    if match.clock is None or match.times is None:
        return {}
    stood = _met(match, act.stood)
    return {"times": clock.hand(match.clock, match.times, act.at, _on_turn(after), stood)}


def _on_turn(table: Table) -> int | None:
    seat = table.game.to_move(table.position)
    return None if seat is None else player_at(table, seat)


def _met(match: Match, stood: tuple[Span, ...]) -> tuple[Span, ...]:
    """Of spans those that fall into the present turn."""
    since = None if match.times is None else match.times.since
    if since is None or not stood:
        return ()
    return tuple(span for span in clock.merged(stood) if span.end > since)


def stood_payload(match: Match, act: Act) -> dict[str, JsonValue]:
    """What an event keeps of the standstills of its turn, so that it can be reckoned again."""
    met = _met(match, act.stood)
    return {"stood": [[micros(span.start), micros(span.end)] for span in met]} if met else {}


def read_spans(value: Any) -> tuple[Span, ...]:
    """The spans that an event keeps. Raises :exc:`ValueError` or :exc:`TypeError`."""
    return tuple(Span(moment(start), moment(end)) for start, end in value or ())


def credited(match: Match, stood: tuple[Span, ...]) -> Match:
    """The match with its clock as it will stand once these standstills are given back.

    For showing it: no event of the match says so yet.
    """
    if not stood or match.clock is None or match.times is None:
        return match
    return replace(match, times=clock.credit(match.clock, match.times, stood))


def runs_out(match: Match, stood: tuple[Span, ...]) -> datetime | None:
    """When the time of the player on turn runs out, these standstills given back."""
    if not stood or match.clock is None or match.times is None:
        return match.deadline
    if match.status is not MatchStatus.RUNNING:
        return None
    return clock.deadline(match.clock, match.times, _met(match, stood))


def credit(match: Match, act: Act) -> Change | None:
    """Give the standstills of the present turn back; None if there is nothing to give."""
    met = _met(match, act.stood)
    if not met or match.status is not MatchStatus.RUNNING or match.clock is None:
        return None
    assert match.times is not None  # noqa: S101 - a span was met, so a clock runs
    times = clock.credit(match.clock, match.times, met)
    return advance(
        match,
        act,
        EventKind.CREDITED,
        player=times.running,
        user_id=None,
        payload=stood_payload(match, act),
        times=times,
    )
