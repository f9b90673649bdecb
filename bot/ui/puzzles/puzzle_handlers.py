"""``/puzzle``: the puzzle of the day, to one player alone; and posted in a channel every day."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from discord import app_commands

from bot.domain.ids import GuildId
from bot.domain.preferences import ServerSettings
from bot.domain.puzzles import Attempt, PuzzleState, shown, tried
from bot.domain.quiet_hours import find_zone
from bot.errors import UserError
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
from bot.ui.pages.components import Reply
from bot.ui.pages.match_text import as_written
from bot.ui.play.move_picker import MovePick
from bot.ui.play.move_picker_page import move_form
from bot.ui.puzzles.puzzle_page import (
    PuzzleBoard,
    PuzzlePick,
    ask_before_answer,
    puzzle_page,
)
from bot.ui.rest import may_post
from bot.ui.settings.setting_handlers import SERVER, zones_suggested
from games.errors import MoveError
from games.view import Text


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
