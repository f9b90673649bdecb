"""The part of the store that is about plans; see its protocol for what is promised."""

from __future__ import annotations

from bot.domain.ids import MatchId
from bot.domain.plans import Plan
from bot.store import plans
from bot.store.database import Database


class SqlPlans:
    """:class:`bot.services.plans.PlanStore` on a :class:`~bot.store.database.Database`."""

    _database: Database

    async def plan(self, match_id: MatchId, player: int) -> Plan | None:
        """What a player index has planned."""
        return await self._database.look(lambda c: plans.plan(c, match_id, player))

    async def keep_plan(self, plan: Plan) -> None:
        """Put a plan in the place of the one before."""
        await self._database.write(lambda c: plans.keep_plan(c, plan))
