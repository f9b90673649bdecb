"""Ratings and results as players see them: reads in plain functions of a connection."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    and_,
    bindparam,
    exists,
    func,
    or_,
    select,
)

from bot.domain.computers import PlayedComputer, is_computer, level_of
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import MatchStatus
from bot.store import rows
from bot.store.ratings import record_of
from bot.store.records import Entry, RatedMatch, Win
from bot.store.tables import matches, placings, ratings, results, seats

_OF_PERSON = (
    select(ratings)
    .where(ratings.c.user_id == bindparam("of_user"))
    .order_by(ratings.c.matches.desc(), ratings.c.game)
)
_PLACINGS = (
    select(results.c.match_id, results.c.at, placings.c.rank, placings.c.points)
    .join(results, results.c.number == placings.c.number)
    .where(placings.c.user_id == bindparam("of_user"), results.c.game == bindparam("of_game"))
    .order_by(placings.c.number.desc())
    .limit(bindparam("at_most"))
)
_played_there = exists(
    select(placings.c.number)
    .join(results, results.c.number == placings.c.number)
    .where(
        placings.c.user_id == ratings.c.user_id,
        results.c.game == ratings.c.game,
        results.c.guild_id == bindparam("of_guild"),
    )
)
_computers = seats.alias("computers")
_LAST_AGAINST_COMPUTER = (
    select(matches)
    .join(seats, seats.c.match_id == matches.c.id)
    .join(_computers, _computers.c.match_id == matches.c.id)
    .where(
        seats.c.user_id == bindparam("of_user"),
        matches.c.game == bindparam("of_game"),
        matches.c.status == MatchStatus.FINISHED,
        _computers.c.user_id.between(-999, -1),
    )
    .order_by(matches.c.updated_at.desc())
    .limit(1)
)
_is_there = ratings.c.user_id > 0
"""Of a person who had themselves erased only what the ratings of others follow from is kept."""
_LEADERS = (
    select(ratings)
    .where(
        _is_there,
        ratings.c.game == bindparam("of_game"),
        ratings.c.deviation > bindparam("above"),
        ratings.c.deviation <= bindparam("deviation"),
        ratings.c.last_at >= bindparam("since"),
    )
    .order_by(ratings.c.points.desc(), ratings.c.user_id)
    .limit(bindparam("at_most"))
)
_LEADERS_THERE = _LEADERS.where(_played_there)
_theirs = placings.alias("theirs")
_BEST_WINS = (
    select(
        results.c.match_id,
        results.c.game,
        results.c.at,
        _theirs.c.user_id,
        _theirs.c.points,
    )
    .join(results, results.c.number == placings.c.number)
    .join(_theirs, _theirs.c.number == placings.c.number)
    .where(placings.c.user_id == bindparam("of_user"), placings.c.rank < _theirs.c.rank)
    .order_by(_theirs.c.points.desc(), placings.c.number.desc())
    .limit(bindparam("at_most"))
)
_AHEAD = (
    select(func.count())
    .select_from(ratings)
    .where(
        _is_there,
        ratings.c.game == bindparam("of_game"),
        ratings.c.deviation > bindparam("above"),
        ratings.c.deviation <= bindparam("deviation"),
        ratings.c.last_at >= bindparam("since"),
    )
)
_BEFORE_ENTRY = or_(
    ratings.c.points > bindparam("points"),
    and_(ratings.c.points == bindparam("points"), ratings.c.user_id < bindparam("of_user")),
)
_other_seats = seats.alias("other_seats")
_RATED_UNDER_WAY = (
    select(_other_seats.c.user_id, matches.c.players)
    .select_from(seats)
    .join(_other_seats, _other_seats.c.match_id == seats.c.match_id)
    .join(matches, matches.c.id == seats.c.match_id)
    .where(
        seats.c.user_id == bindparam("of_user"),
        seats.c.active == 1,
        _other_seats.c.user_id.in_(bindparam("of_others", expanding=True)),
        matches.c.game == bindparam("of_game"),
        matches.c.rated == 1,
    )
)
_RATED_SINCE = (
    select(_theirs.c.user_id, func.count())
    .select_from(placings)
    .join(results, results.c.number == placings.c.number)
    .join(_theirs, _theirs.c.number == placings.c.number)
    .where(
        placings.c.user_id == bindparam("of_user"),
        _theirs.c.user_id.in_(bindparam("of_others", expanding=True)),
        results.c.game == bindparam("of_game"),
        results.c.at > bindparam("since"),
    )
    .group_by(_theirs.c.user_id)
)
_earlier = placings.alias("earlier")
_earlier_results = results.alias("earlier_results")
_BEFORE = (
    select(_earlier.c.points)
    .join(_earlier_results, _earlier_results.c.number == _earlier.c.number)
    .where(
        _earlier.c.user_id == placings.c.user_id,
        _earlier.c.number < placings.c.number,
        _earlier_results.c.game == results.c.game,
    )
    .order_by(_earlier.c.number.desc())
    .limit(1)
    .correlate(placings, results)
    .scalar_subquery()
)
_GAINS = (
    select(placings.c.user_id, _BEFORE.label("before"), placings.c.points)
    .join(results, results.c.number == placings.c.number)
    .where(results.c.match_id == bindparam("of_match"))
    .order_by(placings.c.player)
)


def _entry(row: Row[Any]) -> Entry:
    return Entry(row.user_id, row.game, record_of(row), row.points)


def ratings_of(connection: Connection, user_id: UserId) -> tuple[Entry, ...]:
    """A player's records, the most played game first."""
    return tuple(_entry(row) for row in connection.execute(_OF_PERSON, {"of_user": user_id}).all())


