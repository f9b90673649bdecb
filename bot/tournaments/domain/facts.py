"""Facts of a tournament: one dataclass for each kind of event, and its stored form.

A new kind of fact is a dataclass here, and a branch in :func:`bot.tournaments.domain.fold.apply`.
Facts name no people: entrants have numbers, and the event has the people beside the sealed payload.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from fractions import Fraction
from typing import ClassVar, dataclass_transform

from bot.tournaments.domain.crosstable import Kind
from bot.tournaments.domain.setup import Setup
from games.view import Text


class How(Enum):
    """The ways in which a game of a tournament gets its result."""

    PLAYED = "played"
    TIME = "time"
    """A player's time ran out after the game had begun."""
    NO_SHOW = "no_show"
    """A player did not come, or had left: won without a game, or lost by both."""
    UNFINISHED = "unfinished"
    """The last day came; the stated rule decided."""
    DIRECTOR = "director"

    @property
    def is_game(self) -> bool:
        """Whether it counts as played for tie-breaks and pairings."""
        return self is not How.NO_SHOW


class Leaving(Enum):
    """The reasons why an entrant left the tournament."""

    ASKED = "asked"
    TIME = "time"
    """Lost on time as often as the event allows."""
    LEFT_SERVER = "left_server"
    ERASED = "erased"
    ABSENT = "absent"
    """Did not check in before the first round."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game: entrants in the order of seats, the first moves first.

    ``id`` is unique in the tournament. ``tie`` names the tie of a knockout, ``division`` that of a
    round robin, both empty or 0 elsewhere. The games of one pairing have one ``board``.
    """

    id: str
    round: int
    board: int
    players: tuple[int, ...]
    tie: str = ""
    division: int = 0

    @property
    def exchanged(self) -> Fixture:
        """The second game of a pairing of two, in which the other player moves first."""
        return replace(self, id=f"{self.id}b", players=self.players[::-1])

    @property
    def pairing(self) -> tuple[int, int]:
        """The key that the games of one pairing share."""
        return self.round, self.board


@dataclass(frozen=True, slots=True)
class Bye:
    """A round without a game."""

    entrant: int
    kind: Kind


KINDS: dict[str, type[Fact]] = {}
"""All kinds of facts, by their stored names."""


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Fact:
    """Something that happened."""

    said: ClassVar[Text]
    """Its line in the log, for a kind that always has the same."""

    def __init_subclass__(cls) -> None:
        KINDS[cls.__name__.lower()] = dataclass(frozen=True)(cls)


class Created(Fact):
    """The event was announced; ``lots`` is the seed of all its random draws."""

    setup: Setup
    lots: int
    said = Text.of("The tournament was announced.")


class Closed(Fact):
    """Registration was closed."""

    said = Text.of("Registration was closed.")


class Reopened(Fact):
    """Registration was reopened until an instant; the event does not begin before it."""

    until: datetime
    said = Text.of("Registration was reopened until {date}.")


class Entered(Fact):
    """A player entered; after the first round with a bye in each missed round.

    A player who had withdrawn is in again, with the same number. ``seed`` is the one from a
    director, if any.
    """

    entrant: int
    rating: int | None
    missed: Kind = Kind.ZERO_BYE
    seed: int | None = None
    said = Text.of("{player} joined.")


class Invited(Fact):
    """A person was added to the list of invited people, with the seed and rating from there."""

    seed: int | None = None
    rating: int | None = None
    said = Text.of("{player} was invited.")


class Seeded(Fact):
    """A director has set seeds, and the ratings that count in this event, before the first round.

    There is one of each for every entrant, in order of their numbers.
    """

    seeds: tuple[int | None, ...]
    ratings: tuple[int | None, ...]
    said = Text.of("The seeds were changed.")


class CheckedIn(Fact):
    """An entrant is there and ready for the first round."""

    entrant: int
    said = Text.of("{player} checked in.")


class Withdrawn(Fact):
    """An entrant plays no further rounds."""

    entrant: int
    why: Leaving


class Excluded(Fact):
    """A director has excluded an entrant."""

    entrant: int
    said = Text.of("{player} was excluded.")


