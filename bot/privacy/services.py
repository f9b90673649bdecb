"""Personal data: an export, and erasure.

Erasing keeps the matches of others whole. A random negative number, not computed from the id,
replaces a player's id everywhere; settings, block lists, counts and plans are deleted. Running
matches are resigned first. Afterwards messages are edited, and threads renamed.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from bot.clock import Clock
from bot.domain import offer_answers, play
from bot.domain.ids import UserId
from bot.domain.match import Actor, Match, MatchStatus
from bot.errors import UserError
from bot.logs import logger
from bot.privacy import store as privacy
from bot.services.match_changes import Decision
from bot.services.matches import MatchService
from bot.store import Store
from bot.store.errors import StoreUnavailable
from bot.store.store import retried
from bot.tournaments.services.service import TournamentService

_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class ErasureReport:
    """The matches resigned, offers withdrawn or declined, and matches kept."""

    resigned: int
    withdrawn: int
    kept: int


@dataclass(eq=False)
class PrivacyService:
    """Erases personal data."""

    store: Store
    matches: MatchService
    clock: Clock
    rng: Random
    tournaments: TournamentService | None = None

    async def running(self, user_id: UserId) -> int:
        """How many matches the player would resign."""
        return sum(_plays(match, user_id) for match in await self.matches.matches_of(user_id))

    async def erase(self, user_id: UserId) -> ErasureReport:
        """End open matches and offers, then erase. A second time there is nothing to erase."""
        ended: list[MatchStatus | None] = []

        @retried
        async def tried() -> int:
            if self.tournaments is not None:
                await self.tournaments.erased(user_id)
            found = await self.matches.matches_of(user_id)
            ended.extend([await self._leave(each, user_id) for each in found])
            return await self.store.write(
                privacy.forget, user_id, self._pseudonym(), self.clock.now()
            )

        kept = await tried()
        try:
            await self.store.database.scrub()
        except StoreUnavailable as error:
            _log.warning(
                "what is erased stays in the write-ahead log until that is emptied",
                reason=error.reason,
            )
        return ErasureReport(
            ended.count(MatchStatus.RUNNING), ended.count(MatchStatus.OFFERED), kept
        )

    def _pseudonym(self) -> UserId:
        # The numbers before these are those of computers and of made-up players.
        return UserId(-self.rng.randrange(1 << 20, 1 << 62))

    async def _leave(self, match: Match, user_id: UserId) -> MatchStatus | None:
        """End a player's part in a match; returns its status before, None if they had no part."""
        actor = Actor(user_id, match.origin.guild_id)
        try:
            if match.status is MatchStatus.RUNNING:
                if not _plays(match, user_id):
                    return None
                leave: Decision = play.resign
            elif match.index_of(user_id) is not None:
                leave = offer_answers.withdraw
            else:
                leave = offer_answers.decline
            await self.matches.act(actor, match.id, leave, interaction_id=None)
        except UserError as error:
            if error.code in ("store_unavailable", "outcome_unknown"):
                raise
            return None
        return match.status


def _plays(match: Match, user_id: UserId) -> bool:
    index = match.index_of(user_id)
    return match.status is MatchStatus.RUNNING and index is not None and index not in match.retired
