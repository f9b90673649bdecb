"""The answers of every format: the next step, the standings, and the number of games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from bot.tournaments.domain.crosstable import Placing
from bot.tournaments.domain.facts import Bye, Fixture
from bot.tournaments.domain.setup import FormatKey, Setup
from bot.tournaments.domain.swiss_pairing import Paired, PairingRequest
from bot.tournaments.domain.tournament import Tournament


@dataclass(frozen=True, slots=True)
class Draw:
    """Games to add to a round now, and the byes if the round is new."""

    round: int
    games: tuple[Fixture, ...]
    byes: tuple[Bye, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to a pairing engine; its numbers are places in ``numbers``, counted from 1."""

    request: PairingRequest
    numbers: tuple[int, ...]


class Idle(Enum):
    """The reason why there is nothing to draw."""

    WAIT = "wait"
    """Games are still to be played."""
    OVER = "over"
    """The event has no further rounds."""


Step = Draw | Ask | Idle


@dataclass(frozen=True, slots=True)
class Effort:
    """The amount of play: rounds, and the most games of one player, in all and at a time.

    ``each`` is the number of games of a pairing that are played at the same time.
    """

    rounds: int
    games: int
    at_once: int
    each: int = 1

    @property
    def parts(self) -> int:
        """The number of successive rounds; simultaneous ones count as one."""
        if self.games <= self.at_once:
            return min(self.games, 1)
        return -(-self.rounds * self.each // self.at_once)


def with_both_sides(setup: Setup, games: Sequence[Fixture]) -> tuple[Fixture, ...]:
    """These games, each with a second one where a pairing has two at the same time."""
    if not setup.both_sides:
        return tuple(games)
    return tuple(game for each in games for game in (each, each.exchanged))


REGISTERED: dict[FormatKey, Format] = {}
"""Each format whose module was loaded."""


class Format(ABC):
    """A kind of tournament; it registers itself: ``class Swiss(Format, key=FormatKey.SWISS)``."""

    def __init_subclass__(cls, *, key: FormatKey | None = None) -> None:
        if key is not None:
            REGISTERED[key] = cls()

    @abstractmethod
    def effort(self, setup: Setup, entrants: int) -> Effort:
        """The amount of play with this many players."""

    @abstractmethod
    def step(self, t: Tournament, paired: Paired | None = None) -> Step:
        """The next step; ``paired`` is the answer to an :class:`Ask` for this very state."""

    @abstractmethod
    def places(self, t: Tournament) -> tuple[Placing, ...]:
        """The standings, best first, by division."""
