"""**Hint** under a board, for players who play computers alone."""

from __future__ import annotations

from bot.domain.game_state import check_whole, player_on_turn
from bot.domain.hints import may_have_hint
from bot.domain.match import MatchStatus
from bot.errors import UserError
from bot.ui.computers.hint_page import MOVE, WHERE, WHY, hint_page
from bot.ui.history.sources import source_of_match
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match, present
from bot.ui.interaction.registry import PRIVATE, Click, on_button
from bot.ui.pages import match_text
from bot.ui.pages.components import Reply


@on_button("hint", how=PRIVATE)
async def hint(context: InteractionContext, click: Click) -> Reply:
    """**Hint**: where to look."""
    return await _hint(context, click, WHERE)


@on_button("hintmore")
async def more(context: InteractionContext, click: Click) -> Reply:
    """The move, and why."""
    if click.arg not in (MOVE, WHY):
        raise UserError("out_of_date")
    return await _hint(context, click, click.arg)


async def _hint(context: InteractionContext, click: Click, step: str) -> Reply:
    match = await find_match(context, click.match)
    if match.status is not MatchStatus.RUNNING:
        raise UserError("match_over" if match.status.is_final else "not_started")
    if not may_have_hint(match, context.user_id):
        raise UserError("no_hints")
    check_whole(match)
    player = player_on_turn(match)
    user = None if player is None else match.players[player]
    if user != context.user_id:
        name = match_text.mention(user, context.language)
        raise UserError("not_your_turn", player=name)
    if not match.position_since <= click.version <= match.version:
        error = UserError("position_changed", version=match.version)
        return await present(context, match.id, error)
    played = (await source_of_match(context, match)).line
    found = await context.services.computers.analyse(
        context.user_id, match, played.table, played.positions, match.ply
    )
    context.services.refusals.opened(context.interaction, match)
    return await hint_page(match, found, step, context.presenter, context.language)
