"""Ratings inside transactions: plain functions of a connection, like :mod:`bot.store.transactions`.

Results are rated one after another, in the order of their numbers, so that computing all anew gives
the same to the last digit. SQLite has one writer; on PostgreSQL whoever rates holds the one row of
``installation``.
"""

from __future__ import annotations

import json
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.domain.events import micros, moment
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.match import Match
from bot.domain.ratings.rated import Record, apply, system_of
from bot.domain.ratings.system import Rating
from bot.services.consequences import Rated
from bot.services.ratings import Entry, Placing, Win
from bot.store import locks
from bot.store.tables import matches, placings, ratings, results, seats

_OF = select(ratings).where(
    ratings.c.game == bindparam("of_game"), ratings.c.user_id == bindparam("of_user")
)
_PLAYERS = select(matches.c.players).where(matches.c.id == bindparam("of_match"))
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
_LEADERS = (
    select(ratings)
    .where(
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
_NUMBERS = 1000
_SOME = (
    select(results.c.game, results.c.at, placings)
    .join(placings, placings.c.number == results.c.number)
    .where(
        results.c.number > bindparam("after"),
        results.c.number <= bindparam("after") + _NUMBERS,
    )
    .order_by(results.c.number, placings.c.player)
)
_NUMBER = select(results.c.number).where(results.c.match_id == bindparam("of_match"))
_SET_RANK = (
    update(placings)
    .where(placings.c.number == bindparam("of_number"), placings.c.player == bindparam("of_player"))
    .values(rank=bindparam("rank"))
)
_LAST = select(func.max(results.c.number))
_SET_POINTS = (
    update(placings)
    .where(placings.c.number == bindparam("of_number"), placings.c.player == bindparam("of_player"))
    .values(points=bindparam("points"))
)
_SET_RATING = (
    update(ratings)
    .where(ratings.c.user_id == bindparam("of_user"), ratings.c.game == bindparam("of_game"))
    .values(
        {
            name: bindparam(name)
            for name in (
                "mean",
                "deviation",
                "volatility",
                "points",
                "matches",
                "won",
                "drawn",
                "last_at",
            )
        }
    )
)

Key = tuple[int, str]
"""A person and a game."""


def records(connection: Connection, match: Match) -> tuple[tuple[UserId, Record | None], ...]:
    """The players of a match and their records in its game, held until the transaction ends.

    Who they are is read here: one of them may have been erased since the match was read.
    """
    players = json.loads(connection.execute(_PLAYERS, {"of_match": match.id}).scalar_one())
    locks.one_after_another(connection)
    return tuple((UserId(user), _record(connection, user, match.game)) for user in players)


def add_result(connection: Connection, match: Match, rated: tuple[Rated, ...]) -> None:
    """Write the result of a match and what it did to its players."""
    key = connection.execute(
        insert(results),
        {
            "match_id": match.id,
            "game": match.game,
            "guild_id": match.origin.guild_id,
            "at": micros(match.updated_at),
        },
    ).inserted_primary_key
    for each in rated:
        values = _rating_row(each.record, each.points)
        if each.is_newcomer:
            who = {"user_id": each.user_id, "game": match.game}
            connection.execute(insert(ratings), {**who, **values})
        else:
            who = {"of_user": each.user_id, "of_game": match.game}
            connection.execute(_SET_RATING, {**who, **values})
    connection.execute(
        insert(placings),
        [
            {
                "number": key[0] if key else None,
                "player": player,
                "user_id": each.user_id,
                "rank": each.rank,
                "points": each.points,
            }
            for player, each in enumerate(rated)
        ],
    )


def rank_again(connection: Connection, match: Match, ranks: tuple[int, ...]) -> None:
    """Change the places of a result, and compute all ratings of its game anew; if it was rated."""
    number = connection.execute(_NUMBER, {"of_match": match.id}).scalar()
    if number is None:
        return
    connection.execute(
        _SET_RANK,
        [
            {"of_number": number, "of_player": player, "rank": rank}
            for player, rank in enumerate(ranks)
        ],
    )
    rebuild(connection, match.game)


def _record(connection: Connection, user_id: int, game: str) -> Record | None:
    row = connection.execute(_OF, {"of_user": user_id, "of_game": game}).first()
    return None if row is None else _record_of(row)


def _record_of(row: Row[Any]) -> Record:
    return Record(
        Rating(row.mean, row.deviation, row.volatility),
        row.matches,
        row.won,
        row.drawn,
        moment(row.last_at),
    )


def _rating_row(record: Record, points: int) -> dict[str, Any]:
    return {
        "mean": record.rating.mean,
        "deviation": record.rating.deviation,
        "volatility": record.rating.volatility,
        "points": points,
        "matches": record.matches,
        "won": record.won,
        "drawn": record.drawn,
        "last_at": 0 if record.last_at is None else micros(record.last_at),
    }


def _entry(row: Row[Any]) -> Entry:
    return Entry(UserId(row.user_id), row.game, _record_of(row), row.points)


def ratings_of(connection: Connection, user_id: UserId) -> tuple[Entry, ...]:
    """See :class:`bot.services.ratings.RatingStore`; so for all that follow."""
    return tuple(_entry(row) for row in connection.execute(_OF_PERSON, {"of_user": user_id}).all())


def placings_of(
    connection: Connection, user_id: UserId, game: str, limit: int
) -> tuple[Placing, ...]:
    """Somebody's last rated matches of a game, oldest first."""
    found = connection.execute(
        _PLACINGS, {"of_user": user_id, "of_game": game, "at_most": limit}
    ).all()
    return tuple(
        Placing(MatchId(row.match_id), moment(row.at), row.rank, row.points)
        for row in reversed(found)
    )


def leaders(
    connection: Connection,
    game: str,
    guild_id: GuildId | None,
    *,
    deviations: tuple[float, float],
    since: datetime,
    limit: int,
) -> tuple[Entry, ...]:
    """The highest rated in a game."""
    values: dict[str, Any] = {
        "of_game": game,
        "above": deviations[0],
        "deviation": deviations[1],
        "since": micros(since),
        "at_most": limit,
    }
    if guild_id is None:
        found = connection.execute(_LEADERS, values)
    else:
        found = connection.execute(_LEADERS_THERE, {**values, "of_guild": guild_id})
    return tuple(_entry(row) for row in found.all())


def best_wins(connection: Connection, user_id: UserId, limit: int) -> tuple[Win, ...]:
    """Rated matches that somebody won, those against the highest rated first."""
    found = connection.execute(_BEST_WINS, {"of_user": user_id, "at_most": limit * 20}).all()
    wins = {
        row.user_id: Win(
            MatchId(row.match_id), row.game, moment(row.at), UserId(row.user_id), row.points
        )
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
    """How many of a leaderboard come before an entry."""
    values: dict[str, Any] = {
        "of_game": game,
        "above": deviations[0],
        "deviation": deviations[1],
        "since": micros(since),
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
        if {one, row.user_id} <= set(json.loads(row.players)):
            found[UserId(row.user_id)] += 1
    rated = connection.execute(_RATED_SINCE, {**values, "since": micros(since)}).all()
    for user, count in rated:
        found[UserId(user)] += count
    return found


def gains(connection: Connection, match_id: MatchId) -> tuple[tuple[UserId, int | None, int], ...]:
    """What a match did to the numbers of its players."""
    found = connection.execute(_GAINS, {"of_match": match_id}).all()
    return tuple((UserId(row.user_id), row.before, row.points) for row in found)


def rebuild(connection: Connection, game: str | None = None) -> tuple[int, int]:
    """Compute every rating anew, or those of a game.

    Returns how many results there are, and how many ratings changed.
    """
    locks.one_after_another(connection)
    some, old, drop = _SOME, select(ratings), delete(ratings)
    if game is not None:
        some = some.where(results.c.game == game)
        old, drop = old.where(ratings.c.game == game), drop.where(ratings.c.game == game)
    before: dict[Key, Record] = {
        (row.user_id, row.game): _record_of(row) for row in connection.execute(old)
    }
    now: dict[Key, Record] = {}
    total = 0
    last = connection.execute(_LAST).scalar() or 0
    for after in range(0, last, _NUMBERS):
        found = connection.execute(some, {"after": after}).all()
        for _, group in groupby(found, key=lambda row: row.number):
            _rate_again(connection, list(group), now)
            total += 1
    connection.execute(drop)
    if now:
        connection.execute(
            insert(ratings),
            [
                {
                    "user_id": user,
                    "game": game,
                    **_rating_row(record, system_of(game).shown(record.rating)),
                }
                for (user, game), record in now.items()
            ],
        )
    keys = before.keys() | now.keys()
    return total, sum(before.get(key) != now.get(key) for key in keys)


def _rate_again(connection: Connection, players: list[Row[Any]], now: dict[Key, Record]) -> None:
    game = players[0].game
    system = system_of(game)
    keys = [(row.user_id, game) for row in players]
    records = tuple(now.get(key) or Record(system.newcomer) for key in keys)
    after = apply(system, records, tuple(row.rank for row in players), moment(players[0].at))
    for key, row, record in zip(keys, players, after, strict=True):
        now[key] = record
        points = system.shown(record.rating)
        if points != row.points:
            connection.execute(
                _SET_POINTS,
                {"of_number": row.number, "of_player": row.player, "points": points},
            )
