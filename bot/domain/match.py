"""A match in its present state: the head snapshot of its history.

Players are counted in two ways:

*player index*
    a chair at the table, 0 to n-1, which a person keeps for the whole match; index 0 begins.
*seat*
    a side of the board in the order of the rules page. The pie rule's swap exchanges the seats of
    players; only :meth:`games.api.Game.seating` says who sits where.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

from bot.domain.clock import TimeControl, Times
from bot.domain.clock import deadline as runs_out
from bot.domain.computers import is_computer
from bot.domain.ids import ChannelId, GuildId, MatchId, TournamentId, UserId
from bot.domain.rating_range import RatingRange
from bot.domain.requests import Request
from games.api import Game, OptionValue

RECENT = 8
"""How many moves :attr:`Match.recent` holds."""


class MatchStatus(Enum):
    """The state of a match. All but the first two are final."""

    OFFERED = "offered"
    RUNNING = "running"
    FINISHED = "finished"
    ABORTED = "aborted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"

    @property
    def is_final(self) -> bool:
        """Whether the match is over for good."""
        return self not in (MatchStatus.OFFERED, MatchStatus.RUNNING)


class Venue(Enum):
    """Where a match is played."""

    THREAD = "thread"
    """In a thread of its own, created when the match starts; in the channel if that fails."""
    CHANNEL = "channel"
    """In the channel where it was offered; one running match at a time."""
    DIRECT = "direct"
    """In the players' direct messages with the bot, a board for each."""


class Ending(Enum):
    """The kind of end of a match with a result."""

    GAME = "game"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    TIME = "time"
    ADJUDICATION = "adjudication"
    """By a director of the tournament, by its rule for unfinished games, or by a server manager."""


MANAGED = "managed"
"""The reason of a result that a server manager decided."""
UNCOUNTED = "managed_uncounted"
"""The same, where the manager chose to leave ratings as they are."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command was given; ``guild_id`` is None in direct messages."""

    guild_id: GuildId | None
    channel_id: ChannelId


@dataclass(frozen=True, slots=True)
class Scope:
    """The matches that may be seen: those of one server, and those of one person anywhere."""

    guild_id: GuildId | None = None
    user_id: UserId | None = None


