"""The puzzle of the day in the channels that servers have chosen, each at its hour.

The next one is a message of the outbox that is due then; when it is sent, it plans the one after
it. A server that chooses otherwise has the next one planned anew, or none.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from bot.domain.ids import ChannelId, GuildId
from bot.domain.preferences import ServerSettings
from bot.domain.puzzles import number_on
from bot.domain.quiet_hours import next_at_hour, zone_of
from bot.logs import logger
from bot.services.outgoing import (
    Claim,
    Done,
    Handler,
    Outbox,
    OutboxStore,
    Outcome,
    Outgoing,
    id_in,
    key_of,
)
from bot.services.ports import Clock
from bot.services.preferences import ServerChoices
from bot.services.sending import Gone

_log = logger(__name__)

PUZZLE = "puzzle"
"""The kind of message, and what its key is about."""


class PuzzlePoster(Protocol):
    """Who posts. Raises what every messenger raises."""

    async def post_puzzle(
        self, guild_id: GuildId, channel: ChannelId, number: int, *, since: datetime | None
    ) -> None:
        """Post a puzzle, unless an attempt ``since`` then has done so."""
        ...


def planned(guild_id: GuildId, chosen: ServerSettings, now: datetime) -> Outgoing:
    """The next puzzle of a server after ``now``."""
    due_at = next_at_hour(chosen.puzzle_hour, chosen.puzzle_zone, now)
    return Outgoing(PUZZLE, key_of(PUZZLE, guild_id), due_at, slot="daily")


class DailyPuzzles(Handler):
    """Posts the puzzles of the day."""

    kinds = frozenset({PUZZLE})

    def __init__(
        self, store: OutboxStore, choices: ServerChoices, poster: PuzzlePoster, clock: Clock
    ):
        self._store = store
        self._choices = choices
        self._poster = poster
        self._clock = clock
        self.outbox: Outbox | None = None

    async def plan(self, guild_id: GuildId, chosen: ServerSettings) -> datetime | None:
        """Have the next puzzle posted as a server has chosen; when that is, None for never.

        Where the server wants none any more, the one planned is given up when it is due. Raises
        :exc:`~bot.services.ports.StoreUnavailable`.
        """
        if chosen.puzzle is None:
            return None
        message = planned(guild_id, chosen, self._clock.now())
        await self._store.plan_messages(message)
        if self.outbox is not None:
            self.outbox.wake()
        return message.due_at

    async def make(self, claim: Claim) -> Outcome:
        """Post today's, and plan tomorrow's."""
        guild_id = GuildId(int(id_in(claim.key)))
        chosen = await self._choices.server(guild_id)
        if chosen.puzzle is None:
            return Done()
        now = self._clock.now()
        number = number_on(now.astimezone(zone_of(chosen.puzzle_zone)).date())
        try:
            await self._poster.post_puzzle(guild_id, chosen.puzzle, number, since=claim.tried_at)
        except Gone as error:
            # The channel was deleted: there are no more until another one is chosen.
            _log.info("no puzzle of the day", server=guild_id, reason=error.reason)
            return Done()
        return Done(then=(planned(guild_id, chosen, now),))
