"""``/puzzle``: the puzzle of the day, solved in private, and posted in a channel every day."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from discord import app_commands

from bot.domain.game_state import GameState, game_of
from bot.domain.ids import GuildId
from bot.domain.preferences import ServerSettings
from bot.domain.quiet_hours import find_zone
from bot.errors import UserError
from bot.i18n import Language, Sentences
from bot.learn import store as puzzles
from bot.learn.domain import (
    Attempt,
    PuzzleRecord,
    PuzzleState,
    number_on,
    puzzle_of,
    shown,
    squares,
    strength_of,
    tried,
)
from bot.store import outgoing
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import managed
from bot.ui.interaction.registry import PRIVATE, Click, on_button, on_form, on_menu, opens_form
from bot.ui.interaction.slash import LONGEST, command
from bot.ui.pages import components as ui
from bot.ui.pages import match_text
from bot.ui.pages.clock_text import timestamp
from bot.ui.pages.components import Control, Page, Reply
from bot.ui.pages.reader import Reader
from bot.ui.play import move_picker_page as picker
from bot.ui.play.move_picker_page import Spot
from bot.ui.rest import may_post
from bot.ui.settings.person_settings import suggest_time_zones
from bot.ui.settings.server_panel import SERVER
from engines.puzzle_book import Puzzle
from games.errors import MoveError
from games.view import Text


def _table(puzzle: Puzzle) -> GameState:
    game = game_of(puzzle.game, puzzle.options)
    return GameState(game, game.decode(puzzle.state))


async def puzzle_page(
    spot: Spot,
    record: PuzzleRecord,
    reader: Reader,
    *,
    lead: str = "",
    wrong: bool = False,
) -> Reply:
    """The page; ``lead`` comes first, ``wrong`` if it is about a wrong move."""
    puzzle, language = puzzle_of(spot.at), reader.language
    table = _table(puzzle)
    asked = picker.asked_at(table, spot.way)
    over = record.attempt.state is not PuzzleState.OPEN
    view = picker.view_after(table, puzzle.move) if over else picker.looked_at(table, asked)
    shown = await reader.plain_part(view, name="puzzle")
    # The task stands below the picture, as in lessons: a phone shows the end of a long message.
    items = [ui.text(_heading(spot.at, puzzle, language)), shown]
    if not over:
        items.append(ui.text(_task(puzzle, language)))
    if lead:
        items.append(ui.text(f"**{lead}**"))
    controls: list[ui.Part] = []
    colour = picker.WRONG_COLOUR if wrong else picker.QUESTION_COLOUR
    if over:
        colour = picker.RIGHT_COLOUR
        items.append(ui.text(_told(spot.at, puzzle, record, language)))
    else:
        items.append(ui.text(picker.question(table, asked, language)))
        controls += picker.choices(asked, Control("puzpick", arg=str(spot)), language)
    page = Page(
        ui.container(*items, colour=colour), *controls, *ui.rows(_buttons(spot, over, language))
    )
    return Reply(lead or language.say("Puzzle of the day"), page)


def ask_before_answer(record: PuzzleRecord, language: Language, *, is_past: bool) -> Reply | None:
    """Ask before the answer is shown; None if it costs nothing."""
    attempt = record.attempt
    if attempt.state is not PuzzleState.OPEN:
        return None
    lost = Sentences(language)
    if record.streak and not is_past:
        lost.plural(
            "Your streak of {n} day ends.", "Your streak of {n} days ends.", n=record.streak
        )
    if not attempt.wrong:
        lost.say("Your puzzle rating goes down.")
    if not lost:
        return None
    said = " ".join((language.say("Show the answer? You can't solve this puzzle then."), *lost))
    arg = str(attempt.number)
    shown = [
        ui.button(Control("puzshowyes", arg=arg), language.say("Show the answer"), ui.DANGER),
        ui.button(Control("puzgo", arg=arg), language.say("Back")),
    ]
    return Reply(said, Page(ui.text(said), *ui.rows(shown)))


def solve_button(number: int) -> Control:
    """**Solve it**, by which a posted puzzle is found again."""
    return Control("puzzle", arg=str(number))


async def posted_page(number: int, reader: Reader) -> Reply:
    """A puzzle for a channel; each player solves it in private."""
    puzzle, language = puzzle_of(number), reader.language
    table = _table(puzzle)
    view = table.game.view(table.position, None)
    board = await reader.plain_part(view, name="puzzle")
    items = [ui.text(_heading(number, puzzle, language)), board, ui.text(_task(puzzle, language))]
    shown = [
        ui.button(solve_button(number), language.say("Solve it"), ui.SUCCESS),
        ui.button(Control("rules", arg=puzzle.game), language.say("Rules")),
    ]
    page = Page(ui.container(*items, *ui.rows(shown), colour=picker.QUESTION_COLOUR))
    return Reply(language.say("Puzzle of the day"), page)


def _heading(number: int, puzzle: Puzzle, language: Language) -> str:
    info = game_of(puzzle.game, puzzle.options).info
    title = language.say("Puzzle {number}", number=number)
    options = match_text.options(info, puzzle.options, language, brief=True)
    about = " · ".join(part for part in (info.name, options) if part)
    return f"### {title} · {about}"


def _task(puzzle: Puzzle, language: Language) -> str:
    side = match_text.side_to_move(_table(puzzle), language)
    task = language.plural(
        "{side} to move. One move wins at once: find it.",
        "{side} to move. Only one move forces a win within {n} moves of your own: find it.",
        n=puzzle.within,
        side=side,
    )
    grade = language.say("The computer finds it from level {level} up.", level=puzzle.grade)
    return f"{task}\n-# {grade}"


def _told(number: int, puzzle: Puzzle, record: PuzzleRecord, language: Language) -> str:
    attempt = record.attempt
    if attempt.state is PuzzleState.SOLVED:
        said = language.say("{move} is right.", move=puzzle.move)
    else:
        said = language.say("The answer is {move}.", move=puzzle.move)
    lines = Sentences(language, f"**{said}**")
    lines += picker.in_words(_table(puzzle), puzzle.move, language)
    lines.plural("Streak: {n} day", "Streak: {n} days", n=record.streak)
    lines.say(
        "Your puzzle rating: {rating} (this puzzle counts as {strength})",
        rating=record.rating,
        strength=strength_of(puzzle),
    )
    lines.say("To share, without giving anything away:")
    title = language.say("Parlour puzzle {number}", number=number)
    lines.append(f"```\n{title} · {match_text.named_game(puzzle.game)} · {squares(attempt)}\n```")
    return "\n".join(lines)


def _buttons(spot: Spot, over: bool, language: Language) -> list[ui.Button]:
    arg, game = str(spot.at), puzzle_of(spot.at).game
    rules = ui.button(Control("rules", arg=game), language.say("Rules"))
    if over:
        play = Control("computer", arg=game)
        return [ui.button(play, language.say("Play the computer"), ui.SUCCESS), rules]
    return [
        *picker.back_button("puzgo", spot, language),
        ui.button(Control("puztype", arg=arg), language.say("Type a move"), ui.PRIMARY),
        ui.button(Control("puzshow", arg=arg), language.say("Show the answer")),
        rules,
    ]


@command("puzzle", Text.of("Solve the puzzle of the day in private"), personal=True)
async def puzzle_today(context: InteractionContext) -> Reply:
    """``/puzzle``: today's puzzle."""
    return await _show(context, Spot(_today(context)))


