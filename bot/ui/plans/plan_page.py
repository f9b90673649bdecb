"""The pages of a plan: its lines, and picking a new one move by move.

What has been picked so far travels in the custom ids as a :class:`PlanPick`, and the lines
themselves are stored, so nothing is remembered here. All of it is private.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.domain.game_state import GameState, board_view, game_state_of, player_at, player_on_turn
from bot.domain.match import Match
from bot.domain.plans import ANY, Plan, PlanLine
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.presenter import BoardPresenter
from bot.ui.play.move_picker import Menu, MovePick
from bot.ui.play.move_picker import menu as ask
from bot.ui.play.move_picker_page import choices, looked_at, specials, view_after
from games.view import BoardView

_PLY = "~"


@dataclass(frozen=True, slots=True)
class PlanPick:
    """How far a player has come in picking a line: whole moves, and the way to the next one.

    Written ``a1~b2~e2/f3``; the part after the last ``~`` is the way.
    """

    moves: tuple[str, ...] = ()
    way: MovePick = field(default_factory=MovePick)

    def __str__(self) -> str:
        return "".join(move + _PLY for move in self.moves) + str(self.way)

    @classmethod
    def read(cls, text: str) -> PlanPick:
        """The route of its written form; :exc:`~bot.errors.UserError` if it is none."""
        *moves, way = text.split(_PLY)
        return cls(tuple(moves), MovePick.read(way))

    def then(self, value: str) -> PlanPick:
        """The route after choosing the value of a menu."""
        return replace(self, way=self.way.then(value))

    @property
    def back(self) -> PlanPick | None:
        """One step back, None at the start."""
        if self.way.back is not None:
            return replace(self, way=self.way.back)
        return PlanPick(self.moves[:-1]) if self.moves else None


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where a route has led: whole moves only, the position after them, and what to ask there."""

    route: PlanPick
    table: GameState
    view: BoardView
    asked: Menu | None
    """None after the end of the game."""
    ours: bool
    """Whether the last move of the route is the planner's."""


def _stop(match: Match, player: int, route: PlanPick) -> _Stop:
    """Follow a route; ``out_of_date`` if it leads nowhere in this position."""
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
    """The menu of moves; one of the others' moves leaves room for "whatever they play"."""
    seat = table.game.to_move(table.position)
    if seat is None:
        return None
    most = ui.CHOICES if player_at(table, seat) == player else ui.CHOICES - 1
    return ask(table.game, table.position, way, most)


def _said(line: PlanLine, language: Language) -> list[str]:
    """The moves of a line, with words for a move that can be any."""
    return [language.say("any move") if step.move == ANY else step.move for step in line]


def _shown(line: PlanLine, language: Language) -> str:
    """A line in words: what the others play, and in bold what is answered."""
    said = zip(line, _said(line, language), strict=True)
    return " → ".join(f"**{words}**" if step.own else words for step, words in said)


def _control(match: Match, action: str, arg: str = "") -> Control:
    return Control(action, match.id, match.version, arg)


def written_line(line: PlanLine) -> str:
    """A line as one types it."""
    return " ".join(step.move for step in line)


def _line_menu(match: Match, lines: Sequence[PlanLine], language: Language) -> Any:
    options = [
        ui.Option(str(number), match_text.cut(" → ".join(_said(line, language)), 100))
        for number, line in enumerate(lines)
    ]
    prompt = language.say("Look at a line, change or remove it")
    return ui.menu(_control(match, "planline", str(match.ply)), prompt, options)


def _end_of(match: Match, line: PlanLine) -> BoardView:
    """The board after a line, as far as it foresees everything."""
    table, view = game_state_of(match), board_view(match)
    for step in line:
        if step.move == ANY:
            break
        view, table = view_after(table, step.move), _after(table, step.move)
    return view


async def line_page(
    match: Match, plan: Plan, number: int, presenter: BoardPresenter, language: Language
) -> Reply:
    """One line of a plan with the board after it, and what can be done about it."""
    line = plan.lines[number]
    title = language.say("Line {number}", number=number + 1)
    shown = await presenter.pictured(match, _end_of(match, line), language, name="plan")
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
"""The component id of the words that hold the typed lines of a preview."""


async def preview_page(
    match: Match,
    lines: Sequence[PlanLine],
    presenter: BoardPresenter,
    language: Language,
    *,
    instead_of: int | None = None,
) -> Reply:
    """Typed lines before they are kept, with the board after the first of them.

    They are kept as they stand there; ``instead_of`` is the number of the line they replace.
    """
    title = language.say("Save this plan?")
    typed = "\n".join(written_line(line) for line in lines)
    said = "\n".join(match_text.cut(_shown(line, language), 400) for line in lines)
    shown = await presenter.pictured(match, _end_of(match, lines[0]), language, name="plan")
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


async def plan_page(
    match: Match, plan: Plan, presenter: BoardPresenter, language: Language, *, lead: str = ""
) -> Reply:
    """The lines of a plan, with buttons to add to it."""
    title = language.say("Your plan in {game}", game=match_text.game_name(match))
    about = language.say(
        "Only you can see it. If the game follows a line, your answer is played at once."
    )
    items: list[ui.Part] = [ui.text(f"### {title}\n{about}")]
    items += await presenter.pictured(match, board_view(match), language, name="plan")
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
    match: Match, player: int, route: PlanPick, presenter: BoardPresenter, language: Language
) -> Reply:
    """What to pick next, on the board as it would then be.

    Raises :exc:`~bot.errors.UserError` (``out_of_date``) and what the game raises of a route that
    leads nowhere.
    """
    stop = _stop(match, player, route)
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
            # No menu can list the answers to a move that is not known, so a form asks for them.
            first.append(ui.Option(ANY, language.say("Whatever they play")))
    items: list[ui.Part] = [ui.text("\n".join(lines))]
    items += await presenter.pictured(match, stop.view, language, name="plan")
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
