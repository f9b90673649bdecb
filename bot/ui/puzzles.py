"""``/puzzle``: the puzzle of the day, solved in private; and posted in a channel every day."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from discord import app_commands

from bot.domain.game_state import game_of
from bot.domain.ids import GuildId
from bot.domain.preferences import ServerSettings
from bot.domain.puzzles import Attempt, PuzzleState, puzzle_of, shown, squares, strength_of, tried
from bot.domain.quiet_hours import find_zone
from bot.errors import UserError
from bot.i18n import Language
from bot.services.puzzles import PuzzleRecord
from bot.store.errors import StoreUnavailable
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import managed
from bot.ui.interaction.registry import (
    PRIVATE,
    Click,
    on_button,
    on_form,
    on_menu,
    opens_form,
)
from bot.ui.interaction.slash import LONGEST, command, suggests
from bot.ui.pages import match_text
from bot.ui.pages.components import (
    DANGER,
    PRIMARY,
    SUCCESS,
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
from bot.ui.play.move_names import as_written
from bot.ui.play.move_picker import Menu, MovePick, menu
from bot.ui.play.move_picker_page import (
    QUESTION_COLOUR,
    RIGHT_COLOUR,
    WRONG_COLOUR,
    choices,
    in_words,
    looked_at,
    move_form,
    question,
    view_after,
)
from bot.ui.rest import may_post
from bot.ui.settings.setting_handlers import SERVER, zones_suggested
from engines.puzzle_book import Puzzle
from games.api import Game
from games.errors import MoveError
from games.view import BoardView, Text

_SPOT = re.compile(r"(?P<number>[0-9]{1,6})(?:/(?P<way>.*))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class PuzzlePick:
    """Which puzzle a player is at, and what they have picked so far."""

    number: int
    way: MovePick = field(default_factory=MovePick)

    @classmethod
    def read(cls, arg: str) -> PuzzlePick:
        """What a control's argument says; :exc:`~bot.errors.UserError` (``out_of_date``)."""
        found = _SPOT.fullmatch(arg)
        if found is None or int(found["number"]) < 1:
            raise UserError("out_of_date")
        return cls(int(found["number"]), MovePick.read(found["way"] or ""))

    def write(self) -> str:
        """The spot as an argument."""
        way = str(self.way)
        return f"{self.number}" + (f"/{way}" if way else "")


@dataclass(frozen=True, slots=True)
class PuzzleBoard:
    """A puzzle with all that is needed to work on it."""

    puzzle: Puzzle
    game: Game[Any, Any]
    position: Any

    @classmethod
    def of(cls, number: int) -> PuzzleBoard:
        """The puzzle of that number."""
        puzzle = puzzle_of(number)
        game = game_of(puzzle.game, puzzle.options)
        return cls(puzzle, game, game.decode(puzzle.state))

    def asked(self, way: MovePick) -> Menu:
        """What to ask on that way; ``out_of_date`` if it leads nowhere."""
        return menu(self.game, self.position, way)

    def way_to(self, words: str) -> MovePick:
        """The way to a move as a person writes it. Raises :exc:`games.errors.MoveError`."""
        move = self.game.parse(self.position, words)
        return MovePick(self.game.steps(self.position, move))


async def puzzle_page(
    spot: PuzzlePick,
    record: PuzzleRecord,
    presenter: BoardPresenter,
    language: Language,
    *,
    lead: str = "",
    wrong: bool = False,
) -> Reply:
    """The page; ``lead`` is said first, ``wrong`` that it is about a wrong move."""
    board = PuzzleBoard.of(spot.number)
    asked = board.asked(spot.way)
    over = record.attempt.state is not PuzzleState.OPEN
    view = board.game.view(board.position, None)
    view = _after(board) if over else looked_at(board.game, board.position, asked, view)
    shown = await presenter.plain_part(view, language, name="puzzle")
    # The task stands below the picture, as in lessons: a phone shows the end of a long message.
    items = [text(_heading(spot.number, board, language)), shown]
    if not over:
        items.append(text(_task(board, language)))
    if lead:
        items.append(text(f"**{lead}**"))
    controls: list[Part] = []
    colour = WRONG_COLOUR if wrong else QUESTION_COLOUR
    if over:
        colour = RIGHT_COLOUR
        items.append(text(_told(spot.number, board, record, language)))
    else:
        seat = board.game.to_move(board.position)
        assert seat is not None  # noqa: S101 - a puzzle is a position with a move to find
        items.append(text(question(board.game, board.position, seat, asked, language)))
        controls.append(choices(asked, Control("puzpick", arg=spot.write()), language))
    page = Page(container(*items, colour=colour), *controls, *rows(_buttons(spot, over, language)))
    return Reply(lead or language.say("Puzzle of the day"), page)


