"""Plans: premoves and conditional moves, for one player alone.

The picks of a new line travel in custom ids as a :class:`PlanPick`; the lines are stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Optional

import discord
from discord import app_commands

from bot.domain.game_state import GameState, board_view, game_state_of, player_at, player_on_turn
from bot.domain.ids import MatchId
from bot.domain.match import Match
from bot.errors import UserError
from bot.i18n import Language
from bot.plans.domain import ANY, Plan, PlanLine, check_planner, read_lines
from bot.plans.services import PlanService
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
from bot.ui.interaction.slash import LONGEST, command
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.components import Control, Option, Page, Reply, walk
from bot.ui.pages.display_names import escape
from bot.ui.pages.match_text import LONGEST_MOVE
from bot.ui.pages.reader import Reader
from bot.ui.play.move_picker import Menu, MovePick
from bot.ui.play.move_picker import menu as ask
from bot.ui.play.move_picker_page import choices, looked_at, specials, view_after
from games.errors import GameError, MoveError
from games.view import BoardView, Text

_PLY = "~"


@dataclass(frozen=True, slots=True)
class PlanPick:
    """The picks of a line: whole moves, and the way to the next one.

    Written ``a1~b2~e2/f3``; the part after the last ``~`` is the way.
    """

    moves: tuple[str, ...] = ()
    way: MovePick = field(default_factory=MovePick)

    def __str__(self) -> str:
        return "".join(move + _PLY for move in self.moves) + str(self.way)

    @classmethod
    def read(cls, text: str) -> PlanPick:
        """The picks of their written form. Raises :exc:`~bot.errors.UserError`."""
        *moves, way = text.split(_PLY)
        return cls(tuple(moves), MovePick.read(way))

    def then(self, value: str) -> PlanPick:
        """The picks after choosing a value of the menu."""
        return replace(self, way=self.way.then(value))

    @property
    def back(self) -> PlanPick | None:
        """One step back, None at the start."""
        if self.way.back is not None:
            return replace(self, way=self.way.back)
        return PlanPick(self.moves[:-1]) if self.moves else None


@dataclass(frozen=True, slots=True)
class _Stop:
    """The end of a route: its whole moves, the position after them, and the next question."""

    route: PlanPick
    table: GameState
    view: BoardView
    asked: Menu | None
    """None after the end of the game."""
    ours: bool
    """Whether the last move of the route is the planner's."""


def _stop(match: Match, player: int, route: PlanPick) -> _Stop:
    """Follow a route. Raises ``out_of_date`` for an impossible one."""
    table, view = game_state_of(match), board_view(match)
    ours = False
    game = table.game
    moves = list(route.moves)
    while True:
        if not moves:
            asked = _ask(table, player, route.way)
            if asked is None or asked.move is None:
                break
            moves, route = [asked.move], PlanPick((*route.moves, asked.move))
        text = moves.pop(0)
        seat = game.to_move(table.position)
        if seat is None or game.notation(table.position, game.parse(table.position, text)) != text:
            raise UserError("out_of_date")
        ours = player_at(table, seat) == player
        view = view_after(table, text)
        table = _after(table, text)
    if asked is not None:
        view = looked_at(table, asked, view)
    return _Stop(route, table, view, asked, ours)


def _after(table: GameState, move: str) -> GameState:
    game = table.game
    return GameState(game, game.play(table.position, game.parse(table.position, move)))


def _ask(table: GameState, player: int, way: MovePick) -> Menu | None:
    """The menu of moves; one for the opponents leaves room for "whatever they play"."""
    seat = table.game.to_move(table.position)
    if seat is None:
        return None
    most = ui.CHOICES if player_at(table, seat) == player else ui.CHOICES - 1
    return ask(table.game, table.position, way, most)


def _said(line: PlanLine, language: Language) -> list[str]:
    return [language.say("any move") if step.move == ANY else step.move for step in line]


def _shown(line: PlanLine, language: Language) -> str:
    """A line in words, the player's own moves in bold."""
    said = zip(line, _said(line, language), strict=True)
    return " → ".join(f"**{words}**" if step.own else words for step, words in said)


def _control(match: Match, action: str, arg: str = "") -> Control:
    return Control(action, match.id, match.version, arg)


