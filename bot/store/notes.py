"""Notes and favourites, which people keep to themselves. Inside transactions."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from bot.domain.ids import MatchId, UserId
from bot.domain.match import Actor, Match
from bot.errors import UserError
from bot.store import database, rows
from bot.store.records import MatchNotes
from bot.store.statements import IS_SEEN
from bot.store.tables import favourites, matches, notes

LONGEST_NOTE = 500
"""Characters of a note."""
MOST_NOTES = 500
"""Notes of one person in one match."""
MOST_FAVOURITES = 500
"""Matches that one person can keep as favourites, of those that they see in one place."""
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
    select(func.count())
    .select_from(matches.join(favourites, favourites.c.match_id == matches.c.id))
    .where(favourites.c.user_id == bindparam("of_user"), IS_SEEN)
)
_FAVOURITES = (
    select(matches)
    .join(favourites, favourites.c.match_id == matches.c.id)
    .where(favourites.c.user_id == bindparam("of_user"), IS_SEEN)
    .order_by(favourites.c.at.desc(), matches.c.id)
    .limit(bindparam("at_most"))
    .offset(bindparam("skipped"))
)


def notes_of(connection: Connection, user_id: UserId, match_id: MatchId) -> MatchNotes:
    """A person's notes on a match."""
    which = {"of_user": user_id, "of_match": match_id}
    found = connection.execute(_NOTES, which).all()
    is_one = connection.execute(_IS_FAVOURITE, which).first() is not None
    return MatchNotes(is_one, tuple((row.ply, row.words) for row in found))


def keep_note(
    connection: Connection,
    user_id: UserId,
    match_id: MatchId,
    ply: int,
    words: str,
    *,
    now: datetime,
    most: int = MOST_NOTES,
) -> None:
    """Put a note in the place of the one before, or drop it with no words.

    Raises :exc:`~bot.errors.UserError`: ``too_many_notes`` (``most``).
    """
    words = words.strip()[:LONGEST_NOTE]
    database.hold(connection, (user_id,))
    which = {"of_user": user_id, "of_match": match_id}
    connection.execute(_DROP_NOTE, {**which, "of_ply": ply})
    if not words:
        return
    if connection.execute(_COUNT_NOTES, which).scalar_one() >= most:
        raise UserError("too_many_notes", most=most)
    note = {"user_id": user_id, "match_id": match_id, "ply": ply, "words": words, "at": now}
    connection.execute(insert(notes), note)


def keep_favourite(
    connection: Connection,
    actor: Actor,
    match_id: MatchId,
    now: datetime,
    most: int = MOST_FAVOURITES,
    *,
    is_one: bool,
) -> None:
    """Add a match to a person's favourites or take it out.

    Raises :exc:`~bot.errors.UserError`: ``too_many_favourites`` (``most``) if so many are listed
    there. A match that they cannot see where they are, and so cannot take out, does not
    count.
    """
    user_id = actor.user_id
    database.hold(connection, (user_id,))
    connection.execute(_DROP_FAVOURITE, {"of_user": user_id, "of_match": match_id})
    if not is_one:
        return
    listed = {"of_user": user_id, "seen_in": actor.guild_id, "seen_by": user_id}
    if connection.execute(_COUNT_FAVOURITES, listed).scalar_one() >= most:
        raise UserError("too_many_favourites", most=most)
    row = {"user_id": user_id, "match_id": match_id, "at": now}
    connection.execute(insert(favourites), row)


def favourites_of(
    connection: Connection, actor: Actor, limit: int, skipped: int
) -> tuple[Match, ...]:
    """A person's favourites, the last added first: those they may see where they are.

    A match of another server that they only watched is listed in that server, and not after
    Parlour has left it.
    """
    user = actor.user_id
    seen = {"seen_in": actor.guild_id, "seen_by": user}
    wanted = {"of_user": user, "at_most": limit, "skipped": skipped, **seen}
    return tuple(rows.match_of(row) for row in connection.execute(_FAVOURITES, wanted).all())
