"""Jobs inside transactions: plain functions of a connection."""

from __future__ import annotations

import secrets
from datetime import datetime

from sqlalchemy import Connection, bindparam, case, delete, func, insert, or_, select, update

from bot.domain.change import Change
from bot.domain.computer_turns import awaited, has_computer, people_of
from bot.domain.computers import level_of
from bot.domain.events import micros, moment
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Match
from bot.services.jobs import Job, JobKind, Queue
from bot.store.tables import jobs, matches, seats

_ADD = insert(jobs)
_DROP = delete(jobs).where(
    jobs.c.match_id == bindparam("of_match"), jobs.c.kind == bindparam("of_kind")
)
_NUMBER = func.row_number()
_DUE = (
    select(
        jobs.c.id,
        _NUMBER.over(partition_by=jobs.c.user_id, order_by=(jobs.c.due_at, jobs.c.id)).label("own"),
        jobs.c.guild_id,
        jobs.c.due_at,
    )
    .where(jobs.c.due_at <= bindparam("now"), jobs.c.lease_until <= bindparam("now"))
    .subquery()
)
_BY_TURNS = (
    select(_DUE.c.id)
    .order_by(
        _DUE.c.own,
        _NUMBER.over(
            partition_by=(_DUE.c.own, _DUE.c.guild_id), order_by=(_DUE.c.due_at, _DUE.c.id)
        ),
        _DUE.c.due_at,
        _DUE.c.id,
    )
    .limit(20)
)
_TAKE = (
    update(jobs)
    .where(jobs.c.id == bindparam("of_id"), jobs.c.lease_until <= bindparam("now"))
    .values(
        lease_by=bindparam("lease"),
        lease_until=bindparam("until"),
        attempts=jobs.c.attempts + 1,
    )
)
_ONE = select(jobs).where(jobs.c.id == bindparam("of_id"))
_FINISH = delete(jobs).where(
    jobs.c.id == bindparam("of_id"), jobs.c.lease_by == bindparam("of_lease")
)
_PUT_OFF = (
    update(jobs)
    .where(jobs.c.id == bindparam("of_id"), jobs.c.lease_by == bindparam("of_lease"))
    .values(due_at=bindparam("until"), lease_by=None, lease_until=0)
)
_QUEUE = select(
    func.coalesce(func.sum(case((jobs.c.lease_until > bindparam("now"), 1), else_=0)), 0).label(
        "taken"
    ),
    func.count().label("all_jobs"),
)
_NEXT = select(
    func.min(case((jobs.c.lease_until > jobs.c.due_at, jobs.c.lease_until), else_=jobs.c.due_at))
)
_others = seats.alias("others")
_WITH_COMPUTERS = (
    select(func.count(func.distinct(seats.c.match_id)))
    .join(_others, _others.c.match_id == seats.c.match_id)
    .join(matches, matches.c.id == seats.c.match_id)
    .where(
        seats.c.user_id == bindparam("of_user"),
        seats.c.active == 1,
        _others.c.user_id.between(-999, -1),
        or_(matches.c.status == "running", matches.c.status == "offered"),
    )
)


def note(connection: Connection, change: Change) -> None:
    """Note what a change leaves a computer to do, in place of what it had to do before."""
    match = change.match
    if not has_computer(match):
        return
    if change.before is not None and change.before.state:
        connection.execute(_DROP, {"of_match": match.id, "of_kind": JobKind.TURN.value})
    player = awaited(match)
    user = None if player is None else match.players[player]
    if user is not None:
        _add(connection, JobKind.TURN, match, level_of(user), change.event.at)


def _add(connection: Connection, kind: JobKind, match: Match, level: int, due_at: datetime) -> None:
    people = people_of(match)
    connection.execute(
        _ADD,
        {
            "kind": kind.value,
            "match_id": match.id,
            "version": match.version,
            "level": level,
            "user_id": people[0] if people else None,
            "guild_id": match.origin.guild_id,
            "due_at": micros(due_at),
        },
    )


def claim(connection: Connection, now: datetime, lease_until: datetime) -> Job | None:
    """See :class:`bot.services.jobs.JobStore`; so for what follows."""
    lease = secrets.token_hex(8)
    given = {"now": micros(now), "until": micros(lease_until), "lease": lease}
    for number in connection.execute(_BY_TURNS, {"now": micros(now)}).scalars().all():
        if connection.execute(_TAKE, {"of_id": number, **given}).rowcount == 1:
            row = connection.execute(_ONE, {"of_id": number}).one()
            return Job(
                row.id,
                JobKind(row.kind),
                MatchId(row.match_id),
                row.version,
                row.level,
                None if row.user_id is None else UserId(row.user_id),
                row.attempts - 1,
                lease,
            )
    return None


def finish(connection: Connection, job: Job) -> bool:
    """The job is done."""
    found = connection.execute(_FINISH, {"of_id": job.id, "of_lease": job.lease})
    return found.rowcount == 1


def put_off(connection: Connection, job: Job, until: datetime) -> None:
    """Give a job back."""
    given = {"of_id": job.id, "of_lease": job.lease, "until": micros(until)}
    connection.execute(_PUT_OFF, given)


def queue(connection: Connection, now: datetime) -> Queue:
    """How much there is to do."""
    row = connection.execute(_QUEUE, {"now": micros(now)}).one()
    return Queue(waiting=row.all_jobs - row.taken, taken=row.taken)


def waiting(connection: Connection) -> int:
    """How many jobs there are, done by somebody just now or not."""
    return int(connection.execute(select(func.count()).select_from(jobs)).scalar_one())


def next_due(connection: Connection) -> datetime | None:
    """When the next job is due."""
    found = connection.execute(_NEXT).scalar()
    return None if found is None else moment(found)


def with_computers(connection: Connection, user_id: UserId) -> int:
    """How many matches against computers a person has on offer or running."""
    return int(connection.execute(_WITH_COMPUTERS, {"of_user": user_id}).scalar_one())
