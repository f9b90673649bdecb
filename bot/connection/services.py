"""Session starts with Discord: our budget, Discord's own limits, and turns.

Every IDENTIFY is counted in the store before it is sent, so that the count is shared by all shards
and processes (:mod:`bot.connection.domain.session_budget`). While the store is unavailable, the
last known count goes on here, and is written with the next change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from bot.clock import Clock
from bot.connection import store as sessions
from bot.connection.domain.session_budget import (
    BUDGET,
    DEPOSIT,
    GIVEN_BACK,
    Moments,
    SessionBudget,
    SessionTurn,
    ask_turn,
    latest,
    queue_of,
)
from bot.logs import logger
from bot.store import Store
from bot.store.errors import StoreUnavailable

T = TypeVar("T")

_log = logger(__name__)

_PATIENCE = 4.0
"""Timeout of the store."""
_NAP = 60.0
"""Seconds between two looks at a used-up budget."""
_FRESH = timedelta(minutes=1)
"""How long Discord's limits are cached."""


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """Discord's limits of session starts, as of ``told_at``."""

    total: int
    remaining: int
    resets_at: datetime
    max_concurrency: int
    told_at: datetime


class SessionStarts:
    """Gives out the turns to begin a session. ``by_hand`` opens the reserve as well.

    Turns of one queue are ``between`` apart. One is valid for a sixth of that, so that of six
    seconds five remain between two sessions, as Discord asks; after that another is taken.
    ``ask_discord`` gives Discord's own limits, None if it doesn't answer; ``waits_until`` is set
    while a limit is used up.
    """

    def __init__(
        self, store: Store, clock: Clock, *, by_hand: bool = False, between: timedelta = timedelta()
    ) -> None:
        self.ask_discord: Callable[[], Awaitable[SessionLimits | None]] | None = None
        self.waits_until: datetime | None = None
        self.limits: SessionLimits | None = None
        self._store = store
        self._clock = clock
        self._by_hand = by_hand
        self._between = between
        self._cost = DEPOSIT
        self._has_deposit = False
        self._turns: dict[int, datetime] = {}
        self._known: Moments = {}
        self._unsaved: Moments = {}
        self._asking: set[asyncio.Task[object]] = set()
        self._order = asyncio.Lock()

    @property
    def left(self) -> int:
        """The number of sessions that may be begun now, as far as known."""
        now = self._clock.now()
        own = self._budget.left(self._known.get(BUDGET), now, by_hand=self._by_hand)
        return own if self.limits is None else min(own, self._left_at_discord(self.limits))

    async def turn(self, shard_id: int) -> None:
        """Wait until this shard may begin a session; :meth:`spend` counts it."""
        while True:
            await self._ask_discord()
            now = self._clock.now()
            turn = self._turn_at_discord() or await self._ask(shard_id)
            if turn.is_granted:
                break
            self._tell_used_up(turn.at)
            await asyncio.sleep(min(_NAP, max(0.05, (turn.at - now).total_seconds())))
        if self.waits_until is not None:
            self.waits_until = None
            _log.info("new sessions may be begun again")
        await self._sleep_until(turn.at)
        self._turns[shard_id] = turn.at

    async def spend(self, shard_id: int) -> None:
        """Count a session start, right before it is made."""
        good_until = self._turns.get(shard_id, self._clock.now()) + self._between / 6
        if self._between and self._clock.now() > good_until:
            await self._sleep_until((await self._ask(shard_id)).at, at_most=self._between)
        cost, self._cost = self._cost, 1
        self._has_deposit |= cost == DEPOSIT
        await self._pay(cost)

    async def _sleep_until(self, at: datetime, at_most: timedelta = timedelta.max) -> None:
        wait = min(at - self._clock.now(), at_most)
        await asyncio.sleep(max(0.0, wait.total_seconds()))

    async def ready(self) -> None:
        """Give the deposit back: this process is ready."""
        if self._has_deposit:
            self._has_deposit = False
            await self._pay(-GIVEN_BACK)

    async def close(self, *, is_ready: bool) -> None:
        """Write the remaining changes, before the store is closed.

        A process that ``is_ready`` gets its deposit back although it stops before :meth:`ready`.
        """
        if is_ready:
            await self.ready()
        if self._asking:
            await asyncio.wait(self._asking, timeout=_PATIENCE)

    @property
    def _budget(self) -> SessionBudget:
        return SessionBudget() if self.limits is None else SessionBudget(self.limits.total)

    async def _ask_discord(self) -> None:
        is_fresh = self.limits is not None and self._clock.now() - self.limits.told_at < _FRESH
        if self.ask_discord is not None and not is_fresh:
            self.limits = await self.ask_discord() or self.limits

    def _left_at_discord(self, limits: SessionLimits) -> int:
        if limits.resets_at <= self._clock.now():
            return limits.total
        kept = 0 if self._by_hand else SessionBudget(limits.total).reserve
        return max(0, limits.remaining - kept)

    def _turn_at_discord(self) -> SessionTurn | None:
        """When Discord's own limit allows one; None if it allows one now."""
        limits = self.limits
        if limits is None or self._left_at_discord(limits) > 0:
            return None
        return SessionTurn(limits.resets_at, False)

    async def _ask(self, shard_id: int) -> SessionTurn:
        now = self._clock.now()
        concurrency = 1 if self.limits is None else self.limits.max_concurrency
        queue = queue_of(shard_id, concurrency)

        def ask(moments: Moments) -> tuple[Moments, SessionTurn]:
            return ask_turn(
                moments,
                now,
                self._budget,
                cost=self._cost,
                queue=queue,
                between=self._between,
                by_hand=self._by_hand,
            )

        return await self._change(ask)

    async def _pay(self, cost: int) -> None:
        now = self._clock.now()

        def pay(moments: Moments) -> tuple[Moments, None]:
            return {**moments, BUDGET: self._budget.spend(moments.get(BUDGET), now, cost)}, None

        await self._change(pay)

    async def _change(self, change: Callable[[Moments], tuple[Moments, T]]) -> T:
        """Change the counts, in the store if it answers in time, else here.

        Changes run one after another: each begins with the unsaved ones before.
        """
        async with self._order:
            unsaved = self._unsaved

            def whole(moments: Moments) -> tuple[Moments, tuple[Moments, T]]:
                changed, answer = change(latest(moments, unsaved))
                return changed, (changed, answer)

            task = asyncio.ensure_future(self._store.write(sessions.change_session_starts, whole))
            self._asking.add(task)
            task.add_done_callback(self._asked)
            await asyncio.wait({task}, timeout=_PATIENCE)
            if task.done() and task.exception() is None:
                self._known, answer = task.result()
                self._unsaved = {}
            else:
                self._known, answer = change(self._known)
                self._unsaved = self._known
            return answer

    def _asked(self, task: asyncio.Task[object]) -> None:
        self._asking.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, StoreUnavailable):
            _log.error("session starts could not be counted", exc_info=error)

    def _tell_used_up(self, until: datetime) -> None:
        if self.waits_until is None:
            _log.error(
                "TOO MANY SESSIONS: Parlour waits before it connects to Discord again, because"
                " Discord resets the token of a bot that begins more than it permits in a day."
                " Look above for what ends the connection, or the process, so often. When that is"
                " mended, `parlour run --now` starts at once",
                until=until.isoformat(timespec="seconds"),
            )
        self.waits_until = until
