"""The two databases as the store sees them: a function of a connection is a transaction.

PostgreSQL runs many transactions at once, so the locks that they wait for are here, too; SQLite
has one writer.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from hashlib import blake2b
from typing import Any, Generic, Literal, TypeVar

from sqlalchemy import BigInteger, Connection, bindparam, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import QueuePool

from bot import metrics
from bot.domain.ids import MatchId
from bot.logs import logger
from bot.posts.outgoing import Key
from bot.store.errors import OutcomeUnknown, StoreUnavailable, has_written
from bot.store.tables import installation, matches
from bot.trouble import Trouble

_PASSING = frozenset({"in_use", "busy", "unreachable"})


class StoreRefused(Exception):
    """The database must not be used as it is, or cannot be used now.

    ``code`` is ``lost``, ``rewound``, ``other``, ``corrupt``, ``foreign``, ``newer``, ``moved``,
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
Proof = Callable[[Connection], bool]

STUCK = 12.0
"""Seconds after which a transaction has met a database that does not answer."""


_LOOK_AGAIN = 0.5
_TOKEN_LIVES = 900.0
"""Seconds for which a person can be told what has become of what they did."""
_A_MOMENT = 3.0
"""Seconds that a caller waits to know whether a commit without an answer has happened."""


class Attempt(Generic[T]):
    """A transaction that is made once, and how far it has come.

    ``mark`` is what is to be remembered to find out later whether it was committed; ``proof`` tells
    it from what is stored, where there is such a proof.
    """

    def __init__(
        self,
        transaction: Callable[[Connection], T],
        mark: Callable[[Connection], Any] = lambda _: None,
        *,
        proof: Proof | None = None,
    ) -> None:
        self._transaction = transaction
        self._mark = mark
        self.proof = proof
        self.mark: Any = None
        self.is_sent = False
        """Whether it was to be committed, but for which the database knows nothing of it."""
        self.made: T

    def __call__(self, connection: Connection) -> T:
        """Make it, and commit or roll back."""
        with connection.begin():
            self.made = self._transaction(connection)
            self.mark = self._mark(connection)
            self.is_sent = True
        return self.made


def connections_of(*engines: AsyncEngine) -> dict[str, int]:
    """How many connections of these engines are ``busy``, and how many ``idle``."""
    pools = [each.pool for each in engines]
    queued = [each for each in pools if isinstance(each, QueuePool)]
    return {
        "busy": sum(each.checkedout() for each in queued),
        "idle": sum(each.checkedin() for each in queued),
    }


def in_transaction(connection: Connection, transaction: Callable[[Connection], T]) -> T:
    """Run a transaction from begin to commit, or rollback if it raises."""
    with connection.begin():
        return transaction(connection)


class Database(ABC):
    """A place where a plain function of a connection runs as one transaction.

    Each transaction is a task of its own that nobody cancels: a caller may be cancelled at any
    time, and the transaction goes on to its end all the same. Raises
    :exc:`~bot.store.errors.StoreUnavailable` where the database cannot do it now, and
    :exc:`~bot.store.errors.OutcomeUnknown` where it was told to commit but did not answer.
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
        proof: Proof | None = None,
    ) -> T:
        """Run a transaction that may change things; on SQLite no other one writes meanwhile.

        ``after`` is called when it is committed, even if the caller has been cancelled; ``proof``
        tells from what is stored whether it was, should the database not say.
        """

        async def attempt() -> T:
            done = await self._write(transaction, proof)
            after()
            return done

        made = await self._run("write", attempt)
        has_written.set(True)
        return made

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
        task.add_done_callback(self._ended)
        await asyncio.wait({task})
        return task.result()

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.pop(task)
        if not task.cancelled():
            task.exception()  # Its caller may have been cancelled, and nobody else waits for it.

    async def _find_out(self, attempt: Attempt[T], error: Exception) -> T:
        """The result of an attempt whose commit was not answered but met an error.

        The caller waits for that a moment only. Raises the error if nothing has happened, and
        :exc:`OutcomeUnknown`.
        """
        outcome = asyncio.create_task(self._outcome(attempt))
        self._running[outcome] = asyncio.get_running_loop().time()
        outcome.add_done_callback(self._ended)
        await asyncio.wait({outcome}, timeout=_A_MOMENT)
        known = outcome.result() if outcome.done() else None
        if known is None:
            raise OutcomeUnknown(self._reason(error) or "unreachable", outcome) from error
        if not known:
            raise error
        return attempt.made

    async def _outcome(self, attempt: Attempt[Any]) -> bool | None:
        loop = asyncio.get_running_loop()
        until = loop.time() + _TOKEN_LIVES
        while not self._is_closed and loop.time() < until:
            try:
                known, is_committed = await self._read(lambda c: self._look_for(c, attempt))
            except Exception as error:
                if self._reason(error) is None and not isinstance(error, StoreUnavailable):
                    raise
            else:
                if known:
                    return is_committed
            await asyncio.sleep(_LOOK_AGAIN)
        return None

    def _look_for(self, connection: Connection, attempt: Attempt[Any]) -> tuple[bool, bool | None]:
        """Whether it is known by now what came of a commit; whether it has happened."""
        return True, None if attempt.proof is None else attempt.proof(connection)

    async def _judged(self, way: Way, attempt: Callable[[], Awaitable[T]]) -> T:
        try:
            with metrics.TRANSACTION_SECONDS.labels(way).time(), metrics.part(f"database {way}"):
                done = await attempt()
        except OutcomeUnknown as unknown:
            metrics.DATABASE_ERRORS.labels("outcome_unknown").inc()
            self._trouble.met(f"a commit was not answered ({unknown.reason})", way=way)
            raise
        except (IntegrityError, StoreUnavailable):
            raise
        except Exception as error:
            reason = self._reason(error)
            if reason is None:
                raise
            metrics.DATABASE_ERRORS.labels(reason).inc()
            self._trouble.met(self._words(error, reason), way=way)
            raise StoreUnavailable(reason) from error
        self._trouble.passed(way=way)
        return done

    @abstractmethod
    async def _read(self, transaction: Callable[[Connection], T]) -> T: ...

    @abstractmethod
    async def _write(self, transaction: Callable[[Connection], T], proof: Proof | None) -> T: ...

    @abstractmethod
    def connections(self) -> dict[str, int]:
        """How many connections are ``busy``, and how many are open and ``idle``."""

    @abstractmethod
    async def _dispose(self) -> None: ...

    @abstractmethod
    def _reason(self, error: Exception) -> str | None:
        """A word for what keeps the database from working, None if the transaction failed."""

    @abstractmethod
    def _words(self, error: Exception, reason: str) -> str:
        """The error in words for the log, without the values of a statement."""


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