def _line_menu(match: Match, lines: Sequence[PlanLine], language: Language) -> Any:
    options = [
        ui.Option(str(number), match_text.cut(" → ".join(_said(line, language)), 100))
        for number, line in enumerate(lines)
    ]
    prompt = language.say("Look at a line, change or remove it")
    return ui.menu(_control(match, "planline", str(match.ply)), prompt, options)


def _end_of(match: Match, line: PlanLine) -> BoardView:
    """The board after a line, up to its first unknown move."""
    table, view = game_state_of(match), board_view(match)
    for step in line:
        if step.move == ANY:
            break
        view, table = view_after(table, step.move), _after(table, step.move)
    return view


async def line_page(context: InteractionContext, match: Match, plan: Plan, number: int) -> Reply:
    """One line of a plan with the board after it."""
    line, language = plan.lines[number], context.language
    title = language.say("Line {number}", number=number + 1)
    shown = await context.reader.pictured(match, _end_of(match, line), name="plan")
    said = match_text.cut(_shown(line, language), 2500)
    items: list[ui.Part] = [ui.text(f"### {title}"), *shown, ui.text(said)]
    edit = _control(match, "planedit", f"{number}/{_PLY.join(step.move for step in line)}")
    if not edit.is_writable:
        edit = _control(match, "planedit", f"{number}/")
    drop = _control(match, "plandrop", f"{match.ply}/{number}")
    buttons = [
        ui.button(edit, language.say("Change line"), ui.PRIMARY),
        ui.button(drop, language.say("Remove line"), ui.DANGER),
        ui.button(_control(match, "plan"), language.say("Back to the plan")),
    ]
    items.extend(ui.rows(buttons))
    return Reply(title, Page(*items))


TYPED = 91
"""The component id of the typed lines of a preview."""


async def preview_page(
    match: Match, lines: Sequence[PlanLine], reader: Reader, *, instead_of: int | None = None
) -> Reply:
    """Typed lines before they are saved, with the board after the first of them.

    **Save** stores them as shown; ``instead_of`` is the number of the line they replace.
    """
    language = reader.language
    title = language.say("Save this plan?")
    typed = "\n".join(" ".join(step.move for step in line) for line in lines)
    said = "\n".join(match_text.cut(_shown(line, language), 400) for line in lines)
    shown = await reader.pictured(match, _end_of(match, lines[0]), name="plan")
    items: list[ui.Part] = [
        ui.text(f"### {title}"),
        *shown,
        ui.text(said),
        ui.text(f"```\n{typed}\n```", number=TYPED),
    ]
    number = "" if instead_of is None else str(instead_of)
    buttons = [
        ui.button(_control(match, "plansave", number), language.say("Save"), ui.SUCCESS),
        ui.button(_control(match, "plantype"), language.say("Type a line")),
        ui.button(_control(match, "plan"), language.say("Back to the plan")),
    ]
    items.extend(ui.rows(buttons))
    return Reply(title, Page(*items))


async def plan_page(match: Match, plan: Plan, reader: Reader, *, lead: str = "") -> Reply:
    """The lines of a plan, with buttons to add to it."""
    language = reader.language
    title = language.say("Your plan in {game}", game=match_text.game_name(match))
    about = language.say(
        "Only you can see it. If the game follows a line, your answer is played at once."
    )
    items: list[ui.Part] = [ui.text(f"### {title}\n{about}")]
    items += await reader.pictured(match, board_view(match), name="plan")
    if lead:
        items.append(ui.text(f"**{lead}**"))
    if plan.lines:
        listed = "\n".join(
            f"{number}. {_shown(line, language)}" for number, line in enumerate(plan.lines, 1)
        )
        items.append(ui.text(match_text.cut(listed, 2500)))
        items.append(_line_menu(match, plan.lines, language))
    else:
        items.append(ui.text(language.say("Nothing planned yet.")))
    buttons = [
        ui.button(_control(match, "planpick"), language.say("Add line"), ui.PRIMARY),
        ui.button(_control(match, "plantype"), language.say("Type a line")),
    ]
    if plan.lines:
        drop = _control(match, "planclear", str(match.ply))
        buttons.append(ui.button(drop, language.say("Remove all"), ui.DANGER))
    items.extend(ui.rows(buttons))
    return Reply(lead or title, Page(*items))


