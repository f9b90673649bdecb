"""Arguments and answers of transactions about tournaments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.events import Change
from bot.domain.ids import ChannelId, GuildId, MatchId, MessageId, TournamentId
from bot.domain.match import MatchStatus
from bot.tournaments.domain.fold import TournamentChange
from bot.tournaments.domain.setup import Setup
from bot.tournaments.domain.tournament import Tournament, TournamentStatus
from bot.tournaments.posts import NewMessage


@dataclass(frozen=True, slots=True)
class Home:
    """Where an event lives: its server and channel, and the home message once it is posted."""

    guild_id: GuildId
    channel_id: ChannelId
    message_id: MessageId | None = None


@dataclass(frozen=True, slots=True)
class MatchLink:
    """The match of a game: where it is played, and how far it is.

    ``channel_id`` is None in direct messages and until the thread exists.
    """

    status: MatchStatus
    ply: int
    channel_id: ChannelId | None
    is_direct: bool = False


@dataclass(frozen=True, slots=True)
class Occasion:
    """The event and the round in which a game is played."""

    setup: Setup
    round: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A line in a list of tournaments."""

    id: TournamentId
    name: str
    game: str
    status: TournamentStatus
    entrants: int
    begins: datetime
    home: Home
    season: int = 1


CALLED = "called"
"""Among the troubles that directors hear of once: players have been called to check in."""


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as it is kept.

    ``matches`` are those of games that have begun; ``ended`` are games whose match is over and
    whose result is not recorded, in the order in which they ended. ``home_gone`` says that nothing
    can be posted in the home channel. ``troubles`` are what directors have been told once.
    """

    tournament: Tournament
    home: Home
    matches: Mapping[str, MatchId] = field(default_factory=dict)
    ended: tuple[str, ...] = ()
    ended_at: Mapping[str, datetime] = field(default_factory=dict)
    due_at: datetime | None = None
    next: TournamentId | None = None
    home_gone: bool = False
    set_aside_at: datetime | None = None
    troubles: frozenset[str] = frozenset()

    @property
    def has_called(self) -> bool:
        """Whether players have been called to check in."""
        return CALLED in self.troubles


@dataclass(frozen=True, slots=True)
class Writing:
    """The content of one transaction.

    ``before`` is the tournament that it was decided on, None for a new one, which has a ``home``.
    ``matches`` are changes to matches: those of games that begin, which ``begun`` names, and those
    whose result the tournament decides. ``previous`` is the season before a new one. Without
    ``changes`` only ``due_at`` and messages are written. ``troubles`` are those that directors have
    been told once, with those of these messages; None if they stay as they are.
    """

    before: Tournament | None
    changes: tuple[TournamentChange, ...]
    due_at: datetime | None
    messages: tuple[NewMessage, ...] = ()
    matches: tuple[Change, ...] = ()
    begun: Mapping[str, MatchId] = field(default_factory=dict)
    home: Home | None = None
    previous: TournamentId | None = None
    troubles: frozenset[str] | None = None

    @property
    def after(self) -> Tournament:
        """The tournament after it."""
        if self.changes:
            return self.changes[-1].tournament
        assert self.before is not None  # noqa: S101 - a new one has an event
        return self.before
