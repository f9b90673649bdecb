"""Ratings and results as players see them: reads in plain functions of a connection."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, exists, func, or_, select

from bot.domain.computers import PlayedComputer, is_computer, level_of
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import MatchStatus
from bot.domain.ratings.rated import system_of
from bot.store import rows
from bot.store.ratings import record_of
from bot.store.records import PlayerRating, RatedMatch, RatingChange, Win
from bot.store.tables import matches, placings, ratings, results, seats

_computers = seats.alias("computers")
_theirs = placings.alias("theirs")
_other_seats = seats.alias("other_seats")
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


def _rating(row: Row[Any], now: datetime) -> PlayerRating:
    record, system = record_of(row), system_of(row.game)
    is_provisional = record.aged(system, now).deviation > system.certain
    return PlayerRating(row.user_id, row.game, row.points, is_provisional, record)


def ratings_of(connection: Connection, user_id: UserId, now: datetime) -> tuple[PlayerRating, ...]:
    """A player's ratings, the most played game first."""
    theirs = select(ratings).where(ratings.c.user_id == user_id)
    found = connection.execute(theirs.order_by(ratings.c.matches.desc(), ratings.c.game))
    return tuple(_rating(row, now) for row in found.all())


def placings_of(
    connection: Connection, user_id: UserId, game: str, limit: int
) -> tuple[RatedMatch, ...]:
    """A player's last rated matches of a game, oldest first."""
    found = connection.execute(
        select(results.c.match_id, results.c.at, placings.c.rank, placings.c.points)
        .join(results, results.c.number == placings.c.number)
        .where(placings.c.user_id == user_id, results.c.game == game)
        .order_by(placings.c.number.desc())
        .limit(limit)
    ).all()
    return tuple(RatedMatch(**row._mapping) for row in reversed(found))


def _ranked(
    game: str, guild_id: GuildId | None, deviations: tuple[float, float], since: datetime
) -> ColumnElement[bool]:
    """Whether a rating is among those that are compared, in a server or everywhere.

    Of a person who had themselves erased only what the ratings of others follow from is kept.
    """
    is_known = and_(ratings.c.deviation > deviations[0], ratings.c.deviation <= deviations[1])
    is_ranked = and_(
        ratings.c.user_id > 0, ratings.c.game == game, is_known, ratings.c.last_at >= since
    )
    if guild_id is None:
        return is_ranked
    there = (
        select(placings.c.number)
        .join(results, results.c.number == placings.c.number)
        .where(
            placings.c.user_id == ratings.c.user_id,
            results.c.game == ratings.c.game,
            results.c.guild_id == guild_id,
        )
    )
    return and_(is_ranked, exists(there))


def leaders(
    connection: Connection,
    game: str,
    guild_id: GuildId | None,
    *,
    deviations: tuple[float, float],
    since: datetime,
    now: datetime,
    limit: int,
) -> tuple[PlayerRating, ...]:
    """The highest rated in a game, of those who have been active since then.

    Their deviation is above the first of ``deviations`` and at most the second. With
    ``guild_id`` of those who have played a rated match of the game in that server.
    """
    found = select(ratings).where(_ranked(game, guild_id, deviations, since))
    first = found.order_by(ratings.c.points.desc(), ratings.c.user_id).limit(limit)
    return tuple(_rating(row, now) for row in connection.execute(first).all())


def best_wins(connection: Connection, user_id: UserId, limit: int) -> tuple[Win, ...]:
    """Rated matches that a player won, those against the highest rated first."""
    found = connection.execute(
        select(
            results.c.match_id, results.c.game, results.c.at, _theirs.c.user_id, _theirs.c.points
        )
        .join(results, results.c.number == placings.c.number)
        .join(_theirs, _theirs.c.number == placings.c.number)
        .where(placings.c.user_id == user_id, placings.c.rank < _theirs.c.rank)
        .order_by(_theirs.c.points.desc(), placings.c.number.desc())
        .limit(limit * 20)
    ).all()
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
    before: PlayerRating | None,
) -> int:
    """How many of those :func:`leaders` finds come ``before`` a rating; all without one."""
    c = ratings.c
    counted = select(func.count(c.user_id)).where(_ranked(game, guild_id, deviations, since))
    if before is not None:
        is_equal = and_(c.points == before.points, c.user_id < before.user_id)
        counted = counted.where(or_(c.points > before.points, is_equal))
    return connection.execute(counted).scalar_one()


def rated_lately(
    connection: Connection, one: UserId, others: tuple[UserId, ...], game: str, since: datetime
) -> dict[UserId, int]:
    """How many rated matches one person has or lately had with each of these others."""
    found = dict.fromkeys(others, 0)
    if not others:
        return found
    under_way = (
        select(_other_seats.c.user_id, matches.c.players)
        .select_from(seats)
        .join(_other_seats, _other_seats.c.match_id == seats.c.match_id)
        .join(matches, matches.c.id == seats.c.match_id)
        .where(
            seats.c.user_id == one,
            seats.c.active == 1,
            _other_seats.c.user_id.in_(others),
            matches.c.game == game,
            matches.c.rated == 1,
        )
    )
    for row in connection.execute(under_way).all():
        if {one, row.user_id} <= set(row.players):
            found[row.user_id] += 1
    rated = (
        select(_theirs.c.user_id, func.count())
        .select_from(placings)
        .join(results, results.c.number == placings.c.number)
        .join(_theirs, _theirs.c.number == placings.c.number)
        .where(
            placings.c.user_id == one,
            _theirs.c.user_id.in_(others),
            results.c.game == game,
            results.c.at > since,
        )
        .group_by(_theirs.c.user_id)
    )
    for user, count in connection.execute(rated).all():
        found[user] += count
    return found


def gains(connection: Connection, match_id: MatchId, newcomer: int) -> tuple[RatingChange, ...]:
    """The rating changes of a match, none if it has not been rated.

    ``newcomer`` is the rating before the first match.
    """
    found = connection.execute(
        select(placings.c.user_id, _BEFORE.label("before"), placings.c.points)
        .join(results, results.c.number == placings.c.number)
        .where(results.c.match_id == match_id)
        .order_by(placings.c.player)
    ).all()
    return tuple(
        RatingChange(row.user_id, newcomer if row.before is None else row.before, row.points)
        for row in found
    )


def last_against_computer(
    connection: Connection, user_id: UserId, game: str
) -> PlayedComputer | None:
    """How a person's last match against one computer ended."""
    last = (
        select(matches)
        .join(seats, seats.c.match_id == matches.c.id)
        .join(_computers, _computers.c.match_id == matches.c.id)
        .where(
            seats.c.user_id == user_id,
            matches.c.game == game,
            matches.c.status == MatchStatus.FINISHED,
            _computers.c.user_id.between(-999, -1),
        )
        .order_by(matches.c.updated_at.desc())
        .limit(1)
    )
    row = connection.execute(last).first()
    if row is None:
        return None
    match = rows.match_of(row)
    player, result = match.index_of(user_id), match.result
    if player is None or result is None:
        return None
    score = 0.5 if not result.winners else (player in result.winners) / len(result.winners)
    level = max(level_of(user) for user in match.players if user is not None and is_computer(user))
    return PlayedComputer(level, score)
