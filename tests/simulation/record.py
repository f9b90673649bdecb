"""An observer's notes of a match, and the plain arithmetic of its clock.

Nothing here asks the bot for times: spans that do not count are simply listed and cut out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from games.api import Game

Spans = Sequence[tuple[datetime, datetime]]
NO_TIME = timedelta()


@dataclass(frozen=True)
class Control:
    """A clock as typed, and what its words mean."""

    typed: str
    bank: timedelta = NO_TIME
    increment: timedelta = NO_TIME
    cap: timedelta | None = None
    per_move: bool = False
    weekends_off: bool = False
    vacation: bool = True
    """Whether a player's vacation stops it."""
    by_itself: bool = False
    """Whether vacation begins when it runs out."""

    @property
    def runs(self) -> bool:
        return bool(self.bank)


def _hours(count: float) -> timedelta:
    return timedelta(hours=count)


CONTROLS = (
    Control("none"),
    Control("3d/move", _hours(72), per_move=True),
    Control("1d/move", _hours(24), per_move=True),
    Control("2d/move weekends off", _hours(48), per_move=True, weekends_off=True),
    Control("2d+12h max 3d", _hours(48), _hours(12), _hours(72)),
    Control("3d+1h", _hours(72), _hours(1)),
    Control("1d+2h no vacation", _hours(24), _hours(2), vacation=False),
    Control("1d/move automatic vacation", _hours(24), per_move=True, by_itself=True),
    Control("2d+1h automatic vacation", _hours(48), _hours(1), by_itself=True),
    Control("1d+6h weekends off", _hours(24), _hours(6), weekends_off=True),
    Control("10m+5s", timedelta(minutes=10), timedelta(seconds=5), vacation=False),
)


def _weekends(start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    day = datetime(start.year, start.month, start.day, tzinfo=UTC) - timedelta(days=7)
    while day < end:
        if day.weekday() == 5:
            yield day, day + timedelta(days=2)
        day += timedelta(days=1)


def _alive(
    control: Control, start: datetime, end: datetime, down: Spans
) -> Iterator[tuple[datetime, datetime]]:
    """The pieces between two instants in which the clock runs."""
    dead = list(down)
    if control.weekends_off:
        dead += _weekends(start, end)
    at = start
    for begin, over in sorted(dead):
        if at < begin:
            yield at, min(begin, end)
        at = max(at, over)
        if at >= end:
            return
    if at < end:
        yield at, end


def counted(control: Control, start: datetime, end: datetime, down: Spans) -> timedelta:
    """How much of the time between two instants counts."""
    pieces = _alive(control, start, end, down)
    return sum((over - begin for begin, over in pieces if over > begin), NO_TIME)


def runs_out(control: Control, start: datetime, left: timedelta, down: Spans) -> datetime:
    """When so much time that counts has passed; a standstill that begins just then puts it off."""
    for begin, over in _alive(control, start, start + left + timedelta(days=100), down):
        if over - begin > left:
            return begin + left
        left -= over - begin
    raise AssertionError("a hundred days are enough for all clocks here")


@dataclass
class Turn:
    """A player's turn: from when to when, None while it lasts."""

    ply: int
    player: int
    user: int
    began: datetime
    left: timedelta
    called: bool
    """Whether there is something to tell: nobody is told what they did themselves."""
    ended: datetime | None = None
    acted: datetime | None = None
    """When its player made the first of several moves in a row; from then on they know of it."""


@dataclass
class Record:
    """A match as its players know it."""

    number: int
    game: Game[Any, Any]
    users: tuple[int, ...]
    control: Control
    most: int
    """After so many moves a player resigns."""
    position: Any = None
    name: str = ""
    """Its letters, as the pictures of its boards are named."""
    channel: int | None = None
    started: datetime | None = None
    moves: list[str] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    left: list[timedelta] = field(default_factory=list)
    over: str | None = None
    rests: int = 0
    """How often a vacation of the player on turn has begun or got another end."""
    former: set[int] = field(default_factory=set)
    """The former holder of a seat."""
    substitutes: int = 0
    """How often another person has taken a seat."""
    flags: list[datetime] = field(default_factory=list)
    """When it was said that a player has run out of time."""
    rulings: list[datetime] = field(default_factory=list)
    """When it was said that the tournament has decided it."""
    no_show: timedelta | None = None
    """In an event: how long a first move may take, if the clock gives more."""
    absent: frozenset[int] = frozenset()
    """The player who doesn't come to play."""
    loser: int | None = None
    """The loser, if that is not the player on turn."""
    unplayed: bool = False
    """Whether time ran out before its player had ever moved, so that there is no result."""

    @property
    def turn(self) -> Turn:
        """The last turn."""
        return self.turns[-1]

    def begin(self, position: Any, at: datetime) -> None:
        """Everybody has agreed to play."""
        self.position, self.started = position, at
        self.left = [self.control.bank for _ in self.users]
        self._next(at, called=True)

    def _player(self) -> int | None:
        seat = self.game.to_move(self.position)
        return None if seat is None else self.game.seating(self.position)[seat]

    def _next(self, at: datetime, *, called: bool) -> None:
        player = self._player()
        assert player is not None
        left = self.left[player]
        self.turns.append(Turn(len(self.moves), player, self.users[player], at, left, called))

    def moved(self, move: str, at: datetime, down: Spans) -> None:
        """A move was accepted."""
        mover, colour = self.turn.player, self.game.turn(self.position)
        self.position = self.game.play(self.position, self.game.parse(self.position, move))
        self.moves.append(move)
        player = self._player()
        if player == mover and self.game.turn(self.position) == colour:
            self.turn.acted = self.turn.acted or at
            return
        self.end_turn(at, down)
        if player is None:
            self.over = "played"
            return
        self._next(at, called=player != mover)

    def substituted(self, old: int, new: int, at: datetime) -> None:
        """Another person has taken the seat of a player who had not moved, with all of its time."""
        seat = self.users.index(old)
        self.former.add(old)
        self.users = (*self.users[:seat], new, *self.users[seat + 1 :])
        self.left[seat] = self.control.bank
        self.substitutes += 1
        if self.turn.player == seat:
            self.turn.ended = at
            self._next(at, called=True)

    def called_off(self, at: datetime) -> None:
        """Its round is paired again, and nobody had moved."""
        self.over = "called off"
        self.turn.ended = at

    def end_turn(self, at: datetime, down: Spans) -> None:
        """Take the time off that the turn has used, and add what is added."""
        turn, control = self.turn, self.control
        turn.ended = at
        if not control.runs:
            return
        rest = max(NO_TIME, turn.left - counted(control, turn.began, at, down))
        rest += control.increment
        if control.cap is not None:
            rest = min(rest, control.cap)
        self.left[turn.player] = control.bank if control.per_move else rest

    def deadline(self, down: Spans) -> datetime | None:
        """When the time of the last turn runs out."""
        if not self.control.runs:
            return None
        left = self.turn.left
        if self.no_show is not None and len(self.moves) < len(self.users):
            left = min(left, self.no_show)
        return runs_out(self.control, self.turn.began, left, down)
