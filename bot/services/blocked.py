"""Posts that Discord refuses: shown with their matches, and retried in good time.

A refused delivery rests for an hour. It is retried earlier when the answer may have changed: a
permission, a channel, a thread or a role has changed, a server or a connection is back, or a player
does something with the match. Temporary failures are retried as soon as other requests succeed.

Since several processes send, the state is read from the store now and then, and at once after a
refusal in this process.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.domain.clock import Span
from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.domain.untold_turns import UntoldTurn
from bot.posts.outgoing import Batch, Outcomes, PutOff, match_key
from bot.posts.sending import DeliveryKind, MatchClaim, MatchDone
from bot.services.rate_limits import Paced
from bot.store import Store, blocked, outgoing, standing
from bot.store.errors import StoreUnavailable
from bot.store.records import RefusedDelivery

_COALESCE = 0.3
"""Seconds in which changes of a server count as one."""
_GAP = 10.0
"""Seconds between two retries after changes of a server."""
_PERSON_GAP = 3.0
"""The same where players do something with a match."""
_LULL = timedelta(seconds=30)
"""The same between two retries of all temporary failures."""
_MISSED = timedelta(minutes=1)
"""A refusal in another process is retried if a change is at most this old."""
_JUST_NOW = timedelta(seconds=2)
"""The same for a refusal in this process."""


def _everywhere(_guild_id: GuildId | None, _channel_id: ChannelId) -> bool:
    return True


class Blocked:
    """The blocked posts, as far as this process knows.

    ``hurried`` is called when something is to be retried at once; ``may_post`` says whether posting
    in a channel looks possible.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        hurried: Callable[[], None] = lambda: None,
        may_post: Callable[[GuildId | None, ChannelId], bool] = _everywhere,
    ) -> None:
        self._store = store
        self._clock = clock
        self.hurried = hurried
        self.may_post = may_post
        self.on_posted: Callable[[Match], None] = lambda _: None
        """Called when everything about a match has been posted."""
        self.on_refused: Callable[[Match, RefusedDelivery | None], None] = lambda *_: None
        """Called when Discord refuses a board or an offer of a match, or (None) takes too long."""
        self._parked: dict[MatchId, tuple[RefusedDelivery, ...]] = {}
        self._turns: dict[MatchId, UntoldTurn] = {}
        self._not_shown: set[GuildId] = set()
        self._unread: set[UserId] = set()
        self._reading = asyncio.Lock()
        """One read at a time, so that the latest stays."""
        self._is_troubled = False
        self._lull_ended = datetime.min.replace(tzinfo=clock.now().tzinfo)
        self._moved: dict[GuildId, datetime] = {}
        self._servers: Paced[GuildId] = Paced(self.wake, first=_COALESCE, gap=_GAP)
        self._matches: Paced[MatchId] = Paced(self._hurry, gap=_PERSON_GAP)

    # ---- what is known ---------------------------------------------------------------------

    def stopped_spans(self, match: Match) -> tuple[Span, ...]:
        """The time in which the clock of a match has been stopped because of this."""
        turn = self.turn(match)
        return () if turn is None else (turn.span(self._clock.now()),)

    def turn(self, match: Match) -> UntoldTurn | None:
        """The present turn of a match, if its player hasn't been told."""
        turn = self._turns.get(match.id)
        return turn if turn is not None and turn.is_of(match) else None

    def parked(self, match: Match) -> RefusedDelivery | None:
        """The delivery of a match that Discord refuses where it is played, if any."""
        mine = self._parked.get(match.id, ())
        shown = (each for each in mine if each.delivery.kind is not DeliveryKind.NOTICE)
        return next(shown, next(iter(mine), None))

    def owed_to(
        self, user_id: UserId
    ) -> tuple[tuple[UntoldTurn, ...], tuple[RefusedDelivery, ...]]:
        """Turns that a player doesn't know about, and news that couldn't be posted."""
        turns = tuple(each for each in self._turns.values() if each.user_id == user_id)
        news = tuple(
            each
            for parked in self._parked.values()
            for each in parked
            if each.user_id == user_id
            and each.delivery.notice is not None
            and not each.delivery.notice.is_call
        )
        return turns, news

    def has_unread(self, user_id: UserId) -> bool:
        """Whether there is news for a player that no digest will have."""
        return user_id in self._unread

    def read(self, user_id: UserId) -> None:
        """Note that a player has been told that news."""
        self._unread.discard(user_id)

    async def look(self) -> None:
        """Read the blocked posts of all matches."""
        before = self._servers_blocked()
        await self.learn()
        for guild_id in self._servers_blocked() - before:
            if self._has_moved(guild_id, _MISSED):
                self._servers.soon(guild_id)
        since = self._clock.now() - _MISSED
        self._moved = {guild: at for guild, at in self._moved.items() if at > since}

    async def learn(self, match_id: MatchId | None = None) -> None:
        """Read the blocked posts of one match, or of all."""
        async with self._reading:
            found = await self._store.read(blocked.blockages, match_id)
            if match_id is None:
                self._parked, self._turns = {}, {}
                self._not_shown, self._unread = set(found.not_shown), set(found.unread)
            else:
                self._parked.pop(match_id, None)
                self._turns.pop(match_id, None)
            for each in found.parked:
                before = self._parked.get(each.match.id, ())
                self._parked[each.match.id] = (*before, each)
            self._turns.update((each.match_id, each) for each in found.turns)

    # ---- what came of sending --------------------------------------------------------------

    async def settled(self, batch: Batch, outcomes: Outcomes) -> None:
        """Take note of the outcome of a batch, once it is recorded."""
        if isinstance(batch[0], MatchClaim):
            await self._match_settled(batch[0].match, outcomes)
        with contextlib.suppress(StoreUnavailable):
            await self._end_of_trouble(outcomes)

    async def _match_settled(self, match: Match, outcomes: Outcomes) -> None:
        refused = any(isinstance(each, PutOff) and each.refused for each in outcomes)
        put_off = any(isinstance(each, PutOff) and each.is_trouble for each in outcomes)
        with contextlib.suppress(StoreUnavailable):
            if put_off or match.id in self._parked or match.id in self._turns:
                await self.learn(match.id)
        guild_id = match.origin.guild_id
        if refused and guild_id is not None and self._has_moved(guild_id, _JUST_NOW):
            self._servers.soon(guild_id)
        parked = self.parked(match)
        if (refused and parked is not None) or (put_off and self.turn(match) is not None):
            self.on_refused(match, parked)
        elif not put_off:
            self.on_posted(match)

    async def _end_of_trouble(self, outcomes: Outcomes) -> None:
        """Retry temporary failures once other requests succeed."""
        if any(isinstance(each, PutOff) and each.trouble == "retry" for each in outcomes):
            self._is_troubled = True
            return
        now = self._clock.now()
        works = any(isinstance(each, MatchDone) and each.posted is not None for each in outcomes)
        if self._is_troubled and works and now - self._lull_ended >= _LULL:
            await self.connected()

    # ---- what may have changed the answer --------------------------------------------------

    async def connected(self) -> None:
        """Discord is back: retry temporary failures."""
        self._is_troubled, self._lull_ended = False, self._clock.now()
        await self._store.write(blocked.retry_troubled, self._clock.now())
        self.hurried()

    def touched(self, match_id: MatchId) -> None:
        """A player does something with a match: retry its deliveries."""
        if match_id in self._parked or self._is_troubled:
            self._matches.soon(match_id)

    async def _hurry(self, match_id: MatchId) -> None:
        await self._store.write(outgoing.retry_now, (match_key(match_id),), self._clock.now())
        self.hurried()

    def moved(self, guild_id: GuildId) -> None:
        """Something in a server has changed: a permission, a channel, a thread, a role."""
        self._moved[guild_id] = self._clock.now()
        # A request that is on its way at this moment may still be refused.
        self.hurried()
        if guild_id in self._servers_blocked():
            self._servers.soon(guild_id)

    def _has_moved(self, guild_id: GuildId, within: timedelta) -> bool:
        at = self._moved.get(guild_id)
        return at is not None and self._clock.now() - at < within

    def _servers_blocked(self) -> set[GuildId]:
        """Servers with refused posts."""
        parked = (each[0].match.origin.guild_id for each in self._parked.values())
        return {guild_id for guild_id in parked if guild_id is not None} | self._not_shown

    async def wake(self, guild_id: GuildId) -> None:
        """Retry refused posts of a server, where posting looks possible now."""
        now = self._clock.now()
        await self.learn()
        ready = tuple(
            match_key(match_id)
            for match_id, parked in self._parked.items()
            if parked[0].match.origin.guild_id == guild_id
            and any(self.may_post(guild_id, each.channel_id) for each in parked)
        )
        if ready:
            await self._store.write(outgoing.retry_now, ready, now)
        await self._store.write(standing.retry_now, guild_id, now)
        self.hurried()

    async def close(self) -> None:
        """Stop retrying."""
        await self._servers.close()
        await self._matches.close()
