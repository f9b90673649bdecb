"""**Try it as a puzzle**: the worst moment of a review, solved in place against the better move."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.domain.playthrough import play_through
from bot.domain.reviews import Review
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.ui.computers.analysis_page import AnalysisBoard, AnalysisState
from bot.ui.computers.retry_page import retry_page
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match
from bot.ui.interaction.registry import Click, on_button, on_form, on_menu, opens_form
from bot.ui.pages.reply import Reply
from bot.ui.play.move_form import LONGEST_MOVE, move_form
from games.errors import MoveError


async def _puzzle(
    context: InteractionContext, click: Click
) -> tuple[AnalysisBoard, AnalysisState, Review]:
    """The position, what has been picked there, and the review that knows the better move."""
    spot = AnalysisState.read(click.arg)
    match = await find_match(context, click.match)
    found = await context.services.computers.review(context.actor, match.id)
    if spot.tried or spot.ply >= len(found.moves):
        raise UserError("out_of_date")
    events = await context.services.matches.history(context.actor, match.id)
    played = await asyncio.to_thread(play_through, match, events)
    return AnalysisBoard.at(played, spot), spot, found


@on_button("retry")
async def retry(context: InteractionContext, click: Click) -> Reply:
    """**Try it as a puzzle**, and **Back** to the part of a move before."""
    board, spot, found = await _puzzle(context, click)
    return await retry_page(board, spot, found, context.presenter, context.language)


@on_menu("retrypick")
async def pick(context: InteractionContext, click: Click) -> Reply:
    """A choice of the menu: ask for the next part, or judge the whole move."""
    board, spot, found = await _puzzle(context, click)
    way = spot.way.then(click.choice)
    tried = board.asked(way).move
    after = replace(spot, way=way) if tried is None else AnalysisState(spot.ply)
    return await retry_page(
        board, after, found, context.presenter, context.language, tried=tried or ""
    )


opens_form("retrytype")(move_form)


@on_form("retrytyped")
async def typed(context: InteractionContext, click: Click) -> Reply:
    """A move typed into the form."""
    board, spot, found = await _puzzle(context, click)
    game, position = board.table.game, board.table.position
    tried = lead = ""
    try:
        tried = game.notation(position, game.parse(position, click.text[: LONGEST_MOVE + 1]))
    except MoveError as error:
        lead = context.language(refusal(error, board.played.match.game))
    start = AnalysisState(spot.ply)
    return await retry_page(
        board, start, found, context.presenter, context.language, tried=tried, lead=lead
    )
