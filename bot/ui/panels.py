"""The **Make a move** panel as a message: question, menu, preview, confirmation."""

from __future__ import annotations

from typing import Any

import discord

from bot.domain.match import Match
from bot.domain.table import Table, table_of
from bot.i18n import Language
from bot.ui.answers import Page, Reply
from bot.ui.controls import Control
from bot.ui.panel import Choice, Menu, Way, WayLostError, menu
from bot.ui.parts import PRIMARY, SUCCESS, Option, button, gallery, rows
from bot.ui.parts import menu as menu_row
from bot.ui.scene import Stage, board_view
from games.api import Game, Seat
from games.view import BoardView, Marks

__all__ = ["panel", "whole_move"]


def _view(match: Match, table: Table, asked: Menu) -> BoardView:
    """The board with the picks so far, or as it will be after a whole move."""
    if asked.move is not None:
        move = table.game.parse(table.position, asked.move)
        after = table.game.play(table.position, move)
        return table.game.view(after, None).with_marks(table.game.marks(table.position, move))
    view = board_view(match)
    targets = () if asked.columns else view.named(asked.targets)
    return view.with_marks(Marks(selected=view.named(asked.selected), targets=targets))


def _option(choice: Choice, language: Language) -> Option:
    note = language(choice.note) if choice.note is not None else None
    return Option(choice.value, language(choice.label), note)


async def panel(
    match: Match,
    seat: Seat,
    way: Way,
    stage: Stage,
    language: Language,
    *,
    came_from: Way | None = None,
) -> Reply:
    """What to ask, or the whole move to confirm, for somebody who has come that way.

    ``came_from`` is the question before this one, to which **Back** leads. Raises
    :exc:`bot.ui.panel.WayLostError` if the way leads nowhere in the present position.
    """
    table = table_of(match)
    asked = menu(table.game, table.position, way)
    picture = await stage.picture(match, _view(match, table, asked), language, name="preview")
    side = language(table.game.seats[seat].name)
    if asked.move is not None:
        question = language.say("Play {move}? This is how the board will look.", move=asked.move)
    elif asked.columns:
        question = language.say("You play {side}. In which column is your move?", side=side)
    elif way.picks:
        picked = ", ".join(way.picks)
        question = language.say("You have picked {picked}. And then?", picked=picked)
    else:
        question = language.say("You play {side}. What is your move?", side=side)

    items: list[discord.ui.Item[Any]] = [discord.ui.TextDisplay(f"**{question}**")]
    if picture is not None:
        items.append(gallery(picture))
    elif asked.move is None:
        items.append(discord.ui.TextDisplay(await stage.text(match, board_view(match), language)))

    def control(action: str, arg: Way | None = None) -> Control:
        return Control(action, match.id, match.version, "" if arg is None else str(arg))

    buttons = []
    if asked.move is not None:
        buttons.append(
            button(control("play", way), language.say("Play {move}", move=asked.move), SUCCESS)
        )
    else:
        options = [_option(choice, language) for choice in asked.choices]
        prompt = (
            language.say("Choose a column") if asked.columns else language.say("Choose your move")
        )
        items.append(menu_row(control("pick", way), prompt, options))
    back = came_from if came_from is not None else way.back
    if back is not None:
        buttons.append(button(control("way", back), language.say("Back")))
    if asked.move is None:
        buttons.append(button(control("type"), language.say("Type a move"), PRIMARY))
    items.extend(rows(buttons))
    files = (picture.file,) if picture is not None else ()
    return Reply(question, Page(*items), files)


def whole_move(
    game: Game[Any, Any],
    position: Any,
    way: Way,
) -> str | None:
    """The move at the end of a way, None if it leads to none."""
    try:
        return menu(game, position, way).move
    except WayLostError:
        return None
