"""The **Make a move** panel as a message: question, choices, preview, confirmation."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import discord

from bot.domain.game_state import GameState, board_view, game_state_of
from bot.domain.match import Match
from bot.i18n import Language
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import number_in, one_field
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.match_text import LONGEST_MOVE, as_written
from bot.ui.pages.reader import Reader
from bot.ui.play.move_picker import (
    Menu,
    MovePick,
    PickLostError,
    menu,
    notes_of,
    question_after,
    question_before,
)
from games.view import BoardView, Marks, Text

QUESTION_COLOUR = 0x4F7CAC
RIGHT_COLOUR = 0x3F9C5A
WRONG_COLOUR = 0xC98A2B
"""The colours of a task: before a move, and after a right or a wrong one."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A position by its number, and the picks made there: ``12`` or ``12/e2``."""

    at: int
    way: MovePick = field(default_factory=MovePick)

    @classmethod
    def read(cls, arg: str) -> Spot:
        """The spot in a control's argument. Raises ``out_of_date``."""
        number, _, way = arg.partition("/")
        return cls(number_in(number, most=999_999), MovePick.read(way))

    def __str__(self) -> str:
        return f"{self.at}/{self.way}".removesuffix("/")

    @property
    def back(self) -> Spot | None:
        """The spot one pick before, if any."""
        return None if self.way.back is None else Spot(self.at, self.way.back)


def asked_at(table: GameState, way: MovePick) -> Menu:
    """The question to which a way leads. Raises ``out_of_date``."""
    return menu(table.game, table.position, way)


def way_to(table: GameState, words: str) -> MovePick:
    """The way to a typed move. Raises :exc:`games.errors.MoveError`."""
    return MovePick(table.game.steps(table.position, table.game.parse(table.position, words)))


def view_after(table: GameState, words: str) -> BoardView:
    """The board after a move, with the move marked."""
    game, position = table.game, table.position
    move = game.parse(position, words)
    return game.view(game.play(position, move), None).with_marks(game.marks(position, move))


def in_words(table: GameState, words: str, language: Language) -> list[str]:
    """A legal move in words, as a line below it; none for a move that is a word itself.

    A player who is new to a game can't read its notation yet.
    """
    game, position = table.game, table.position
    if words in game.info.spoken:
        return []
    notes = notes_of(game, position, game.parse(position, words))
    return ["-# " + " · ".join(language(note) for note in notes)]


def move_form(context: InteractionContext, control: Control) -> discord.ui.Modal:
    """The form for a typed move; that of ``puztype`` comes back as ``puztyped``, as does its own.

    With a game as its argument it shows how moves of that game are written.
    """
    language = context.language
    info = match_text.info_of(control.arg)
    return one_field(
        replace(control, action=f"{control.action.removesuffix('d')}d"),
        language.say("Type a move"),
        language.say("Your move"),
        longest=LONGEST_MOVE,
        example=None if info is None else info.move_hint,
    )


def looked_at(table: GameState, asked: Menu, standing: BoardView | None = None) -> BoardView:
    """The board with the picks so far, or after a whole move."""
    if asked.move is not None:
        return view_after(table, asked.move)
    standing = standing or table.game.view(table.position, None)
    targets = () if asked.columns else standing.named(asked.targets)
    return standing.with_marks(Marks(selected=standing.named(asked.selected), targets=targets))


def question(table: GameState, asked: Menu, language: Language, *, plays_all: bool = False) -> str:
    """The question of a menu to the player on turn, or to one who moves for all sides."""
    side = match_text.side_to_move(table, language)
    if asked.said and asked.choices and not asked.columns:
        picked = " · ".join(language(text) for text in asked.said)
        return language.say("{picked}: where to?", picked=picked)
    if plays_all:
        return language.say("{side} to move.", side=side)
    if asked.columns:
        return language.say("You play {side}. Which column is your move in?", side=side)
    if not asked.choices:
        return language.say("You play {side}. What's your move?", side=side)
    if asked.way.singly:
        return language.say("You play {side}. Pick a piece to see where it can go.", side=side)
    return language.say("You play {side}. What's your move?", side=side)


MOST_ROWS = 6
"""Rows of 25 buttons, which leave room on the page."""
JOINT = "~"
"""Between the question and the choice in an argument."""


def choice_buttons(asked: Menu, control: Control, language: Language) -> list[ui.Row]:
    """The buttons to choose from. Each carries the question, for **Back**."""
    return ui.grid(
        [
            ui.button(
                replace(control, arg=f"{control.arg}{JOINT}{choice.value}"), language(choice.short)
            )
            for choice in asked.choices
        ],
        MOST_ROWS,
    )


