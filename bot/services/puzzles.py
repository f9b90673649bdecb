"""Puzzles of the day, as people try them. What they have tried is theirs alone to see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.domain.ids import UserId
from bot.domain.puzzles import Attempt, number_on, puzzle_rating, streak
from bot.errors import UserError
from bot.services.ports import Clock, ask


class PuzzleStore(Protocol):
    """Where attempts are kept. Every method is one transaction."""

    async def attempts(self, user_id: UserId) -> tuple[Attempt, ...]:
        """All of a person's attempts, in order."""
        ...

    async def change_attempt(
        self, user_id: UserId, number: int, change: Callable[[Attempt], Attempt], at: datetime
    ) -> Attempt:
        """Put what comes of an attempt in its place, one after another; returns that."""
        ...


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """A person's attempt at a puzzle, and how they do with puzzles."""

    attempt: Attempt
    streak: int
    rating: int
    solved: int


class PuzzleService:
    """What a person can do about puzzles."""

    def __init__(self, store: PuzzleStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def today(self) -> int:
        """The number of today's puzzle; days are those of UTC."""
        return number_on(self._clock.now().date())

    async def record(self, user_id: UserId, number: int) -> PuzzleRecord:
        """How a person stands. Raises ``store_unavailable``."""
        return await self._record(user_id, number)

    async def change(
        self, user_id: UserId, number: int, change: Callable[[Attempt], Attempt]
    ) -> PuzzleRecord:
        """Note what a person has done about a puzzle.

        Raises ``out_of_date`` for one whose day has not come, ``store_unavailable``.
        """
        if not 1 <= number <= self.today() + 1:  # Elsewhere tomorrow has begun.
            raise UserError("out_of_date")
        await ask(self._store.change_attempt(user_id, number, change, self._clock.now()))
        return await self._record(user_id, number)

    async def _record(self, user_id: UserId, number: int) -> PuzzleRecord:
        found = await ask(self._store.attempts(user_id))
        mine = next((each for each in found if each.number == number), Attempt(number))
        solved = sum(each.state.value == "solved" for each in found)
        return PuzzleRecord(mine, streak(found, self.today()), puzzle_rating(found), solved)
