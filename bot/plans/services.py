"""Plans: premoves and conditional moves.

A plan is stored beside the match and shown to its player alone. It becomes events move by move, in
the transaction of the move that it answers.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.domain.ids import MatchId
from bot.domain.match import Actor, Match
from bot.errors import UserError
from bot.plans import store as plans
from bot.plans.domain import Plan, check_planner, read_lines
from bot.services.matches import MatchService
from bot.store import Store


class PlanService:
    """Changes a player's own plan."""

    def __init__(self, store: Store, matches: MatchService) -> None:
        self._store = store
        self._matches = matches

    async def plan(self, actor: Actor, match_id: MatchId) -> tuple[Match, Plan]:
        """The match and this player's plan.

        Raises the errors of :func:`bot.plans.domain.check_planner`.
        """
        match = await self._matches.match(actor, match_id)
        player = check_planner(match, actor)
        found = await self._store.read(plans.plan, match_id, player)
        if found is None or found.ply != match.ply:
            found = Plan(match_id, player, match.ply)
        return match, found

    async def add(
        self, actor: Actor, match_id: MatchId, text: str, *, instead_of: int | None = None
    ) -> tuple[Match, Plan]:
        """Add the lines of a text, or replace line ``instead_of``, from 0, with them.

        Raises the errors of :func:`bot.plans.domain.read_line`; then none is added.
        """

        def with_lines(match: Match, plan: Plan) -> Plan:
            added = read_lines(match, plan.player, text)
            if instead_of is not None:
                plan = plan.without(instead_of)
            for line in added:
                plan = plan.with_line(line)
            return plan

        return await self._keep(actor, match_id, with_lines)

    async def drop(
        self, actor: Actor, match_id: MatchId, ply: int, number: int | None = None
    ) -> tuple[Match, Plan]:
        """Drop a line by its number, from 0, or all of them.

        ``ply`` is that of the shown plan. Raises ``position_changed`` if it has changed.
        """

        def without(match: Match, plan: Plan) -> Plan:
            if match.ply != ply:
                raise UserError("position_changed", version=match.version)
            return Plan(match.id, plan.player, ply) if number is None else plan.without(number)

        return await self._keep(actor, match_id, without)

    async def _keep(
        self, actor: Actor, match_id: MatchId, change: Callable[[Match, Plan], Plan]
    ) -> tuple[Match, Plan]:
        match, before = await self.plan(actor, match_id)
        after = change(match, before)
        if after != before:
            await self._store.write(plans.keep_plan, after)
        return match, after
