"""Replaying every stored tournament, to find damage on the disk.

Only an invalid tournament is set aside: nothing goes on in it until it is valid again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import TypeAlias

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


_Checked: TypeAlias = tuple[StoredTournament, Sequence[TournamentEvent], HistoryError | None]


async def _checked(store: Store) -> AsyncIterator[_Checked]:
    async for stored, history in tournament_reading.every(store):
        yield stored, history, await asyncio.to_thread(problem_of, stored, history)


async def verify_tournaments(store: Store) -> Verification:
    """Check every tournament."""
    checked = events = 0
    problems: list[Problem] = []
    async for stored, history, error in _checked(store):
        checked += 1
        events += len(history)
        if error is not None:
            problems.append(Problem(stored.tournament.id, error))
    return Verification(checked, events, tuple(problems))


async def set_damaged_aside(store: Store, clock: Clock) -> None:
    """Set aside invalid tournaments, and reinstate those that are valid again."""
    async for stored, _, problem in _checked(store):
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
