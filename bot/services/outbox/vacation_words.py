"""Telling people of their own vacation: that it has begun by itself, and once that it is over.

They are told as they are told of their turn, and never in quiet hours. People who are told by
mentions are mentioned in the most pressing match that waits for them; if none waits, they are not
told, since their next turn calls them.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import datetime

from bot.clock import Clock
from bot.domain.game_state import waits_for
from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.domain.preferences import NoticeWay
from bot.logs import logger
from bot.posts.outgoing import (
    QUIET,
    VACATION,
    Claim,
    Done,
    Handler,
    Outcome,
    PutOff,
    id_in,
    vacation_message,
)
from bot.posts.sending import Gone, Notice, Posted, Recipient, Refused, VacationNews
from bot.services.notices import Notices, place_of
from bot.store import Store, match_feed, times, transactions

_log = logger(__name__)


class VacationWords(Handler):
    """Tells people of their vacations."""

    kinds = frozenset({VACATION})

    def __init__(self, store: Store, notices: Notices, clock: Clock) -> None:
        self._store = store
        self._notices = notices
        self._clock = clock

    async def make(self, claim: Claim) -> Outcome:
        """Tell a person that a vacation of theirs has begun or is over, if they are to be told."""
        now, user = self._clock.now(), UserId(int(id_in(claim.key)))
        rows = await self._store.read(times.vacations_of, user)
        kept = next((each for each in rows if str(each.number) == claim.slot), None)
        if kept is None:
            return Done()
        is_over = kept.vacation.ends_at <= now
        then = () if is_over else (vacation_message(user, kept.number, kept.vacation.ends_at),)
        chosen = await self._notices.chosen_by(user)
        wants = chosen.present_way is not NoticeWay.NOTHING
        if not (wants and (is_over or kept.vacation.by_itself)):
            return Done(then=then)
        wait = chosen.quiet_until(now)
        if wait is not None:
            return PutOff(wait, QUIET, certain=True)
        # Of two vacations of which one begins where the other ends only the last one is told.
        if not (is_over and await self._is_away(user, now)):
            direct = chosen.present_way in (NoticeWay.DIRECT, NoticeWay.DIGEST)
            nonce = f"v{user:x}.{kept.number:x}{'o' if is_over else 'b'}"[:25]
            news = VacationNews(None if is_over else kept.vacation.ends_at)
            await self._say(Notice(None, user, news, nonce), claim.tried_at, direct=direct)
        return Done(then=then)

    async def _is_away(self, user_id: UserId, now: datetime) -> bool:
        return bool(await self._store.read(times.lasting_vacations, (user_id,), now))

    async def _say(self, notice: Notice, since: datetime | None, *, direct: bool) -> None:
        """Tell them directly or in a match of theirs, wherever Discord lets it through."""
        user = notice.person
        matches = await self._store.read(transactions.active_of, user)
        if since is not None and await self._was_told(notice, matches, since):
            return
        match = _pressing(matches, user)
        places = [Recipient(user_id=user)] if direct else []
        if match is not None:
            places.append(place_of(match, user))
        posted = await self._notices.tell_in(replace(notice, match=match), dict.fromkeys(places))
        if match is not None and posted is not None:
            home = place_of(match, user).channel_id
            if home in (None, posted.channel_id):
                await self._stands(match, user, posted)

    async def _was_told(self, notice: Notice, matches: tuple[Match, ...], since: datetime) -> bool:
        """Whether an earlier attempt has told them, directly or in any match of theirs.

        In a match it stands until their move there.
        """
        user = notice.person
        places: dict[Recipient, Match | None] = {Recipient(user_id=user): None}
        places |= {place_of(each, user): each for each in matches if each.state}
        for place, match in places.items():
            posted = None
            with contextlib.suppress(Gone, Refused):
                of_it = replace(notice, match=match)
                posted = await self._notices.messenger.find_notice(of_it, place, since)
            if posted is not None:
                if match is not None:
                    await self._stands(match, user, posted)
                return True
        return False

    async def _stands(self, match: Match, user: UserId, posted: Posted) -> None:
        """Have the line stand in the place of the one that called its person there before."""
        player = match.index_of(user)
        if player is not None:
            await self._store.write(match_feed.replace_line, match, player, posted)


def _pressing(matches: tuple[Match, ...], user_id: UserId) -> Match | None:
    """Of a person's running matches that which waits for them, by the first deadline; or none."""

    def rank(match: Match) -> tuple[bool, float]:
        at = match.deadline
        return at is None, 0.0 if at is None else at.timestamp()

    waiting = (match for match in matches if waits_for(match, user_id))
    return min(waiting, key=rank, default=None)
