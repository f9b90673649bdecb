"""The way of a move, and of every other change of a match.

:meth:`MatchChanges.change` loads the match, has the change decided, commits it together with all
that follows from it (:mod:`bot.store.changes`), and tells the outbox. A change is decided in memory
and committed only if the match still has the same version; otherwise it is decided again.

Every change names its interaction. The same interaction again, from whatever process, changes
nothing and gets the same :class:`Answer`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime
from typing import Unpack
from weakref import WeakValueDictionary

from bot import metrics
from bot.clock import Clock
from bot.domain import play
from bot.domain.clock import Span
from bot.domain.events import Change, CommandContext, Event, EventKind
from bot.domain.ids import ChannelId, InteractionId, MatchId
from bot.domain.match import Actor, Match, MatchStatus, Place, Scope, Venue
from bot.domain.match_clock import runs_out
from bot.domain.offers import starts_at_once
from bot.domain.substitutes import check_goes_on, left_behind
from bot.errors import UserError
from bot.failpoints import hit
from bot.posts.outgoing import LEASE
from bot.services.outbox_worker import OutboxWorker
from bot.services.pairing import Pairing
from bot.services.presence import PATIENCE, is_late
from bot.services.vacations import VacationService
from bot.store import Store, match_feed, transactions
from bot.store.changes import Together
from bot.store.errors import AlreadyDone, Conflict
from bot.store.presence import Availability
from bot.store.records import AuditEntry
from bot.store.store import retried

Decision = Callable[..., Change]
"""Decides a change of a match, given a context and an actor; with the ``past`` events of the match
or the match ``before`` it, if it needs them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a command.

    ``code`` is that of the event (:attr:`bot.domain.events.Event.code`); ``params`` has ``move``
    where one was played; ``match`` is the match after it; ``repeated``: the interaction had been
    carried out before, and ``match`` is as it is now.
    """

    code: str
    match: Match
    params: Mapping[str, str | int] = field(default_factory=dict, hash=False)
    repeated: bool = False


def _answer(event: Event, match: Match, *, repeated: bool = False) -> Answer:
    params: dict[str, str | int] = {}
    if event.kind is EventKind.MOVED:
        params["move"] = str(event.payload["move"])
    if event.kind is EventKind.OFFERED and starts_at_once(match):
        return Answer(EventKind.STARTED.value, match, params, repeated)
    return Answer(event.code, match, params, repeated)


async def answer_again(store: Store, event: Event) -> Answer:
    """The answer to an interaction that caused this event."""
    match = await store.read(transactions.match, event.match_id)
    if match is None:
        raise UserError("no_such_match")
    return _answer(event, match, repeated=True)


@dataclass(eq=False)
class MatchChanges:
    """Changes matches for players.

    ``outbox`` sends in this process; without one another process does. ``pairing`` says who may
    meet, ``vacations`` lets vacations start by themselves.
    """

    store: Store
    clock: Clock
    _: KW_ONLY
    outbox: OutboxWorker | None = None
    pairing: Pairing | None = None
    vacations: VacationService | None = None
    wake_computers: Callable[[], None] = field(default_factory=lambda: lambda: None, init=False)
    """Called when there may be a job for a computer."""
    _order: WeakValueDictionary[MatchId, asyncio.Lock] = field(
        default_factory=WeakValueDictionary, init=False
    )

    @retried
    async def change(
        self,
        actor: Actor,
        match_id: MatchId,
        interaction_id: InteractionId | None,
        decide: Decision,
        *,
        sits: bool = False,
        past: bool = False,
        entry: AuditEntry | None = None,
    ) -> Answer:
        """Decide a change on the match as it is and commit it; again if another change was faster.

        Without an ``interaction_id`` it is one of several that a player confirmed at once.
        ``sits``: the actor takes a seat; the match that this one continues is given as ``before``,
        and ends when it starts. ``past``: the history is given as ``past``, and deciding may take
        as long as playing the match through. An ``entry`` goes into the audit log.

        Within one process the changes of a match queue up; between processes only the version
        counts.
        """
        async with self._turn(match_id):
            now = self.clock.now()
            loaded = await self.store.read(
                transactions.load, match_id, interaction_id, now, actor.user_id
            )
            if loaded.done is not None:
                return await answer_again(self.store, loaded.done)
            match = loaded.match
            if match is None or not match.is_visible(actor.scope):
                raise UserError("no_such_match")

            before = None
            act = self._act(match, now, interaction_id, loaded.availability)
            if is_late(match, act, loaded.availability):
                await self._flag(match, act, actor)
                raise Conflict
            if past:
                events = await self.store.read(transactions.history, match_id, actor.scope)
                known = events[: match.version]
                change = await asyncio.to_thread(decide, match, act, actor, past=known)
            elif sits:
                before = await self._before(match)
                change = decide(match, act, actor, before=before)
            else:
                change = decide(match, act, actor)
            check = None
            if sits and self.pairing is not None:
                check = await self.pairing.for_seat(actor, match)
            starts = change.match.status is MatchStatus.RUNNING is not match.status
            if starts and match.venue is Venue.CHANNEL:
                await self._check_free(match.origin.channel_id, actor.scope)
            ends = None if before is None or not starts else left_behind(change.match, before, act)

            try:
                await self._commit(change, check=check, entry=entry, ends=ends)
            except AlreadyDone as already:
                return await answer_again(self.store, already.event)
            return _answer(change.event, change.match)

    async def begin(
        self,
        actor: Actor,
        place: Place,
        opponents: tuple[Actor, ...],
        decide: Callable[[CommandContext], Change],
        *,
        venue: Venue,
        interaction_id: InteractionId,
    ) -> Answer:
        """Make an offer to these players: ``offered``.

        Raises :exc:`~bot.store.errors.Conflict` if there is a match of that id.
        """
        done = await self.store.read(transactions.done, interaction_id)
        if done is not None:
            return await answer_again(self.store, done)

        if venue is Venue.CHANNEL:
            await self._check_free(place.channel_id, actor.scope)
        change = decide(CommandContext(self.clock.now(), interaction_id))
        check = None
        if self.pairing is not None:
            check = await self.pairing.for_offer(actor, opponents, change.match)

        try:
            await self._commit(change, check=check)
        except AlreadyDone as already:
            return await answer_again(self.store, already.event)
        match = change.match
        if match.has_computer:
            # Computers have taken their seats, and perhaps the match has started.
            found = await self.store.read(transactions.match, match.id)
            match = found or match
        return _answer(change.event, match)

    async def _commit(self, change: Change, **together: Unpack[Together]) -> None:
        """Commit a change with all that follows, and hand its deliveries to the outbox."""
        hit("c3")
        if self.outbox is not None and self.outbox.reaches(change.match.origin.guild_id):
            together["lease_until"] = change.event.at + LEASE
        batch = await self.store.commit(change, **together)
        hit("c5")
        metrics.MATCH_EVENTS.labels(change.event.kind.value).inc()
        if self.outbox is not None:
            self.outbox.take(batch)
        if change.match.has_computer:
            self.wake_computers()

    async def _before(self, offer: Match) -> Match | None:
        """The match that an open offer continues, if any.

        Raises what :func:`~bot.domain.substitutes.check_goes_on` does.
        """
        if offer.continues is None or offer.status is not MatchStatus.OFFERED:
            return None
        before = await self.store.read(transactions.match, offer.continues)
        if before is not None:
            check_goes_on(before, offer.offered_by)
        return before

    def _act(
        self,
        match: Match,
        now: datetime,
        interaction_id: InteractionId | None,
        availability: Availability,
    ) -> CommandContext:
        """The context of a change: the time to give back to a running clock, and vacations.

        Since the last heartbeat there may be a gap that is not recorded yet.
        """
        away = availability.away(now)
        if match.deadline is None:
            return CommandContext(now, interaction_id, away=away)
        stopped_spans = availability.stopped_spans
        if availability.seen is not None and now - availability.seen > PATIENCE:
            stopped_spans = (*stopped_spans, Span(availability.seen, now))
        return CommandContext(now, interaction_id, stopped_spans, away)

    async def _flag(self, match: Match, act: CommandContext, actor: Actor) -> None:
        """Let the flag fall before anything else happens; raises ``time_over`` to its player.

        Not where its player doesn't know about the turn, or a vacation starts instead.
        """
        if await self.store.write(match_feed.spare, match.id, act.at):
            return
        vacations, over = self.vacations, runs_out(match, act.stopped_spans)
        if vacations and over is not None and await vacations.begin_by_itself(match, over):
            return
        change = play.flag(match, replace(act, interaction_id=None))
        if change is None:
            return
        await self._commit(change)
        if change.event.player == match.index_of(actor.user_id):
            raise UserError("time_over")

    async def _check_free(self, channel_id: ChannelId, scope: Scope) -> None:
        for match in await self.store.read(transactions.running_in, channel_id, scope):
            if match.venue is Venue.CHANNEL:
                raise UserError("channel_busy", match=match.id)

    def _turn(self, match_id: MatchId) -> asyncio.Lock:
        lock = self._order.get(match_id)
        if lock is None:
            lock = self._order[match_id] = asyncio.Lock()
        return lock
