"""Work done again and again while Parlour runs, each in a task of its own.

Whatever comes of it, it is done again; what goes wrong is one trouble in the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from bot import metrics
from bot.clock import Clock
from bot.connection.client import ParlourClient, free_requests
from bot.connection.fleet import Fleet
from bot.logs import logger
from bot.services.blocked import Blocked
from bot.services.departures import DepartureWatch
from bot.services.pairing import Pairing
from bot.services.presence import BEAT, GRACE, Presence
from bot.services.timeouts import sweep_flags, sweep_offers, sweep_requests
from bot.services.untold_turns import UntoldTurns
from bot.services.vacations import VacationService
from bot.services.verification import EVERY, Verifier
from bot.store import Store, presence
from bot.store.errors import StoreUnavailable
from bot.tournaments.services.members import MemberWatch
from bot.tournaments.services.runner import TournamentRunner
from bot.tournaments.services.verifying import set_damaged_aside
from bot.trouble import Trouble, Troubles

_log = logger(__name__)

_SWEEP = 30.0
_TIDY = 3600.0
_RECKON = 5.0
_LOOK_AROUND = 15.0
_CARRY_ON = 2.0
_MEMBERS = 600.0
_LOOK = 0.5
_LONGEST_NAP = 15.0
_SHORTEST_NAP = 1.0

Work = Callable[[], Awaitable[float | None]]
"""A piece of work; it may return the number of seconds until its next turn."""


async def repeat(work: Work, every: float, *, name: str, what: str, first_in: float = 0.0) -> None:
    """Do some work now or in ``first_in`` seconds, and again every ``every``, until cancelled.

    ``name`` is that of its series, and the log says ``what`` if it fails; an unavailable database
    is logged elsewhere.
    """
    trouble = Trouble(_log, what)
    await asyncio.sleep(first_in)
    while True:
        pause = None
        with trouble.guard(StoreUnavailable), metrics.swept(name):
            pause = await work()
        await asyncio.sleep(every if pause is None else pause)


@dataclass(slots=True)
class PeriodicWork:
    """All repeated work, with the parts of the bot that it needs."""

    store: Store
    clock: Clock
    client: ParlourClient
    pairing: Pairing
    presence: Presence
    vacations: VacationService
    blocked: Blocked
    untold_turns: UntoldTurns
    verifier: Verifier
    tournaments: TournamentRunner
    members: MemberWatch
    departures: DepartureWatch
    fleet: Fleet | None = None
    """This process among others that share the shards."""
    _no_beat: Trouble = field(default_factory=lambda: Trouble(_log, "the heartbeat fails"))
    _left_alone: Troubles = field(default_factory=lambda: Troubles(_log, level=logging.WARNING))

    def start(self) -> list[asyncio.Task[None]]:
        """Start all tasks; the caller cancels them."""
        once, turns, vacations = self._once, self.untold_turns, self.vacations
        verify = partial(set_damaged_aside, self.store, self.clock)
        works: list[tuple[str, str, Work, float]] = [
            ("offers", "offers and requests cannot expire", once(self._expire), _SWEEP),
            ("vacations", "vacations cannot be reckoned", once(vacations.sweep), _RECKON),
            ("untold_turns", "clocks of turns that were not told fail", once(turns.sweep), _RECKON),
            ("blocked", "what Discord refused cannot be tried", self.blocked.look, _LOOK_AROUND),
            ("flags", "the flags cannot be looked at", self._flags, _LONGEST_NAP),
            ("heartbeat", "people cannot be said to be there", self._heartbeat, BEAT),
            ("tournaments", "tournaments cannot be carried on", self.carry_on, _CARRY_ON),
            ("members", "entrants cannot be looked for", self.look_for_members, _MEMBERS),
            ("verify_tournaments", "tournaments cannot be verified", once(verify), _TIDY),
            ("tidy_counts", "old counts cannot be forgotten", once(self.pairing.tidy), _TIDY),
            ("tidy_vacations", "old vacations and outages stay", once(vacations.tidy), _TIDY),
            ("tidy_turns", "old turns cannot be forgotten", once(turns.tidy), _TIDY),
        ]
        if self.fleet is not None:
            works.append(
                ("shards", "shards cannot be divided among processes", self.fleet.look, BEAT)
            )
        step, failed = once(self.verifier.step), "matches cannot be verified"
        return [
            *(
                asyncio.create_task(repeat(work, every, name=name, what=what), name=name)
                for name, what, work, every in works
            ),
            asyncio.create_task(
                repeat(step, EVERY, name="verify_matches", what=failed, first_in=EVERY)
            ),
            asyncio.create_task(free_requests(self.client), name="requests"),
        ]

    def _once(self, work: Callable[[], Awaitable[None]]) -> Work:
        """Have only one of the processes that share the shards do it."""

        async def led() -> None:
            if self.client.leads:
                await work()

        return led

    async def _expire(self) -> None:
        """Let overdue offers and requests expire."""
        await sweep_offers(self.store, self.clock)
        await sweep_requests(self.store, self.clock)

    async def carry_on(self) -> None:
        """Advance tournaments while people can play."""
        if self.client.is_at_work:
            await self.tournaments.sweep()

    async def look_for_members(self) -> None:
        """Look which entrants of tournaments and which players have left their servers."""
        if self.client.is_at_work:
            await self.members.sweep()
            await self.departures.sweep()

    async def _heartbeat(self) -> float:
        """Record every few seconds that people can play, for as long as they can."""
        can_act = self.client.is_at_work
        if can_act:
            await self.beat()
        return BEAT if can_act else _LOOK

    async def beat(self) -> None:
        """Record that people can play; clocks stop while this record is missing."""
        with self._no_beat.guard(StoreUnavailable):
            await self.presence.beat()

    async def _flags(self) -> float | None:
        """Flag players whose time has run out; returns the time until the next look."""
        if not (self.client.leads and self.client.is_at_work):
            return None
        await sweep_flags(self.store, self.clock, self.vacations, self._left_alone)
        soon = self.clock.now() + timedelta(seconds=_LONGEST_NAP)
        due = await self.store.read(presence.next_deadline, soon)
        if due is None:
            return None
        left = (due + GRACE - self.clock.now()).total_seconds()
        return min(max(left, _SHORTEST_NAP), _LONGEST_NAP)
