"""A tournament in its present state: the result of folding its events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from fractions import Fraction

from bot.domain.ids import TournamentId, UserId
from bot.tournaments.domain.crosstable import (
    DRAW,
    LOSS,
    WIN,
    Competitor,
    Crosstable,
    CrosstableLine,
    Kind,
    Side,
)
from bot.tournaments.domain.facts import Challenged, Fixture, How, Parted
from bot.tournaments.domain.setup import Setup


class TournamentStatus(Enum):
    """The stages of a tournament."""

    REGISTRATION = "registration"
    CLOSED = "closed"
    """Registration is closed; the first round is not drawn yet."""
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether only a correction can still happen."""
        return self in (TournamentStatus.FINISHED, TournamentStatus.CANCELLED)


class EntrantStatus(Enum):
    """Whether an entrant is still in."""

    ACTIVE = "active"
    WITHDRAWN = "withdrawn"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class Entrant:
    """An entrant. ``number`` counts from 1 in order of entry, and stays if a replacement plays.

    ``since`` is the first round they can be in, and ``missed`` the points for those before.
    ``byes`` are the requested ones, by round. ``time_losses`` counts games lost on time. ``rating``
    decides their seed, unless a director set a ``seed``. ``is_here`` says that they checked in.
    """

    number: int
    user_id: UserId | None
    rating: int | None
    standing: EntrantStatus = EntrantStatus.ACTIVE
    since: int = 1
    missed: Kind = Kind.ZERO_BYE
    byes: Mapping[int, Kind] = field(default_factory=dict, hash=False)
    time_losses: int = 0
    is_warned: bool = False
    seed: int | None = None
    is_here: bool = False

    @property
    def is_active(self) -> bool:
        """Whether they take part in pairings."""
        return self.standing is EntrantStatus.ACTIVE


