"""The puzzles that people tried, and when the next one comes to a channel. Inside transactions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from bot.domain.ids import GuildId, UserId
from bot.domain.preferences import ServerSettings
from bot.domain.quiet_hours import next_at_hour
from bot.errors import UserError
from bot.learn.domain import Attempt, PuzzleRecord, PuzzleState, number_on, puzzle_rating, streak
from bot.posts.outgoing import PUZZLE, Outgoing, key_of
from bot.store import database
from bot.store.tables import attempts


def record(connection: Connection, user_id: UserId, number: int, now: datetime) -> PuzzleRecord:
    """The record of a player, with their attempt at a puzzle."""
    theirs = select(attempts).where(attempts.c.user_id == user_id).order_by(attempts.c.number)
    found = [
        Attempt(row.number, row.wrong, PuzzleState(row.state))
        for row in connection.execute(theirs).all()
    ]
    mine = next((each for each in found if each.number == number), Attempt(number))
    return PuzzleRecord(mine, streak(found, number_on(now.date())), puzzle_rating(found))


def change(
    connection: Connection,
    user_id: UserId,
    number: int,
    decide: Callable[[Attempt], Attempt],
    now: datetime,
) -> PuzzleRecord:
    """Put what comes of an attempt in its place, one after another; the record after that.

    Raises :exc:`~bot.errors.UserError`: ``out_of_date`` for a puzzle whose day has not come.
    """
    if not 1 <= number <= number_on(now.date()) + 1:  # Tomorrow has begun elsewhere.
        raise UserError("out_of_date")
    database.hold(connection, (user_id,))
    before = record(connection, user_id, number, now).attempt
    after = decide(before)
    values = {"wrong": after.wrong, "state": after.state.value, "at": now}
    is_it = (attempts.c.user_id == user_id, attempts.c.number == number)
    if (
        after != before
        and not connection.execute(update(attempts).where(*is_it).values(values)).rowcount
    ):
        connection.execute(insert(attempts), {"user_id": user_id, "number": number, **values})
    return record(connection, user_id, number, now)


def planned(guild_id: GuildId, chosen: ServerSettings, now: datetime) -> Outgoing:
    """The next puzzle of a server after ``now``; one that waits for its old hour goes."""
    due_at = next_at_hour(chosen.puzzle_hour, chosen.puzzle_zone, now)
    return Outgoing(PUZZLE, key_of(PUZZLE, guild_id), due_at, slot="daily")
