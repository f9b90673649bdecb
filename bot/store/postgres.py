"""PostgreSQL, for hosts that run several processes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.services.ports import StoreUnavailable

__all__ = ["PostgresDatabase"]

log = logging.getLogger(__name__)
_PASSING = ("08", "25006", "40001", "40P01", "53", "55P03", "57")
"""Beginnings of SQLSTATE for what passes by itself or is for the host to mend, and is no bug: the
connection is lost, only reading is allowed (after a failover), transactions are in each other's
way, memory or disk is full, a lock took too long, the server goes down or has cut a statement off.
https://www.postgresql.org/docs/current/errcodes-appendix.html"""
_DAMAGED = ("XX001", "XX002")
"""Data or an index is corrupted."""
T = TypeVar("T")


class PostgresDatabase:
    """Transactions on a pool of connections; the protocol is :class:`bot.store.database.Database`.

    Each transaction is a task of its own that nobody cancels: whoever waits for it may leave.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._snapshots = engine.execution_options(isolation_level="REPEATABLE READ")
        self._running: set[asyncio.Task[object]] = set()
        self._closed = False

    async def look(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction; every one goes over the network."""
        return await self.write(work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction whose statements all see the database as it was at the first."""
        return await self._go(self._snapshots, work)

    async def read_afresh(self, work: Callable[[Connection], T]) -> T:
        """The same: what the server keeps in memory is its own affair."""
        return await self.read(work)

    async def write(self, work: Callable[[Connection], T], *, durable: bool = True) -> T:  # noqa: ARG002
        """Run a transaction to its end, whatever becomes of the caller; all are durable here."""
        return await self._go(self._engine, work)

    async def _go(self, engine: AsyncEngine, work: Callable[[Connection], T]) -> T:
        if self._closed:
            raise StoreUnavailable("closed")
        task = asyncio.ensure_future(self._run(engine, work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def scrub(self) -> None:
        """Nothing: PostgreSQL's own vacuum frees what rows no longer hold."""

    async def close(self) -> None:
        """Let running transactions end, then close every connection."""
        self._closed = True
        while self._running:
            await asyncio.wait(self._running)
        await self._engine.dispose()

    async def _run(self, engine: AsyncEngine, work: Callable[[Connection], T]) -> T:
        try:
            async with engine.connect() as connection, connection.begin():
                return await connection.run_sync(work)
        except IntegrityError:
            raise
        except (OSError, PoolTimeout, OperationalError, InterfaceError) as error:
            raise _unavailable(error) from error
        except DBAPIError as error:
            state = str(getattr(error.orig, "sqlstate", None) or "")
            if state in _DAMAGED:
                raise _unavailable(error, state, reason="corrupt") from error
            if not error.connection_invalidated and not state.startswith(_PASSING):
                raise
            raise _unavailable(error, state) from error


def _unavailable(
    error: Exception, state: str = "", *, reason: str = "unreachable"
) -> StoreUnavailable:
    what = f"{type(error).__name__} {state}".rstrip()
    log.error("the database cannot be used: %s (%s)", reason, what)
    return StoreUnavailable(reason)
