"""Answers that Discord did not take.

Players hear what they have done if its answer got lost, with their next interaction. Only the id of
the lost interaction is noted, under which its event stands in the history. The list is read once a
minute, so another process may be a minute late.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from cachetools import TTLCache

from bot.clock import Clock
from bot.domain.ids import InteractionId, UserId
from bot.errors import UserError
from bot.logs import logger
from bot.services.match_changes import Answer
from bot.services.matches import MatchService
from bot.store import Store, notices
from bot.store.errors import StoreUnavailable

_log = logger(__name__)

_REMEMBERED = timedelta(days=2)
"""The time for which lost answers are kept."""
_READ = timedelta(seconds=60)
"""The time for which the list of lost answers is cached."""
_TOLD, _SOON = 1000, 2 * _READ.total_seconds()
"""Answers just told, and for how many seconds they are remembered: a cached list may have them."""


@dataclass(frozen=True, slots=True)
class LostAnswer:
    """An act whose answer got lost."""

    interaction_id: InteractionId
    answer: Answer


class LostAnswers:
    """Remembers what people are still to be told. Without the store nothing is remembered."""

    def __init__(self, store: Store, matches: MatchService, clock: Clock) -> None:
        self._store = store
        self._matches = matches
        self._clock = clock
        self._owed: tuple[tuple[UserId, InteractionId], ...] = ()
        self._read_at: datetime | None = None
        self._told: TTLCache[InteractionId, bool] = TTLCache(_TOLD, _SOON)

    async def owe(self, interaction_id: InteractionId) -> None:
        """Note that the answer to this interaction got lost."""
        now = self._clock.now()
        try:
            await self._store.write(notices.owe, interaction_id, now, now - _REMEMBERED)
            self._read_at = None
        except StoreUnavailable as error:
            _log.warning("an answer that is owed could not be noted", reason=error.reason)

    async def of(self, user_id: UserId) -> tuple[LostAnswer, ...]:
        """The acts of a player whose answers got lost, as far as known now."""
        found = []
        with contextlib.suppress(StoreUnavailable, UserError):
            await self._read(_READ)
            if self._of(user_id):
                # Another process may have told them since it was read.
                await self._read(timedelta())
            for interaction_id in self._of(user_id):
                done = await self._matches.done(interaction_id)
                if done is not None and interaction_id not in self._told:
                    found.append(LostAnswer(interaction_id, done))
        return tuple(found)

    def _of(self, user_id: UserId) -> tuple[InteractionId, ...]:
        mine = (each for person, each in self._owed if person == user_id)
        return tuple(each for each in mine if each not in self._told)

    async def _read(self, oldest: timedelta) -> None:
        now = self._clock.now()
        if self._read_at is None or abs(now - self._read_at) > oldest:
            self._read_at = now
            try:
                self._owed = await self._store.read(notices.all_owed)
            except StoreUnavailable:
                self._read_at = None
                raise

    async def told(self, interaction_id: InteractionId) -> None:
        """Note that the player has been told; otherwise they are told once more."""
        self._told[interaction_id] = True
        try:
            await self._store.write(notices.answer_told, interaction_id)
        except StoreUnavailable as error:
            self._told.pop(interaction_id, None)
            _log.warning("an answer that was given could not be noted", reason=error.reason)
