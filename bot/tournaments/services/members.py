"""Noticing that an entrant has left the server.

Discord reports members who leave only to bots with the intent for members, which Parlour does not
use. It looks up each entrant of a tournament that is not over, once a day and before the first
round.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.domain.ids import GuildId, TournamentId
from bot.logs import logger
from bot.services.departures import IsMember
from bot.store import Store
from bot.tournaments.domain.tournament import Tournament, TournamentStatus
from bot.tournaments.services.service import TournamentService
from bot.tournaments.store import reading as tournament_reading

_log = logger(__name__)

_EVERY = timedelta(days=1)
_BEFORE = timedelta(hours=1)
"""Entrants who have left by then are not paired in the first round."""


@dataclass(eq=False)
class MemberWatch:
    """Looks up entrants, and withdraws those who have left."""

    store: Store
    service: TournamentService
    clock: Clock
    is_member: IsMember
    asked: dict[TournamentId, datetime] = field(default_factory=dict)

    async def sweep(self) -> int:
        """Look up those who are due; returns how many have left. Raises ``StoreUnavailable``."""
        left = 0
        now = self.clock.now()
        after = ""
        while found := await self.store.read(tournament_reading.not_over, after, 50):
            for each in found:
                stored = await self.store.read(tournament_reading.stored, each)
                if stored is not None and self._is_time(stored.tournament, now):
                    self.asked[each] = now
                    left += await self._ask(stored.tournament, stored.home.guild_id)
            after = found[-1]
        self.asked = {key: at for key, at in self.asked.items() if abs(now - at) < 2 * _EVERY}
        return left

    def _is_time(self, t: Tournament, now: datetime) -> bool:
        asked = self.asked.get(t.id)
        if t.begins - _BEFORE <= now < t.begins or t.status is TournamentStatus.CLOSED:
            return asked is None or asked < t.begins - _BEFORE
        if t.status is TournamentStatus.REGISTRATION:
            return False
        return asked is None or asked <= now - _EVERY

    async def _ask(self, t: Tournament, guild_id: GuildId) -> int:
        people = {each.user_id for each in t.active} | {*t.all_directors}
        left = 0
        for person in sorted(each for each in people if each is not None and each > 0):
            if await self.is_member(guild_id, person) is False:
                _log.info("an entrant has left the server", tournament=t.id)
                await self.service.member_left(guild_id, person)
                left += 1
        return left
