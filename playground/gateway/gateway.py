"""The gateway's server side: HELLO, IDENTIFY, heartbeats, RESUME, and events to all sessions."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import hmac
import json
import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from playground.faults import Faults
from playground.gateway import events, transport
from playground.gateway.handshake import Close, read_intents, read_shard, ready_body
from playground.gateway.session import Connection, Session
from playground.gateway.trouble import Trouble
from playground.observer import Observer
from playground.rest.front import break_connection
from playground.wire import Json, read_id
from playground.world import shapes
from playground.world.state import GatewayEvent
from playground.world.world import World

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME, RECONNECT = 0, 1, 2, 3, 4, 6, 7
REQUEST_MEMBERS, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 8, 9, 10, 11
_IGNORED = frozenset({PRESENCE, VOICE, 31})
_MAX_PAYLOAD = 4096
_SESSION_SECONDS = 300.0
_ROUND_TRIP = 0.05
"""Seconds until a heartbeat is acknowledged.

discord.py notes the time of a heartbeat after sending it. An acknowledgement that is there before
that, as is impossible over a network, makes it report a delay of a whole interval.
"""


@dataclass(frozen=True, slots=True)
class GatewayLimits:
    """The gateway's numbers. Tests may make them smaller."""

    heartbeat_ms: int = 41_250
    sends: int = 120
    send_seconds: float = 60.0
    identifies_a_day: int = 1000
    #: Seconds between two IDENTIFYs of one bucket; 0 does not count them.
    identify_seconds: float = 0.0
    shards: int = 1


