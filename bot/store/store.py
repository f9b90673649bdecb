"""The store: every method one transaction, the same on both databases."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from bot.domain.events import Change, Event
from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.domain.session_budget import Moments
from bot.domain.tournaments.fold import TournamentEvent
from bot.errors import UserError
from bot.logs import logger
from bot.posts.outgoing import Batch
from bot.store import (
    changes,
    privacy,
    times,
    transactions,
)
from bot.store.database import Database
from bot.store.errors import AlreadyDone, Conflict, StoreUnavailable
from bot.store.guards import HighWater
from bot.store.records import AuditEntry, PairingCheck
from bot.store.tournaments import reading as tournaments
from bot.store.tournaments import writing as tournament_writing
from bot.store.tournaments.records import StoredTournament, Writing

_log = logger(__name__)
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

    async def read(self, transaction: _Transaction[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What a transaction that changes nothing answers. Raises :exc:`StoreUnavailable`."""
        return await self.database.read(lambda c: transaction(c, *args, **kwargs))

    async def write(self, transaction: _Transaction[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a transaction that changes something, from begin to commit.

        Raises :exc:`Conflict` if another one was first to add a row of the same key, and
        :exc:`StoreUnavailable` where the database cannot do it now; then nothing has happened.
        """
        try:
            return await self.database.write(lambda c: transaction(c, *args, **kwargs))
        except IntegrityError as error:
            if not _is_duplicate(error):
                raise
            raise Conflict from error

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

    async def commit(
        self,
        change: Change,
        *,
        quietly: bool = False,
        lease_until: datetime | None = None,
        check: PairingCheck | None = None,
        entry: AuditEntry | None = None,
        ends: Change | None = None,
    ) -> Batch:
        """Write a change and what follows from it.

        Raises :exc:`Conflict`, :exc:`AlreadyDone`, :exc:`~bot.errors.UserError` (``channel_busy``
        where another match runs in the channel, or what ``check`` raises).
        """

        def note() -> None:
            if self._mark is not None:
                self._mark.note(change.event)

        try:
            return await self.database.write(
                lambda c: changes.commit(
                    c,
                    change,
                    quietly=quietly,
                    lease_until=lease_until,
                    check=check,
                    entry=entry,
                    ends=ends,
                ),
                after=note,
                proof=lambda c: transactions.is_written(c, change.event),
            )
        except IntegrityError as error:
            interaction_id = change.event.interaction_id
            if interaction_id is not None:
                event = await self.read(transactions.done, interaction_id)
                if event is not None:
                    raise AlreadyDone(event) from None
            if not _is_duplicate(error):
                raise
            if "channel" in str(error.orig):
                raise UserError("channel_busy", match="") from None
            raise Conflict from error

    async def all_matches(self) -> AsyncIterator[tuple[Match, tuple[Event, ...]]]:
        """Every match with its history, a hundred to a transaction."""
        after = ""
        while found := await self.read(transactions.matches_after, after, 100):
            for each in found:
                yield each
            after = found[-1][0].id

    # ---- tournaments ---------------------------------------------------------------------------

    async def commit_tournament(self, writing: Writing) -> None:
        """Write what happened to a tournament, with its matches and messages."""

        def note() -> None:
            if self._mark is not None:
                for change in writing.matches:
                    self._mark.note(change.event)

        last = writing.changes[-1].event if writing.changes else None
        try:
            await self.database.write(
                lambda c: tournament_writing.commit(c, writing),
                after=note,
                proof=None if last is None else lambda c: tournaments.is_written(c, last),
            )
        except IntegrityError as error:
            if not _is_duplicate(error):
                raise
            raise Conflict from error

    async def all_tournaments(
        self,
    ) -> AsyncIterator[tuple[StoredTournament, tuple[TournamentEvent, ...]]]:
        """Every tournament with its history, ten to a transaction."""
        after = ""
        while found := await self.read(tournaments.after, after, 10):
            for each in found:
                yield each
            after = found[-1][0].tournament.id

    async def forget(self, user_id: UserId, pseudonym: UserId, now: datetime) -> int:
        """Erase a person, and what is left of the erased in the files."""
        kept = await self.database.write(lambda c: privacy.forget(c, user_id, pseudonym, now))
        try:
            await self.database.scrub()
        except StoreUnavailable as error:
            _log.warning(
                "what is erased stays in the write-ahead log until that is emptied",
                reason=error.reason,
            )
        return kept

    async def change_session_starts(self, change: Callable[[Moments], tuple[Moments, T]]) -> T:
        """Replace what is remembered, one process after another."""
        return await self.database.write(lambda c: times.change_session_starts(c, change))


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
