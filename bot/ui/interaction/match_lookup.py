"""Which match an interaction means, and what is answered when that is not clear."""

from __future__ import annotations

from bot.domain.ids import MatchId
from bot.domain.match import Match, MatchStatus
from bot.errors import UserError
from bot.i18n.sentences import REFUSALS, refusal
from bot.services.match_changes import Answer
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.handler import Questioned
from bot.ui.interaction.results import tell_done
from bot.ui.pages import board_page, match_list
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.reply import Reply


def done(context: InteractionContext, answer: Answer, *, more: str = "") -> Reply:
    """Say what has been done, and ``more`` about it."""
    return tell_done(context.services, context, answer, more=more)


async def present(context: InteractionContext, match_id: str, error: UserError) -> Reply:
    """A refusal together with the board as it is now."""
    match = await find_match(context, match_id)
    lead = context.language(refusal(error, match.game))
    if not match.state:
        return Reply(lead)
    mine = match.index_of(context.user_id) is not None
    return await board_page.board(
        match, context.presenter, context.language, lead=lead, buttons=mine
    )


async def out_of_date(context: InteractionContext, match_id: str | None = None) -> Reply:
    """Say that a control is none of ours any more, and show the board it may have been for."""
    lead = context.language(REFUSALS["out_of_date"])
    try:
        if match_id is not None:
            match = await find_match(context, match_id)
        else:
            here = await context.services.matches.running_in(
                context.actor, context.place.channel_id
            )
            if len(here) != 1:
                return Reply(lead)
            match = here[0]
        if not match.state:
            return Reply(lead)
        mine = match.index_of(context.user_id) is not None
        return await board_page.board(
            match, context.presenter, context.language, lead=lead, buttons=mine
        )
    except UserError:
        return Reply(lead)


async def find_match(context: InteractionContext, match_id: str) -> Match:
    """A match by its id, as far as this player may see it."""
    match = await context.services.matches.match(context.actor, MatchId(match_id))
    context.touched.add(match.id)
    return match


async def find_mine(context: InteractionContext, purpose: str, *, to_move: bool = False) -> Match:
    """The one match of this person that a command can mean here, or ask which.

    ``purpose`` is the command, as the argument of the control that asks; what was typed after
    it, behind a slash, is left out if it cannot be written there. Of several, those that wait
    for this person are meant if ``to_move``.
    """
    key = (context.user_id, context.place.channel_id)
    found = await context.services.heads.around(key, lambda: context.services.around(context))
    if len(found) != 1 or found[0].status is not MatchStatus.RUNNING:
        found = await context.services.around(context)
    if to_move and len(found) > 1:
        found = tuple(m for m in found if match_list.is_on_turn(m, context.user_id)) or found
    if not found:
        raise UserError("no_match_here")
    if len(found) == 1:
        context.touched.add(found[0].id)
        return found[0]
    control = Control("choose", arg=purpose)
    if not control.is_writable:
        control = Control("choose", arg=purpose.partition("/")[0])
    raise Questioned(
        await match_list.choose(
            found,
            context.language(REFUSALS["choose_match"]),
            control,
            user_id=context.user_id,
            names=context.presenter.names,
            language=context.language,
        )
    )


async def find_seen(context: InteractionContext, purpose: str) -> Match:
    """The match that a command looks at: one of this person's, or the one played here."""
    here = await context.services.matches.running_in(context.actor, context.place.channel_id)
    if len(here) == 1:
        context.touched.add(here[0].id)
        return here[0]
    return await find_mine(context, purpose)
