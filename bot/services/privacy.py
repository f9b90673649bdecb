"""What is held about a person: all of it as a file, and erasing it.

Erasing keeps the matches of others whole. A person's id is replaced by a random negative number,
which no person can have and which is not made of the id, wherever it stands; settings, block lists,
counts and plans go. Whatever still runs is ended first, so that nobody waits for a person who has
gone. Afterwards the messages that stand for what the person played are edited, and the threads of
the matches renamed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from bot.clock import Clock
from bot.domain.events import JsonValue
from bot.domain.ids import UserId
from bot.domain.match import Actor, Match, MatchStatus
from bot.errors import UserError
from bot.services.matches import MatchService
from bot.services.tournaments.service import TournamentService
from bot.store import Store, privacy
from bot.store.store import retried


@dataclass(frozen=True, slots=True)
class ErasureReport:
    """What came of erasing: matches resigned, offers taken back or declined, matches kept."""

    resigned: int
    withdrawn: int
    kept: int


class PrivacyService:
    """Shows people the data held about them, and erases it."""

    def __init__(
        self,
        store: Store,
        matches: MatchService,
        clock: Clock,
        rng: Random,
        tournaments: TournamentService | None = None,
    ) -> None:
        self._store = store
        self._tournaments = tournaments
        self._matches = matches
        self._clock = clock
        self._rng = rng

    async def export(self, user_id: UserId) -> Mapping[str, JsonValue]:
        """Everything that is held about a person."""
        return await self._store.read(privacy.held_about, user_id, self._clock.now())

    async def running(self, user_id: UserId) -> int:
        """How many matches the person would resign."""
        return sum(_plays(match, user_id) for match in await self._matches.matches_of(user_id))

    async def erase(self, user_id: UserId) -> ErasureReport:
        """End what runs, then erase. Done a second time it finds nothing and says so."""
        ended: list[MatchStatus | None] = []

        @retried
        async def tried() -> int:
            if self._tournaments is not None:
                await self._tournaments.erased(user_id)
            found = await self._matches.matches_of(user_id)
            ended.extend([await self._leave(each, user_id) for each in found])
            return await self._store.forget(user_id, self._pseudonym(), self._clock.now())

        kept = await tried()
        return ErasureReport(
            ended.count(MatchStatus.RUNNING), ended.count(MatchStatus.OFFERED), kept
        )

    def _pseudonym(self) -> UserId:
        # The numbers before these are those of computers and of made-up players.
        return UserId(-self._rng.randrange(1 << 20, 1 << 62))

    async def _leave(self, match: Match, user_id: UserId) -> MatchStatus | None:
        """End a person's part in a match; what it was until then, None if there was none."""
        actor = Actor(user_id, match.origin.guild_id)
        try:
            if match.status is MatchStatus.RUNNING:
                if not _plays(match, user_id):
                    return None
                await self._matches.resign(actor, match.id, interaction_id=None)
            elif match.index_of(user_id) is not None:
                await self._matches.withdraw(actor, match.id, interaction_id=None)
            else:
                await self._matches.decline(actor, match.id, interaction_id=None)
        except UserError as error:
            if error.code in ("store_unavailable", "outcome_unknown"):
                raise
            return None
        return match.status


def _plays(match: Match, user_id: UserId) -> bool:
    index = match.index_of(user_id)
    return match.status is MatchStatus.RUNNING and index is not None and index not in match.retired
