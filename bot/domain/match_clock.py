"""The clock of a match: starting, switching, pausing, running out, giving time back.

A clock that starts for a player on vacation stops until the vacation is over. If a vacation begins
while it runs, that time is given back as after an outage, but at once.

No clock runs for a computer: its speed depends on the host, and costs no player anything.

A match without a clock passes through unchanged.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.domain import clock
from bot.domain.clock import Span, Times
from bot.domain.computers import is_computer
from bot.domain.events import (
    Change,
    CommandContext,
    EventKind,
    JsonValue,
    OnVacation,
    advance,
    micros,
    moment,
)
from bot.domain.game_state import GameState, keep, player_at
from bot.domain.ids import UserId
from bot.domain.match import Match
from games.api import Game

Players = tuple[UserId | None, ...]
"""The people by player index."""


def first_times(
    match: Match, act: CommandContext, game: Game[Any, Any], state: str, players: Players
) -> dict[str, Any]:
    """The change of the head when a match with a clock starts in this position."""
    if match.clock is None:
        return {}
    table = GameState(game, game.decode(state))
    keep(game, state, table.position)
    times = clock.begin(match.clock, len(players), _timed(table, players), act.at)
    return {"times": _rested(act, times, players)}


def next_times(
    match: Match,
    act: CommandContext,
    before: GameState,
    after: GameState,
    *,
    interrupted: bool = False,
) -> dict[str, Any]:
    """The change of the head when play has gone on from one position to another.

    Several moves of one player with one colour are one turn, and its clock runs on, even after a
    pause; ``interrupted`` says that others had turns in between.
    """
    if match.clock is None or match.times is None:
        return {}
    to = _timed(after, match.players)
    same = (
        not interrupted
        and to is not None
        and to == match.times.running == _timed(before, match.players)
        and before.game.turn(before.position) == after.game.turn(after.position)
    )
    if same and match.times.is_paused:
        times = clock.resume(match.times, act.at)
    elif same:
        return {"times": clock.credit(match.clock, match.times, _met(match, act.stopped_spans))}
    else:
        times = clock.switch(match.clock, match.times, act.at, to, _met(match, act.stopped_spans))
    return {"times": _rested(act, times, match.players)}


def fresh_times(match: Match, act: CommandContext, player: int, players: Players) -> Times:
    """The clocks when another person takes a player's seat, with the whole of its time."""
    assert match.clock is not None  # noqa: S101 - the caller has asked
    assert match.times is not None  # noqa: S101 - it is set for as long as there is a clock
    times = clock.credit(match.clock, match.times, _met(match, act.stopped_spans))
    is_running = times.running == player and not times.is_paused
    times = clock.refill(match.clock, times, player, act.at)
    return _rested(act, times, players) if is_running else times


def paused(match: Match, act: CommandContext) -> Times:
    """The clocks of a match after a pause; it must have clocks."""
    assert match.clock is not None  # noqa: S101 - nobody can ask for a pause without a clock
    assert match.times is not None  # noqa: S101 - it is set for as long as there is one
    return clock.pause(match.clock, match.times, act.at, _met(match, act.stopped_spans))


def resumed(match: Match, act: CommandContext) -> Times:
    """The clocks of a paused match after it resumes."""
    assert match.times is not None  # noqa: S101 - without a clock nothing is paused
    return _rested(act, clock.resume(match.times, act.at), match.players)


def rewound_times(match: Match, act: CommandContext, after: GameState) -> dict[str, Any]:
    """The change of the head when moves have been taken back to a position."""
    if match.clock is None or match.times is None:
        return {}
    stopped_spans = _met(match, act.stopped_spans)
    to = _timed(after, match.players)
    times = clock.hand(match.clock, match.times, act.at, to, stopped_spans)
    return {"times": _rested(act, times, match.players)}