def ask_before_answer(record: PuzzleRecord, language: Language, *, is_past: bool) -> Reply | None:
    """Ask before the answer is shown; None where that costs nothing."""
    attempt = record.attempt
    if attempt.state is not PuzzleState.OPEN:
        return None
    lost = []
    if record.streak and not is_past:
        lost.append(
            language.plural(
                "Your streak of {n} day ends.", "Your streak of {n} days ends.", n=record.streak
            )
        )
    if not attempt.wrong:
        lost.append(language.say("Your puzzle rating goes down."))
    if not lost:
        return None
    said = " ".join((language.say("Show the answer? You can't solve this puzzle then."), *lost))
    arg = PuzzlePick(attempt.number).write()
    shown = [
        button(Control("puzshowyes", arg=arg), language.say("Show the answer"), DANGER),
        button(Control("puzgo", arg=arg), language.say("Back")),
    ]
    return Reply(said, Page(text(said), *rows(shown)))


def solve_button(number: int) -> Control:
    """**Solve it**, by which a posted puzzle is known."""
    return Control("puzzle", arg=str(number))


async def posted_page(number: int, presenter: BoardPresenter, language: Language) -> Reply:
    """A puzzle as everybody in a channel sees it; each solves it in private."""
    board = PuzzleBoard.of(number)
    view = board.game.view(board.position, None)
    board_part = await presenter.plain_part(view, language, name="puzzle")
    items = [text(_heading(number, board, language)), board_part, text(_task(board, language))]
    shown = [
        button(solve_button(number), language.say("Solve it"), SUCCESS),
        button(Control("rules", arg=board.puzzle.game), language.say("Rules")),
    ]
    page = Page(container(*items, *rows(shown), colour=QUESTION_COLOUR))
    return Reply(language.say("Puzzle of the day"), page)


def _after(board: PuzzleBoard) -> BoardView:
    move = board.game.parse(board.position, board.puzzle.move)
    return view_after(board.game, board.position, move)


def _heading(number: int, board: PuzzleBoard, language: Language) -> str:
    info = board.game.info
    title = language.say("Puzzle {number}", number=number)
    options = match_text.options(info, board.puzzle.options, language, brief=True)
    about = " · ".join(part for part in (info.name, options) if part)
    return f"### {title} · {about}"


def _task(board: PuzzleBoard, language: Language) -> str:
    seat = board.game.to_move(board.position)
    assert seat is not None  # noqa: S101 - as above
    side = match_text.side_to_move(board.game, board.position, seat, language)
    task = language.plural(
        "{side} to move. One move wins at once: find it.",
        "{side} to move. Only one move forces a win within {n} moves of your own: find it.",
        n=board.puzzle.within,
        side=side,
    )
    grade = language.say("The computer finds it from level {level} up.", level=board.puzzle.grade)
    return f"{task}\n-# {grade}"


def _told(number: int, board: PuzzleBoard, record: PuzzleRecord, language: Language) -> str:
    attempt = record.attempt
    if attempt.state is PuzzleState.SOLVED:
        said = language.say("{move} is right.", move=board.puzzle.move)
    else:
        said = language.say("The answer is {move}.", move=board.puzzle.move)
    lines = [f"**{said}**"]
    lines += in_words(board.game, board.position, board.puzzle.move, language)
    lines.append(language.plural("Streak: {n} day", "Streak: {n} days", n=record.streak))
    lines.append(
        language.say(
            "Your puzzle rating: {rating} (this puzzle counts as {strength})",
            rating=record.rating,
            strength=strength_of(board.puzzle),
        )
    )
    lines.append(language.say("To share, without giving anything away:"))
    return "\n".join(lines) + f"\n```\n{share_line(number, record, language)}\n```"


def share_line(number: int, record: PuzzleRecord, language: Language) -> str:
    """How a person did, in one line that gives nothing away."""
    info = PuzzleBoard.of(number).game.info
    title = language.say("Parlour puzzle {number}", number=number)
    return f"{title} · {info.name} · {squares(record.attempt)}"


def _buttons(spot: PuzzlePick, over: bool, language: Language) -> list[Button]:
    arg = PuzzlePick(spot.number).write()
    rules = button(Control("rules", arg=puzzle_of(spot.number).game), language.say("Rules"))
    if over:
        play = Control("computer", arg=puzzle_of(spot.number).game)
        return [button(play, language.say("Play the computer"), SUCCESS), rules]
    shown = []
    if spot.way != MovePick():
        back = replace(spot, way=spot.way.back or MovePick())
        shown.append(button(Control("puzgo", arg=back.write()), language.say("Back")))
    shown.append(button(Control("puztype", arg=arg), language.say("Type a move"), PRIMARY))
    shown.append(button(Control("puzshow", arg=arg), language.say("Show the answer")))
    return [*shown, rules]


@command("puzzle", Text.of("Solve the puzzle of the day in private"), personal=True)
async def puzzle_today(context: InteractionContext) -> Reply:
    """``/puzzle``: today's."""
    return await _show(context, PuzzlePick(context.services.puzzles.today()))


@on_button("puzzle", how=PRIVATE)
async def puzzle_posted(context: InteractionContext, click: Click) -> Reply:
    """**Solve it** under a puzzle that was posted."""
    return await _show(context, PuzzlePick.read(click.arg))


