"""PostgreSQL, for hosts that run several processes.

Whatever keeps it from being reached, at the start or later, becomes a
:exc:`~bot.store.database.StoreRefused` that says why (:func:`why_refused`); once the bot runs,
people who ask get a :exc:`~bot.store.errors.StoreUnavailable` for it.
"""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, event, text
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.database import (
    Attempt,
    Database,
    Proof,
    StoreRefused,
    connections_of,
    in_transaction,
)

_PASSING = ("08", "25006", "40001", "40P01", "53", "55P03", "57")
"""Beginnings of SQLSTATE for what passes by itself or is for the host to mend, and is no bug: the
connection is lost, only reading is allowed (after a failover), transactions are in each other's
way, memory or disk is full, a lock took too long, the server goes down or has cut a statement off.
https://www.postgresql.org/docs/current/errcodes-appendix.html"""
_DAMAGED = ("XX001", "XX002")
"""Data or an index is corrupted."""
_TAKEN_BACK = ("40001", "40P01")
"""Two transactions were in each other's way, and one of them was taken back."""
_LOST = "08"
_UNANSWERED = (_LOST, "57")
"""The connection is lost or was cut off, perhaps after the transaction was committed."""
_NUMBER = text("SELECT CAST(pg_current_xact_id_if_assigned() AS text)")
_STATUS = text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))")
"""The outcome of a transaction, by its number.
https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT"""
_TO_COME = "22023"
"""There is no transaction of that number yet: a replica has taken over, which had not heard of it.
Later another one may have the number, so a proof counts for more."""
_AFTER = text(
    "SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_logical_emit_message(true, 'parlour', '') END"
)
"""Has the end of the transaction that asks wait for a synchronous replica, too. A commit that was
given up while it waited for one can be seen, but would get lost with its server."""
_RETRIES = 3
T = TypeVar("T")

APPLICATION = "parlour"
"""The name that the connections of Parlour have in ``pg_stat_activity``."""
_CONNECTING = 10.0
"""Seconds that connecting may take."""
_CACHE = "prepared_statement_cache_size"
"""A part of an address for SQLAlchemy that asyncpg does not know; 0 before a pooler that gives
each transaction another connection."""


_POOL = "sqlalchemy.pool.impl.AsyncAdaptedQueuePool"


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a line of the pool is one: that a lost connection cannot be closed is not."""
    failed = record.exc_info[1] if record.exc_info else None
    return not (str(record.msg).startswith("Exception closing") and isinstance(failed, OSError))


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
    logging.getLogger(_POOL).addFilter(_is_news)
    more: dict[str, Any] = {}
    if _CACHE in address.query:
        more[_CACHE] = int(str(address.query[_CACHE]))
    is_pooled = more.get(_CACHE) == 0
    if is_pooled:
        # One without a name lives until the next, and all are used inside of transactions.
        more["prepared_statement_name_func"] = str
    dsn = address.difference_update_query((_CACHE,)).render_as_string(hide_password=False)

    async def connect(**named: Any) -> Any:
        import asyncpg  # noqa: PLC0415 - an extra, for those who have a PostgreSQL

        for_all = {} if is_pooled else settings or {}
        try:
            return await asyncpg.connect(
                dsn,
                timeout=_CONNECTING,
                command_timeout=patience,
                server_settings={"application_name": APPLICATION, **for_all},
                **({"statement_cache_size": 0} if is_pooled else {}),
                **named,
            )
        except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise why_refused(error) from error

    try:
        engine = create_async_engine(
            "postgresql+asyncpg://", connect_args={"async_creator_fn": connect, **more}, **how
        )
    except ModuleNotFoundError as error:
        raise StoreRefused(
            "driver", f"PostgreSQL needs the package {error.name}: make extras"
        ) from error
    if is_pooled:
        # A pooler takes no settings of PostgreSQL's, and would give them to others.
        for name, value in (settings or {}).items():
            set_it = text(f"SET LOCAL {name} = '{value}'")
            event.listen(engine.sync_engine, "begin", lambda c, said=set_it: c.execute(said))
    return engine


_FOR_A_PERSON = {
    "28": ("login", "Check the user and the password in PARLOUR_DATABASE."),
    "3D": ("missing", "Create it, or name another one in PARLOUR_DATABASE."),
    "42501": ("login", "Grant the user of PARLOUR_DATABASE the rights to the database."),
}
"""Beginnings of SQLSTATE for what keeps everybody out until a person has done something."""


def why_refused(error: Exception) -> StoreRefused:
    """The answer to the host for an error of connecting, or of the first questions."""
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


class PostgresDatabase(Database):
    """Transactions on a pool of connections."""

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__()
        self._engine = engine
        self._snapshots = engine.execution_options(isolation_level="REPEATABLE READ")

    async def _read(self, transaction: Callable[[Connection], T]) -> T:
        async with self._snapshots.connect() as connection:
            return await connection.run_sync(in_transaction, transaction)

    async def _write(self, transaction: Callable[[Connection], T], proof: Proof | None) -> T:
        """Run a transaction, again if PostgreSQL took it back because of another one."""
        left = _RETRIES
        while True:
            attempt = Attempt(transaction, _number_of, proof=proof)
            try:
                async with self._engine.connect() as connection:
                    return await connection.run_sync(attempt)
            except (DBAPIError, OSError) as error:
                if attempt.is_sent and (_state(error) or _LOST).startswith(_UNANSWERED):
                    return await self._find_out(attempt, error)
                if not left or _state(error) not in _TAKEN_BACK:
                    raise
                left -= 1

    def _look_for(self, connection: Connection, attempt: Attempt[Any]) -> tuple[bool, bool | None]:
        if attempt.mark is None:
            return True, True  # There was nothing to commit.
        try:
            status = connection.execute(_STATUS, {"number": attempt.mark}).scalar()
        except DBAPIError as error:
            if _state(error) != _TO_COME:
                raise
            return True, False
        if status == "in progress":
            return False, None
        is_committed = None if status is None else status == "committed"
        if attempt.proof is not None:
            is_committed = attempt.proof(connection)
        if is_committed and connection.execute(_AFTER).scalar() is None:
            return False, None
        return True, is_committed

    def connections(self) -> dict[str, int]:
        """See :class:`Database`."""
        return connections_of(self._engine)

    async def _dispose(self) -> None:
        await self._engine.dispose()

    def _reason(self, error: Exception) -> str | None:
        if isinstance(error, StoreRefused | OSError | PoolTimeout):
            return "unreachable"
        if not isinstance(error, DBAPIError):
            return None
        state = _state(error)
        if state in _DAMAGED:
            return "corrupt"
        passing = error.connection_invalidated or state.startswith(_PASSING)
        lost = isinstance(error, OperationalError | InterfaceError)
        return "unreachable" if passing or lost else None

    def _words(self, error: Exception, reason: str) -> str:  # noqa: ARG002
        if isinstance(error, StoreRefused):
            return str(error)
        return f"{type(error).__name__} {_state(error)}".rstrip()


def is_in_the_way(error: DBAPIError) -> bool:
    """Whether others kept a transaction from the tables that it needed."""
    return _state(error) in ("55P03", *_TAKEN_BACK)


def _number_of(connection: Connection) -> str | None:
    """The number of the transaction, None if it has changed nothing."""
    number: str | None = connection.execute(_NUMBER).scalar()
    return number


def _state(error: Exception) -> str:
    """PostgreSQL's code for an error, empty if it is none of PostgreSQL's."""
    return str(getattr(getattr(error, "orig", None), "sqlstate", None) or "")
