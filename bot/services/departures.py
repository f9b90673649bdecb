"""Notices that a player of a running match has left its server, so that the others can act.

Discord tells this only to bots with a privileged intent. Parlour asks once a day for the players of
matches in which nothing has happened for a day; where so many run that they cannot all be looked at
so often, as often as it can.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial

from bot.clock import Clock
from bot.domain import stalled
from bot.domain.ids import GuildId, UserId
from bot.domain.match import Match
from bot.logs import logger
from bot.services import host_changes
from bot.store import Store, transactions
from bot.store.errors import Conflict

_log = logger(__name__)

_EVERY = timedelta(days=1)
_BATCH = 50
_MOST = 5000
"""Matches that one sweep looks at; the next goes on after them."""


IsMember = Callable[[GuildId, UserId], Awaitable[bool | None]]
"""Asks whether a person is in a server; None if Discord doesn't say."""


class DepartureWatch:
    """Looks for players who have left, and tells the others."""

    def __init__(self, store: Store, clock: Clock, is_member: IsMember) -> None:
        self._store = store
        self._clock = clock
        self._is_member = is_member
        self._there: dict[tuple[GuildId, UserId], datetime] = {}
        self._after = ""

    async def sweep(self) -> int:
        """Ask where it is time to; how many have left. Raises ``StoreUnavailable``."""
        now, left = self._clock.now(), 0
        self._there = {key: at for key, at in self._there.items() if at > now - _EVERY}
        for _ in range(0, _MOST, _BATCH):
            found = await self._store.read(
                transactions.quiet_since, now - _EVERY, self._after, _BATCH
            )
            for match in found:
                left += await self._look(match, now)
            self._after = found[-1].id if found else ""
            if not found:
                break
        return left

    async def _look(self, match: Match, now: datetime) -> int:
        guild_id, left = match.origin.guild_id, 0
        if guild_id is None:
            return 0
        for player, person in enumerate(match.players):
            if person is None or person < 0 or player in (*match.retired, *match.departed):
                continue
            if (guild_id, person) in self._there:
                continue
            is_there = await self._is_member(guild_id, person)
            if is_there is False:
                left += await self._left(match, player)
                break  # the match is another one now; the next sweep looks again
            if is_there:
                self._there[guild_id, person] = now
        return left

    async def _left(self, match: Match, player: int) -> bool:
        rule, version = partial(stalled.depart, player=player), match.version
        with contextlib.suppress(Conflict):
            if await host_changes.apply(
                self._store, self._clock, match.id, rule, where=lambda now: now.version == version
            ):
                _log.info("a player has left the server", match=match.id)
                return True
        return False
