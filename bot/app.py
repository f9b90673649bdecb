"""Everything put together: the one place that knows all parts.

:func:`create_bot` builds a bot without a token and without a connection; its parts can be replaced.
:meth:`Bot.run` is its life: connect, send what the outbox holds, let offers lapse, and at the end
stop in order: no new interactions, running ones finished, the outbox given some seconds, the
connection closed, and the database last.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import random
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Protocol, cast

import discord

from bot import failpoints
from bot.domain.clock_text import read_clock
from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.domain.quiet_hours import zones
from bot.health import HealthServer, LoopWatch, Metrics
from bot.i18n import Language, Languages
from bot.logs import bug_id, logger
from bot.media.names import NameBook
from bot.media.pictures import PictureMaker
from bot.services import verification
from bot.services.applications import ApplicationStore, is_foreign_to
from bot.services.blocked import Blocked
from bot.services.blocked_store import BlockedStore
from bot.services.boards_there import BoardsThere
from bot.services.digests import sweep_digests
from bot.services.expiry import sweep_offers, sweep_requests
from bot.services.lobby import LOOK_AGAIN, LobbyService, LobbyStore, LobbyWorker
from bot.services.matches import MatchService
from bot.services.notices import Notices
from bot.services.outbox import OutboxWorker
from bot.services.owed import OwedAnswers, OwedStore
from bot.services.pairing import Limits, Pairing
from bot.services.people_store import PeopleStore
from bot.services.plans import PlanService, PlanStore
from bot.services.ports import Clock, StoreUnavailable
from bot.services.preferences import PreferenceService
from bot.services.presence import BEAT, Presence, concerns, shard_scopes
from bot.services.privacy import PrivacyService, PrivacyStore
from bot.services.ratings import RatingService, RatingStore
from bot.services.rematches import RematchService
from bot.services.reminders import ReminderService
from bot.services.requests import RequestService
from bot.services.session_starts import SessionStarts, SessionStartStore
from bot.services.timeouts import GRACE, sweep_flags
from bot.services.unreached import UnreachedService
from bot.services.vacation_notices import VacationNotices
from bot.services.vacation_store import VacationStore
from bot.services.vacations import VacationService, vacations_of_players
from bot.services.verification import VerificationStore, Verifier
from bot.settings import Settings
from bot.store import StoreRefused
from bot.trouble import Trouble, Troubles
from bot.ui.client import ParlourClient, free_requests, stay_connected
from bot.ui.commands import translation, tree
from bot.ui.delivery.lobby_messages import DiscordLobby
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.discord_api.background import FAILURES, Background
from bot.ui.gateway import Timeouts
from bot.ui.interaction.context import Services
from bot.ui.interaction.cooldowns import Cooldowns
from bot.ui.interaction.handler import InteractionHandler
from bot.ui.interaction.missed_turns import MissedTurns
from bot.ui.interaction.obstacles import Obstacles, may_post
from bot.ui.interaction.refusal_news import RefusalNews
from bot.ui.overview.welcome import welcome
from bot.ui.pages import command_mentions
from bot.ui.pages.presenter import BoardPresenter, Obstacle, Pictures
from bot.ui.router import Router
from renderers import render

_log = logger(__name__)
_plain_log = logging.getLogger(__name__)

_SWEEP = 30.0
_TIDY = 3600.0
_RECKON = 5.0
_LOOK_AROUND = 15.0
_LOOK = 0.5
_LONGEST_NAP = 15.0
_SHORTEST_NAP = 1.0
_TYPING = (20.0, 60)


class ClosingStore(
    ApplicationStore,
    VerificationStore,
    BlockedStore,
    LobbyStore,
    OwedStore,
    PeopleStore,
    PlanStore,
    PrivacyStore,
    RatingStore,
    SessionStartStore,
    VacationStore,
    Protocol,
):
    """A store that can be closed."""

    @property
    def is_well(self) -> bool:
        """Whether the database works, as far as the last questions tell."""
        ...

    async def close(self) -> None:
        """Let running transactions end and close the database."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The present instant in UTC."""
        return datetime.now(UTC)