@on_button("puzgo")
async def back(context: InteractionContext, click: Click) -> Reply:
    """**Back**."""
    return await _show(context, PuzzlePick.read(click.arg))


@on_menu("puzpick")
async def pick(context: InteractionContext, click: Click) -> Reply:
    """A choice of the menu: ask for the next part, or judge the whole move."""
    spot = PuzzlePick.read(click.arg)
    way = spot.way.then(click.choice)
    return await _judged(context, replace(spot, way=way))


opens_form("puztype", "puztyped")(move_form)


@on_form("puztyped")
async def typed(context: InteractionContext, click: Click) -> Reply:
    """A move typed into the form."""
    spot = PuzzlePick(PuzzlePick.read(click.arg).number)
    board = PuzzleBoard.of(spot.number)
    try:
        way = board.way_to(as_written(board.puzzle.game, click.text, context.language))
    except MoveError as error:
        return await _show(context, spot, lead=context.why(error, board.puzzle.game), wrong=True)
    return await _judged(context, replace(spot, way=way))


@on_button("puzshow")
async def answer(context: InteractionContext, click: Click) -> Reply:
    """**Show the answer**: ask first where a streak or rating points would be lost."""
    puzzles = context.services.puzzles
    number = PuzzlePick.read(click.arg).number
    record = await puzzles.record(context.user_id, number)
    asked = ask_before_answer(record, context.language, is_past=number < puzzles.today())
    return await answer_now(context, click) if asked is None else asked


@on_button("puzshowyes")
async def answer_now(context: InteractionContext, click: Click) -> Reply:
    """**Show the answer**, meant: the puzzle is over, and not solved."""
    number = PuzzlePick.read(click.arg).number
    await context.services.puzzles.change(context.user_id, number, shown)
    return await _show(context, PuzzlePick(number))


async def _judged(context: InteractionContext, spot: PuzzlePick) -> Reply:
    """Note a whole move and say whether it is the one; show the next menu for a part of one."""
    board = PuzzleBoard.of(spot.number)
    move = board.asked(spot.way).move
    if move is None:
        return await _show(context, spot)
    change = partial(_tried, move=move, board=board)
    record = await context.services.puzzles.change(context.user_id, spot.number, change)
    start = PuzzlePick(spot.number, MovePick())
    if record.attempt.state is not PuzzleState.OPEN:
        return await _show(context, start)
    lead = context.language.say("{move} doesn't force the win. Try again.", move=move)
    return await _show(context, start, lead=lead, wrong=True)


def _tried(before: Attempt, *, move: str, board: PuzzleBoard) -> Attempt:
    return tried(before, move, board.puzzle)


async def _show(
    context: InteractionContext, spot: PuzzlePick, *, lead: str = "", wrong: bool = False
) -> Reply:
    record = await context.services.puzzles.record(context.user_id, spot.number)
    return await puzzle_page(
        spot, record, context.presenter, context.language, lead=lead, wrong=wrong
    )


# ---- posted every day ----------------------------------------------------------------------------

_HOUR = 9


@command(
    "daily-puzzle",
    Text.of("Post the puzzle of the day in this channel every day"),
    group=SERVER,
    fields={
        "hour": Text.of("At which hour? 0 to 23 (default: 9)"),
        "time_zone": Text.of("A city, like Berlin or New York (default: UTC)"),
        "stop": Text.of("Turn daily puzzles off?"),
    },
)
async def daily_puzzle(
    context: InteractionContext,
    hour: app_commands.Range[int, 0, 23] = _HOUR,
    time_zone: app_commands.Range[str, 0, LONGEST] = "",
    stop: bool = False,
) -> Reply:
    """``/server daily-puzzle``: here from now on, or nowhere."""
    guild_id = managed(context.interaction)
    channel = context.place.channel_id
    zone = find_zone(time_zone) if time_zone.strip() else "UTC"
    guild = context.interaction.guild
    if (
        not stop
        and guild is not None
        and not may_post(context.interaction.client, GuildId(guild.id), channel)
    ):
        raise UserError("puzzle_refused", channel=f"<#{channel}>")

    def decide(chosen: ServerSettings) -> ServerSettings:
        if stop:
            return replace(chosen, puzzle=None)
        return replace(chosen, puzzle=channel, puzzle_hour=hour, puzzle_zone=zone)

    preferences = context.services.preferences
    chosen = await preferences.change_server(guild_id, context.user_id, decide)
    try:
        due_at = await context.services.daily_puzzles.plan(guild_id, chosen)
    except StoreUnavailable as error:
        raise UserError(error.code, reason=error.reason) from error
    if due_at is None:
        return Reply(context.language.say("Daily puzzles are off in this server."))
    said = context.language.say(
        "The puzzle of the day comes here every day, next {time}. /puzzle shows today's.",
        time=f"<t:{int(due_at.timestamp())}:f>",
    )
    return Reply(said)


suggests("daily-puzzle", "time_zone", group="server")(zones_suggested)
