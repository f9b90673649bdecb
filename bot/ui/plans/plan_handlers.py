"""Planning moves ahead: only ever for the one who plans."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

import discord
from discord import app_commands

from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.domain.plans import ANY, Plan, check_planner
from bot.errors import UserError
from bot.services.suggestions import gathered, suggest_line
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import (
    MATCH_FIELD,
    Sought,
    find_match,
    match_button,
    meant,
    suggest_matches,
)
from bot.ui.interaction.registry import (
    Click,
    number_in,
    on_button,
    on_form,
    on_menu,
    one_field,
    opens_form,
    resumes,
)
from bot.ui.interaction.slash import LONGEST, command, suggests
from bot.ui.pages.components import Control, Reply, Suggestion, walk
from bot.ui.pages.display_names import escape
from bot.ui.pages.match_text import LONGEST_MOVE
from bot.ui.plans.plan_page import (
    TYPED,
    PlanPick,
    line_page,
    plan_page,
    preview_page,
    route_page,
)
from games.errors import GameError, MoveError
from games.view import Text

_LONGEST = 2000


@command(
    "plan",
    Text.of("Plan premoves and conditional moves"),
    fields={
        "line": Text.of("Their move, your answer, and so on; * stands for any move of theirs"),
        "match": MATCH_FIELD,
    },
    suggest={"match": suggest_matches(Sought.MINE)},
    personal=True,
)
async def plan(
    context: InteractionContext,
    line: Optional[app_commands.Range[str, 0, LONGEST]] = None,  # noqa: UP045
    match: app_commands.Range[str, 0, LONGEST] = "",
) -> Reply:
    """``/plan``: the lines of one's plan, with a new one if there is a text."""
    found = await meant(context, "plan", Sought.MINE, match)
    return await _plan(context, found, line or "")


@suggests("plan", "line")
async def suggest_lines(
    context: InteractionContext, typed: str, _given: app_commands.Namespace
) -> list[Suggestion]:
    """The line so far with each legal move that can follow, in the matches around the player."""
    found = await context.services.around(context)
    lines = await gathered(found, lambda match: suggest_line(match, typed))
    return [Suggestion(line, line) for line in lines]


@resumes("plan")
async def _plan(context: InteractionContext, match: Match, text: str = "") -> Reply:
    plans = context.services.plans
    if text.strip():
        return await _preview(context, match.id, text)
    match, plan = await plans.plan(context.actor, match.id)
    return await plan_page(match, plan, context.presenter, context.language)


async def _preview(
    context: InteractionContext, match_id: MatchId, text: str, instead_of: int | None = None
) -> Reply:
    """Show typed lines before they are kept; if one is wrong, the plan as it is and say why."""
    plans = context.services.plans
    match, plan = await plans.plan(context.actor, match_id)
    try:
        match, _player, lines = await plans.read(context.actor, match_id, text)
    except (UserError, GameError) as error:
        return await _refused(context, match, plan, error)
    return await preview_page(
        match, lines, context.presenter, context.language, instead_of=instead_of
    )


async def _refused(
    context: InteractionContext, match: Match, plan: Plan, error: UserError | GameError
) -> Reply:
    lead = context.why(error, match.game)
    if isinstance(error, MoveError):
        lead = f"{escape(error.text[:40])}: {lead}"
    return await plan_page(match, plan, context.presenter, context.language, lead=lead)


async def _add(
    context: InteractionContext, match_id: MatchId, text: str, instead_of: int | None = None
) -> Reply:
    """Add lines; if one is wrong, show the plan as it is and say why."""
    plans = context.services.plans
    match, plan = await plans.plan(context.actor, match_id)
    try:
        match, plan = await plans.add(context.actor, match_id, text, instead_of=instead_of)
    except (UserError, GameError) as error:
        return await _refused(context, match, plan, error)
    return await _kept(context, match, plan)


async def _kept(context: InteractionContext, match: Match, plan: Plan) -> Reply:
    lead = context.language.say("Saved.") if plan.lines else context.language.say("Removed.")
    return await plan_page(match, plan, context.presenter, context.language, lead=lead)


@match_button("plan")
async def plan_again(context: InteractionContext, match: Match) -> Reply:
    """**Back to the plan**."""
    return await _plan(context, match)


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
    """Lines typed into the form; the argument is the number of the line that they replace."""
    text = click.text[:_LONGEST]
    return await _preview(context, MatchId(click.match), text, _number(click.arg))


@on_form("planany")
async def plan_any(context: InteractionContext, click: Click) -> Reply:
    """The answer to whatever is played at the end of the line picked so far, the argument."""
    moves = (*PlanPick.read(click.arg).moves, ANY, click.text)
    return await _preview(context, MatchId(click.match), " ".join(moves))


@on_button("plansave")
async def plan_save(context: InteractionContext, click: Click) -> Reply:
    """**Save** on the preview: the lines that it shows."""
    shown = next(
        (str(each["content"]) for each in walk(context.parts()) if each.get("id") == TYPED), ""
    ).strip("`\n")
    if not shown:
        raise UserError("out_of_date")
    return await _add(context, MatchId(click.match), shown, _number(click.arg))


def _number(text: str) -> int | None:
    """The number of a line in an argument, None if there is none."""
    if not text:
        return None
    return number_in(text, most=999)


@on_menu("planline")
async def plan_line(context: InteractionContext, click: Click) -> Reply:
    """A line chosen from the menu: show it, with what can be done about it."""
    number = _number(click.value)
    match, plan = await context.services.plans.plan(context.actor, MatchId(click.match))
    if number is None or str(match.ply) != click.arg or number >= len(plan.lines):
        raise UserError("position_changed", version=match.version)
    return await line_page(match, plan, number, context.presenter, context.language)


@on_button("planclear")
@on_button("plandrop")
async def plan_drop(context: InteractionContext, click: Click) -> Reply:
    """**Remove line** with the number of the line, or **Remove all**."""
    ply, _, number = click.arg.partition("/")
    match, plan = await context.services.plans.drop(
        context.actor, MatchId(click.match), number_in(ply, most=99_999), _number(number)
    )
    return await _kept(context, match, plan)


@opens_form("planpick", choice=ANY)
@opens_form("planany")
def premove_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form behind **Whatever they play**: it asks for the answer alone."""
    language = context.language
    return one_field(
        replace(control, action="planany"),
        language.say("Whatever they play"),
        language.say("Your answer"),
        longest=LONGEST_MOVE,
    )


@opens_form("plantype", "planedit", "plantyped")
def line_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form to type lines of a plan into, or to change one, which it holds as it is."""
    language = context.language
    number, _, line = control.arg.partition("/")
    return one_field(
        Control("plantyped", control.match, control.version, number),
        language.say("Change line") if number else language.say("Type a line"),
        language.say("Their move, your answer, and so on"),
        longest=1000,
        hint=language.say("* stands for any move of theirs. One line per row."),
        begun=line.replace("~", " "),
    )
