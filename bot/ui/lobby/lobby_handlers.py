"""Looking through the open offers of a server, and taking a seat in one."""

from __future__ import annotations

from collections.abc import Awaitable

import discord

from bot.domain.ids import MatchId
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.logs import logger
from bot.store.errors import StoreUnavailable
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import check_ping_role, may_see
from bot.ui.interaction.registry import Click, number_in, on_button
from bot.ui.interaction.slash import command
from bot.ui.lobby.lobby_page import ON_PAGE, offers_page, seek_button
from bot.ui.offers.answer_handlers import accept, withdraw
from bot.ui.pages.components import Control, Page, Reply, rows, text
from bot.ui.rest import FAILURES
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
    return number_in(control.arg or "0", most=9999)


_log = logger(__name__)


@on_button("seek")
async def offer(context: InteractionContext, click: Click) -> Reply:
    """**Tell me of new offers** in the lobby, and **Stop telling me** in the answer to it.

    Whether players may have the role is asked again: it may have been changed since it was chosen.
    """
    guild_id, language = context.place.guild_id, context.language
    if guild_id is None:
        raise UserError("server_only")
    role = (await context.services.preferences.server(guild_id)).seekers
    if role is None:
        raise UserError("ping_role_none")
    http, wanted = context.interaction.client.http, click.arg != "off"
    if wanted:
        check_ping_role(context.interaction.guild, role)
    change = http.add_role if wanted else http.remove_role
    try:
        await context.services.background.start(change(guild_id, context.user_id, role))
    except (discord.Forbidden, discord.NotFound) as error:
        _log.info("a role for new offers was refused", server=guild_id, code=error.code)
        raise UserError("ping_role_refused", role=role) from error
    except FAILURES as error:
        _log.info("a role for new offers was not changed", error=type(error).__name__)
        raise UserError("ping_role_failed") from error
    if wanted:
        said = language.say(
            "You have the role {role} now. New offers in the lobby ping it, at most once in half an"
            " hour.",
            role=f"<@&{role}>",
        )
        other = seek_button(language, on=False)
    else:
        said = language.say("New offers no longer ping you.")
        other = seek_button(language)
    return Reply(said, Page(text(said), *rows([other])))
