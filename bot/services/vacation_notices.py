"""Telling people of their own vacation: that it has begun by itself, and once that it is over.

They are told as they are told of their turn, in quiet hours not at all until these end. Who is told
by mentions is mentioned in the match that presses most of those that wait for them, and not at all
if none does: the next turn calls them.
"""

from __future__ import annotations

import contextlib
import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from bot.domain.game_state import player_on_turn
from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.preferences import NoticeWay
from bot.errors import UserError
from bot.services.notices import Notices, place_of
from bot.services.outgoing import LEASE
from bot.services.ports import Clock, Conflict
from bot.services.sending import (
    DirectRefused,
    Gone,
    Messenger,
    Posted,
    Recipient,
    Refused,
    Retry,
)
from bot.services.vacation_store import VacationRow, VacationStore

log = logging.getLogger(__name__)

_BATCH = 50
_AGAIN = timedelta(seconds=20)


class NoticeStore(VacationStore, Protocol):
    """Vacations, and the matches of those who have them."""

    async def active_of(self, user_id: UserId) -> tuple[Match, ...]:
        """Everything running or on offer in which this person has or is kept a chair."""
        ...

    async def replace_line(self, match: Match, player: int, posted: Posted) -> None:
        """Note which message calls a player now; the one that did before is deleted."""
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

    async def _tell(self, kept: VacationRow) -> bool:
        now = self._clock.now()
        is_over = kept.vacation.ends_at <= now
        chosen = await self._notices.chosen_by(kept.user_id)
        quiet, tells = None, False
        if chosen.present_way is not NoticeWay.NOTHING and (is_over or kept.vacation.by_itself):
            quiet = chosen.quiet_until(now)
            # Of two vacations of which one begins where the other ends only the last one is told.
            tells = quiet is None and not (is_over and await self._is_away(kept.user_id, now))
        then = quiet or (None if is_over else kept.vacation.ends_at)
        if not tells:
            await self._note(kept, then, None if quiet is None else kept.tried_at)
            return False
        # Noted first: of two processes one tells them, and what one that dies has posted is found.
        noted = await self._note(kept, now + LEASE, kept.tried_at or now)
        if noted is None:
            return False
        direct = chosen.present_way in (NoticeWay.DIRECT, NoticeWay.DIGEST)
        try:
            told = await self._say(kept, is_over=is_over, direct=direct)
        except Retry as error:
            again = _AGAIN if error.after is None else timedelta(seconds=error.after)
            tried_at = kept.tried_at or (now if error.sent else None)
            await self._note(noted, now + again, tried_at)
            return False
        await self._note(noted, then, None)
        return told

    async def _is_away(self, user_id: UserId, now: datetime) -> bool:
        return bool(await self._store.leaves((user_id,), now))

    async def _say(self, kept: VacationRow, *, is_over: bool, direct: bool) -> bool:
        """Tell somebody directly or in a match of theirs, wherever Discord lets it through."""
        user = kept.user_id
        matches = await self._store.active_of(user)
        if kept.tried_at is not None and await self._was_told(kept, matches, is_over=is_over):
            return False
        match = _pressing(matches, user)
        places = [Recipient(user_id=user)] if direct else []
        if match is not None:
            places.append(place_of(match, user))
        letter = "o" if is_over else "b"
        for place in dict.fromkeys(places):
            try:
                posted = await self._messenger.tell_of_vacation(
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
                if match is not None and place == place_of(match, user):
                    await self._tidy(match, user, posted)
                return True
        return False

    async def _was_told(
        self, kept: VacationRow, matches: tuple[Match, ...], *, is_over: bool
    ) -> bool:
        """Whether an earlier attempt has told them, directly or in any match of theirs.

        In a match it stands until their move there.
        """
        user, since = kept.user_id, kept.tried_at
        assert since is not None  # noqa: S101 - or there was no attempt
        places: dict[Recipient, Match | None] = {Recipient(user_id=user): None}
        places |= {place_of(each, user): each for each in matches if each.state}
        for place, match in places.items():
            posted = None
            with contextlib.suppress(Gone, Refused):
                posted = await self._messenger.find_word_of_vacation(
                    user, match, place, is_over=is_over, since=since
                )
            if posted is not None:
                if match is not None and _waits_for(match, user):
                    await self._tidy(match, user, posted)
                elif match is not None:
                    await self._erase(match, posted)
                return True
        return False

    async def _tidy(self, match: Match, user: UserId, posted: Posted) -> None:
        """Have the line stand in the place of the one that called its person there before."""
        player = match.index_of(user)
        if player is not None:
            await self._store.replace_line(match, player, posted)

    async def _erase(self, match: Match, line: Posted) -> None:
        try:
            await self._messenger.erase(line)
        except (Retry, Gone, Refused):
            log.info("match %s: an old line could not be deleted", match.id)

    async def _note(
        self, kept: VacationRow, then: datetime | None, tried_at: datetime | None
    ) -> VacationRow | None:
        """Note when the person is to be told next; None if the vacation has just been changed."""
        noted = replace(kept, tell_at=then, tried_at=tried_at)
        try:
            await self._store.keep_vacation(noted)
        except Conflict:
            return None
        return replace(noted, version=kept.version + 1)


def _pressing(matches: tuple[Match, ...], user_id: UserId) -> Match | None:
    """Of a person's running matches that which waits for them, by the first deadline; or none."""

    def rank(match: Match) -> tuple[bool, float]:
        at = match.deadline
        return at is None, 0.0 if at is None else at.timestamp()

    waiting = (match for match in matches if _waits_for(match, user_id))
    return min(waiting, key=rank, default=None)


def _waits_for(match: Match, user_id: UserId) -> bool:
    if match.status is not MatchStatus.RUNNING:
        return False
    try:
        player = player_on_turn(match)
    except UserError:
        return False
    return player is not None and match.players[player] == user_id
