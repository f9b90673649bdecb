"""Ratings written: plain functions of a connection, like :mod:`bot.store.transactions`.

Results are rated one after another, in the order of their numbers, so that computing all anew gives
the same to the last digit. SQLite has one writer; on PostgreSQL a transaction that rates holds the
one row of ``installation``.
"""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from bot.domain.ids import UserId
from bot.domain.match import Match
from bot.domain.ratings.rated import RatingRecord, apply, counts, ranks_of, system_of
from bot.domain.ratings.system import Rating
from bot.posts.deliveries import Committed
from bot.store import database
from bot.store.records import Rated
from bot.store.tables import matches, placings, ratings, results
from bot.store.tables.base import NEVER

_OF = select(ratings).where(
    ratings.c.game == bindparam("of_game"), ratings.c.user_id == bindparam("of_user")
)
_PLAYERS = select(matches.c.players).where(matches.c.id == bindparam("of_match"))
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
_SET_PLACING = update(placings).where(
    placings.c.number == bindparam("of_number"), placings.c.player == bindparam("of_player")
)
_LAST = select(func.max(results.c.number))
_SET_RATING = update(ratings).where(
    ratings.c.user_id == bindparam("of_user"), ratings.c.game == bindparam("of_game")
)

_Key = tuple[int, str]
"""A person and a game."""


def records(connection: Connection, match: Match) -> tuple[tuple[UserId, RatingRecord | None], ...]:
    """The players of a match and their records in its game, held until the transaction ends.

    Their ids are read here: one of them may have been erased since the match was read.
    """
    players = connection.execute(_PLAYERS, {"of_match": match.id}).scalar_one()
    database.one_after_another(connection)
    return tuple((user, _record(connection, user, match.game)) for user in players)


def rate(connection: Connection, now: Committed) -> None:
    """Rate a match that has just ended, or again one whose rated result has changed."""
    before, match = now.change.before, now.head
    if before is not None and counts(before):
        rank_again(connection, match, ranks_of(match) if counts(match) else ())
    elif counts(match):
        add_result(connection, match, rated(match, records(connection, match)))


def rated(
    match: Match, players: tuple[tuple[UserId, RatingRecord | None], ...]
) -> tuple[Rated, ...]:
    """The effect of a rated match that has just ended on its players, from their records so far."""
    system, ranks = system_of(match.game), ranks_of(match)
    before = tuple(record or RatingRecord(system.newcomer) for _, record in players)
    after = apply(system, before, ranks, match.updated_at)
    return tuple(
        Rated(user, rank, record, system.shown(record.rating), known is None)
        for (user, known), rank, record in zip(players, ranks, after, strict=True)
    )


def add_result(connection: Connection, match: Match, rated: tuple[Rated, ...]) -> None:
    """Write the result of a match and what it did to its players."""
    key = connection.execute(
        insert(results),
        {
            "match_id": match.id,
            "game": match.game,
            "guild_id": match.origin.guild_id,
            "at": match.updated_at,
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
    """Change the places of a result, or drop it without any; all ratings of its game follow."""
    number = connection.execute(_NUMBER, {"of_match": match.id}).scalar()
    if number is None:
        return
    if ranks:
        connection.execute(
            _SET_PLACING,
            [
                {"of_number": number, "of_player": player, "rank": rank}
                for player, rank in enumerate(ranks)
            ],
        )
    else:
        connection.execute(delete(placings).where(placings.c.number == number))
        connection.execute(delete(results).where(results.c.number == number))
    rebuild(connection, match.game)


def _record(connection: Connection, user_id: int, game: str) -> RatingRecord | None:
    row = connection.execute(_OF, {"of_user": user_id, "of_game": game}).first()
    return None if row is None else record_of(row)


def record_of(row: Row[Any]) -> RatingRecord:
    """A rating and what it is made of, from its row."""
    rating = Rating(row.mean, row.deviation, row.volatility)
    return RatingRecord(rating, row.matches, row.won, row.drawn, row.last_at)


def _rating_row(record: RatingRecord, points: int) -> dict[str, Any]:
    return {
        **asdict(record.rating),
        "points": points,
        "matches": record.matches,
        "won": record.won,
        "drawn": record.drawn,
        "last_at": record.last_at or NEVER,
    }


def rebuild(connection: Connection, game: str | None = None) -> tuple[int, int]:
    """Compute every rating anew, or those of a game.

    Returns how many results there are, and how many ratings changed.
    """
    database.one_after_another(connection)
    some, old, drop = _SOME, select(ratings), delete(ratings)
    if game is not None:
        some = some.where(results.c.game == game)
        old, drop = old.where(ratings.c.game == game), drop.where(ratings.c.game == game)
    before: dict[_Key, RatingRecord] = {
        (row.user_id, row.game): record_of(row) for row in connection.execute(old)
    }
    now: dict[_Key, RatingRecord] = {}
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


def _rate_again(
    connection: Connection, players: list[Row[Any]], now: dict[_Key, RatingRecord]
) -> None:
    game = players[0].game
    system = system_of(game)
    keys = [(row.user_id, game) for row in players]
    records = tuple(now.get(key) or RatingRecord(system.newcomer) for key in keys)
    after = apply(system, records, tuple(row.rank for row in players), players[0].at)
    for key, row, record in zip(keys, players, after, strict=True):
        now[key] = record
        points = system.shown(record.rating)
        if points != row.points:
            connection.execute(
                _SET_PLACING,
                {"of_number": row.number, "of_player": row.player, "points": points},
            )