@dataclass(frozen=True, slots=True)
class Actor:
    """The acting person, and the server in which they act."""

    user_id: UserId
    guild_id: GuildId | None = None
    is_bot: bool = False

    @property
    def scope(self) -> Scope:
        """The matches that this person may see from here."""
        return Scope(self.guild_id, self.user_id)


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended.

    ``scores`` has one entry a seat, in seat order, as in :class:`games.api.Outcome`; ``reason`` is
    a code of the game's :attr:`~games.api.GameInfo.reasons` if ``ending`` is GAME, else the value
    of ``ending``, or :data:`MANAGED` or :data:`UNCOUNTED`; ``winners`` are player indices, none in
    a draw.
    """

    ending: Ending
    reason: str
    scores: tuple[float, ...]
    winners: tuple[int, ...]

    @property
    def is_lost_by_all(self) -> bool:
        """Whether a tournament gave no player a point: a double forfeit."""
        return self.ending is Ending.ADJUDICATION and not any(self.scores)


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """The tournament and the game that a match belongs to, and the rules that follow.

    ``no_show`` is the time limit for a player's first move, if the clock gives more.
    """

    tournament_id: TournamentId
    game: str
    takebacks: bool
    no_show: timedelta


@dataclass(frozen=True, slots=True)
class Match:
    """The head snapshot. Everything in it but the two delivery facts follows from the events.

    ``version``
        the number of events so far; a control drawn for an older version is out of date.
    ``players``, ``invited``
        by player index: who sits there (None: nobody yet), and who the chair is kept for
        (None: anybody). ``offered_by`` is the player index of the one who made the offer.
    ``state``, ``previous_state``, ``last_move``, ``recent``
        the position as :meth:`games.api.Game.encode` writes it, the one before the last move, that
        move in canonical notation, and the last few moves, oldest first. The state is empty
        before the match has started.
    ``ply``
        the number of moves played; ``moved_by`` the player index that made the last one.
    ``position_since``
        the version at which the present position arose.
    ``retired``
        player indices that have left the match, by resigning or because their time ran out.
    ``departed``
        player indices whose people have left the server, and have not moved since.
    ``requests``
        players' unanswered requests, the oldest first.
    ``rated``
        whether the result counts for the players' ratings.
    ``hints``
        whether all players have agreed to hints by the computer.
    ``expires_at``
        when an open offer expires; None once it is no longer open.
    ``home_id``
        delivery fact: the channel or thread in which the match is played, None until it is known
        (and always in direct messages).
    ``head_hash``
        the hash of the last event.
    ``clock``, ``times``
        the clock and its state; both None in a match without one, ``times`` also
        before the start.
    ``band``
        the rating range of open chairs, None: all ratings.
    ``takebacks``
        whether players may ask to take moves back; ``is_rematch``: whether it was offered as the
        same again, with sides exchanged.
    ``repeats``
        how many more matches the same offer may start after this one.
    ``continues``
        the match that it continues, with a substitute for a player who has left; or None.
    ``language``
        the locale of its public messages, None: that of its server.
    ``verdict``
        the reason of a server manager who ended or decided it, in their words.
    ``tournament``
        its game of a tournament, None outside of one.
    ``set_aside_at``
        fact of the host: since when the match is set aside, because its stored data is damaged.
        Until that is repaired it cannot go on and no clock runs in it.
    """

    id: MatchId
    game: str
    options: Mapping[str, OptionValue] = field(hash=False)
    rules_version: int
    status: MatchStatus
    venue: Venue
    origin: Place
    players: tuple[UserId | None, ...]
    invited: tuple[UserId | None, ...]
    offered_by: int
    state: str
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    version: int = 0
    previous_state: str = ""
    last_move: str = ""
    moved_by: int | None = None
    recent: tuple[str, ...] = ()
    ply: int = 0
    position_since: int = 1
    retired: tuple[int, ...] = ()
    requests: tuple[Request, ...] = ()
    result: Result | None = None
    head_hash: str = ""
    home_id: ChannelId | None = None
    rated: bool = False
    clock: TimeControl | None = None
    times: Times | None = None
    band: RatingRange | None = None
    set_aside_at: datetime | None = None
    tournament: TournamentGame | None = None
    hints: bool = False
    takebacks: bool = True
    is_rematch: bool = False
    repeats: int = 0
    departed: tuple[int, ...] = ()
    verdict: str = ""
    continues: MatchId | None = None
    language: str | None = None

    @property
    def is_paused(self) -> bool:
        """Whether the clock is paused."""
        running = self.status is MatchStatus.RUNNING
        return running and self.times is not None and self.times.is_paused

    @property
    def lapses_at(self) -> datetime | None:
        """When the first of the requests expires."""
        instants = (each.expires_at for each in self.requests)
        return min((at for at in instants if at is not None), default=None)

    @property
    def deadline(self) -> datetime | None:
        """When the time of the player on turn runs out, if a clock runs."""
        times = self.counting_times
        if self.clock is None or times is None or self.status is not MatchStatus.RUNNING:
            return None
        return None if self.set_aside_at is not None else runs_out(self.clock, times)

    @property
    def counting_times(self) -> Times | None:
        """The clocks that count: the first move of a tournament match has its own time limit.

        The time that the turn has used is taken off that limit, also the time before a standstill.
        """
        times, terms = self.times, self.tournament
        if self.clock is None or terms is None or times is None or times.running is None:
            return times
        spare = self.clock.bank - terms.no_show
        if self.ply >= len(self.players) or spare <= timedelta():
            return times
        left = list(times.left)
        left[times.running] = min(terms.no_show, left[times.running] - spare)
        return replace(times, left=tuple(left))

    @property
    def too_late(self) -> int | None:
        """The player whose first or second move never came, for which the match was aborted."""
        if self.status is not MatchStatus.ABORTED or self.clock is None or self.times is None:
            return None
        if self.ply > 1:
            return None
        over = runs_out(self.clock, self.counting_times or self.times)
        return self.times.running if over is not None and over <= self.updated_at else None

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who have won, in a tournament also because an opponent never came."""
        if self.result is not None:
            return self.result.winners
        if self.tournament is None or self.too_late is None:
            return ()
        gone = {self.too_late, *self.retired}
        return tuple(index for index in range(len(self.players)) if index not in gone)

    @property
    def was_put_aside(self) -> bool:
        """Whether it was aborted because the player on turn could not be notified for too long."""
        if any(map(is_computer, self.players)):
            # No clock runs for a computer, so this says nothing here.
            return False
        aborted = self.status is MatchStatus.ABORTED
        return aborted and self.times is not None and self.times.running is None

    @property
    def vacationers(self) -> tuple[UserId, ...]:
        """The players whose vacations would now stop the clock of the match."""
        if self.status is not MatchStatus.RUNNING or self.clock is None or not self.clock.may_rest:
            return ()
        return tuple(
            player
            for index, player in enumerate(self.players)
            if player is not None and index not in self.retired
        )

    @property
    def has_computer(self) -> bool:
        """Whether a computer has a seat, or a reserved one."""
        return any(map(is_computer, (*self.players, *self.invited)))

    @property
    def has_hints(self) -> bool:
        """Whether hints are given: all players agreed, or one person plays alone.

        Never in a rated match, nor in a tournament.
        """
        if self.rated or self.tournament is not None or self.status is not MatchStatus.RUNNING:
            return False
        return self.hints or sum(not is_computer(user) for user in self.players) == 1

    def index_of(self, user_id: UserId) -> int | None:
        """The player index of a person, None if they have no seat."""
        return self.players.index(user_id) if user_id in self.players else None

    def band_for(self, user_id: UserId) -> RatingRange | None:
        """The rating range for a seat that this player takes; None for no limit.

        Players named in the offer are welcome with any rating.
        """
        return None if user_id in self.invited else self.band

    def is_visible(self, scope: Scope) -> bool:
        """Whether the match is visible at all within that scope."""
        if self.origin.guild_id is not None and self.origin.guild_id == scope.guild_id:
            return True
        user = scope.user_id
        return user is not None and (user in self.players or user in self.invited)

    @property
    def is_open(self) -> bool:
        """Whether any person may take a free chair of this offer."""
        return self.status is MatchStatus.OFFERED and any(
            player is None and guest is None
            for player, guest in zip(self.players, self.invited, strict=True)
        )


def unplayed(
    match_id: MatchId,
    rules: Game[Any, Any],
    at: datetime,
    *,
    place: Place,
    venue: Venue,
    **terms: Any,
) -> Match:
    """A match before its first event; ``terms`` are more fields of :class:`Match`."""
    return Match(
        id=match_id,
        options=rules.options,
        rules_version=rules.info.rules_version,
        venue=venue,
        origin=place,
        created_at=at,
        updated_at=at,
        home_id=place.channel_id if venue is Venue.CHANNEL else None,
        **terms,
    )