class Replaced(Fact):
    """Another person plays in an entrant's place, with the same seed."""

    entrant: int
    said = Text.of("{player} now plays in this place.")


class ByeGiven(Fact):
    """An entrant will not be paired in a round to come."""

    entrant: int
    round: int
    kind: Kind
    said = Text.of("{player} has a bye in round {round}.")


class Drawn(Fact):
    """Games were added to a round, which lasts until ``until``."""

    round: int
    games: tuple[Fixture, ...]
    byes: tuple[Bye, ...]
    until: datetime


class Undrawn(Fact):
    """A round without moves was undone, to be paired again."""

    round: int
    said = Text.of("Round {round} is to be paired again.")


class Unpaired(Fact):
    """Games of a knockout without moves are removed: a result that led to them changed."""

    games: tuple[str, ...]


class Begun(Fact):
    """The match of a game exists."""

    game: str
    said = Text.of("{game} began.")


class Scored(Fact):
    """A game has a result: points by seat.

    ``late`` are the seats of a table whose players ran out of time or did not come.
    """

    game: str
    points: tuple[Fraction, ...]
    how: How
    late: tuple[int, ...] = ()


class Decided(Fact):
    """A director has set the result of a game, for any position on the board."""

    game: str
    points: tuple[Fraction, ...]
    said = Text.of("{game} decided: {result}.")


class Corrected(Fact):
    """A director has changed a result."""

    game: str
    points: tuple[Fraction, ...]
    how: How
    said = Text.of("{game} corrected to {result}.")


class Warned(Fact):
    """An entrant was warned that one more loss on time withdraws them."""

    entrant: int
    said = Text.of("{player} was warned: one more loss on time and they're out.")


class Extended(Fact):
    """A round lasts longer, or one game of it where ``game`` is not empty.

    ``finish`` is the last day of the event from now on.
    """

    round: int
    game: str
    until: datetime
    finish: datetime
    said = Text.of("{what} has time until {date}.")


class Paused(Fact):
    """Nothing is drawn or decided until the event resumes."""

    said = Text.of("The tournament was paused.")


class Resumed(Fact):
    """It resumes; all days to come have moved by the length of the pause."""

    said = Text.of("The tournament was resumed.")


class Cancelled(Fact):
    """It ends without a result."""

    said = Text.of("The tournament was cancelled.")


class Finished(Fact):
    """Everything is decided."""

    said = Text.of("The tournament ended.")


class Appointed(Fact):
    """A person was made a director."""

    said = Text.of("{player} is a director now.")


class Dismissed(Fact):
    """A person is no longer a director."""

    said = Text.of("{player} is no longer a director.")


class Parted(Fact):
    """No two of these entrants may meet, in rounds that are drawn from now on.

    ``last`` is the last of these rounds, 0 for all.
    """

    entrants: tuple[int, ...]
    last: int = 0
    said = Text.of("{players} are kept apart: {rounds}.")

    def holds_in(self, number: int) -> bool:
        """Whether it holds in a round."""
        return not self.last or number <= self.last


class Rejoined(Fact):
    """These entrants, who were kept apart, may meet again."""

    entrants: tuple[int, ...]
    said = Text.of("{players} may meet again.")


class Challenged(Fact):
    """A player of a ladder has challenged another, who has until an instant to answer."""

    challenger: int
    challenged: int
    until: datetime
    said = Text.of("{one} challenged {two}.")

    @property
    def pair(self) -> tuple[int, int]:
        """The challenger and the challenged player."""
        return self.challenger, self.challenged


class Declined(Fact):
    """A challenge was declined, or not answered in time."""

    challenger: int
    challenged: int
    by_time: bool


class Moved(Fact):
    """Players of a ladder have sunk because they did not play: the rungs from the top."""

    rungs: tuple[int, ...]
    said = Text.of("Players who hadn't played for long sank by one rung.")


class Undone(Fact):
    """A director's act was undone: these events, by number, are left out of the fold."""

    events: tuple[int, ...]
    said = Text.of("Undone: {act}")
