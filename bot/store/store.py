"""The store: every method one transaction, the same on both databases."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Concatenate, ParamSpec, Self, TypeVar, Unpack

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from bot.domain.events import Change, Event
from bot.domain.match import Match
from bot.errors import UserError
from bot.posts.outgoing import Batch, Key
from bot.store import changes as matches
from bot.store import outgoing, transactions
from bot.store.database import Database
from bot.store.errors import AlreadyDone, Conflict, StoreUnavailable
from bot.store.guards import HighWater

P = ParamSpec("P")
T = TypeVar("T")
_Transaction = Callable[Concatenate[Connection, P], T]
_TRIES = 50


class Store:
    """Everything that is stored, on a :class:`Database`.

    A transaction is a function of a connection, in the module of its subject:
    ``await store.read(matches.over_of, user_id, scope, 10)``. All of it happens or nothing, and a
    caller that is cancelled does not stop it half way.
    """

    def __init__(self, database: Database, *, mark: HighWater | None = None) -> None:
        self.database = database
        self._mark = mark
        self.wake_sender: Callable[[], None] = lambda: None
        """Called after a commit that leaves messages to be sent."""

    async def read(self, transaction: _Transaction[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of a transaction that changes nothing. Raises :exc:`StoreUnavailable`."""
        return await self.database.read(lambda c: transaction(c, *args, **kwargs))

    async def write(self, transaction: _Transaction[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a transaction that changes something, from begin to commit.

        Raises :exc:`Conflict` if another one was first to add a row of the same key, and
        :exc:`StoreUnavailable` where the database cannot do it now; then nothing has happened.
        """
        return await self.write_proved(lambda c: transaction(c, *args, **kwargs))

    async def write_proved(
        self,
        transaction: Callable[[Connection], T],
        *,
        changes: Sequence[Change] = (),
        proof: Callable[[Connection], bool] | None = None,
    ) -> T:
        """The same for a transaction that writes these ``changes`` of matches.

        ``proof`` tells whether it has been committed, where the answer to that was lost.
        """
        planned: set[Key] = set()

        def planning(connection: Connection) -> T:
            outgoing.note_keys(connection, planned)
            return transaction(connection)

        def committed() -> None:
            if self._mark is not None:
                for change in changes:
                    self._mark.note(change.event)
            if planned:
                self.wake_sender()

        try:
            return await self.database.write(planning, after=committed, proof=proof)
        except IntegrityError as error:
            if not _is_duplicate(error):
                raise
            raise Conflict from error

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let running transactions end and close the database."""
        await self.database.close()
        if self._mark is not None:
            self._mark.close()

    @property
    def is_well(self) -> bool:
        """Whether the database works, as far as the last questions tell."""
        return self.database.is_well

    # ---- matches -------------------------------------------------------------------------------

    async def commit(self, change: Change, **together: Unpack[matches.Together]) -> Batch:
        """Write a change and what follows from it.

        Raises :exc:`Conflict`, :exc:`AlreadyDone`, :exc:`~bot.errors.UserError` (``channel_busy``
        where another match runs in the channel, or what ``check`` raises).
        """
        try:
            return await self.write_proved(
                lambda c: matches.commit(c, change, **together),
                changes=(change,),
                proof=lambda c: transactions.is_written(c, change.event),
            )
        except Conflict as conflict:
            if change.event.interaction_id is not None:
                event = await self.read(transactions.done, change.event.interaction_id)
                if event is not None:
                    raise AlreadyDone(event) from None
            if "channel" in str(getattr(conflict.__cause__, "orig", "")):
                raise UserError("channel_busy", match="") from None
            raise

    async def all_matches(self) -> AsyncIterator[tuple[Match, tuple[Event, ...]]]:
        """Every match with its history, a hundred to a transaction."""
        after = ""
        while found := await self.read(transactions.matches_after, after, 100):
            for each in found:
                yield each
            after = found[-1][0].id


def _is_duplicate(error: IntegrityError) -> bool:
    """Whether a key exists already; every other broken constraint is a bug of ours."""
    name = getattr(error.orig, "sqlite_errorname", "")
    state = getattr(error.orig, "sqlstate", "")
    return state == "23505" or name in ("SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY")


def retried(work: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Do it from the start, once more each time that it raises :exc:`Conflict`.

    Raises :exc:`StoreUnavailable` (``contended``) where others get in first time and again.
    """

    @functools.wraps(work)
    async def tried(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(_TRIES):
            try:
                return await work(*args, **kwargs)
            except Conflict:
                continue
        raise StoreUnavailable("contended")

    return tried
