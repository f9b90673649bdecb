"""What directors may do: one dataclass each. All are previewed, carried out and undone alike."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from bot.domain.ids import UserId


@dataclass(frozen=True, slots=True)
class Close:
    """Close registration."""


@dataclass(frozen=True, slots=True)
class Reopen:
    """Open registration once more, before the first round, until an instant."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Add:
    """Enter a player, also after registration has closed where a late entry is possible."""

    user_id: UserId


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take an entrant out of further rounds."""

    entrant: int


@dataclass(frozen=True, slots=True)
class Replace:
    """Let another person play in an entrant's place, before that entrant's first move."""

    entrant: int
    user_id: UserId


@dataclass(frozen=True, slots=True)
class Exclude:
    """Put an entrant out; they lose all their games that are not over."""

    entrant: int


@dataclass(frozen=True, slots=True)
class Redraw:
    """Pair the last round again, before anybody has moved in it; its matches are aborted."""


@dataclass(frozen=True, slots=True)
class Decide:
    """Give a game that is not over its result: points in the order of the game's players."""

    game: str
    points: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Correct:
    """Change the result of a game that is over."""

    game: str
    points: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Extend:
    """Give a round, or one ``game`` of it, until another day."""

    round: int
    until: datetime
    game: str = ""


@dataclass(frozen=True, slots=True)
class Pause:
    """Draw and decide nothing until the event goes on. Games that have begun go on."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on; the days still to come are later by as long as the event was paused."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """End the event without a result. Games that have begun go on as ordinary matches."""


@dataclass(frozen=True, slots=True)
class Appoint:
    """Make a person a director."""

    user_id: UserId


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Take that from a director again."""

    user_id: UserId


@dataclass(frozen=True, slots=True)
class Undo:
    """Take a director's last act back, by the number of its first event, if nothing followed."""

    seq: int


DirectorAct = (
    Close
    | Reopen
    | Add
    | Withdraw
    | Replace
    | Exclude
    | Redraw
    | Decide
    | Correct
    | Extend
    | Pause
    | Resume
    | Cancel
    | Appoint
    | Dismiss
    | Undo
)
