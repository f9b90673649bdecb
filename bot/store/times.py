"""What happens inside transactions about time: deadlines, heartbeats, outages."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection

from bot.domain.clock import Span
from bot.domain.events import micros, moment
from bot.domain.ids import GuildId, MatchId, UserId
from bot.services.ports import Availability, Outage, Overdue
from bot.services.presence import concerns, guild_of, guild_scope, last_seen, replaced_scopes
from bot.store import blocked, vacations
from bot.store import statements as sql

_LONG_AGO = -(2**62)
_ANY_GUILD = guild_scope(0)[:-1] + "%"


def overdue(
    connection: Connection, now: datetime, limit: int, after: Overdue | None
) -> tuple[Overdue, ...]:
    """Matches whose deadline has come."""
    found = connection.execute(
        sql.OVERDUE,
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
    found = connection.execute(sql.NEXT_DEADLINE).scalar()
    return None if found is None else moment(found)


def beat(
    connection: Connection, scopes: tuple[str, ...], now: datetime, longest: timedelta
) -> bool:
    """Note that people in these scopes can act now; whether they could not for a while."""
    sql.one_after_another(connection)
    beats = {row.scope: row.at for row in sql.HEARTBEATS.rows(connection, {})}
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
            connection.execute(sql.MOVE_HEARTBEAT, {"of_scope": scope, "at": at})
        else:
            connection.execute(sql.ADD_HEARTBEAT, {"scope": scope, "at": at})
    replaced = replaced_scopes(scopes, {**beats, **dict.fromkeys(scopes, at)})
    if replaced:
        connection.execute(sql.DROP_HEARTBEATS, {"of_scopes": replaced})
    if gaps:
        connection.execute(sql.ADD_OUTAGE, gaps)
    return bool(gaps)


def note_outages(connection: Connection, outages: tuple[Outage, ...]) -> None:
    """Write outages down, or extend those that are there."""
    for each in outages:
        began, ended = micros(each.began_at), micros(each.ended_at)
        if ended <= began:
            continue
        extended = connection.execute(
            sql.EXTEND_OUTAGE, {"of_scope": each.scope, "of_began_at": began, "ended_at": ended}
        )
        if not extended.rowcount:
            connection.execute(
                sql.ADD_OUTAGE, {"scope": each.scope, "began_at": began, "ended_at": ended}
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
    found = sql.OUTAGES.rows(
        connection,
        {
            "since": micros(since),
            "until": micros(now),
            "of_guild": guild_scope(guild_id or 0),
            "guilds": _ANY_GUILD,
        },
    )
    stood = tuple(
        Span(moment(row.began_at), moment(row.ended_at))
        for row in found
        if concerns(row.scope, guild_id)
    )
    beats = sql.HEARTBEATS.rows(connection, {})
    seen = max((row.at for row in beats if concerns(row.scope, guild_id)), default=None)
    leaves = vacations.lasting(connection, people, min(since, now))
    turn = None if match_id is None else blocked.newest(connection, match_id)
    return Availability(stood, None if seen is None else moment(seen), leaves, turn)


def newest_outages(connection: Connection, limit: int) -> tuple[Outage, ...]:
    """The outages that ended last."""
    found = connection.execute(sql.NEWEST_OUTAGES, {"at_most": limit})
    return tuple(Outage(row.scope, moment(row.began_at), moment(row.ended_at)) for row in found)


def open_outages(connection: Connection) -> tuple[Outage, ...]:
    """The outages of single servers that had not ended when people could last act."""
    beats = {row.scope: row.at for row in sql.HEARTBEATS.rows(connection, {})}
    if not beats:
        return ()
    found = connection.execute(
        sql.OUTAGES_OF_SERVERS, {"guilds": _ANY_GUILD, "since": min(beats.values())}
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
    return tuple(GuildId(row.guild_id) for row in connection.execute(sql.SERVERS_PLAYING))
