"""What the store needs of a database: a place where a function of a connection is a transaction.

PostgreSQL runs many transactions at once, so here is also what they wait for; SQLite has one
writer.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from hashlib import blake2b
from typing import Any, Literal, TypeVar

from sqlalchemy import BigInteger, Connection, bindparam, func, select
from sqlalchemy.exc import IntegrityError

from bot.domain.ids import MatchId
from bot.logs import logger
from bot.services.outgoing import Key
from bot.services.ports import StoreUnavailable
from bot.store.tables import installation, matches
from bot.trouble import Trouble

_PASSING = frozenset({"in_use", "busy", "unreachable"})


class StoreRefused(Exception):
    """The database must not be used as it is, or cannot be used now.

    ``code`` is ``lost``, ``rewound``, ``other``, ``corrupt``, ``foreign``, ``newer``,
    ``different``, ``not_upgraded``, ``unsafe``, ``folder``, ``login``, ``missing``, ``tls``,
    ``driver``, ``refused`` or ``url``, which are for a person to mend; or ``in_use``, ``busy`` or
    ``unreachable``, which may pass by themselves. ``str()`` says in words for the host what is
    wrong and what to do.
    """

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code

    @property
    def may_pass(self) -> bool:
        """Whether trying again later may help."""
        return self.code in _PASSING


_log = logger(__name__)
T = TypeVar("T")
Way = Literal["read", "write"]

STUCK = 12.0
"""Seconds after which a transaction has met a database that does not answer."""


def in_transaction(connection: Connection, transaction: Callable[[Connection], T]) -> T:
    """Run a transaction from begin to commit, or rollback if it raises."""
    with connection.begin():
        return transaction(connection)


class Database(ABC):
    """A place where a plain function of a connection runs as one transaction.

    Each transaction is a task of its own that nobody cancels: a caller may be cancelled at any
    time, and the transaction goes on to its end all the same. Raises
    :exc:`~bot.services.ports.StoreUnavailable` where the database cannot do it now.
    """

    def __init__(self) -> None:
        self._running: dict[asyncio.Task[Any], float] = {}
        self._is_closed = False
        self._trouble = Trouble(_log, "the database cannot be used")

    @property
    def is_well(self) -> bool:
        """Whether the database did what it was asked last, and keeps nobody waiting for long."""
        now = asyncio.get_running_loop().time()
        return not self._trouble.is_on and all(
            now - began <= STUCK for began in self._running.values()
        )

    async def read(self, transaction: Callable[[Connection], T]) -> T:
        """Run a transaction that changes nothing and sees the database as of one moment."""
        return await self._run("read", lambda: self._read(transaction))

    async def write(
        self,
        transaction: Callable[[Connection], T],
        *,
        after: Callable[[], None] = lambda: None,
    ) -> T:
        """Run a transaction that may change things; on SQLite no other one writes meanwhile.

        ``after`` is called when it is committed, even if the caller has been cancelled.
        """

        async def attempt() -> T:
            done = await self._write(transaction)
            after()
            return done

        return await self._run("write", attempt)

    async def scrub(self) -> None:  # noqa: B027 - PostgreSQL's own vacuum does it
        """Leave nothing in the files of what has been erased, as far as that is up to us."""

    async def close(self) -> None:
        """Let running transactions end, then close every connection."""
        if self._is_closed:
            return
        self._is_closed = True
        while self._running:
            await asyncio.wait(self._running)
        await self._dispose()

    async def _run(self, way: Way, attempt: Callable[[], Awaitable[T]]) -> T:
        if self._is_closed:
            raise StoreUnavailable("closed")
        task = asyncio.create_task(self._judged(way, attempt))
        self._running[task] = asyncio.get_running_loop().time()
        task.add_done_callback(self._running.pop)
        return await asyncio.shield(task)

    async def _judged(self, way: Way, attempt: Callable[[], Awaitable[T]]) -> T:
        try:
            done = await attempt()
        except (IntegrityError, StoreUnavailable):
            raise
        except Exception as error:
            reason = self._reason(error)
            if reason is None:
                raise
            self._trouble.met(self._words(error, reason), way=way)
            raise StoreUnavailable(reason) from error
        self._trouble.passed(way=way)
        return done

    @abstractmethod
    async def _read(self, transaction: Callable[[Connection], T]) -> T: ...

    @abstractmethod
    async def _write(self, transaction: Callable[[Connection], T]) -> T: ...

    @abstractmethod
    async def _dispose(self) -> None: ...

    @abstractmethod
    def _reason(self, error: Exception) -> str | None:
        """A word for what keeps the database from working, None if the transaction failed."""

    @abstractmethod
    def _words(self, error: Exception, reason: str) -> str:
        """What to say of it in the log, without what a statement was about."""


# ---- what transactions wait for ------------------------------------------------------------------

_IN_TURN = select(installation.c.id).with_for_update()


def one_after_another(connection: Connection) -> None:
    """Wait until no other process does what is done one after another: rating, heartbeats.

    PostgreSQL holds the one row of ``installation`` for it.
    """
    if connection.dialect.name != "sqlite":
        connection.execute(_IN_TURN)


_HOLD = select(func.pg_advisory_xact_lock(bindparam("number", type_=BigInteger)))


def hold(connection: Connection, numbers: Iterable[int]) -> None:
    """Wait until no other transaction holds one of these ids, and hold them until this one ends.

    All take them in the same order, so that no two wait for each other.
    """
    if connection.dialect.name != "sqlite":
        for number in sorted(set(numbers)):
            connection.execute(_HOLD, {"number": number})


_LOCK = select(matches.c.id).where(matches.c.id == bindparam("of_match")).with_for_update()


def hold_match(connection: Connection, match_id: MatchId) -> None:
    """Hold a match's row, which comes before the key of its deliveries, against deadlocks."""
    if connection.dialect.name != "sqlite":
        connection.execute(_LOCK, {"of_match": match_id})


_TRY = select(func.pg_try_advisory_xact_lock(bindparam("number", type_=BigInteger)))


def hold_keys(connection: Connection, keys: Iterable[Key]) -> None:
    """Hold what is sent of these keys, as is done before rows of the outbox are changed."""
    hold(connection, map(_number_of, keys))


def try_key(connection: Connection, key: Key) -> bool:
    """Hold what is sent of a key, unless another transaction does."""
    if connection.dialect.name == "sqlite":
        return True
    return bool(connection.execute(_TRY, {"number": _number_of(key)}).scalar())


def _number_of(key: Key) -> int:
    digest = blake2b(key.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
