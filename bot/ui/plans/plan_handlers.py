"""Planning moves ahead: only ever for the one who plans."""

from __future__ import annotations

from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.domain.plans import Plan, check_planner
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import Acting
from bot.ui.interaction.responses import Reply
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.display_names import escape
from bot.ui.plans.plan_page import PlanPick, plan_page, route_page
from games.errors import GameError, MoveError

_LONGEST = 2000


class Planning(Acting):
    """Acts of players who wait for somebody else's move."""

    async def plan(self, context: InteractionContext, text: str = "") -> Reply:
        """``/plan``: the lines of one's plan, with a new one if there is a text."""
        match = await self._mine(context, "plan")
        return await self._plan(context, match, text)

    async def _plan(self, context: InteractionContext, match: Match, text: str = "") -> Reply:
        plans = self.services.plans
        if text.strip():
            return await self._add(context, match.id, text)
        match, plan = await plans.plan(context.actor, match.id)
        return await plan_page(match, plan, context.presenter, context.language)

    async def _add(self, context: InteractionContext, match_id: MatchId, text: str) -> Reply:
        """Add lines; if one is wrong, show the plan as it is and say why."""
        plans = self.services.plans
        match, plan = await plans.plan(context.actor, match_id)
        try:
            match, plan = await plans.add(context.actor, match_id, text)
        except (UserError, GameError) as error:
            lead = context.language(refusal(error, match.game))
            if isinstance(error, MoveError):
                lead = f"{escape(error.text[:40])}: {lead}"
            return await plan_page(match, plan, context.presenter, context.language, lead=lead)
        return await self._kept(context, match, plan)

    async def _kept(self, context: InteractionContext, match: Match, plan: Plan) -> Reply:
        lead = context.language.say("Saved.") if plan.lines else context.language.say("Removed.")
        return await plan_page(match, plan, context.presenter, context.language, lead=lead)

    async def plan_again(self, context: InteractionContext, control: Control) -> Reply:
        """**All lines**."""
        return await self._plan(context, await self._match(context, control.match))

    async def plan_pick(
        self, context: InteractionContext, control: Control, value: str = ""
    ) -> Reply:
        """**Add a line**, **Back**, or a choice of the menu: what to pick next."""
        match = await self._match(context, control.match)
        player = check_planner(match, context.actor)
        if not match.position_since <= control.version <= match.version:
            raise UserError("position_changed", version=match.version)
        route = PlanPick.read(control.arg)
        if value:
            route = route.then(value)
        try:
            return await route_page(match, player, route, context.presenter, context.language)
        except GameError:
            raise UserError("out_of_date") from None

    async def plan_keep(self, context: InteractionContext, control: Control) -> Reply:
        """**Keep this line**."""
        moves = PlanPick.read(control.arg).moves
        return await self._add(context, MatchId(control.match), " ".join(moves))

    async def plan_typed(self, context: InteractionContext, control: Control, text: str) -> Reply:
        """Lines typed into the form."""
        return await self._add(context, MatchId(control.match), text[:_LONGEST])

    async def plan_drop(
        self, context: InteractionContext, control: Control, value: str = ""
    ) -> Reply:
        """A line chosen from the menu, or **Drop all**."""
        numbers = (control.arg, value or "0")
        if not all(each.isascii() and each.isdigit() and len(each) < 6 for each in numbers):
            raise UserError("out_of_date")
        match, plan = await self.services.plans.drop(
            context.actor, MatchId(control.match), int(control.arg), int(value) if value else None
        )
        return await self._kept(context, match, plan)
