"""What transactions wait for on PostgreSQL, where many run at once. SQLite has one writer."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from sqlalchemy import BigInteger, Connection, bindparam, func, select

from bot.domain.ids import MatchId
from bot.services.outgoing import Key
from bot.store.tables import installation, matches

_IN_TURN = select(installation.c.id).with_for_update()


def one_after_another(connection: Connection) -> None:
    """Wait until no other process does what is done one after another: rating, heartbeats.

    PostgreSQL holds the one row of ``installation`` for it.
    """
    if connection.dialect.name != "sqlite":
        connection.execute(_IN_TURN)


_HOLD = select(func.pg_advisory_xact_lock(bindparam("number", type_=BigInteger)))


def hold(connection: Connection, numbers: Iterable[int]) -> None:
    """Wait until no other transaction holds one of these ids, and hold them until this one ends.

    All take them in the same order, so that no two wait for each other.
    """
    if connection.dialect.name != "sqlite":
        for number in sorted(set(numbers)):
            connection.execute(_HOLD, {"number": number})


_LOCK = select(matches.c.id).where(matches.c.id == bindparam("of_match")).with_for_update()


def hold_match(connection: Connection, match_id: MatchId) -> None:
    """Hold a match's row, which comes before the key of its deliveries, against deadlocks."""
    if connection.dialect.name != "sqlite":
        connection.execute(_LOCK, {"of_match": match_id})


_TRY = select(func.pg_try_advisory_xact_lock(bindparam("number", type_=BigInteger)))


def hold_keys(connection: Connection, keys: Iterable[Key]) -> None:
    """Hold what is sent of these keys, as is done before rows of the outbox are changed."""
    hold(connection, map(_number_of, keys))


def try_key(connection: Connection, key: Key) -> bool:
    """Hold what is sent of a key, unless another transaction does."""
    if connection.dialect.name == "sqlite":
        return True
    return bool(connection.execute(_TRY, {"number": _number_of(key)}).scalar())


def _number_of(key: Key) -> int:
    digest = blake2b(key.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
