"""Open offers: the message of a lobby, and the private page with all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import discord

from bot.domain.ids import MatchId, UserId
from bot.errors import UserError
from bot.i18n import Language, Sentences
from bot.lobby import store as lobbies
from bot.lobby.services import OpenOffer, closed_to, described
from bot.logs import logger
from bot.store.errors import StoreUnavailable
from bot.store.records import PlayerRating
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.permissions import check_ping_role, may_see
from bot.ui.interaction.registry import Click, on_button
from bot.ui.interaction.slash import command
from bot.ui.offers.answer_handlers import accept, withdraw
from bot.ui.pages import clock_text, match_text
from bot.ui.pages import components as ui
from bot.ui.pages.components import Control, Page, Reply, cut_to_page
from bot.ui.pages.refusal_text import refusal
from bot.ui.rest import FAILURES
from games.view import Text

ON_PAGE = 8
"""The number of offers on a page: each takes three of the forty components of a message."""
_LONGEST = 420
_COLOUR = 0x3F8F63


def _described(offer: OpenOffer, language: Language, own: PlayerRating | None = None) -> str:
    """An offer in three lines. ``own`` is the rating of a reader who can't take it."""
    match = offer.match
    host = match_text.mention(match.players[match.offered_by], language)
    said = match_text.terms(match, language)
    terms = Sentences(language, *([said] if said else ()))
    if match.clock is None:
        terms.append(clock_text.clock_words(None, language))
    else:
        terms.say("Clock: {clock}", clock=clock_text.clock_words(match.clock, language))
    left = match_text.matches_left(match, language)
    about = Sentences(language, *([left] if left else ()))
    if match.band is not None and own is not None:
        about.say("Rating range: {band}; yours is {rating}", band=str(match.band), rating=str(own))
    elif match.band is not None:
        about.say("Rating range: {band}", band=str(match.band))
    if len(match.players) > 2:
        about.plural(
            "{free} of {seats} seat free",
            "{free} of {seats} seats free",
            by="seats",
            free=list(zip(match.players, match.invited, strict=True)).count((None, None)),
            seats=len(match.players),
        )
    if match.expires_at is not None:
        about.say("This offer expires {time}.", time=clock_text.timestamp(match.expires_at))
    lines = (
        f"**{match_text.game_name(match)}** · {host} ({offer.rating})",
        f"-# {match_text.cut(' · '.join(terms), 200)}",
        f"-# {' · '.join(about)}",
    )
    return match_text.cut("\n".join(lines), _LONGEST)


# Controls of offers have no version, so a click still counts after another player has just joined.


def _section(offer: OpenOffer, language: Language) -> ui.Part:
    shown = ui.button(Control("accept", offer.match.id), language.say("Accept"), ui.SUCCESS)
    return ui.section(_described(offer, language), shown)


def _own_section(offer: OpenOffer, number: int, user_id: UserId, language: Language) -> ui.Part:
    """The same on a private page of that number; the reader can give up a seat."""
    match = offer.match
    shown = ui.button(Control("seat", match.id, number), language.say("Accept"), ui.SUCCESS)
    if match.index_of(user_id) is not None:
        shown = ui.button(Control("unseat", match.id, number), language.say("Withdraw"))
    return ui.section(_described(offer, language), shown)


def _begin(language: Language) -> ui.Button:
    return ui.button(Control("setup"), language.say("Offer a match"), ui.PRIMARY)


def seek_button(language: Language, *, on: bool = True) -> ui.Button:
    """The button to take the role that new offers ping, or to give it up."""
    if on:
        return ui.button(Control("seek", arg="on"), language.say("Tell me of new offers"))
    return ui.button(Control("seek", arg="off"), language.say("Stop telling me"))


def lobby_page(
    open_offers: Sequence[OpenOffer], more: int, language: Language, *, has_role: bool = False
) -> Page:
    """The message of a lobby: the newest offers, the number of ``more``, and how to make one.

    ``has_role``: the server has a role that new offers ping.
    """
    title = language.say("Open offers in this server")
    items: list[ui.Part] = [
        ui.text(f"### {title}"),
        *(_section(offer, language) for offer in open_offers),
    ]
    if more:
        said = language.say("And {count} more: press All offers.", count=more)
        items.append(ui.text(f"-# {said}"))
    if not open_offers:
        none = language.say("No open offers right now. Make the first one!")
        items.append(ui.text(none))
    every = ui.button(Control("lobby"), language.say("All offers"))
    asking = [seek_button(language)] if has_role else []
    items += ui.rows([_begin(language), every, *asking])
    return Page(ui.container(*items, colour=_COLOUR))