def _today(context: InteractionContext) -> int:
    """The number of today's puzzle; days are those of UTC."""
    return number_on(context.services.clock.now().date())


@on_button("puzzle", how=PRIVATE)
@on_button("puzgo")
async def puzzle_posted(context: InteractionContext, click: Click) -> Reply:
    """**Solve it** under a posted puzzle, and **Back**."""
    return await _show(context, Spot.read(click.arg))


@on_menu("puzpick")
async def pick(context: InteractionContext, click: Click) -> Reply:
    """A choice of the menu: ask for the next pick, or judge the move."""
    spot = Spot.read(click.arg)
    way = spot.way.then(click.choice)
    return await _judged(context, replace(spot, way=way))


opens_form("puztype", "puztyped")(picker.move_form)


@on_form("puztyped")
async def typed(context: InteractionContext, click: Click) -> Reply:
    """A move typed into the form."""
    spot = Spot(Spot.read(click.arg).at)
    table = _table(puzzle_of(spot.at))
    try:
        way = picker.way_to(table, picker.read_move(table, click.text, context.language))
    except MoveError as error:
        return await _show(context, spot, lead=context.why(error, table.game.info.key), wrong=True)
    return await _judged(context, replace(spot, way=way))


@on_button("puzshow")
async def answer(context: InteractionContext, click: Click) -> Reply:
    """**Show the answer**: ask first if a streak or rating points would be lost."""
    number = Spot.read(click.arg).at
    record = await _record(context, number)
    asked = ask_before_answer(record, context.language, is_past=number < _today(context))
    return await answer_now(context, click) if asked is None else asked


@on_button("puzshowyes")
async def answer_now(context: InteractionContext, click: Click) -> Reply:
    """**Show the answer**, confirmed: the puzzle is over, and not solved."""
    number = Spot.read(click.arg).at
    await _change(context, number, shown)
    return await _show(context, Spot(number))


async def _judged(context: InteractionContext, spot: Spot) -> Reply:
    """Judge a whole move; otherwise ask for the next pick."""
    puzzle = puzzle_of(spot.at)
    move = picker.asked_at(_table(puzzle), spot.way).move
    if move is None:
        return await _show(context, spot)
    record = await _change(context, spot.at, lambda before: tried(before, move, puzzle))
    start = Spot(spot.at)
    if record.attempt.state is not PuzzleState.OPEN:
        return await _show(context, start)
    lead = context.language.say("{move} doesn't force the win. Try again.", move=move)
    return await _show(context, start, lead=lead, wrong=True)


async def _show(
    context: InteractionContext, spot: Spot, *, lead: str = "", wrong: bool = False
) -> Reply:
    record = await _record(context, spot.at)
    return await puzzle_page(spot, record, context.reader, lead=lead, wrong=wrong)


async def _record(context: InteractionContext, number: int) -> PuzzleRecord:
    services = context.services
    return await services.store.read(puzzles.record, context.user_id, number, services.clock.now())


async def _change(
    context: InteractionContext, number: int, decide: Callable[[Attempt], Attempt]
) -> PuzzleRecord:
    services = context.services
    return await services.store.write(
        puzzles.change, context.user_id, number, decide, services.clock.now()
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
    suggest={"time_zone": suggest_time_zones},
)
async def daily_puzzle(
    context: InteractionContext,
    hour: app_commands.Range[int, 0, 23] = _HOUR,
    time_zone: app_commands.Range[str, 0, LONGEST] = "",
    stop: bool = False,
) -> Reply:
    """``/server daily-puzzle``: in this channel from now on, or nowhere."""
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

    services = context.services
    chosen = await services.preferences.change_server(guild_id, context.user_id, decide)
    if chosen.puzzle is None:
        return Reply(context.language.say("Daily puzzles are off in this server."))
    message = puzzles.planned(guild_id, chosen, services.clock.now())
    await services.store.write(outgoing.plan, message)
    said = context.language.say(
        "The puzzle of the day comes here every day, next {time}. /puzzle shows today's.",
        time=timestamp(message.due_at, "f"),
    )
    return Reply(said)
