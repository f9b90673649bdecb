"""What pages are given to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from types import MappingProxyType

from bot.domain.events import Event
from bot.domain.ids import UserId
from bot.domain.match import Actor, Match, MatchStatus
from bot.domain.ratings.rated import MOVES_EACH
from bot.domain.tournaments.event import TournamentEvent
from bot.domain.tournaments.facts import Fact
from bot.domain.tournaments.formats.base import Placing
from bot.domain.tournaments.planning import EventPlan
from bot.domain.tournaments.tournament import Tournament, TournamentStatus
from bot.domain.tournaments.why import WhyPairing
from bot.store.tournaments.records import Home, MatchLink

_MEDALS = 3
"""Places that have a medal."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person who asks, with what Discord says of them in this server."""

    actor: Actor
    roles: frozenset[int] = frozenset()
    manages: bool = False
    """Whether they may manage the server."""


@dataclass(frozen=True, slots=True)
class Wait:
    """What keeps games that could begin from beginning: the server has no room for them now.

    ``until`` is when the next thread may be made; None: not before another match is over.
    """

    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class EventView:
    """A tournament with all that its pages show.

    ``tournament`` holds set-up, entrants, rounds and games (ids are keys of ``matches``);
    ``standings`` are best first; ``event`` and ``fact`` are the last event, or in a message the one
    that it is about. ``waiting`` are games that could begin, which they do in a moment unless they
    ``wait``. ``calls`` tells that players have been called to check in.
    """

    tournament: Tournament
    home: Home
    standings: tuple[Placing, ...]
    plan: EventPlan
    matches: Mapping[str, MatchLink] = field(default_factory=lambda: MappingProxyType({}))
    event: TournamentEvent | None = None
    fact: Fact | None = None
    waiting: tuple[str, ...] = ()
    wait: Wait | None = None
    calls: bool = False

    @property
    def unrated(self) -> Mapping[int, bool]:
        """The players of a rated event that is over whose rating it has not changed.

        Whether they have played at all: then each of their games was too short to count.
        """
        t = self.tournament
        if not t.setup.rated or t.status is not TournamentStatus.FINISHED:
            return {}
        found = {each.number: False for each in self.standings}
        for key, played in t.games.items():
            link = self.matches.get(key)
            is_over = link is not None and link.status is MatchStatus.FINISHED
            if link is None or not is_over or not any(played.points or ()):
                continue
            for number in played.game.players:
                if link.ply >= MOVES_EACH * len(played.game.players):
                    found.pop(number, None)
                elif number in found and link.ply:
                    found[number] = True
        return found

    @property
    def has_places(self) -> bool:
        """Whether a place was earned: a game was played, or won by a player who is still in."""
        t = self.tournament
        if any(each.how is not None and each.how.is_game for each in t.games.values()):
            return True
        return any(t.points_of(each.number) for each in t.active)

    @property
    def podium(self) -> tuple[Placing, ...]:
        """The first three of the first division; a player without a point is only ever first."""
        if not self.standings or not self.has_places:
            return ()
        first = self.standings[0].division
        return tuple(
            each
            for each in self.standings
            if each.rank <= _MEDALS and each.division == first
            if each.rank == 1 or each.points or self.tournament.points_of(each.number)
        )

    @property
    def champion(self) -> tuple[int, ...]:
        """The entrants in first place (of the first division) once it is over; several in a tie."""
        is_over = self.tournament.status is TournamentStatus.FINISHED
        if not is_over or not self.standings or not self.has_places:
            return ()
        first = self.standings[0]
        return tuple(
            each.number
            for each in self.standings
            if each.rank == first.rank and each.division == first.division
        )


@dataclass(frozen=True, slots=True)
class Preview:
    """What an act would do, shown before it is confirmed; nothing has changed.

    ``facts`` would be written, in order; ``forfeits`` are games that would get a result by it;
    ``ends`` are those whose match is running and would end, also of a round that would be drawn
    again (``undoes``) or of games of a knockout that would be ``unpaired``; ``seats`` are those in
    whose match another person would take a seat, ``left`` those that would go on without one of
    four; ``told`` is how many players would get a message
    of their own, ``is_posted`` whether one for all would be posted. ``can_undo`` says whether it
    can be taken back while nothing follows from it.
    Carrying out wants ``key``, a number that stands for all of this: if the act would do something
    else by then, it is refused with ``tournament_changed``.
    """

    key: int
    facts: tuple[Fact, ...]
    forfeits: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    undoes: tuple[int, ...] = ()
    seats: tuple[str, ...] = ()
    told: int = 0
    can_undo: bool = True
    is_posted: bool = False
    unpaired: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditLine:
    """A line of the log that players can read.

    ``user_id`` acted, None: Parlour by itself; ``subject_id`` is the person it was about; both are
    numbers below 0 for people who had their data erased. ``former_id`` is the person who was
    replaced. ``is_undone`` says it was taken back, ``can_undo`` that it still can be.
    """

    seq: int
    at: datetime
    fact: Fact
    user_id: UserId | None
    subject_id: UserId | None
    reason: str
    by_director: bool
    is_undone: bool = False
    can_undo: bool = False
    former_id: UserId | None = None


@dataclass(frozen=True, slots=True)
class WhyGame:
    """Why a pairing is as it is, by format.

    ``pairing`` is there where two meet by points or by the Berger table of a ``division``;
    ``seeds`` are those of a knockout tie; ``met`` is how often each two players had met before.
    """

    game: str
    pairing: WhyPairing | None = None
    division: int = 0
    seeds: tuple[int, ...] = ()
    met: Mapping[tuple[int, int], int] = field(default_factory=lambda: MappingProxyType({}))
    points: tuple[Fraction, ...] = ()
    """What each player had before, in the order of the game's players."""


@dataclass(frozen=True, slots=True)
class BegunGame:
    """A game of a tournament, by its id there, with its match and all events of that."""

    id: str
    match: Match
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Download:
    """A file to send."""

    name: str
    content: bytes