async def route_page(
    context: InteractionContext, match: Match, player: int, route: PlanPick
) -> Reply:
    """The next question, on the board as it would then be.

    Raises ``out_of_date``, and the errors of the game, for a route that is not possible.
    """
    stop, language = _stop(match, player, route), context.language
    route, game = stop.route, stop.table.game
    lines = []
    if route.moves:
        lines.append(language.say("After {moves}:", moves=" → ".join(route.moves)))
    first = []
    seat = game.to_move(stop.table.position)
    if seat is None:
        lines.append(language.say("Then the game is over."))
    elif player_at(stop.table, seat) == player and not route.moves:
        lines.append("**" + language.say("What will you play?") + "**")
    elif player_at(stop.table, seat) == player:
        lines.append("**" + language.say("What's your answer?") + "**")
    else:
        side = language(game.seats[seat].name)
        lines.append("**" + language.say("What does {side} play?", side=side) + "**")
        if route.way == MovePick():
            # No menu can list the answers to an unknown move, so a form asks for them.
            first.append(ui.Option(ANY, language.say("Whatever they play")))
    items: list[ui.Part] = [ui.text("\n".join(lines))]
    items += await context.reader.pictured(match, stop.view, name="plan")
    pick = _control(match, "planpick", str(route))
    buttons = []
    if stop.asked is not None and pick.is_writable:
        items += choices(stop.asked, pick, language, *first)
        made = _control(match, "planpick", str(PlanPick(route.moves)))
        buttons += specials(stop.asked, made, language)
    keep = _control(match, "plankeep", str(PlanPick(route.moves)))
    planned = stop.ours and (len(route.moves) > 1 or player_on_turn(match) != player)
    if planned and route.way == MovePick() and keep.is_writable:
        buttons.append(ui.button(keep, language.say("Save line"), ui.SUCCESS))
    back = None if route.back is None else _control(match, "planpick", str(route.back))
    if back is not None and back.is_writable:
        buttons.append(ui.button(back, language.say("Back")))
    buttons.append(ui.button(_control(match, "plan"), language.say("Back to the plan")))
    buttons.append(ui.button(_control(match, "plantype"), language.say("Type a line")))
    items.extend(ui.rows(buttons))
    return Reply(lines[-1], Page(*items))


_LONGEST = 2000


async def _suggest_lines(context: InteractionContext, typed: str) -> list[Option]:
    """The typed line with each legal move that can follow, in the matches around the player."""
    found = await context.services.around(context)
    lines = await gathered(found, lambda match: suggest_line(match, typed))
    return [Option(line, line) for line in lines]


@command(
    "plan",
    Text.of("Plan premoves and conditional moves"),
    fields={
        "line": Text.of("Their move, your answer, and so on; * stands for any move of theirs"),
        "match": MATCH_FIELD,
    },
    suggest={"line": _suggest_lines, "match": suggest_matches(Sought.MINE)},
    personal=True,
)
async def plan(
    context: InteractionContext,
    line: Optional[app_commands.Range[str, 0, LONGEST]] = None,  # noqa: UP045
    match: app_commands.Range[str, 0, LONGEST] = "",
) -> Reply:
    """``/plan``: the lines of one's plan, or a preview of new ones."""
    found = await meant(context, "plan", Sought.MINE, match)
    return await _plan(context, found, line or "")


@match_button("plan")
@resumes("plan")
async def _plan(context: InteractionContext, match: Match, text: str = "") -> Reply:
    """The plan in a match, also from its board and from **Back to the plan**."""
    plans = context.services.of(PlanService)
    if text.strip():
        return await _preview(context, match.id, text)
    match, plan = await plans.plan(context.actor, match.id)
    return await plan_page(match, plan, context.reader)


async def _preview(
    context: InteractionContext, match_id: MatchId, text: str, instead_of: int | None = None
) -> Reply:
    """Preview typed lines; if one is wrong, show the plan as it is and say why."""
    plans = context.services.of(PlanService)
    match, plan = await plans.plan(context.actor, match_id)
    try:
        lines = read_lines(match, plan.player, text)
    except (UserError, GameError) as error:
        return await _refused(context, match, plan, error)
    return await preview_page(match, lines, context.reader, instead_of=instead_of)


async def _refused(
    context: InteractionContext, match: Match, plan: Plan, error: UserError | GameError
) -> Reply:
    lead = context.why(error, match.game)
    if isinstance(error, MoveError):
        lead = f"{escape(error.text[:40])}: {lead}"
    return await plan_page(match, plan, context.reader, lead=lead)


