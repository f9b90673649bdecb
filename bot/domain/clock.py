"""Clocks: the time that a player has, the part of it that is used, and when it runs out.

Everything is a function of aware instants; nothing here looks at the time. A :class:`TimeControl`
says how the clock of a match works, :class:`Times` how much each player has left, and whose clock
is running since when. Time that does not count is of two kinds: weekends, if the control says so,
from Saturday 00:00 to Monday 00:00 UTC, the same for every player at the table; and *standstills*,
spans given by the caller, in which nobody could move or the player on turn was on vacation. A
vacation is known before it is over, so a standstill may end after the present instant: once it is
given back, the clock runs from its end on.

Days are 24 hours. A change to or from summer time neither gives nor takes an hour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum

ZERO = timedelta(0)
DAY = timedelta(days=1)
SHORTEST = timedelta(minutes=1)
"""The shortest initial time of a clock: a move goes to Discord and back."""
LONGEST = timedelta(days=365)
"""The longest time that a clock holds, at the start and later."""
LONGEST_MOVE = timedelta(days=90)
"""The longest time for one move where that time is fixed."""
LONGEST_INCREMENT = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open span of time between two instants."""

    start: datetime
    end: datetime


class Vacations(Enum):
    """The effect of a player's vacation on their clock in a match."""

    ALLOWED = "allowed"
    """It stops the clock."""
    AUTOMATIC = "automatic"
    """It stops the clock, and begins by itself when the player's time has run out."""
    NEVER = "never"
    """It has no effect."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How the clock of a match works; whole seconds throughout.

    ``per_move``: every turn has its own ``bank``, and unused time is lost. Otherwise (Fischer) each
    player begins with ``bank``, and after each turn ``increment`` is added to what is left, but
    never above ``cap``. ``weekends_off``: the clock stops on Saturday and Sunday, UTC.
    ``vacations``: their effect on it; none where it begins with less than a day.

    Raises :exc:`ValueError` with a code (``range``, ``cap``, ``weekends``, ``vacation``) for
    impossible values.
    """

    bank: timedelta
    increment: timedelta = ZERO
    cap: timedelta | None = None
    per_move: bool = False
    weekends_off: bool = False
    vacations: Vacations = Vacations.ALLOWED

    def __post_init__(self) -> None:
        if not SHORTEST <= self.bank <= (LONGEST_MOVE if self.per_move else LONGEST):
            raise ValueError("range")
        if not ZERO <= self.increment <= LONGEST_INCREMENT:
            raise ValueError("range")
        if any(part.microseconds for part in (self.bank, self.increment, self.cap or ZERO)):
            raise ValueError("range")
        if self.cap is not None and not self.bank <= self.cap <= LONGEST:
            raise ValueError("cap" if self.cap < self.bank else "range")
        if self.per_move and (self.increment or self.cap is not None):
            raise ValueError("range")
        if self.weekends_off and self.bank < DAY:
            raise ValueError("weekends")
        if self.vacations is not Vacations.ALLOWED and self.bank < DAY:
            raise ValueError("vacation")

    @property
    def most(self) -> timedelta:
        """The most that a clock can show."""
        return self.bank if self.per_move else (self.cap or LONGEST)

    @property
    def may_rest(self) -> bool:
        """Whether a vacation stops the clock: by correspondence, unless the players ruled it out.

        A clock that begins with less than a day is for one sitting.
        """
        return self.bank >= DAY and self.vacations is not Vacations.NEVER


@dataclass(frozen=True, slots=True)
class Times:
    """The state of the clocks of a match.

    ``left`` has each player's time when their clock last stopped, by player index; ``running`` is
    the player index whose clock runs, None if none does; ``since`` is the instant from which its
    time counts, None while it is paused. It lies in the future while the player is on vacation.
    """

    left: tuple[timedelta, ...]
    running: int | None = None
    since: datetime | None = None

    @property
    def is_paused(self) -> bool:
        """Whether the clocks are paused: one would run otherwise."""
        return self.running is not None and self.since is None


# ---- time that counts ------------------------------------------------------------------------

_MONDAY = datetime(1970, 1, 5, tzinfo=UTC)
_WEEK = timedelta(days=7)
_WORKED = timedelta(days=5)


def _worked(at: datetime) -> timedelta:
    """The time outside weekends between a Monday long ago and an instant."""
    weeks, rest = divmod(at - _MONDAY, _WEEK)
    return weeks * _WORKED + min(rest, _WORKED)


def _length(control: TimeControl, start: datetime, end: datetime) -> timedelta:
    if end <= start:
        return ZERO
    return _worked(end) - _worked(start) if control.weekends_off else end - start


def _after(control: TimeControl, start: datetime, time: timedelta) -> datetime:
    """The first instant by which ``time`` that counts has passed since ``start``."""
    if time <= ZERO or not control.weekends_off:
        return start + time
    weeks, rest = divmod(_worked(start) + time, _WORKED)
    if not rest:
        # The end of a Friday, not the Monday after it.
        weeks, rest = weeks - 1, _WORKED
    return _MONDAY + weeks * _WEEK + rest


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same time as ordered spans that neither overlap nor touch, without empty ones."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda each: each.start):
        if span.end <= span.start:
            continue
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return tuple(found)


