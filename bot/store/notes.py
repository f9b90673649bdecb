"""Notes and favourites, which people keep to themselves. Inside transactions."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, delete, func, insert, select

from bot.domain.ids import MatchId, UserId
from bot.domain.match import Actor, Match
from bot.errors import UserError
from bot.store import database, rows, transactions
from bot.store.records import MatchNotes
from bot.store.tables import favourites, matches, notes

LONGEST_NOTE = 500
"""Characters of a note."""
MOST_NOTES = 500
"""Notes of one person in one match."""
MOST_FAVOURITES = 500
"""Matches that one person can keep as favourites, of those that they see in one place."""


def _listed(actor: Actor) -> Select[Any]:
    """A person's favourites that they may see where they are."""
    found = select(matches).join(favourites, favourites.c.match_id == matches.c.id)
    return found.where(favourites.c.user_id == actor.user_id, transactions.is_seen(actor.scope))


def _of_match(user_id: UserId, match_id: MatchId) -> ColumnElement[bool]:
    return and_(notes.c.user_id == user_id, notes.c.match_id == match_id)


def _is_favourite(user_id: UserId, match_id: MatchId) -> ColumnElement[bool]:
    return and_(favourites.c.user_id == user_id, favourites.c.match_id == match_id)


def notes_of(connection: Connection, user_id: UserId, match_id: MatchId) -> MatchNotes:
    """A person's notes on a match."""
    kept = select(notes).where(_of_match(user_id, match_id)).order_by(notes.c.ply)
    found = connection.execute(kept).all()
    is_one = select(favourites).where(_is_favourite(user_id, match_id))
    is_favourite = connection.execute(is_one).first() is not None
    return MatchNotes(is_favourite, tuple((row.ply, row.words) for row in found))


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
    of_match = _of_match(user_id, match_id)
    connection.execute(delete(notes).where(of_match, notes.c.ply == ply))
    if not words:
        return
    if connection.execute(select(func.count(notes.c.ply)).where(of_match)).scalar_one() >= most:
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
    connection.execute(delete(favourites).where(_is_favourite(user_id, match_id)))
    if not is_one:
        return
    listed = _listed(actor).with_only_columns(func.count())
    if connection.execute(listed).scalar_one() >= most:
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
    latest = _listed(actor).order_by(favourites.c.at.desc(), matches.c.id)
    return rows.matches_in(connection, latest.limit(limit).offset(skipped))