def offers_page(
    open_offers: Sequence[OpenOffer],
    number: int,
    pages: int,
    user_id: UserId,
    language: Language,
    *,
    closed: Mapping[MatchId, PlayerRating] = MappingProxyType({}),
    refused: MatchId | None = None,
    lead: str = "",
    is_told: bool | None = None,
) -> Reply:
    """The private page of open offers, page ``number`` of ``pages``, from 0.

    ``lead`` reports the last action. Offers ``closed`` to the reader's rating, and one just
    ``refused``, have no button. ``is_told``: whether the reader has the role that new offers ping,
    None where there is none.
    """
    asking = [] if is_told is None else [seek_button(language, on=not is_told)]
    title = language.say("Open offers in this server")
    if not open_offers:
        none = language.say("No open offers right now. Make the first one!")
        return Reply(
            lead or none,
            Page(
                ui.text(ui.heading(title, none, lead=lead)), *ui.rows([_begin(language), *asking])
            ),
        )
    items: list[ui.Part] = [
        ui.text(ui.heading(title, lead=lead)),
        *(
            ui.text(_described(offer, language, closed.get(offer.match.id)))
            if offer.match.id == refused or offer.match.id in closed
            else _own_section(offer, number, user_id, language)
            for offer in open_offers
        ),
    ]
    items += map(ui.text, ui.page_note(number, pages, language))
    paging = ui.paging("lobby", ui.NO_MATCH, number, pages, language)
    return Reply(lead or title, Page(*items, *ui.rows([_begin(language), *paging, *asking])))


def is_lobby(components: Iterable[Any]) -> bool:
    """Whether components hold the button that every lobby has."""
    return any(each.action == "lobby" for each in ui.controls_in(components))


@command("lobby", Text.of("Show the open offers of this server"))
async def lobby(context: InteractionContext) -> Reply:
    """``/lobby``: the open offers of this server that the reader may see."""
    return await _offers(context, 0)


@on_button("lobby")
async def lobby_at(context: InteractionContext, click: Click) -> Reply:
    """**All offers**, and turning the page."""
    return await _offers(context, click.version)


@on_button("seat")
async def take_seat(context: InteractionContext, click: Click) -> Reply:
    """**Accept** on the private page, which is then shown again."""
    return await _anew(context, click, accept(context, Click("accept", click.match)))


@on_button("unseat")
async def leave_seat(context: InteractionContext, click: Click) -> Reply:
    """**Withdraw** on the private page."""
    return await _anew(context, click, withdraw(context, Click("withdraw", click.match)))


async def _anew(context: InteractionContext, control: Control, settled: Awaitable[Reply]) -> Reply:
    """Show the page again with the outcome of an action."""
    refused = None
    try:
        lead = (await settled).plain
    except UserError as error:
        lead, refused = context.language(refusal(error)), MatchId(control.match)
    try:
        return await _offers(context, control.version, lead=lead, refused=refused)
    except (UserError, StoreUnavailable):
        # It was done, which has to be reported.
        return Reply(lead)


async def _offers(
    context: InteractionContext,
    number: int,
    *,
    lead: str = "",
    refused: MatchId | None = None,
) -> Reply:
    services, guild_id = context.services, context.server
    guild, member = context.interaction.guild, context.interaction.user
    offers = [
        match
        for match in await services.store.read(lobbies.open_offers, guild_id, services.clock.now())
        if match.origin.channel_id == context.place.channel_id
        or (
            guild is not None
            and isinstance(member, discord.Member)
            and may_see(guild, member, match.origin.channel_id)
        )
    ]
    here, number, pages = cut_to_page(offers, number, ON_PAGE)
    return offers_page(
        await described(services.ratings, here),
        number,
        pages,
        context.user_id,
        context.language,
        closed=await closed_to(services.ratings, context.user_id, here),
        refused=refused,
        lead=lead,
        is_told=await _is_told(context),
    )


async def _is_told(context: InteractionContext) -> bool | None:
    role = (await context.services.preferences.server(context.place.guild_id)).seekers
    member = context.interaction.user
    if role is None or not isinstance(member, discord.Member):
        return None
    return member.get_role(role) is not None


_log = logger(__name__)


@on_button("seek")
async def offer(context: InteractionContext, click: Click) -> Reply:
    """**Tell me of new offers** in the lobby, and **Stop telling me** in the answer to it.

    The role is checked again: it may have changed since it was chosen.
    """
    guild_id, language = context.server, context.language
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
    return Reply(said, Page(ui.text(said), *ui.rows([other])))
