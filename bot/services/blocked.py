"""What Discord refuses at present: known where matches are shown, and tried again in good time.

A delivery that was refused rests for an hour. It is tried before that when something happens that
may have changed the answer: a permission, a channel, a thread or a role of the server, a server or
a connection that is back, or a person who does something with the match. What Discord could not do
for a while is tried again as soon as it does other things.

What is known here is read from the store now and then, since several processes send, and at once
where this one was refused.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

from bot.clock import Clock
from bot.domain.clock import Span
from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.domain.untold_turns import UntoldTurn
from bot.posts.outgoing import Batch, Outcomes, PutOff
from bot.posts.sending import DeliveryKind, MatchClaim, MatchDone
from bot.services.rate_limits import Paced
from bot.store import Store, blocked, standing
from bot.store.errors import StoreUnavailable
from bot.store.records import Blockages, RefusedDelivery

_COALESCE = 0.3
"""Seconds in which changes of a server are taken together: a role is seldom changed alone."""
_GAP = 10.0
"""The least time in seconds between two attempts because something in a server has changed."""
_PERSON_GAP = 3.0
"""The same where people do something with a match."""
_LULL = timedelta(seconds=30)
"""The same between two times at which everything is tried that Discord could not do."""
_MISSED = timedelta(minutes=1)
"""For so long after a change a refusal is looked at that this process learns of from another."""
_JUST_NOW = timedelta(seconds=2)
"""The same for one of its own, which may be older than the change."""


class RefusalListener(Protocol):
    """Tells people that something of theirs could not be posted."""

    def refused(self, match: Match, parked: RefusedDelivery | None) -> None:
        """Discord has refused a board or an offer of a match, or (None) takes too long over it."""

    def posted(self, match: Match) -> None:
        """What was to be posted of a match is there."""


def _everywhere(_guild_id: GuildId | None, _channel_id: ChannelId) -> bool:
    return True


class Blocked:
    """What is blocked, as far as this process knows.

    ``hurried`` is called when something is to be tried at once; ``may_post`` says whether posting
    in a channel looks possible, so that nothing is asked that is sure to be refused again.
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
        self.refusals: RefusalListener | None = None
        self._parked: dict[MatchId, tuple[RefusedDelivery, ...]] = {}
        self._turns: dict[MatchId, UntoldTurn] = {}
        self._not_shown: set[GuildId] = set()
        self._unread: set[UserId] = set()
        self._reading = asyncio.Lock()
        """What is read is known before it is read again, so that the latest stays."""
        self._is_troubled = False
        self._lull_ended = datetime.min.replace(tzinfo=clock.now().tzinfo)
        self._moved: dict[GuildId, datetime] = {}
        self._servers: Paced[GuildId] = Paced(self.wake, first=_COALESCE, gap=_GAP)
        self._matches: Paced[MatchId] = Paced(self._hurry, gap=_PERSON_GAP)

    # ---- what is known ---------------------------------------------------------------------

    def stopped_spans(self, match: Match) -> tuple[Span, ...]:
        """The time in which the clock of a match has been stopped because of this so far."""
        turn = self.turn(match)
        return () if turn is None else (turn.span(self._clock.now()),)

    def turn(self, match: Match) -> UntoldTurn | None:
        """The present turn of a match, if its player could not be told of it."""
        turn = self._turns.get(match.id)
        return turn if turn is not None and turn.is_of(match) else None

    def parked(self, match: Match) -> RefusedDelivery | None:
        """What Discord refuses to post of a match where it is played, if anything."""
        mine = self._parked.get(match.id, ())
        shown = (each for each in mine if each.delivery.kind is not DeliveryKind.NOTICE)
        return next(shown, next(iter(mine), None))

    def owed_to(
        self, user_id: UserId
    ) -> tuple[tuple[UntoldTurn, ...], tuple[RefusedDelivery, ...]]:
        """Turns that a person does not know of, and news that could not be posted for them."""
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
        """Whether news are kept for a person that no digest will tell."""
        return user_id in self._unread

    def read(self, user_id: UserId) -> None:
        """A person has been told those news."""
        self._unread.discard(user_id)

    async def look(self) -> None:
        """Read what is blocked, in all matches."""
        before = self._servers_blocked()
        await self._read()
        for guild_id in self._servers_blocked() - before:
            if self._has_moved(guild_id, _MISSED):
                self._servers.soon(guild_id)
        since = self._clock.now() - _MISSED
        self._moved = {guild: at for guild, at in self._moved.items() if at > since}

    async def _read(self) -> None:
        async with self._reading:
            self._take(await self._store.read(blocked.blockages))

    async def learn(self, match_id: MatchId) -> None:
        """Read what is blocked in one match."""
        async with self._reading:
            found = await self._store.read(blocked.blockages, match_id)
            self._parked.pop(match_id, None)
            self._turns.pop(match_id, None)
            if found.parked:
                self._parked[match_id] = found.parked
            self._turns.update((each.match_id, each) for each in found.turns)

    def _take(self, found: Blockages) -> None:
        parked: dict[MatchId, list[RefusedDelivery]] = {}
        for each in found.parked:
            parked.setdefault(each.match.id, []).append(each)
        self._parked = {match_id: tuple(of_it) for match_id, of_it in parked.items()}
        self._turns = {each.match_id: each for each in found.turns}
        self._not_shown = set(found.not_shown)
        self._unread = set(found.unread)

    # ---- what came of sending --------------------------------------------------------------

    async def settled(self, batch: Batch, outcomes: Outcomes) -> None:
        """Take note of what came of a batch, once that is written down."""
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
        if self.refusals is None:
            return
        parked = self.parked(match)
        if (refused and parked is not None) or (put_off and self.turn(match) is not None):
            self.refusals.refused(match, parked)
        elif not put_off:
            self.refusals.posted(match)

    async def _end_of_trouble(self, outcomes: Outcomes) -> None:
        """Where Discord does things again, try what it could not do before."""
        if any(isinstance(each, PutOff) and each.trouble == "retry" for each in outcomes):
            self._is_troubled = True
            return
        now = self._clock.now()
        works = any(isinstance(each, MatchDone) and each.posted is not None for each in outcomes)
        if self._is_troubled and works and now - self._lull_ended >= _LULL:
            await self.connected()

    # ---- what may have changed the answer --------------------------------------------------

    async def connected(self) -> None:
        """Discord is there again: try what it could not do."""
        self._is_troubled, self._lull_ended = False, self._clock.now()
        await self._store.write(blocked.retry_troubled, self._clock.now())
        self.hurried()

    def touched(self, match_id: MatchId) -> None:
        """A person does something with a match: try what was put off there."""
        if match_id in self._parked or self._is_troubled:
            self._matches.soon(match_id)

    async def _hurry(self, match_id: MatchId) -> None:
        await self._store.write(blocked.retry_now, (match_id,), self._clock.now())
        self.hurried()

    def moved(self, guild_id: GuildId) -> None:
        """Something in a server is not as it was: a permission, a channel, a thread, a role."""
        self._moved[guild_id] = self._clock.now()
        # What is on its way at this moment may be refused still.
        self.hurried()
        if guild_id in self._servers_blocked():
            self._servers.soon(guild_id)

    def _has_moved(self, guild_id: GuildId, within: timedelta) -> bool:
        at = self._moved.get(guild_id)
        return at is not None and self._clock.now() - at < within

    def _servers_blocked(self) -> set[GuildId]:
        """Servers in which something is refused at present."""
        parked = (each[0].match.origin.guild_id for each in self._parked.values())
        return {guild_id for guild_id in parked if guild_id is not None} | self._not_shown

    async def wake(self, guild_id: GuildId) -> None:
        """Try what was refused in a server, where posting looks possible now."""
        now = self._clock.now()
        await self._read()
        ready = tuple(
            match_id
            for match_id, parked in self._parked.items()
            if parked[0].match.origin.guild_id == guild_id
            and any(self.may_post(guild_id, each.channel_id) for each in parked)
        )
        if ready:
            await self._store.write(blocked.retry_now, ready, now)
        await self._store.write(standing.retry_now, guild_id, now)
        self.hurried()

    async def close(self) -> None:
        """Stop trying."""
        await self._servers.close()
        await self._matches.close()
