"""Divides the shards among several processes, by rows in PostgreSQL (:mod:`bot.connection.store`).

Each process says every few seconds that it is alive, looks up its shards, and closes those of
others before they may open them. If it dies, others take its shards once it has been silent for
long enough. Two may serve the same shard for a moment, as when a process was frozen: events are
received twice then, and handled once.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Collection, Mapping

from bot.connection import store as shards
from bot.connection.client import ParlourClient
from bot.connection.gateway import Session
from bot.connection.left_sessions import LeftSessions
from bot.connection.store import Division
from bot.logs import logger
from bot.services.presence import Presence
from bot.store import Store
from bot.store.presence import shard_scopes

_log = logger(__name__)

_SOON = 0.5
"""Seconds between looks before the login."""
_MOVING = 1.5
"""Seconds between looks while shards are changing hands."""


class Fleet:
    """One of the processes on the same database; its ``name`` is unique."""

    def __init__(
        self, client: ParlourClient, store: Store, presence: Presence, sessions: LeftSessions
    ) -> None:
        self.name = f"{socket.gethostname()}-{secrets.token_hex(3)}"
        self.division = Division()
        self._client = client
        self._connection = client.connection
        self._store = store
        self._presence = presence
        self._sessions = sessions
        self._is_new = True
        self._has_left = False
        self._turn = asyncio.Lock()
        presence.reached = self._reached

    def _reached(self) -> tuple[str, ...]:
        reached = self._client.open_shards
        return shard_scopes(reached, self._connection.total) if reached else ()

    async def look(self) -> float | None:
        """Serve the shards of this process; returns the time until the next look, if soon.

        Raises ``StoreUnavailable``.
        """
        async with self._turn:
            if self._has_left or not self._connection.is_running:
                return _SOON
            await self._divide()
        return _MOVING if self._is_moving else None

    async def _divide(self) -> None:
        connection = self._connection
        total, outgrown = connection.advice, connection.outgrown
        if outgrown is not None:
            await connection.ask_advice()
            total = max(connection.advice, outgrown + 1)
        self.division = found = await self._store.write(
            shards.divide,
            self.name,
            total,
            self._client.open_shards,
            is_new=self._is_new,
            outgrown=outgrown,
        )
        self._is_new = False
        if self._client.share is not None:
            self._client.share.among(found.processes)
        is_anew = found.total != connection.total
        served = {each.id for each in connection.shards}
        kept = set() if is_anew else served.intersection(found.mine)
        if lost := served - kept:
            _log.warning("shards are no longer ours", shards=sorted(lost))
            await self._stop(lost)
        if found.give:
            await self._stop(found.give, keep=True)
            await self._store.write(shards.give_up, self.name, found.give)
            _log.info("shards go to another process", shards=found.give)
        sessions: Mapping[int, Session] = {}
        new = tuple(sorted(set(found.mine).difference(kept, found.give)))
        if new:
            await self._presence.take(shard_scopes(new, found.total))
            sessions = await connection.sessions_left(new, found.total)
            _log.info("shards come here", shards=new, processes=found.processes)
        if is_anew:
            connection.outgrown = None
            connection.divide(found.total)
        connection.open(new, sessions)

    @property
    def _is_moving(self) -> bool:
        """Whether shards are changing hands, as far as known."""
        found, held = self.division, len(self._connection.shards)
        least, more = divmod(found.total, found.processes)
        is_even = least <= held <= least + (more > 0)
        return not (is_even and all(found.owners.values()) and self._client.is_connected)

    async def _stop(self, these: Collection[int], *, keep: bool = False) -> None:
        """Stop serving these shards; ``keep`` their sessions for the next process, or end them."""
        self._presence.drop(shard_scopes(these, self._connection.total) if these else ())
        self._connection.keeps_sessions = keep
        sessions = await self._connection.shut(these)
        try:
            await self._sessions.leave(sessions)
        finally:
            self._client.leave_shards(these)

    async def leave(self) -> None:
        """Close all connections and release the shards. Raises ``StoreUnavailable``.

        The servers stay known, for messages that this process is still sending.
        """
        async with self._turn:
            self._has_left, self._connection.keeps_sessions = True, True
            these = [each.id for each in self._connection.shards]
            await self._sessions.leave(await self._connection.shut(these))
            await self._store.write(shards.leave, self.name)