def placings_of(
    connection: Connection, user_id: UserId, game: str, limit: int
) -> tuple[RatedMatch, ...]:
    """A player's last rated matches of a game, oldest first."""
    found = connection.execute(
        _PLACINGS, {"of_user": user_id, "of_game": game, "at_most": limit}
    ).all()
    return tuple(RatedMatch(**row._mapping) for row in reversed(found))


def leaders(
    connection: Connection,
    game: str,
    guild_id: GuildId | None,
    *,
    deviations: tuple[float, float],
    since: datetime,
    limit: int,
) -> tuple[Entry, ...]:
    """The highest rated in a game, of those who have been active since then.

    Their deviation is above the first of ``deviations`` and at most the second. With
    ``guild_id`` of those who have played a rated match of the game in that server.
    """
    values: dict[str, Any] = {
        "of_game": game,
        "above": deviations[0],
        "deviation": deviations[1],
        "since": since,
        "at_most": limit,
    }
    if guild_id is None:
        found = connection.execute(_LEADERS, values)
    else:
        found = connection.execute(_LEADERS_THERE, {**values, "of_guild": guild_id})
    return tuple(_entry(row) for row in found.all())


def best_wins(connection: Connection, user_id: UserId, limit: int) -> tuple[Win, ...]:
    """Rated matches that a player won, those against the highest rated first."""
    found = connection.execute(_BEST_WINS, {"of_user": user_id, "at_most": limit * 20}).all()
    wins = {
        row.user_id: Win(row.match_id, row.game, row.at, row.user_id, row.points)
        for row in reversed(found)
    }
    return tuple(sorted(wins.values(), key=lambda win: -win.points)[:limit])


def ahead(
    connection: Connection,
    game: str,
    guild_id: GuildId | None,
    *,
    deviations: tuple[float, float],
    since: datetime,
    entry: Entry | None,
) -> int:
    """How many of those :meth:`leaders` finds come before an ``entry``; all without one."""
    values: dict[str, Any] = {
        "of_game": game,
        "above": deviations[0],
        "deviation": deviations[1],
        "since": since,
    }
    wanted = _AHEAD
    if guild_id is not None:
        wanted = wanted.where(_played_there)
        values["of_guild"] = guild_id
    if entry is not None:
        wanted = wanted.where(_BEFORE_ENTRY)
        values |= {"points": entry.points, "of_user": entry.user_id}
    return int(connection.execute(wanted, values).scalar_one())


def rated_lately(
    connection: Connection, one: UserId, others: tuple[UserId, ...], game: str, since: datetime
) -> dict[UserId, int]:
    """How many rated matches one person has or lately had with each of these others."""
    found = dict.fromkeys(others, 0)
    if not others:
        return found
    values = {"of_user": one, "of_others": others, "of_game": game}
    for row in connection.execute(_RATED_UNDER_WAY, values).all():
        if {one, row.user_id} <= set(row.players):
            found[row.user_id] += 1
    rated = connection.execute(_RATED_SINCE, {**values, "since": since}).all()
    for user, count in rated:
        found[user] += count
    return found


def gains(connection: Connection, match_id: MatchId) -> tuple[tuple[UserId, int | None, int], ...]:
    """For each player of a rated match the number before it, None if there was none, and after.

    Empty if the match has not been rated.
    """
    found = connection.execute(_GAINS, {"of_match": match_id}).all()
    return tuple((row.user_id, row.before, row.points) for row in found)


def last_against_computer(
    connection: Connection, user_id: UserId, game: str
) -> PlayedComputer | None:
    """How a person's last match against one computer ended."""
    row = connection.execute(_LAST_AGAINST_COMPUTER, {"of_user": user_id, "of_game": game}).first()
    if row is None:
        return None
    match = rows.match_of(row)
    player, result = match.index_of(user_id), match.result
    if player is None or result is None:
        return None
    score = 0.5 if not result.winners else (player in result.winners) / len(result.winners)
    level = max(level_of(user) for user in match.players if user is not None and is_computer(user))
    return PlayedComputer(level, score)
