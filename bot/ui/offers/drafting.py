"""What an interaction on the page of ``/play`` says about the offer in the making."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord

from bot.domain.clock_text import read_clock
from bot.domain.ids import InteractionId
from bot.errors import UserError
from bot.ui.interaction.context import InteractionContext
from bot.ui.offers.draft import OfferDraft, read_offer_draft
from bot.ui.offers.setup_page import OfferDefaults
from bot.ui.pages.clock_text import read_default
from bot.ui.pages.display_names import escape


async def house_of(context: InteractionContext, game: str | None = None) -> OfferDefaults:
    """What an offer has that does not say: of the server, else of the host.

    The rating of the player who offers is that in ``game``.
    """
    chosen = await context.services.preferences.server(context.place.guild_id)
    rating = None
    if game is not None:
        rating = (await context.services.ratings.standing(context.user_id, game)).points
    settings = context.services.settings
    clock = read_default(chosen.clock, read_clock(settings.clock), context.language)
    # In direct messages each player reads their own language.
    known = () if context.place.guild_id is None else tuple(context.services.languages.known())
    return OfferDefaults(clock, settings.offers_last, rating, known)


def page_id(context: InteractionContext) -> InteractionId:
    """Which interaction the page of menus answers: one page makes one offer, however often asked.

    That interaction has changed nothing itself, so it can stand for the offer.
    """
    message = context.interaction.message
    opened = None if message is None else message.interaction_metadata
    return context.id if opened is None else InteractionId(opened.id)


async def draft_of(context: InteractionContext) -> OfferDraft:
    """What the page of menus shows that an interaction came from."""
    message = context.interaction.message
    if message is None:
        raise UserError("out_of_date")
    chosen = await context.services.preferences.server(context.place.guild_id)
    return read_offer_draft([component.to_dict() for component in message.components], chosen)


def check_guests(interaction: discord.Interaction[Any]) -> None:
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
