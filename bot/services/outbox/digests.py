"""Digests: one direct message a day about a person's matches, if there is anything to say.

It lists the matches that wait for their move, those that wait for their answer, and tells what has
happened since: what the notices of the day would have told (:mod:`bot.services.notices`). Where
Discord lets no digest through, its reader is mentioned in each of these matches instead, as they
would have been without a digest. News of matches in direct messages have no other place: they are
handed back as notices, which wait for their player like all that are refused there. News of matches
that its reader follows are kept: for the next digest, or for their next interaction if no digest is
to come (:attr:`bot.store.records.Blockages.unread`). Where Discord lets no direct message
through at all, the settings of that player say so.

The first digest is planned when its reader chooses digests or another hour
(:func:`next_digest`), and each plans the next one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from bot.clock import Clock
from bot.domain.game_state import waits_for
from bot.domain.ids import UserId
from bot.domain.match import Match, MatchStatus, Venue
from bot.domain.preferences import NoticeWay
from bot.domain.quiet_hours import next_at_hour
from bot.logs import logger
from bot.posts.deliveries import is_news
from bot.posts.outgoing import (
    DIGEST,
    QUIET,
    Claim,
    Done,
    Handler,
    Outcome,
    PutOff,
    id_in,
    next_digest,
)
from bot.posts.sending import NOTICES, DirectRefused, Gone, News, Notice, NoticeKind, Refused
from bot.services.notices import Notices, place_of
from bot.store import Store, blocked, match_feed, transactions
from bot.store import notices as stored_notices

_log = logger(__name__)


def asks(match: Match, user_id: UserId) -> bool:
    """Whether a match waits for a person's answer: to an offer, or to what another player wants."""
    player = match.index_of(user_id)
    if match.status is MatchStatus.OFFERED:
        return player is None and user_id in match.invited
    if player is None or player in match.retired:
        return False
    return any(player not in request.agreed for request in match.requests)


_NUMBER = {notice: number for number, notice in enumerate(NOTICES.values())}


@dataclass(frozen=True, slots=True)
class _Digest:
    """What a digest says; ``read`` are all news that it makes old, also those it leaves out."""

    waiting: tuple[Match, ...]
    asked: tuple[Match, ...]
    news: tuple[News, ...]
    read: tuple[News, ...]

    def __bool__(self) -> bool:
        return bool(self.waiting or self.asked or self.news)


class Digests(Handler):
    """Sends digests."""

    kinds = frozenset({DIGEST})

    def __init__(self, store: Store, notices: Notices, clock: Clock) -> None:
        self._store = store
        self._notices = notices
        self._messenger = notices.messenger
        self._clock = clock

    async def make(self, claim: Claim) -> Outcome:
        """Send a digest if its reader still wants one and there is anything to say."""
        user, now = UserId(int(id_in(claim.key))), self._clock.now()
        chosen = await self._notices.chosen_by(user)
        if chosen.present_way is not NoticeWay.DIGEST:
            return Done()
        tomorrow = next_digest(user, next_at_hour(chosen.digest_hour, chosen.zone, now))
        digest = await self._written(user, claim.begun_at)
        if not (digest and await self._was_sent(user, claim)):
            wait = chosen.quiet_until(now)
            if wait is not None:
                return PutOff(wait, QUIET, certain=True)
            if digest:
                digest = await self._send(user, digest, claim)
        await self._store.write(stored_notices.news_told, user, digest.read)
        return Done(then=(tomorrow,))

    async def _written(self, user_id: UserId, until: datetime) -> _Digest:
        """What a digest says that was begun then."""
        active = await self._store.read(transactions.active_of, user_id)
        waiting = tuple(each for each in active if waits_for(each, user_id))
        # Of those that wait for a move it is said as well what is asked there.
        asked = tuple(each for each in active if each not in waiting and asks(each, user_id))
        read = await self._store.read(stored_notices.news_for, user_id, until)
        latest = {
            (each.match.id, each.notice): each
            for each in read
            if is_news(each.match, each.notice, user_id)
        }
        return _Digest(waiting, asked, tuple(latest.values()), read)

    async def _was_sent(self, user_id: UserId, claim: Claim) -> bool:
        """Whether an earlier attempt has sent it."""
        if claim.tried_at is None:
            return False
        try:
            found = await self._messenger.find_digest(user_id, since=claim.tried_at)
        except (Gone, Refused):
            return False
        return found is not None

    async def _send(self, user_id: UserId, digest: _Digest, claim: Claim) -> _Digest:
        """Send a digest, or tell its reader otherwise where it was refused; what it has told."""
        number = f"{claim.id:x}"
        try:
            await self._messenger.digest(
                user_id,
                digest.waiting,
                asked=digest.asked,
                news=digest.news,
                nonce=f"d{user_id:x}.{number}"[:25],
            )
        except (Gone, Refused) as error:
            _log.info("no digest", reason=error.reason)
            direct = tuple(each for each in digest.news if each.match.venue is Venue.DIRECT)
            await self._store.write(stored_notices.hand_back, user_id, direct, self._clock.now())
            calls = [News(each, each.version, NoticeKind.TURN) for each in digest.waiting]
            told = [(each, f"{each.match.id}d{number}") for each in calls]
            for new in digest.news:
                nonce = f"{new.match.id}e{new.version:x}.{_NUMBER[new.notice]:x}"
                told.append((new, nonce))
            for new, nonce in told:
                match, player = new.match, new.match.index_of(user_id)
                # A match in direct messages has nowhere else to be, and its board is there.
                if player is not None and match.venue is not Venue.DIRECT:
                    notice = Notice(match, user_id, new.notice, nonce, claim.tried_at)
                    await self._mention(match, player, notice)
            if isinstance(error, DirectRefused):
                # Noted last: this takes the digest from what is due, with mentions yet to be made.
                await self._notices.refused(user_id, by_digest=True)
            kept = {*direct, *(each for each in digest.read if each.notice is NoticeKind.FOLLOWED)}
            return replace(digest, read=tuple(each for each in digest.read if each not in kept))
        now = self._clock.now()
        for match in digest.waiting:
            player = match.index_of(user_id)
            if player is not None:
                await self._store.write(blocked.reached, match.id, player, now)
        return digest

    async def _mention(self, match: Match, player: int, notice: Notice) -> None:
        """Mention a player in a match of theirs."""
        try:
            posted = await self._messenger.notify(notice, place_of(match, notice.person))
        except (Gone, Refused) as error:
            _log.info("no mention instead of a digest", match=match.id, reason=error.reason)
            return
        if posted is not None and notice.kind.is_call:
            await self._store.write(match_feed.replace_line, match, player, posted)
