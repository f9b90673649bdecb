"""Replaying every stored tournament, to find damage on the disk.

Only an invalid tournament is set aside: nothing goes on in it until it is valid again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from bot.clock import Clock
from bot.domain.history import wrong_words
from bot.domain.ids import TournamentId
from bot.logs import logger
from bot.store import Store
from bot.tournaments.domain.fold import HistoryBroken, TournamentEvent, replay
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store import writing as tournament_writing
from bot.tournaments.store.records import StoredTournament

_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class TournamentProblem:
    """The fault of one tournament: a code of :exc:`HistoryBroken`, or ``head``."""

    tournament_id: TournamentId
    code: str
    seq: int

    def __str__(self) -> str:
        return wrong_words(self.code, self.seq)


@dataclass(frozen=True, slots=True)
class TournamentsVerified:
    """The number of verified tournaments, and their faults."""

    tournaments: int
    problems: tuple[TournamentProblem, ...]


def problem_of(
    stored: StoredTournament, history: Sequence[TournamentEvent]
) -> TournamentProblem | None:
    """The fault of a tournament, None if chain, facts, head and games are valid."""
    t = stored.tournament
    try:
        again = replay(history)
    except HistoryBroken as error:
        return TournamentProblem(t.id, error.code, error.seq)
    begun = {name for name, played in again.games.items() if played.has_begun}
    if again != t or tuple(again.games) != tuple(t.games) or begun != set(stored.matches):
        return TournamentProblem(t.id, "head", t.version)
    return None


async def _checked(
    store: Store,
) -> AsyncIterator[tuple[StoredTournament, TournamentProblem | None]]:
    async for stored, history in tournament_reading.every(store):
        yield stored, await asyncio.to_thread(problem_of, stored, history)


async def verify_tournaments(store: Store) -> TournamentsVerified:
    """Check every tournament."""
    found = [problem async for _, problem in _checked(store)]
    return TournamentsVerified(len(found), tuple(each for each in found if each is not None))


async def set_damaged_aside(store: Store, clock: Clock) -> None:
    """Set aside invalid tournaments, and reinstate those that are valid again."""
    async for stored, problem in _checked(store):
        id_ = stored.tournament.id
        if problem is None:
            if stored.set_aside_at is not None:
                await store.write(tournament_writing.reinstate, id_, clock.now())
                _log.warning("a tournament holds again and goes on", tournament=id_)
        elif await store.write(tournament_writing.set_aside, id_, clock.now()):
            _log.error(
                "a tournament is damaged and set aside; all others go on",
                tournament=id_,
                error=str(problem),
            )
