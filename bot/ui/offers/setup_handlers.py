"""The page of menus on which an offer is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import discord

from bot.domain.game_state import game_of
from bot.domain.ids import InteractionId, UserId
from bot.domain.match import Actor, Venue
from bot.domain.offer_expiry import parse_offer_expiry
from bot.domain.rating_range import Around, RatingRange, format_rating_range, parse_rating_range
from bot.errors import UserError
from bot.i18n.sentences import refusal
from bot.ui.interaction.context import InteractionContext
from bot.ui.interaction.match_lookup import done
from bot.ui.interaction.permissions import check_offering, venue_of
from bot.ui.interaction.registry import (
    PRIVATE,
    Click,
    on_button,
    on_form,
    on_menu,
    one_field,
    opens_form,
)
from bot.ui.offers.offer_terms import band_for
from bot.ui.offers.option_text import find_game
from bot.ui.offers.setup_draft import Draft, OfferDefaults, changed, read_draft
from bot.ui.offers.setup_page import setup_page
from bot.ui.pages.clock_text import read_default
from bot.ui.pages.custom_ids import Control
from bot.ui.pages.display_names import escape
from bot.ui.pages.reply import Reply
from games import catalog


async def casually(context: InteractionContext, draft: Draft, error: UserError) -> Reply:
    """Where one more rated match would be too much, the page on which to offer a casual one."""
    if error.code != "rated_often":
        raise error
    return await offer_page(
        context, replace(draft, rated=False), refused=context.language(refusal(error))
    )


async def rating_range_for(context: InteractionContext, text: str, game: str) -> RatingRange | None:
    """Whose ratings an offer is for; one around one's own needs to know that."""
    if not isinstance(parse_rating_range(text), Around):
        return band_for(text, 0)
    standing = await context.services.ratings.standing(context.user_id, game)
    return band_for(text, standing.points)


async def venue_for(context: InteractionContext) -> Venue:
    """Where a match that this person offers here is played, if this server wants it here."""
    chosen = await context.services.preferences.server(context.place.guild_id)
    check_offering(context.interaction, chosen)
    threads = context.services.threads if chosen.threads is None else chosen.threads
    return venue_of(context.interaction, threads=threads)


async def set_up(context: InteractionContext, game: str | None = None) -> Reply:
    """``/play`` without a game: show the page of menus, with what the server begins with."""
    chosen = await context.services.preferences.server(context.place.guild_id)
    check_offering(context.interaction, chosen)
    usual = chosen.game if chosen.game in catalog.GAMES else None
    return await offer_page(context, Draft(game or usual))


async def defaults_here(context: InteractionContext, game: str | None = None) -> OfferDefaults:
    """What an offer has that does not say: of the server, else of the host.

    The rating of whoever offers is that in ``game``.
    """
    chosen = await context.services.preferences.server(context.place.guild_id)
    rating = None
    if game is not None:
        rating = (await context.services.ratings.standing(context.user_id, game)).points
    clock = read_default(chosen.clock, context.services.clock_of_house)
    return OfferDefaults(clock, context.services.offers_last, rating)


async def offer_page(context: InteractionContext, draft: Draft, *, refused: str = "") -> Reply:
    """The page of menus for an offer in the making; ``refused`` says what was wrong with it."""
    game = None if draft.info is None else draft.info.key
    house = await defaults_here(context, game)
    return await setup_page(draft, context.presenter, context.language, house, refused=refused)


@on_button("setup", how=PRIVATE)
async def set_up_for(context: InteractionContext, click: Click) -> Reply:
    """**Offer a match**: the page of menus, after a lesson with its game chosen."""
    key = click.arg
    return await set_up(context, find_game(key).info.key if key else None)


@on_form("bandtyped")
async def typed_band(context: InteractionContext, click: Click) -> Reply:
    """The form of the page of menus: a rating band as a person writes it."""
    draft = _draft(context)
    try:
        band = format_rating_range(parse_rating_range(click.text))
    except UserError as error:
        return await offer_page(context, draft, refused=context.language(refusal(error)))
    return await offer_page(context, replace(draft, band=band))


