"""PostgreSQL, for hosts that run several processes.

Whatever keeps it from being reached, at the start or later, becomes a
:exc:`~bot.store.refused.StoreRefused` that says why (:func:`refusal`); once the bot runs, those who
ask get a :exc:`~bot.services.ports.StoreUnavailable` for it.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import URL, Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.services.ports import StoreUnavailable
from bot.store.refused import StoreRefused
from bot.trouble import Trouble

log = logging.getLogger(__name__)
_PASSING = ("08", "25006", "40001", "40P01", "53", "55P03", "57")
"""Beginnings of SQLSTATE for what passes by itself or is for the host to mend, and is no bug: the
connection is lost, only reading is allowed (after a failover), transactions are in each other's
way, memory or disk is full, a lock took too long, the server goes down or has cut a statement off.
https://www.postgresql.org/docs/current/errcodes-appendix.html"""
_DAMAGED = ("XX001", "XX002")
"""Data or an index is corrupted."""
T = TypeVar("T")

_CONNECTING = 10.0
"""Seconds that connecting may take."""
_STUCK = 12.0
"""Seconds after which a transaction has met a database that does not answer."""
_CACHE = "prepared_statement_cache_size"
"""What SQLAlchemy reads in an address, and asyncpg does not."""


def engine_of(
    address: URL,
    *,
    settings: dict[str, str] | None = None,
    patience: float | None = None,
    **how: Any,
) -> AsyncEngine:
    """An engine for an address, whose parameters are those that ``psql`` knows as well.

    ``settings`` are PostgreSQL's own for each connection, ``patience`` the seconds that a statement
    may take. Connecting raises :exc:`StoreRefused`.
    """
    more = {_CACHE: int(str(address.query[_CACHE]))} if _CACHE in address.query else {}
    dsn = address.difference_update_query((_CACHE,)).render_as_string(hide_password=False)

    async def connect(**named: Any) -> Any:
        import asyncpg  # noqa: PLC0415 - an extra, for those who have a PostgreSQL

        try:
            return await asyncpg.connect(
                dsn,
                timeout=_CONNECTING,
                command_timeout=patience,
                server_settings=settings or {},
                **named,
            )
        except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise refusal(error) from error

    try:
        return create_async_engine(
            "postgresql+asyncpg://", connect_args={"async_creator_fn": connect, **more}, **how
        )
    except ModuleNotFoundError as error:
        raise StoreRefused(
            "driver", f"PostgreSQL needs the package {error.name}: make extras"
        ) from error


_FOR_A_PERSON = {
    "28": ("login", "Check the user and the password in PARLOUR_DATABASE."),
    "3D": ("missing", "Create it, or name another one in PARLOUR_DATABASE."),
    "42501": ("login", "Grant the user of PARLOUR_DATABASE the rights to the database."),
}
"""Beginnings of SQLSTATE for what keeps everybody out until a person has done something."""


def refusal(error: Exception) -> StoreRefused:
    """What to tell the host about an error of connecting, or of the first questions."""
    origin = getattr(error, "orig", None) or error
    said = str(origin).rpartition(">: ")[2].strip().rstrip(".") or type(origin).__name__
    state = getattr(origin, "sqlstate", None)
    if isinstance(state, str) and state:
        for beginning, (code, words) in _FOR_A_PERSON.items():
            if state.startswith(beginning):
                return StoreRefused(code, f"PostgreSQL says: {said}. {words}")
        if not state.startswith(_PASSING) or state == "08P01":
            return StoreRefused("refused", f"PostgreSQL says: {said}. Check PARLOUR_DATABASE.")
        return StoreRefused("unreachable", f"PostgreSQL cannot be used now; it says: {said}.")
    if isinstance(origin, ssl.SSLError) or (isinstance(origin, ConnectionError) and "SSL" in said):
        return StoreRefused(
            "tls",
            f"No encrypted connection to PostgreSQL could be made: {said}. Check sslmode and the"
            " certificates in PARLOUR_DATABASE.",
        )
    if isinstance(origin, OSError) and not getattr(origin, "filename", None):
        said = origin.strerror or said
        return StoreRefused(
            "unreachable",
            f"PostgreSQL cannot be reached ({type(origin).__name__}: {said}). Check that the"
            " server runs, and the host and port in PARLOUR_DATABASE.",
        )
    if isinstance(origin, OSError | ValueError):
        return StoreRefused("url", f"PARLOUR_DATABASE cannot be used: {said}.")
    return StoreRefused("unreachable", f"PostgreSQL cannot be used now: {said}.")


class PostgresDatabase:
    """Transactions on a pool of connections; the protocol is :class:`bot.store.database.Database`.

    Each transaction is a task of its own that nobody cancels: whoever waits for it may leave.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._snapshots = engine.execution_options(isolation_level="REPEATABLE READ")
        self._running: dict[asyncio.Task[object], float] = {}
        self._closed = False
        self._trouble = Trouble(log, "the database cannot be used")

    @property
    def is_well(self) -> bool:
        """Whether it answered when it was asked last, and lets nobody wait."""
        now = asyncio.get_running_loop().time()
        waiting = any(now - began > _STUCK for began in self._running.values())
        return not self._trouble.is_on and not waiting

    async def look(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction; every one goes over the network."""
        return await self._begin(work, "read", self._engine)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction whose statements all see the database as it was at the first."""
        return await self._begin(work, "read", self._snapshots)

    async def read_afresh(self, work: Callable[[Connection], T]) -> T:
        """The same: what the server keeps in memory is its own affair."""
        return await self.read(work)

    async def write(self, work: Callable[[Connection], T], *, durable: bool = True) -> T:  # noqa: ARG002
        """Run a transaction to its end, whatever becomes of the caller; all are durable here."""
        return await self._begin(work, "write", self._engine)

    async def scrub(self) -> None:
        """Nothing: PostgreSQL's own vacuum frees what rows no longer hold."""

    async def close(self) -> None:
        """Let running transactions end, then close every connection."""
        self._closed = True
        while self._running:
            await asyncio.wait(self._running)
        await self._engine.dispose()

    async def _begin(self, work: Callable[[Connection], T], way: str, engine: AsyncEngine) -> T:
        if self._closed:
            raise StoreUnavailable("closed")
        task = asyncio.ensure_future(self._run(work, way, engine))
        self._running[task] = asyncio.get_running_loop().time()
        task.add_done_callback(self._running.pop)
        return await asyncio.shield(task)

    async def _run(self, work: Callable[[Connection], T], way: str, engine: AsyncEngine) -> T:
        try:
            async with engine.connect() as connection, connection.begin():
                done = await connection.run_sync(work)
        except IntegrityError:
            raise
        except (StoreRefused, OSError, PoolTimeout, OperationalError, InterfaceError) as error:
            raise self._unavailable(error, way) from error
        except DBAPIError as error:
            state = str(getattr(error.orig, "sqlstate", None) or "")
            if state in _DAMAGED:
                raise self._unavailable(error, way, "corrupt") from error
            if not error.connection_invalidated and not state.startswith(_PASSING):
                raise
            raise self._unavailable(error, way) from error
        self._trouble.passed(way=way)
        return done

    def _unavailable(
        self, error: Exception, way: str, reason: str = "unreachable"
    ) -> StoreUnavailable:
        self._trouble.met(_why(error), way=way)
        return StoreUnavailable(reason)


def _why(error: Exception) -> str:
    """A word for the log; what a statement was about is not in it."""
    if isinstance(error, StoreRefused):
        return str(error)
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    return f"{type(error).__name__} {state or ''}".rstrip()
