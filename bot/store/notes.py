"""Notes and favourites inside transactions: plain functions of a connection."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from bot.domain.events import micros
from bot.domain.ids import MatchId, UserId
from bot.domain.match import Actor, Match
from bot.services.notes import MatchNotes
from bot.store import database, rows
from bot.store.statements import IS_SEEN
from bot.store.tables import favourites, matches, notes

_of_match = (notes.c.user_id == bindparam("of_user"), notes.c.match_id == bindparam("of_match"))
_NOTES = select(notes.c.ply, notes.c.words).where(*_of_match).order_by(notes.c.ply)
_DROP_NOTE = delete(notes).where(*_of_match, notes.c.ply == bindparam("of_ply"))
_COUNT_NOTES = select(func.count()).select_from(notes).where(*_of_match)
_is_it = (
    favourites.c.user_id == bindparam("of_user"),
    favourites.c.match_id == bindparam("of_match"),
)
_IS_FAVOURITE = select(favourites.c.at).where(*_is_it)
_DROP_FAVOURITE = delete(favourites).where(*_is_it)
_COUNT_FAVOURITES = (
    select(func.count()).select_from(favourites).where(favourites.c.user_id == bindparam("of_user"))
)
_FAVOURITES = (
    select(matches)
    .join(favourites, favourites.c.match_id == matches.c.id)
    .where(favourites.c.user_id == bindparam("of_user"), IS_SEEN)
    .order_by(favourites.c.at.desc(), matches.c.id)
    .limit(bindparam("at_most"))
    .offset(bindparam("skipped"))
)


def of(connection: Connection, user_id: UserId, match_id: MatchId) -> MatchNotes:
    """See :class:`bot.services.notes.NoteStore`; so for what follows."""
    which = {"of_user": user_id, "of_match": match_id}
    found = connection.execute(_NOTES, which).all()
    is_one = connection.execute(_IS_FAVOURITE, which).first() is not None
    return MatchNotes(is_one, tuple((row.ply, row.words) for row in found))


def keep(
    connection: Connection,
    user_id: UserId,
    match_id: MatchId,
    ply: int,
    words: str,
    *,
    now: datetime,
    most: int,
) -> bool:
    """Put a note in the place of the one before."""
    database.hold(connection, (user_id,))
    which = {"of_user": user_id, "of_match": match_id}
    connection.execute(_DROP_NOTE, {**which, "of_ply": ply})
    if not words:
        return True
    if connection.execute(_COUNT_NOTES, which).scalar_one() >= most:
        return False
    note = {"user_id": user_id, "match_id": match_id, "ply": ply, "words": words, "at": micros(now)}
    connection.execute(insert(notes), note)
    return True


def favour(
    connection: Connection,
    user_id: UserId,
    match_id: MatchId,
    now: datetime,
    most: int,
    *,
    is_one: bool,
) -> bool:
    """Add a match to a person's favourites or take it out."""
    database.hold(connection, (user_id,))
    connection.execute(_DROP_FAVOURITE, {"of_user": user_id, "of_match": match_id})
    if not is_one:
        return True
    if connection.execute(_COUNT_FAVOURITES, {"of_user": user_id}).scalar_one() >= most:
        return False
    row = {"user_id": user_id, "match_id": match_id, "at": micros(now)}
    connection.execute(insert(favourites), row)
    return True


def favourites_of(
    connection: Connection, actor: Actor, limit: int, skipped: int
) -> tuple[Match, ...]:
    """A person's favourites that can be opened where they are."""
    user = actor.user_id
    seen = {"seen_in": actor.guild_id, "seen_by": user}
    wanted = {"of_user": user, "at_most": limit, "skipped": skipped, **seen}
    return tuple(rows.match_of(row) for row in connection.execute(_FAVOURITES, wanted).all())
