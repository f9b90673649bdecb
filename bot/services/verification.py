"""Playing every stored match through again, to find what was damaged on the disk.

``parlour verify`` does it at once. A running bot does it all the time, a few matches every few
seconds, so that damage is found long before a player comes upon it: what the disk holds is read
again, each hash is computed again, each move is played again. A match that does not hold is set
aside, and only that match: nobody can play on in it, its clock stops, and players who ask are told.
If it holds later on, because the files were mended, it goes on, and its clock is given back the
time between.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.domain import match_clock
from bot.domain.clock import Span
from bot.domain.events import Event
from bot.domain.history import HistoryError, verify
from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.logs import logger
from bot.store import Store, presence, upkeep
from bot.store.errors import Conflict
from bot.store.records import Piece

_log = logger(__name__)

EVERY = 5.0
"""Seconds between two pieces."""
_PIECE = 10
"""Matches checked at a time, 170,000 in a day."""
_LONGEST = 0.5
"""Seconds after which no further match is begun."""
_REST = timedelta(minutes=10)
"""The least time between two rounds."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The error of a match or a tournament."""

    id: str
    error: HistoryError


@dataclass(frozen=True, slots=True)
class Verification:
    """The numbers of matches or tournaments checked and of their events, and the errors."""

    checked: int
    events: int
    problems: tuple[Problem, ...]


async def verify_all(store: Store) -> Verification:
    """Check hash chain, every move and the head of every match, a hundred in memory at a time."""
    checked = seen = 0
    problems: list[Problem] = []
    async for match, events in store.all_matches():
        checked += 1
        seen += len(events)
        error = _problem(match, events)
        if error is not None:
            problems.append(Problem(match.id, error))
    return Verification(checked, seen, tuple(problems))


def _problem(match: Match, events: tuple[Event, ...]) -> HistoryError | None:
    try:
        verify(match, events)
    except HistoryError as error:
        return error
    except Exception as error:
        # Its chain holds, or it would have said so; the rules stumble over what it holds.
        return HistoryError("impossible", match.version, repr(error))
    return None


class Verifier:
    """Checks all matches again and again; ``set_aside`` is how many do not hold."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._next_at: datetime | None = None
        self._odd: set[MatchId] = set()
        self.set_aside = 0
        self.verified = 0
        """The number of matches this process has looked through."""
        self.whole_at: datetime | None = None
        """When last all had been."""

    async def step(self) -> None:
        """Check the next few matches, if it is time. Raises ``StoreUnavailable``."""
        now = self._clock.now()
        if self._next_at is None:
            self._next_at = now
            self.whole_at = await self._store.read(upkeep.verified_at)
            await self._count()
        if now < self._next_at:
            return
        piece = await self._store.read(upkeep.to_verify, _PIECE)
        looked = 0
        until = time.monotonic() + _LONGEST
        for match, events in piece.found:
            await self._look(match, events)
            looked += 1
            if time.monotonic() > until:
                break
        self.verified += looked
        await self._store.write(
            upkeep.verified, Piece(piece.after, piece.found[:looked]), self._clock.now()
        )
        if not piece.found:
            self.whole_at = self._clock.now()
            self._next_at = max(self._next_at + _REST, self.whole_at)
            await self._count()

    async def _count(self) -> None:
        self.set_aside = len(await self._store.read(upkeep.all_set_aside))

    async def _look(self, match: Match, events: tuple[Event, ...]) -> None:
        error = await asyncio.to_thread(_problem, match, events)
        if error is None:
            if match.set_aside_at is not None:
                await self._reinstate(match, match.set_aside_at)
        elif error.code == "impossible" and match.set_aside_at is None:
            # Every hash is right, so it is as it was written, and the rules are others.
            if match.id not in self._odd:
                self._odd.add(match.id)
                _log.warning(
                    "a match cannot be played through again", match=match.id, error=str(error)
                )
        elif await self._store.write(upkeep.set_aside, match.id, self._clock.now()):
            self.set_aside += 1
            _log.error(
                "a match is damaged and set aside; all others go on. A backup from before the"
                " damage would have it whole; parlour doctor names all that are set aside",
                match=match.id,
                error=str(error),
            )

    async def _reinstate(self, match: Match, since: datetime) -> None:
        """Let a match go on that holds after all, and give its clock back the time."""
        now = self._clock.now()
        whole = replace(match, set_aside_at=None)
        availability = await self._store.read(presence.availability_of, whole, now)
        stopped_spans = (*availability.stopped_spans, Span(since, now))
        act = replace(availability.act(now), stopped_spans=stopped_spans)
        try:
            await self._store.write(upkeep.reinstate, whole, match_clock.credit(whole, act), now)
        except Conflict:
            return  # It has ended meanwhile.
        self.set_aside -= 1
        _log.warning("a match holds again and goes on", match=match.id)
