"""Telling people what they have done although Discord did not take the answer.

An event is what an interaction has caused, and stands in the match's history under its id. So it is
enough to write down that its person has not been told; what to say follows from the event,
at their next interaction, whichever process that comes to.

Hardly ever is anybody owed an answer, so what is owed is read once a minute and not for every
interaction: a read costs 0.4 ms, a twentieth of a move. Another process than the one that owes may
so tell a person a minute late.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from cachetools import TTLCache

from bot.domain.ids import InteractionId, UserId
from bot.errors import UserError
from bot.logs import logger
from bot.services.match_changes import Answer
from bot.services.matches import MatchService
from bot.services.ports import Clock, StoreUnavailable

_log = logger(__name__)

_REMEMBERED = timedelta(days=2)
"""How long it is of use to be told what one has done."""
_READ = timedelta(seconds=60)
"""How long what was read of all that is owed is good for."""
_TOLD, _SOON = 1000, 2 * _READ.total_seconds()
"""Answers just given, and the seconds for which they are known: what was read before it was noted
that they were given may still call them owed."""


@dataclass(frozen=True, slots=True)
class Owed:
    """What a person has done by an interaction and has not been told."""

    interaction_id: InteractionId
    answer: Answer


class OwedStore(Protocol):
    """Where it is kept who has not been told what they have done."""

    async def owe(self, interaction_id: InteractionId, now: datetime, before: datetime) -> None:
        """Note that the person has not been told, if this interaction has caused an event.

        What was noted ``before`` some instant is forgotten.
        """
        ...

    async def all_owed(self) -> tuple[tuple[UserId, InteractionId], ...]:
        """The interactions of people whose events they have not been told, in order."""
        ...

    async def told(self, interaction_id: InteractionId) -> None:
        """The person has been told."""
        ...


class OwedAnswers:
    """Remembers what people are still to be told. Without the store nothing is remembered."""

    def __init__(self, store: OwedStore, matches: MatchService, clock: Clock) -> None:
        self._store = store
        self._matches = matches
        self._clock = clock
        self._owed: tuple[tuple[UserId, InteractionId], ...] = ()
        self._read_at: datetime | None = None
        self._told: TTLCache[InteractionId, bool] = TTLCache(_TOLD, _SOON)

    async def owe(self, interaction_id: InteractionId) -> None:
        """Note that the person has not been told what this interaction has caused, if anything."""
        now = self._clock.now()
        try:
            await self._store.owe(interaction_id, now, now - _REMEMBERED)
            self._read_at = None
        except StoreUnavailable as error:
            _log.warning("an answer that is owed could not be noted", reason=error.reason)

    async def of(self, user_id: UserId) -> tuple[Owed, ...]:
        """What a person has done and has not been told, as far as that can be found out now."""
        found = []
        with contextlib.suppress(StoreUnavailable, UserError):
            await self._read()
            if self._of(user_id) and self._read_at != self._clock.now():
                # Another process may have told them since it was read.
                self._read_at = None
                await self._read()
            for interaction_id in self._of(user_id):
                done = await self._matches.done(interaction_id)
                if done is not None and interaction_id not in self._told:
                    found.append(Owed(interaction_id, done))
        return tuple(found)

    def _of(self, user_id: UserId) -> tuple[InteractionId, ...]:
        """What a person was owed when it was read, but for what they have been told here since."""
        mine = (each for person, each in self._owed if person == user_id)
        return tuple(each for each in mine if each not in self._told)

    async def _read(self) -> None:
        now = self._clock.now()
        if self._read_at is None or now - self._read_at >= _READ:
            self._read_at = now
            try:
                self._owed = await self._store.all_owed()
            except StoreUnavailable:
                self._read_at = None
                raise

    async def told(self, interaction_id: InteractionId) -> None:
        """The person has been told; if that cannot be noted, they are told once more."""
        self._told[interaction_id] = True
        try:
            await self._store.told(interaction_id)
        except StoreUnavailable as error:
            self._told.pop(interaction_id, None)
            _log.warning("an answer that was given could not be noted", reason=error.reason)
