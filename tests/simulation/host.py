"""The bot's life in a Discord of virtual time: started, stopped, killed, cut off."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest import mock

from sqlalchemy import Connection, func, select

from bot import failpoints
from bot.app.life import Bot
from bot.app.wiring import create_bot
from bot.clock import DiscordClock
from bot.connection.gateway import Timeouts
from bot.i18n import Languages
from bot.posts.outgoing import TOURNAMENT
from bot.posts.sending import Notice, Reminder
from bot.settings import Settings
from bot.store import StoreRefused, open_store, outbox
from bot.store.errors import StoreUnavailable
from bot.store.tables import tournaments
from bot.tournaments.delivery.telling import TournamentTelling
from bot.tournaments.services.verifying import set_damaged_aside
from bot.tournaments.store import reading as tournament_reading
from playground.server import Playground
from tests.simulation.doubles import Dots, Mortal
from tests.simulation.watch import Watcher
from tests.support.kit import HandClock

TICK = timedelta(minutes=10)
"""How long at most the bot is left alone."""
_NOW = "now"
_LINE = "killed at a line"
_DECIDED, _WRITTEN, _TOLD = (
    "killed before an event was written",
    "killed after an event was written",
    "killed after an event was told",
)
EVENT_POINTS = (_DECIDED, _WRITTEN, _TOLD)
"""Where a process can die that carries a tournament on or tells of it."""
MOVE_POINTS = ("c1", "c2", "c3", "c4", "c5", "c8", "c9", "c10")
"""Where a process can die on the way of a move, but for pictures, which are not drawn here."""


def _next_event(connection: Connection) -> datetime | None:
    """When there is something to do in a tournament."""
    due: datetime | None = connection.execute(select(func.min(tournaments.c.due_at))).scalar()
    return due


@dataclass
class Machine:
    """The clock of the machine that the bot runs on, which may be wrong."""

    right: HandClock
    ahead: timedelta = timedelta()

    def now(self) -> datetime:
        return self.right.at + self.ahead


@dataclass
class Host:
    """A bot that can be stopped in many ways, an agenda, and a record of when nobody could act."""

    playground: Playground
    settings: Settings
    clock: HandClock
    """The time, which Discord knows."""
    watcher: Watcher
    rng: Random
    seed: int = 1
    machine: Machine = field(init=False)
    at_once: int = 8
    """How many keys the outbox serves together. With one the same seed gives the same month."""
    down: list[tuple[datetime, datetime]] = field(default_factory=list)
    """When nobody could act, as the simulation knows that pulled the plugs."""
    counts: Counter[str] = field(default_factory=Counter)
    bot: Bot | None = None
    due: datetime | None = None
    """When the next thing is to be sent."""
    _down_since: datetime | None = None
    _dies: str = ""
    _dying: str = ""
    """At which point it has died."""
    _agenda: list[tuple[datetime, int, Callable[[], Awaitable[None]]]] = field(default_factory=list)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _stop: asyncio.Event = field(default_factory=asyncio.Event)
    _torn: asyncio.Event = field(default_factory=asyncio.Event)
    _running: asyncio.Task[None] | None = None
    _is_at_work: bool = False
    """Whether the bot does what it does by itself."""
    _looks: int = 0
    """Whether the outbox is just being looked at."""
    _left_behind: list[asyncio.Task[None]] = field(default_factory=list)
    """The unfinished work of a killed process."""

    def lots(self, *about: object) -> Random:
        """The random choices about one thing, independent of everything before."""
        return Random(":".join(map(str, (self.seed, *about))))

    # ---- the bot's life ----------------------------------------------------------------------

    async def start(self) -> None:
        """Start the bot on the database that is there; from now on people can act."""
        store = await open_store(self.settings.database_url())
        self.bot = create_bot(
            self.settings,
            store=store,
            clock=DiscordClock(self.machine, self.clock.seconds),
            rng=Random(self.rng.random()),
            pictures=Dots(),
            languages=Languages(),
            timeouts=Timeouts(refused=(0.0, 0.1)),
        )
        # Virtual time goes in steps of so much.
        self.bot.periodic.presence._patience = TICK + timedelta(seconds=30)
        self.bot.outbox._at_once = self.at_once
        self._count_looks(self.bot)
        self.bot.client._connection.guild_ready_timeout = 0.01
        self._torn = asyncio.Event()
        self._spike()
        self._stop = asyncio.Event()
        self._running = asyncio.create_task(self.bot.run(self.playground.token, self._stop))
        await self.until(lambda: self.bot is not None and self.bot.client.is_connected)
        await self._can_act()

    def _count_looks(self, bot: Bot) -> None:
        """Know when the outbox takes what is due: it has it in the database before it says so.

        One that serves a key at a time waits until what is done by itself is done: otherwise it
        would take now more of that and now less.
        """
        look = bot.outbox._look

        async def counted() -> int:
            self._looks += 1
            try:
                while self._is_at_work and self.at_once == 1:
                    await asyncio.sleep(0.001)
                return await look()
            finally:
                self._looks -= 1

        self._looks = 0
        bot.outbox._look = counted

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(120):
            while not is_so():
                if self._running is not None and self._running.done():
                    self._running.result()
                await asyncio.sleep(0.005)

    async def _can_act(self) -> None:
        assert self.bot is not None
        if self._down_since is not None:
            self.down.append((self._down_since, self.clock.at))
            self._down_since = None
        bot = self.bot
        await self.until(lambda: not bot.services.background._tasks)
        if not self.is_doomed:
            await self.bot.periodic.look_for_members()
            await set_damaged_aside(self.bot.store, self.bot.clock)
        await self.look()

    async def stop(self) -> None:
        """Stop the bot in order; from now on nobody can act."""
        assert self.bot is not None
        assert self._running is not None
        await self.bot.periodic.beat()
        self._down_since = self.clock.at
        self._stop.set()
        await self._running
        await self._leave_nothing_behind()
        self.bot = self._running = None

    async def _leave_nothing_behind(self) -> None:
        """The work of the process ends with it; nothing waits for it later."""
        self._torn.set()
        await asyncio.gather(*self._left_behind, return_exceptions=True)
        self._left_behind.clear()

    async def step_clock(self, by: timedelta) -> None:
        """Put the machine's clock ahead or back; it is put right again some time later."""
        self.counts["clock steps"] += 1
        self.machine.ahead += by

    async def restart(self, away: timedelta) -> None:
        self.counts["restarts"] += 1
        await self.stop()
        self.at(self.clock.at + away, self.start)

    async def redeploy(self) -> None:
        """The new process comes while the old one runs, and takes its place.

        A SQLite file is refused to it for as long as another has it.
        """
        self.counts["redeploys"] += 1
        if self.settings.database is None:
            await self._try_to_open_again()
        await self.stop()
        self.at(self.clock.at + timedelta(seconds=45), self.start)

    async def _try_to_open_again(self) -> None:
        with contextlib.suppress(StoreRefused):
            await (await open_store(self.settings.database_url())).close()
            self.watcher.problems.append("two processes have opened one SQLite file")

    async def tear_away(self) -> None:
        """Take the database from the bot, as a kill would; nothing it does then is kept."""
        assert self.bot is not None
        assert self._running is not None
        self.counts["kills"] += 1
        with contextlib.suppress(StoreUnavailable):  # the process is dead already
            await self.bot.periodic.beat()
        self._down_since = self.clock.at
        await self.bot.store.close()
        self._torn.set()
        self._stop.set()
        await self._running
        await self._leave_nothing_behind()
        self.bot = self._running = None

    @contextlib.contextmanager
    def dying_at(self, point: str) -> Iterator[None]:
        """Have the bot die where it comes by one of :data:`MOVE_POINTS` first."""

        bot = self.bot
        assert bot is not None

        async def gone(*_: object, **__: object) -> Any:
            raise StoreUnavailable("killed")

        def die(*_: object) -> None:
            if self._dies != _NOW:
                self._dies, self._dying = _NOW, f"killed at {point}"
            # What this process does from now on is not stored.
            bot.store.database.read = gone
            bot.store.database.write = gone
            if point not in ("c1", "c2"):  # by which it has done nothing yet
                raise StoreUnavailable("killed")

        system = SimpleNamespace(kill=die, getpid=lambda: 0)
        with (
            mock.patch.object(failpoints, "os", system),
            mock.patch.object(failpoints, "_name", point),
            mock.patch.object(failpoints, "_left", 1),
        ):
            yield

    def die_at_a_line(self) -> None:
        """Have the bot die after the next reminder or digest, before it can write that it was."""
        self._dies = _LINE
        self._spike()

    def die_in_an_event(self, point: str) -> None:
        """Have the bot die at one of :data:`EVENT_POINTS`."""
        self._dies = point
        self._spike()

    def _spike(self) -> None:
        bot = self.bot
        if bot is None or self._dies in ("", _NOW):
            return
        if self._dies == _LINE:
            notify: Any = bot.messenger.notify
            last = self._last(notify)

            async def remind(notice: Notice, *args: Any, **more: Any) -> Any:
                is_reminder = isinstance(notice.kind, Reminder)
                return await (last if is_reminder else notify)(notice, *args, **more)

            bot.messenger.notify = remind
            bot.messenger.digest = self._last(bot.messenger.digest)  # type: ignore[assignment]
        elif self._dies == _TOLD:
            telling = bot.outbox._handlers[TOURNAMENT]
            assert isinstance(telling, TournamentTelling)
            announcer: Any = telling.announcer
            announcer.announce = self._last(announcer.announce)
        else:
            runner = bot.periodic.tournaments
            spiked: Any = Mortal(bot.store, self._last, after=self._dies == _WRITTEN)
            runner.changes = replace(runner.changes, store=spiked)

    def _last(
        self, call: Callable[..., Awaitable[Any]], *, after: bool = True
    ) -> Callable[..., Awaitable[Any]]:
        """The last thing that a process does, or comes to do, before it is killed."""

        point, torn = self._dies, self._torn

        async def made(*args: object, **more: object) -> Any:
            if after:
                await call(*args, **more)
            if self._dies == point and not torn.is_set():
                self._dying, self._dies = point, _NOW
            # Not a line of this process is run any more before its database is gone.
            await torn.wait()
            raise StoreUnavailable("killed")

        return made

    @property
    def is_dead(self) -> bool:
        """Whether the bot has come by the point where it is to die."""
        return self._dies == _NOW

    def died(self) -> None:
        """Note where the bot has died, if it has."""
        if self.is_dead:
            self._dies = ""
            self.counts[self._dying] += 1

    async def die(self) -> None:
        """Where the bot has come by the point at which it is to die, take its database away."""
        self.died()
        await self.tear_away()
        wait = timedelta(seconds=self.rng.choice((5, 50, 400, 4000)))
        self.at(self.clock.at + wait, self.start)

    async def outage(self, lasts: timedelta) -> None:
        """Discord is away; the bot lives on."""
        self.counts["outages"] += 1
        assert self.bot is not None
        await self.bot.periodic.beat()
        self._down_since = self.clock.at
        await self.playground.go_offline()
        await self.until(lambda: self.bot is not None and not self.bot.client.is_connected)
        self.at(self.clock.at + lasts, self._outage_over)

    async def _outage_over(self) -> None:
        await self.playground.come_back()
        await self.until(lambda: self.bot is not None and self.bot.client.is_connected)
        await self._can_act()

    @property
    def is_doomed(self) -> bool:
        """Whether the bot is to die at a line."""
        return bool(self._dies)

    @property
    def is_up(self) -> bool:
        """Whether people can act."""
        return self._down_since is None

    # ---- time --------------------------------------------------------------------------------

    def at(self, when: datetime, action: Callable[[], Awaitable[None]]) -> None:
        heapq.heappush(self._agenda, (when, next(self._numbers), action))

    async def look(self) -> None:
        """Do the work that the bot does every few seconds; here it happens on request."""
        if self.bot is None or not self.bot.client.is_connected:
            return
        bot = self.bot
        with self._working():
            await bot.periodic.beat()
            await bot.periodic._expire()
            await bot.periodic._flags()
            await bot.periodic.vacations.sweep()
            await bot.periodic.untold_turns.sweep()
            await bot.periodic.blocked.look()
        await self._carry_on(bot)
        await self.settled()
        if self._dies == _NOW:
            await self.die()

    @contextlib.contextmanager
    def _working(self) -> Iterator[None]:
        self._is_at_work = True
        try:
            yield
        finally:
            self._is_at_work = False

    async def _carry_on(self, bot: Bot) -> None:
        """Let tournaments go on; a bot that is to die while they do is not waited for."""
        step = asyncio.create_task(bot.periodic.carry_on())
        with self._working():
            while not step.done() and self._dies != _NOW:
                await asyncio.wait({step}, timeout=0.02)
        if step.done():
            step.result()
        else:
            self._left_behind.append(step)

    async def settled(self) -> None:
        """Wait until all that is due has been sent."""
        bot = self.bot
        if bot is None or not self.is_up:
            return
        async with asyncio.timeout(60):
            while self._dies != _NOW:
                if bot.outbox._serving:
                    await asyncio.wait(set(bot.outbox._serving), timeout=0.05)
                elif bot.handler.inside or self._looks:
                    await asyncio.sleep(0.001)
                else:
                    now = bot.clock.now()  # which may be off by less than a second
                    events = await bot.store.read(tournament_reading.due, now, 1)
                    if events:
                        await self._carry_on(bot)
                        continue
                    dues = (
                        await bot.store.read(outbox.next_due),
                        await bot.store.read(_next_event),
                    )
                    self.due = min((each for each in dues if each is not None), default=None)
                    if dues[0] is None or dues[0] > now:
                        break
                    bot.outbox.wake()
                    await asyncio.sleep(0.002)
        await self.heard()

    def once_up(self, action: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
        """The action, put off for as long as the bot is not there."""

        async def do() -> None:
            if self.is_up:
                await action()
            else:
                self.at(self.clock.at + timedelta(minutes=30), do)

        return do

    async def heard(self) -> None:
        """All that was to be said has been said."""