def choices(asked: Menu, control: Control, language: Language, *first: ui.Option) -> list[ui.Part]:
    """The menu to choose from, with the lines of ``first`` before those of the moves.

    None if a custom id can't hold the picks.
    """
    if not (asked.choices and control.is_writable):
        return []
    prompt = language.say("Choose a column") if asked.columns else language.say("Choose your move")
    options = []
    for choice in asked.choices:
        notes = " · ".join(language(note) for note in choice.notes)
        options.append(ui.Option(choice.value, language(choice.label), notes or None))
    return [ui.menu(control, prompt, [*first, *options])]


def back_button(
    action: str, spot: Spot, language: Language, match: str = ui.NO_MATCH
) -> list[ui.Button]:
    """**Back** to the pick before, if there is one and a custom id holds it."""
    back = Control(action, match, arg=str(spot.back or spot))
    if spot.back is None or not back.is_writable:
        return []
    return [ui.button(back, language.say("Back"))]


def specials(asked: Menu, control: Control, language: Language) -> list[ui.Button]:
    """Buttons for moves that are no place on the board; each adds its way to the control's."""
    return [
        ui.button(replace(control, arg=f"{control.arg}{asked.way.then(choice.value)}"), said)
        for choice in asked.specials
        if (said := language(choice.label))
    ]


def play_label(match: Match, move: str, language: Language) -> str:
    """The label of a button that plays a move."""
    spoken = match_text.spoken(match.game, move)
    return language.say("Play {move}", move=move) if spoken is None else language(spoken.label)


async def panel(
    match: Match,
    way: MovePick,
    reader: Reader,
    *,
    came_from: MovePick | None = None,
    primer: Text | None = None,
    without: bool = False,
) -> Reply:
    """The question, or the whole move to confirm.

    ``came_from`` is the question before this one, for **Back**; ``primer`` explains the choice;
    ``without`` offers to skip the preview from now on. Raises :exc:`PickLostError`.
    """
    table, language = game_state_of(match), reader.language
    asked = question_after(table.game, table.position, way)
    view = looked_at(table, asked, board_view(match))
    picture = await reader.picture(match, view, name="preview")
    spoken = None if asked.move is None else match_text.spoken(match.game, asked.move)
    if spoken is not None:
        said = language.say("{move}? The board will look like this.", move=language(spoken.label))
    elif asked.move is not None:
        said = language.say("Play {move}? The board will look like this.", move=asked.move)
    else:
        said = question(table, asked, language)

    items: list[ui.Part] = [ui.text(f"**{said}**")]
    if asked.move is not None:
        items += [ui.text(line) for line in in_words(table, asked.move, language)]
    if picture is not None:
        items.append(ui.gallery(picture))
    elif asked.move is None:
        items.append(ui.text(await reader.text(match, board_view(match))))

    if primer is not None:
        items.append(ui.text(language(primer)))

    def control(action: str, arg: MovePick | None = None) -> Control:
        return Control(action, match.id, match.version, "" if arg is None else str(arg))

    buttons = []
    if asked.move is not None:
        label = play_label(match, asked.move, language)
        buttons.append(ui.button(control("play", asked.way), label, ui.SUCCESS))
        if without:
            skip = language.say("Play without preview")
            buttons.append(ui.button(control("playfast", asked.way), skip))
            offered = language.say(
                "Without the preview, a picked move is played at once. /settings brings it back."
            )
            items.append(ui.text(f"-# {offered}"))
    elif asked.choices:
        items.extend(choice_buttons(asked, control("pick", asked.way), language))
    buttons += specials(asked, control("way"), language)
    back = came_from
    if back is None:
        back = question_before(table.game, table.position, asked.way)
    if back is not None:
        buttons.append(ui.button(control("way", back), language.say("Back")))
    if asked.singly is not None:
        buttons.append(ui.button(control("way", asked.singly), language.say("Show targets")))
    if asked.move is None:
        typing = Control("type", match.id, match.version, match.game)
        buttons.append(ui.button(typing, language.say("Type a move"), ui.PRIMARY))
    items.extend(ui.rows(buttons))
    return Reply(said, Page(*items))


def primer_of(match: Match, way: MovePick) -> tuple[str, Text] | None:
    """The explanation of a peculiar choice: its name in settings, and its words."""
    table = game_state_of(match)
    asked = question_after(table.game, table.position, way)
    if asked.move is not None:
        return None
    key = table.game.primer(table.position, asked.way.picks)
    return None if key is None else (f"{match.game}.{key}", table.game.info.primers[key])


def whole_move(table: GameState, way: MovePick) -> str | None:
    """The move at the end of a way, or the only one it leads to; None if there is a choice."""
    try:
        return question_after(table.game, table.position, way).move
    except PickLostError:
        return None


def read_move(table: GameState, typed: str, language: Language) -> str:
    """The notation of a typed move. Raises :exc:`games.errors.MoveError`."""
    game = table.game
    move = game.parse(table.position, as_written(game.info.key, typed, language))
    return game.notation(table.position, move)