@dataclass
class Bot:
    """A bot, ready to run. Made by :func:`create_bot`."""

    settings: Settings
    client: ParlourClient
    store: ClosingStore
    service: MatchService
    outbox: OutboxWorker
    services: Services
    handler: InteractionHandler
    clock: Clock
    messenger: DiscordMessenger
    notices: Notices
    pairing: Pairing
    presence: Presence
    reminding: ReminderService
    lobbies: LobbyWorker
    vacations: VacationService
    vacation_notices: VacationNotices
    blocked: Blocked
    unreached: UnreachedService
    verifier: Verifier
    metrics: Metrics = field(default_factory=Metrics)
    sync_always: bool = False
    _no_beat: Trouble = field(default_factory=lambda: Trouble(_plain_log, "the heartbeat fails"))
    _no_verification: Trouble = field(
        default_factory=lambda: Trouble(_plain_log, "matches cannot be verified")
    )
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _outbox_task: asyncio.Task[None] | None = None
    _lobby_task: asyncio.Task[None] | None = None

    async def run(self, token: str, stop: asyncio.Event) -> None:
        """Play until ``stop`` is set.

        Raises :exc:`bot.ui.connection.Unmendable` if Discord will not have us, and
        :exc:`bot.health.PortRefused`.
        """
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(_unretrieved)
        self.client.begun = self._begun
        # Finding out which time zones there are reads many files: not while somebody waits.
        self.services.background.start(asyncio.to_thread(zones))
        watch = LoopWatch(self.metrics)
        async with self._health(watch):
            await self._live(watch, token, stop)

    async def _live(self, watch: LoopWatch, token: str, stop: asyncio.Event) -> None:
        with contextlib.suppress(StoreUnavailable):
            await self.presence.restore()
        self._tasks = [
            asyncio.create_task(watch.run(), name="lag"),
            asyncio.create_task(self._every(_SWEEP, self._sweep), name="expiry"),
            asyncio.create_task(self._every(_SWEEP, self._tell_at_their_hour), name="digests"),
            asyncio.create_task(self._every(_TIDY, self.pairing.tidy), name="tidying"),
            asyncio.create_task(
                self._every(LOOK_AGAIN.total_seconds() / 4, self.lobbies.look_again),
                name="lobbies there",
            ),
            asyncio.create_task(self._every(_TIDY, self.vacations.tidy), name="old vacations"),
            asyncio.create_task(self._every(_RECKON, self.vacations.sweep), name="vacations"),
            asyncio.create_task(self._every(_RECKON, self.unreached.sweep), name="unreached"),
            asyncio.create_task(self._every(_TIDY, self.unreached.tidy), name="old turns"),
            asyncio.create_task(self._every(_LOOK_AROUND, self.blocked.look), name="refused"),
            asyncio.create_task(self._beat(), name="heartbeat"),
            asyncio.create_task(self._flags(), name="flags"),
            asyncio.create_task(self._verify(), name="verification"),
            asyncio.create_task(free_requests(self.client), name="requests"),
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
        """After each login: send what waits; once events flow, tell Discord changed commands.

        Raises :exc:`~bot.store.StoreRefused` for a new database of a bot that is not new.
        """
        await self._check_application()
        if self._outbox_task is None:
            self._outbox_task = asyncio.create_task(self.outbox.run(), name="outbox")
            self._outbox_task.add_done_callback(_ended)
        self.outbox.wake()
        self._tasks.append(asyncio.create_task(self._once_ready(), name="ready"))

    async def _check_application(self) -> None:
        application_id = self.client.application_id or 0
        try:
            foreign = await is_foreign_to(self.store, application_id, self._was_here)
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
        """Wait until Parlour can answer what people find in Discord."""
        await self.client.first_ready.wait()
        self.services.background.start(self._be_found())

    async def _be_found(self) -> None:
        """List open offers, and tell Discord the commands."""
        if self._lobby_task is None:
            # Who may see which channel is known only now.
            self._lobby_task = asyncio.create_task(self.lobbies.run(), name="lobbies")
            self._lobby_task.add_done_callback(_ended)
        try:
            await self.sync(only_if_changed=not self.sync_always)
        except FAILURES as error:
            _log.warning("the commands could not be told to Discord", error=repr(error))

    async def sync(self, *, only_if_changed: bool = True) -> bool:
        """Tell Discord the commands; whether it had to be told. The client must be logged in."""
        note = self.settings.data / "commands.json"
        now = {
            "application": str(self.client.application_id),
            "commands": await translation.fingerprint(self.client.tree),
        }
        found = await asyncio.to_thread(_read_note, note)
        if only_if_changed and found is not None and now.items() <= found.items():
            self.services.mentions.learn(found["ids"])
            return False
        ids = command_mentions.paths(await self.client.tree.sync())
        self.services.mentions.learn(ids)
        await asyncio.to_thread(_write_note, note, {**now, "ids": ids})
        _log.info("Discord knows the commands")
        return True

    @contextlib.asynccontextmanager
    async def _health(self, watch: LoopWatch) -> AsyncIterator[None]:
        if self.settings.health_port is None:
            yield
            return

        def facts() -> dict[str, bool | float | str]:
            connected = self.client.is_connected
            self.metrics.connected.set(connected)
            self.metrics.malformed.set(self.client.malformed)
            self.metrics.inside.set(self.handler.inside)
            self.metrics.set_aside.set(self.verifier.set_aside)
            self.metrics.verified.set(self.verifier.verified)
            if self.verifier.whole_at is not None:
                self.metrics.verified_at.set(self.verifier.whole_at.timestamp())
            workers = [each for each in (self._outbox_task, self._lobby_task) if each is not None]
            at_work = not any(each.done() for each in workers)
            starts = self.client.connection.starts
            self.metrics.session_starts.set(starts.left)
            stored = self.store.is_well
            self.metrics.database.set(stored)
            return {
                "healthy": connected and stored and at_work and watch.worst < 5,
                "connected": connected,
                "database": stored,
                "gateway": self.client.connection.describe(),
                "session_starts_left": starts.left,
                "workers_at_work": at_work,
                "matches_set_aside": self.verifier.set_aside,
                "loop_lag_seconds": round(watch.worst, 4),
            }

        async with HealthServer(self.settings.health_port, self.metrics, facts):
            yield

    async def _sweep(self) -> None:
        """Let offers lapse, and what players have asked one another for."""
        await sweep_offers(self.store, self.clock, self.outbox)
        await sweep_requests(self.store, self.clock, self.outbox)

    async def _tell_at_their_hour(self) -> None:
        """Send what is due at a certain hour and follows from no event."""
        if self.client.is_connected:
            await sweep_digests(self.store, self.messenger, self.notices, self.clock)
            await self.reminding.sweep()
            await self.vacation_notices.sweep()

    async def _every(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        """Do something again and again, whatever becomes of it."""
        trouble = Trouble(_plain_log, f"{work.__qualname__} fails")
        while True:
            with trouble.guard(StoreUnavailable):
                await work()
            await asyncio.sleep(seconds)

    async def _beat(self) -> None:
        """Say every few seconds that people can act, for as long as they can."""
        while True:
            connected = self.client.is_connected
            if connected:
                await self.beat()
            await asyncio.sleep(BEAT if connected else _LOOK)

    async def beat(self) -> None:
        """Say that people can act; what keeps it from being said keeps clocks from running."""
        with self._no_beat.guard(StoreUnavailable):
            await self.presence.beat()

    async def _flags(self) -> None:
        """Let the flags of those fall whose time has run out."""
        trouble = Trouble(_plain_log, "the flags cannot be looked at")
        left_alone = Troubles(_plain_log, level=logging.WARNING)
        while True:
            pause = _LONGEST_NAP
            with trouble.guard(StoreUnavailable):
                if self.client.is_connected:
                    await sweep_flags(
                        self.store, self.clock, self.outbox, self.vacations, left_alone
                    )
                    due = await self.store.next_deadline()
                    if due is not None:
                        left = (due + GRACE - self.clock.now()).total_seconds()
                        pause = min(max(left, _SHORTEST_NAP), _LONGEST_NAP)
            await asyncio.sleep(pause)

    async def _verify(self) -> None:
        """Look through what is stored, a little at a time."""
        while True:
            await asyncio.sleep(verification.EVERY)
            with self._no_verification.guard(StoreUnavailable):
                await self.verifier.step()

    async def _shut(self, connection: asyncio.Task[None]) -> None:
        """Stop in order; what is committed and not yet sent is sent after the next start."""
        patience = self.settings.shutdown_seconds
        await self.handler.close(within=patience / 2)
        failpoints.hit("c14")
        await asyncio.gather(
            self.outbox.stop(within=patience / 2), self.lobbies.stop(within=patience / 2)
        )
        workers = [self._outbox_task, self._lobby_task]
        tasks = [task for task in (*self._tasks, *workers) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.blocked.close()
        await self.services.background.drain(patience / 2)
        await self.client.close()
        connection.cancel()
        await asyncio.gather(connection, return_exceptions=True)
        self.services.presenter.pictures.close()
        await self.store.close()
        _log.info("stopped")


def create_bot(
    settings: Settings,
    *,
    store: ClosingStore,
    clock: Clock | None = None,
    rng: random.Random | None = None,
    pictures: Pictures | None = None,
    languages: Languages | None = None,
    guild_ready_timeout: float = 2.0,
    timeouts: Timeouts | None = None,
    by_hand: bool = False,
) -> Bot:
    """A bot on this store, not yet connected to anything.

    It is ready when it has not heard of another server for ``guild_ready_timeout`` seconds. With
    ``by_hand`` it may use up what is kept of the session starts for that.
    """
    rng = rng or random.SystemRandom()
    clock = clock or SystemClock()
    languages = languages or Languages(default=settings.language)
    client = ParlourClient(
        languages,
        SessionStarts(
            store, clock, by_hand=by_hand, between=timedelta(seconds=settings.session_seconds)
        ),
        clock,
        shard_count=settings.shard_count,
        shard_ids=settings.shard_ids,
        guild_ready_timeout=guild_ready_timeout,
        timeouts=timeouts,
    )
    scopes = shard_scopes(settings.shard_ids, settings.shard_count)
    presence = Presence(store, clock, scopes=scopes)
    ratings = RatingService(store, clock)
    blocked = Blocked(store, clock, may_post=partial(may_post, client))
    obstacles = Obstacles(client)
    presenter = BoardPresenter(
        pictures or PictureMaker(render),
        NameBook(_name_from(client)),
        theme=settings.theme,
        standstills=presence.standstills,
        stopped=blocked.stood,
        obstacles=partial(_obstacle, blocked, obstacles),
        gains=ratings.gains,
        leaves=partial(vacations_of_players, store, clock),
    )
    preferences = PreferenceService(store, clock)
    pairing = Pairing(store, preferences, clock, _limits(settings), ratings=ratings)
    lobby = LobbyService(store, ratings, clock)
    messenger = DiscordMessenger(client, presenter, languages, preferences)
    notices = Notices(messenger, clock, preferences)
    reminding = ReminderService(store, messenger, notices, clock)
    outbox = OutboxWorker(store, messenger, clock, notices=notices, pairing=pairing)
    outbox.settled = blocked.settled
    blocked.hurried = outbox.hurry
    unreached = UnreachedService(store, clock, outbox=outbox)
    background = Background()
    blocked.refusals = refusals = RefusalNews(blocked, unreached, obstacles, background)
    offers_last = timedelta(hours=settings.offer_hours)
    vacations = VacationService(store, clock, allowance=settings.vacation_days, outbox=outbox)
    service = MatchService(
        store,
        clock,
        rng,
        outbox=outbox,
        offers_last=offers_last,
        pairing=pairing,
        lobby=lobby,
        relief=vacations,
    )
    lobbies = LobbyWorker(
        store,
        DiscordLobby(client, messenger, lobby),
        lobby,
        clock,
        serves=lambda guild_id: (
            guild_id not in presence.away and any(concerns(each, guild_id) for each in scopes)
        ),
    )
    services = Services(
        matches=service,
        owed=OwedAnswers(store, service, clock),
        requests=RequestService(service),
        rematches=RematchService(store, clock, service, last=offers_last),
        plans=PlanService(store, service),
        ratings=ratings,
        lobby=lobby,
        privacy=PrivacyService(store, service, clock, rng),
        presenter=presenter,
        languages=languages,
        clock=clock,
        preferences=preferences,
        reminding=reminding,
        vacations=vacations,
        blocked=blocked,
        boards_there=BoardsThere(store, messenger, clock, outbox=outbox),
        refusals=refusals,
        background=background,
        commands=Cooldowns(settings.commands_per_second, settings.commands_burst),
        typing=Cooldowns(*_TYPING),
        threads=settings.threads,
        limits=pairing.limits,
        offers_last=offers_last,
        clock_of_house=read_clock(settings.clock),
    )
    handler = InteractionHandler(services, MissedTurns(store, blocked, unreached, obstacles))
    client.router = Router(handler)
    client.guilds_seen = presence
    client.changes = blocked
    client.welcome = partial(welcome, client, languages=languages, mentions=services.mentions)
    tree.build(client.tree, handler)
    return Bot(
        settings,
        client,
        store,
        service,
        outbox,
        services,
        handler,
        clock,
        messenger,
        notices,
        pairing,
        presence,
        reminding,
        lobbies,
        vacations,
        VacationNotices(store, messenger, notices, clock),
        blocked,
        unreached,
        Verifier(store, clock, outbox),
    )


def _obstacle(
    blocked: Blocked, obstacles: Obstacles, match: Match, viewer: UserId, language: Language
) -> Obstacle:
    """What is in the way of a match; of the viewer's own turn they are told by seeing it."""
    parked, turn = blocked.parked(match), blocked.turn(match)
    if turn is not None and turn.user_id == viewer:
        turn = None
    stops = turn is not None and match.deadline is not None
    return Obstacle(obstacles.words(match, parked, turn, language), stops)


def _limits(settings: Settings) -> Limits:
    return Limits(
        open_offers=settings.open_offers,
        offers_to_one=settings.offers_to_one,
        cool_down=timedelta(hours=settings.cool_down_hours),
        running=settings.running_matches,
        running_in_server=settings.server_matches,
        threads_an_hour=settings.server_threads,
        rated_with_one=settings.rated_with_one,
    )


class _NoStore:
    """Stands where a store would, for work that has nothing to do with matches."""

    def __getattr__(self, name: str) -> Any:
        msg = f"there is no store here to {name}"
        raise RuntimeError(msg)


def no_store() -> ClosingStore:
    """No store at all, for a bot that only talks to Discord."""
    return cast(ClosingStore, _NoStore())


def _name_from(client: discord.Client) -> Any:
    async def fetch(user_id: UserId) -> str | None:
        """Ask Discord what somebody is called; None if it does not say."""
        try:
            return (await client.fetch_user(user_id)).display_name
        except (*FAILURES, AttributeError) as error:
            _log.info("a name could not be had", error=type(error).__name__)
            return None

    return fetch


def _unretrieved(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An exception that nobody waited for."""
    error = context.get("exception")
    if isinstance(error, FAILURES):
        _log.warning("a forgotten request failed", error=repr(error))
        return
    _log.error("a bug nobody waited for", bug=bug_id(), what=context["message"], exc_info=error)


def _ended(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        name = task.get_name()
        _log.error("a worker has ended", bug=bug_id(), worker=name, exc_info=task.exception())


def _read_note(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("ids"), dict) else None


def _write_note(path: Path, content: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def stop_on_signals(stop: asyncio.Event) -> None:
    """Have SIGTERM and SIGINT end the bot in order."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
