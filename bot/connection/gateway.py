"""The library's websocket, with one quick way to fail.

Parlour does the reconnecting itself (:mod:`bot.connection.connection`): the library waits for up to
1,024 seconds between two tries, tries again immediately where a session is refused, waits for ever
for READY, and ends over an unreadable frame. Only its websocket remains in use, which speaks the
protocol.

``DiscordWebSocket.from_client`` makes a websocket and sends IDENTIFY or RESUME; there is no other
way. ``poll_event``, ``received_message``, ``identify``, ``resume`` and ``close`` are its steps,
which are overridden to end in :exc:`Lost`. The private parts of the library are reached through
:mod:`bot.ui.private_parts`.

Documentation: https://docs.discord.com/developers/events/gateway
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.ui.private_parts import BareWebSocket
from bot.ui.rest import in_words

_LONGEST_INTERVAL = 600_000
"""The longest plausible heartbeat interval in milliseconds; Discord asks for 41,250."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Timeouts of a connection, in seconds."""

    hello: float = 20.0
    """For HELLO, counted from the first packet."""
    ready: float = 60.0
    """For READY after IDENTIFY."""
    resumed: float = 30.0
    """For RESUMED after RESUME, or the next of the events resent before it."""
    silence: float = 15.0
    """For any frame after a heartbeat was due."""
    longest: float = 30.0
    """Between two attempts, at most."""
    first: float = 0.5
    """Before the second attempt; each later wait may be twice as long."""
    refused: tuple[float, float] = (1.0, 5.0)
    """Before a new session in place of a lost one: a random time, as Discord asks."""
    lasting: float = 30.0
    """A connection that lasts this long resets the count of attempts."""
    limits: float = 5.0
    """For Discord's answer about session limits."""
    doubt: float = 60.0
    """Between two checks of the token."""
    goodbye: float = 2.0
    """For closing connections when the process stops."""


