"""The library's websocket, made to fail in one way, quickly.

Parlour does the reconnecting itself (:mod:`bot.ui.connection`): the library waits for up to 1,024
seconds between two tries, tries again at once where a session is refused, waits for ever for READY,
and ends over a frame that it cannot read. What is left of it is the websocket, which speaks the
protocol.

``DiscordWebSocket.from_client`` makes a websocket and sends IDENTIFY or RESUME; there is no other
way. ``poll_event``, ``received_message``, ``identify``, ``resume`` and ``close`` are its steps,
which are overridden to end in :exc:`Lost`. What is private in the library is reached through
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


class Socket(BareWebSocket):
    """One connection of one shard. Made by :meth:`connect`; whatever ends it raises :exc:`Lost`."""

    _closing: ClassVar[set[asyncio.Task[bool]]] = set()
    """Connections that wait for Discord to agree that they are closed."""

    is_greeted = False
    """Whether READY or RESUMED has come: events flow."""
    is_open = False
    """Whether it was made whole, so that its owner closes it."""
    _was_closed_here = False
    """Whether the library closed it before it told that it was lost."""
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
            raise Lost(in_words(error)) from error

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
        if self.was_closed_by_us:
            return
        self.stop(code)
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
        """Take a step; whatever it raises ends this connection, which no other part may know of."""
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
        """Look at a frame before the library does, which takes the first ones on trust."""
        text = self.unpacked(msg)
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

    def _check_heartbeats(self, longest: float) -> None:
        """A line may bring events and yet be dead the other way."""
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
    """Whether a gateway may be there."""
    return isinstance(found, str) and found.startswith(("wss://", "ws://"))


def default_address() -> yarl.URL:
    """Where the gateway is if Discord does not say."""
    return DiscordWebSocket.DEFAULT_GATEWAY


def check_envelope(interaction: Any) -> None:
    """Refuse an interaction with parts of another kind that the library would pass on as they are.

    Raises :exc:`ValueError` or :exc:`TypeError`. All else is checked where it is used.
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
    if type(message.get("flags", 0)) is not int:
        raise TypeError("flags")