@dataclass(frozen=True, slots=True)
class Invitation:
    """A person on a director's list, who enters by joining.

    ``seed`` and ``rating`` are those of the list; ``since`` is the number of the event, 0 before.
    """

    user_id: UserId
    seed: int | None = None
    rating: int | None = None
    since: int = 0


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game and its result: ``points`` by seat, None while it is not over.

    ``drawn`` is the version of the tournament at its draw. ``late`` are the seats of a table whose
    players ran out of time or did not come.
    """

    game: Fixture
    until: datetime
    has_begun: bool = False
    points: tuple[Fraction, ...] | None = None
    how: How | None = None
    drawn: int = 0
    late: tuple[int, ...] = ()

    @property
    def lost_on_time(self) -> tuple[int, ...]:
        """Players who lost it because their time ran out or they never came.

        At a table the others may have played on. A director's decision is no loss on time.
        """
        if self.points is None or self.how is How.DIRECTOR:
            return ()
        ends = self.how in (How.TIME, How.NO_SHOW)
        late = self.late if self.is_table else (0, 1) if ends else ()
        return tuple(self.game.players[seat] for seat in late if self.points[seat] == 0)

    def points_of(self, entrant: int) -> Fraction | None:
        """The points of one of its players, None while it is not over."""
        return None if self.points is None else self.points[self.game.players.index(entrant)]

    @property
    def is_over(self) -> bool:
        """Whether it has a result."""
        return self.points is not None

    @property
    def is_table(self) -> bool:
        """Whether more than two play, so that the others can go on without one of them."""
        return len(self.game.players) > 2

    @property
    def is_played(self) -> bool:
        """Whether it has a result other than a forfeit before its match began."""
        return self.is_over and (self.has_begun or self.how is not How.NO_SHOW)


@dataclass(frozen=True, slots=True)
class Climb:
    """A player's climb from one rung to another, counted from the top."""

    entrant: int
    before: int
    after: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Round:
    """A drawn round; ``drawn`` is the version of the tournament at its draw.

    ``apart`` are the entrants who were kept apart in it, one tuple for each choice of a director.
    """

    number: int
    until: datetime
    byes: Mapping[int, Kind] = field(default_factory=dict, hash=False)
    drawn: int = 0
    apart: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Tournament:
    """The head snapshot; all of it follows from the events.

    ``by_rung`` is the ladder from the top, empty in other formats; ``declines`` counts, by entrant,
    the challenges declined since their last game; ``climbs`` are the last, the newest first.
    ``closes``, ``begins`` and ``finish`` are those of the set-up, or later. ``directors`` are the
    appointed people. ``apart`` are entrants who are kept apart in rounds to come, in the order of
    the directors' choices. ``invited`` are the people on the directors' lists, including players
    who have joined since.
    """

    id: TournamentId
    version: int
    head_hash: str
    setup: Setup
    lots: int
    status: TournamentStatus
    created_by: UserId | None
    created_at: datetime
    updated_at: datetime
    closes: datetime
    begins: datetime
    finish: datetime
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()
    games: Mapping[str, PlayedGame] = field(default_factory=dict, hash=False)
    paused_at: datetime | None = None
    by_rung: tuple[int, ...] = ()
    challenges: tuple[Challenged, ...] = ()
    declines: Mapping[int, int] = field(default_factory=dict, hash=False)
    climbs: tuple[Climb, ...] = ()
    directors: tuple[UserId, ...] = ()
    apart: tuple[Parted, ...] = ()
    invited: tuple[Invitation, ...] = ()

    @property
    def active(self) -> tuple[Entrant, ...]:
        """The entrants who are still in."""
        return tuple(each for each in self.entrants if each.is_active)

    @property
    def all_directors(self) -> tuple[UserId | None, ...]:
        """The creator, then the appointed people."""
        return self.created_by, *self.directors

    @property
    def checks_in(self) -> datetime | None:
        """Since when players can check in; None without check-in, or once a round is drawn."""
        if not self.setup.check_in or self.rounds or self.status.is_final:
            return None
        return self.begins - self.setup.check_in

    @property
    def is_open(self) -> bool:
        """Whether players may enter now: late, too, while there is a round to come."""
        late = self.setup.late_entry and self.status is TournamentStatus.RUNNING
        late = late and not (self.setup.rounds and len(self.rounds) >= self.setup.rounds)
        late = late and self.setup.format.facts.late_entry
        return self.status is TournamentStatus.REGISTRATION or late

    def entrant(self, number: int) -> Entrant | None:
        """The entrant of that number."""
        return self.entrants[number - 1] if 0 < number <= len(self.entrants) else None

    def entrant_of(self, user_id: UserId) -> Entrant | None:
        """The entrant of a person; the active one if they entered twice."""
        mine = [each for each in self.entrants if each.user_id == user_id]
        return next((each for each in mine if each.is_active), mine[-1] if mine else None)

    def invitation_of(self, user_id: UserId) -> Invitation | None:
        """A person's line on a director's list."""
        return next((each for each in self.invited if each.user_id == user_id), None)

    @property
    def unanswered(self) -> tuple[Invitation, ...]:
        """The invited people who have not joined."""
        people = {each.user_id for each in self.entrants}
        return tuple(
            each for each in self.invited if each.user_id > 0 and each.user_id not in people
        )

    def apart_of(self, entrants: tuple[int, ...]) -> Parted | None:
        """The choice for rounds to come about these entrants, in order of their numbers."""
        return next((each for each in self.apart if each.entrants == entrants), None)

    def in_round(self, number: int) -> tuple[PlayedGame, ...]:
        """The games of a round, in the order of boards."""
        found = (each for each in self.games.values() if each.game.round == number)
        return tuple(sorted(found, key=lambda each: (each.game.board, each.game.id)))

    def pairings(self, games: Iterable[PlayedGame]) -> tuple[tuple[PlayedGame, ...], ...]:
        """These games, grouped by pairing where it has two at the same time."""
        if not self.setup.both_sides:
            return tuple((each,) for each in games)
        found: dict[tuple[int, int], list[PlayedGame]] = {}
        for each in games:
            found.setdefault(each.game.pairing, []).append(each)
        return tuple(tuple(each) for each in found.values())

    def of_entrant(self, number: int) -> tuple[PlayedGame, ...]:
        """All games of an entrant."""
        return tuple(each for each in self.games.values() if number in each.game.players)

    def points_of(self, number: int) -> Fraction:
        """The points of all games of an entrant, without byes."""
        return sum((each.points_of(number) or LOSS for each in self.of_entrant(number)), LOSS)

    @property
    def pending(self) -> tuple[PlayedGame, ...]:
        """Games without a result."""
        return tuple(each for each in self.games.values() if not each.is_over)

    @property
    def playing(self) -> frozenset[int]:
        """Entrants who have a game without a result."""
        return frozenset(number for played in self.pending for number in played.game.players)

    @property
    def first_side(self) -> Side:
        """The side of the highest seed in the first round, by lot."""
        return Side.FIRST if self.lots % 2 else Side.SECOND

    @property
    def seeding(self) -> tuple[int, ...]:
        """Entrants with a seed of a director's, then those without, by rating, then by entry.

        Players without a rating come last. In a later season of a league, and where a director
        orders the seeds, those without a seed come in the order of their entry.
        """
        by_entry = self.setup.season > 1 or self.setup.by_hand
        order = sorted(
            self.entrants,
            key=lambda each: (
                each.seed is None,
                each.seed or 0,
                not by_entry and each.rating is None,
                0 if by_entry else -(each.rating or 0),
                each.number,
            ),
        )
        return tuple(each.number for each in order)

    def crosstable(self, *, fixed: bool = False, division: int | None = None) -> Crosstable:
        """The results of every entrant in every round, games of two and byes; numbers are theirs.

        Where a pairing has two simultaneous games, its line has the side of the first, and their
        sum decides it: a point, or half a point for each.
        """
        lines: dict[int, list[CrosstableLine]] = {each.number: [] for each in self.entrants}
        inside: set[int] = set()
        for games in self.pairings(self.games.values()):
            if division in (None, games[0].game.division):
                for number, line in _lines(games):
                    lines[number].append(line)
                    inside.add(number)
        for number, line in self._byes():
            lines[number].append(line)
        return Crosstable.of(
            (
                Competitor(
                    each.number,
                    rating=each.rating,
                    lines=tuple(sorted(lines[each.number], key=lambda line: line.round)),
                )
                for each in self.entrants
                if division is None or each.number in inside
            ),
            fixed=fixed,
        )

    def _byes(self) -> Iterator[tuple[int, CrosstableLine]]:
        worth = {Kind.HALF_BYE: DRAW, Kind.ZERO_BYE: LOSS}
        for each in self.rounds:
            for number, kind in each.byes.items():
                yield number, CrosstableLine(each.number, None, None, worth.get(kind, WIN), kind)


