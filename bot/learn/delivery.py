"""Puzzles of the day as public messages in a channel.

The next puzzle of a channel is a message of the outbox that is due at its hour; when it is sent, it
plans the one after it. A planned one that is no longer wanted is dropped when it is due.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.clock import Clock
from bot.domain.ids import ChannelId, GuildId
from bot.domain.quiet_hours import zone_of
from bot.learn.domain import number_on
from bot.learn.store import planned
from bot.learn.ui.puzzles import posted_page, solve_button
from bot.logs import logger
from bot.posts.outgoing import PUZZLE, Claim, Done, Handler, Outcome, id_in
from bot.posts.sending import Gone, Recipient
from bot.services.preferences import PreferenceService
from bot.ui.delivery.messenger import DiscordMessenger
from bot.ui.delivery.poster import has_control

_log = logger(__name__)


@dataclass(eq=False)
class DailyPuzzles(Handler):
    """Posts the puzzles of the day."""

    messenger: DiscordMessenger
    preferences: PreferenceService
    clock: Clock
    kinds = frozenset({PUZZLE})

    async def make(self, claim: Claim) -> Outcome:
        """Post today's puzzle, and plan tomorrow's."""
        guild_id = GuildId(int(id_in(claim.key)))
        chosen = await self.preferences.server(guild_id)
        if chosen.puzzle is None:
            return Done()
        now = self.clock.now()
        number = number_on(now.astimezone(zone_of(chosen.puzzle_zone)).date())
        try:
            await self.post(guild_id, chosen.puzzle, number, since=claim.tried_at)
        except Gone as error:
            # The channel was deleted: no puzzles until another one is chosen.
            _log.info("no puzzle of the day", server=guild_id, reason=error.reason)
            return Done()
        return Done(then=(planned(guild_id, chosen, now),))

    async def post(
        self, guild_id: GuildId, channel: ChannelId, number: int, *, since: datetime | None
    ) -> None:
        """Post a puzzle, unless an attempt since ``since`` has done so."""
        to, known = Recipient(channel_id=channel), solve_button(number)
        if await self.messenger.find(to, since, lambda each: has_control(each, known)):
            return
        reply = await posted_page(number, await self.messenger.reader_of(guild_id))
        assert reply.page is not None  # noqa: S101 - it is always a page
        await self.messenger.post(
            to, reply.page.components, nonce=f"z{guild_id:x}.{number:x}", files=reply.files
        )