@dataclass(slots=True, repr=False)
class Gateway:
    """Sessions and connections of the bot."""

    world: World
    token: str
    observer: Observer
    faults: Faults
    limits: GatewayLimits
    url: str = ""
    sessions: dict[str, Session] = field(default_factory=dict)
    connections: set[Connection] = field(default_factory=set)
    #: The times at which the bot identified, oldest first.
    identified: list[float] = field(default_factory=list)
    resumed: int = 0
    #: The number of handshakes, IDENTIFYs and RESUMEs, accepted or not.
    opened: int = 0
    asked_to_identify: int = 0
    asked_to_resume: int = 0
    trouble: Trouble = field(default_factory=Trouble)
    _held: list[tuple[Session, str, Json]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.world.state.listen(self.hear)

    def describe(self) -> Json:
        """The body of ``GET /gateway/bot``."""
        day_ago = self.world.state.clock.now() - 86_400
        used = sum(1 for each in self.identified if each > day_ago)
        return {
            "url": self.url,
            "shards": self.limits.shards,
            "session_start_limit": {
                "total": self.limits.identifies_a_day,
                "remaining": max(0, self.limits.identifies_a_day - used),
                "reset_after": 86_400_000,
                "max_concurrency": 1,
            },
        }

    # Events.

    def hear(self, happening: GatewayEvent) -> None:
        """Pass an event on to every session that gets it."""
        if not happening.to_bot:
            return
        state = self.world.state
        observed = False
        for session in list(self.sessions.values()):
            if not events.is_told(state, happening, session.intents, session.shard, session.shards):
                continue
            if not observed:
                self.observer.event(happening.name, happening.data)
                observed = True
            self._dispatch(session, happening.name, events.shown(state, happening, session.intents))

    def _dispatch(self, session: Session, name: str, data: Json) -> None:
        rule = self.faults.find_event(name)
        if rule is None:
            session.dispatch(name, data)
            self._release(session)
            return
        if rule.change is not None:
            data = rule.change(copy.deepcopy(data))
        if rule.hold:
            self._held.append((session, name, data))
            return
        for _ in range(rule.copies):
            if rule.delay:
                asyncio.get_running_loop().call_later(rule.delay, session.dispatch, name, data)
            else:
                session.dispatch(name, data)

    def _release(self, session: Session) -> None:
        mine = [each for each in self._held if each[0] is session]
        self._held = [each for each in self._held if each[0] is not session]
        for _, name, data in mine:
            session.dispatch(name, data)

    # Actions of tests on the bot's connections.

    async def close_all(self, code: int = 4000) -> None:
        """Close every connection with a code."""
        for each in list(self.connections):
            await each.socket.close(code=code)

    def abort_all(self) -> None:
        """Reset every connection."""
        for each in list(self.connections):
            break_connection(each.transport, reset=True)

    def reconnect_all(self) -> None:
        """Op 7: ask every client to reconnect and resume."""
        for each in self.connections:
            each.send(RECONNECT, None)

    def invalidate_all(self, *, resumable: bool) -> None:
        """Op 9: tell every client that its session is invalid."""
        for each in self.connections:
            if not resumable and each.session is not None:
                self.sessions.pop(each.session.id, None)
            each.send(INVALID_SESSION, resumable)

    def send_raw(self, frame: str | bytes) -> None:
        """Send every client a frame unchanged: text to be packed, or bytes of a broken stream."""
        for each in self.connections:
            each.waiting.put_nowait(frame)

    def mute_all(self) -> None:
        """Let every line go dead while it stays open."""
        for each in self.connections:
            each.alive.clear()

    def replay_all(self) -> None:
        """Send every session all of its events again, as an overeager resume would."""
        for session in self.sessions.values():
            if session.connection is not None:
                for _, text in list(session.sent):
                    session.connection.waiting.put_nowait(text)

    # Connections.

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One connection from handshake to close."""
        self.opened += 1
        if self.trouble.refuse_status is not None:
            return web.Response(status=self.trouble.refuse_status)
        packer = transport.packer(request.query.get("compress"))
        socket = web.WebSocketResponse(max_msg_size=2**16, autoping=True, compress=False)
        await socket.prepare(request)
        if packer is None or request.query.get("v", "10") not in {"10", "9"}:
            await socket.close(code=4012, message=b"Invalid API version")
            return socket
        if request.query.get("encoding", "json") != "json":
            await socket.close(code=4012, message=b"Only JSON is spoken here")
            return socket
        connection = Connection(socket, request.transport, packer)
        self.connections.add(connection)
        writer = asyncio.create_task(connection.write())
        self._say_hello(connection)
        goodbye = False
        try:
            goodbye = await self._listen(connection)
        except Close as close:
            await socket.close(code=close.code, message=close.reason.encode())
        finally:
            self._part(connection, goodbye=goodbye)
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError, RuntimeError):
                await writer
        return socket

    def _say_hello(self, connection: Connection) -> None:
        if self.trouble.hello is not None:
            connection.waiting.put_nowait(json.dumps(self.trouble.hello))
        elif not self.trouble.withhold_hello:
            beat = self.limits.heartbeat_ms
            connection.send(HELLO, {"heartbeat_interval": beat, "_trace": ["playground"]})

    def _part(self, connection: Connection, *, goodbye: bool) -> None:
        self.connections.discard(connection)
        session = connection.session
        if session is not None and session.connection is connection:
            session.connection = None
            session.lost = self.world.state.clock.now()
            if goodbye:
                self.sessions.pop(session.id, None)
        self._tell_presence()

    async def _listen(self, connection: Connection) -> bool:
        """Read until the end; returns whether the client ended its session with 1000 or 1001."""
        recent: deque[float] = deque()
        patience = self.limits.heartbeat_ms / 1000 * 2
        while True:
            try:
                message = await connection.socket.receive(timeout=patience)
            except TimeoutError:
                raise Close(4000, "No heartbeat came") from None
            if message.type not in {WSMsgType.TEXT, WSMsgType.BINARY}:
                return message.type is WSMsgType.CLOSE and message.data in {1000, 1001}
            if not connection.alive.is_set():
                continue
            now = self.world.state.clock.now()
            recent.append(now)
            while recent[0] <= now - self.limits.send_seconds:
                recent.popleft()
            if len(recent) > self.limits.sends:
                raise Close(4008, "You are being rate limited")
            self._receive(connection, message.data)

    def _receive(self, connection: Connection, raw: str | bytes) -> None:
        if len(raw) > _MAX_PAYLOAD:
            raise Close(4002, "Payload is too large")
        try:
            message = json.loads(raw)
            op, data = message["op"], message.get("d")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Close(4002, "Error while decoding payload") from None
        match op:
            case 1 if self.trouble.deaf:
                pass
            case 1:
                loop = asyncio.get_running_loop()
                loop.call_later(_ROUND_TRIP, connection.send, HEARTBEAT_ACK, None)
            case 2:
                self._identify(connection, data)
            case 6:
                self._resume(connection, data)
            case _ if connection.session is None:
                raise Close(4003, "Not authenticated")
            case 8:
                self._send_members(connection.session, data)
            case _ if op in _IGNORED:
                pass
            case _:
                raise Close(4001, "Unknown opcode")

    def _identify(self, connection: Connection, data: Any) -> None:
        self.asked_to_identify += 1
        if self._refuses(connection, self.trouble.refuse_identify):
            return
        if connection.session is not None:
            raise Close(4005, "Already authenticated")
        if not isinstance(data, dict):
            raise Close(4002, "Error while decoding payload")
        self._check_token(data)
        shard, shards = read_shard(data, required=self.limits.shards > 1)
        intents = read_intents(data, privileged=self.world.state.application.privileged_intents)
        now = self.world.state.clock.now()
        if self.identified and now - self.identified[-1] < self.limits.identify_seconds:
            connection.send(INVALID_SESSION, False)
            return
        if self.describe()["session_start_limit"]["remaining"] == 0:
            raise Close(4004, "Authentication failed")
        self.identified.append(now)
        self._forget_old(now)
        session = Session(secrets.token_hex(16), intents, shard, shards)
        session.connection, connection.session = connection, session
        self.sessions[session.id] = session
        if self.trouble.withhold_ready:
            return
        self._welcome(session)
        self._tell_presence()

    def _welcome(self, session: Session) -> None:
        state = self.world.state
        mine = [
            each
            for each in state.guilds.values()
            if (each.id, state.bot_id) in state.members
            and events.shard_of(each.id, session.shards) == session.shard
        ]
        ready = ready_body(state, session, [each.id for each in mine], self.url)
        self.observer.event("READY", ready)
        self._dispatch(session, "READY", ready)
        if not session.intents & events.Intent.GUILDS:
            return
        for guild in mine:
            if guild.available:
                everybody = bool(session.intents & events.Intent.GUILD_MEMBERS)
                body = shapes.guild_create(state, guild, all_members=everybody)
                self.observer.event("GUILD_CREATE", body)
                self._dispatch(session, "GUILD_CREATE", body)

    def _refuses(self, connection: Connection, code: int | None) -> bool:
        if code == INVALID_SESSION:
            connection.send(INVALID_SESSION, False)
        elif code is not None:
            raise Close(code, "Refused")
        return code is not None

    def _resume(self, connection: Connection, data: Any) -> None:
        self.asked_to_resume += 1
        if self._refuses(connection, self.trouble.refuse_resume) or self.trouble.withhold_resumed:
            return
        if connection.session is not None:
            raise Close(4005, "Already authenticated")
        if not isinstance(data, dict):
            raise Close(4002, "Error while decoding payload")
        self._check_token(data)
        self._forget_old(self.world.state.clock.now())
        session = self.sessions.get(str(data.get("session_id")))
        sequence = data.get("seq")
        if session is None or not isinstance(sequence, int):
            connection.send(INVALID_SESSION, False)
            return
        if not session.can_resume_from(sequence):
            raise Close(4007, "Invalid seq")
        old = session.connection
        if old is not None:
            old.session = None
        session.replay(connection, sequence)
        session.dispatch("RESUMED", {"_trace": ["playground"]})
        self.resumed += 1
        self._tell_presence()

    def _check_token(self, data: Json) -> None:
        given = str(data.get("token", "")).removeprefix("Bot ")
        if not hmac.compare_digest(given.encode(), self.token.encode()):
            raise Close(4004, "Authentication failed")

    def _send_members(self, session: Session, data: Any) -> None:
        state = self.world.state
        # Ids come as numbers from some clients.
        guild_id = read_id(data.get("guild_id")) if isinstance(data, dict) else None
        if guild_id is None or (guild_id, state.bot_id) not in state.members:
            return
        wanted = data.get("user_ids")
        ids = {read_id(each) for each in (wanted if isinstance(wanted, list) else [wanted])}
        query, limit = data.get("query"), data.get("limit") or 0
        if query == "" and not session.intents & events.Intent.GUILD_MEMBERS:
            return
        there = list(state.members_of(guild_id))
        if wanted is not None:
            there = [each for each in there if each.user_id in ids]
        elif query:
            start = str(query).casefold()
            there = [
                each
                for each in there
                if (each.nick or state.users[each.user_id].name).casefold().startswith(start)
            ]
        chunk: Json = {
            "guild_id": str(guild_id),
            "members": [shapes.member(state, each) for each in there[: limit or None]],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [],
        }
        if data.get("nonce") is not None:
            chunk["nonce"] = data["nonce"]
        self._dispatch(session, "GUILD_MEMBERS_CHUNK", chunk)

    def _forget_old(self, now: float) -> None:
        for session in list(self.sessions.values()):
            if session.lost is not None and now - session.lost > _SESSION_SECONDS:
                del self.sessions[session.id]

    def _tell_presence(self) -> None:
        state = self.world.state
        online = any(each.connection is not None for each in self.sessions.values())
        if online == state.bot_online:
            return
        state.bot_online = online
        data: Json = {
            "user": {"id": str(state.bot_id)},
            "status": "online" if online else "offline",
            "activities": [],
        }
        for guild_id in state.guilds:
            if (guild_id, state.bot_id) in state.members:
                told = data | {"guild_id": str(guild_id)}
                state.tell(GatewayEvent("PRESENCE_UPDATE", told, guild_id, to_bot=False))