def spent(
    control: TimeControl, start: datetime, end: datetime, stopped_spans: Iterable[Span] = ()
) -> timedelta:
    """The time that counts between two instants; none if the second is not later.

    So no player loses time if the machine's clock is put back.
    """
    still = sum(
        (
            _length(control, max(span.start, start), min(span.end, end))
            for span in merged(stopped_spans)
            if span.end > start and span.start < end
        ),
        ZERO,
    )
    return _length(control, start, end) - still


def lived(start: datetime, end: datetime, stopped_spans: Iterable[Span]) -> timedelta:
    """The time between two instants without standstills, weekends included."""
    met = (Span(max(span.start, start), min(span.end, end)) for span in stopped_spans)
    return end - start - sum((span.end - span.start for span in merged(met)), ZERO)


# ---- the clocks of a match -------------------------------------------------------------------


def begin(control: TimeControl, players: int, running: int | None, at: datetime) -> Times:
    """The clocks at the start: each player has the bank, and one clock begins to run."""
    return Times((control.bank,) * players, running, None if running is None else at)


def _with(left: tuple[timedelta, ...], player: int, time: timedelta) -> tuple[timedelta, ...]:
    return (*left[:player], time, *left[player + 1 :])


def switch(
    control: TimeControl,
    times: Times,
    at: datetime,
    to: int | None,
    stopped_spans: Iterable[Span] = (),
) -> Times:
    """End a turn: subtract its time, add the increment, and give ``to`` the clock.

    A player who is late by less than the host's tolerance has only the increment left.
    """
    left = times.left
    if times.running is not None:
        used = ZERO if times.since is None else spent(control, times.since, at, stopped_spans)
        rest = max(ZERO, left[times.running] - used)
        full = control.bank if control.per_move else min(rest + control.increment, control.most)
        left = _with(left, times.running, full)
    return Times(left, to, None if to is None else at)


def hand(
    control: TimeControl,
    times: Times,
    at: datetime,
    to: int | None,
    stopped_spans: Iterable[Span] = (),
) -> Times:
    """Give ``to`` the clock although no turn has ended, as when moves are taken back.

    The time that was used stays used, and nothing is added. Where every turn has its own time, a
    player who gets the clock from another begins a turn. A paused clock stays paused.
    """
    stopped = pause(control, times, at, stopped_spans)
    left = stopped.left
    if to is not None and to != times.running and control.per_move:
        left = _with(left, to, control.bank)
    return Times(left, to, None if times.is_paused or to is None else at)


def refill(control: TimeControl, times: Times, player: int, at: datetime) -> Times:
    """Give a player the whole bank; if their clock runs, it runs from ``at`` on."""
    is_running = times.running == player and not times.is_paused
    left = _with(times.left, player, control.bank)
    return Times(left, times.running, at if is_running else times.since)


def _left(times: Times, stopped_spans: Sequence[Span]) -> timedelta:
    """The time left on the running clock when it begins to run.

    It is negative if the clock ran out before, unless a longer standstill began at that very
    instant: a vacation that began by itself.
    """
    assert times.running is not None  # noqa: S101 - the callers have asked
    assert times.since is not None  # noqa: S101 - as for all clocks that run
    left = times.left[times.running]
    over = times.since + left
    if any(span.start == over < times.since < span.end for span in stopped_spans):
        return ZERO
    return left


def credit(control: TimeControl, times: Times, stopped_spans: Sequence[Span]) -> Times:
    """The same clocks, computed again from the end of the last standstill of this turn.

    The time that the running clock had used before everything stopped is subtracted, the
    standstills are not, and the result does not need them any longer. The remaining time is
    negative only where it had run out before, at an instant at which no standstill began.
    """
    if times.running is None or times.since is None:
        return times
    met = [span for span in merged(stopped_spans) if span.end > times.since]
    if not met:
        return times
    end = met[-1].end
    rest = _left(times, stopped_spans) - spent(control, times.since, end, met)
    return Times(_with(times.left, times.running, rest), times.running, end)


def deadline(
    control: TimeControl, times: Times, stopped_spans: Sequence[Span] = ()
) -> datetime | None:
    """When the running clock runs out; None if none runs.

    A standstill that begins at that very instant moves it to the standstill's end: a player must
    have had the moment by which they are late.
    """
    if times.running is None or times.since is None:
        return None
    start, rest = times.since, _left(times, stopped_spans)
    for span in merged(stopped_spans):
        if span.end <= start:
            continue
        if span.start > _after(control, start, rest):
            break
        start, rest = span.end, rest - _length(control, start, span.start)
    return _after(control, start, rest)


def pause(
    control: TimeControl, times: Times, at: datetime, stopped_spans: Iterable[Span] = ()
) -> Times:
    """Stop the running clock; the time that the turn has used so far is subtracted."""
    if times.running is None or times.since is None:
        return times
    used = spent(control, times.since, at, stopped_spans)
    rest = max(ZERO, times.left[times.running] - used)
    return Times(_with(times.left, times.running, rest), times.running, None)


def rest(times: Times, at: datetime, until: datetime) -> Times:
    """Stop the running clock from ``at`` to ``until``: its player is away.

    An ``until`` that is not later than ``at`` ends such a stop.
    """
    if times.running is None or times.since is None:
        return times
    return replace(times, since=max(until, at))


def resume(times: Times, at: datetime) -> Times:
    """Let a paused clock run again."""
    return replace(times, since=at) if times.is_paused else times


def stopped(times: Times) -> Times:
    """The clocks as they are, none of them running."""
    return Times(times.left)
