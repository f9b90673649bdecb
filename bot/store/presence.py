"""The times at which people could play, inside transactions: heartbeats, outages, deadlines.

A heartbeat or an outage is of a *scope*: a server, a shard, or all of Discord.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    bindparam,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    tuple_,
    update,
)

from bot.domain.clock import Span
from bot.domain.events import Change, CommandContext, OnVacation
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Match, MatchStatus
from bot.domain.untold_turns import UntoldTurn
from bot.domain.vacation import UserVacation
from bot.store import blocked, database, outgoing, rows, vacations
from bot.store.hooks import hooks
from bot.store.records import Outage, Overdue
from bot.store.tables import heartbeats, matches, outages, untold_turns
from bot.store.tables.base import Instant, Number

EVERYWHERE = ""
"""The scope of a process that serves all of Discord."""
_GUILD, _SHARD = "guild:", "shard:"


@dataclass(frozen=True, slots=True)
class Availability:
    """People's chances to act in a server, as far as is known.

    ``stopped_spans`` are outages in order; ``seen`` is when they last could, None if nobody keeps
    count; ``vacations`` are those of the people that were asked about; ``untold`` is the last turn
    of the match that was asked about which could not be told in time, perhaps one that is over.
    """

    stopped_spans: tuple[Span, ...] = ()
    seen: datetime | None = None
    vacations: tuple[UserVacation, ...] = ()
    untold: UntoldTurn | None = None

    def away(self, now: datetime) -> tuple[OnVacation, ...]:
        """Those of them on vacation at an instant, and until when."""
        found = (each for each in self.vacations if each.vacation.lasts(now))
        return tuple(OnVacation(each.user_id, each.vacation.ends_at) for each in found)

    def act(self, now: datetime) -> CommandContext:
        """An act of the host at an instant."""
        return CommandContext(now, stopped_spans=self.stopped_spans, away=self.away(now))


def guild_scope(guild_id: int) -> str:
    """The scope of one server."""
    return f"{_GUILD}{guild_id}"


def guild_of(scope: str) -> GuildId | None:
    """The server that a scope is of, None if it is of more than one."""
    return GuildId(int(scope.removeprefix(_GUILD))) if scope.startswith(_GUILD) else None


def shard_scopes(shard_ids: Iterable[int] | None, shard_count: int | None) -> tuple[str, ...]:
    """The scopes of a process that serves these shards; all of Discord if none are named."""
    if shard_ids is None or shard_count is None or shard_count == 1:
        return (EVERYWHERE,)
    return tuple(f"{_SHARD}{shard}/{shard_count}" for shard in shard_ids)


def concerns(scope: str, guild_id: int | None) -> bool:
    """Whether a scope covers a server, or, without one, direct messages.

    Discord numbers the shard of a server by its id, and sends direct messages to shard 0
    (https://docs.discord.com/developers/events/gateway#sharding).
    """
    if scope == EVERYWHERE:
        return True
    if scope.startswith(_GUILD):
        return guild_id is not None and scope == guild_scope(guild_id)
    shard, count = division(scope)
    return hashed(guild_id) % count == shard


def hashed(guild_id: int | None) -> int:
    """The number of which the remainder tells the shard of a server, or of direct messages."""
    return (guild_id or 0) >> 22


def division(scope: str) -> tuple[int, int]:
    """The shard that a process serves, and how many there are; all of Discord is shard 0 of 1."""
    if scope == EVERYWHERE:
        return 0, 1
    shard, _, count = scope.removeprefix(_SHARD).partition("/")
    return int(shard), int(count)


def last_seen(scope: str, beats: Mapping[str, datetime]) -> tuple[tuple[str, datetime], ...]:
    """When the servers of a scope could last be reached, by the last beats of all scopes.

    Before the number of shards was changed, other scopes covered them, perhaps several and not all
    until the same instant: then the scope is returned in parts. A part that no scope has covered
    yet is left out.
    """
    shard, count = division(scope)
    known = [(*division(each), at) for each, at in beats.items()]
    parts = math.lcm(count, *(each for _, each, _ in known))
    seen = {
        part: [at for number, each, at in known if part % each == number]
        for part in range(shard, parts, count)
    }
    last = {part: max(found) for part, found in seen.items() if found}
    if len(last) == len(seen) and len(set(last.values())) == 1:
        return ((scope, last[shard]),)
    return tuple((f"{_SHARD}{part}/{parts}", at) for part, at in last.items())


def replaced_scopes(scopes: tuple[str, ...], beats: Mapping[str, datetime]) -> tuple[str, ...]:
    """The scopes of other divisions into shards than the present one, which has replaced them.

    That is so when all of its shards have been heard of since. Their beats no longer count.
    """
    count = max(division(each)[1] for each in scopes)
    present = {each: at for each, at in beats.items() if division(each)[1] == count}
    if len(present) < count:
        return ()
    since = min(present.values())
    return tuple(each for each, at in beats.items() if each not in present and at < since)


# ---- deadlines and heartbeats --------------------------------------------------------------------

_NEVER = datetime.max.replace(tzinfo=UTC)
_APART = timedelta(seconds=2)
"""The time by which the clocks of two processes may differ."""
_LATELY = literal(12_000_000, Number)
"""Microseconds before the last beat in which an outage was noted that still lasts."""
_ANY_GUILD = guild_scope(0)[:-1] + "%"
_was_told = ~exists(
    select(untold_turns.c.since).where(
        untold_turns.c.match_id == matches.c.id,
        untold_turns.c.since == matches.c.position_since,
        untold_turns.c.ended_at.is_(None),
    )
)
"""A clock that is stopped because its player could not be told runs out at no deadline."""
_lost = select(cast(func.substr(outages.c.scope, len(_GUILD) + 1), Number)).where(
    outages.c.ended_at >= select(func.max(heartbeats.c.at) - _LATELY).scalar_subquery(),
    outages.c.scope.like(_ANY_GUILD),
)
_is_reached = or_(matches.c.guild_id.is_(None), matches.c.guild_id.not_in(_lost))
"""Nor does one in a server that Discord has lost, or that has removed the bot: how long that lasts
is given back once it is over."""
_beats = heartbeats.c
_SEEN = select(func.max(_beats.at)).where(bindparam("hashed") % _beats.total == _beats.shard)
_spans = outages.c
_AT_ONCE = 1000
"""Outages that are looked for together: a look at each would read all that Discord has lost."""
_OUTAGES = (
    select(outages)
    .where(
        outages.c.ended_at > bindparam("since"),
        outages.c.began_at < bindparam("until"),
        or_(
            outages.c.scope == bindparam("of_guild"), outages.c.scope.not_like(bindparam("guilds"))
        ),
    )
    .order_by(outages.c.began_at)
)
_runs = matches.c.status == MatchStatus.RUNNING
_first = select(func.min(matches.c.guild_id).label("guild_id")).where(_runs)
_playing = _first.cte("playing", recursive=True)
_next = _first.where(matches.c.guild_id > _playing.c.guild_id).scalar_subquery()
_playing = _playing.union_all(select(_next).where(_playing.c.guild_id.is_not(None)))
_SERVERS_PLAYING = select(_playing.c.guild_id).where(_playing.c.guild_id.is_not(None))
"""From one server to the next, since a server may have very many matches."""


def overdue(
    connection: Connection, now: datetime, limit: int, after: Overdue | None = None
) -> tuple[Overdue, ...]:
    """Matches whose deadline has come, the oldest first, from the one after ``after``.

    Not those whose player on turn could not be told, nor those in servers that are lost.
    """
    order = (matches.c.deadline, matches.c.id)
    found = _deadlines(now).add_columns(matches.c.id).order_by(*order).limit(limit)
    if after is not None:
        last = (literal(after.deadline, Instant), literal(after.match_id))
        found = found.where(tuple_(*order) > tuple_(*last))
    return tuple(Overdue(row.id, row.deadline) for row in connection.execute(found).all())


def _deadlines(until: datetime) -> Select[Any]:
    """The deadlines that come by then."""
    comes = (matches.c.deadline.is_not(None), matches.c.deadline <= until)
    return select(matches.c.deadline).where(*comes, _was_told, _is_reached)


def next_deadline(connection: Connection, until: datetime = _NEVER) -> datetime | None:
    """The first deadline of all that can pass until then, None if no clock runs out."""
    first = _deadlines(until).order_by(matches.c.deadline).limit(1)
    found: datetime | None = connection.execute(first).scalar()
    return found


def beat(
    connection: Connection, scopes: tuple[str, ...], now: datetime, longest: timedelta
) -> bool:
    """Note that people in these scopes can act now.

    A gap since the last beat longer than ``longest`` is written down as an outage; returns
    whether there was one.
    """
    database.one_after_another(connection)
    total = division(scopes[0])[1]
    is_theirs = or_(_beats.scope.in_(scopes), _beats.total != total)
    found = connection.execute(select(heartbeats).where(is_theirs)).all()
    beats = {row.scope: row.at for row in found}
    was = max((beats[scope] for scope in scopes if scope in beats), default=now)
    if was - now > _APART:
        _put_back(connection, now, was)
    gaps = [
        {"scope": part, "began_at": before, "ended_at": now}
        for scope in scopes
        if scope not in beats or now - beats[scope] > longest
        for part, before in last_seen(scope, beats)
        if now - before > longest
    ]
    connection.execute(update(heartbeats).where(_beats.scope.in_(scopes)).values(at=now))
    for scope in scopes:
        if scope not in beats:
            row = {"scope": scope, "at": now, "shard": division(scope)[0], "total": total}
            connection.execute(insert(heartbeats), row)
    if any(row.total != total for row in found):
        replaced = replaced_scopes(scopes, _all_beats(connection))
        connection.execute(delete(heartbeats).where(_beats.scope.in_(replaced)))
    if gaps:
        connection.execute(insert(outages), gaps)
    return bool(gaps)


def _all_beats(connection: Connection) -> dict[str, datetime]:
    return {row.scope: row.at for row in connection.execute(select(heartbeats)).all()}


def _put_back(connection: Connection, now: datetime, was: datetime) -> None:
    """The clock was put back from ``was``: nothing that was due by then waits for it once more.

    Outages do not reach into the future, in which no clock would run.
    """
    lasts = _spans.ended_at > now
    connection.execute(delete(outages).where(lasts, _spans.began_at >= now))
    connection.execute(update(outages).where(lasts).values(ended_at=now))
    outgoing.put_back(connection, now, was)
    for listener in hooks.put_back:
        listener(connection, now)


def note_outages(connection: Connection, noted: tuple[Outage, ...]) -> None:
    """Write outages down; one that began at the same instant in the same scope is extended."""
    for first in range(0, len(noted), _AT_ONCE):
        _note(connection, noted[first : first + _AT_ONCE])


def _note(connection: Connection, some: tuple[Outage, ...]) -> None:
    ends = {(x.scope, x.began_at): x.ended_at for x in some if x.ended_at > x.began_at}
    if not ends:
        return
    since = min(began for _, began in ends)
    is_there = _spans.scope.in_([scope for scope, _ in ends])
    lasting: dict[datetime, list[int]] = {}
    for row in connection.execute(select(outages).where(_spans.ended_at >= since, is_there)).all():
        ended = ends.pop((row.scope, row.began_at), None)
        if ended is not None:
            lasting.setdefault(ended, []).append(row.id)
    for ended, ids in lasting.items():
        connection.execute(update(outages).where(_spans.id.in_(ids)).values(ended_at=ended))
    if ends:
        new = [{"scope": x[0], "began_at": x[1], "ended_at": at} for x, at in ends.items()]
        connection.execute(insert(outages), new)


def availability(  # noqa: PLR0917 - all that is asked about clocks at once
    connection: Connection,
    guild_id: GuildId | None,
    since: datetime,
    now: datetime,
    people: tuple[UserId, ...] = (),
    match_id: MatchId | None = None,
) -> Availability:
    """The outages between two instants that concern a server, and when people could last act.

    Without a server: the same for direct messages. Of these people: their vacations that
    were not over at ``since`` or ``now``, whichever is earlier. Of this match: its last turn
    that could not be told in time.
    """
    found = connection.execute(
        _OUTAGES,
        {
            "since": since,
            "until": now,
            "of_guild": guild_scope(guild_id or 0),
            "guilds": _ANY_GUILD,
        },
    ).all()
    stopped_spans = tuple(
        Span(row.began_at, row.ended_at) for row in found if concerns(row.scope, guild_id)
    )
    seen = connection.execute(_SEEN, {"hashed": hashed(guild_id)}).scalar()
    away = vacations.lasting_vacations(connection, people, min(since, now))
    turn = None if match_id is None else blocked.newest(connection, match_id)
    return Availability(stopped_spans, seen, away, turn)


def availability_of(
    connection: Connection, match: Match, now: datetime, joining: UserId | None = None
) -> Availability:
    """When the clock of a match has stood so far, and who at its table is on vacation.

    With what has stopped it for the player on turn alone. ``joining`` is a person who may sit there
    after what happens now.
    """
    control, times = match.clock, match.times
    since = now if times is None or times.since is None else times.since
    people: tuple[UserId, ...] = ()
    if control is not None and control.may_rest:
        there = (*match.players, joining)
        people = tuple(dict.fromkeys(each for each in there if each is not None))
    found = availability(connection, match.origin.guild_id, since, now, people, match.id)
    if times is None or times.running is None:
        return found
    person = match.players[times.running]
    spans = [each.span for each in found.vacations if each.user_id == person]
    if found.untold is not None and found.untold.is_of(match):
        spans.append(found.untold.span(now))
    return replace(found, stopped_spans=(*found.stopped_spans, *spans))


def newest_outages(connection: Connection, limit: int) -> tuple[Outage, ...]:
    """The outages that ended last."""
    found = connection.execute(select(outages).order_by(_spans.ended_at.desc()).limit(limit))
    return tuple(rows.made(Outage, row) for row in found)


def open_outages(connection: Connection) -> tuple[Outage, ...]:
    """The outages of single servers that had not ended when people could last act."""
    beats = _all_beats(connection)
    if not beats:
        return ()
    may_last = (_spans.ended_at >= min(beats.values()), _spans.scope.like(_ANY_GUILD))
    found = connection.execute(select(outages).where(*may_last).order_by(_spans.began_at))
    return tuple(
        rows.made(Outage, row) for row in found if row.ended_at >= _seen(beats, guild_of(row.scope))
    )


def _seen(beats: Mapping[str, datetime], guild_id: GuildId | None) -> datetime:
    return max((at for scope, at in beats.items() if concerns(scope, guild_id)), default=_NEVER)


def forget(connection: Connection, before: datetime) -> None:
    """Remove outages that are too old for any clock."""
    is_older = (
        matches.c.status == MatchStatus.RUNNING,
        matches.c.clock.is_not(None),
        matches.c.created_at < before,
    )
    runs = exists(select(matches.c.id).where(*is_older))
    connection.execute(delete(outages).where(_spans.ended_at < before, ~runs))


def servers_playing(connection: Connection) -> tuple[GuildId, ...]:
    """The servers in which matches run."""
    return tuple(row.guild_id for row in connection.execute(_SERVERS_PLAYING))


def away(connection: Connection, change: Change) -> tuple[OnVacation, ...]:
    """The players of a match who are on vacation, if that stops its clock."""
    match, at = change.match, change.event.at
    if match.clock is None or not match.clock.may_rest:
        return ()
    people = tuple(player for player in match.players if player is not None)
    return Availability(vacations=vacations.lasting_vacations(connection, people, at)).away(at)