def _timed(table: GameState, players: Players) -> int | None:
    """The player index whose clock should run, None after the end or for a computer."""
    seat = table.game.to_move(table.position)
    player = None if seat is None else player_at(table, seat)
    return None if player is None or is_computer(players[player]) else player


def _until(act: CommandContext, times: Times | None, players: Players) -> datetime | None:
    """The end of the vacation of the player whose clock runs, None without one."""
    if times is None or times.running is None or times.since is None:
        return None
    person = players[times.running]
    found = (each.until for each in act.away if each.user_id in (None, person))
    return next((until for until in found if until > act.at), None)


def _rested(act: CommandContext, times: Times, players: Players) -> Times:
    """The clocks just computed, stopped where their player is on vacation."""
    until = _until(act, times, players)
    return times if until is None else clock.rest(times, act.at, until)


def _met(match: Match, stopped_spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """The non-empty parts of spans that fall into the present turn."""
    since = None if match.times is None else match.times.since
    if since is None or not stopped_spans:
        return ()
    return tuple(span for span in stopped_spans if span.end > max(span.start, since))


def stood_payload(match: Match, act: CommandContext) -> dict[str, JsonValue]:
    """The standstills of a turn as part of an event, so that clocks can be computed again."""
    met = _met(match, act.stopped_spans)
    return {"stood": [[micros(span.start), micros(span.end)] for span in met]} if met else {}


def until_payload(
    act: CommandContext, times: Times | None, players: Players
) -> dict[str, JsonValue]:
    """The vacation of the player whose clock runs next, as part of an event."""
    until = _until(act, times, players)
    return {} if until is None else {"until": micros(until)}


def read_away(value: Any) -> tuple[OnVacation, ...]:
    """The absent players of an event. Raises :exc:`ValueError` or :exc:`TypeError`."""
    return () if value is None else (OnVacation(None, moment(value)),)


def read_spans(value: Any) -> tuple[Span, ...]:
    """The spans of an event. Raises :exc:`ValueError` or :exc:`TypeError`."""
    return tuple(Span(moment(start), moment(end)) for start, end in value or ())


def credited(match: Match, stopped_spans: tuple[Span, ...]) -> Match:
    """The match with its clock as it will be once these standstills are given back.

    It is for display: no event of the match has it yet.
    """
    if not stopped_spans or match.clock is None or match.times is None:
        return match
    return replace(match, times=clock.credit(match.clock, match.times, stopped_spans))


def runs_out(match: Match, stopped_spans: tuple[Span, ...]) -> datetime | None:
    """When the time of the player on turn runs out, these standstills given back."""
    times = match.counting_times
    if match.deadline is None or not stopped_spans or match.clock is None or times is None:
        return match.deadline
    return clock.deadline(match.clock, times, _met(match, stopped_spans))


def credit(match: Match, act: CommandContext) -> Change | None:
    """Give the standstills of the present turn back; None if there is nothing to give.

    A clock stopped by a vacation runs again when a shortened vacation ends.
    """
    times = match.times
    if match.deadline is None or match.clock is None or times is None:
        return None
    over = clock.deadline(
        match.clock, match.counting_times or times, _met(match, act.stopped_spans)
    )
    if over is not None and over < act.at and any(span.end > act.at for span in act.stopped_spans):
        # A vacation that began after the time had run out.
        return None
    if _met(match, act.stopped_spans):
        times = clock.credit(match.clock, times, _met(match, act.stopped_spans))
        return _credited(match, act, times, {})
    if times.since is None or times.since <= act.at or not match.clock.may_rest:
        return None
    until = _until(act, times, match.players) or act.at
    if until == times.since:
        return None
    return _credited(match, act, clock.rest(times, act.at, until), {"until": micros(until)})


def _credited(
    match: Match, act: CommandContext, times: Times, payload: dict[str, JsonValue]
) -> Change:
    return advance(
        match,
        act,
        EventKind.CREDITED,
        player=times.running,
        payload=stood_payload(match, act) | payload,
        times=times,
    )
