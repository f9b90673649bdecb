"""Which people a heartbeat or an outage concerns, and what stopped the clock of a match."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.store.records import Availability

Asked = tuple[GuildId | None, datetime, datetime, tuple[UserId, ...], MatchId]


EVERYWHERE = ""
"""The scope of a process that serves all of Discord."""


_GUILD = "guild:"


_SHARD = "shard:"


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


def last_seen(scope: str, beats: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
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


def replaced_scopes(scopes: tuple[str, ...], beats: Mapping[str, int]) -> tuple[str, ...]:
    """The scopes of other divisions into shards than the present one, which has replaced them.

    That is so when all of its shards have been heard of since. Their beats no longer count.
    """
    count = max(division(each)[1] for each in scopes)
    present = {each: at for each, at in beats.items() if division(each)[1] == count}
    if len(present) < count:
        return ()
    since = min(present.values())
    return tuple(each for each, at in beats.items() if each not in present and at < since)


def asked(match: Match, now: datetime, joining: UserId | None = None) -> Asked:
    """What is to be read to know when the clock of a match has stood."""
    control, times = match.clock, match.times
    since = now if times is None or times.since is None else times.since
    people: tuple[UserId, ...] = ()
    if control is not None and control.may_rest:
        there = (*match.players, joining)
        people = tuple(dict.fromkeys(each for each in there if each is not None))
    return match.origin.guild_id, since, now, people, match.id


def reckoned(match: Match, now: datetime, availability: Availability) -> Availability:
    """The same with what has stopped the clock of the player on turn alone."""
    times = match.times
    if times is None or times.running is None:
        return availability
    person = match.players[times.running]
    spans = tuple(each.span for each in availability.vacations if each.user_id == person)
    untold = availability.untold
    if untold is not None and untold.is_of(match):
        spans = (*spans, untold.span(now))
    return (
        replace(availability, stopped_spans=(*availability.stopped_spans, *spans))
        if spans
        else availability
    )