@on_menu("sgame", "spreset", "sopt", "sside", "srated")
@on_menu("sclock", "svacation", "stakeback", "sguest", "sband", "slasts")
async def choose_set_up(context: InteractionContext, click: Click) -> Reply:
    """A choice on the page of menus."""
    draft = _draft(context)
    if click.action == "sguest":
        try:
            _check_guests(context.interaction)
        except UserError as error:
            said = context.language(refusal(error))
            return await offer_page(context, draft, refused=said)
    return await offer_page(context, changed(draft, click, (click.values or ())))


@on_button("smore")
async def more_set_up(context: InteractionContext, _click: Click) -> Reply:
    """**More options**: the same page with the menus for all of them."""
    return await offer_page(context, replace(_draft(context), more=True))


@on_button("sfewer")
async def fewer_set_up(context: InteractionContext, _click: Click) -> Reply:
    """**Standard options**: the short page again, with what is usual."""
    draft = _draft(context)
    return await offer_page(context, Draft(draft.game, guests=draft.guests))


@on_button("soffer")
async def offer_set_up(context: InteractionContext, _click: Click) -> Reply:
    """Make the offer that the page of menus shows."""
    draft = _draft(context)
    info = draft.info
    if info is None:
        raise UserError("game_needed")
    guild = context.place.guild_id
    guests = tuple(Actor(UserId(guest), guild) for guest in draft.guests)
    seat = int(draft.side) - 1 if draft.side in "123456789" and draft.side else -1
    seats = len(game_of(info.key, draft.values()).seats)
    band = draft.band if len(guests) < seats - 1 else ""
    try:
        answer = await context.services.matches.challenge(
            context.actor,
            context.place,
            game=info.key,
            options=draft.values(),
            opponents=guests,
            seat=seat if seat >= 0 else None,
            rated=draft.rated,
            hints=draft.hints,
            venue=await venue_for(context),
            lasts=parse_offer_expiry(draft.lasts, context.services.offers_last),
            clock=read_default(draft.clock, (await defaults_here(context)).clock),
            band=await rating_range_for(context, band, info.key),
            takebacks=draft.takebacks,
            interaction_id=page_id(context),
        )
    except UserError as error:
        return await casually(context, draft, error)
    if answer.repeated:
        raise UserError("offered_already")
    return done(context, answer)


@opens_form("bandtype")
def band_form(context: InteractionContext, _control: Control) -> discord.ui.Modal:
    """The form to say whose rating an offer is for."""
    language = context.language
    return one_field(
        Control("bandtyped"),
        language.say("Type a rating range"),
        language.say("For example 1400-1700, 1600+ or ±150"),
        longest=60,
    )


def page_id(context: InteractionContext) -> InteractionId:
    """Which interaction the page of menus answers: one page makes one offer, however often asked.

    That interaction has changed nothing itself, so it can stand for the offer.
    """
    message = context.interaction.message
    opened = None if message is None else message.interaction_metadata
    return context.id if opened is None else InteractionId(opened.id)


def _draft(context: InteractionContext) -> Draft:
    """What the page of menus shows that an interaction came from."""
    message = context.interaction.message
    if message is None:
        raise UserError("out_of_date")
    return read_draft([component.to_dict() for component in message.components])


def _check_guests(interaction: discord.Interaction[Any]) -> None:
    """Refuse bots, and in a server strangers to it, as soon as they are chosen."""
    data: Mapping[str, Any] = interaction.data or {}
    resolved = data.get("resolved") or {}
    members = resolved.get("members") or {}
    for key, user in (resolved.get("users") or {}).items():
        if user.get("bot"):
            raise UserError("invite_bot")
        if int(key) == interaction.user.id:
            raise UserError("invite_self")
        if interaction.guild_id is not None and key not in members:
            raise UserError("not_in_server", name=escape(str(user.get("username"))))
