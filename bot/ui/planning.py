"""Planning moves ahead: only ever for the one who plans."""

from __future__ import annotations

from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.domain.plans import Plan, check_planner
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.ui.acting import Acting
from bot.ui.answers import Reply
from bot.ui.controls import Control
from bot.ui.desk import Visit
from bot.ui.names import escape
from bot.ui.plans import Route, plan_page, route_page
from games.errors import GameError, MoveError

_LONGEST = 2000


class Planning(Acting):
    """Acts of players who wait for somebody else's move."""

    async def plan(self, visit: Visit, text: str = "") -> Reply:
        """``/plan``: the lines of one's plan, with a new one if there is a text."""
        match = await self._mine(visit, "plan")
        return await self._plan(visit, match, text)

    async def _plan(self, visit: Visit, match: Match, text: str = "") -> Reply:
        plans = self.desk.plans
        if text.strip():
            return await self._add(visit, match.id, text)
        match, plan = await plans.plan(visit.actor, match.id)
        return await plan_page(match, plan, visit.stage, visit.language)

    async def _add(self, visit: Visit, match_id: MatchId, text: str) -> Reply:
        """Add lines; if one is wrong, show the plan as it is and say why."""
        plans = self.desk.plans
        match, plan = await plans.plan(visit.actor, match_id)
        try:
            match, plan = await plans.add(visit.actor, match_id, text)
        except (UserError, GameError) as error:
            lead = visit.language(refusal(error, match.game))
            if isinstance(error, MoveError):
                lead = f"{escape(error.text[:40])}: {lead}"
            return await plan_page(match, plan, visit.stage, visit.language, lead=lead)
        return await self._kept(visit, match, plan)

    async def _kept(self, visit: Visit, match: Match, plan: Plan) -> Reply:
        lead = visit.language.say("Saved.") if plan.lines else visit.language.say("Removed.")
        return await plan_page(match, plan, visit.stage, visit.language, lead=lead)

    async def plan_again(self, visit: Visit, control: Control) -> Reply:
        """**All lines**."""
        return await self._plan(visit, await self._match(visit, control.match))

    async def plan_pick(self, visit: Visit, control: Control, value: str = "") -> Reply:
        """**Add a line**, **Back**, or a choice of the menu: what to pick next."""
        match = await self._match(visit, control.match)
        player = check_planner(match, visit.actor)
        if not match.position_since <= control.version <= match.version:
            raise UserError("position_changed", version=match.version)
        route = Route.read(control.arg)
        if value:
            route = route.then(value)
        try:
            return await route_page(match, player, route, visit.stage, visit.language)
        except GameError:
            raise UserError("out_of_date") from None

    async def plan_keep(self, visit: Visit, control: Control) -> Reply:
        """**Keep this line**."""
        moves = Route.read(control.arg).moves
        return await self._add(visit, MatchId(control.match), " ".join(moves))

    async def plan_typed(self, visit: Visit, control: Control, text: str) -> Reply:
        """Lines typed into the form."""
        return await self._add(visit, MatchId(control.match), text[:_LONGEST])

    async def plan_drop(self, visit: Visit, control: Control, value: str = "") -> Reply:
        """A line chosen from the menu, or **Drop all**."""
        numbers = (control.arg, value or "0")
        if not all(each.isascii() and each.isdigit() and len(each) < 6 for each in numbers):
            raise UserError("out_of_date")
        match, plan = await self.desk.plans.drop(
            visit.actor, MatchId(control.match), int(control.arg), int(value) if value else None
        )
        return await self._kept(visit, match, plan)
