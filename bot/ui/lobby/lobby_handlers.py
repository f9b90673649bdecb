"""Looking through the open offers of a server, and taking a seat in one."""

from __future__ import annotations

from collections.abc import Awaitable

import discord

from bot.domain.ids import MatchId
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.services.ports import StoreUnavailable
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import may_see
from bot.ui.interaction.registry import Click, on_button
from bot.ui.interaction.slash import command
from bot.ui.lobby.lobby_page import ON_PAGE, offers_page
from bot.ui.offers.answer_handlers import accept, withdraw
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.reply import Reply
from games.view import Text


@command("lobby", Text.of("Show the open offers of this server"))
async def lobby(context: InteractionContext) -> Reply:
    """``/lobby``: all open offers of this server that one may see."""
    return await _offers(context, 0)


@on_button("lobby")
async def lobby_at(context: InteractionContext, click: Click) -> Reply:
    """**All offers**, and turning the page."""
    return await _offers(context, _number(click))


@on_button("seat")
async def take_seat(context: InteractionContext, click: Click) -> Reply:
    """**Accept** on the private page, which then shows what is open now."""
    return await _anew(context, click, accept(context, Click("accept", click.match)))


@on_button("unseat")
async def leave_seat(context: InteractionContext, click: Click) -> Reply:
    """**Withdraw** on the private page."""
    return await _anew(context, click, withdraw(context, Click("withdraw", click.match)))


async def _anew(context: InteractionContext, control: Control, settled: Awaitable[Reply]) -> Reply:
    """Show the page again with what came of an act about one of its offers."""
    refused = None
    try:
        lead = (await settled).plain
    except UserError as error:
        lead, refused = context.language(refusal(error)), MatchId(control.match)
    try:
        return await _offers(context, _number(control), lead=lead, refused=refused)
    except (UserError, StoreUnavailable):
        # What was done is done, and has to be said.
        return Reply(lead)


async def _offers(
    context: InteractionContext,
    number: int,
    *,
    lead: str = "",
    refused: MatchId | None = None,
) -> Reply:
    guild_id = context.place.guild_id
    if guild_id is None:
        raise UserError("server_only")
    guild, member = context.interaction.guild, context.interaction.user
    offers = [
        match
        for match in await context.services.lobby.offers(guild_id)
        if match.origin.channel_id == context.place.channel_id
        or (
            guild is not None
            and isinstance(member, discord.Member)
            and may_see(guild, member, match.origin.channel_id)
        )
    ]
    pages = max(1, -(-len(offers) // ON_PAGE))
    number = min(number, pages - 1)
    here = offers[number * ON_PAGE : (number + 1) * ON_PAGE]
    return offers_page(
        await context.services.lobby.described(here),
        number,
        pages,
        context.user_id,
        context.language,
        closed=await context.services.lobby.closed_to(context.user_id, here),
        refused=refused,
        lead=lead,
        is_told=await _is_told(context),
    )


async def _is_told(context: InteractionContext) -> bool | None:
    """Whether a person has the role that new offers ping here; None if there is none."""
    role = (await context.services.preferences.server(context.place.guild_id)).seekers
    member = context.interaction.user
    if role is None or not isinstance(member, discord.Member):
        return None
    return member.get_role(role) is not None


def _number(control: Control) -> int:
    """The number of a page, from 0, in a control."""
    if control.arg and not (control.arg.isascii() and control.arg.isdigit()):
        raise UserError("out_of_date")
    return int(control.arg[:4] or 0)
