"""Planning moves ahead: only ever for the one who plans."""

from __future__ import annotations

from typing import Optional

import discord
from discord import app_commands

from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.domain.plans import Plan, check_planner
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match, find_mine
from bot.ui.interaction.registry import (
    Click,
    on_button,
    on_form,
    on_menu,
    one_field,
    opens_form,
    resumes,
)
from bot.ui.interaction.slash import LONGEST, command
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.display_names import escape
from bot.ui.pages.reply import Reply
from bot.ui.plans.plan_page import PlanPick, plan_page, route_page
from games.errors import GameError, MoveError
from games.view import Text

_LONGEST = 2000


@command(
    "plan",
    Text.of("Plan premoves and conditional moves"),
    fields={"line": Text.of("Their move, your answer, and so on; * stands for any move of theirs")},
)
async def plan(
    context: InteractionContext,
    line: Optional[app_commands.Range[str, 0, LONGEST]] = None,  # noqa: UP045
) -> Reply:
    """``/plan``: the lines of one's plan, with a new one if there is a text."""
    match = await find_mine(context, "plan")
    return await _plan(context, match, line or "")


@resumes("plan")
async def _plan(context: InteractionContext, match: Match, text: str = "") -> Reply:
    plans = context.services.plans
    if text.strip():
        return await _add(context, match.id, text)
    match, plan = await plans.plan(context.actor, match.id)
    return await plan_page(match, plan, context.presenter, context.language)


async def _add(context: InteractionContext, match_id: MatchId, text: str) -> Reply:
    """Add lines; if one is wrong, show the plan as it is and say why."""
    plans = context.services.plans
    match, plan = await plans.plan(context.actor, match_id)
    try:
        match, plan = await plans.add(context.actor, match_id, text)
    except (UserError, GameError) as error:
        lead = context.language(refusal(error, match.game))
        if isinstance(error, MoveError):
            lead = f"{escape(error.text[:40])}: {lead}"
        return await plan_page(match, plan, context.presenter, context.language, lead=lead)
    return await _kept(context, match, plan)


async def _kept(context: InteractionContext, match: Match, plan: Plan) -> Reply:
    lead = context.language.say("Saved.") if plan.lines else context.language.say("Removed.")
    return await plan_page(match, plan, context.presenter, context.language, lead=lead)


@on_button("plan")
async def plan_again(context: InteractionContext, click: Click) -> Reply:
    """**All lines**."""
    return await _plan(context, await find_match(context, click.match))


@on_button("planpick")
@on_menu("planpick")
async def plan_pick(context: InteractionContext, click: Click) -> Reply:
    """**Add a line**, **Back**, or a choice of the menu: what to pick next."""
    match = await find_match(context, click.match)
    player = check_planner(match, context.actor)
    if not match.position_since <= click.version <= match.version:
        raise UserError("position_changed", version=match.version)
    route = PlanPick.read(click.arg)
    if click.value:
        route = route.then(click.value)
    try:
        return await route_page(match, player, route, context.presenter, context.language)
    except GameError:
        raise UserError("out_of_date") from None


@on_button("plankeep")
async def plan_keep(context: InteractionContext, click: Click) -> Reply:
    """**Keep this line**."""
    moves = PlanPick.read(click.arg).moves
    return await _add(context, MatchId(click.match), " ".join(moves))


@on_form("plantyped")
async def plan_typed(context: InteractionContext, click: Click) -> Reply:
    """Lines typed into the form."""
    return await _add(context, MatchId(click.match), click.text[:_LONGEST])


@on_button("planclear")
@on_menu("plandrop")
async def plan_drop(context: InteractionContext, click: Click) -> Reply:
    """A line chosen from the menu, or **Drop all**."""
    number = click.value
    numbers = (click.arg, number or "0")
    if not all(each.isascii() and each.isdigit() and len(each) < 6 for each in numbers):
        raise UserError("out_of_date")
    match, plan = await context.services.plans.drop(
        context.actor, MatchId(click.match), int(click.arg), int(number) if number else None
    )
    return await _kept(context, match, plan)


@opens_form("plantype")
def plan_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form to type lines of a plan into."""
    language = context.language
    return one_field(
        Control("plantyped", control.match, control.version),
        language.say("Type a line"),
        language.say("Their move, your answer, and so on"),
        longest=1000,
        hint=language.say("* stands for any move of theirs. One line per row."),
    )
