"""A session: its sequence numbers, its sent events, and its present connection."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from playground.gateway.transport import Packer
from playground.wire import Json

#: The number of events that Discord keeps for a resume is not published.
_KEPT = 5000


@dataclass(slots=True, eq=False, repr=False)
class Connection:
    """One websocket and its unwritten messages."""

    socket: web.WebSocketResponse
    transport: asyncio.BaseTransport | None
    packer: Packer
    waiting: asyncio.Queue[str | bytes] = field(default_factory=asyncio.Queue)
    session: Session | None = None
    #: Set unless the line is open but dead: nothing is written then, nor answered.
    alive: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.alive.set()

    def send(self, op: int, data: Any) -> None:
        """Queue a control message."""
        self.waiting.put_nowait(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    async def write(self) -> None:
        """Write waiting messages until the connection ends."""
        while True:
            frame = await self.waiting.get()
            await self.alive.wait()
            if isinstance(frame, str):
                frame = self.packer.pack(frame)
            if isinstance(frame, bytes):
                await self.socket.send_bytes(frame)
            else:
                await self.socket.send_str(frame)


@dataclass(slots=True, eq=False, repr=False)
class Session:
    """The part of a bot's session that outlives connections."""

    id: str
    intents: int
    shard: int
    shards: int
    sequence: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_KEPT))
    connection: Connection | None = None
    #: The time at which the last connection was lost.
    lost: float | None = None

    def dispatch(self, name: str, data: Json) -> None:
        """Number an event, keep it for a resume and send it if there is a connection."""
        self.sequence += 1
        # Escaped, so that half a surrogate pair gets through as well.
        body = json.dumps(data)
        text = f'{{"t":{json.dumps(name)},"s":{self.sequence},"op":0,"d":{body}}}'
        self.sent.append((self.sequence, text))
        if self.connection is not None:
            self.connection.waiting.put_nowait(text)

    def can_resume_from(self, sequence: int) -> bool:
        """Whether everything after ``sequence`` is still here."""
        if sequence > self.sequence:
            return False
        return sequence == self.sequence or self.sent[0][0] <= sequence + 1

    def replay(self, connection: Connection, sequence: int) -> None:
        """Take a new connection and send it everything after ``sequence`` again."""
        self.connection, connection.session, self.lost = connection, self, None
        for number, text in self.sent:
            if number > sequence:
                connection.waiting.put_nowait(text)
