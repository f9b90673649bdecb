"""Puzzles of the day: attempts of players, and the channels that servers have chosen.

The next puzzle of a channel is a message of the outbox that is due at its hour; when it is sent, it
plans the one after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.clock import Clock
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.preferences import ServerSettings
from bot.domain.quiet_hours import next_at_hour, zone_of
from bot.errors import UserError
from bot.learn import store as puzzles
from bot.learn.domain import Attempt, number_on, puzzle_rating, streak
from bot.logs import logger
from bot.posts.outgoing import (
    PUZZLE,
    Claim,
    Done,
    Handler,
    Outbox,
    Outcome,
    Outgoing,
    id_in,
    key_of,
)
from bot.posts.sending import Gone
from bot.services.preferences import PreferenceService
from bot.store import Store, outgoing


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


# ---- the puzzle of the day in a channel ----------------------------------------------------------

_log = logger(__name__)


class PuzzlePoster(Protocol):
    """Posts puzzles. Raises the errors of every messenger."""

    async def post_puzzle(
        self, guild_id: GuildId, channel: ChannelId, number: int, *, since: datetime | None
    ) -> None:
        """Post a puzzle, unless an attempt since ``since`` has done so."""


def planned(guild_id: GuildId, chosen: ServerSettings, now: datetime) -> Outgoing:
    """The next puzzle of a server after ``now``."""
    due_at = next_at_hour(chosen.puzzle_hour, chosen.puzzle_zone, now)
    return Outgoing(PUZZLE, key_of(PUZZLE, guild_id), due_at, slot="daily")


class DailyPuzzles(Handler):
    """Posts the puzzles of the day."""

    kinds = frozenset({PUZZLE})

    def __init__(
        self, store: Store, choices: PreferenceService, poster: PuzzlePoster, clock: Clock
    ):
        self._store = store
        self._choices = choices
        self._poster = poster
        self._clock = clock
        self.outbox: Outbox | None = None

    async def plan(self, guild_id: GuildId, chosen: ServerSettings) -> datetime | None:
        """Plan the next puzzle by a server's settings; when it is due, None for never.

        A planned one that is no longer wanted is dropped when it is due. Raises
        ``StoreUnavailable``.
        """
        if chosen.puzzle is None:
            return None
        message = planned(guild_id, chosen, self._clock.now())
        await self._store.write(outgoing.plan, message)
        if self.outbox is not None:
            self.outbox.wake()
        return message.due_at

    async def make(self, claim: Claim) -> Outcome:
        """Post today's puzzle, and plan tomorrow's."""
        guild_id = GuildId(int(id_in(claim.key)))
        chosen = await self._choices.server(guild_id)
        if chosen.puzzle is None:
            return Done()
        now = self._clock.now()
        number = number_on(now.astimezone(zone_of(chosen.puzzle_zone)).date())
        try:
            await self._poster.post_puzzle(guild_id, chosen.puzzle, number, since=claim.tried_at)
        except Gone as error:
            # The channel was deleted: no puzzles until another one is chosen.
            _log.info("no puzzle of the day", server=guild_id, reason=error.reason)
            return Done()
        return Done(then=(planned(guild_id, chosen, now),))
