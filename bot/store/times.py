"""What happens inside transactions about time: deadlines, heartbeats, outages."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import (
    Connection,
    bindparam,
    delete,
    exists,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from bot.domain.clock import Span
from bot.domain.events import micros, moment
from bot.domain.ids import GuildId, MatchId, UserId
from bot.services.ports import Availability, Outage, Overdue
from bot.services.presence import concerns, guild_of, guild_scope, last_seen, replaced_scopes
from bot.store import blocked, locks, vacations
from bot.store.tables import heartbeats, matches, outages, unreached

_LONG_AGO = -(2**62)
_ANY_GUILD = guild_scope(0)[:-1] + "%"
_was_told = ~exists(
    select(unreached.c.since).where(
        unreached.c.match_id == matches.c.id,
        unreached.c.since == matches.c.position_since,
        unreached.c.ended_at.is_(None),
    )
)
"""A clock that is stopped because its player could not be told runs out at no deadline."""
_OVERDUE = (
    select(matches.c.id, matches.c.deadline)
    .where(
        matches.c.deadline.is_not(None),
        _was_told,
        matches.c.deadline <= bindparam("now"),
        tuple_(matches.c.deadline, matches.c.id)
        > tuple_(bindparam("after_deadline"), bindparam("after_id")),
    )
    .order_by(matches.c.deadline, matches.c.id)
    .limit(bindparam("at_most"))
)
_NEXT_DEADLINE = (
    select(matches.c.deadline)
    .where(matches.c.deadline.is_not(None), _was_told)
    .order_by(matches.c.deadline)
    .limit(1)
)
_HEARTBEATS = select(heartbeats)
_ADD_HEARTBEAT = insert(heartbeats)
_MOVE_HEARTBEAT = (
    update(heartbeats).where(heartbeats.c.scope == bindparam("of_scope")).values(at=bindparam("at"))
)
_DROP_HEARTBEATS = delete(heartbeats).where(
    heartbeats.c.scope.in_(bindparam("of_scopes", expanding=True))
)
_ADD_OUTAGE = insert(outages)
_EXTEND_OUTAGE = (
    update(outages)
    .where(
        outages.c.scope == bindparam("of_scope"),
        outages.c.began_at == bindparam("of_began_at"),
        outages.c.ended_at >= bindparam("of_began_at"),
    )
    .values(ended_at=bindparam("ended_at"))
)
"""The second condition on the instant is for the index."""
_OUTAGES = (
    select(outages)
    .where(
        outages.c.ended_at > bindparam("since"),
        outages.c.began_at < bindparam("until"),
        or_(
            outages.c.scope == bindparam("of_guild"),
            outages.c.scope.not_like(bindparam("guilds")),
        ),
    )
    .order_by(outages.c.began_at)
)
_OUTAGES_OF_SERVERS = (
    select(outages)
    .where(outages.c.ended_at >= bindparam("since"), outages.c.scope.like(bindparam("guilds")))
    .order_by(outages.c.began_at)
)
_SERVERS_PLAYING = (
    select(matches.c.guild_id)
    .where(matches.c.status == "running", matches.c.guild_id.is_not(None))
    .distinct()
)
_NEWEST_OUTAGES = select(outages).order_by(outages.c.ended_at.desc()).limit(bindparam("at_most"))


def overdue(
    connection: Connection, now: datetime, limit: int, after: Overdue | None = None
) -> tuple[Overdue, ...]:
    """Matches whose deadline has come."""
    found = connection.execute(
        _OVERDUE,
        {
            "now": micros(now),
            "at_most": limit,
            "after_deadline": _LONG_AGO if after is None else micros(after.deadline),
            "after_id": "" if after is None else after.match_id,
        },
    )
    return tuple(Overdue(MatchId(row.id), moment(row.deadline)) for row in found.all())


def next_deadline(connection: Connection) -> datetime | None:
    """The first deadline of all."""
    found = connection.execute(_NEXT_DEADLINE).scalar()
    return None if found is None else moment(found)


def beat(
    connection: Connection, scopes: tuple[str, ...], now: datetime, longest: timedelta
) -> bool:
    """Note that people in these scopes can act now; whether they could not for a while."""
    locks.one_after_another(connection)
    beats = {row.scope: row.at for row in connection.execute(_HEARTBEATS).all()}
    at = micros(now)
    least = longest // timedelta(microseconds=1)
    gaps = [
        {"scope": part, "began_at": before, "ended_at": at}
        for scope in scopes
        if scope not in beats or at - beats[scope] > least
        for part, before in last_seen(scope, beats)
        if at - before > least
    ]
    for scope in scopes:
        if scope in beats:
            connection.execute(_MOVE_HEARTBEAT, {"of_scope": scope, "at": at})
        else:
            connection.execute(_ADD_HEARTBEAT, {"scope": scope, "at": at})
    replaced = replaced_scopes(scopes, {**beats, **dict.fromkeys(scopes, at)})
    if replaced:
        connection.execute(_DROP_HEARTBEATS, {"of_scopes": replaced})
    if gaps:
        connection.execute(_ADD_OUTAGE, gaps)
    return bool(gaps)


def note_outages(connection: Connection, outages: tuple[Outage, ...]) -> None:
    """Write outages down, or extend those that are there."""
    for each in outages:
        began, ended = micros(each.began_at), micros(each.ended_at)
        if ended <= began:
            continue
        extended = connection.execute(
            _EXTEND_OUTAGE, {"of_scope": each.scope, "of_began_at": began, "ended_at": ended}
        )
        if not extended.rowcount:
            connection.execute(
                _ADD_OUTAGE, {"scope": each.scope, "began_at": began, "ended_at": ended}
            )


def presumed(  # noqa: PLR0917 - all that is asked about clocks at once
    connection: Connection,
    guild_id: GuildId | None,
    since: datetime,
    now: datetime,
    people: tuple[UserId, ...] = (),
    match_id: MatchId | None = None,
) -> Availability:
    """The outages that concern a server, people's vacations, and when they could last act."""
    found = connection.execute(
        _OUTAGES,
        {
            "since": micros(since),
            "until": micros(now),
            "of_guild": guild_scope(guild_id or 0),
            "guilds": _ANY_GUILD,
        },
    ).all()
    stood = tuple(
        Span(moment(row.began_at), moment(row.ended_at))
        for row in found
        if concerns(row.scope, guild_id)
    )
    beats = connection.execute(_HEARTBEATS).all()
    seen = max((row.at for row in beats if concerns(row.scope, guild_id)), default=None)
    leaves = vacations.lasting(connection, people, min(since, now))
    turn = None if match_id is None else blocked.newest(connection, match_id)
    return Availability(stood, None if seen is None else moment(seen), leaves, turn)


