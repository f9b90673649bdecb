"""The view of a tournament for pages and messages, and how it is put together."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.domain.ids import TournamentId, UserId
from bot.domain.match import Actor, MatchStatus, Venue
from bot.domain.ratings.rated import MOVES_EACH
from bot.services.pairing import Pairing
from bot.store import Store
from bot.tournaments.domain import running
from bot.tournaments.domain.crosstable import Placing
from bot.tournaments.domain.facts import Fact
from bot.tournaments.domain.fold import TournamentEvent
from bot.tournaments.domain.formats.base import Effort
from bot.tournaments.domain.formats.catalog import placings
from bot.tournaments.domain.planning import event_plan_of
from bot.tournaments.domain.tournament import Tournament, TournamentStatus
from bot.tournaments.services.games import is_patient
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store.records import BegunGame, Home, MatchLink, StoredTournament
from bot.webhooks.domain import person_document

_MEDALS = 3
"""Places that have a medal."""
_AT_ONCE = 50
"""Games with all their events that are read in one transaction."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """The requesting person, with Discord's facts about them in this server."""

    actor: Actor
    roles: frozenset[int] = frozenset()
    manages: bool = False
    """Whether they may manage the server."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The reason why games do not begin: the server has no room for them now.

    ``until`` is when the next thread may be made; None: not before another match is over.
    """

    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class EventView:
    """A tournament with all data for its pages.

    ``tournament`` holds set-up, entrants, rounds and games (ids are keys of ``matches``);
    ``standings`` are best first; ``event`` and ``fact`` are the last event, or in a message the one
    concerned. ``waiting`` are games that could begin, which they do in a moment unless they
    ``wait``. ``calls`` says that players have been called to check in.
    """

    tournament: Tournament
    home: Home
    standings: tuple[Placing, ...]
    plan: Effort
    matches: Mapping[str, MatchLink] = field(default_factory=dict)
    event: TournamentEvent | None = None
    fact: Fact | None = None
    waiting: tuple[str, ...] = ()
    wait: Wait | None = None
    calls: bool = False

    @property
    def unrated(self) -> Mapping[int, bool]:
        """The players whose rating a finished rated event has not changed.

        The value says whether they have played: then each of their games was too short to count.
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

    def place_of(self, number: int) -> Placing | None:
        """The place of an entrant, None for one without a place."""
        return next((each for each in self.standings if each.number == number), None)

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
        return tuple(each.number for each in self.podium if is_over and each.rank == 1)


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of an act, shown before it is confirmed; nothing has changed.

    ``facts`` would be written, in order; ``forfeits`` are games that would get a result by it;
    ``ends`` are those whose match is running and would end, also of a round that would be drawn
    again (``undoes``) or of games of a knockout that would be ``unpaired``; ``seats`` are those in
    whose match another person would take a seat, ``left`` those that would go on without one of
    four; ``finish`` would be the event's last day; ``told`` is the number of players who would get
    a message of their own, ``is_posted`` whether one for all would be posted. ``can_undo`` says
    whether it can be undone while nothing follows. Carrying it out needs ``key``, a number that
    identifies all of this: if the effect would be different by then, it is refused with
    ``tournament_changed``.
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
    finish: datetime | None = None


@dataclass(frozen=True, slots=True)
class AuditLine(TournamentEvent):
    """An event as a line of the log that players can read.

    The people are negative for those whose data was erased. ``former_id`` is the person who was
    replaced. ``is_undone`` says it was undone, ``can_undo`` that it still can be. ``undoes`` is the
    first line of the act that it undoes.
    """

    by_director: bool = False
    is_undone: bool = False
    can_undo: bool = False
    former_id: UserId | None = None
    undoes: AuditLine | None = None


async def viewed(
    store: Store,
    stored: StoredTournament,
    version: int | None = None,
    *,
    pairing: Pairing | None = None,
) -> EventView:
    """The view of a loaded tournament, with the last event or that of a ``version``."""
    t = stored.tournament
    number = t.version if version is None else version
    event = await store.read(tournament_reading.event, t.id, number)
    links = await store.read(tournament_reading.links, t.id)
    # Tie-breaks of many players take a while.
    standings = await asyncio.to_thread(placings, t)
    waiting = tuple(each.id for each in running.startable(t))
    return EventView(
        t,
        stored.home,
        standings,
        event_plan_of(t),
        links,
        event,
        None if event is None else event.fact,
        waiting,
        await _wait(pairing, stored) if waiting and pairing is not None else None,
        t.checks_in is not None and stored.has_called,
    )


async def games_of(store: Store, stored: StoredTournament) -> tuple[BegunGame, ...]:
    """All games whose match has begun."""
    names, found = tuple(stored.matches), list[BegunGame]()
    for at in range(0, len(names), _AT_ONCE):
        part = names[at : at + _AT_ONCE]
        found += await store.read(tournament_reading.begun, stored.matches, part)
    return tuple(found)


async def _wait(pairing: Pairing, stored: StoredTournament) -> Wait | None:
    """The reason why games do not begin now, None if there is none.

    It is the finding of :meth:`bot.tournaments.services.games.Games.begin`.
    """
    room = await pairing.room(stored.home.guild_id)
    if room.matches < 1:
        return Wait()
    setup = stored.tournament.setup
    in_threads = setup.venue is Venue.THREAD and not stored.home_gone
    if in_threads and room.threads < 1 and is_patient(setup):
        return Wait(room.next_thread)
    return None


async def document(store: Store, tournament_id: TournamentId) -> dict[str, Any] | None:
    """A tournament in the form of docs/records.md, under ``tournament``; None if it is gone."""
    stored = await store.read(tournament_reading.stored, tournament_id)
    if stored is None:
        return None
    t = stored.tournament
    standings = [
        {
            **person_document(t.entrants[each.number - 1].user_id),
            "place": each.rank,
            "division": each.division or None,
            "points": float(each.points),
            "rating": t.entrants[each.number - 1].rating,
        }
        for each in await asyncio.to_thread(placings, t)
    ]
    about = {
        "id": t.id,
        "name": t.setup.name,
        "game": t.setup.game,
        "format": t.setup.format.value,
        "status": t.status.value,
        "begins": t.begins.isoformat(),
        "ended": t.updated_at.isoformat() if t.status.is_final else None,
        "rounds": len(t.rounds),
        "standings": standings,
    }
    return {"tournament": about}
