"""Playing the computer: from the page of ``/play``, the end of a lesson, or one's own offer."""

from __future__ import annotations

from bot.domain.computers import computer
from bot.domain.game_state import game_of
from bot.domain.ids import InteractionId, MatchId
from bot.domain.match import Actor, Match, MatchStatus, Venue
from bot.errors import UserError
from bot.ui.computers.computer_page import ComputerDraft, computer_page, read_page
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import find_match
from bot.ui.interaction.registry import PRIVATE, Click, on_button, on_menu
from bot.ui.interaction.results import tell_done, told_of_queue
from bot.ui.offers.drafting import page_id
from bot.ui.offers.offer_handlers import venue_for
from bot.ui.offers.option_text import find_game
from bot.ui.pages.components import Reply


@on_button("computer", how=PRIVATE)
async def choose_computer(context: InteractionContext, click: Click) -> Reply:
    """**Play the computer**: the page, with a game chosen if the button named one."""
    game = find_game(click.arg).info.key if click.arg else None
    return await _page(context, ComputerDraft(game))


@on_button("alone")
async def rather_alone(context: InteractionContext, click: Click) -> Reply:
    """**Play the computer**, on the page of ``/play``: its own page takes the place of that one."""
    game = find_game(click.arg).info.key if click.arg else None
    return await _page(context, ComputerDraft(game, leads_back=True))


@on_button("cinstead", how=PRIVATE)
async def instead(context: InteractionContext, click: Click) -> Reply:
    """**Play the computer**, under one's own offer that nobody has taken."""
    match = await _own_offer(context, click.match)
    return await _page(context, ComputerDraft(match.game, offer=match.id))


async def _own_offer(context: InteractionContext, match_id: str) -> Match:
    match = await find_match(context, match_id)
    if match.index_of(context.user_id) != match.offered_by:
        raise UserError("not_your_offer")
    if match.status is not MatchStatus.OFFERED:
        raise UserError("offer_closed", status=match.status.value)
    return match


@on_menu("cgame", "cpreset", "clevel", "cseats")
async def choose(context: InteractionContext, click: Click) -> Reply:
    """A choice on the page."""
    return await _page(context, _draft(context).with_choice(click, click.value))


async def _page(context: InteractionContext, draft: ComputerDraft) -> Reply:
    info = draft.info
    suggested = None
    if info is not None:
        suggested = await context.services.computers.about_as_strong(context.user_id, info.key)
    are_named = context.place.guild_id is None
    return computer_page(draft, suggested, context.language, are_named=are_named)


def _draft(context: InteractionContext) -> ComputerDraft:
    message = context.interaction.message
    if message is None:
        raise UserError("out_of_date")
    return read_page([component.to_dict() for component in message.components])


@on_button("cstart")
async def start(context: InteractionContext, _click: Click) -> Reply:
    """**Start the match**: it begins at once."""
    draft = _draft(context)
    if draft.info is None:
        raise UserError("game_needed")
    level = draft.level
    if not draft.offer:
        return await play_computer(context, draft, level=level, interaction_id=page_id(context))
    offer = await _own_offer(context, draft.offer)
    reply = await play_computer(
        context, draft, level=level, interaction_id=page_id(context), offer=offer
    )
    await context.services.matches.withdraw(context.actor, MatchId(offer.id), interaction_id=None)
    return reply


async def play_computer(
    context: InteractionContext,
    draft: ComputerDraft,
    *,
    level: str,
    interaction_id: InteractionId,
    offer: Match | None = None,
) -> Reply:
    """Start a match against computers of a level, under the terms of an ``offer`` if there is one.

    The answer tells how much the computer has to do if that is much.
    """
    info = draft.info
    assert info is not None  # noqa: S101 - the callers have asked
    options = draft.options() if offer is None else dict(offer.options)
    number = int(level)
    if not number:
        number = await context.services.computers.about_as_strong(context.user_id, info.key)
    others = len(game_of(info.key, options).seats) - 1
    opponent = Actor(computer(number), context.place.guild_id)
    venue = await venue_for(context)
    wanted = others if venue is Venue.DIRECT else draft.computers or others
    answer = await context.services.matches.challenge(
        context.actor,
        context.place,
        game=info.key,
        options=options,
        opponents=(opponent,) * min(wanted, others),
        seat=None,
        venue=venue,
        clock=None if offer is None else offer.clock,
        language=None if offer is None else offer.language,
        interaction_id=interaction_id,
    )
    if answer.repeated:
        raise UserError("offered_already")
    return tell_done(context, answer, more=await told_of_queue(context, answer.match))
