"""Upkeep of the database itself, inside transactions, and not of anybody's matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, select, text, update

from bot.domain.events import Change
from bot.domain.ids import MatchId
from bot.domain.match import Match, MatchStatus
from bot.store import changes, database, match_feed, outbox, transactions
from bot.store.errors import Conflict
from bot.store.records import ANY, JobKind, Piece, SetAside
from bot.store.rows import due_row
from bot.store.schema import is_ahead
from bot.store.tables import applications, events, jobs, matches, verification

_SIZES = {
    "sqlite": text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"),
    "postgresql": text("SELECT pg_database_size(current_database())"),
}


@dataclass(frozen=True, slots=True)
class Backlog:
    """The work that waits in the database, and its ``size`` in bytes.

    ``jobs`` has how many of each kind wait; the two times are when the oldest post and the oldest
    job were due, None where there is none.
    """

    size: int
    posts_due_at: datetime | None
    jobs_due_at: datetime | None
    jobs: Mapping[JobKind, int]


def backlog(connection: Connection) -> Backlog:
    """The work that waits now; for those who watch the bot."""
    due, kinds = None, dict.fromkeys(JobKind, 0)
    waiting = select(jobs.c.kind, func.count(), func.min(jobs.c.due_at)).group_by(jobs.c.kind)
    for kind, number, at in connection.execute(waiting):
        kinds[kind] = number
        due = at if due is None else min(due, at)
    size = connection.execute(_SIZES[connection.dialect.name]).scalar_one()
    return Backlog(size, outbox.next_due(connection), due, kinds)


def running(connection: Connection) -> int:
    """How many matches run."""
    running = select(func.count(matches.c.id)).where(matches.c.status == MatchStatus.RUNNING)
    return connection.execute(running).scalar_one()


def served(connection: Connection) -> frozenset[int]:
    """The applications of Discord that were served with this database, or :data:`ANY`."""
    return frozenset(connection.execute(select(applications.c.id)).scalars())


def serve(connection: Connection, application_id: int) -> None:
    """Note that an application is served from now on; it takes the place of :data:`ANY`."""
    database.one_after_another(connection)
    if application_id not in served(connection):
        connection.execute(insert(applications), {"id": application_id})
    if application_id != ANY:
        connection.execute(delete(applications).where(applications.c.id == ANY))


def is_used(connection: Connection) -> bool:
    """Whether anything has ever happened in this database."""
    return connection.execute(select(events.c.match_id).limit(1)).first() is not None


# ---- looking through all matches -------------------------------------------------------------


def to_verify(connection: Connection, limit: int) -> Piece:
    """The next matches to look through."""
    if connection.dialect.name == "sqlite":
        # This is to verify what the disk holds, not what was read from it before.
        connection.exec_driver_sql("PRAGMA shrink_memory").close()
    row = connection.execute(select(verification)).first()
    after = "" if row is None else row.after
    return Piece(after, transactions.matches_after(connection, after, limit))


def verified(connection: Connection, piece: Piece, now: datetime) -> None:
    """Go on after this piece the next time; with the first match if it was the last."""
    database.one_after_another(connection)
    if connection.execute(select(verification)).first() is None:
        connection.execute(insert(verification), {"id": 1, "after": "", "whole_at": None})
    now_at = {"after": piece.found[-1][0].id} if piece.found else {"after": "", "whole_at": now}
    here = update(verification).where(verification.c.after == piece.after)
    connection.execute(here.values(now_at))


def verified_at(connection: Connection) -> datetime | None:
    """When last all matches had been looked through."""
    found: datetime | None = connection.execute(select(verification.c.whole_at)).scalar()
    return found


def set_aside(connection: Connection, match_id: MatchId, at: datetime) -> bool:
    """Set a match aside: nobody can play on in it, and no clock runs. Whether it was not.

    Where a newer release has been, that is left to it: it reads what it has written.
    """
    if is_ahead(connection):
        return False
    whole = update(matches).where(matches.c.id == match_id, matches.c.set_aside_at.is_(None))
    values = {"set_aside_at": at, "deadline": None, "lapses_at": None}
    return connection.execute(whole.values(values)).rowcount == 1


def all_set_aside(connection: Connection) -> tuple[SetAside, ...]:
    """The matches that are set aside, the first one first."""
    since = matches.c.set_aside_at
    found = select(matches.c.id, since).where(since.is_not(None)).order_by(since, matches.c.id)
    return tuple(SetAside(*row) for row in connection.execute(found).all())


def reinstate(connection: Connection, match: Match, change: Change | None, now: datetime) -> None:
    """Let a match that was set aside go on, with a change to it, and show its board again.

    Raises :exc:`~bot.store.errors.Conflict` if it has another version than that, or is not
    set aside.
    """
    is_it = (matches.c.id == match.id, matches.c.version == match.version)
    is_aside = update(matches).where(*is_it, matches.c.set_aside_at.is_not(None))
    values = {"set_aside_at": None, **due_row(match)}
    if connection.execute(is_aside.values(values)).rowcount != 1:
        raise Conflict
    if change is not None:
        changes.commit(connection, change, quietly=True)
    if match.status is MatchStatus.RUNNING:
        match_feed.show_again(connection, match.id, now)
