"""Jobs inside transactions: plain functions of a connection."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
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
from bot.store import database, presence
from bot.store.records import Job, JobKind, Queue
from bot.store.tables import jobs, reviews
from bot.store.tables.base import NEVER, Instant

_ADD = insert(jobs)
_DROP = delete(jobs).where(
    jobs.c.match_id == bindparam("of_match"), jobs.c.kind == bindparam("of_kind")
)
_ORDER = 1
"""The number held while a job is taken, so that no other process changes the order meanwhile."""
_AFTER_OTHERS = timedelta(milliseconds=1)
_taken = jobs.alias("taken")
_has_none_taken = ~exists(
    select(_taken.c.id).where(
        _taken.c.guild_id == jobs.c.guild_id, _taken.c.lease_until > bindparam("now")
    )
)
"""A server has one place among those where computers think."""
_DUE = (
    select(jobs)
    .where(
        jobs.c.due_at <= bindparam("now"),
        jobs.c.lease_until <= bindparam("now"),
        _has_none_taken,
    )
    .order_by(jobs.c.due_at, jobs.c.id)
    .limit(1)
)
_waits = and_(jobs.c.lease_until <= bindparam("now"), jobs.c.due_at < bindparam("then"))
_AFTER_OTHER_SERVERS = (
    update(jobs)
    .where(jobs.c.guild_id == bindparam("of_guild"), _waits)
    .values(due_at=bindparam("then"))
)
_AFTER_OTHER_PEOPLE = (
    update(jobs)
    .where(jobs.c.user_id == bindparam("of_user"), _waits)
    .values(due_at=bindparam("then"))
)
_TAKE = (
    update(jobs)
    .where(jobs.c.id == bindparam("of_id"))
    .values(
        lease_by=bindparam("lease"),
        lease_until=bindparam("until"),
        attempts=jobs.c.attempts + 1,
    )
)
_FINISH = delete(jobs).where(
    jobs.c.id == bindparam("of_id"), jobs.c.lease_by == bindparam("of_lease")
)
_PUT_OFF = (
    update(jobs)
    .where(jobs.c.id == bindparam("of_id"), jobs.c.lease_by == bindparam("of_lease"))
    .values(
        due_at=bindparam("until"),
        lease_by=None,
        lease_until=NEVER,
        attempts=bindparam("of_attempts"),
    )
)
_now = bindparam("now", type_=Instant)
_PUT_BACK = (
    update(jobs)
    .where(or_(jobs.c.due_at > _now, jobs.c.lease_until > _now))
    .values(
        due_at=case((jobs.c.due_at > _now, _now), else_=jobs.c.due_at),
        lease_until=case((jobs.c.lease_until > _now, _now), else_=jobs.c.lease_until),
    )
)
_REVIEW = select(reviews).where(reviews.c.match_id == bindparam("of_match"))
_REVIEWS = select(
    func.count().label("everybodys"),
    func.coalesce(func.sum(case((jobs.c.user_id == bindparam("of_user"), 1), else_=0)), 0).label(
        "theirs"
    ),
).where(jobs.c.kind == JobKind.REVIEW)
_waiting = jobs.alias("waiting")
_BEFORE_REVIEW = (
    select(func.count(jobs.c.id))
    .select_from(_waiting)
    .join(jobs, jobs.c.id != _waiting.c.id)
    .where(
        _waiting.c.match_id == bindparam("of_match"),
        _waiting.c.kind == JobKind.REVIEW,
        _waiting.c.lease_until <= bindparam("now"),
        or_(
            jobs.c.lease_until > bindparam("now"),
            jobs.c.due_at < _waiting.c.due_at,
            and_(jobs.c.due_at == _waiting.c.due_at, jobs.c.id < _waiting.c.id),
        ),
    )
)
MOST_REVIEWS = 50
"""So many matches may wait to be reviewed,"""
MOST_REVIEWS_OF_ONE = 5
"""and of these so many that one person has asked for."""
_ADD_REVIEW = insert(reviews)
_MOVE_REVIEW = update(reviews).where(reviews.c.match_id == bindparam("of_match"))
_QUEUE = select(
    func.coalesce(func.sum(case((jobs.c.lease_until > bindparam("now"), 1), else_=0)), 0).label(
        "taken"
    ),
    func.count().label("all_jobs"),
)
_NEXT = select(
    func.min(case((jobs.c.lease_until > jobs.c.due_at, jobs.c.lease_until), else_=jobs.c.due_at))
)


def note(connection: Connection, now: Committed) -> None:
    """Note what a computer has to do in a match, in place of what it had to do before."""
    match = now.head
    if not match.has_computer:
        return
    connection.execute(_DROP, {"of_match": match.id, "of_kind": JobKind.TURN})
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
        _ADD,
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
    row = connection.execute(_DUE, {"now": now}).first()
    if row is None:
        return None
    lease = secrets.token_hex(8)
    given = {"of_id": row.id, "until": lease_until, "lease": lease}
    connection.execute(_TAKE, given)
    waits = {"now": now, "then": now}
    if row.guild_id is not None:
        connection.execute(_AFTER_OTHER_SERVERS, {"of_guild": row.guild_id, **waits})
    if row.user_id is not None:
        waits["then"] = now + _AFTER_OTHERS
        connection.execute(_AFTER_OTHER_PEOPLE, {"of_user": row.user_id, **waits})
    return Job(
        row.id,
        row.kind,
        row.match_id,
        row.version,
        row.level,
        row.user_id,
        row.attempts,
        lease,
    )


def finish(connection: Connection, job: Job) -> bool:
    """The job is done; False if the lease was lost or another job is in its place."""
    found = connection.execute(_FINISH, {"of_id": job.id, "of_lease": job.lease})
    return found.rowcount == 1


def put_off(connection: Connection, job: Job, until: datetime, *, anew: bool = False) -> None:
    """Give a job back, to be taken again then; ``anew``: as if it had never been tried."""
    given = {"of_id": job.id, "of_lease": job.lease, "until": until}
    connection.execute(_PUT_OFF, {**given, "of_attempts": 0 if anew else job.attempts + 1})


def review(connection: Connection, match_id: MatchId) -> Review | None:
    """The review of a match as far as it goes; None if nobody has asked for one."""
    row = connection.execute(_REVIEW, {"of_match": match_id}).first()
    return None if row is None else Review(match_id, row.plies, read_moves(row.moves))


def before_review(connection: Connection, match_id: MatchId, now: datetime) -> int:
    """How many jobs computers do before they look at a match again; 0 while they do."""
    given = {"of_match": match_id, "now": now}
    return int(connection.execute(_BEFORE_REVIEW, given).scalar_one())


def ask_review(
    connection: Connection, match: Match, user_id: UserId, plies: int, now: datetime
) -> None:
    """Have a match reviewed, unless that has been asked for already.

    Raises :exc:`~bot.errors.UserError`: ``computers_busy``, ``reviews_waiting``.
    """
    database.hold_match(connection, match.id)
    if review(connection, match.id) is None:
        count = connection.execute(_REVIEWS, {"of_user": user_id}).one()
        if count.theirs >= MOST_REVIEWS_OF_ONE:
            raise UserError("reviews_waiting", most=MOST_REVIEWS_OF_ONE)
        if count.everybodys >= MOST_REVIEWS:
            raise UserError("computers_busy")
        connection.execute(_ADD_REVIEW, {"match_id": match.id, "plies": plies})
        level = advising_level(match.game)
        _add(connection, JobKind.REVIEW, match, level, due_at=now, user_id=user_id)


def keep_review(connection: Connection, before: Review, after: Review) -> bool:
    """Keep how far a review has come; False if it has been taken further meanwhile."""
    database.hold_match(connection, before.match_id)
    if review(connection, before.match_id) != before:
        return False
    values = {"of_match": before.match_id, "reviewed": len(after.moves)}
    connection.execute(_MOVE_REVIEW, {**values, "moves": write_moves(after.moves)})
    return True


def put_back(connection: Connection, now: datetime) -> None:
    """The clock was put back: what waits for the future is to be done now."""
    connection.execute(_PUT_BACK, {"now": now})


def release(connection: Connection) -> None:
    """Give everything back; on PostgreSQL others may be at it, and their leases run out."""
    if connection.dialect.name == "sqlite":
        connection.execute(update(jobs).values(lease_by=None, lease_until=NEVER))


def queue(connection: Connection, now: datetime) -> Queue:
    """How much there is to do."""
    row = connection.execute(_QUEUE, {"now": now}).one()
    return Queue(waiting=row.all_jobs - row.taken, taken=row.taken)


def next_due(connection: Connection) -> datetime | None:
    """When the next job is due, leases included; None if there is none."""
    found: datetime | None = connection.execute(_NEXT).scalar()
    return found
