"""Showing people the matches that they follow: one direct message a match, edited in place.

An edit wakes nobody, so it is made in quiet hours too. The message itself comes silently then. The
result is told in a line that may wake its reader, after their quiet hours; not at all if they want
no notices, for the message says how it ended. Readers of a digest find all of it there. People stop
following a match when they leave the server, may not read its channel, take no direct messages, or
delete the message.
"""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import Protocol

from bot.clock import Clock
from bot.domain.ids import ChannelId, MatchId, MessageId, UserId, is_match_id
from bot.domain.match import Match
from bot.domain.preferences import NoticeWay, Preferences
from bot.logs import logger
from bot.posts.outgoing import QUIET, Claim, Done, Handler, Outcome, PutOff, id_in
from bot.posts.sending import DirectRefused, Gone, Posted, Refused
from bot.services.notices import Notices
from bot.store import Store, follows, transactions
from bot.store.follows import FOLLOW, Followed

_log = logger(__name__)

GAP = timedelta(seconds=3)
"""The least time between two messages to one person about what they follow."""


class FollowedBoard(Protocol):
    """Discord, as far as people who follow matches need it.

    It raises what :class:`bot.services.messenger.Messenger` does.
    """

    async def post(self, match: Match, user_id: UserId, *, silent: bool, nonce: str) -> Posted:
        """Show a person a match in a direct message."""
        ...

    async def find(self, match: Match, user_id: UserId, claim: Claim) -> Posted | None:
        """Such a message that an earlier attempt has posted."""
        ...

    async def edit(self, match: Match, user_id: UserId, posted: Posted) -> None:
        """Have it show the match as it is now."""
        ...

    async def may_see(self, match: Match, user_id: UserId) -> bool | None:
        """Whether a person is in the server of a match and may read the channel where it is played.

        None if Discord does not say.
        """
        ...

    async def erase(self, posted: Posted) -> None:
        """Delete it."""
        ...

    async def tell(self, match: Match, user_id: UserId, claim: Claim, *, nonce: str) -> None:
        """Tell a person in a line how a match ended, unless an earlier attempt has."""
        ...


class FollowedMatches(Handler):
    """Sends what people see of the matches they follow."""

    kinds = frozenset({FOLLOW})

    def __init__(
        self,
        store: Store,
        board: FollowedBoard,
        notices: Notices,
        clock: Clock,
    ) -> None:
        self._store = store
        self._board = board
        self._notices = notices
        self._clock = clock

    async def make(self, claim: Claim) -> Outcome:
        """Show a person how a match stands that they follow, if they still do and may see it."""
        erased = claim.payload.get("erase")
        if isinstance(erased, list):
            channel, message = (int(str(each)) for each in erased)
            with contextlib.suppress(Gone, Refused):
                await self._board.erase(Posted(ChannelId(channel), MessageId(message)))
            return Done()
        user, match_id = UserId(int(id_in(claim.key))), str(claim.payload.get("match"))
        if not is_match_id(match_id):
            return Done()
        followed = await self._store.read(follows.followed, user, MatchId(match_id))
        if followed is None:
            return Done()
        match = (await self._store.read(transactions.load, MatchId(match_id), None)).match
        if match is None or not await self._may_see(match, user):
            await self._store.write(follows.follows_no_more, user, MatchId(match_id))
            return Done()
        chosen = await self._notices.chosen_by(user)
        try:
            outcome = await self._shown(claim, match, followed, chosen)
        except DirectRefused:
            await self._notices.refused(user)
            await self._store.write(follows.follows_no_more, user, match.id)
            return Done()
        except Refused as refused:
            _log.info("not shown to its follower", match=match.id, reason=refused.reason)
            await self._store.write(follows.follows_no_more, user, match.id)
            return Done()
        return outcome

    async def _may_see(self, match: Match, user: UserId) -> bool:
        """Whether a person may still read where a match is played, as far as Discord says."""
        return await self._board.may_see(match, user) is not False

    async def _shown(
        self, claim: Claim, match: Match, followed: Followed, chosen: Preferences
    ) -> Outcome:
        """Show the match, and tell how it ended, as its reader has chosen to be told."""
        user, now, is_over = followed.user_id, self._clock.now(), match.status.is_final
        if chosen.present_way is NoticeWay.DIGEST:
            await self._store.write(follows.tell_in_digest, user, match, now, is_over=is_over)
            return Done()
        wants_words, wait = chosen.present_way is not NoticeWay.NOTHING, chosen.quiet_until(now)
        posted = followed.posted
        if posted is None and claim.tried_at is not None:
            posted = await self._board.find(match, user, claim)
        if posted is None:
            silent = not wants_words or wait is not None
            nonce = f"w{user:x}.{claim.id:x}"[:25]
            posted = await self._board.post(match, user, silent=silent, nonce=nonce)
            if not await self._store.write(follows.shows_followed, user, match.id, posted, now):
                return Done(rest_until=now + GAP)
        else:
            if posted != followed.posted:
                await self._store.write(follows.shows_followed, user, match.id, posted, now)
            try:
                await self._board.edit(match, user, posted)
            except Gone:
                await self._store.write(follows.follows_no_more, user, match.id)
                return Done()
        if not is_over:
            return Done(rest_until=now + GAP)
        if wants_words and wait is not None:
            return PutOff(wait, QUIET, certain=True)
        if wants_words:
            await self._board.tell(match, user, claim, nonce=f"x{user:x}.{claim.id:x}"[:25])
        await self._store.write(follows.follows_no_more, user, match.id)
        return Done(rest_until=now + GAP)
