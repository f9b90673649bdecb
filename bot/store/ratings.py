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
    ColumnElement,
    Connection,
    Row,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from bot.domain.match import Match
from bot.domain.ratings.rated import RatingRecord, apply, counts, ranks_of, system_of
from bot.domain.ratings.system import Rating
from bot.posts.deliveries import Committed
from bot.store import database
from bot.store.tables import matches, placings, ratings, results
from bot.store.tables.base import NEVER

_NUMBERS = 1000
"""Results that are rated again at once."""
_SOME = (
    select(results.c.game, results.c.at, placings)
    .join(placings, placings.c.number == results.c.number)
    .where(results.c.number > bindparam("after"), results.c.number <= bindparam("after") + _NUMBERS)
    .order_by(results.c.number, placings.c.player)
)

_Key = tuple[int, str]
"""A person and a game."""


def rate(connection: Connection, now: Committed) -> None:
    """Rate a match that has just ended, or again one whose rated result has changed."""
    before, match = now.change.before, now.head
    if before is not None and counts(before):
        rank_again(connection, match, ranks_of(match) if counts(match) else ())
    elif counts(match):
        _add_result(connection, match)


def _add_result(connection: Connection, match: Match) -> None:
    """Write the result of a match and what it did to its players.

    Their ids are read here: one of them may have been erased since the match was read.
    """
    now = select(matches.c.players).where(matches.c.id == match.id)
    players = connection.execute(now).scalar_one()
    database.one_after_another(connection)
    system, ranks = system_of(match.game), ranks_of(match)
    known = (_record(connection, user, match.game) for user in players)
    before = tuple(record or RatingRecord(system.newcomer) for record in known)
    after = apply(system, before, ranks, match.updated_at)
    place = {"guild_id": match.origin.guild_id, "at": match.updated_at}
    result = {"match_id": match.id, "game": match.game, **place}
    key = connection.execute(insert(results), result).inserted_primary_key
    number = key[0] if key else None
    for player, (user, rank, record) in enumerate(zip(players, ranks, after, strict=True)):
        points = system.shown(record.rating)
        connection.execute(delete(ratings).where(*_is_of(user, match.game)))
        connection.execute(insert(ratings), _rating_row(user, match.game, record, points))
        placing = {"user_id": user, "rank": rank, "points": points}
        connection.execute(insert(placings), {"number": number, "player": player, **placing})


def rank_again(connection: Connection, match: Match, ranks: tuple[int, ...]) -> None:
    """Change the places of a result, or drop it without any; all ratings of its game follow."""
    its_number = select(results.c.number).where(results.c.match_id == match.id)
    number = connection.execute(its_number).scalar()
    if number is None:
        return
    for player, rank in enumerate(ranks):
        _set_placing(connection, number, player, rank=rank)
    if not ranks:
        connection.execute(delete(placings).where(placings.c.number == number))
        connection.execute(delete(results).where(results.c.number == number))
    rebuild(connection, match.game)


def _record(connection: Connection, user_id: int, game: str) -> RatingRecord | None:
    row = connection.execute(select(ratings).where(*_is_of(user_id, game))).first()
    return None if row is None else record_of(row)


def record_of(row: Row[Any]) -> RatingRecord:
    """A rating and what it is made of, from its row."""
    rating = Rating(row.mean, row.deviation, row.volatility)
    return RatingRecord(rating, row.matches, row.won, row.drawn, row.last_at)


def _is_of(user_id: int, game: str) -> tuple[ColumnElement[bool], ...]:
    return ratings.c.game == game, ratings.c.user_id == user_id


def _set_placing(connection: Connection, number: int, player: int, **values: int) -> None:
    is_it = (placings.c.number == number, placings.c.player == player)
    connection.execute(update(placings).where(*is_it).values(values))


def _rating_row(user_id: int, game: str, record: RatingRecord, points: int) -> dict[str, Any]:
    return {
        "user_id": user_id,
        "game": game,
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
    last = connection.execute(select(func.max(results.c.number))).scalar() or 0
    for after in range(0, last, _NUMBERS):
        found = connection.execute(some, {"after": after}).all()
        for _, group in groupby(found, key=lambda row: row.number):
            _rate_again(connection, list(group), now)
            total += 1
    connection.execute(drop)
    anew = [
        _rating_row(user, game, record, system_of(game).shown(record.rating))
        for (user, game), record in now.items()
    ]
    if anew:
        connection.execute(insert(ratings), anew)
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
            _set_placing(connection, row.number, row.player, points=points)
