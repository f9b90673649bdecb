"""What every format tells: what comes next, who is where, and how much it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Protocol

from bot.domain.tournaments.facts import Bye, Fixture
from bot.domain.tournaments.setup import Setup
from bot.domain.tournaments.swiss_pairing import Paired, PairingRequest
from bot.domain.tournaments.tiebreaks import Value
from bot.domain.tournaments.tournament import Tournament


@dataclass(frozen=True, slots=True)
class Draw:
    """Games that are to be added to a round now, and the byes if the round is new."""

    round: int
    games: tuple[Fixture, ...]
    byes: tuple[Bye, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """A pairing engine must be asked; its numbers are places in ``numbers``, counted from 1."""

    request: PairingRequest
    numbers: tuple[int, ...]


class Idle(Enum):
    """There is nothing to draw."""

    WAIT = "wait"
    """Until games are over."""
    OVER = "over"
    """Any more."""


Step = Draw | Ask | Idle


@dataclass(frozen=True, slots=True)
class Placing:
    """An entrant's place; ``division`` counts from 1, 0 where there are none."""

    rank: int
    number: int
    points: Fraction
    values: tuple[Value, ...] = ()
    division: int = 0


@dataclass(frozen=True, slots=True)
class Effort:
    """How much an event is: rounds, games of one player at most and at once, all games at most."""

    rounds: int
    games: int
    at_once: int
    total: int


class Format(Protocol):
    """A format. ``seats`` is how many play one game."""

    @property
    def seats(self) -> int:
        """How many players a game has."""
        ...

    def effort(self, setup: Setup, entrants: int) -> Effort:
        """How much an event of this format is for so many players."""
        ...

    def step(self, t: Tournament, paired: Paired | None = None) -> Step:
        """What comes next; ``paired`` is the answer to an :class:`Ask` for this very state."""
        ...

    def places(self, t: Tournament) -> tuple[Placing, ...]:
        """The standings, best first, by division."""
        ...