async def _add(
    context: InteractionContext, match_id: MatchId, text: str, instead_of: int | None = None
) -> Reply:
    """Add lines; if one is wrong, show the plan as it is and say why."""
    plans = context.services.of(PlanService)
    try:
        match, plan = await plans.add(context.actor, match_id, text, instead_of=instead_of)
    except (UserError, GameError) as error:
        match, plan = await plans.plan(context.actor, match_id)
        return await _refused(context, match, plan, error)
    return await _kept(context, match, plan)


async def _kept(context: InteractionContext, match: Match, plan: Plan) -> Reply:
    lead = context.language.say("Saved.") if plan.lines else context.language.say("Removed.")
    return await plan_page(match, plan, context.reader, lead=lead)


@on_button("planpick")
@on_menu("planpick")
async def plan_pick(context: InteractionContext, click: Click) -> Reply:
    """**Add line**, **Back**, or a choice of the menu: the next pick."""
    match = await find_match(context, click.match)
    player = check_planner(match, context.actor)
    if not match.position_since <= click.version <= match.version:
        raise UserError("position_changed", version=match.version)
    route = PlanPick.read(click.arg)
    if click.value:
        route = route.then(click.value)
    try:
        return await route_page(context, match, player, route)
    except GameError:
        raise UserError("out_of_date") from None


@on_button("plankeep")
async def plan_keep(context: InteractionContext, click: Click) -> Reply:
    """**Save line**."""
    moves = PlanPick.read(click.arg).moves
    return await _add(context, MatchId(click.match), " ".join(moves))


@on_form("plantyped")
async def plan_typed(context: InteractionContext, click: Click) -> Reply:
    """Lines typed into the form; the argument is the number of the line they replace."""
    text = click.text[:_LONGEST]
    return await _preview(context, MatchId(click.match), text, _number(click.arg))


@on_form("planany")
async def plan_any(context: InteractionContext, click: Click) -> Reply:
    """The answer to any move at the end of the picked line, which is the argument."""
    moves = (*PlanPick.read(click.arg).moves, ANY, click.text)
    return await _preview(context, MatchId(click.match), " ".join(moves))


@on_button("plansave")
async def plan_save(context: InteractionContext, click: Click) -> Reply:
    """**Save** on the preview."""
    shown = next(
        (str(each["content"]) for each in walk(context.parts()) if each.get("id") == TYPED), ""
    ).strip("`\n")
    if not shown:
        raise UserError("out_of_date")
    return await _add(context, MatchId(click.match), shown, _number(click.arg))


def _number(text: str) -> int | None:
    """The number of a line, None if there is none."""
    if not text:
        return None
    return number_in(text, most=999)


@on_menu("planline")
async def plan_line(context: InteractionContext, click: Click) -> Reply:
    """A line chosen from the menu, with buttons to change or remove it."""
    number = _number(click.value)
    match, plan = await context.services.of(PlanService).plan(context.actor, MatchId(click.match))
    if number is None or str(match.ply) != click.arg or number >= len(plan.lines):
        raise UserError("position_changed", version=match.version)
    return await line_page(context, match, plan, number)


@on_button("planclear")
@on_button("plandrop")
async def plan_drop(context: InteractionContext, click: Click) -> Reply:
    """**Remove line**, or **Remove all**."""
    ply, _, number = click.arg.partition("/")
    match, plan = await context.services.of(PlanService).drop(
        context.actor, MatchId(click.match), number_in(ply, most=99_999), _number(number)
    )
    return await _kept(context, match, plan)


@opens_form("planpick", choice=ANY)
@opens_form("planany")
def premove_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form behind **Whatever they play**, for the answer alone."""
    language = context.language
    return one_field(
        replace(control, action="planany"),
        language.say("Whatever they play"),
        language.say("Your answer"),
        longest=LONGEST_MOVE,
    )


@opens_form("plantype", "planedit", "plantyped")
def line_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form to type lines of a plan, or to change one."""
    language = context.language
    number, _, line = control.arg.partition("/")
    return one_field(
        Control("plantyped", control.match, control.version, number),
        language.say("Change line") if number else language.say("Type a line"),
        language.say("Their move, your answer, and so on"),
        longest=1000,
        hint=language.say("* stands for any move of theirs. One line per row."),
        value=line.replace("~", " "),
    )
