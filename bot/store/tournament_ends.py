"""The end of a tournament's match, noted in the transaction that ends it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, update

from bot.domain.events import micros
from bot.domain.ids import MatchId
from bot.store.tables import tournament_games

_NOTE = (
    update(tournament_games)
    .where(tournament_games.c.match_id == bindparam("of_match"))
    .values(ended_at=bindparam("at"))
)


def note(connection: Connection, match_id: MatchId, at: datetime) -> None:
    """Note when the match of a game ended; the next sweep of the runner records the result."""
    connection.execute(_NOTE, {"of_match": match_id, "at": micros(at)})
