"""The analysis board: any position of a match that is over, moves tried from there for all sides.

Where a player is travels in the custom ids: the ply, the moves tried as numbers among the legal
ones, and what has been picked of the next. Nothing is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any

from bot.domain.game_state import GameState
from bot.domain.hints import Found
from bot.domain.playthrough import Playthrough
from bot.errors import UserError
from bot.i18n import Language
from bot.ui.computers.hint_page import move_words
from bot.ui.pages import match_text
from bot.ui.pages.components import (
    PRIMARY,
    Button,
    Control,
    Page,
    Part,
    Reply,
    button,
    container,
    rows,
    text,
)
from bot.ui.pages.presenter import BoardPresenter
from bot.ui.play.move_picker import Menu, MovePick, menu
from bot.ui.play.move_picker_page import choices, looked_at, question

_COLOUR = 0x6F6AA8
_MOST_TRIED = 20
"""As many as the custom id of a menu holds."""
_SHOWN = 3
_SPOT = re.compile(r"(?P<ply>[0-9]{1,4})(?P<tried>(?:\.[0-9]{1,4})*)(?:/(?P<way>.*))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class AnalysisState:
    """A position: after so many moves of the match, then the ``tried`` ones, each as a number."""

    ply: int
    tried: tuple[int, ...] = ()
    way: MovePick = field(default_factory=MovePick)

    @classmethod
    def read(cls, arg: str) -> AnalysisState:
        """What a control's argument says; :exc:`~bot.errors.UserError` (``out_of_date``)."""
        found = _SPOT.fullmatch(arg)
        if found is None:
            raise UserError("out_of_date")
        way = MovePick.read(found["way"] or "")
        tried = tuple(int(each) for each in found["tried"].split(".")[1:])
        return cls(int(found["ply"]), tried[:_MOST_TRIED], way)

    def write(self) -> str:
        """The spot as an argument."""
        way = str(self.way)
        tried = "".join(f".{each}" for each in self.tried)
        return f"{self.ply}{tried}" + (f"/{way}" if way else "")


@dataclass(frozen=True, slots=True)
class AnalysisBoard:
    """The position of a spot, and the moves tried that led there from the match.

    ``line`` has all positions of the match, then those after the moves tried.
    """

    played: Playthrough
    table: GameState
    line: tuple[Hashable, ...]
    notations: tuple[str, ...]
    before: Any
    last: Any

    @classmethod
    def at(cls, played: Playthrough, spot: AnalysisState) -> AnalysisBoard:
        """The position of a spot; ``out_of_date`` if it leads nowhere."""
        if spot.ply > played.plies:
            raise UserError("out_of_date")
        game, position = played.table.game, played.positions[spot.ply]
        before = played.positions[spot.ply - 1] if spot.ply else None
        last = played.moves[spot.ply - 1] if spot.ply else None
        notations, line = [], list(played.positions)
        for number in spot.tried:
            moves = list(game.legal_moves(position))
            if number >= len(moves):
                raise UserError("out_of_date")
            before, last = position, moves[number]
            notations.append(game.notation(position, last))
            position = game.play(position, last)
            line.append(position)
        table = GameState(game, position)
        return cls(played, table, tuple(line), tuple(notations), before, last)

    @property
    def is_over(self) -> bool:
        """Whether there is no move to try."""
        return self.table.game.to_move(self.table.position) is None

    def number_of(self, move: str) -> int:
        """The number of a legal move in canonical notation."""
        game, position = self.table.game, self.table.position
        moves = [game.notation(position, each) for each in game.legal_moves(position)]
        return moves.index(move)

    def asked(self, way: MovePick) -> Menu:
        """What to ask on that way; ``out_of_date`` if it leads nowhere."""
        return menu(self.table.game, self.table.position, way)


async def analysis_page(
    board: AnalysisBoard,
    spot: AnalysisState,
    presenter: BoardPresenter,
    language: Language,
    *,
    found: Found | None = None,
    lead: str = "",
) -> Reply:
    """The page of a spot; ``found`` is what the engine thinks of it, if that was asked for."""
    match, game = board.played.match, board.table.game
    title = language.say("Analysis of {game}", game=match_text.game_name(match))
    place = language.say("Move {number}", number=spot.ply) if spot.ply else language.say("Start")
    line = " · ".join((place, *board.notations))
    items: list[Part] = [text(f"### {title}\n{line}")]
    view = game.view(board.table.position, None)
    if board.last is not None:
        view = view.with_marks(game.marks(board.before, board.last))
    is_full = len(spot.tried) >= _MOST_TRIED
    asked = None if board.is_over or is_full else board.asked(spot.way)
    if asked is not None and spot.way != MovePick():
        view = looked_at(game, board.table.position, asked, view)
    board_part, files = await presenter.part(match, view, language, name="analysis")
    items.append(board_part)
    if lead:
        items.append(text(f"**{lead}**"))
    if found is not None:
        items.append(text(_view(board, found, language)))
    controls: list[Part] = []
    if board.is_over:
        items.append(text(language.say("The game is over here.")))
    elif asked is None:
        items.append(text(language.say("That's as far as a line can go. Undo a move to go on.")))
    else:
        seat = game.to_move(board.table.position)
        assert seat is not None  # noqa: S101 - it is not over
        position = board.table.position
        items.append(text(question(game, position, seat, asked, language, plays_all=True)))
        control = Control("anpick", match.id, arg=spot.write())
        if control.is_writable:
            controls.append(choices(asked, control, language))
    page = Page(
        container(*items, colour=_COLOUR), *controls, *rows(_buttons(board, spot, language))
    )
    return Reply(title, page, files)


def _view(board: AnalysisBoard, found: Found, language: Language) -> str:
    """What the engine thinks: its best moves with values, and how they may go on."""
    match = board.played.match
    lines = [language.say("The computer's view, for the player to move:")]
    for each in found.moves[:_SHOWN]:
        chance = f"{round(100 * each.value)} %"
        if each.proof is not None:
            chance = {
                "win": language.say("wins"),
                "draw": language.say("draws"),
                "loss": language.say("loses"),
            }[each.proof]
        then = " ".join(each.line[1:5])
        words = f"{move_words(match, each.move, language)} {chance}"
        lines.append(f"{words} ({then})" if then else words)
    return "\n".join(lines)


def _buttons(board: AnalysisBoard, spot: AnalysisState, language: Language) -> list[Button]:
    match = board.played.match
    start = replace(spot, way=MovePick())

    def control(action: str, where: AnalysisState) -> Control:
        return Control(action, match.id, arg=where.write())

    shown = []
    if spot.way != MovePick():
        back = replace(spot, way=spot.way.back or MovePick())
        shown.append(button(control("anback", back), language.say("Back")))
    if not board.is_over:
        shown.append(button(control("anview", start), language.say("Computer's view"), PRIMARY))
        shown.append(button(control("antype", start), language.say("Type a move")))
    if spot.tried:
        undone = replace(start, tried=spot.tried[:-1])
        shown.append(button(control("anundo", undone), language.say("Undo")))
    elif spot.ply:
        earlier = replace(start, ply=spot.ply - 1)
        shown.append(button(control("anundo", earlier), language.say("Previous")))
    shown.append(
        button(Control("past", match.id, match.version, f"{spot.ply}.p"), language.say("History"))
    )
    return [each for each in shown if len(each["custom_id"]) <= 100]