def newest_outages(connection: Connection, limit: int) -> tuple[Outage, ...]:
    """The outages that ended last."""
    found = connection.execute(_NEWEST_OUTAGES, {"at_most": limit})
    return tuple(Outage(row.scope, moment(row.began_at), moment(row.ended_at)) for row in found)


def open_outages(connection: Connection) -> tuple[Outage, ...]:
    """The outages of single servers that had not ended when people could last act."""
    beats = {row.scope: row.at for row in connection.execute(_HEARTBEATS).all()}
    if not beats:
        return ()
    found = connection.execute(
        _OUTAGES_OF_SERVERS, {"guilds": _ANY_GUILD, "since": min(beats.values())}
    )
    return tuple(
        Outage(row.scope, moment(row.began_at), moment(row.ended_at))
        for row in found
        if row.ended_at >= _seen(beats, guild_of(row.scope), row.ended_at + 1)
    )


def _seen(beats: dict[str, int], guild_id: GuildId | None, never: int) -> int:
    return max((at for scope, at in beats.items() if concerns(scope, guild_id)), default=never)


def servers_playing(connection: Connection) -> tuple[GuildId, ...]:
    """The servers in which matches run."""
    return tuple(GuildId(row.guild_id) for row in connection.execute(_SERVERS_PLAYING))