class Lost(Exception):
    """A connection has ended, or none was made; ``str()`` says why, for the host.

    ``code`` is Discord's close code, if any. ``is_asked``: Discord asked us to reconnect.
    ``is_unreadable``: we could not read what it sent.
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
    """The data to resume a session."""

    id: str
    sequence: int
    address: yarl.URL


class Socket(BareWebSocket):
    """One connection of one shard. Any end of it raises :exc:`Lost`."""

    _closing: ClassVar[set[asyncio.Task[bool]]] = set()
    """Connections that are being closed."""

    is_greeted = False
    """Whether READY or RESUMED has come: events flow."""
    is_open = False
    """Whether it is complete, so that its owner closes it."""
    _was_closed_here = False
    """Whether the library closed it before it raised."""
    timeouts = Timeouts()
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
            raise Lost(in_words(error)) from error
        socket.timeouts = timeouts
        socket.is_open = True
        return socket

    @property
    def session(self) -> Session | None:
        """The session to resume; None if Discord has ended it, or it never began."""
        if not self.session_id or self.sequence is None:
            return None
        if not (self.is_greeted or self._resumes):
            return None
        return Session(self.session_id, self.sequence, self.gateway)

    async def identify(self) -> None:
        """Begin a session."""
        await self._or_close(super().identify())

    async def resume(self) -> None:
        """Resume a session."""
        self._resumes = True
        await self._or_close(super().resume())

    async def listen(self, greeted: Callable[[], None]) -> None:
        """Handle frames until the connection is lost; call ``greeted`` once events flow.

        Raises :exc:`Lost`, never returns.
        """
        loop, timeouts = asyncio.get_running_loop(), self.timeouts
        until = loop.time() + timeouts.ready
        while not self.is_greeted:
            if self._resumes:
                until = loop.time() + timeouts.resumed
            await self._poll(until, "Discord says neither READY nor RESUMED")
        greeted()
        while True:
            interval = self.heartbeat_interval
            await self._poll(loop.time() + interval + timeouts.silence, "Discord fell silent")
            self._check_heartbeats(2 * interval + timeouts.silence)

    async def _poll(self, until: float, otherwise: str) -> None:
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
            raise Lost(in_words(error)) from error

    async def received_message(self, msg: Any, /) -> None:
        """Parse a frame; an unreadable one ends this connection, and Discord resends it."""
        try:
            if self.is_greeted:
                await super().received_message(msg)
            else:
                await self._be_greeted(msg)
        except (ReconnectWebSocket, discord.ConnectionClosed, OSError, aiohttp.ClientError):
            raise
        except Exception as error:
            # Only its name: the rest may contain messages.
            why = f"a frame could not be read ({type(error).__name__})"
            raise Lost(why, is_unreadable=True) from error

    async def close(self, code: int = 4000) -> None:
        """Stop the heartbeat and close, without waiting for Discord."""
        if self.was_closed_by_us:
            return
        self.stop(code)
        task = asyncio.ensure_future(self.socket.close(code=code))
        self._closing.add(task)
        task.add_done_callback(self._closed)

    @classmethod
    async def all_closed(cls, within: float) -> None:
        """Wait, for so many seconds, until all connections are closed."""
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
        """Await a step; any exception closes this connection."""
        try:
            await step
        except Exception:
            self._was_closed_here = self.was_closed_by_us
            await self.close()
            raise
        except asyncio.CancelledError:
            # Once it is open, its owner closes it.
            if not self.is_open:
                await self.close()
            raise

    async def _be_greeted(self, msg: Any) -> None:
        """Check a frame before the library parses it: it trusts the first ones."""
        text = self.unpacked(msg)
        if text is None:
            return
        told = json.loads(text)
        if told.get("op") == self.HELLO:
            _check_interval(told["d"]["heartbeat_interval"])
        name = told.get("t")
        if name == "READY" and not is_address(told["d"].get("resume_gateway_url")):
            # The address in use does as well.
            told["d"]["resume_gateway_url"] = str(self.gateway)
            text = json.dumps(told)
        await super().received_message(text)
        self.is_greeted = name in {"READY", "RESUMED"}

    def _check_heartbeats(self, longest: float) -> None:
        """A connection may still receive events when it can no longer send."""
        if self.seconds_unanswered > longest:
            raise Lost("Discord does not answer our heartbeats")

    def _lost(self, error: ReconnectWebSocket) -> Lost:
        if not error.resume:
            return Lost("Discord has ended the session")
        if self._was_closed_here:
            return Lost("Discord asks for another connection", is_asked=True)
        code = self.socket.close_code
        why = "it broke" if code in {None, 1006} else f"Discord closed it with {code}"
        return Lost(why, code=code)


def _check_interval(interval: Any) -> None:
    if not isinstance(interval, int | float) or not 0 < interval <= _LONGEST_INTERVAL:
        raise ValueError


_TOO_LARGE = 1 << 63


def is_address(found: Any) -> bool:
    """Whether this is the address of a gateway."""
    return isinstance(found, str) and found.startswith(("wss://", "ws://"))


def default_address() -> yarl.URL:
    """The gateway's address if Discord doesn't give one."""
    return DiscordWebSocket.DEFAULT_GATEWAY


def check_envelope(interaction: Any) -> None:
    """Refuse an interaction with malformed parts that the library would pass on.

    Raises :exc:`ValueError` or :exc:`TypeError`. Other parts are checked where they are used.
    """
    member, message = interaction.get("member") or {}, interaction.get("message") or {}
    parts = [interaction, *(interaction.get(name) or {} for name in ("user", "channel", "guild"))]
    parts += [message, member.get("user") or {}]
    ids = [each.get("id") for each in parts]
    ids += [interaction.get("channel_id"), interaction.get("guild_id")]
    if any(int(each or 0) not in range(_TOO_LARGE) for each in ids):
        raise ValueError("an id")
    if not isinstance(interaction.get("locale", ""), str):
        raise TypeError("a locale")
    if not str(interaction["token"]).isascii():
        raise ValueError("a token")
    if type(message.get("flags", 0)) is not int:
        raise TypeError("flags")
    if type(interaction.get("attachment_size_limit", 0)) is not int:
        raise TypeError("a size")
    named = (interaction.get("data") or {}).get("resolved") or {}
    people = [member, member.get("user") or {}, interaction.get("user") or {}]
    people += [each for kind in ("users", "members") for each in (named.get(kind) or {}).values()]
    names = [each.get(name) for each in people for name in ("nick", "global_name", "username")]
    if not all(isinstance(each, str | None) for each in names):
        raise TypeError("a name")
