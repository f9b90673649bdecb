"""Replaying every stored tournament, to find damage on the disk.

Only an invalid tournament is set aside: nothing goes on in it until it is valid again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.clock import Clock
from bot.domain.history import HistoryError
from bot.logs import logger
from bot.services.verification import Problem, Verification
from bot.store import Store
from bot.tournaments.domain.fold import TournamentEvent, replay
from bot.tournaments.store import reading as tournament_reading
from bot.tournaments.store import writing as tournament_writing
from bot.tournaments.store.records import StoredTournament

_log = logger(__name__)


def problem_of(stored: StoredTournament, history: Sequence[TournamentEvent]) -> HistoryError | None:
    """The fault of a tournament, None if chain, facts, head and games are valid."""
    t = stored.tournament
    try:
        again = replay(history)
    except HistoryError as error:
        return error
    begun = {name for name, played in again.games.items() if played.has_begun}
    if again != t or tuple(again.games) != tuple(t.games) or begun != set(stored.matches):
        return HistoryError("head", t.version)
    return None


async def verify_tournaments(store: Store) -> Verification:
    """Check every tournament."""
    problems: list[Problem] = []
    checked = seen = 0
    async for stored, history in tournament_reading.every(store):
        checked += 1
        seen += len(history)
        found = await asyncio.to_thread(problem_of, stored, history)
        if found is not None:
            problems.append(Problem(stored.tournament.id, found))
    return Verification(checked, seen, tuple(problems))


class TournamentVerifier:
    """Checks all tournaments again and again."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def sweep(self) -> None:
        """Set aside invalid tournaments, and reinstate those that are valid again."""
        async for stored, history in tournament_reading.every(self._store):
            problem = await asyncio.to_thread(problem_of, stored, history)
            t = stored.tournament
            if problem is None:
                if stored.set_aside_at is not None:
                    await self._store.write(tournament_writing.reinstate, t.id, self._clock.now())
                    _log.warning("a tournament holds again and goes on", tournament=t.id)
            elif await self._store.write(tournament_writing.set_aside, t.id, self._clock.now()):
                _log.error(
                    "a tournament is damaged and set aside; all others go on",
                    tournament=t.id,
                    error=str(problem),
                )
