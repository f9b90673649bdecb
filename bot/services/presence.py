"""Knows when players could not move, so that no clock runs then.

Each process says every few seconds that players can reach it: it runs, is connected to Discord, and
can write to the database. A gap in this heartbeat is recorded as an outage by the next beat: a
crash, a restart, a network failure, a full disk, a clock that jumps ahead. A server that Discord
has lost, or that has removed the bot, is an outage of its own. A removal while the bot was
disconnected follows from the servers that Discord no longer names.

A process that serves some shards speaks for those; :func:`concerns` tells which players a scope
covers. Where processes divide the shards, it takes and drops scopes while it runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from bot import metrics
from bot.clock import Clock
from bot.domain import match_clock
from bot.domain.clock import Span, lived
from bot.domain.events import CommandContext
from bot.domain.ids import GuildId
from bot.domain.match import Match
from bot.store import Store
from bot.store import presence as stored_presence
from bot.store.presence import (
    EVERYWHERE,
    Availability,
    concerns,
    guild_of,
    guild_scope,
)
from bot.store.records import Outage

BEAT = 5.0
"""Seconds between two beats."""
PATIENCE = timedelta(seconds=12)
"""A longer gap between two beats is an outage."""
_RESTARTED = timedelta(seconds=1)
"""The same before the first beat of a process."""
GRACE = timedelta(seconds=5)
"""The time by which a move may be late: requests take a moment, and clocks differ."""
_REREAD = 60.0
_KEPT = 500


class Presence:
    """The heartbeat of this process, and the known gaps of all."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        scopes: tuple[str, ...] = (EVERYWHERE,),
    ) -> None:
        self._store = store
        self._clock = clock
        self.reached: Callable[[], Iterable[str]] = lambda: self.scopes
        """The scopes in which players can act now."""
        self.scopes = scopes
        self._patience = PATIENCE
        self._beaten: set[str] = set()
        self._away: dict[GuildId, datetime] = {}
        self._named: dict[str, set[GuildId]] = {}
        self._outages: tuple[Outage, ...] = ()
        self._read_at: datetime | None = None

    async def restore(self) -> None:
        """Load the servers that were away when the last process ended.

        They are away until :meth:`came_back`. Raises ``StoreUnavailable``.
        """
        for each in await self._store.read(stored_presence.open_outages):
            guild_id = guild_of(each.scope)
            if guild_id is not None and self._serves(guild_id):
                self._away.setdefault(guild_id, each.began_at)

    async def take(self, scopes: tuple[str, ...]) -> None:
        """Serve these scopes as well. Raises ``StoreUnavailable``."""
        self.scopes = (*self.scopes, *(each for each in scopes if each not in self.scopes))
        await self.restore()

    def drop(self, scopes: tuple[str, ...]) -> None:
        """Stop serving these scopes."""
        self.scopes = tuple(each for each in self.scopes if each not in scopes)
        self._beaten.difference_update(scopes)
        for each in scopes:
            self._named.pop(each, None)
        self._away = {guild: at for guild, at in self._away.items() if self._serves(guild)}

    async def named(self, guild_ids: Iterable[GuildId], scope: str | None = None) -> None:
        """Discord names these servers and no others, in a scope or in all of this process.

        Others with running matches have removed the bot: they are away since players were last seen
        there, until :meth:`came_back`. Raises ``StoreUnavailable``; then the next :meth:`beat`
        retries.
        """
        named = set(guild_ids)
        self._named |= dict.fromkeys(self.scopes if scope is None else (scope,), named)
        await self._miss()

    async def _miss(self) -> None:
        asked = dict(self._named)
        if not asked:
            return
        for guild_id in await self._store.read(stored_presence.servers_playing):
            found = [each for scope, each in asked.items() if concerns(scope, guild_id)]
            if not found or guild_id in self._away or any(guild_id in each for each in found):
                continue
            now = self._clock.now()
            seen = (await self._store.read(stored_presence.availability, guild_id, now, now)).seen
            # It may have asked us in meanwhile, or be served by another process.
            if self._serves(guild_id) and not any(guild_id in each for each in found):
                self._away.setdefault(guild_id, now if seen is None else min(seen, now))
        for scope, named in asked.items():
            if self._named.get(scope) is named:
                del self._named[scope]

    def _serves(self, guild_id: GuildId) -> bool:
        return any(concerns(scope, guild_id) for scope in self.scopes)

    async def beat(self) -> None:
        """Record that players can reach this process. Raises ``StoreUnavailable``."""
        await self._miss()
        now, scopes = self._clock.now(), tuple(self.reached())
        away = tuple(Outage(guild_scope(guild), at, now) for guild, at in self._away.items())
        if away:
            # Before the beat: what ends with the last beat of all goes on after a restart.
            await self._store.write(stored_presence.note_outages, away)
        told = bool(away)
        begun = tuple(each for each in scopes if each not in self._beaten)
        going_on = tuple(each for each in scopes if each in self._beaten)
        for some, longest in (
            (begun, min(self._patience, _RESTARTED)),
            (going_on, self._patience),
        ):
            gap = bool(some) and await self._store.write(stored_presence.beat, some, now, longest)
            if gap:
                metrics.OUTAGES.inc()
                told = True
        self._beaten.update(scopes)
        if told or self._read_at is None or abs((now - self._read_at).total_seconds()) > _REREAD:
            self._outages = await self._store.read(stored_presence.newest_outages, _KEPT)
            self._read_at = now

    @property
    def away(self) -> frozenset[GuildId]:
        """The servers that Discord has lost for now."""
        return frozenset(self._away)

    def left(self, guild_id: GuildId) -> None:
        """Discord has lost a server, or we are no longer in it; until :meth:`came_back`."""
        if self._serves(guild_id):
            self._away.setdefault(guild_id, self._clock.now())

    async def came_back(self, guild_id: GuildId) -> None:
        """A server is there again. Raises ``StoreUnavailable``."""
        for named in self._named.values():
            named.add(guild_id)
        since = self._away.get(guild_id)
        if since is not None:
            now = self._clock.now()
            await self._store.write(
                stored_presence.note_outages, (Outage(guild_scope(guild_id), since, now),)
            )
            self._away.pop(guild_id, None)
            self._read_at = None

    def standstills(self, guild_id: GuildId | None) -> tuple[Span, ...]:
        """The last outages that concerned a server, for showing what clocks will be given back."""
        return tuple(
            Span(each.began_at, each.ended_at)
            for each in self._outages
            if concerns(each.scope, guild_id)
        )


# ---- the clock of one match ----------------------------------------------------------------------


def is_late(match: Match, act: CommandContext, availability: Availability) -> bool:
    """Whether the time of the player on turn has run out for certain.

    An outage within the grace does not use it up; a vacation begun there comes too late.
    """
    over = match_clock.runs_out(match, act.stopped_spans)
    if over is None:
        return False
    seen = act.at if availability.seen is None else min(act.at, availability.seen)
    times = match.times
    on_turn = None if times is None or times.running is None else match.players[times.running]
    vacations = Counter(each.span for each in availability.vacations if each.user_id == on_turn)
    # A vacation and an outage may be of the same time: each counts for itself.
    outages = Counter(act.stopped_spans) - vacations
    return lived(over, seen, outages) >= GRACE


async def credited(store: Store, match: Match, now: datetime) -> Match:
    """The match with what is to be given back of this turn given back, for what is only told."""
    if match.deadline is None:
        return match
    availability = await store.read(stored_presence.availability_of, match, now)
    return match_clock.credited(match, availability.stopped_spans)
