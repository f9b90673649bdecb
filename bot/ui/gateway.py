"""The library's websocket, made to fail in one way, quickly; all that leans on its insides is here.

Parlour does the reconnecting itself (:mod:`bot.ui.connection`): the library waits for up to 1,024
seconds between two tries, tries again at once where a session is refused, waits for ever for READY,
and ends over a frame that it cannot read. What is left of it is the websocket, which speaks the
protocol. Names that the library does not promise to keep are touched in this module alone, and a
test fails when one of them is gone.

- ``DiscordWebSocket.from_client`` makes a websocket and sends IDENTIFY or RESUME; there is no
  public way. ``poll_event``, ``received_message``, ``identify``, ``resume`` and ``close`` are its
  steps, which are overridden to end in :exc:`Lost`.
- ``_keep_alive`` is its heartbeat: a thread that must be stopped with the connection, and knows the
  interval and the last acknowledgement (``_last_ack``).
- ``_decompressor`` unpacks a frame, so that the first ones can be looked at before they count.
- ``_close_code`` is set when it was our side that closed.
- ``client._connection`` holds what the library remembers: how many shards there are, which a
  connection of our own has to tell it, and the parsers of events, which are guarded.
- ``discord.client._loop`` is what a client has for a loop before its first login.

Documentation: https://docs.discord.com/developers/events/gateway
"""

from __future__ import annotations

import asyncio
import functools
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

_LONGEST_INTERVAL = 600_000
"""Milliseconds between two heartbeats that are believed; Discord asks for one in 41,250."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long a connection waits, in seconds."""

    hello: float = 20.0
    """For HELLO, from the first packet to Discord on."""
    ready: float = 60.0
    """For READY after IDENTIFY."""
    resumed: float = 30.0
    """For RESUMED after RESUME, or the next of the events that Discord sends again before it."""
    silence: float = 15.0
    """For any word after a heartbeat was due."""
    longest: float = 30.0
    """Between two attempts, at most."""
    first: float = 0.5
    """Before the second attempt, at least; each wait after it may be twice as long."""
    refused: tuple[float, float] = (1.0, 5.0)
    """Before a new session in place of a lost one: a random time, which Discord asks for."""
    lasting: float = 30.0
    """A connection that has lasted this long was a good one: attempts are counted from 0 again."""
    limits: float = 5.0
    """For Discord's answer to how many sessions may be begun."""
    doubt: float = 60.0
    """After it was found that the token holds, until that may be doubted again."""
    goodbye: float = 2.0
    """For Discord to agree that a connection is closed when the process stops."""


class Lost(Exception):
    """A connection has ended, or none was made; ``str()`` says why, in words for the host.

    ``code`` is what Discord closed it with, if it did. ``is_asked`` if Discord wants us to come
    again, as it does now and then. ``is_unreadable`` if we could not read what it sent.
    """

    def __init__(
        self,
        why: str,
        *,
        code: int | None = None,
        is_asked: bool = False,
        is_unreadable: bool = False,
    ) -> None:
        super().__init__(why)
        self.code = code
        self.is_asked = is_asked
        self.is_unreadable = is_unreadable


@dataclass(frozen=True, slots=True)
class Session:
    """What Discord needs to know to go on where a connection was lost."""

    id: str
    sequence: int
    address: yarl.URL


