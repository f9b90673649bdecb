"""**Analyse** on a position of a finished match: moves tried in private, and the engine's view."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.hints import Found
from bot.errors import UserError
from bot.ui.computers.analysis_page import AnalysisBoard, AnalysisState, analysis_page
from bot.ui.history.sources import ReplaySource, source_of
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.registry import (
    PRIVATE,
    Click,
    on_button,
    on_form,
    on_menu,
    opens_form,
)
from bot.ui.pages.components import Reply
from bot.ui.play.move_names import as_written
from bot.ui.play.move_picker import MovePick
from bot.ui.play.move_picker_page import move_form
from games.errors import MoveError


async def _source(context: InteractionContext, click: Click) -> ReplaySource:
    """What is analysed: a match that is over, a sample, or a file."""
    source = await source_of(context, click.match)
    over = source.match.status.is_final and bool(source.match.state)
    if source.recorded is None and not over:
        raise UserError("review_over")
    return source


async def _board(
    context: InteractionContext, click: Click, spot: AnalysisState
) -> tuple[ReplaySource, AnalysisBoard]:
    source = await _source(context, click)
    return source, AnalysisBoard.at(source.line, spot)


@on_button("analyse", how=PRIVATE)
async def analyse(context: InteractionContext, click: Click) -> Reply:
    """**Analyse**: the position, to try moves in."""
    return await _show(context, click, AnalysisState.read(click.arg))


@on_button("anback", "anundo")
async def another(context: InteractionContext, click: Click) -> Reply:
    """**Back**, **Undo** and **Previous**."""
    return await _show(context, click, AnalysisState.read(click.arg))


@on_button("anview")
async def computers_view(context: InteractionContext, click: Click) -> Reply:
    """**Computer's view**."""
    spot = AnalysisState.read(click.arg)
    source, board = await _board(context, click, spot)
    if board.is_over:
        raise UserError("out_of_date")
    found = await context.services.computers.analyse(
        context.user_id, board.played.match, board.table, board.line, spot.ply + len(spot.tried)
    )
    return await _page(context, source, board, spot, found=found)


@on_menu("anpick")
async def pick(context: InteractionContext, click: Click) -> Reply:
    """A choice of the menu: ask for the next part, or try the whole move."""
    spot = AnalysisState.read(click.arg)
    source, board = await _board(context, click, spot)
    way = spot.way.then(click.choice)
    move = board.asked(way).move
    if move is None:
        return await _page(context, source, board, replace(spot, way=way))
    after = AnalysisState(spot.ply, (*spot.tried, board.number_of(move)))
    return await _page(context, source, AnalysisBoard.at(source.line, after), after)


opens_form("antype", "antyped")(move_form)


@on_form("antyped")
async def typed(context: InteractionContext, click: Click) -> Reply:
    """A move typed into the form."""
    spot = AnalysisState.read(click.arg)
    source, board = await _board(context, click, spot)
    game, position = board.table.game, board.table.position
    text = as_written(board.played.match.game, click.text, context.language)
    try:
        move = game.notation(position, game.parse(position, text))
    except MoveError as error:
        lead = context.why(error, board.played.match.game)
        return await _page(context, source, board, replace(spot, way=MovePick()), lead=lead)
    after = AnalysisState(spot.ply, (*spot.tried, board.number_of(move)))
    return await _page(context, source, AnalysisBoard.at(source.line, after), after)


async def _show(context: InteractionContext, click: Click, spot: AnalysisState) -> Reply:
    return await _page(context, *await _board(context, click, spot), spot)


async def _page(
    context: InteractionContext,
    source: ReplaySource,
    board: AnalysisBoard,
    spot: AnalysisState,
    *,
    found: Found | None = None,
    lead: str = "",
) -> Reply:
    presenter, recorded = context.presenter, source.recorded
    if recorded is not None:
        presenter = replace(presenter, players=recorded.names)
    shown = await analysis_page(board, spot, presenter, context.language, found=found, lead=lead)
    return shown if recorded is None else recorded.carried(shown)
