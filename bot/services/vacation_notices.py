"""Telling people of their own vacation: that it has begun by itself, and once that it is over.

They are told as they are told of their turn, in quiet hours not at all until these end. Who is told
by mentions is mentioned in the match that presses most.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.preferences import NoticeWay
from bot.domain.table import player_on_turn
from bot.errors import UserError
from bot.services.notices import Notices, place_of
from bot.services.ports import (
    Clock,
    Conflict,
    DirectRefused,
    Gone,
    Messenger,
    Recipient,
    Refused,
    Retry,
)
from bot.services.vacation_store import KeptVacation, VacationStore

__all__ = ["VacationNotices"]

log = logging.getLogger(__name__)

_BATCH = 50


class NoticeStore(VacationStore, Protocol):
    """Vacations, and the matches of those who have them."""

    async def active_of(self, user_id: UserId) -> tuple[Match, ...]:
        """Everything running or on offer in which this person has or is kept a chair."""
        ...


class VacationNotices:
    """Tells people of their vacations."""

    def __init__(
        self, store: NoticeStore, messenger: Messenger, notices: Notices, clock: Clock
    ) -> None:
        self._store = store
        self._messenger = messenger
        self._notices = notices
        self._clock = clock

    async def sweep(self) -> int:
        """Tell everybody who is to be told by now; returns how many were told.

        Raises :exc:`~bot.services.ports.StoreUnavailable`.
        """
        told = 0
        for kept in await self._store.vacations_to_tell(self._clock.now(), _BATCH):
            told += await self._tell(kept)
        return told

    async def _tell(self, kept: KeptVacation) -> bool:
        now = self._clock.now()
        is_over = kept.vacation.ends_at <= now
        chosen = await self._notices.chosen_by(kept.user_id)
        then = None if is_over else kept.vacation.ends_at
        if chosen.present_way is NoticeWay.NOTHING or (not is_over and not kept.vacation.by_itself):
            await self._done(kept, then)
            return False
        quiet = chosen.quiet_until(now)
        if quiet is not None:
            await self._done(kept, quiet)
            return False
        direct = chosen.present_way in (NoticeWay.DIRECT, NoticeWay.DIGEST)
        try:
            told = await self._say(kept, is_over=is_over, direct=direct)
        except Retry:
            return False
        await self._done(kept, then)
        return told

    async def _say(self, kept: KeptVacation, *, is_over: bool, direct: bool) -> bool:
        """Tell somebody directly or in a match of theirs, wherever Discord lets it through."""
        user = kept.user_id
        match = _pressing(await self._store.active_of(user), user)
        places = [Recipient(user_id=user)] if direct else []
        if match is not None:
            places.append(place_of(match, user))
        letter = "o" if is_over else "b"
        for place in dict.fromkeys(places):
            try:
                await self._messenger.tell_of_vacation(
                    user,
                    match,
                    kept.vacation,
                    place,
                    is_over=is_over,
                    nonce=f"v{user:x}.{kept.number:x}{letter}"[:25],
                )
            except DirectRefused:
                await self._notices.refused(user)
            except (Gone, Refused) as error:
                log.info("vacation %s not told: %s", kept.number, error.reason)
            else:
                return True
        return False

    async def _done(self, kept: KeptVacation, then: datetime | None) -> None:
        """Note when the person is to be told next, unless the vacation has just been changed."""
        try:
            await self._store.keep_vacation(replace(kept, tell_at=then))
        except Conflict:
            return


def _pressing(matches: tuple[Match, ...], user_id: UserId) -> Match | None:
    """Of a person's running matches that which waits for them, by the first deadline; or any."""
    running = [match for match in matches if match.status is MatchStatus.RUNNING]

    def rank(match: Match) -> tuple[bool, float]:
        at = match.deadline
        mine = at is not None and _waits_for(match, user_id)
        return not mine, 0.0 if at is None else at.timestamp()

    return min(running, key=rank, default=None)


def _waits_for(match: Match, user_id: UserId) -> bool:
    try:
        player = player_on_turn(match)
    except UserError:
        return False
    return player is not None and match.players[player] == user_id