class Socket(DiscordWebSocket):
    """One connection of one shard. Made by :meth:`connect`; whatever ends it raises :exc:`Lost`."""

    _closing: ClassVar[set[asyncio.Task[bool]]] = set()
    """Connections that wait for Discord to agree that they are closed, as nobody else does."""

    is_greeted = False
    """Whether READY or RESUMED has come: events flow."""
    _is_open = False
    _was_closed_here = False
    """Whether the library closed it before it told that it was lost."""
    _timeouts = Timeouts()
    _resumes = False

    @classmethod
    async def connect(
        cls,
        client: discord.Client,
        shard_id: int,
        address: yarl.URL,
        session: Session | None,
        timeouts: Timeouts,
    ) -> Self:
        """Connect, and send IDENTIFY, or RESUME with a session. Raises :exc:`Lost`."""
        given: dict[str, Any] = {}
        if session is not None:
            given = {"session": session.id, "sequence": session.sequence, "resume": True}
        try:
            async with asyncio.timeout(timeouts.hello):
                socket = await cls.from_client(client, shard_id=shard_id, gateway=address, **given)
        except TimeoutError as error:
            raise Lost(f"no HELLO within {timeouts.hello:g} s") from error
        except (OSError, aiohttp.ClientError) as error:
            raise Lost(_describe(error)) from error
        socket._timeouts = timeouts
        socket._is_open = True
        return socket

    @property
    def session(self) -> Session | None:
        """What may be resumed after this; None if Discord has ended it, or it never began."""
        if not self.session_id or self.sequence is None:
            return None
        if not (self.is_greeted or self._resumes):
            return None
        return Session(self.session_id, self.sequence, self.gateway)

    async def identify(self) -> None:
        """Begin a session."""
        await self._or_close(super().identify())

    async def resume(self) -> None:
        """Go on with a session."""
        self._resumes = True
        await self._or_close(super().resume())

    async def listen(self, greeted: Callable[[], None]) -> None:
        """Handle what comes until the connection is lost; ``greeted`` once events flow.

        Raises :exc:`Lost`, never returns.
        """
        loop, timeouts = asyncio.get_running_loop(), self._timeouts
        until = loop.time() + timeouts.ready
        while not self.is_greeted:
            if self._resumes:
                until = loop.time() + timeouts.resumed
            await self._poll(until, "Discord says neither READY nor RESUMED")
        greeted()
        while True:
            interval = self._interval()
            await self._poll(loop.time() + interval + timeouts.silence, "Discord fell silent")
            self._check_heartbeats(2 * interval + timeouts.silence)

    async def _poll(self, until: float, otherwise: str) -> None:
        """Handle the next frame, which must come by then."""
        try:
            async with asyncio.timeout_at(until):
                await self.poll_event()
        except TimeoutError as error:
            raise Lost(otherwise) from error

    async def poll_event(self) -> None:
        """Handle the next frame. Raises :exc:`Lost`."""
        try:
            await self._or_close(super().poll_event())
        except ReconnectWebSocket as error:
            raise self._lost(error) from error
        except discord.ConnectionClosed as error:
            raise Lost(f"Discord closed it with {error.code}", code=error.code) from error
        except (OSError, aiohttp.ClientError) as error:
            raise Lost(_describe(error)) from error

    async def received_message(self, msg: Any, /) -> None:
        """Read a frame; what cannot be read ends this connection, and Discord sends it again."""
        try:
            if self.is_greeted:
                await super().received_message(msg)
            else:
                await self._be_greeted(msg)
        except (ReconnectWebSocket, discord.ConnectionClosed, OSError, aiohttp.ClientError):
            raise
        except Exception as error:
            # Its name only: the rest may hold what people write.
            why = f"a frame could not be read ({type(error).__name__})"
            raise Lost(why, is_unreadable=True) from error

    async def close(self, code: int = 4000) -> None:
        """Stop the heartbeat and close, without waiting until Discord agrees."""
        if self._close_code is not None:
            return
        keep_alive, self._keep_alive = self._keep_alive, None
        if keep_alive is not None:
            keep_alive.stop()
        self._close_code = code
        task = asyncio.ensure_future(self.socket.close(code=code))
        self._closing.add(task)
        task.add_done_callback(self._closed)

    @classmethod
    async def all_closed(cls, within: float) -> None:
        """Wait, for so many seconds, until Discord has agreed to all that was closed."""
        loop = asyncio.get_running_loop()
        tasks = {task for task in cls._closing if task.get_loop() is loop}
        if tasks:
            await asyncio.wait(tasks, timeout=within)

    @classmethod
    def _closed(cls, task: asyncio.Task[bool]) -> None:
        cls._closing.discard(task)
        if not task.cancelled():
            task.exception()  # Known; it may well be why the connection was closed.

    async def _or_close(self, step: Any) -> None:
        """Take a step; whatever it raises ends this connection, of which nobody else may know."""
        try:
            await step
        except Exception:
            self._was_closed_here = self._close_code is not None
            await self.close()
            raise
        except asyncio.CancelledError:
            # Once it is open, its owner closes it.
            if not self._is_open:
                await self.close()
            raise

    async def _be_greeted(self, msg: Any) -> None:
        """Look at a frame before the library does, which takes the first ones on trust."""
        text = self._decompressor.decompress(msg) if isinstance(msg, bytes) else msg
        if text is None:
            return
        told = json.loads(text)
        if told.get("op") == self.HELLO:
            _check_interval(told["d"]["heartbeat_interval"])
        name = told.get("t")
        if name == "READY" and not is_address(told["d"].get("resume_gateway_url")):
            # The one that we have reached does as well.
            told["d"]["resume_gateway_url"] = str(self.gateway)
            text = json.dumps(told)
        await super().received_message(text)
        self.is_greeted = name in {"READY", "RESUMED"}

    def _interval(self) -> float:
        keep_alive = self._keep_alive
        return keep_alive.interval or 0.0 if keep_alive is not None else 0.0

    def _check_heartbeats(self, longest: float) -> None:
        """A line may bring events and yet be dead the other way."""
        keep_alive = self._keep_alive
        if keep_alive is not None and time.perf_counter() - keep_alive._last_ack > longest:
            raise Lost("Discord does not answer our heartbeats")

    def _lost(self, error: ReconnectWebSocket) -> Lost:
        if not error.resume:
            return Lost("Discord has ended the session")
        if self._was_closed_here:
            return Lost("Discord asks for another connection", is_asked=True)
        code = self.socket.close_code
        why = "it broke" if code in {None, 1006} else f"Discord closed it with {code}"
        return Lost(why, code=code)


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def _check_interval(interval: Any) -> None:
    if not isinstance(interval, int | float) or not 0 < interval <= _LONGEST_INTERVAL:
        raise ValueError


