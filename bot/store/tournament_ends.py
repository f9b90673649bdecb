"""The end of a tournament's match, noted in the transaction that ends it."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, update

from bot.domain.change import Change
from bot.domain.events import micros
from bot.store.tables import tournament_games

_NOTE = (
    update(tournament_games)
    .where(tournament_games.c.match_id == bindparam("of_match"))
    .values(ended_at=bindparam("at"))
)


def note(connection: Connection, change: Change) -> None:
    """Have the result of a game recorded by whoever looks next, when its match ends."""
    match = change.match
    if match.tournament is not None and match.status.is_final:
        connection.execute(_NOTE, {"of_match": match.id, "at": micros(match.updated_at)})