def _lines(games: Sequence[PlayedGame]) -> Iterator[tuple[int, CrosstableLine]]:
    """The game or games of two in a round as a line of each player's."""
    game = games[0].game
    if len(game.players) != 2:
        return
    points, kind = (LOSS, LOSS), Kind.PENDING
    if all(each.is_over for each in games):
        points = sum_of(games)
        if len(games) > 1:
            points = _worth(*points)
        # A level sum of forfeits, which no report can express, is a draw like any other.
        is_game = any(each.how is not None and each.how.is_game for each in games)
        kind = Kind.PLAYED if is_game or points == (DRAW, DRAW) else Kind.FORFEIT
    first, second = game.players
    yield first, CrosstableLine(game.round, second, Side.FIRST, points[0], kind)
    yield second, CrosstableLine(game.round, first, Side.SECOND, points[1], kind)


def sum_of(games: Sequence[PlayedGame]) -> tuple[Fraction, Fraction]:
    """The points of the finished games of the same two, in the order of the first."""
    one, two = games[0].game.players
    return (
        sum((each.points_of(one) or LOSS for each in games), LOSS),
        sum((each.points_of(two) or LOSS for each in games), LOSS),
    )


def _worth(one: Fraction, two: Fraction) -> tuple[Fraction, Fraction]:
    """The points of a pairing for the sums of its two games; 0 for both if neither has a point."""
    if one == two:
        return (DRAW, DRAW) if one else (LOSS, LOSS)
    return (WIN, LOSS) if one > two else (LOSS, WIN)
