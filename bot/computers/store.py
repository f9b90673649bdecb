"""Jobs inside transactions: plain functions of a connection."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Connection,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from bot.computers.domain.reviews import Review, read_moves, write_moves
from bot.computers.domain.turns import awaited, people_of, sits
from bot.domain.computers import advising_level, level_of
from bot.domain.events import Change, EventKind
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match
from bot.errors import UserError
from bot.posts.deliveries import Committed
from bot.store import database, presence, rows
from bot.store.records import Job, JobKind, Queue
from bot.store.tables import jobs, reviews
from bot.store.tables.base import NEVER

_ORDER = 1
"""The number held while a job is taken, so that no other process changes the order meanwhile."""
_AFTER_OTHERS = timedelta(milliseconds=1)
_taken = jobs.alias("taken")
_waiting = jobs.alias("waiting")
MOST_REVIEWS = 50
"""So many matches may wait to be reviewed,"""
MOST_REVIEWS_OF_ONE = 5
"""and of these so many that one person has asked for."""


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    """How many of the jobs that are looked at meet a condition."""
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


def note(connection: Connection, now: Committed) -> None:
    """Note what a computer has to do in a match, in place of what it had to do before."""
    match = now.head
    if not match.has_computer:
        return
    is_turn = (jobs.c.match_id == match.id, jobs.c.kind == JobKind.TURN)
    connection.execute(delete(jobs).where(*is_turn))
    player = awaited(match)
    computer = None if player is None else match.players[player]
    level = None if computer is None else level_of(computer)
    if level is not None:
        person = next(iter(people_of(match)), None)
        _add(connection, JobKind.TURN, match, level, due_at=now.at, user_id=person)


def sit_down(connection: Connection, change: Change) -> tuple[Change, ...]:
    """The changes that computers make at once after one: accept an offer, agree to a request."""
    if change.event.kind is EventKind.SUBSTITUTED or not change.match.has_computer:
        return ()
    return tuple(sits(change, presence.away(connection, change)))


def _add(
    connection: Connection,
    kind: JobKind,
    match: Match,
    level: int,
    *,
    due_at: datetime,
    user_id: UserId | None,
) -> None:
    connection.execute(
        insert(jobs),
        {
            "kind": kind,
            "match_id": match.id,
            "version": match.version,
            "level": level,
            "user_id": user_id,
            "guild_id": match.origin.guild_id,
            "due_at": due_at,
        },
    )


def claim(connection: Connection, now: datetime, lease_until: datetime) -> Job | None:
    """Take the next job that is due; None if there is none.

    Of a server one is done at a time. The oldest comes first; the others of the same server
    then come after those of other servers that wait by now, and those of the same person after
    all of these. So nobody's many jobs keep others waiting.
    """
    database.hold(connection, (_ORDER,))
    is_free = jobs.c.lease_until <= now
    is_at_work = (_taken.c.guild_id == jobs.c.guild_id, _taken.c.lease_until > now)
    has_none_taken = ~exists(select(_taken.c.id).where(*is_at_work))
    due = select(jobs).where(jobs.c.due_at <= now, is_free, has_none_taken)
    row = connection.execute(due.order_by(jobs.c.due_at, jobs.c.id).limit(1)).first()
    if row is None:
        return None
    lease = secrets.token_hex(8)
    taken = {"lease_by": lease, "lease_until": lease_until, "attempts": jobs.c.attempts + 1}
    connection.execute(update(jobs).where(jobs.c.id == row.id).values(taken))
    for column, its, then in (
        (jobs.c.guild_id, row.guild_id, now),
        (jobs.c.user_id, row.user_id, now + _AFTER_OTHERS),
    ):
        if its is not None:
            waits = update(jobs).where(column == its, is_free, jobs.c.due_at < then)
            connection.execute(waits.values(due_at=then))
    return rows.made(Job, row, lease=lease)


def finish(connection: Connection, job: Job) -> bool:
    """The job is done; False if the lease was lost or another job is in its place."""
    return connection.execute(delete(jobs).where(*_is_leased(job))).rowcount == 1


def _is_leased(job: Job) -> tuple[ColumnElement[bool], ...]:
    return jobs.c.id == job.id, jobs.c.lease_by == job.lease


def put_off(connection: Connection, job: Job, until: datetime, *, anew: bool = False) -> None:
    """Give a job back, to be taken again then; ``anew``: as if it had never been tried."""
    free = {"lease_by": None, "lease_until": NEVER, "attempts": 0 if anew else job.attempts + 1}
    connection.execute(update(jobs).where(*_is_leased(job)).values(due_at=until, **free))


def review(connection: Connection, match_id: MatchId) -> Review | None:
    """The review of a match as far as it goes; None if nobody has asked for one."""
    row = connection.execute(select(reviews).where(reviews.c.match_id == match_id)).first()
    return None if row is None else Review(match_id, row.plies, read_moves(row.moves))


def before_review(connection: Connection, match_id: MatchId, now: datetime) -> int:
    """How many jobs computers do before they look at a match again; 0 while they do."""
    is_earlier = or_(
        jobs.c.lease_until > now,
        tuple_(jobs.c.due_at, jobs.c.id) < tuple_(_waiting.c.due_at, _waiting.c.id),
    )
    counted = (
        select(func.count(jobs.c.id))
        .select_from(_waiting)
        .join(jobs, jobs.c.id != _waiting.c.id)
        .where(
            _waiting.c.match_id == match_id,
            _waiting.c.kind == JobKind.REVIEW,
            _waiting.c.lease_until <= now,
            is_earlier,
        )
    )
    return connection.execute(counted).scalar_one()


def ask_review(
    connection: Connection, match: Match, user_id: UserId, plies: int, now: datetime
) -> None:
    """Have a match reviewed, unless that has been asked for already.

    Raises :exc:`~bot.errors.UserError`: ``computers_busy``, ``reviews_waiting``.
    """
    database.hold_match(connection, match.id)
    if review(connection, match.id) is None:
        asked = select(func.count(), _sum(jobs.c.user_id == user_id))
        everybodys, theirs = connection.execute(asked.where(jobs.c.kind == JobKind.REVIEW)).one()
        if theirs >= MOST_REVIEWS_OF_ONE:
            raise UserError("reviews_waiting", most=MOST_REVIEWS_OF_ONE)
        if everybodys >= MOST_REVIEWS:
            raise UserError("computers_busy")
        connection.execute(insert(reviews), {"match_id": match.id, "plies": plies})
        level = advising_level(match.game)
        _add(connection, JobKind.REVIEW, match, level, due_at=now, user_id=user_id)


def keep_review(connection: Connection, before: Review, after: Review) -> bool:
    """Keep how far a review has come; False if it has been taken further meanwhile."""
    database.hold_match(connection, before.match_id)
    if review(connection, before.match_id) != before:
        return False
    kept = update(reviews).where(reviews.c.match_id == before.match_id)
    values = {"reviewed": len(after.moves), "moves": write_moves(after.moves)}
    connection.execute(kept.values(values))
    return True


def put_back(connection: Connection, now: datetime) -> None:
    """The clock was put back: what waits for the future is to be done now."""
    for column in (jobs.c.due_at, jobs.c.lease_until):
        connection.execute(update(jobs).where(column > now).values({column: now}))


def release(connection: Connection) -> None:
    """Give everything back; on PostgreSQL others may be at it, and their leases run out."""
    if connection.dialect.name == "sqlite":
        connection.execute(update(jobs).values(lease_by=None, lease_until=NEVER))


def queue(connection: Connection, now: datetime) -> Queue:
    """How much there is to do."""
    counted = select(func.count(), _sum(jobs.c.lease_until > now)).select_from(jobs)
    every, taken = connection.execute(counted).one()
    return Queue(waiting=every - taken, taken=taken)


def next_due(connection: Connection) -> datetime | None:
    """When the next job is due, leases included; None if there is none."""
    lasts = jobs.c.lease_until > jobs.c.due_at
    due = select(func.min(case((lasts, jobs.c.lease_until), else_=jobs.c.due_at)))
    found: datetime | None = connection.execute(due).scalar()
    return found
