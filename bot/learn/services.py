"""Puzzles of the day: attempts of players, and when the next one comes to a channel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.clock import Clock
from bot.domain.ids import GuildId, UserId
from bot.domain.preferences import ServerSettings
from bot.domain.quiet_hours import next_at_hour
from bot.errors import UserError
from bot.learn import store as puzzles
from bot.learn.domain import Attempt, number_on, puzzle_rating, streak
from bot.posts.outgoing import (
    PUZZLE,
    Outgoing,
    key_of,
)
from bot.store import Store


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """A player's attempt at a puzzle, their streak and their rating."""

    attempt: Attempt
    streak: int
    rating: int


class PuzzleService:
    """Stores players' attempts."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def today(self) -> int:
        """The number of today's puzzle; days are those of UTC."""
        return number_on(self._clock.now().date())

    async def record(self, user_id: UserId, number: int) -> PuzzleRecord:
        """The record of a player. Raises ``store_unavailable``."""
        found = await self._store.read(puzzles.attempts_of, user_id)
        mine = next((each for each in found if each.number == number), Attempt(number))
        return PuzzleRecord(mine, streak(found, self.today()), puzzle_rating(found))

    async def change(
        self, user_id: UserId, number: int, change: Callable[[Attempt], Attempt]
    ) -> PuzzleRecord:
        """Change an attempt at a puzzle.

        Raises ``out_of_date`` for one whose day has not come, ``store_unavailable``.
        """
        if not 1 <= number <= self.today() + 1:  # Tomorrow has begun elsewhere.
            raise UserError("out_of_date")
        await self._store.write(puzzles.change_attempt, user_id, number, change, self._clock.now())
        return await self.record(user_id, number)


def planned(guild_id: GuildId, chosen: ServerSettings, now: datetime) -> Outgoing:
    """The next puzzle of a server after ``now``; one that waits for its old hour goes."""
    due_at = next_at_hour(chosen.puzzle_hour, chosen.puzzle_zone, now)
    return Outgoing(PUZZLE, key_of(PUZZLE, guild_id), due_at, slot="daily")