def is_address(found: Any) -> bool:
    """Whether a gateway may be there."""
    return isinstance(found, str) and found.startswith(("wss://", "ws://"))


def default_address() -> yarl.URL:
    """Where the gateway is if Discord does not say."""
    return DiscordWebSocket.DEFAULT_GATEWAY


def tell_shards(client: discord.AutoShardedClient, shard_count: int, ids: Sequence[int]) -> None:
    """Have the library know how many shards there are, and which of them are here."""
    client.shard_count = client._connection.shard_count = shard_count
    client._connection.shard_ids = list(ids)


def guard_parsers(client: discord.Client, guard: Callable[..., Any]) -> None:
    """Have every event go through ``guard(name, parse, data)``."""
    parsers: dict[str, Callable[[Any], Any]] = client._connection.parsers
    for name, parse in list(parsers.items()):
        parsers[name] = functools.partial(guard, name, parse)


def forget_guild(client: discord.Client, guild_id: int) -> None:
    """As if Discord had told that the bot was sent away from a server."""
    client._connection.parse_guild_delete({"id": str(guild_id)})


def has_logged_in(client: discord.Client) -> bool:
    """Whether there was a login since the client was made, or opened again."""
    return client.loop is not discord.client._loop


async def reopen(client: discord.Client) -> None:
    """Make a client that could not log in, or has ended, ready to begin again."""
    await client.close()
    client.clear()
    # A closed session takes its connector with it, which the library would use again.
    client.http.connector = discord.utils.MISSING
    # The library prepares its loop and queues at the first login only; say that this is one.
    client.loop = discord.client._loop
