"""The life of a process: connect, begin to work, and at the end stop in order.

The order at the end: close the connection, so that new interactions go to the next process; finish
running ones; give the outbox some seconds; cancel what is left; close the database last.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from bot import __version__, failpoints, metrics
from bot.app.health import HealthServer, LoopWatch
from bot.app.periodic import PeriodicWork
from bot.clock import Clock
from bot.computers.services import ComputerService
from bot.computers.thinking.pool import WorkerPool
from bot.connection.client import ParlourClient, stay_connected
from bot.connection.left_sessions import LeftSessions
from bot.domain.quiet_hours import zones
from bot.durable import write_whole
from bot.logs import bug_id, logger
from bot.media.pictures import give_way
from bot.posts.outgoing import LOBBY, TOURNAMENT
from bot.services.matches import MatchService
from bot.services.outbox_worker import OutboxWorker
from bot.settings import Settings
from bot.shutdown import Ended, Shutdown
from bot.store import Store, StoreRefused, standing, upkeep
from bot.store.errors import StoreUnavailable
from bot.store.records import ANY
from bot.tasks import cancel
from bot.ui.command_sync import sync_commands
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.interaction.context import Services
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.rest import FAILURES, in_words
from games import catalog

_log = logger(__name__)
_LEAVING = 2.0
"""The least number of seconds for storing the sessions with Discord."""
_LONGEST_VERSION = 40
_ASIDE = 2
"""Threads for slow tasks. Each working one takes turns with the event loop, which would
wait for a tenth of a second if five people opened the bracket of 256 together.
"""


@dataclass
class Bot:
    """A bot, ready to run. Made by :func:`create_bot`."""

    settings: Settings
    client: ParlourClient
    store: Store
    service: MatchService
    outbox: OutboxWorker
    services: Services
    handler: InteractionHandler
    clock: Clock
    messenger: DiscordMessenger
    periodic: PeriodicWork
    computers: ComputerService
    thinker: WorkerPool
    sessions: LeftSessions
    sync_always: bool = False
    found: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once Discord has the commands, or has refused them."""
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _outbox_task: asyncio.Task[None] | None = None
    _ending: Shutdown | None = None

    async def run(self, token: str, stop: asyncio.Event) -> None:
        """Play until ``stop`` is set.

        Raises :exc:`bot.connection.connection.Unmendable` if Discord will not have us,
        :exc:`bot.app.health.PortRefused`, and :exc:`bot.shutdown.Ended` where the owner ends it.
        """
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(_unretrieved)
        loop.set_default_executor(ThreadPoolExecutor(_ASIDE, "aside", initializer=give_way))
        self.client.begun = self._begun
        self.services.end = partial(self._end, stop)
        self.services.updated_from = await asyncio.to_thread(_updated_from, self.settings.data)
        for game in catalog.LEFT_OUT:
            _log.warning("a game is left out", game=game.key, package=game.package, why=game.reason)
        # Listing the time zones reads many files: do it before a player needs them.
        self.services.background.start(asyncio.to_thread(zones))
        # Telling Discord the commands takes all languages; read on the loop, they would hold it.
        read = asyncio.to_thread(self.services.languages.read)
        await asyncio.wait({self.services.background.start(read)})
        watch, port = LoopWatch(), self.settings.health_port
        async with contextlib.AsyncExitStack() as served:
            if port is not None:
                health = HealthServer(
                    port,
                    partial(self._vitals, watch),
                    self._look,
                    address=str(self.settings.health_address),
                )
                await served.enter_async_context(health)
            await self._live(watch, token, stop)
        if self._ending is not None:
            raise Ended(self._ending)

    def _end(self, stop: asyncio.Event, how: Shutdown) -> None:
        """End as the owner chose, once all open interactions are answered."""
        _log.warning("the owner ends Parlour", how=how.value)
        self._ending = how
        stop.set()

    async def _live(self, watch: LoopWatch, token: str, stop: asyncio.Event) -> None:
        with contextlib.suppress(StoreUnavailable):
            await self.periodic.presence.restore()
        self._tasks = [
            asyncio.create_task(watch.run(), name="lag"),
            asyncio.create_task(self.computers.run(), name="computers"),
            *self.periodic.start(),
        ]
        connection = asyncio.create_task(
            stay_connected(
                self.client,
                token,
                stop,
                timeouts=self.client.connection.timeouts,
                final=(StoreRefused,),
            ),
            name="gateway",
        )
        try:
            stopped = asyncio.create_task(stop.wait(), name="stop")
            await asyncio.wait({connection, stopped}, return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            if connection.done():
                connection.result()
        finally:
            stop.set()
            await self._shut(connection)

    async def _begun(self) -> None:
        """After each login: send waiting messages; once events flow, register changed commands.

        Raises :exc:`~bot.store.StoreRefused` for a new database of a bot that is not new.
        """
        await self._check_application()
        if self._outbox_task is None:
            self._outbox_task = asyncio.create_task(self.outbox.run(), name="outbox")
            self._outbox_task.add_done_callback(_ended)
        self.outbox.wake()
        self._tasks.append(asyncio.create_task(self._once_ready(), name="ready"))

    async def _check_application(self) -> None:
        """Refuse a new database of a bot that is not new; note that this one has run with it.

        A wiped folder, a volume that was not mounted, or an address of another server loses the
        database, but Discord still has our commands. Another process may be the first at the same
        moment, and tell it the commands meanwhile.
        """
        number = self.client.application_id or 0
        try:
            known = await self.store.read(upkeep.served)
            foreign = not {number, ANY} & set(known) and await self._was_here()
            if foreign:
                foreign = number not in await self.store.read(upkeep.served)
            elif number not in known:
                await self.store.write(upkeep.serve, number)
        except StoreUnavailable as trouble:
            # The connection is tried again.
            msg = f"the database cannot be used: {trouble.reason}"
            raise ConnectionError(msg) from trouble
        if foreign:
            raise StoreRefused(
                "lost",
                "Discord knows the commands of this bot, so Parlour has run as it before, but the"
                " database holds nothing of that time. Nothing was changed. Put the right database"
                " back, or name it with PARLOUR_DATA or PARLOUR_DATABASE; a backup is put in place"
                " with: parlour restore BACKUP. To start over without those matches: parlour db"
                " init",
            )

    async def _was_here(self) -> bool:
        """Whether Discord knows most of our commands."""
        known = {command.name for command in await self.client.tree.fetch_commands()}
        ours = {command.name for command in self.client.tree.get_commands()}
        return 2 * len(known & ours) > len(ours)

    async def _once_ready(self) -> None:
        """Wait until Parlour can handle the commands that people see in Discord."""
        await self.client.first_ready.wait()
        self.services.background.start(self._be_found())

    async def _be_found(self) -> None:
        """Check that lobbies and messages of tournaments are there; register the commands."""
        with contextlib.suppress(StoreUnavailable):
            for each in (LOBBY, TOURNAMENT):
                await self.store.write(standing.look_again, each, self.clock.now())
        self.outbox.wake()
        try:
            await self.sync(only_if_changed=not self.sync_always)
        except FAILURES as error:
            _log.warning("the commands could not be told to Discord", why=in_words(error))
        finally:
            self.found.set()

    async def sync(self, *, only_if_changed: bool = True) -> bool:
        """Register the commands; returns whether that was needed. The client must be logged in."""
        return await sync_commands(
            self.client.tree,
            self.client.application_id,
            self.services.mentions,
            self.settings.data / "commands.json",
            only_if_changed=only_if_changed,
            owner_server=self.settings.owner_server,
        )

    def _vitals(self, watch: LoopWatch) -> dict[str, Any]:
        """The state of the process, for ``/health``."""
        connected, stored = self.client.is_connected, self.store.is_well
        at_work = self._outbox_task is None or not self._outbox_task.done()
        live, ready = at_work and watch.worst < 5, connected and stored and at_work
        return {
            "healthy": live and ready,
            "live": live,
            "ready": ready,
            "connected": connected,
            "shards": self.client.shards_connected(),
            **self._fleet_facts(),
            "database": stored,
            "gateway": self.client.connection.describe(),
            "session_starts_left": self.client.connection.starts.left,
            "workers_at_work": at_work,
            "matches_set_aside": self.periodic.verifier.set_aside,
            "loop_lag_seconds": round(watch.worst, 4),
            "clock_offset_seconds": round(self._offset, 1),
        }

    def _fleet_facts(self) -> dict[str, Any]:
        """The process of each shard, where several divide them among themselves."""
        fleet = self.periodic.fleet
        if fleet is None:
            return {}
        return {"process": fleet.name, "owners": dict(fleet.division.owners)}

    @property
    def _offset(self) -> float:
        return 0.0 if self.client.time is None else self.client.time.offset

    async def _look(self) -> None:
        """Set the gauges that need a look; those of an unavailable database stay."""
        verifier = self.periodic.verifier
        metrics.CONNECTED.set(self.client.is_connected)
        connected = self.client.shards_connected()
        # Shards may have gone to another process.
        metrics.SHARD_CONNECTED.clear()
        metrics.SHARD_LATENCY.clear()
        for shard in self.client.connection.shards:
            metrics.SHARD_CONNECTED.labels(shard.id).set(connected[shard.id])
            metrics.SHARD_LATENCY.labels(shard.id).set(shard.latency)
        if self.periodic.fleet is not None:
            division = self.periodic.fleet.division
            metrics.PROCESSES.set(division.processes)
            metrics.SHARDS_LEFT.set(list(division.owners.values()).count(None))
        metrics.DATABASE.set(self.store.is_well)
        metrics.MALFORMED.set(self.client.malformed)
        metrics.INSIDE.set(self.handler.inside)
        metrics.SESSION_STARTS.set(self.client.connection.starts.left)
        metrics.CLOCK_OFFSET.set(self._offset)
        metrics.SET_ASIDE.set(verifier.set_aside)
        metrics.VERIFIED.set(verifier.verified)
        if verifier.whole_at is not None:
            metrics.VERIFIED_AT.set(verifier.whole_at.timestamp())
        for use, number in self.store.database.connections().items():
            metrics.CONNECTIONS.labels(use).set(number)
        with contextlib.suppress(StoreUnavailable):
            backlog = await self.store.read(upkeep.backlog)
            now = self.clock.now()
            metrics.DATABASE_BYTES.set(backlog.size)
            metrics.POSTS_DUE_SINCE.set(_since(backlog.posts_due_at, now))
            metrics.JOBS_DUE_SINCE.set(_since(backlog.jobs_due_at, now))
            for kind, waiting in backlog.jobs.items():
                metrics.JOBS_WAITING.labels(kind.value).set(waiting)

    async def _shut(self, connection: asyncio.Task[None]) -> None:
        """Stop in order; committed but unsent messages are sent after the next start."""
        patience = self.settings.shutdown_seconds
        await self._leave(within=max(_LEAVING, patience / 2))
        await self.handler.close(within=patience / 2)
        failpoints.hit("c14")
        await self.outbox.stop(within=patience / 2)
        await cancel(each for each in (*self._tasks, self._outbox_task) if each is not None)
        await self.thinker.close()
        await self.periodic.blocked.close()
        await self.services.background.drain(patience / 2)
        # All that is still at work ends before what it works with, as a killed process would.
        await self.handler.end()
        await self.services.background.end()
        await self.outbox.end()
        await self.client.close()
        await cancel([connection])
        self.services.reader.pictures.close()
        self.services.heavy.close()
        await self.client.connection.starts.close(is_ready=self.client.first_ready.is_set())
        await self.store.close()
        _log.info("stopped")

    async def _leave(self, *, within: float) -> None:
        """Close all connections so that the next process can resume their sessions."""
        connection, fleet = self.client.connection, self.periodic.fleet
        connection.keeps_sessions = True
        with contextlib.suppress(StoreUnavailable, TimeoutError):
            async with asyncio.timeout(within):
                if fleet is not None:
                    await fleet.leave()
                else:
                    these = [each.id for each in connection.shards]
                    await self.sessions.leave(await connection.shut(these))


def _updated_from(data: Path) -> str | None:
    """The version that ran before this one in the data folder; None if it was no other."""
    note = data / "version"
    try:
        before = note.read_text(encoding="utf-8")[:_LONGEST_VERSION].strip()
    except (OSError, ValueError):
        before = ""
    if before == __version__:
        return None
    with contextlib.suppress(OSError):
        data.mkdir(parents=True, exist_ok=True)
        write_whole(note, __version__)
    if before:
        _log.info("another version ran before", before=before, now=__version__)
    return before or None


def _since(due: datetime | None, now: datetime) -> float:
    """For how many seconds a task has been due; 0 if it is not, or if there is none."""
    return 0.0 if due is None else max(0.0, (now - due).total_seconds())


def _unretrieved(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an exception that no task has awaited."""
    error = context.get("exception")
    if isinstance(error, FAILURES):
        _log.warning("a forgotten request failed", why=in_words(error))
        return
    _log.error("a bug nobody waited for", bug=bug_id(), what=context["message"], exc_info=error)


def _ended(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        name = task.get_name()
        _log.error("a worker has ended", bug=bug_id(), worker=name, exc_info=task.exception())


def stop_on_signals(stop: asyncio.Event) -> None:
    """Have SIGTERM and SIGINT end the bot in order, and on Windows Ctrl-Break."""
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGINT", "SIGBREAK"):
        number = getattr(signal, name, None)
        if number is None:
            continue
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
