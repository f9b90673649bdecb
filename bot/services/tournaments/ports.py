"""What tournaments need of the store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Protocol

from bot.domain.events import Change
from bot.domain.ids import ChannelId, GuildId, InteractionId, MatchId, TournamentId, UserId
from bot.domain.tournaments.event import TournamentEvent
from bot.domain.tournaments.fold import TournamentChange
from bot.domain.tournaments.tournament import Tournament
from bot.services.outgoing import Key, OutboxStore
from bot.services.ports import Store
from bot.services.sending import Posted
from bot.services.tournaments.messages import MessageKind
from bot.services.tournaments.views import Home, MatchLink, Summary

ALL_DIRECTORS = -1
"""Every director who is there when a message is sent."""


@dataclass(frozen=True, slots=True)
class NewMessage:
    """Something to tell, as it is written with the event that causes it; see ``Message``.

    ``version`` is that event's number, 0 for the last one of the act. It is for the person whom an
    ``entrant`` stands for when it is sent, or ``former`` for the one before; for a ``director``
    (0 is the creator, then those appointed, or :data:`ALL_DIRECTORS` ``but`` one); or else for the
    channel. ``user_id`` is who that is now; it is not kept. ``subject`` is the person the event is
    about.
    """

    kind: MessageKind
    version: int = 0
    entrant: int = 0
    user_id: UserId | None = None
    game: str = ""
    detail: str = ""
    director: int | None = None
    but: int | None = None
    former: bool = False
    subject: bool = False


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament as it is kept.

    ``matches`` are those of games that have begun; ``ended`` are games whose match is over and
    whose result is not recorded, in the order in which they ended. ``home_gone`` says that nothing
    can be posted in the home channel. ``troubles`` are what directors have been told once.
    """

    tournament: Tournament
    home: Home
    matches: Mapping[str, MatchId] = field(default_factory=lambda: MappingProxyType({}))
    ended: tuple[str, ...] = ()
    ended_at: Mapping[str, datetime] = field(default_factory=lambda: MappingProxyType({}))
    due_at: datetime | None = None
    previous: TournamentId | None = None
    next: TournamentId | None = None
    home_gone: bool = False
    set_aside_at: datetime | None = None
    troubles: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class LoadedTournament:
    """A tournament, None if there is none, and what an interaction has done, if anything."""

    stored: StoredTournament | None
    done: TournamentEvent | None


@dataclass(frozen=True, slots=True)
class Writing:
    """What one transaction writes.

    ``before`` is the tournament that it was decided on, None for a new one, which has a ``home``.
    ``matches`` are changes to matches: those of games that begin, which ``begun`` names, and those
    whose result the tournament decides. ``previous`` is the season
    before a new one. Without ``changes`` only ``due_at`` and messages are written. ``troubles`` are
    what directors have been told once, with what these messages tell; None if that stays as it is.
    """

    before: Tournament | None
    changes: tuple[TournamentChange, ...]
    due_at: datetime | None
    messages: tuple[NewMessage, ...] = ()
    matches: tuple[Change, ...] = ()
    begun: Mapping[str, MatchId] = field(default_factory=lambda: MappingProxyType({}))
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


class EventNames(Protocol):
    """Who knows what tournaments are called."""

    async def tournament_name(self, tournament_id: TournamentId) -> str | None:
        """The name of a tournament, None if there is none. Raises ``StoreUnavailable``."""
        ...


class TournamentStore(Store, OutboxStore, Protocol):
    """Where tournaments live. Every method is one transaction."""

    async def commit_tournament(self, writing: Writing) -> None:
        """Write events, head, games, matches and messages, all or nothing.

        Raises :exc:`~bot.services.ports.Conflict` if the tournament or one of the matches has moved
        on, also where the interaction has been carried out before.
        """
        ...

    async def load_tournament(
        self, tournament_id: TournamentId, interaction_id: InteractionId | None = None
    ) -> LoadedTournament:
        """A tournament of any server, by id."""
        ...

    async def tournament_done(self, interaction_id: InteractionId) -> TournamentEvent | None:
        """What an interaction has done, in whatever tournament."""
        ...

    async def tournament_history(self, tournament_id: TournamentId) -> tuple[TournamentEvent, ...]:
        """All events in order."""
        ...

    async def tournament_event(
        self, tournament_id: TournamentId, seq: int
    ) -> TournamentEvent | None:
        """One event, None if there is none of that number."""
        ...

    async def tournament_replaced(self, tournament_id: TournamentId, seq: int) -> frozenset[int]:
        """The entrants whose place another person has taken since an event."""
        ...

    async def tournament_links(self, tournament_id: TournamentId) -> Mapping[str, MatchLink]:
        """The matches of its games."""
        ...

    async def tournaments_due(self, now: datetime, limit: int) -> tuple[TournamentId, ...]:
        """Those with something to do: their time has come, or a match of theirs is over."""
        ...

    async def tournaments_not_over(self, after: str, limit: int) -> tuple[TournamentId, ...]:
        """Those that are not over, in the order of their ids, beginning after one id."""
        ...

    async def tournaments_of_server(
        self, guild_id: GuildId, text: str, is_over: bool | None, limit: int
    ) -> tuple[Summary, ...]:
        """Tournaments of a server by a part of the name, those not over first, newest first."""
        ...

    async def tournaments_of_person(self, user_id: UserId, limit: int) -> tuple[Summary, ...]:
        """Tournaments that a person is or was in, in the same order."""
        ...

    async def tournaments_in_channel(self, channel_id: ChannelId) -> tuple[Summary, ...]:
        """Tournaments whose home is a channel, in the same order."""
        ...

    async def directed_by(self, user_id: UserId) -> tuple[TournamentId, ...]:
        """Tournaments not over that a person created or was appointed to direct."""
        ...

    async def blocked_among(self, people: tuple[UserId, ...]) -> frozenset[tuple[UserId, UserId]]:
        """Among these people: who has blocked whom."""
        ...

    async def set_home(
        self, tournament_id: TournamentId, posted: Posted | None, *, is_gone: bool = False
    ) -> None:
        """Note where the home message stands, or that there is no place for it."""
        ...

    async def note_place(self, key: Key, guild_id: GuildId, posted: Posted) -> None:
        """Note where a message stands that is to be closed later."""
        ...

    async def noted_places(self, begins: str) -> tuple[tuple[Key, Posted], ...]:
        """Where such messages stand, by their keys, which begin so."""
        ...

    async def forget_place(self, key: Key) -> None:
        """Forget where such a message stands."""
        ...

    async def show_tournament_again(self, tournament_id: TournamentId, now: datetime) -> None:
        """Have the home message posted again as it is now, in place of the older one."""
        ...

    # verification

    def all_tournaments(
        self,
    ) -> AsyncIterator[tuple[StoredTournament, tuple[TournamentEvent, ...]]]:
        """Every tournament with its history."""
        ...

    async def set_tournament_aside(self, tournament_id: TournamentId, at: datetime) -> bool:
        """Set a tournament aside, so that nothing goes on in it. Whether it was not."""
        ...

    async def reinstate_tournament(self, tournament_id: TournamentId, now: datetime) -> None:
        """Let a tournament that was set aside go on."""
        ...
