"""Staying connected to Discord's gateway: one loop a shard, and the state that they share.

A shard whose connection is lost tries again at once, then after half a second, then after waits
that double up to half a minute, each with some jitter. It resumes its session where it can. A
session that Discord does not let it resume three times is given up, and an address that it cannot
reach three times gives way to the gateway's main one. So Parlour is back within a minute of
Discord: it never rests longer than 30 seconds, nor waits for a connection longer than 20. It takes
longer in two cases: Discord lets us begin a session and sends no READY, for which we wait up to a
minute, or no session starts are left (:mod:`bot.connection.services`).

Only errors that retrying cannot fix end the process: an invalid token, intents that are not
granted, shards that do not fit.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

import discord
import yarl

from bot.clock import Clock
from bot.connection.gateway import Lost, Session, Socket, Timeouts, default_address, is_address
from bot.connection.services import SessionLimits, SessionStarts
from bot.logs import bug_id, logger
from bot.store.errors import StoreUnavailable
from bot.tasks import cancel
from bot.ui.private_parts import tell_shards
from bot.ui.rest import FAILURES, in_words

T = TypeVar("T")
_log = logger(__name__)

HOPELESS = {
    4004: "Discord does not accept the token. Take a new one in the developer portal, page Bot,"
    " button Reset Token, and put it where the old one is: DISCORD_TOKEN in .env, or the file that"
    " PARLOUR_TOKEN_FILE names.",
    4010: "The number of the shard is not valid. Check PARLOUR_SHARD_IDS.",
    4011: "This bot needs more shards. Remove PARLOUR_SHARD_COUNT, or raise it.",
    4012: "Discord no longer speaks this version of its gateway. Update Parlour.",
    4013: "Discord does not know the intents asked for. Update Parlour.",
    4014: "Discord does not grant the intents asked for. Parlour needs none that are privileged.",
}
"""Close codes after which retrying would not help, and what the host can do."""
_TOO_FEW = 4011
_NEEDS_NEW_SESSION = frozenset({4003, 4007, 4009})
_TRIES = 3
"""Attempts to resume a session, or to reach its own address."""
_LEAST_TOTAL = 100
"""Session starts a day, at least; Discord permits 1,000."""
_FIRST_WORD = 60.0
"""Seconds until the first log line about it; each next one comes after twice as long."""


class Unmendable(Exception):
    """An error that retrying would not fix; ``str()`` tells the host why."""


class Shard:
    """One shard, which connects again and again."""

    def __init__(self, owner: Connection, shard_id: int, session: Session | None = None) -> None:
        self.id = shard_id
        self.is_open = False
        self.why: str | None = None
        self.attempts = 0
        self.lost_at = asyncio.get_running_loop().time()
        self._owner = owner
        self._timeouts = owner.timeouts
        self._session = session
        self._socket: Socket | None = None
        self._has_met = False
        self._in_a_row = 0
        self._failed_resumes = 0
        self._opened_at = 0.0
        self._next_word = _FIRST_WORD

    @property
    def latency(self) -> float:
        """Seconds from the last heartbeat to its answer; NaN if unknown."""
        found = math.inf if self._socket is None else self._socket.latency
        return found if math.isfinite(found) else math.nan

    @property
    def session(self) -> Session | None:
        """The session to resume once this has been cancelled."""
        return self._session

    async def run(self) -> None:
        """Stay connected until cancelled. Raises :exc:`Unmendable`."""
        while True:
            try:
                await self._connect()
            except Lost as lost:
                self._note(lost)
            except Unmendable:
                raise
            except Exception as error:
                _log.exception("a bug in the connection", bug=bug_id(), shard=self.id)
                self._note(Lost(f"a bug ({type(error).__name__})"))
            await asyncio.sleep(self._pause())

    async def _connect(self) -> None:
        """One connection, from its first packet to its end."""
        if self._session is None:
            async with self._owner.turn(self.id):
                socket = await self._open()
        else:
            socket = await self._open()
        await self._listen(socket)

    async def _open(self) -> Socket:
        self.attempts += 1
        session, address = self._session, self._owner.address
        if session is not None and self._in_a_row <= _TRIES:
            address = session.address
        return await Socket.connect(self._owner.client, self.id, address, session, self._timeouts)

    async def _listen(self, socket: Socket) -> None:
        code = 4000
        self._socket = socket
        try:
            await socket.listen(self._greeted)
        except Lost as lost:
            if not socket.is_greeted:
                # A request to reconnect is no refusal.
                self._failed_resumes += self._session is not None and not lost.is_asked
            if lost.code in _NEEDS_NEW_SESSION or self._failed_resumes >= _TRIES:
                self._session = None
            else:
                self._session = socket.session
            raise
        except asyncio.CancelledError:
            self._session = socket.session if self._owner.keeps_sessions else None
            if self._session is None:
                code = 1000  # Discord shows Parlour as offline immediately.
            raise
        finally:
            self._socket = None
            await socket.close(code)

    def _greeted(self) -> None:
        loop = asyncio.get_running_loop()
        self.is_open = True
        self._opened_at = loop.time()
        words = "connected to Discord again" if self._has_met else "connected to Discord"
        _log.info(
            words,
            shard=self.id,
            after_seconds=round(self._opened_at - self.lost_at, 1),
            attempts=self.attempts,
            session="new" if self._session is None else "resumed",
        )
        self._has_met = True
        self._failed_resumes = 0
        self.attempts = 0
        self.why = None

    def _note(self, lost: Lost) -> None:
        """Note that a connection was lost, or could not be made."""
        if lost.code == _TOO_FEW and self._owner.may_grow:
            self._owner.outgrown = self._owner.total
        elif lost.code in HOPELESS:
            raise Unmendable(HOPELESS[lost.code]) from lost
        now = asyncio.get_running_loop().time()
        self.why = str(lost)
        if self.is_open:
            self.is_open = False
            if now - self._opened_at >= self._timeouts.lasting:
                self._in_a_row = 0
            self.lost_at = now
            self._next_word = _FIRST_WORD
            tell = _log.info if lost.is_asked else _log.warning
            tell("the connection to Discord is lost", shard=self.id, why=self.why)
        elif self.attempts == 1 and not self._has_met:
            _log.warning("no connection to Discord yet", shard=self.id, why=self.why)
        elif now - self.lost_at >= self._next_word:
            self._next_word *= 2
            _log.warning(
                "still no connection to Discord",
                shard=self.id,
                for_seconds=round(now - self.lost_at),
                attempts=self.attempts,
                why=self.why,
            )
        self._in_a_row += 1
        self._owner.lost(self.id, lost)

    def _pause(self) -> float:
        """Seconds before the next attempt."""
        timeouts, rng = self._timeouts, self._owner.rng
        wait = 0.0
        if self._in_a_row > 1:
            most = min(timeouts.longest, timeouts.first * 2.0 ** min(self._in_a_row - 1, 30))
            wait = rng.uniform(most / 2, most)
        if self._session is None:
            wait = max(wait, rng.uniform(*timeouts.refused))
        return wait


class Connection:
    """The shards of this process. ``lost`` is called for each connection that ends.

    Without ``divided`` these are all shards, or those numbered by hand. With it :class:`Fleet` says
    how many there are (:meth:`divide`), and which this process serves (:meth:`open`, :meth:`shut`).
    An answer of 401 sets ``token_doubted``: then the token is checked.
    """

    def __init__(
        self,
        client: discord.AutoShardedClient,
        starts: SessionStarts,
        clock: Clock,
        *,
        lost: Callable[[int, Lost], None],
        timeouts: Timeouts | None = None,
        divided: bool = False,
    ) -> None:
        self.client = client
        self.starts = starts
        self.lost = lost
        self.timeouts = timeouts or Timeouts()
        self.rng = random.Random()  # noqa: S311 - jitter
        self.is_divided = divided
        self.may_grow = divided and client.shard_count is None
        self.outgrown: int | None = None
        """The number of shards that Discord has called too few."""
        self.total = 0
        self.address = default_address()
        self.token_doubted = asyncio.Event()
        self.keeps_sessions = False
        """Whether sessions can be resumed after their shards are shut."""
        self.left: Callable[[Collection[int], int], Awaitable[dict[int, Session]]] | None = None
        """Takes the sessions left for some shards, of ``total``."""
        self._clock = clock
        self._wanted: int | None = client.shard_count
        self.advice = self._wanted or 1
        self._turns: dict[int, asyncio.Lock] = {}
        self._shards: dict[int, Shard] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._watch: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[None] | None = None
        self._asking: set[asyncio.Task[Any]] = set()
        starts.ask_discord = self._ask

    @property
    def shards(self) -> tuple[Shard, ...]:
        """The shards of this process, in order."""
        return tuple(self._shards.values())

    @property
    def is_open(self) -> bool:
        """Whether events flow on every shard."""
        if not self.is_running:
            return False
        may_be = bool(self.shards) or (self.is_divided and self.total > 0)
        return may_be and all(each.is_open for each in self.shards)

    @property
    def is_running(self) -> bool:
        """Whether shards can be served."""
        return self._ended is not None and not self._ended.done()

    async def run(self) -> None:
        """Stay connected until :meth:`close`. Raises :exc:`Unmendable`."""
        count = await self.advised()
        self._ended = asyncio.get_running_loop().create_future()
        self._watch = asyncio.create_task(self._watch_token(), name="token")
        self._watch.add_done_callback(self._failed)
        try:
            if not self.is_divided:
                ids = self.client.shard_ids or range(count)
                sessions = await self.sessions_left(ids, count)
                self.divide(count)
                self.open(ids, sessions)
            await self._ended
        finally:
            await self.close()

    async def advised(self) -> int:
        """The total number of shards: the host's setting, or Discord's advice."""
        if self._wanted is None:
            self.starts.limits = await self._told()
        return self.advice

    def divide(self, total: int) -> None:
        """Set the total number of shards; none is open now."""
        self.total = total
        tell_shards(self.client, total)

    async def sessions_left(self, shard_ids: Collection[int], total: int) -> dict[int, Session]:
        """The sessions that a process left for these shards, of ``total``."""
        if self.left is not None:
            with contextlib.suppress(StoreUnavailable):
                return await self.left(shard_ids, total)
        return {}

    def open(self, shard_ids: Collection[int], sessions: Mapping[int, Session]) -> None:
        """Serve these shards, with new sessions where none was left."""
        for each in shard_ids:
            shard = Shard(self, each, sessions.get(each))
            task = asyncio.create_task(shard.run(), name=f"shard {each}")
            task.add_done_callback(self._failed)
            self._shards[each], self._tasks[each] = shard, task

    async def shut(self, shard_ids: Collection[int]) -> dict[int, Session]:
        """Stop serving these shards; their sessions, if :attr:`keeps_sessions`."""
        shut = {each: self._shards.pop(each) for each in shard_ids if each in self._shards}
        tasks = [self._tasks.pop(each) for each in shut]
        await cancel(tasks)
        for shard in shut.values():
            shard.is_open = False
        await Socket.all_closed(self.timeouts.goodbye)
        if not self.keeps_sessions:
            return {}
        return {each.id: each.session for each in shut.values() if each.session is not None}

    async def close(self) -> None:
        """End every connection."""
        if self._watch is not None:
            await cancel([self._watch])
        await cancel(self._asking)
        await self.shut(tuple(self._shards))
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    def _failed(self, task: asyncio.Task[None]) -> None:
        """A task has ended, which only an error that retrying would not fix does."""
        ended = self._ended
        if task.cancelled() or ended is None or ended.done():
            return
        error = task.exception()
        if error is None:
            ended.set_result(None)
        else:
            ended.set_exception(error)

    @contextlib.asynccontextmanager
    async def turn(self, shard_id: int) -> AsyncIterator[None]:
        """Hold the shard's turn to begin a session: Discord limits how many begin at a time."""
        limits = self.starts.limits
        concurrency = 1 if limits is None else limits.max_concurrency
        async with self._turns.setdefault(shard_id % concurrency, asyncio.Lock()):
            await self.starts.turn(shard_id)
            yield

    def describe(self) -> str:
        """The state of the connection, in words for the host."""
        if self.starts.waits_until is not None:
            until = self.starts.waits_until.isoformat(timespec="seconds")
            return f"too many sessions were begun: waits until {until}"
        now = asyncio.get_running_loop().time()
        lost = [each for each in self.shards if not each.is_open]
        if not self.is_running or not self.total:
            return "not yet"
        if not self.shards:
            return "stands by, since other processes have all shards"
        if not lost:
            return "connected"
        return "; ".join(
            f"shard {each.id} lost for {now - each.lost_at:.0f} s, {each.attempts} attempts"
            f"{'' if each.why is None else f', {each.why}'}"
            for each in lost
        )

    async def ask_advice(self) -> None:
        """Ask Discord how many shards it advises, and wait a moment."""
        self.starts.limits = await self._ask() or self.starts.limits

    async def _ask(self) -> SessionLimits | None:
        """Discord's limits; None if it doesn't answer soon."""
        task = self._asked(self._told())
        await asyncio.wait({task}, timeout=self.timeouts.limits)
        if not task.done():
            return None
        if isinstance(task.exception(), Unmendable):
            task.result()
        return None if task.exception() is not None else task.result()

    def _asked(self, request: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Make a request, which only the end cancels, however long its caller waits."""
        task = asyncio.create_task(request)
        self._asking.add(task)
        task.add_done_callback(self._answered)
        return task

    def _answered(self, task: asyncio.Task[Any]) -> None:
        self._asking.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.info("Discord has not answered a request", why=in_words(error))

    async def _told(self) -> SessionLimits | None:
        """Ask Discord for its gateway's address, its advice on shards, and its limits."""
        try:
            advice, address, limits = await self.client.http.get_bot_gateway()
        except discord.GatewayNotFound as error:
            if getattr(error.__cause__, "status", None) == 401:
                raise Unmendable(HOPELESS[4004]) from error
            raise
        self.advice = self._wanted or max(1, int(advice))
        if is_address(address):
            self.address = yarl.URL(address)
        return _read_limits(limits, self._clock.now())

    async def _watch_token(self) -> None:
        """Check the token whenever it is in doubt."""
        while True:
            await self.token_doubted.wait()
            me = discord.http.Route("GET", "/users/@me")
            asked = self._asked(self.client.http.request(me))
            await asyncio.wait({asked})
            try:
                asked.result()
            except FAILURES as error:
                if getattr(error, "status", None) == 401:
                    raise Unmendable(HOPELESS[4004]) from error
            await asyncio.sleep(self.timeouts.doubt)
            self.token_doubted.clear()


def _read_limits(found: Mapping[str, Any], now: datetime) -> SessionLimits | None:
    """Discord's limits of session starts; None if they are invalid."""
    try:
        return SessionLimits(
            total=max(_LEAST_TOTAL, int(found["total"])),
            remaining=int(found["remaining"]),
            resets_at=now + timedelta(milliseconds=int(found["reset_after"])),
            max_concurrency=max(1, int(found["max_concurrency"])),
            told_at=now,
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
